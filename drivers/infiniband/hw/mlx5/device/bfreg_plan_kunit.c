// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "device.h"

static void sizes(struct kunit *test)
{
	struct mlx5_ib_bfreg_plan plan;

	for (u32 total = 1; total <= MLX5_MAX_BFREGS; total++) {
		for (u32 uars = 1; uars <= 16; uars *= 16) {
			KUNIT_ASSERT_EQ(test, mlx5_ib_bfreg_plan(&plan, total, 0, uars), 0);
			KUNIT_EXPECT_GE(test, plan.at_open, total);
			KUNIT_EXPECT_LT(test, plan.at_open - total, 2 * uars);
			KUNIT_EXPECT_EQ(test, plan.at_open % plan.per_page, 0);
			KUNIT_EXPECT_EQ(test, plan.later % plan.per_page, 0);
			KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_pages(&plan) * plan.per_page,
					plan.at_open + plan.later);
		}
	}
}

static void refused(struct kunit *test)
{
	struct mlx5_ib_bfreg_plan plan;

	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_plan(&plan, 0, 0, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_plan(&plan, MLX5_MAX_BFREGS + 2, 0, 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_plan(&plan, U32_MAX, 0, 1), -ENOMEM);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_plan(&plan, 16, 16, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_plan(&plan, 16, U32_MAX, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_plan(&plan, 16, 15, 1), 0);
}

/* libmlx5's numbers: 16 doorbells, 4 of them for one queue each. */
static void queues(struct kunit *test)
{
	struct mlx5_ib_bfreg_plan plan = { .classes = true };
	u32 users[16] = {}, bfregn;

	KUNIT_ASSERT_EQ(test, mlx5_ib_bfreg_plan(&plan, 16, 4, 1), 0);
	for (u32 i = 12; i < 16; i++) {
		bfregn = mlx5_ib_bfreg_choose(&plan, users);
		KUNIT_EXPECT_EQ(test, bfregn, i);
		users[bfregn]++;
	}
	for (u32 i = 0; i < 100 * 11; i++)
		users[mlx5_ib_bfreg_choose(&plan, users)]++;
	KUNIT_EXPECT_EQ(test, users[0], 0);
	for (u32 i = 1; i < 12; i++)
		KUNIT_EXPECT_EQ(test, users[i], 100);
	users[14] = 0;
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_choose(&plan, users), 14);
}

static void no_shared_ones(struct kunit *test)
{
	struct mlx5_ib_bfreg_plan plan = { .classes = true };
	u32 users[2] = {};

	KUNIT_ASSERT_EQ(test, mlx5_ib_bfreg_plan(&plan, 2, 1, 1), 0);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_choose(&plan, users), 1);
	users[1] = 1;
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_choose(&plan, users), 0);
	plan.classes = false;
	users[1] = 0;
	KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_choose(&plan, users), 0);
}

static void library_index(struct kunit *test)
{
	static const u32 expected[] = { 0, 1, 4, 5, 8, 9 };

	for (u32 i = 0; i < ARRAY_SIZE(expected); i++)
		KUNIT_EXPECT_EQ(test, mlx5_ib_bfreg_library_index(i), expected[i]);
}

static struct kunit_case bfreg_cases[] = {
	KUNIT_CASE(sizes),
	KUNIT_CASE(refused),
	KUNIT_CASE(queues),
	KUNIT_CASE(no_shared_ones),
	KUNIT_CASE(library_index),
	{}
};

static struct kunit_suite bfreg_suite = {
	.name = "mlx5-bfreg",
	.test_cases = bfreg_cases,
};

kunit_test_suite(bfreg_suite);
