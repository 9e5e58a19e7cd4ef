// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the engine costs by itself: CPU time of two engines at the ends of a cable, from the
 * doorbell of one to both completions, without QEMU, registers or a guest. Prints lines
 * "NAME NANOSECONDS".
 */
#include <time.h>

#include "pair.h"

#define BATCH 64 /* work requests a round; fewer than SENDS */
#define ROUNDS 2000
#define LONG_LEN 0x10000u

static void direct_receive(void *owner, struct packet *packet)
{
	hca_receive(&((struct side *)owner)->hca, packet);
}

/* Past the tap, which copies every packet. */
static const struct port_ops direct_ops = { direct_receive, tap_event };

static uint64_t cpu_time_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * NSEC_PER_SEC + (uint64_t)used.tv_nsec;
}

static struct pair *bare_pair(void)
{
	struct pair *pair = create_pair(HCA_QP_RC);

	pair->a.qp.conn.path_mtu = 5; /* 4096 bytes */
	pair->b.qp.conn.path_mtu = 5;
	connect_pair(pair);
	fabric_port_attach(pair->a.port, &direct_ops, &pair->a);
	fabric_port_attach(pair->b.port, &direct_ops, &pair->b);
	return pair;
}

static uint64_t packets(const struct pair *pair)
{
	return pair->a.hca.counters.sent + pair->b.hca.counters.sent;
}

/* A doorbell for each work request: of 8 bytes, so that the doorbell is most of it. */
static void bench_doorbells(void)
{
	struct pair *pair = bare_pair();
	uint64_t start = cpu_time_ns();

	for (unsigned int i = 0; i < BATCH * ROUNDS; i++) {
		prepare_remote(&pair->a, HCA_WRITE, 0, 8, 0);
		ring(&pair->a);
	}
	printf("engine_write_8_bytes_ns %llu\n",
	       (unsigned long long)(cpu_time_ns() - start) / (BATCH * ROUNDS));
	assert_int_equal(pair->a.wcs, BATCH * ROUNDS);
	destroy_pair(pair);
}

/* Packets of 4 KiB and their acknowledgements, many for each doorbell. */
static void bench_packets(void)
{
	struct pair *pair = bare_pair();
	uint64_t start = cpu_time_ns(), before = packets(pair);

	for (unsigned int round = 0; round < ROUNDS / 10; round++) {
		for (unsigned int i = 0; i < BATCH; i++)
			prepare_remote(&pair->a, HCA_WRITE, 0, LONG_LEN, 0);
		ring(&pair->a);
	}
	printf("engine_packet_4096_bytes_ns %llu\n",
	       (unsigned long long)((cpu_time_ns() - start) / (packets(pair) - before)));
	assert_int_equal(pair->a.wcs, BATCH * (ROUNDS / 10));
	destroy_pair(pair);
}

int main(void)
{
	bench_doorbells();
	bench_packets();
	return 0;
}
