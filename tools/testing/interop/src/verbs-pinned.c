// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: verbs-pinned MIB TIMES COUNT
 *
 * Maps so much memory, so many times in a row, registers all of the mappings as one region, COUNT
 * times, and exits without a word. On the same processor an alarm clock goes off all the time,
 * which may interrupt whoever is running: it must get at the exiting process again and again.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "uverbs.h"

enum {
	ALARM_NS = 100000,
	/* The end of an empty process may be interrupted, too, but not that often. */
	ENOUGH = 10,
};

static void take_first_processor(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	CHECK_OK(sched_setaffinity(0, sizeof(set), &set));
}

/* The same pages, times over. */
static char *map_in_a_row(size_t len, int times)
{
	char *memory = mmap(NULL, len * times, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int file = CHECK_OK(memfd_create("pinned", 0));

	CHECK(memory != MAP_FAILED, "%zu bytes", len * times);
	CHECK_OK(ftruncate(file, len));
	for (int i = 0; i < times; i++)
		CHECK(mmap(memory + i * len, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			   file, 0) != MAP_FAILED, "mapping %d", i);
	memset(memory, 1, len);
	CHECK_OK(close(file));
	return memory;
}

static long interruptions(void)
{
	struct rusage usage;

	CHECK_OK(getrusage(RUSAGE_SELF, &usage));
	return usage.ru_nivcsw;
}

/* Registers, and says when all is done; told so, it says how often it was interrupted, and ends. */
static void pin(size_t len, int times, int count, int report, int go)
{
	struct client client = open_client();
	uint32_t pd = new_pd(client.fd);
	char *memory = map_in_a_row(len, times);
	long so_far = 0;
	char byte;

	for (int i = 0; i < count; i++)
		new_mr(client.fd, pd, memory, len * times);
	/* That they are unmapped takes time, too, but here it's about pages that are pinned. */
	CHECK_OK(munmap(memory, len * times));
	CHECK_EQ(write(report, &so_far, sizeof(so_far)), sizeof(so_far));
	take_first_processor();
	CHECK_EQ(read(go, &byte, 1), 1);
	so_far = interruptions();
	CHECK_EQ(write(report, &so_far, sizeof(so_far)), sizeof(so_far));
	_exit(0);
}

static void alarm_clock(void)
{
	struct sched_param first = { .sched_priority = 1 };
	struct timespec period = { .tv_nsec = ALARM_NS };

	take_first_processor();
	CHECK_OK(sched_setscheduler(0, SCHED_FIFO, &first));
	for (;;)
		nanosleep(&period, NULL);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	int report[2], go[2], times, count, status;
	struct rusage usage;
	pid_t pid, clock;
	double begin;
	long before;
	size_t len;

	if (argc != 4) {
		fputs("usage: verbs-pinned MIB TIMES COUNT\n", stderr);
		return 2;
	}
	len = strtoul(argv[1], NULL, 0) << 20;
	times = atoi(argv[2]);
	count = atoi(argv[3]);
	CHECK_OK(pipe(report));
	CHECK_OK(pipe(go));
	pid = CHECK_OK(fork());
	if (!pid)
		pin(len, times, count, report[1], go[0]);
	close(report[1]);
	begin = now();
	CHECK_EQ(read(report[0], &before, sizeof(before)), sizeof(before));
	printf("%d times %zu MiB registered %d times in %.1f s\n", times, len >> 20, count,
	       now() - begin);
	clock = CHECK_OK(fork());
	if (!clock)
		alarm_clock();
	begin = now();
	CHECK_EQ(write(go[1], "", 1), 1);
	CHECK_EQ(read(report[0], &before, sizeof(before)), sizeof(before));
	CHECK_EQ(wait4(pid, &status, 0, &usage), pid);
	CHECK_EQ(status, 0);
	CHECK_OK(kill(clock, SIGKILL));
	printf("its end took %.1f s and was interrupted %ld times\n", now() - begin,
	       usage.ru_nivcsw - before);
	CHECK(usage.ru_nivcsw - before >= ENOUGH, "the end of a process can't be interrupted");
	return 0;
}
