// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/prandom.h>
#include <rdma/iter.h>

#define NR_ENTRIES	6
#define MAX_BLOCKS	64

static struct scatterlist sgl[NR_ENTRIES];

/* The address of the n-th byte of the list. False behind its end. */
static bool byte_at(unsigned int nents, u64 n, u64 *addr)
{
	unsigned int i;

	for (i = 0; i < nents; i++) {
		if (n < sg_dma_len(&sgl[i])) {
			*addr = sg_dma_address(&sgl[i]) + n;
			return true;
		}
		n -= sg_dma_len(&sgl[i]);
	}
	return false;
}

/* Each block is where its first byte is; the next begins as many bytes on as it has left there. */
static int slow_blocks(unsigned int nents, u64 size, u64 *blocks)
{
	u64 addr, n = 0;
	int nr = 0;

	while (byte_at(nents, n, &addr)) {
		blocks[nr++] = addr / size * size;
		do
			n++, addr++;
		while (addr % size);
	}
	return nr;
}

static void set(int i, u64 addr, unsigned int len)
{
	sg_dma_address(&sgl[i]) = addr;
	sg_dma_len(&sgl[i]) = len;
}

static void check(struct kunit *test, unsigned int nents, u64 size)
{
	u64 blocks[MAX_BLOCKS] = {};
	struct ib_block_iter biter;
	int nr, i = 0;

	nr = slow_blocks(nents, size, blocks);
	rdma_for_each_block(sgl, &biter, nents, size) {
		KUNIT_ASSERT_LT(test, i, nr);
		KUNIT_ASSERT_EQ(test, (u64)rdma_block_iter_dma_address(&biter), blocks[i]);
		i++;
	}
	KUNIT_EXPECT_EQ(test, i, nr);
}

static void random_lists(struct kunit *test)
{
	unsigned int nents, i, len;
	struct rnd_state rnd;
	u64 addr = 0;
	int round;

	prandom_seed_state(&rnd, 1);
	for (round = 0; round < 20000; round++) {
		sg_init_table(sgl, NR_ENTRIES);
		nents = prandom_u32_state(&rnd) % (NR_ENTRIES + 1);
		for (i = 0; i < nents; i++) {
			if (prandom_u32_state(&rnd) % 2)
				addr = prandom_u32_state(&rnd) % 4096;
			len = 1 + prandom_u32_state(&rnd) % 100;
			set(i, addr, len);
			addr += len;
		}
		check(test, nents, 1UL << (4 + prandom_u32_state(&rnd) % 5));
	}
}

/* A list of pages that follow each other is one of big blocks. */
static void blocks_over_entries(struct kunit *test)
{
	struct ib_block_iter biter;
	int i, nr = 0;

	sg_init_table(sgl, NR_ENTRIES);
	for (i = 0; i < NR_ENTRIES; i++)
		set(i, 0x7000 + i * 0x1000, 0x1000);
	rdma_for_each_block(sgl, &biter, NR_ENTRIES, 0x4000) {
		KUNIT_EXPECT_EQ(test, rdma_block_iter_dma_address(&biter),
				(dma_addr_t)(0x4000 + nr * 0x4000));
		nr++;
	}
	KUNIT_EXPECT_EQ(test, nr, 3);
}

static void huge(struct kunit *test)
{
	sg_init_table(sgl, NR_ENTRIES);
	set(0, 0xffffffff00000000ULL, 0xffffffffU);
	check(test, 1, 1ULL << 30);
	set(0, 0xfffffffe80000000ULL, 0x80000000U);
	set(1, 0xffffffff00000000ULL, 0x80000000U);
	check(test, 2, 1ULL << 32);
}

static struct kunit_case block_iter_cases[] = {
	KUNIT_CASE(random_lists),
	KUNIT_CASE(blocks_over_entries),
	KUNIT_CASE(huge),
	{}
};

static struct kunit_suite block_iter_suite = {
	.name = "verbs_block_iter",
	.test_cases = block_iter_cases,
};

kunit_test_suites(&block_iter_suite);
