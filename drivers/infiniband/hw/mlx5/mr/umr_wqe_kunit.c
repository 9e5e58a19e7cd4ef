// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Work requests that change keys, as bytes: offsets and bits are those of the device's manual, not
 * of the structures that the code uses.
 */
#include <kunit/test.h>
#include <linux/unaligned.h>
#include "mr.h"

#define FLAGS 0
#define OCTWORDS 4
#define OFFSET_LOW 6
#define MASK 8
#define OFFSET_HIGH 16
#define CONTEXT 48
#define DATA 112

static const u8 *bytes_of(const struct mlx5_ib_umr_wqe *wqe)
{
	return (const u8 *)wqe;
}

static void layout(struct kunit *test)
{
	struct mlx5_ib_umr_wqe wqe = {};

	KUNIT_EXPECT_EQ(test, sizeof(wqe), (size_t)DATA + 64);
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_length(&wqe), (size_t)DATA + 16);
	wqe.umr.mkey_mask = cpu_to_be64(1);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(bytes_of(&wqe) + MASK), 1ULL);
}

/* Any offset that 48 bits of octwords can tell. */
static void list_at(struct kunit *test, u64 offset, bool whole, u32 length)
{
	struct mlx5_ib_umr_wqe wqe = {};
	const u8 *bytes = bytes_of(&wqe);
	u64 told;

	mlx5_ib_umr_put_list(&wqe, offset, whole, length);
	told = (u64)get_unaligned_be32(bytes + OFFSET_HIGH) << 16 |
	       get_unaligned_be16(bytes + OFFSET_LOW);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(bytes + OCTWORDS) * 16U, length);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(bytes + DATA), length);
	KUNIT_EXPECT_EQ(test, told * 16, offset);
	/* Where nothing is said of the offset, the list is all there is. */
	KUNIT_EXPECT_EQ(test, bytes[FLAGS], whole && !offset ? 0 : 0x10);
}

static void lists(struct kunit *test)
{
	for (u64 offset = 0; offset < BIT_ULL(45); offset = offset * 3 + 64) {
		list_at(test, offset, false, 64);
		list_at(test, offset, true, 64);
		list_at(test, offset, true, 512 * 1024);
	}
}

/* Entries in the request itself: the list is all there is, and nothing is said of an offset. */
static void inlined(struct kunit *test)
{
	for (u32 length = 0; length <= 64; length += 64) {
		struct mlx5_ib_umr_wqe wqe = {};
		const u8 *bytes = bytes_of(&wqe);

		mlx5_ib_umr_put_inline(&wqe, length);
		KUNIT_EXPECT_EQ(test, bytes[FLAGS], 0x80);
		KUNIT_EXPECT_EQ(test, get_unaligned_be16(bytes + OCTWORDS) * 16U, length);
		KUNIT_EXPECT_EQ(test, mlx5_ib_umr_length(&wqe), (size_t)DATA + length);
		KUNIT_EXPECT_PTR_EQ(test, (const u8 *)wqe.list, bytes + DATA);
	}
}

#define BITS(...) bits((const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

static u64 bits(const u8 *numbers, size_t count)
{
	u64 mask = 0;

	for (size_t i = 0; i < count; i++)
		mask |= BIT_ULL(numbers[i]);
	return mask;
}

static void masks(struct kunit *test)
{
	static const struct mlx5_ib_umr_caps old = {};
	static const struct mlx5_ib_umr_caps new = {
		.atomic = true, .relaxed_write = true, .relaxed_read = true, .huge_pages = true,
	};

	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(0, &new), 0ULL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_FREE, &new), BITS(29));
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_VARIANT, &new), BITS(13));
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_PD, &new), BITS(7));
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_ACCESS, &old), BITS(17, 18, 19, 20));
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_ACCESS, &new),
			BITS(17, 18, 19, 20, 21, 25, 47));
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_RANGE, &old), BITS(0, 1, 6));
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_RANGE, &new), BITS(0, 1, 6, 42));
	KUNIT_EXPECT_EQ(test, mlx5_ib_umr_mask(MLX5_IB_UMR_FREE | MLX5_IB_UMR_PD, &old),
			BITS(7, 29));
}

/* A key's context, bit by bit. */
static bool bit(const u8 *context, int n)
{
	return context[n / 8] & 0x80 >> n % 8;
}

