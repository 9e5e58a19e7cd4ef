// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: verbs-storm PROCESSES KILLS
 *
 * So many processes open the device of PORT_A, make objects and leave or lose them again, without
 * end. So many are killed with SIGKILL, some at a time, wherever they are, and replaced; in the
 * end, all.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "uverbs.h"

/* So many are killed at once. */
enum { GROUP = 20, MEMORY = 65536 };

static char *memory;
static char path[300];

/* How far it gets is chance; what is there then is left to the end of the file, or the process. */
static void make_objects(int fd, int steps)
{
	struct ib_uverbs_reg_mr_resp mr;
	struct ib_uverbs_create_qp_resp qp_resp;
	struct ib_uverbs_create_qp qp_in;
	struct client client;
	uint32_t pd, cq, srq, mw;
	int channel;

	if (get_context(fd, &client))
		return;
	if (steps-- > 0)
		try_pd(fd, &pd);
	if (steps-- > 0)
		try_mr(fd, pd, (uintptr_t)memory, MEMORY, 1, &mr);
	if (steps-- > 0)
		try_channel(fd, &channel);
	if (steps-- > 0)
		try_cq(fd, 64, channel, 0, &cq);
	if (steps-- > 0)
		try_srq(fd, pd, 16, 0, &srq);
	if (steps-- > 0) {
		qp_in = qp_request(pd, cq, QPT_RC);
		try_qp(fd, &qp_in, &qp_resp);
	}
	if (steps-- > 0)
		try_mw(fd, pd, &mw);
	if (steps-- > 0)
		drop(fd, IB_USER_VERBS_CMD_DEREG_MR, mr.mr_handle);
	close(client.async_fd);
	if (steps > 0 && channel > 2)
		close(channel);
}

static void live(unsigned int seed)
{
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (;;) {
		int fd = open(path, O_RDWR | O_CLOEXEC);

		make_objects(fd, rand_r(&seed) % 12);
		close(fd);
		closefrom(3);
	}
}

static pid_t start(unsigned int seed)
{
	pid_t pid = CHECK_OK(fork());

	if (pid)
		return pid;
	live(seed);
	return 0;
}

/* They have done nothing but what they were told: they live until they're killed. */
static void stop(const pid_t *pids, int count)
{
	int status;

	for (int i = 0; i < count; i++)
		CHECK_OK(kill(pids[i], SIGKILL));
	for (int i = 0; i < count; i++) {
		CHECK_EQ(waitpid(pids[i], &status, 0), pids[i]);
		CHECK(WIFSIGNALED(status), "process %d: status %x", pids[i], status);
	}
}

int main(int argc, char **argv)
{
	int count, kills, next = 0;
	unsigned int seed = 1;
	pid_t *pids;

	if (argc != 3 || atoi(argv[1]) < GROUP) {
		fputs("usage: verbs-storm PROCESSES KILLS\n", stderr);
		return 2;
	}
	count = atoi(argv[1]) / GROUP * GROUP;
	kills = atoi(argv[2]);
	pids = calloc(count, sizeof(*pids));
	strcpy(path, device_path());
	for (int i = 0; i < count; i++)
		pids[i] = start(next++);
	for (int i = 0; i < kills; i += GROUP) {
		int first = rand_r(&seed) % (count / GROUP) * GROUP;

		usleep(rand_r(&seed) % 200000);
		stop(pids + first, GROUP);
		for (int j = first; j < first + GROUP; j++)
			pids[j] = start(next++);
	}
	stop(pids, count);
	printf("%d processes were made, and killed\n", next);
	return 0;
}
