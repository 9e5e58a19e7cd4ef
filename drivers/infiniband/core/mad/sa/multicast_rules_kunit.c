// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which groups fit which wishes, and when SA must hear that a port leaves. */

#include <kunit/test.h>

#include "multicast.h"

#define FULL		BIT(FULLMEMBER_JOIN)
#define NON		BIT(NONMEMBER_JOIN)
#define SENDONLY	BIT(SENDONLY_FULLMEMBER_JOIN)

static void members_are_counted_by_kind(struct kunit *test)
{
	struct mcast_counts counts = {};

	KUNIT_EXPECT_EQ(test, mcast_unused(&counts, FULL | NON), FULL | NON);
	mcast_count(&counts, FULL, 1);
	mcast_count(&counts, FULL | SENDONLY, 1);
	KUNIT_EXPECT_EQ(test, mcast_unused(&counts, 0xf), 0xf & ~(FULL | SENDONLY));
	KUNIT_EXPECT_EQ(test, mcast_unused(&counts, FULL), 0);
	mcast_count(&counts, FULL | SENDONLY, -1);
	KUNIT_EXPECT_EQ(test, mcast_unused(&counts, FULL | SENDONLY), SENDONLY);
	mcast_count(&counts, FULL, -1);
	KUNIT_EXPECT_EQ(test, mcast_unused(&counts, FULL | SENDONLY), FULL | SENDONLY);
	/* What SA doesn't know can't be left. */
	KUNIT_EXPECT_EQ(test, mcast_unused(&counts, 0), 0);
}

static const struct ib_sa_mcmember_rec group = {
	.qkey = cpu_to_be32(1), .mlid = cpu_to_be16(0xc000), .mtu = 4, .rate = 3,
	.packet_life_time = 10, .pkey = cpu_to_be16(0xffff), .sl = 2,
	.flow_label = cpu_to_be32(3), .hop_limit = 4, .scope = 5, .traffic_class = 6,
};

#define EVERYTHING	((__force ib_sa_comp_mask)cpu_to_be64(~0ULL))

static void equal_records_fit(struct kunit *test)
{
	struct ib_sa_mcmember_rec wanted = group;

	wanted.mtu_selector = IB_SA_EQ;
	wanted.rate_selector = IB_SA_EQ;
	wanted.packet_life_time_selector = IB_SA_EQ;
	KUNIT_EXPECT_EQ(test, mcast_check_record(&group, &wanted, EVERYTHING), 0);
}

/* Changes one byte at a time: where the mask has its component it doesn't fit, else it does. */
static void expect_difference(struct kunit *test, size_t offset, ib_sa_comp_mask mask)
{
	struct ib_sa_mcmember_rec wanted = group;

	((u8 *)&wanted)[offset] ^= 1;
	KUNIT_EXPECT_EQ_MSG(test, mcast_check_record(&group, &wanted, mask), -EINVAL,
			    "byte %zu", offset);
	mask ^= EVERYTHING & ~(IB_SA_MCMEMBER_REC_MTU | IB_SA_MCMEMBER_REC_RATE |
			       IB_SA_MCMEMBER_REC_PACKET_LIFE_TIME);
	KUNIT_EXPECT_EQ_MSG(test, mcast_check_record(&group, &wanted, mask), 0, "byte %zu",
			    offset);
}

static void each_component_counts_if_it_is_asked_for(struct kunit *test)
{
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, port_gid),
			  IB_SA_MCMEMBER_REC_PORT_GID);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, qkey),
			  IB_SA_MCMEMBER_REC_QKEY);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, mlid),
			  IB_SA_MCMEMBER_REC_MLID);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, traffic_class),
			  IB_SA_MCMEMBER_REC_TRAFFIC_CLASS);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, pkey),
			  IB_SA_MCMEMBER_REC_PKEY);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, sl), IB_SA_MCMEMBER_REC_SL);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, flow_label),
			  IB_SA_MCMEMBER_REC_FLOW_LABEL);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, hop_limit),
			  IB_SA_MCMEMBER_REC_HOP_LIMIT);
	expect_difference(test, offsetof(struct ib_sa_mcmember_rec, scope),
			  IB_SA_MCMEMBER_REC_SCOPE);
}

static int check_mtu(u8 selector, u8 mtu, ib_sa_comp_mask mask)
{
	struct ib_sa_mcmember_rec wanted = { .mtu_selector = selector, .mtu = mtu };

	return mcast_check_record(&group, &wanted, mask);
}

static void selectors(struct kunit *test)
{
	const ib_sa_comp_mask mask = IB_SA_MCMEMBER_REC_MTU | IB_SA_MCMEMBER_REC_MTU_SELECTOR;

	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_GT, 3, mask), 0);
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_GT, 4, mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_LT, 5, mask), 0);
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_LT, 4, mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_EQ, 4, mask), 0);
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_EQ, 5, mask), -EINVAL);
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_BEST, 5, mask), 0);
	/* A selector without a value, or a value without a selector, asks for nothing. */
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_EQ, 5, IB_SA_MCMEMBER_REC_MTU), 0);
	KUNIT_EXPECT_EQ(test, check_mtu(IB_SA_EQ, 5, IB_SA_MCMEMBER_REC_MTU_SELECTOR), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(members_are_counted_by_kind),
	KUNIT_CASE(equal_records_fit),
	KUNIT_CASE(each_component_counts_if_it_is_asked_for),
	KUNIT_CASE(selectors),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_sa_multicast_rules",
	.test_cases = cases,
};

kunit_test_suite(suite);
