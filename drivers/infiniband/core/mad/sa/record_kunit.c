// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Records against bytes worked out by hand from the specification's tables. */

#include <kunit/test.h>

#include "sa.h"

static const struct sa_path_rec path = {
	.service_id = cpu_to_be64(0x0102030405060708),
	.dgid.raw = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16,
		      0x17 },
	.sgid.raw = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26,
		      0x27 },
	.ib = { .dlid = cpu_to_be16(0x1234), .slid = cpu_to_be16(0x5678), .raw_traffic = 1 },
	.flow_label = cpu_to_be32(0xabcde),
	.hop_limit = 0x40,
	.traffic_class = 0x9a,
	.reversible = 1,
	.numb_path = 0x7f,
	.pkey = cpu_to_be16(0xffff),
	.qos_class = cpu_to_be16(0x321),
	.sl = 0xd,
	.mtu_selector = IB_SA_EQ,
	.mtu = 4,
	.rate_selector = IB_SA_LT,
	.rate = 3,
	.packet_life_time_selector = IB_SA_BEST,
	.packet_life_time = 0x12,
	.preference = 5,
};

static const u8 path_bytes[SA_PATH_RECORD_LEN] = {
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
	0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
	0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27,
	0x12, 0x34, 0x56, 0x78,
	0x8a, 0xbc, 0xde, 0x40,	/* raw traffic, 3 reserved bits, flow label, hop limit */
	0x9a, 0xff,		/* traffic class; reversible, number of paths */
	0xff, 0xff,		/* P_Key */
	0x32, 0x1d,		/* QoS class, SL */
	0x84, 0x43, 0xd2,	/* MTU, rate, packet lifetime */
	0x05,			/* preference */
	0, 0, 0, 0, 0, 0,
};

static void path_is_packed(struct kunit *test)
{
	u8 wire[SA_PATH_RECORD_LEN];

	memset(wire, 0xff, sizeof(wire));
	sa_pack_path(&path, wire);
	KUNIT_EXPECT_MEMEQ(test, wire, path_bytes, sizeof(wire));
}

static void path_is_unpacked(struct kunit *test)
{
	struct sa_path_rec rec = {};

	sa_unpack_path(path_bytes, &rec);
	KUNIT_EXPECT_EQ(test, be64_to_cpu(rec.service_id), 0x0102030405060708);
	KUNIT_EXPECT_MEMEQ(test, &rec.dgid, &path.dgid, 16);
	KUNIT_EXPECT_MEMEQ(test, &rec.sgid, &path.sgid, 16);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(rec.ib.dlid), 0x1234);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(rec.ib.slid), 0x5678);
	KUNIT_EXPECT_EQ(test, rec.ib.raw_traffic, 1);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(rec.flow_label), 0xabcde);
	KUNIT_EXPECT_EQ(test, rec.hop_limit, 0x40);
	KUNIT_EXPECT_EQ(test, rec.traffic_class, 0x9a);
	KUNIT_EXPECT_EQ(test, rec.reversible, 1);
	KUNIT_EXPECT_EQ(test, rec.numb_path, 0x7f);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(rec.pkey), 0xffff);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(rec.qos_class), 0x321);
	KUNIT_EXPECT_EQ(test, rec.sl, 0xd);
	KUNIT_EXPECT_EQ(test, rec.mtu_selector, IB_SA_EQ);
	KUNIT_EXPECT_EQ(test, rec.mtu, 4);
	KUNIT_EXPECT_EQ(test, rec.rate_selector, IB_SA_LT);
	KUNIT_EXPECT_EQ(test, rec.rate, 3);
	KUNIT_EXPECT_EQ(test, rec.packet_life_time_selector, IB_SA_BEST);
	KUNIT_EXPECT_EQ(test, rec.packet_life_time, 0x12);
	KUNIT_EXPECT_EQ(test, rec.preference, 5);
}

/* What isn't in the record is the caller's. */
static void unpacking_leaves_the_rest(struct kunit *test)
{
	struct sa_path_rec rec = { .rec_type = SA_PATH_REC_TYPE_ROCE_V2, .flags = 0x33 };

	sa_unpack_path(path_bytes, &rec);
	KUNIT_EXPECT_EQ(test, rec.rec_type, SA_PATH_REC_TYPE_ROCE_V2);
	KUNIT_EXPECT_EQ(test, rec.flags, 0x33);
}

/* Values that are too wide don't spill into their neighbours. */
static void path_fields_are_cut(struct kunit *test)
{
	const struct sa_path_rec wide = {
		.ib.raw_traffic = 0xfe,
		.flow_label = cpu_to_be32(0xfff00000),
		.reversible = 0xfe,
		.numb_path = 0x80,
		.qos_class = cpu_to_be16(0xf000),
		.sl = 0xf0,
		.mtu = 0xc0,
		.rate_selector = 0xfc,
	};
	static const u8 nothing[SA_PATH_RECORD_LEN];
	u8 wire[SA_PATH_RECORD_LEN];

	sa_pack_path(&wide, wire);
	KUNIT_EXPECT_MEMEQ(test, wire, nothing, sizeof(wire));
}

