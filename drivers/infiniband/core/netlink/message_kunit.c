// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/skbuff.h>

#include "netlink.h"

static struct sk_buff *new_message(struct kunit *test, size_t len)
{
	struct sk_buff *msg = alloc_skb(len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, msg);
	skb_put(msg, skb_tailroom(msg) - NLA_ALIGN(len));
	skb_pull(msg, msg->len);
	return msg;
}

/* Reads the attributes in the order in which a driver's detail has them. */
static void expect_number(struct kunit *test, const struct sk_buff *msg, bool hex, int type,
			  u64 value)
{
	const struct nlattr *attr;
	int rest, n = 0;

	nla_for_each_attr(attr, (struct nlattr *)msg->data, msg->len, rest) {
		if (n == 0) {
			KUNIT_EXPECT_EQ(test, nla_type(attr), RDMA_NLDEV_ATTR_DRIVER_STRING);
			KUNIT_EXPECT_STREQ(test, nla_data(attr), "flags");
		} else if (n == 1 && hex) {
			KUNIT_EXPECT_EQ(test, nla_type(attr), RDMA_NLDEV_ATTR_DRIVER_PRINT_TYPE);
			KUNIT_EXPECT_EQ(test, nla_get_u8(attr), RDMA_NLDEV_PRINT_TYPE_HEX);
		} else if (nla_type(attr) != RDMA_NLDEV_ATTR_PAD) {
			KUNIT_EXPECT_EQ(test, nla_type(attr), type);
			KUNIT_EXPECT_EQ(test, value, type == RDMA_NLDEV_ATTR_DRIVER_U64 ?
					nla_get_u64(attr) : nla_get_u32(attr));
		}
		n++;
	}
	KUNIT_EXPECT_GE(test, n, hex ? 3 : 2);
}

static void drivers_details_are_name_and_value(struct kunit *test)
{
	struct sk_buff *msg = alloc_skb(1024, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, msg);
	KUNIT_EXPECT_EQ(test, rdma_nl_put_driver_u32(msg, "flags", 17), 0);
	expect_number(test, msg, false, RDMA_NLDEV_ATTR_DRIVER_U32, 17);
	skb_trim(msg, 0);
	KUNIT_EXPECT_EQ(test, rdma_nl_put_driver_u32_hex(msg, "flags", U32_MAX), 0);
	expect_number(test, msg, true, RDMA_NLDEV_ATTR_DRIVER_U32, U32_MAX);
	skb_trim(msg, 0);
	KUNIT_EXPECT_EQ(test, rdma_nl_put_driver_u64(msg, "flags", 1ULL << 40), 0);
	expect_number(test, msg, false, RDMA_NLDEV_ATTR_DRIVER_U64, 1ULL << 40);
	skb_trim(msg, 0);
	KUNIT_EXPECT_EQ(test, rdma_nl_put_driver_u64_hex(msg, "flags", 1ULL << 63), 0);
	expect_number(test, msg, true, RDMA_NLDEV_ATTR_DRIVER_U64, 1ULL << 63);
	kfree_skb(msg);
}

static void what_does_not_fit_is_said(struct kunit *test)
{
	struct sk_buff *msg = new_message(test, 16);

	KUNIT_EXPECT_EQ(test, rdma_nl_put_driver_u64_hex(msg, "flags", 1), -EMSGSIZE);
	kfree_skb(msg);
	msg = new_message(test, 24);
	KUNIT_EXPECT_EQ(test, rdma_nl_put_driver_string(msg, "name", "a longer string"), -EMSGSIZE);
	kfree_skb(msg);
}

static void a_counter_that_does_not_fit_leaves_nothing(struct kunit *test)
{
	struct sk_buff *msg = new_message(test, 32);
	unsigned int len = msg->len;

	KUNIT_EXPECT_EQ(test, rdma_nl_stat_hwcounter_entry(msg, "rx_write_requests", 1), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, msg->len, len);
	KUNIT_EXPECT_EQ(test, rdma_nl_stat_hwcounter_entry(msg, "ooo", 1), 0);
	kfree_skb(msg);
}

static void an_attribute_that_does_not_fit_cancels_its_message(struct kunit *test)
{
	struct sk_buff *msg = new_message(test, NLMSG_HDRLEN + 16);
	unsigned int len = msg->len;
	struct nlmsghdr *nlh;
	u8 data[16] = {};

	KUNIT_ASSERT_NOT_NULL(test, ibnl_put_msg(msg, &nlh, 3, 0, RDMA_NL_LS,
						 RDMA_NL_LS_OP_RESOLVE, NLM_F_REQUEST));
	KUNIT_EXPECT_EQ(test, nlh->nlmsg_type, RDMA_NL_GET_TYPE(RDMA_NL_LS, RDMA_NL_LS_OP_RESOLVE));
	KUNIT_EXPECT_EQ(test, nlh->nlmsg_seq, 3);
	KUNIT_EXPECT_EQ(test, ibnl_put_attr(msg, nlh, 4, data, LS_NLA_TYPE_TIMEOUT), 0);
	KUNIT_EXPECT_EQ(test, ibnl_put_attr(msg, nlh, 16, data, LS_NLA_TYPE_DGID), -EMSGSIZE);
	KUNIT_EXPECT_EQ(test, msg->len, len);
	kfree_skb(msg);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(drivers_details_are_name_and_value),
	KUNIT_CASE(what_does_not_fit_is_said),
	KUNIT_CASE(a_counter_that_does_not_fit_leaves_nothing),
	KUNIT_CASE(an_attribute_that_does_not_fit_cancels_its_message),
	{}
};

static struct kunit_suite suite = { .name = "core_netlink_message", .test_cases = cases };

kunit_test_suite(suite);
