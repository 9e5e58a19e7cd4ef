/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * For the suites of this folder: a ring in two pages that don't follow one another, and what should
 * stand in it, byte by byte. Nothing here knows the driver's structures or how it finds a WQEBB.
 */
#ifndef RDMA_MLX5_RING_KUNIT_H
#define RDMA_MLX5_RING_KUNIT_H

#include <kunit/test.h>
#include "wr.h"

#define RING_WQEBBS 32
#define RING_BYTES (RING_WQEBBS * 64)
/* WQEBBs of the first page that belong to something else. */
#define RING_SKIPPED 50
#define POISON 0xa5

/* All places in the ring, and those from which the 16 bits of a WQEBB's number run over. */
#define for_each_place(place)							\
	for (u32 step = 0; place = step < RING_WQEBBS ? step : 65536 - 2 * RING_WQEBBS + step,	\
	     step < 2 * RING_WQEBBS; step++)

struct test_ring {
	struct mlx5_ib_ring sq;
	struct mlx5_buf_list pages[2];
};

static inline struct test_ring *test_ring_new(struct kunit *test)
{
	struct test_ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	for (int i = 0; i < 2; i++) {
		/* One page more than it needs lies between them. */
		ring->pages[i].buf = kunit_kzalloc(test, 2 * PAGE_SIZE, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, ring->pages[i].buf);
	}
	mlx5_init_fbc_offset(ring->pages, 6, ilog2(RING_WQEBBS), RING_SKIPPED, &ring->sq.fbc);
	return ring;
}

static inline void test_ring_poison(struct test_ring *ring)
{
	for (int i = 0; i < 2; i++)
		memset(ring->pages[i].buf, POISON, PAGE_SIZE);
}

/* What should stand in a ring, from where a request begins, once around. */
struct test_image {
	u8 bytes[RING_BYTES];
	u32 at;
};

/* Big-endian, with zeros before it if it's shorter. */
static inline void image_put(struct test_image *image, u64 value, u32 bytes)
{
	while (bytes--)
		image->bytes[image->at++] = bytes < sizeof(value) ? value >> (8 * bytes) : 0;
}

static inline void image_bytes(struct test_image *image, const void *from, u32 bytes)
{
	memcpy(image->bytes + image->at, from, bytes);
	image->at += bytes;
}

/* Is it there, and nothing else has been touched? */
static inline bool image_matches(const struct test_image *image, const struct test_ring *ring,
				 u32 first)
{
	const u8 *pages[] = { ring->pages[0].buf, ring->pages[1].buf };

	for (u32 i = 0; i < 2 * PAGE_SIZE; i++) {
		u32 begin = RING_SKIPPED * 64;
		u8 is = pages[i / PAGE_SIZE][i % PAGE_SIZE], should_be = POISON;

		if (i >= begin && i < begin + RING_BYTES)
			should_be = image->bytes[(i - begin - first * 64) % RING_BYTES];
		if (is != should_be)
			return false;
	}
	return true;
}

#endif
