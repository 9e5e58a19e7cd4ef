// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "mr.h"

#define ENTRIES 6
#define LKEY 0x12345678

/* Odd addresses and lengths: nothing falls into pages. */
static u64 address_of(int entry)
{
	return 0x100000001ULL * (entry + 1) + 7;
}

static u32 length_of(int entry)
{
	return 1 + entry * 4099;
}

static void make_up(struct scatterlist *sgl)
{
	sg_init_table(sgl, ENTRIES);
	for (int i = 0; i < ENTRIES; i++) {
		sg_dma_address(&sgl[i]) = address_of(i);
		sg_dma_len(&sgl[i]) = length_of(i);
	}
}

/* Any part of a list, from any byte of its first entry on, with any room. */
static void lists(struct kunit *test)
{
	struct mlx5_klm list[ENTRIES + 1];
	struct scatterlist sgl[ENTRIES];
	u64 length, sum;

	make_up(sgl);
	for (u32 max = 1; max <= ENTRIES; max++) {
		for (int from = 0; from < ENTRIES; from++) {
			int nents = ENTRIES - from;
			u32 skip = length_of(from) / 2, n;

			memset(list, 0xa5, sizeof(list));
			n = mlx5_ib_klm_list(list, max, &sgl[from], nents, skip, LKEY, &length);
			KUNIT_ASSERT_EQ(test, n, min_t(u32, max, nents));
			sum = 0;
			for (u32 i = 0; i < n; i++) {
				u32 left_out = i ? 0 : skip;

				KUNIT_EXPECT_EQ(test, be64_to_cpu(list[i].va),
						address_of(from + i) + left_out);
				KUNIT_EXPECT_EQ(test, be32_to_cpu(list[i].bcount),
						length_of(from + i) - left_out);
				KUNIT_EXPECT_EQ(test, be32_to_cpu(list[i].key), (u32)LKEY);
				sum += length_of(from + i) - left_out;
			}
			KUNIT_EXPECT_EQ(test, length, sum);
			KUNIT_EXPECT_EQ(test, be32_to_cpu(list[n].key), 0xa5a5a5a5U);
		}
	}
}

static struct kunit_case klm_cases[] = {
	KUNIT_CASE(lists),
	{}
};

static struct kunit_suite klm_suite = {
	.name = "mlx5-klm-list",
	.test_cases = klm_cases,
};

kunit_test_suite(klm_suite);