static void contexts(struct kunit *test)
{
	static const struct { u32 access; int bit; } rights[] = {
		{ IB_ACCESS_REMOTE_ATOMIC, 17 }, { IB_ACCESS_REMOTE_WRITE, 18 },
		{ IB_ACCESS_REMOTE_READ, 19 }, { IB_ACCESS_LOCAL_WRITE, 20 },
	};
	struct mlx5_ib_mkc values = {
		.pdn = 0xabcdef,
		.variant = 0x5a,
		.iova = 0x123456789abcdef0ULL,
		.length = 0xfedcba9876543210ULL,
		.page_shift = 33,
	};

	for (u32 granted = 0; granted < BIT(ARRAY_SIZE(rights)); granted++) {
		struct mlx5_ib_umr_wqe wqe = {};
		const u8 *context = bytes_of(&wqe) + CONTEXT;

		values.access = 0;
		for (u32 i = 0; i < ARRAY_SIZE(rights); i++)
			values.access |= granted & BIT(i) ? rights[i].access : 0;
		values.free = granted & 1;
		values.whole = granted & 2;
		values.relaxed.write = granted & 4;
		values.relaxed.read = granted & 8;
		mlx5_ib_mkc_put(wqe.mkc, &values);
		for (u32 i = 0; i < ARRAY_SIZE(rights); i++)
			KUNIT_EXPECT_EQ(test, bit(context, rights[i].bit), !!(granted & BIT(i)));
		KUNIT_EXPECT_EQ(test, bit(context, 1), values.free);
		KUNIT_EXPECT_EQ(test, bit(context, 13), values.relaxed.write);
		KUNIT_EXPECT_TRUE(test, bit(context, 21)); /* local read */
		KUNIT_EXPECT_EQ(test, bit(context, 96), values.whole);
		KUNIT_EXPECT_EQ(test, bit(context, 473), values.relaxed.read);
		KUNIT_EXPECT_EQ(test, get_unaligned_be32(context + 4), 0xffffff5aU);
		KUNIT_EXPECT_EQ(test, get_unaligned_be24(context + 13), 0xabcdefU);
		KUNIT_EXPECT_EQ(test, get_unaligned_be64(context + 16), values.iova);
		KUNIT_EXPECT_EQ(test, get_unaligned_be64(context + 24), values.length);
		KUNIT_EXPECT_EQ(test, context[59] & 0x3f, 33);
	}
}

static void translations(struct kunit *test)
{
	static const struct { u32 mode; u64 entries; u32 octwords; } cases[] = {
		{ MLX5_MKC_ACCESS_MODE_MTT, 1, 4 }, { MLX5_MKC_ACCESS_MODE_MTT, 8, 4 },
		{ MLX5_MKC_ACCESS_MODE_MTT, 9, 8 }, { MLX5_MKC_ACCESS_MODE_MTT, 1 << 22, 1 << 21 },
		{ MLX5_MKC_ACCESS_MODE_KLMS, 1, 4 }, { MLX5_MKC_ACCESS_MODE_KLMS, 5, 8 },
		{ MLX5_MKC_ACCESS_MODE_KSM, 4, 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		u32 context[MLX5_ST_SZ_DW(mkc)] = {};
		const u8 *bytes = (const u8 *)context;

		mlx5_ib_mkc_put_list(context, cases[i].mode, cases[i].entries);
		KUNIT_EXPECT_EQ(test, get_unaligned_be32(bytes + 52), cases[i].octwords);
		KUNIT_EXPECT_EQ(test, (u32)bit(bytes, 22) << 1 | bit(bytes, 23), cases[i].mode);
		KUNIT_EXPECT_TRUE(test, bit(bytes, 16)); /* work requests may change it */
	}
}

static struct kunit_case umr_cases[] = {
	KUNIT_CASE(layout),
	KUNIT_CASE(lists),
	KUNIT_CASE(inlined),
	KUNIT_CASE(masks),
	KUNIT_CASE(contexts),
	KUNIT_CASE(translations),
	{}
};

static struct kunit_suite umr_suite = {
	.name = "mlx5-umr-wqe",
	.test_cases = umr_cases,
};

kunit_test_suite(umr_suite);
