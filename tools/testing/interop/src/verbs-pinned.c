// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: verbs-pinned MIB COUNT
 *
 * Registers so much memory so many times, and exits without a word. Another process looks at the
 * clock all the time meanwhile, on each processor, and says how long it was kept from it at worst.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "uverbs.h"

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Registers, says when all is done, and is gone when it's told so. */
static void pin(size_t len, int count, int ready, int go)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	char byte, *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(memory != MAP_FAILED, "%zu bytes", len);
	memset(memory, 1, len);
	for (int i = 0; i < count; i++)
		new_mr(client.fd, pd, memory, len);
	CHECK_EQ(write(ready, &byte, 1), 1);
	CHECK_EQ(read(go, &byte, 1), 1);
	_exit(0);
}

/* Until the pipe is closed; the gap goes into another. */
static void watch(int processor, int end, int report)
{
	cpu_set_t set;
	double last, gap, worst = 0;
	char byte;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	CHECK_OK(sched_setaffinity(0, sizeof(set), &set));
	for (last = now(); read(end, &byte, 1) < 0; last += gap) {
		usleep(1000);
		gap = now() - last;
		if (gap > worst)
			worst = gap;
	}
	CHECK_EQ(write(report, &worst, sizeof(worst)), sizeof(worst));
	_exit(0);
}

int main(int argc, char **argv)
{
	int ready[2], go[2], end[2], report[2], status, watchers = sysconf(_SC_NPROCESSORS_ONLN);
	double begin, worst;
	char byte;
	pid_t pid;

	if (argc != 3) {
		fputs("usage: verbs-pinned MIB COUNT\n", stderr);
		return 2;
	}
	CHECK_OK(pipe(ready));
	CHECK_OK(pipe(go));
	CHECK_OK(pipe2(end, O_NONBLOCK));
	CHECK_OK(pipe(report));
	pid = CHECK_OK(fork());
	if (!pid) {
		close(end[1]);
		pin(strtoul(argv[1], NULL, 0) << 20, atoi(argv[2]), ready[1], go[0]);
	}
	close(ready[1]);
	begin = now();
	CHECK_EQ(read(ready[0], &byte, 1), 1);
	printf("%s MiB registered %s times in %.1f s\n", argv[1], argv[2], now() - begin);
	for (int i = 0; i < watchers; i++) {
		if (!CHECK_OK(fork())) {
			close(end[1]);
			watch(i, end[0], report[1]);
		}
	}
	begin = now();
	CHECK_EQ(write(go[1], &byte, 1), 1);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
	printf("the end of the process took %.1f s\n", now() - begin);
	close(end[1]);
	for (int i = 0; i < watchers; i++) {
		CHECK_EQ(read(report[0], &worst, sizeof(worst)), sizeof(worst));
		printf("the longest time without a look at the clock: %.3f s\n", worst);
	}
	return 0;
}
