// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <linux/mm.h>
#include "ring_kunit.h"

#define MOST_ENTRIES 20
#define MOST_INLINE 828

static void fill_list(struct ib_sge *list, u32 count, u32 empty)
{
	for (u32 i = 0; i < count; i++)
		list[i] = (struct ib_sge) {
			.addr = 0x1122334455667788 + i * 0x10001,
			.length = empty >> i & 1 ? 0 : S32_MAX - i,
			.lkey = 0xfedc0000 | i,
		};
}

static void expect_list(struct test_image *image, const struct ib_sge *list, u32 count)
{
	for (u32 i = 0; i < count; i++) {
		if (!list[i].length)
			continue;
		image_put(image, list[i].length, 4);
		image_put(image, list[i].lkey, 4);
		image_put(image, list[i].addr, 8);
	}
}

static struct mlx5_ib_wqe begin(struct test_ring *ring, struct test_image *image, u32 place,
				u32 bytes)
{
	struct mlx5_ib_wqe wqe;

	test_ring_poison(ring);
	memset(image->bytes, POISON, RING_BYTES);
	image->at = bytes;
	wqe = (struct mlx5_ib_wqe) { .sq = &ring->sq, .first = place, .bytes = bytes };
	wqe.next = mlx5_ib_wqe_at(&wqe, bytes);
	return wqe;
}

static void lists(struct kunit *test)
{
	struct test_image *image = kunit_kzalloc(test, sizeof(*image), GFP_KERNEL);
	struct test_ring *ring = test_ring_new(test);
	struct ib_sge list[MOST_ENTRIES];
	struct mlx5_ib_wqe wqe;
	u32 place;

	KUNIT_ASSERT_NOT_NULL(test, image);
	for_each_place(place) {
		for (u32 count = 0; count <= MOST_ENTRIES; count++) {
			wqe = begin(ring, image, place, 16 * (count % 5));
			fill_list(list, count, count % 3 ? 0 : 0x5a5a5);
			expect_list(image, list, count);
			KUNIT_ASSERT_EQ(test, mlx5_ib_wqe_list(&wqe, list, count), 0);
			KUNIT_EXPECT_EQ(test, wqe.bytes, image->at);
			KUNIT_ASSERT_TRUE(test, image_matches(image, ring, place));
		}
	}
}

static void entries_too_long(struct kunit *test)
{
	struct test_ring *ring = test_ring_new(test);
	struct mlx5_ib_wqe wqe = { .sq = &ring->sq };
	struct mlx5_wqe_data_seg entry[MOST_ENTRIES];
	struct ib_sge list[MOST_ENTRIES];

	for (u32 bad = 0; bad < 4; bad++) {
		fill_list(list, 4, 0);
		list[bad].length = 1U << 31;
		KUNIT_EXPECT_EQ(test, mlx5_ib_wqe_list(&wqe, list, 4), -EINVAL);
		KUNIT_EXPECT_EQ(test, mlx5_ib_receive_list(entry, 4, list, 4, 0), -EINVAL);
		list[bad].length = U32_MAX;
		KUNIT_EXPECT_EQ(test, mlx5_ib_wqe_list(&wqe, list, 4), -EINVAL);
		KUNIT_EXPECT_EQ(test, mlx5_ib_receive_list(entry, 4, list, 4, 0), -EINVAL);
	}
}

/* @data in three pieces, of which some are empty. */
static void cut(struct ib_sge list[3], const u8 *data, u32 bytes)
{
	u32 first = bytes / 3, second = bytes % 7 ? bytes / 2 : first;

	list[0] = (struct ib_sge) { .addr = (uintptr_t)data, .length = first };
	list[1] = (struct ib_sge) { .addr = (uintptr_t)data + first, .length = second - first };
	list[2] = (struct ib_sge) { .addr = (uintptr_t)data + second, .length = bytes - second };
}

static void expect_inline(struct test_image *image, const u8 *data, u32 bytes)
{
	if (!bytes)
		return;
	image_put(image, 0x80000000 | bytes, 4);
	image_bytes(image, data, bytes);
	while (image->at % 16)
		image->at++;
}

