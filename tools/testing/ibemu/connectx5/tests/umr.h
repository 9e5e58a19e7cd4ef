/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the tests of work requests that change memory keys share: guest 1 changes its own, guest 0
 * finds out what it can still reach.
 */
#ifndef IBEMU_CX5_TESTS_UMR_H
#define IBEMU_CX5_TESTS_UMR_H

#include "connectx5/tests/connect.h"

#define FAR 0x8000u /* data offset of what the window shows */

/* Bits of the mask of what changes. */
enum {
	LEN = 1 << 0, START_ADDR = 1 << 6, PD = 1 << 7, VARIANT = 1 << 13, QPN = 1 << 14,
	RIGHTS = 0x1f << 17, FREE = 1 << 29,
};

enum { INLINE = 0x80, MUST_BE_VALID = 0x40, MUST_BE_FREE = 0x20, MUST_BE_OURS = 0x08 };

struct world {
	struct bench *bench;
	struct queue_pair from, to; /* of guest 0, of guest 1 */
	uint32_t next[2];           /* completions seen */
	uint32_t window, region;    /* keys of guest 1 */
};

static inline int tear_down(void **state)
{
	struct world *world = *state;

	bench_destroy(world->bench);
	free(world);
	return 0;
}

/* The next completion of a guest. */
static inline void next(struct world *world, unsigned int guest, unsigned int opcode,
			unsigned int syndrome)
{
	expect(&world->bench->guest[guest], world->next[guest]++, opcode, syndrome);
}

static inline void give(struct world *world, struct wqe *wqe, unsigned int syndrome)
{
	post_and_run(&world->to, wqe, world->bench);
	next(world, 1, syndrome ? CQE_REQUEST_ERROR : CQE_REQUEST, syndrome);
}

/* A request to change a key, with its context at byte 64. */
static inline struct wqe begin_change(uint32_t key, uint8_t flags, uint32_t mask,
				      unsigned int entries)
{
	struct wqe wqe = begin_wqe(0x25, key);
	uint8_t *umr = add_segments(&wqe, 3);

	add_segments(&wqe, 4);
	umr[0] = flags;
	put_be16(umr + 4, (uint16_t)entries);
	put_be64(umr + 8, mask);
	return wqe;
}

static inline void add_entry(struct wqe *wqe, uint32_t len, uint32_t key, uint64_t addr)
{
	put_data_segment(add_segments(wqe, 1), len, key, addr);
}

/* Guest 0 writes 8 bytes. */
static inline void write_to(struct world *world, uint32_t key, uint64_t va, unsigned int syndrome)
{
	struct wqe wqe = begin_wqe(0x08, 0);

	memcpy(data(&world->bench->guest[0], 0), "\1\2\3\4\5\6\7\10", 8);
	add_remote(&wqe, va, key);
	add_data(&wqe, &world->from, 0, 8);
	post_and_run(&world->from, &wqe, world->bench);
	next(world, 0, syndrome ? CQE_REQUEST_ERROR : CQE_REQUEST, syndrome);
}

#endif