static const struct ib_sa_mcmember_rec member = {
	.mgid.raw = { 0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff,
		      0xff },
	.port_gid.raw = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25,
			  0x26, 0x27 },
	.qkey = cpu_to_be32(0x0b1b2b3b),
	.mlid = cpu_to_be16(0xc001),
	.mtu_selector = IB_SA_EQ,
	.mtu = 5,
	.traffic_class = 0x77,
	.pkey = cpu_to_be16(0x8001),
	.rate_selector = IB_SA_GT,
	.rate = 7,
	.packet_life_time_selector = IB_SA_LT,
	.packet_life_time = 0x13,
	.sl = 6,
	.flow_label = cpu_to_be32(0x54321),
	.hop_limit = 0xfe,
	.scope = 2,
	.join_state = 5,
	.proxy_join = 1,
};

static const u8 member_bytes[SA_MCMEMBER_RECORD_LEN] = {
	0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
	0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27,
	0x0b, 0x1b, 0x2b, 0x3b,
	0xc0, 0x01, 0x85, 0x77,	/* MLID, MTU, traffic class */
	0x80, 0x01, 0x07, 0x53,	/* P_Key, rate, packet lifetime */
	0x65, 0x43, 0x21, 0xfe,	/* SL, flow label, hop limit */
	0x25, 0x80, 0, 0,	/* scope, join state; proxy join */
};

static void member_is_packed(struct kunit *test)
{
	u8 wire[SA_MCMEMBER_RECORD_LEN];

	memset(wire, 0xff, sizeof(wire));
	sa_pack_mcmember(&member, wire);
	KUNIT_EXPECT_MEMEQ(test, wire, member_bytes, sizeof(wire));
}

static void member_is_unpacked(struct kunit *test)
{
	struct ib_sa_mcmember_rec rec = {};

	sa_unpack_mcmember(member_bytes, &rec);
	KUNIT_EXPECT_MEMEQ(test, &rec.mgid, &member.mgid, 16);
	KUNIT_EXPECT_MEMEQ(test, &rec.port_gid, &member.port_gid, 16);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(rec.qkey), 0x0b1b2b3b);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(rec.mlid), 0xc001);
	KUNIT_EXPECT_EQ(test, rec.mtu_selector, IB_SA_EQ);
	KUNIT_EXPECT_EQ(test, rec.mtu, 5);
	KUNIT_EXPECT_EQ(test, rec.traffic_class, 0x77);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(rec.pkey), 0x8001);
	KUNIT_EXPECT_EQ(test, rec.rate_selector, IB_SA_GT);
	KUNIT_EXPECT_EQ(test, rec.rate, 7);
	KUNIT_EXPECT_EQ(test, rec.packet_life_time_selector, IB_SA_LT);
	KUNIT_EXPECT_EQ(test, rec.packet_life_time, 0x13);
	KUNIT_EXPECT_EQ(test, rec.sl, 6);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(rec.flow_label), 0x54321);
	KUNIT_EXPECT_EQ(test, rec.hop_limit, 0xfe);
	KUNIT_EXPECT_EQ(test, rec.scope, 2);
	KUNIT_EXPECT_EQ(test, rec.join_state, 5);
	KUNIT_EXPECT_EQ(test, rec.proxy_join, 1);
}

static void guidinfo_there_and_back(struct kunit *test)
{
	static const u8 head[8] = { 0x00, 0x11, 0x03, 0, 0, 0, 0, 0 };
	struct ib_sa_guidinfo_rec rec = { .lid = cpu_to_be16(0x11), .block_num = 3 }, back = {};
	u8 wire[SA_GUIDINFO_RECORD_LEN];

	memset(rec.guid_info_list, 0x5a, sizeof(rec.guid_info_list));
	rec.guid_info_list[63] = 0xa5;
	sa_pack_guidinfo(&rec, wire);
	KUNIT_EXPECT_MEMEQ(test, wire, head, sizeof(head));
	KUNIT_EXPECT_EQ(test, wire[8], 0x5a);
	KUNIT_EXPECT_EQ(test, wire[71], 0xa5);
	sa_unpack_guidinfo(wire, &back);
	KUNIT_EXPECT_MEMEQ(test, &back, &rec, sizeof(rec));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(path_is_packed),
	KUNIT_CASE(path_is_unpacked),
	KUNIT_CASE(unpacking_leaves_the_rest),
	KUNIT_CASE(path_fields_are_cut),
	KUNIT_CASE(member_is_packed),
	KUNIT_CASE(member_is_unpacked),
	KUNIT_CASE(guidinfo_there_and_back),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_sa_record",
	.test_cases = cases,
};

kunit_test_suite(suite);