static void inline_data(struct kunit *test)
{
	struct test_image *image = kunit_kzalloc(test, sizeof(*image), GFP_KERNEL);
	u8 *data = kunit_kzalloc(test, MOST_INLINE, GFP_KERNEL);
	struct test_ring *ring = test_ring_new(test);
	struct mlx5_ib_wqe wqe;
	struct ib_sge list[3];

	KUNIT_ASSERT_NOT_NULL(test, image);
	KUNIT_ASSERT_NOT_NULL(test, data);
	for (u32 i = 0; i < MOST_INLINE; i++)
		data[i] = i * 7 + i / 256;
	for (u32 bytes = 0; bytes <= MOST_INLINE; bytes++) {
		/* so that each length comes to lie across the end of the ring and of the page */
		for (u32 place = bytes % 2; place < RING_WQEBBS; place += 2) {
			wqe = begin(ring, image, place, 16 * (1 + bytes % 4));
			cut(list, data, bytes);
			expect_inline(image, data, bytes);
			KUNIT_ASSERT_EQ(test, mlx5_ib_wqe_inline(&wqe, list, 3, MOST_INLINE), 0);
			KUNIT_EXPECT_EQ(test, wqe.bytes, image->at);
			KUNIT_ASSERT_TRUE(test, image_matches(image, ring, place));
		}
	}
}

static void inline_data_too_long(struct kunit *test)
{
	struct test_image *image = kunit_kzalloc(test, sizeof(*image), GFP_KERNEL);
	struct test_ring *ring = test_ring_new(test);
	/* Nobody may look at the data. */
	struct ib_sge list[] = { { .length = U32_MAX }, { .length = U32_MAX }, { .length = 2 } };
	struct mlx5_ib_wqe wqe;
	u8 data[65];

	KUNIT_ASSERT_NOT_NULL(test, image);
	wqe = begin(ring, image, 3, 16);
	for (u32 count = 1; count <= 3; count++)
		KUNIT_EXPECT_EQ(test, mlx5_ib_wqe_inline(&wqe, list, count, 64), -ENOMEM);
	for (u32 max = 0; max < 65; max++) {
		cut(list, data, max + 1);
		KUNIT_EXPECT_EQ(test, mlx5_ib_wqe_inline(&wqe, list, 3, max), -ENOMEM);
	}
	KUNIT_EXPECT_EQ(test, wqe.bytes, 16U);
	KUNIT_EXPECT_TRUE(test, image_matches(image, ring, 3));
}

static void receives(struct kunit *test)
{
	struct test_image *image = kunit_kzalloc(test, sizeof(*image), GFP_KERNEL);
	struct mlx5_wqe_data_seg entry[MOST_ENTRIES + 1];
	struct ib_sge list[MOST_ENTRIES];

	KUNIT_ASSERT_NOT_NULL(test, image);
	for (u32 room = 1; room <= MOST_ENTRIES; room++) {
		for (u32 count = 0; count <= room; count++) {
			memset(entry, POISON, sizeof(entry));
			memset(image->bytes, POISON, sizeof(entry));
			image->at = 0;
			fill_list(list, count, room % 3 ? 0 : 0x5a5a5);
			expect_list(image, list, count);
			if (image->at < room * 16) {
				image_put(image, 0, 4);
				image_put(image, 0x100, 4);
				image_put(image, 0, 8);
			}
			KUNIT_ASSERT_EQ(test, mlx5_ib_receive_list(entry, room, list, count,
								   cpu_to_be32(0x100)), 0);
			KUNIT_ASSERT_EQ(test, memcmp(entry, image->bytes, sizeof(entry)), 0);
		}
	}
}

static struct kunit_case data_cases[] = {
	KUNIT_CASE(lists),
	KUNIT_CASE(entries_too_long),
	KUNIT_CASE(inline_data),
	KUNIT_CASE(inline_data_too_long),
	KUNIT_CASE(receives),
	{}
};

static struct kunit_suite data_suite = {
	.name = "mlx5-wr-data",
	.test_cases = data_cases,
};

kunit_test_suite(data_suite);
