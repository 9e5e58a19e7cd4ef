// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Page lists against a byte by byte reference: random scatter lists are looked at through the list
 * that the device would get.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include "mr.h"

#define ENTRIES 5
#define SEED 20261130
#define ROUNDS 400
#define PAGES_MAX 128

/* Memory as a mapped list describes it; the region is all but some bytes at its begin and end. */
struct memory {
	struct scatterlist sgl[ENTRIES];
	u32 skip;
	u32 length;
};

static u64 byte_at(const struct memory *memory, u64 n)
{
	const struct scatterlist *sg = memory->sgl;

	for (n += memory->skip; n >= sg_dma_len(sg); sg++)
		n -= sg_dma_len(sg);
	return sg_dma_address(sg) + n;
}

static void set(struct memory *memory, u32 entry, u64 address, u32 length)
{
	sg_dma_address(&memory->sgl[entry]) = address;
	sg_dma_len(&memory->sgl[entry]) = length;
}

/* Pieces of whole blocks, but the first may begin and the last may end inside of one, at a page. */
static void make_up(struct memory *memory, u64 block, struct rnd_state *rnd)
{
	u32 total = 0, cut = prandom_u32_state(rnd) % block & PAGE_MASK;

	sg_init_table(memory->sgl, ENTRIES);
	for (u32 i = 0; i < ENTRIES; i++) {
		u64 address = (1 + (u64)prandom_u32_state(rnd) % 10000) * block;
		u32 length = (1 + prandom_u32_state(rnd) % 4) * block;

		if (!i) {
			address += cut;
			length -= cut;
		}
		if (i == ENTRIES - 1)
			length -= prandom_u32_state(rnd) % block & PAGE_MASK;
		set(memory, i, address, length);
		total += length;
	}
	/* More than a block, if the CPU's pages are larger than the device's. */
	memory->skip = prandom_u32_state(rnd) % sg_dma_len(&memory->sgl[0]);
	memory->length = total - memory->skip - prandom_u32_state(rnd) % PAGE_SIZE;
}

/* Byte n of a region through its page list, as the device finds it. */
static u64 through(const __be64 *list, u64 first_offset, u64 block, u64 n)
{
	u64 at = first_offset + n;

	return (be64_to_cpu(list[at / block]) & ~3ULL) + at % block;
}

static void check(struct kunit *test, const struct memory *memory, u64 block, const __be64 *list,
		  u32 count, u64 flags)
{
	u64 offset = byte_at(memory, 0) & (block - 1);

	KUNIT_ASSERT_EQ(test, count, DIV_ROUND_UP(offset + memory->length, block));
	for (u32 i = 0; i < count; i++)
		KUNIT_EXPECT_EQ(test, be64_to_cpu(list[i]) & (block - 1), flags);
	/* Not each byte, but all at begin and end of a page are among them. */
	for (u64 n = 0; n < memory->length; n += n % 509 ? 1 : 509)
		KUNIT_ASSERT_EQ(test, through(list, offset, block, n), byte_at(memory, n));
	KUNIT_EXPECT_EQ(test, through(list, offset, block, memory->length - 1),
			byte_at(memory, memory->length - 1));
}

static void page_lists(struct kunit *test)
{
	__be64 *list = kunit_kcalloc(test, PAGES_MAX, sizeof(*list), GFP_KERNEL);
	struct mlx5_ib_blocks blocks;
	struct memory memory;
	struct rnd_state rnd;

	KUNIT_ASSERT_NOT_NULL(test, list);
	prandom_seed_state(&rnd, SEED);
	for (u32 round = 0; round < ROUNDS; round++) {
		u64 block = PAGE_SIZE << round % 4, flags = round % 3;
		u32 count, first;

		make_up(&memory, block, &rnd);
		count = DIV_ROUND_UP((byte_at(&memory, 0) & (block - 1)) + memory.length, block);
		KUNIT_ASSERT_LE(test, count, (u32)PAGES_MAX);
		/* In two pieces, as long lists are. */
		first = prandom_u32_state(&rnd) % (count + 1);
		mlx5_ib_blocks_start(&blocks, memory.sgl, memory.skip, block);
		mlx5_ib_blocks_put(&blocks, list, first, flags);
		mlx5_ib_blocks_put(&blocks, list + first, count - first, flags);
		check(test, &memory, block, list, count, flags);
	}
}

/* More than there is: zeros, and nothing beyond what was asked for. */
static void too_many(struct kunit *test)
{
	struct mlx5_ib_blocks blocks;
	struct memory memory = {};
	__be64 list[8];

	memset(list, 0xff, sizeof(list));
	sg_init_table(memory.sgl, 2);
	set(&memory, 0, 0x10000, 0x2000);
	set(&memory, 1, 0x50000, 0x1000);
	mlx5_ib_blocks_start(&blocks, memory.sgl, 0, 0x1000);
	mlx5_ib_blocks_put(&blocks, list, 5, 0);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(list[0]), 0x10000ULL);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(list[1]), 0x11000ULL);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(list[2]), 0x50000ULL);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(list[3]), 0ULL);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(list[4]), 0ULL);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(list[5]), U64_MAX);
	mlx5_ib_blocks_put(&blocks, list, 1, 3);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(list[0]), 0ULL);
}

static void sizes(struct kunit *test)
{
	/* A queue's field of 5 bits, of which 0 is 4 KiB; a key's of 5, and of 6. */
	KUNIT_EXPECT_EQ(test, mlx5_ib_page_sizes(5, 12), GENMASK(43, 12));
	KUNIT_EXPECT_EQ(test, mlx5_ib_page_sizes(5, 0), GENMASK(31, 12));
	KUNIT_EXPECT_EQ(test, mlx5_ib_page_sizes(6, 0), GENMASK(63, 12));
	KUNIT_EXPECT_EQ(test, mlx5_ib_page_sizes(6, 12), GENMASK(63, 12));
}

/* The largest size at or below @size whose 64th parts tell the offset in the bits there are. */
static unsigned long quantize(unsigned long sizes, unsigned long size, u64 address,
			      unsigned int bits, unsigned int *offset)
{
	for (; size >= 64; size /= 2) {
		for (*offset = 0; *offset < 1U << bits; (*offset)++)
			if ((size & sizes) && address % size == size / 64 * *offset)
				return size;
	}
	return 0;
}

static void quantized(struct kunit *test)
{
	unsigned long sizes = mlx5_ib_page_sizes(5, 12);
	struct rnd_state rnd;

	prandom_seed_state(&rnd, SEED);
	for (u32 round = 0; round < 20000; round++) {
		u64 address = (u64)prandom_u32_state(&rnd) << round % 12;
		unsigned long size = 1UL << (12 + prandom_u32_state(&rnd) % 12);
		unsigned int bits = round % 7, ours = 0, reference = 0;
		unsigned long found = mlx5_ib_quantize(sizes, size, address, bits, &ours);

		KUNIT_ASSERT_EQ(test, found, quantize(sizes, size, address, bits, &reference));
		if (found)
			KUNIT_ASSERT_EQ(test, ours, reference);
	}
	KUNIT_EXPECT_EQ(test, mlx5_ib_quantize(sizes, 0, 0, 6, &(unsigned int){ 0 }), 0UL);
}

static struct kunit_case blocks_cases[] = {
	KUNIT_CASE(page_lists),
	KUNIT_CASE(too_many),
	KUNIT_CASE(sizes),
	KUNIT_CASE(quantized),
	{}
};

static struct kunit_suite blocks_suite = {
	.name = "mlx5-blocks",
	.test_cases = blocks_cases,
};

kunit_test_suite(blocks_suite);
