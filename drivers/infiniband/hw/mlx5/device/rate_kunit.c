// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "../mlx5.h"

static void there_and_back(struct kunit *test)
{
	int number;

	for (u8 rate = IB_RATE_2_5_GBPS; rate < IB_RATE_800_GBPS; rate++) {
		number = mlx5_ib_rate_to_device(U32_MAX, rate);
		KUNIT_ASSERT_GT(test, number, 0);
		KUNIT_EXPECT_EQ(test, mlx5_ib_rate_from_device(number), rate);
	}
	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_from_device(0), IB_RATE_PORT_CURRENT);
}

/* No two rates have the same number. */
static void numbers_differ(struct kunit *test)
{
	u32 seen = 0;
	int number;

	for (u8 rate = IB_RATE_2_5_GBPS; rate < IB_RATE_800_GBPS; rate++) {
		number = mlx5_ib_rate_to_device(U32_MAX, rate);
		KUNIT_EXPECT_FALSE(test, seen & BIT(number));
		seen |= BIT(number);
	}
}

static void next_lower(struct kunit *test)
{
	u32 only_10 = BIT(mlx5_ib_rate_to_device(U32_MAX, IB_RATE_10_GBPS));

	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_to_device(only_10, IB_RATE_40_GBPS),
			mlx5_ib_rate_to_device(U32_MAX, IB_RATE_10_GBPS));
	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_to_device(only_10, IB_RATE_2_5_GBPS), 0);
	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_to_device(0, IB_RATE_100_GBPS), 0);
	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_to_device(U32_MAX, IB_RATE_PORT_CURRENT), 0);
}

static void no_such_rate(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_to_device(U32_MAX, 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_to_device(U32_MAX, IB_RATE_800_GBPS + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_rate_to_device(U32_MAX, U8_MAX), -EINVAL);
}

static struct kunit_case rate_cases[] = {
	KUNIT_CASE(there_and_back),
	KUNIT_CASE(numbers_differ),
	KUNIT_CASE(next_lower),
	KUNIT_CASE(no_such_rate),
	{}
};

static struct kunit_suite rate_suite = {
	.name = "mlx5-rate",
	.test_cases = rate_cases,
};

kunit_test_suite(rate_suite);
