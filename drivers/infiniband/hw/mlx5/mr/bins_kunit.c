// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "mr.h"

#define ATOMIC IB_ACCESS_REMOTE_ATOMIC
#define RELAXED IB_ACCESS_RELAXED_ORDERING

/* Each bin is where keys of its own kind are looked for, so no two are of one kind. */
static void each_its_kind(struct kunit *test)
{
	for (int bin = 0; bin < MLX5_IB_BINS; bin++) {
		struct mlx5_ib_bin_kind kind = mlx5_ib_bin_kind(bin);

		KUNIT_EXPECT_EQ(test, mlx5_ib_bin_of(&kind), bin);
	}
}

/* A key that's found has room enough, not too much, and else is what was wanted. */
static void enough_room(struct kunit *test)
{
	static const u32 modes[] = { MLX5_MKC_ACCESS_MODE_MTT, MLX5_MKC_ACCESS_MODE_KSM };
	static const u32 rights[] = { 0, ATOMIC, RELAXED, ATOMIC | RELAXED };

	for (u64 entries = 0; entries <= BIT_ULL(22); entries += entries / 3 + 1) {
		for (u32 i = 0; i < 8; i++) {
			const struct mlx5_ib_bin_kind wanted = {
				.access_mode = modes[i / 4],
				.access = rights[i % 4],
				.entries = entries,
			};
			int bin = mlx5_ib_bin_of(&wanted);
			struct mlx5_ib_bin_kind kind;

			KUNIT_ASSERT_GE(test, bin, 0);
			KUNIT_ASSERT_LT(test, bin, MLX5_IB_BINS);
			kind = mlx5_ib_bin_kind(bin);
			KUNIT_EXPECT_EQ(test, kind.access_mode, wanted.access_mode);
			KUNIT_EXPECT_EQ(test, kind.access, wanted.access);
			KUNIT_EXPECT_GE(test, kind.entries, entries);
			KUNIT_EXPECT_TRUE(test, kind.entries == 8 || kind.entries < 2 * entries);
		}
	}
}

static void none(struct kunit *test)
{
	static const struct mlx5_ib_bin_kind wanted[] = {
		{ .access_mode = MLX5_MKC_ACCESS_MODE_KLMS, .entries = 8 },
		{ .access_mode = MLX5_MKC_ACCESS_MODE_PA, .entries = 8 },
		{ .access_mode = MLX5_MKC_ACCESS_MODE_MTT, .entries = 8,
		  .access = IB_ACCESS_LOCAL_WRITE },
		{ .access_mode = MLX5_MKC_ACCESS_MODE_MTT, .entries = BIT_ULL(22) + 1 },
		{ .access_mode = MLX5_MKC_ACCESS_MODE_MTT, .entries = BIT_ULL(40) },
		{ .access_mode = MLX5_MKC_ACCESS_MODE_MTT, .entries = U64_MAX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		KUNIT_EXPECT_EQ(test, mlx5_ib_bin_of(&wanted[i]), -ENOENT);
}

/* What all bins may keep of the device's memory is bounded, whatever the keys' size. */
static void bounded(struct kunit *test)
{
	for (int bin = 0; bin < MLX5_IB_BINS; bin++) {
		u64 entries = mlx5_ib_bin_kind(bin).entries;
		u32 room = mlx5_ib_bin_room(bin);

		KUNIT_EXPECT_GE(test, room, 2U);
		KUNIT_EXPECT_LE(test, room, 256U);
		KUNIT_EXPECT_LE(test, room * entries, max(BIT_ULL(20), 2 * entries));
	}
}

/* Keys are made ahead as the profile says of the largest in the bin, or as it has room for. */
static void reserves(struct kunit *test)
{
	struct mlx5_profile profile = { .mask = MLX5_PROF_MASK_QP_SIZE };

	for (int i = 0; i < MAX_MKEY_CACHE_ENTRIES; i++)
		profile.mr_cache[i].limit = i == 5 ? 1000 : i == 6 ? -1 : i + 1;
	for (int bin = 0; bin < MLX5_IB_BINS; bin++)
		KUNIT_EXPECT_EQ(test, mlx5_ib_bin_reserve(bin, &profile), 0U);
	profile.mask |= MLX5_PROF_MASK_MR_CACHE;
	for (int bin = 0; bin < MLX5_IB_BINS; bin++) {
		struct mlx5_ib_bin_kind kind = mlx5_ib_bin_kind(bin);
		int entry = ilog2(kind.entries) - 2;
		u32 wanted = entry == 6 ? 0 : min(entry == 5 ? 1000 : entry + 1,
						  (int)mlx5_ib_bin_room(bin));

		if (kind.access_mode == MLX5_MKC_ACCESS_MODE_KSM)
			wanted = 0;
		KUNIT_EXPECT_EQ(test, mlx5_ib_bin_reserve(bin, &profile), wanted);
	}
}

/* Whatever nobody needs is gone after a while; what is needed stays. */
static void shrinking(struct kunit *test)
{
	u32 count = 256, rounds;

	for (rounds = 0; count; rounds++)
		count -= mlx5_ib_bin_surplus(count, count);
	KUNIT_EXPECT_EQ(test, rounds, 9U);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bin_surplus(100, 0), 0U);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bin_surplus(100, 10), 5U);
	KUNIT_EXPECT_EQ(test, mlx5_ib_bin_surplus(3, 10), 2U);
}

static struct kunit_case bins_cases[] = {
	KUNIT_CASE(each_its_kind),
	KUNIT_CASE(enough_room),
	KUNIT_CASE(none),
	KUNIT_CASE(bounded),
	KUNIT_CASE(reserves),
	KUNIT_CASE(shrinking),
	{}
};

static struct kunit_suite bins_suite = {
	.name = "mlx5-bins",
	.test_cases = bins_cases,
};

kunit_test_suite(bins_suite);
