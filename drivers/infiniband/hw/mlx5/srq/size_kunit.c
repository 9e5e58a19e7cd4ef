// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include <linux/log2.h>
#include "srq.h"

static void room_for_all(struct kunit *test)
{
	struct mlx5_ib_srq_size size;
	struct ib_srq_attr attr = {};

	for (attr.max_wr = 0; attr.max_wr < 1024; attr.max_wr += 7) {
		for (attr.max_sge = 0; attr.max_sge <= 32; attr.max_sge++) {
			KUNIT_ASSERT_EQ(test, mlx5_ib_srq_size(1024, 512, &attr, &size), 0);
			KUNIT_EXPECT_TRUE(test, is_power_of_2(size.count));
			KUNIT_EXPECT_GT(test, size.count, attr.max_wr);
			KUNIT_EXPECT_LE(test, size.count / 2, attr.max_wr);
			KUNIT_EXPECT_GE(test, size.room, attr.max_sge);
			KUNIT_EXPECT_EQ(test, 16 + size.room * 16, 1U << size.shift);
			KUNIT_EXPECT_EQ(test, size.bytes, (size_t)size.count << size.shift);
		}
	}
}

static void too_much(struct kunit *test)
{
	static const struct ib_srq_attr refused[] = {
		{ .max_wr = 1024, .max_sge = 1 },
		{ .max_wr = U32_MAX, .max_sge = 1 },
		{ .max_wr = 1, .max_sge = 33 },
		{ .max_wr = 1, .max_sge = U32_MAX },
		{ .max_wr = 1, .max_sge = 1U << 28 },
	};
	struct mlx5_ib_srq_size size;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		KUNIT_EXPECT_EQ(test, mlx5_ib_srq_size(1024, 512, &refused[i], &size), -EINVAL);
}

static struct kunit_case size_cases[] = {
	KUNIT_CASE(room_for_all),
	KUNIT_CASE(too_much),
	{}
};

static struct kunit_suite size_suite = {
	.name = "mlx5-srq-size",
	.test_cases = size_cases,
};

kunit_test_suite(size_suite);
