// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "umad.h"

#define SA_OFFSET	56	/* MAD header 24, RMPP header 12, SA header 20 */
#define OTHER_OFFSET	24

static void hdr_forms(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umad_hdr_size(false), 56U);
	KUNIT_EXPECT_EQ(test, umad_hdr_size(true), 64U);

	/* One copy of either size must put each field where the kernel reads it. */
	KUNIT_EXPECT_EQ(test, offsetof(struct ib_user_mad_hdr, lid), 28U);
	KUNIT_EXPECT_EQ(test, offsetof(struct ib_user_mad_hdr_old, lid), 28U);
	KUNIT_EXPECT_EQ(test, offsetof(struct ib_user_mad_hdr, flow_label), 52U);
	KUNIT_EXPECT_EQ(test, offsetof(struct ib_user_mad_hdr_old, flow_label), 52U);
	KUNIT_EXPECT_EQ(test, offsetof(struct ib_user_mad_hdr, pkey_index), 56U);
}

static void layout_lengths(struct kunit *test)
{
	static const struct {
		size_t length;
		int offset;
		int err;
	} cases[] = {
		{ 0, OTHER_OFFSET, -EINVAL },
		{ 24, OTHER_OFFSET, -EINVAL },	/* a MAD header, but no room for RMPP's */
		{ 35, OTHER_OFFSET, -EINVAL },
		{ 36, OTHER_OFFSET, 0 },
		{ 36, SA_OFFSET, -EINVAL },	/* ends within the SA header */
		{ 55, SA_OFFSET, -EINVAL },
		{ 56, SA_OFFSET, 0 },
		{ 256, SA_OFFSET, 0 },
		{ 65536, SA_OFFSET, 0 },
		{ 0x7fffffff - 256, SA_OFFSET, 0 },
		{ 0x7fffffff - 255, SA_OFFSET, -EINVAL },
		{ 0x80000000, SA_OFFSET, -EINVAL },
		{ SIZE_MAX, SA_OFFSET, -EINVAL },
		{ SIZE_MAX - 63, SA_OFFSET, -EINVAL },	/* a count below the header's size */
	};
	struct umad_layout layout;
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int err = umad_layout(cases[i].length, cases[i].offset, true, true, &layout);

		KUNIT_ASSERT_EQ_MSG(test, err, cases[i].err, "length %zu offset %d",
				    cases[i].length, cases[i].offset);
		if (err)
			continue;
		KUNIT_EXPECT_EQ(test, layout.hdr_len, cases[i].offset);
		KUNIT_EXPECT_EQ(test, layout.data_len, (int)cases[i].length - cases[i].offset);
	}
}

static void layout_rmpp(struct kunit *test)
{
	struct umad_layout layout;

	/* By ib_mad: the program's RMPP header, bytes 24 to 35, is skipped. */
	KUNIT_ASSERT_EQ(test, umad_layout(556, SA_OFFSET, true, true, &layout), 0);
	KUNIT_EXPECT_TRUE(test, layout.segmented);
	KUNIT_EXPECT_EQ(test, layout.copy_offset, 36);
	KUNIT_EXPECT_EQ(test, layout.data_len, 500);

	/* By ib_mad, but the program asks for a plain MAD. */
	KUNIT_ASSERT_EQ(test, umad_layout(256, SA_OFFSET, true, false, &layout), 0);
	KUNIT_EXPECT_FALSE(test, layout.segmented);
	KUNIT_EXPECT_EQ(test, layout.copy_offset, 36);

	/* By the program: sent as it stands. */
	KUNIT_ASSERT_EQ(test, umad_layout(256, SA_OFFSET, false, true, &layout), 0);
	KUNIT_EXPECT_FALSE(test, layout.segmented);
	KUNIT_EXPECT_EQ(test, layout.copy_offset, 24);
}

static u64 compose(u32 hi_tid, u64 tid)
{
	return be64_to_cpu(umad_compose_tid(hi_tid, cpu_to_be64(tid)));
}

static void tid(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, compose(0x123456, 0x9abcdef0), 0x001234569abcdef0ULL);
	/* What the program put into the agent's half is lost. */
	KUNIT_EXPECT_EQ(test, compose(1, 0xffffffff00000002ULL), 0x0000000100000002ULL);
}

static void room(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, umad_check_room(255, 256, 256), -EINVAL);
	KUNIT_EXPECT_EQ(test, umad_check_room(256, 256, 256), 0);
	KUNIT_EXPECT_EQ(test, umad_check_room(0, 1, 256), -EINVAL);

	/* Several segments. */
	KUNIT_EXPECT_EQ(test, umad_check_room(0, 556, 256), -EINVAL);
	KUNIT_EXPECT_EQ(test, umad_check_room(255, 556, 256), -EINVAL);
	KUNIT_EXPECT_EQ(test, umad_check_room(256, 556, 256), -ENOSPC);
	KUNIT_EXPECT_EQ(test, umad_check_room(555, 556, 256), -ENOSPC);
	KUNIT_EXPECT_EQ(test, umad_check_room(556, 556, 256), 0);

	/* A short message, as RMPP's last segment can make it. */
	KUNIT_EXPECT_EQ(test, umad_check_room(99, 100, 256), -EINVAL);
	KUNIT_EXPECT_EQ(test, umad_check_room(100, 100, 256), 0);
}

static void expect_spans(struct kunit *test, size_t length, const struct umad_span *expected)
{
	size_t done = 0;

	for (; expected->len; expected++) {
		struct umad_span span = umad_span(length, done, 256, SA_OFFSET);

		KUNIT_EXPECT_EQ(test, span.offset, expected->offset);
		KUNIT_ASSERT_EQ(test, span.len, expected->len);
		done += span.len;
	}
	KUNIT_EXPECT_EQ(test, done, length);
	KUNIT_EXPECT_EQ(test, umad_span(length, done, 256, SA_OFFSET).len, 0U);
}

static void spans(struct kunit *test)
{
	/* 56 bytes of headers once, then 200 bytes of data from each MAD. */
	static const struct umad_span three[] = { { 0, 256 }, { 56, 200 }, { 56, 100 }, {} };
	static const struct umad_span full[] = { { 0, 256 }, { 56, 200 }, {} };
	static const struct umad_span one_over[] = { { 0, 256 }, { 56, 1 }, {} };
	static const struct umad_span single[] = { { 0, 256 }, {} };
	static const struct umad_span short_one[] = { { 0, 100 }, {} };

	expect_spans(test, 556, three);
	expect_spans(test, 456, full);
	expect_spans(test, 257, one_over);
	expect_spans(test, 256, single);
	expect_spans(test, 100, short_one);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(hdr_forms),
	KUNIT_CASE(layout_lengths),
	KUNIT_CASE(layout_rmpp),
	KUNIT_CASE(tid),
	KUNIT_CASE(room),
	KUNIT_CASE(spans),
	{}
};

static struct kunit_suite suite = {
	.name = "umad_message",
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("Unit tests of ib_umad");
MODULE_LICENSE("Dual BSD/GPL");
