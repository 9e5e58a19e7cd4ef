// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "device.h"

static void pattern_has_one_number(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, rdma_name_check_pattern("mlx5_%d"), 0);
	KUNIT_EXPECT_EQ(test, rdma_name_check_pattern("%d"), 0);
	KUNIT_EXPECT_EQ(test, rdma_name_check_pattern("a%db"), 0);
}

static void pattern_is_no_other_format(struct kunit *test)
{
	static const char *const bad[] = {
		"mlx5_0", "", "mlx5_%", "mlx5_%s", "mlx5_%u", "mlx5_%3d", "mlx5_%d%d",
		"%d_%n", "%s%d", "%%d", "%d%%",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, rdma_name_check_pattern(bad[i]), -EINVAL, "%s", bad[i]);
}

static void number_is_found(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, rdma_name_number("mlx5_%d", "mlx5_0"), 0);
	KUNIT_EXPECT_EQ(test, rdma_name_number("mlx5_%d", "mlx5_7"), 7);
	KUNIT_EXPECT_EQ(test, rdma_name_number("mlx5_%d", "mlx5_10"), 10);
	KUNIT_EXPECT_EQ(test, rdma_name_number("%d", "42"), 42);
	KUNIT_EXPECT_EQ(test, rdma_name_number("ib%dp", "ib3p"), 3);
	KUNIT_EXPECT_EQ(test, rdma_name_number("mlx5_%d", "mlx5_2147483646"), INT_MAX - 1);
}

static void other_names_are_not_in_the_way(struct kunit *test)
{
	static const char *const other[] = {
		"", "mlx5_", "mlx4_1", "mlx5_x", "mlx5_1x", "mlx5_1_2", "mlx5_07", "mlx5_00",
		"mlx5_+7", "mlx5_-7", "mlx5_ 7", "mlx5_0x7", "xmlx5_7", "mlx5_2147483647",
		"mlx5_4294967296", "mlx5_4294967303", "mlx5_99999999999999999999999999",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(other); i++)
		KUNIT_EXPECT_EQ_MSG(test, rdma_name_number("mlx5_%d", other[i]), -ENOENT, "%s",
				    other[i]);
	KUNIT_EXPECT_EQ(test, rdma_name_number("ib%dp", "ib3"), -ENOENT);
	KUNIT_EXPECT_EQ(test, rdma_name_number("ib%dp", "ib3pp"), -ENOENT);
}

/* What a number makes of the pattern is taken for that number, and for nothing else. */
static void round_trip(struct kunit *test)
{
	char name[IB_DEVICE_NAME_MAX];
	int number;

	for (number = 0; number < 2000; number++) {
		snprintf(name, sizeof(name), "rxe%d", number);
		KUNIT_EXPECT_EQ(test, rdma_name_number("rxe%d", name), number);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(pattern_has_one_number),
	KUNIT_CASE(pattern_is_no_other_format),
	KUNIT_CASE(number_is_found),
	KUNIT_CASE(other_names_are_not_in_the_way),
	KUNIT_CASE(round_trip),
	{}
};

static struct kunit_suite suite = {
	.name = "core_name",
	.test_cases = cases,
};

kunit_test_suite(suite);
