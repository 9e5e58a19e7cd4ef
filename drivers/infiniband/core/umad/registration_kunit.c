// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/bitmap.h>

#include "umad.h"

static void first_form(struct kunit *test)
{
	struct ib_user_mad_reg_req ureq = {
		.qpn = 1,
		.mgmt_class = 0x31,
		.mgmt_class_version = 1,
		.oui = { 0x00, 0x14, 0x05 },
		.rmpp_version = 1,
	};
	struct umad_registration reg;

	/* Get 0x01 and TrapRepress 0x07 in the first word of either long, 0x45 in the second. */
	ureq.method_mask[0] = BIT(1) | BIT(7);
	ureq.method_mask[0x45 / BITS_PER_LONG] |= BIT(0x45 % BITS_PER_LONG);

	KUNIT_ASSERT_EQ(test, umad_parse_reg_req(&ureq, false, &reg), 0);
	KUNIT_EXPECT_EQ(test, reg.qp_type, IB_QPT_GSI);
	KUNIT_EXPECT_TRUE(test, reg.unsolicited);
	KUNIT_EXPECT_EQ(test, reg.req.mgmt_class, 0x31);
	KUNIT_EXPECT_EQ(test, reg.req.mgmt_class_version, 1);
	KUNIT_EXPECT_MEMEQ(test, reg.req.oui, "\x00\x14\x05", 3);
	KUNIT_EXPECT_EQ(test, reg.rmpp_version, 1);
	KUNIT_EXPECT_EQ(test, reg.flags, 0U);
	KUNIT_EXPECT_EQ(test, bitmap_weight(reg.req.method_mask, IB_MGMT_MAX_METHODS), 3U);
	KUNIT_EXPECT_TRUE(test, test_bit(0x01, reg.req.method_mask));
	KUNIT_EXPECT_TRUE(test, test_bit(0x07, reg.req.method_mask));
	KUNIT_EXPECT_TRUE(test, test_bit(0x45, reg.req.method_mask));
}

static void first_form_compat(struct kunit *test)
{
	struct ib_user_mad_reg_req ureq = { .mgmt_class = 0x81, .mgmt_class_version = 1 };
	u32 *words = (u32 *)ureq.method_mask;
	struct umad_registration reg;

	/* A program with longs of 32 bits: method m is bit m % 32 of word m / 32. */
	words[0] = 1U << 5;
	words[1] = 1U << 0;
	words[3] = 1U << 31;

	KUNIT_ASSERT_EQ(test, umad_parse_reg_req(&ureq, true, &reg), 0);
	KUNIT_EXPECT_EQ(test, reg.qp_type, IB_QPT_SMI);
	KUNIT_EXPECT_EQ(test, bitmap_weight(reg.req.method_mask, IB_MGMT_MAX_METHODS), 3U);
	KUNIT_EXPECT_TRUE(test, test_bit(5, reg.req.method_mask));
	KUNIT_EXPECT_TRUE(test, test_bit(32, reg.req.method_mask));
	KUNIT_EXPECT_TRUE(test, test_bit(127, reg.req.method_mask));
}

static void second_form(struct kunit *test)
{
	struct ib_user_mad_reg_req2 ureq = {
		.qpn = 1,
		.mgmt_class = 0x32,
		.mgmt_class_version = 1,
		.flags = IB_USER_MAD_USER_RMPP,
		.method_mask = { 1ULL << 18, 1ULL << 63 },
		.oui = 0x001405,
		.rmpp_version = 1,
	};
	struct umad_registration reg;

	KUNIT_ASSERT_EQ(test, umad_parse_reg_req2(&ureq, &reg), 0);
	KUNIT_EXPECT_EQ(test, reg.qp_type, IB_QPT_GSI);
	KUNIT_EXPECT_EQ(test, reg.flags, (u32)IB_MAD_USER_RMPP);
	KUNIT_EXPECT_MEMEQ(test, reg.req.oui, "\x00\x14\x05", 3);
	KUNIT_EXPECT_EQ(test, bitmap_weight(reg.req.method_mask, IB_MGMT_MAX_METHODS), 2U);
	KUNIT_EXPECT_TRUE(test, test_bit(18, reg.req.method_mask));
	KUNIT_EXPECT_TRUE(test, test_bit(127, reg.req.method_mask));
}

/* Without a class there are no requests to be received, and nothing to go with them. */
static void no_class(struct kunit *test)
{
	struct ib_user_mad_reg_req ureq = { .oui = { 1, 2, 3 }, .method_mask = { ~0UL } };
	struct ib_user_mad_reg_req2 ureq2 = { .oui = 0xffffffff, .method_mask = { ~0ULL, ~0ULL } };
	struct umad_registration reg;

	KUNIT_ASSERT_EQ(test, umad_parse_reg_req(&ureq, false, &reg), 0);
	KUNIT_EXPECT_FALSE(test, reg.unsolicited);
	KUNIT_ASSERT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), 0);
	KUNIT_EXPECT_FALSE(test, reg.unsolicited);
}

static void refused(struct kunit *test)
{
	struct ib_user_mad_reg_req ureq = {};
	struct ib_user_mad_reg_req2 ureq2 = {};
	struct umad_registration reg;

	ureq.qpn = 2;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req(&ureq, false, &reg), -EINVAL);
	ureq.qpn = 255;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req(&ureq, true, &reg), -EINVAL);

	ureq2.qpn = 2;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), -EINVAL);
	ureq2.qpn = 0x100;	/* would be 0 in the first form's u8 */
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), -EINVAL);
	ureq2.qpn = 1;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), 0);

	ureq2.flags = 2;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), -EINVAL);
	ureq2.flags = 0x80000001;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), -EINVAL);
	ureq2.flags = 0;

	ureq2.mgmt_class = 0x32;
	ureq2.oui = 0x01000000;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), -EINVAL);
	ureq2.oui = 0x00ffffff;
	KUNIT_EXPECT_EQ(test, umad_parse_reg_req2(&ureq2, &reg), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(first_form),
	KUNIT_CASE(first_form_compat),
	KUNIT_CASE(second_form),
	KUNIT_CASE(no_class),
	KUNIT_CASE(refused),
	{}
};

static struct kunit_suite suite = {
	.name = "umad_registration",
	.test_cases = cases,
};

kunit_test_suite(suite);
