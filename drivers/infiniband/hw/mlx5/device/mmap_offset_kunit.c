// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "device.h"

/* As libmlx5 puts them together. */
static void from_library(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, mlx5_ib_mmap_command(5 << 8), 5);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mmap_command(0x07 << 16 | 6 << 8 | 0xab), 6);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mmap_index(0x07 << 16 | 6 << 8 | 0xab), 0xab);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mmap_long_index(0x07 << 16 | 6 << 8 | 0xab), 0x7ab);
	KUNIT_EXPECT_EQ(test, mlx5_ib_mmap_entry_number(0x07 << 16 | 9 << 8 | 0xab), 0x907ab);
}

static void there_and_back(struct kunit *test)
{
	unsigned long number;
	u64 offset;

	for (unsigned long command = MLX5_IB_MMAP_ENTRY; command <= 0xff; command++) {
		for (unsigned long index = 0; index <= 0xffff; index += 0x7f) {
			number = command << 16 | index;
			offset = mlx5_ib_mmap_entry_offset(number);
			KUNIT_ASSERT_EQ(test, offset % PAGE_SIZE, 0);
			KUNIT_ASSERT_EQ(test, mlx5_ib_mmap_entry_number(offset >> PAGE_SHIFT),
					number);
			KUNIT_ASSERT_EQ(test, mlx5_ib_mmap_command(offset >> PAGE_SHIFT), command);
		}
	}
}

static struct kunit_case mmap_cases[] = {
	KUNIT_CASE(from_library),
	KUNIT_CASE(there_and_back),
	{}
};

static struct kunit_suite mmap_suite = {
	.name = "mlx5-mmap-offset",
	.test_cases = mmap_cases,
};

kunit_test_suite(mmap_suite);
