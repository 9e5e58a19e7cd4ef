// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Verbs through uverbs, each in a window for the plugin, on a device that does nothing by itself
 * (nullhca): what is counted is ib_uverbs, and what it uses of ib_core and of the kernel.
 *
 * usage: count-uverbs DEVICE-FILE
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"
#include "memory.h"
#include "verbs.h"

enum {
	REPETITIONS = 50,
	FEW_REPETITIONS = 3,
	PAIRS_AT_EXIT = 5000, /* of a PD and an MR */
};

static const char *path;
static struct context context;

static void count_contexts(void)
{
	struct context other;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("uverbs_open", other = context_open(path));
		WINDOW("uverbs_close", context_close(&other));
	}
}

static void count_pds(void)
{
	uint32_t pd;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("uverbs_alloc_pd", pd = pd_alloc(&context));
		WINDOW("uverbs_dealloc_pd", pd_dealloc(&context, pd));
		WINDOW("uverbs_alloc_pd_write", pd = pd_alloc_by_write(&context));
		WINDOW("uverbs_dealloc_pd_write", pd_dealloc_by_write(&context, pd));
	}
}

static void count_mrs(const char *size, void *memory, size_t length)
{
	char reg[40], dereg[40];
	uint32_t pd, mr;

	snprintf(reg, sizeof(reg), "uverbs_reg_mr_%s", size);
	snprintf(dereg, sizeof(dereg), "uverbs_dereg_mr_%s", size);
	pd = pd_alloc(&context);
	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW(reg, mr = mr_reg(&context, pd, memory, length));
		WINDOW(dereg, mr_dereg(&context, mr));
	}
	pd_dealloc(&context, pd);
}

static void count_queues(void)
{
	uint32_t pd = pd_alloc(&context), cq, srq, qp;

	for (int i = 0; i < REPETITIONS; i++) {
		WINDOW("uverbs_create_cq", cq = cq_create(&context));
		WINDOW("uverbs_create_srq", srq = srq_create(&context, pd));
		WINDOW("uverbs_create_qp", qp = qp_create(&context, pd, cq));
		WINDOW("uverbs_modify_qp", qp_to_init(&context, qp));
		WINDOW("uverbs_query_qp", qp_query(&context, qp));
		WINDOW("uverbs_destroy_qp", qp_destroy(&context, qp));
		WINDOW("uverbs_destroy_srq", srq_destroy(&context, srq));
		WINDOW("uverbs_destroy_cq", cq_destroy(&context, cq));
	}
	pd_dealloc(&context, pd);
}

/* A process with many objects, which waits to be killed. */
static pid_t start_rich_process(void *memory)
{
	int ready[2];
	pid_t child;
	char byte;

	CHECK_OK(pipe(ready));
	child = CHECK_OK(fork());
	if (!child) {
		struct context own = context_open(path);

		for (int i = 0; i < PAIRS_AT_EXIT; i++)
			mr_reg(&own, pd_alloc(&own), memory, PAGE);
		CHECK_EQ(write(ready[1], "", 1), 1);
		for (;;)
			pause();
	}
	CHECK_EQ(read(ready[0], &byte, 1), 1);
	CHECK_OK(close(ready[0]));
	CHECK_OK(close(ready[1]));
	return child;
}

static void count_exits(void)
{
	void *memory = scattered_memory(PAGE);

	for (int i = 0; i < FEW_REPETITIONS; i++) {
		pid_t child = start_rich_process(memory);

		WINDOW("uverbs_exit_10000_objects", kill(child, SIGKILL); waitpid(child, NULL, 0));
	}
}

int main(int argc, char **argv)
{
	CHECK_EQ(argc, 2);
	path = argv[1];
	context = context_open(path);
	count_contexts();
	count_pds();
	count_mrs("4K", scattered_memory(PAGE), PAGE);
	count_mrs("1M", scattered_memory(MIB), MIB);
	count_mrs("1M_huge", huge_memory(), MIB);
	count_queues();
	count_exits();
	context_close(&context);
	return 0;
}
