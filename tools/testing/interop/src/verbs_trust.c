// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "uverbs.h"

/*
 * Who may hand a command over, and how. A command that is written acts with the rights of him who
 * writes: a file may be somebody's standard output who doesn't know what he writes there. So only
 * he who opened it may write, as the one he was then. An ioctl can't be made by mistake.
 */

static int write_pd(int fd)
{
	struct ib_uverbs_alloc_pd in = {};
	uint32_t pd;

	return command_write(fd, &(struct command){
		.number = IB_USER_VERBS_CMD_ALLOC_PD, .in = &in, .in_len = sizeof(in), .out = &pd,
		.out_len = sizeof(pd),
	});
}

static int ioctl_pd(int fd)
{
	struct ib_uverbs_alloc_pd in = {};
	uint32_t pd;

	return command_ioctl(fd, &(struct command){
		.number = IB_USER_VERBS_CMD_ALLOC_PD, .in = &in, .in_len = sizeof(in), .out = &pd,
		.out_len = sizeof(pd),
	});
}

static void in_child(void (*run)(int fd), int fd)
{
	pid_t pid = CHECK_OK(fork());
	int status;

	if (!pid) {
		run(fd);
		_exit(0);
	}
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
}

/* Nothing was made by what was refused: the next handle is the first. */
static void check_nothing_made(int fd)
{
	CHECK_EQ(new_pd(fd), 0);
}

static void is_refused(int fd)
{
	CHECK_FAILS(write_pd(fd), EACCES);
}

static void after_fork(void)
{
	struct client client = open_client();

	in_child(is_refused, client.fd);
	check_nothing_made(client.fd);
}

static void other_user(int fd)
{
	CHECK_OK(setresuid(1000, 1000, 1000));
	is_refused(fd);
}

static void after_setuid(void)
{
	struct client client = open_client();

	in_child(other_user, client.fd);
	check_nothing_made(client.fd);
	/* The one who changes himself, too; to no avail that he can change back. */
	CHECK_OK(seteuid(1000));
	is_refused(client.fd);
	CHECK_OK(seteuid(0));
	is_refused(client.fd);
	CHECK_OK(ioctl_pd(client.fd));
}

/* A file with a command that needs no answer: that a PD is to go. */
static int order_in_file(uint32_t pd)
{
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_dealloc_pd in;
	} frame = { .hdr = { IB_USER_VERBS_CMD_DEALLOC_PD, sizeof(frame) / 4, 0 }, .in = { pd } };
	int file = CHECK_OK(open("/tmp", O_RDWR | O_TMPFILE, 0600));

	CHECK_EQ(write(file, &frame, sizeof(frame)), sizeof(frame));
	CHECK_OK(lseek(file, 0, SEEK_SET));
	return file;
}

/* The attack itself: a user's file is the standard output of a program with more rights. */
static void as_output(void)
{
	pid_t pid = CHECK_OK(fork());
	int status;

	if (!pid) {
		struct client client;
		uint32_t pd;

		CHECK_OK(setresuid(1000, 1000, 0));
		client = open_client();
		pd = new_pd(client.fd);
		CHECK_OK(setresuid(0, 0, 0));
		CHECK_OK(dup2(order_in_file(pd), 0));
		CHECK_OK(dup2(client.fd, 1));
		execl("/bin/cat", "cat", NULL);
		_exit(99);
	}
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(WEXITSTATUS(status), 1);
}

static void send_fd(int to, int fd)
{
	char space[CMSG_SPACE(sizeof(fd))] = {}, byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = space,
		.msg_controllen = sizeof(space),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	CHECK_EQ(sendmsg(to, &msg, 0), 1);
}

static int receive_fd(int from)
{
	char space[CMSG_SPACE(sizeof(int))] = {}, byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = space,
		.msg_controllen = sizeof(space),
	};
	int fd;

	CHECK_EQ(recvmsg(from, &msg, 0), 1);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

/* Opened there, used here, where nobody ever opened it. */
static void from_elsewhere(void)
{
	int sockets[2], fd;
	pid_t pid;

	CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	pid = CHECK_OK(fork());
	if (!pid) {
		CHECK_OK(setresuid(1000, 1000, 1000));
		send_fd(sockets[0], open_client().fd);
		pause();
	}
	fd = receive_fd(sockets[1]);
	is_refused(fd);
	CHECK_OK(ioctl_pd(fd));
}

/* Bytes that come from a pipe or a file aren't anybody's command. */
static void spliced(void)
{
	struct client client = open_client();
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_alloc_pd in;
	} frame = { .hdr = { IB_USER_VERBS_CMD_ALLOC_PD, 4, 1 } };
	uint32_t pd = 0x77777777;
	int pipes[2], file;

	frame.in.response = (uintptr_t)&pd;
	CHECK_OK(pipe(pipes));
	CHECK_EQ(write(pipes[1], &frame, sizeof(frame)), sizeof(frame));
	CHECK_FAILS(splice(pipes[0], NULL, client.fd, NULL, sizeof(frame), 0), EINVAL);
	file = CHECK_OK(open("/tmp", O_RDWR | O_TMPFILE, 0600));
	CHECK_EQ(write(file, &frame, sizeof(frame)), sizeof(frame));
	CHECK_FAILS(sendfile(client.fd, file, &(off_t){ 0 }, sizeof(frame)), EINVAL);
	CHECK_FAILS(copy_file_range(file, &(off64_t){ 0 }, client.fd, NULL, sizeof(frame), 0),
		    EINVAL);
	CHECK_EQ(pd, 0x77777777);
	check_nothing_made(client.fd);
}

const struct test_case trust_cases[] = {
	{ "after-fork", after_fork },
	{ "after-setuid", after_setuid },
	{ "as-output", as_output },
	{ "from-elsewhere", from_elsewhere },
	{ "spliced", spliced },
	{}
};
