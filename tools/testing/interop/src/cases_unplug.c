// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

/*
 * The device of port A goes while its files are open: the command in UNPLUG takes it away, the one
 * in REPLUG brings it back. What open files may still hold then shows when the modules are unloaded
 * afterwards.
 */

static void run_command(const char *variable)
{
	const char *command = getenv(variable);

	CHECK(command, "%s isn't set", variable);
	CHECK(system(command) == 0, "%s: '%s' failed", variable, command);
}

static void check_node_gone(const struct port *port)
{
	char path[400];

	CHECK_FAILS(open(port->node, O_RDWR), ENOENT);
	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/%s", strrchr(port->node, '/') + 1);
	CHECK_FAILS(access(path, F_OK), ENOENT);
}

/* Returns when the process sleeps in that system call. */
static void wait_until_in(pid_t pid, long number)
{
	char path[64];
	long now;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	do {
		FILE *file = fopen(path, "r");

		usleep(10000);
		CHECK(file, "process %d ended early", pid);
		if (fscanf(file, "%ld", &now) != 1)
			now = -1;
		fclose(file);
	} while (now != number);
}

static void check_child(pid_t pid)
{
	int status;

	CHECK_OK(waitpid(pid, &status, 0));
	CHECK_EQ(status, 0);
}

/*
 * Everything that a file with an agent, queued MADs and outstanding sends says once the device is
 * gone.
 */
static void check_dead(int fd, struct packet *packet)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT };
	static struct packet got;

	CHECK_EQ(poll(&poll_fd, 1, 0), 1);
	CHECK_EQ(poll_fd.revents & (POLLIN | POLLOUT | POLLERR), POLLERR);
	CHECK_FAILS(read(fd, got.bytes, sizeof(got.bytes)), EIO);
	CHECK_FAILS(packet_write(fd, packet), EIO);
	CHECK_FAILS(agent_register(fd, &client_spec), EPIPE);
	CHECK_FAILS(agent_register2(fd, &client_spec), EPIPE);
	CHECK_FAILS(agent_unregister(fd, 0), EINVAL);
}

static void open_files(void)
{
	struct port a = port_a(), b = port_b();
	struct packet request, to_a;
	int busy = port_open(&a, 0), idle = port_open(&a, 0), peer = port_open(&b, 0);
	struct pollfd poll_fd = { .fd = busy, .events = POLLIN };

	CHECK_EQ(agent_register2(busy, &client_spec), 0);
	CHECK_EQ(agent_register2(busy, &server_spec), 1);
	CHECK_EQ(agent_register2(peer, &client_spec), 0);
	for (int i = 0; i < 20; i++) {
		packet_init(&request, 0, &a, &b, METHOD_SEND, i);
		request.hdr.timeout_ms = 60000;
		packet_send(busy, &request);
		packet_init(&to_a, 0, &b, &a, METHOD_SEND, i);
		packet_send(peer, &to_a);
	}
	CHECK_EQ(poll(&poll_fd, 1, 30000), 1);

	run_command("UNPLUG");
	check_node_gone(&a);
	check_dead(busy, &request);
	check_dead(idle, &request);
}

/* The node comes back, new files work, and the old ones stay dead. */
static void replug(void)
{
	struct port a = port_a(), b;
	struct packet request, got;
	int old = port_open(&a, 0), client, server;

	CHECK_EQ(agent_register2(old, &client_spec), 0);
	run_command("UNPLUG");
	run_command("REPLUG");
	a = port_a();
	b = port_b();
	client = port_open(&a, 0);
	server = port_open(&b, 0);
	CHECK_EQ(agent_register2(client, &client_spec), 0);
	CHECK_EQ(agent_register2(server, &server_spec), 0);
	packet_init(&request, 0, &a, &b, METHOD_SEND, 1);
	packet_send(client, &request);
	packet_receive(server, &got, UMAD_HDR);
	check_dead(old, &request);
}

/* A program that waits in poll() is woken. */
static void wakes_poller(void)
{
	struct port a = port_a();
	int fd = port_open(&a, 0);
	pid_t poller;

	CHECK_EQ(agent_register2(fd, &client_spec), 0);
	poller = CHECK_OK(fork());
	if (!poller) {
		struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

		CHECK_EQ(syscall(SYS_poll, &poll_fd, 1, -1), 1);
		CHECK_EQ(poll_fd.revents & (POLLIN | POLLERR), POLLERR);
		_exit(0);
	}
	wait_until_in(poller, SYS_poll);
	run_command("UNPLUG");
	check_child(poller);
}

