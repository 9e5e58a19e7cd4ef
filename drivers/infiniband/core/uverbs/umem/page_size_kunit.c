// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/prandom.h>

#include "umem.h"

#define MAX_ENTRIES	5

/* A region: @length bytes from @offset on in a table, at @iova for the device. */
struct region {
	struct scatterlist sgl[MAX_ENTRIES];
	struct sg_table table;
	size_t offset;
	size_t length;
	u64 iova;
};

static void set(struct region *region, unsigned int entry, u64 address, unsigned int length)
{
	sg_dma_address(&region->sgl[entry]) = address;
	sg_dma_len(&region->sgl[entry]) = length;
}

static void init(struct region *region, unsigned int entries)
{
	sg_init_table(region->sgl, MAX_ENTRIES);
	region->table = (struct sg_table) { .sgl = region->sgl, .nents = entries };
}

/* Where the region's n-th byte is in memory. */
static u64 byte_at(const struct region *region, size_t n)
{
	const struct scatterlist *sg = region->sgl;

	for (n += region->offset; n >= sg_dma_len(sg); sg++)
		n -= sg_dma_len(sg);
	return sg_dma_address(sg) + n;
}

/*
 * With pages of this size, is each byte as far from the start of its page here as there, and each
 * page in one place?
 */
static bool fits(const struct region *region, u64 size)
{
	u64 previous = 0;
	size_t n;

	for (n = 0; n < region->length; n++) {
		u64 address = byte_at(region, n), iova = region->iova + n;

		if (address % size != iova % size)
			return false;
		if (n && iova % size && address != previous + 1)
			return false;
		previous = address;
	}
	return true;
}

static bool is_one_page(const struct region *region, u64 size)
{
	return region->iova / size == (region->iova + region->length - 1) / size;
}

/* The largest size that fits, none larger than what has all in one page. */
static unsigned long slow_page_size(const struct region *region, unsigned long sizes)
{
	unsigned long best = 0;
	unsigned int bit;

	for_each_set_bit(bit, &sizes, BITS_PER_LONG) {
		if (!fits(region, BIT_ULL(bit)))
			continue;
		best = BIT(bit);
		if (is_one_page(region, best))
			break;
	}
	return best;
}

static unsigned long best_size(const struct region *region, unsigned long sizes)
{
	return umem_page_size(&region->table, region->offset, region->length, region->iova, sizes);
}

static u32 below(struct rnd_state *rnd, u32 bound)
{
	return prandom_u32_state(rnd) % bound;
}

/* Neighbours, and addresses of all alignments: what a random number alone never is. */
static void make_region(struct region *region, struct rnd_state *rnd)
{
	unsigned int entries = 1 + below(rnd, MAX_ENTRIES);
	unsigned int align = 1 << below(rnd, 8);
	unsigned int i, length, total = 0;
	u64 address = 0;

	init(region, entries);
	for (i = 0; i < entries; i++) {
		if (!i || below(rnd, 2))
			address = (u64)(1 + below(rnd, 64)) * align;
		length = (1 + below(rnd, 3)) * (below(rnd, 4) ? min(align, 64U) : 1);
		set(region, i, address, length);
		address += length;
		total += length;
	}

	/* It starts in the first entry and ends in the last. */
	region->offset = below(rnd, sg_dma_len(&region->sgl[0]));
	region->length = total - region->offset;
	region->length -= below(rnd, min_t(u32, region->length, length));
	region->iova = (u64)below(rnd, 64) * align;
	region->iova += below(rnd, 4) ? sg_dma_address(&region->sgl[0]) + region->offset :
			below(rnd, 64);
}

static void random_regions(struct kunit *test)
{
	struct region *region = kunit_kzalloc(test, sizeof(*region), GFP_KERNEL);
	unsigned long found[16] = {};
	struct rnd_state rnd;
	unsigned long sizes, got;
	int round;

	KUNIT_ASSERT_NOT_NULL(test, region);
	prandom_seed_state(&rnd, 1);
	for (round = 0; round < 50000; round++) {
		make_region(region, &rnd);
		sizes = below(&rnd, 2) ? 0xfffe : prandom_u32_state(&rnd) & 0xfffe;
		got = best_size(region, sizes);
		KUNIT_ASSERT_EQ_MSG(test, got, slow_page_size(region, sizes), "round %d", round);
		found[got ? __ffs(got) : 0]++;
	}
	/* Otherwise the regions are all alike. */
	for (round = 0; round < 10; round++)
		KUNIT_EXPECT_GT_MSG(test, found[round], 50, "size %lu", BIT(round));
}

static void empty_or_wrapping(struct kunit *test)
{
	struct region region = { .length = 0x1000, .iova = -0x1000ULL };

	init(&region, 1);
	set(&region, 0, 0x10000, 0x1000);
	KUNIT_EXPECT_EQ(test, best_size(&region, 0x1000), 0x1000);
	region.iova++;
	KUNIT_EXPECT_EQ(test, best_size(&region, ~0UL), 0);
	region.iova = 0;
	region.length = 0;
	KUNIT_EXPECT_EQ(test, best_size(&region, ~0UL), 0);
	region.length = 0x1000;
	KUNIT_EXPECT_EQ(test, best_size(&region, 0), 0);
}

/* Entries that follow each other count as one, and bits above 32 as all others. */
static void huge(struct kunit *test)
{
	struct region region = { .length = SZ_2G, .iova = 3ULL << 40 };

	init(&region, 2);
	set(&region, 0, 5ULL << 40, SZ_1G);
	set(&region, 1, (5ULL << 40) + SZ_1G, SZ_1G);
	KUNIT_EXPECT_EQ(test, best_size(&region, SZ_4K | SZ_2M | SZ_1G), SZ_1G);
	KUNIT_EXPECT_EQ(test, best_size(&region, SZ_4K | BIT(31) | BIT(32) | BIT(33)), BIT(31));
	KUNIT_EXPECT_EQ(test, best_size(&region, BIT(40) | BIT(63)), BIT(40));
	KUNIT_EXPECT_EQ(test, best_size(&region, BIT(63)), 0);

	set(&region, 1, (7ULL << 40) + SZ_2M, SZ_1G);
	KUNIT_EXPECT_EQ(test, best_size(&region, SZ_4K | SZ_2M | SZ_1G), SZ_2M);
	set(&region, 1, (7ULL << 40) + SZ_4K, SZ_1G);
	KUNIT_EXPECT_EQ(test, best_size(&region, SZ_4K | SZ_2M | SZ_1G), SZ_4K);

	/* The device's last byte is the last that there is. */
	region.iova = -(u64)SZ_2G;
	set(&region, 1, (5ULL << 40) + SZ_1G, SZ_1G);
	KUNIT_EXPECT_EQ(test, best_size(&region, SZ_4K | BIT(31)), BIT(31));
}

static struct kunit_case page_size_cases[] = {
	KUNIT_CASE(random_regions),
	KUNIT_CASE(empty_or_wrapping),
	KUNIT_CASE(huge),
	{}
};

static struct kunit_suite page_size_suite = {
	.name = "umem_page_size",
	.test_cases = page_size_cases,
};

kunit_test_suites(&page_size_suite);
