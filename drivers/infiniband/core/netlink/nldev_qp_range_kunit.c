// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/skbuff.h>

#include "netlink.h"

/* A range as it was read back: one number is a range from itself to itself. */
struct qp_range {
	u32 first;
	u32 last;
};

static struct qp_range read_entry(struct kunit *test, const struct nlattr *entry)
{
	struct qp_range range = {};
	const struct nlattr *attr;
	int rest;

	KUNIT_EXPECT_EQ(test, nla_type(entry), RDMA_NLDEV_ATTR_RES_QP_ENTRY);
	nla_for_each_nested(attr, entry, rest) {
		switch (nla_type(attr)) {
		case RDMA_NLDEV_ATTR_RES_LQPN:
			range.first = nla_get_u32(attr);
			range.last = range.first;
			break;
		case RDMA_NLDEV_ATTR_MIN_RANGE:
			range.first = nla_get_u32(attr);
			break;
		case RDMA_NLDEV_ATTR_MAX_RANGE:
			range.last = nla_get_u32(attr);
			break;
		default:
			KUNIT_FAIL(test, "attribute %d", nla_type(attr));
		}
	}
	return range;
}

static void expect(struct kunit *test, const u32 *numbers, int n, const struct qp_range *expected,
		   int n_expected)
{
	struct sk_buff *msg = alloc_skb(1024, GFP_KERNEL);
	struct nldev_qp_ranges ranges = { .msg = msg };
	const struct nlattr *entry;
	int i, rest, found = 0;

	KUNIT_ASSERT_NOT_NULL(test, msg);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, nldev_qp_ranges_add(&ranges, numbers[i]), 0);
	KUNIT_EXPECT_EQ(test, nldev_qp_ranges_flush(&ranges), 0);

	nla_for_each_attr(entry, (struct nlattr *)msg->data, msg->len, rest) {
		struct qp_range range = read_entry(test, entry);

		KUNIT_ASSERT_LT(test, found, n_expected);
		KUNIT_EXPECT_EQ(test, range.first, expected[found].first);
		KUNIT_EXPECT_EQ(test, range.last, expected[found].last);
		found++;
	}
	KUNIT_EXPECT_EQ(test, found, n_expected);
	kfree_skb(msg);
}

static void neighbours_are_put_together(struct kunit *test)
{
	static const u32 numbers[] = { 5, 6, 7, 9, 11, 12 };
	static const struct qp_range ranges[] = { { 5, 7 }, { 9, 9 }, { 11, 12 } };

	expect(test, numbers, ARRAY_SIZE(numbers), ranges, ARRAY_SIZE(ranges));
}

static void one_number_is_an_entry(struct kunit *test)
{
	static const u32 numbers[] = { 0xffffff };
	static const struct qp_range ranges[] = { { 0xffffff, 0xffffff } };

	expect(test, numbers, ARRAY_SIZE(numbers), ranges, ARRAY_SIZE(ranges));
}

/* Ids of special QPs have the port above the number: 0x1000001 and 0x2000001 are both QP 1. */
static void a_number_that_comes_twice_is_listed_twice(struct kunit *test)
{
	static const u32 numbers[] = { 2, 3, 1, 1 };
	static const struct qp_range ranges[] = { { 2, 3 }, { 1, 1 }, { 1, 1 } };

	expect(test, numbers, ARRAY_SIZE(numbers), ranges, ARRAY_SIZE(ranges));
}

static void no_number_is_no_entry(struct kunit *test)
{
	expect(test, NULL, 0, NULL, 0);
}

static void a_full_message_is_left_as_it_was(struct kunit *test)
{
	struct sk_buff *msg = alloc_skb(NLA_HDRLEN + 2, GFP_KERNEL);
	struct nldev_qp_ranges ranges = { .msg = msg };

	KUNIT_ASSERT_NOT_NULL(test, msg);
	skb_put(msg, skb_tailroom(msg) - NLA_HDRLEN);
	KUNIT_EXPECT_EQ(test, nldev_qp_ranges_add(&ranges, 3), 0);
	KUNIT_EXPECT_EQ(test, nldev_qp_ranges_add(&ranges, 5), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, skb_tailroom(msg), NLA_HDRLEN);
	kfree_skb(msg);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(neighbours_are_put_together),
	KUNIT_CASE(one_number_is_an_entry),
	KUNIT_CASE(a_number_that_comes_twice_is_listed_twice),
	KUNIT_CASE(no_number_is_no_entry),
	KUNIT_CASE(a_full_message_is_left_as_it_was),
	{}
};

static struct kunit_suite suite = { .name = "core_nldev_qp_range", .test_cases = cases };

kunit_test_suite(suite);