/* ... and sees an error and a hang-up, with nothing to read or write. */
static void poll_says_hup(void)
{
	struct port a = port_a();
	int fd = port_open(&a, 0);
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM };

	CHECK_EQ(agent_register2(fd, &client_spec), 0);
	run_command("UNPLUG");
	CHECK_EQ(poll(&poll_fd, 1, 0), 1);
	CHECK_EQ(poll_fd.revents, POLLERR | POLLHUP);
}

/* Programs that wait in read() are woken, all of them. */
static void wakes_readers(void)
{
	enum { READERS = 3 };
	struct port a = port_a();
	int fd = port_open(&a, 0);
	pid_t readers[READERS];

	CHECK_EQ(agent_register2(fd, &client_spec), 0);
	for (int i = 0; i < READERS; i++) {
		readers[i] = CHECK_OK(fork());
		if (!readers[i]) {
			static struct packet got;

			CHECK_FAILS(syscall(SYS_read, fd, got.bytes, sizeof(got.bytes)), EIO);
			_exit(0);
		}
	}
	for (int i = 0; i < READERS; i++)
		wait_until_in(readers[i], SYS_read);
	run_command("UNPLUG");
	for (int i = 0; i < READERS; i++)
		check_child(readers[i]);
}

/* --- programs that never stop calling: each ends in its documented errno --- */

static void write_for_ever(const struct port *a, const struct port *b)
{
	struct packet packet;
	int fd = port_open(a, 0);

	CHECK_EQ(agent_register2(fd, &client_spec), 0);
	packet_init(&packet, 0, a, b, METHOD_SEND, 0);
	for (uint32_t tid = 1; packet_write(fd, &packet) > 0; tid++) {
		packet_mad(&packet)->hdr.tid = htobe64(tid);
		packet.hdr.timeout_ms = tid % 4 ? 0 : 60000;
		usleep(1000);
	}
	CHECK_EQ(errno, EIO);
}

static void register_for_ever(const struct port *a, const struct port *b)
{
	int fd = port_open(a, 0);

	(void)b;
	while (agent_register2(fd, &client_spec) == 0)
		agent_unregister(fd, 0);
	CHECK_EQ(errno, EPIPE);
}

static void open_for_ever(const struct port *a, const struct port *b)
{
	int fd;

	(void)b;
	while ((fd = open(a->node, O_RDWR)) >= 0)
		close(fd);
	CHECK(errno == ENOENT || errno == ENXIO, "open: %s", strerrorname_np(errno));
}

static void read_for_ever(const struct port *a, const struct port *b)
{
	static struct packet got;
	int fd = port_open(a, O_NONBLOCK);

	(void)b;
	CHECK_EQ(agent_register2(fd, &server_spec), 0);
	do
		usleep(500);
	while (read(fd, got.bytes, sizeof(got.bytes)) > 0 || errno == EAGAIN);
	CHECK_EQ(errno, EIO);
}

static void under_load(void)
{
	static void (*const callers[])(const struct port *, const struct port *) = {
		write_for_ever, register_for_ever, open_for_ever, read_for_ever,
	};
	enum { CALLERS = sizeof(callers) / sizeof(callers[0]) };
	struct port a = port_a(), b = port_b();
	pid_t pids[CALLERS];

	for (int i = 0; i < CALLERS; i++) {
		pids[i] = CHECK_OK(fork());
		if (!pids[i]) {
			callers[i](&a, &b);
			_exit(0);
		}
	}
	usleep(500000);
	run_command("UNPLUG");
	for (int i = 0; i < CALLERS; i++)
		check_child(pids[i]);
}

const struct test_case unplug_cases[] = {
	{ "unplug-open-files", open_files },
	{ "unplug-replug", replug },
	{ "unplug-wakes-poller", wakes_poller },
	{ "unplug-poll-says-hup", poll_says_hup },
	{ "unplug-wakes-readers", wakes_readers },
	{ "unplug-under-load", under_load },
	{}
};
