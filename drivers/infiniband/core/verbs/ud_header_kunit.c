// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/in.h>
#include <rdma/ib_pack.h>

static struct ib_ud_header header;
static u8 buf[128];

/* The bytes that there should be. */
static u8 wire[128];
static int wire_bytes;

static int ud_header_set_up(struct kunit *test)
{
	wire_bytes = 0;
	return 0;
}

static void expect(const void *bytes, int len)
{
	memcpy(wire + wire_bytes, bytes, len);
	wire_bytes += len;
}

static void check(struct kunit *test)
{
	memset(buf, 0xee, sizeof(buf));
	KUNIT_EXPECT_EQ(test, ib_ud_header_pack(&header, buf), wire_bytes);
	KUNIT_EXPECT_MEMEQ(test, buf, wire, wire_bytes);
	KUNIT_EXPECT_EQ(test, buf[wire_bytes], 0xee);
}

static void set_lrh(void)
{
	header.lrh.virtual_lane = 3;
	header.lrh.service_level = 5;
	header.lrh.destination_lid = cpu_to_be16(0x0102);
	header.lrh.source_lid = cpu_to_be16(0x0304);
}

static void expect_lrh(u8 lnh, u8 words)
{
	const u8 bytes[] = { 0x30, 0x50 | lnh, 0x01, 0x02, 0x00, words, 0x03, 0x04 };

	expect(bytes, sizeof(bytes));
}

static const union ib_gid sgid = { .raw = { 0xfe, 0x80, [8] = 1, 2, 3, 4, 5, 6, 7, 8 } };
static const union ib_gid dgid = { .raw = { 0xfe, 0x80, [8] = 9, 10, 11, 12, 13, 14, 15, 16 } };

static void set_grh(void)
{
	header.grh.traffic_class = 0xab;
	header.grh.flow_label = cpu_to_be32(0x12345);
	header.grh.hop_limit = 64;
	header.grh.source_gid = sgid;
	header.grh.destination_gid = dgid;
}

static void expect_grh(u8 bytes_behind, u8 next_header)
{
	const u8 bytes[] = { 0x6a, 0xb1, 0x23, 0x45, 0, bytes_behind, next_header, 64 };

	expect(bytes, sizeof(bytes));
	expect(&sgid, sizeof(sgid));
	expect(&dgid, sizeof(dgid));
}

static void set_eth(void)
{
	memcpy(header.eth.dmac_h, "\x02\x11\x22\x33", 4);
	memcpy(header.eth.dmac_l, "\x44\x55", 2);
	memcpy(header.eth.smac_h, "\x02\x66", 2);
	memcpy(header.eth.smac_l, "\x77\x88\x99\xaa", 4);
}

static void expect_eth(u8 type_high, u8 type_low)
{
	const u8 bytes[] = {
		0x02, 0x11, 0x22, 0x33, 0x44, 0x55, 0x02, 0x66, 0x77, 0x88, 0x99, 0xaa,
		type_high, type_low,
	};

	expect(bytes, sizeof(bytes));
}

static void set_udp(void)
{
	header.udp.sport = cpu_to_be16(0xc000);
	header.udp.dport = cpu_to_be16(4791);
}

static void expect_udp(u8 length_high, u8 length_low)
{
	const u8 bytes[] = { 0xc0, 0x00, 0x12, 0xb7, length_high, length_low, 0, 0 };

	expect(bytes, sizeof(bytes));
}

/* BTH and DETH. */
static void set_transport(void)
{
	header.bth.solicited_event = 1;
	header.bth.mig_req = 1;
	header.bth.pkey = cpu_to_be16(0xffff);
	header.bth.destination_qpn = cpu_to_be32(0x000001);
	header.bth.psn = cpu_to_be32(0x123456);
	header.deth.qkey = cpu_to_be32(0x80010000);
	header.deth.source_qpn = cpu_to_be32(0x000001);
}

static void expect_transport(u8 opcode, u8 pad_count)
{
	const u8 bytes[] = {
		opcode, 0xc0 | pad_count << 4, 0xff, 0xff, 0, 0, 0, 1, 0, 0x12, 0x34, 0x56,
		0x80, 0x01, 0x00, 0x00, 0, 0, 0, 1,
	};

	expect(bytes, sizeof(bytes));
}

/* A MAD of 256 bytes: 8 + 12 + 8 + 256 + 4 = 288 bytes = 72 words. */
static void mad(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ib_ud_header_init(256, 1, 0, 0, 0, 0, 0, 0, &header), 0);
	set_lrh();
	set_transport();

	expect_lrh(2, 72);
	expect_transport(0x64, 0);
	check(test);
}

/* 5 bytes of payload and 3 of padding: 12 + 8 + 4 + 8 + 4 = 36 behind the GRH; in all, 21 words. */
static void expect_global_with_immediate(void)
{
	expect_lrh(3, 21);
	expect_grh(36, 0x1b);
	expect_transport(0x65, 3);
	expect("\xca\xfe\xba\xbe", 4);
}

static void global_with_immediate(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ib_ud_header_init(5, 1, 0, 0, 1, 0, 0, 1, &header), 0);
	set_lrh();
	set_grh();
	set_transport();
	header.immediate_data = cpu_to_be32(0xcafebabe);

	expect_global_with_immediate();
	check(test);
}

/* UDP: 8 + 12 + 8 + 256 + 4 = 288 = 0x120; IPv4: 308 = 0x134. */
static void roce_v2_ipv4_vlan(struct kunit *test)
{
	static const u8 ipv4[] = {
		0x45, 0x08, 0x01, 0x34, 0x00, 0x01, 0x40, 0x00, 0x40, 0x11, 0x00, 0x00,
		10, 0, 0, 1, 10, 0, 0, 2,
	};

	KUNIT_EXPECT_EQ(test, ib_ud_header_init(256, 0, 1, 1, 1, 4, 1, 0, &header), 0);
	set_eth();
	header.vlan.tag = cpu_to_be16(0x2005);
	header.vlan.type = cpu_to_be16(0x0800);
	header.ip4.tos = 8;
	header.ip4.id = cpu_to_be16(1);
	header.ip4.frag_off = cpu_to_be16(0x4000);
	header.ip4.ttl = 64;
	header.ip4.saddr = cpu_to_be32(0x0a000001);
	header.ip4.daddr = cpu_to_be32(0x0a000002);
	set_udp();
	set_transport();

	expect_eth(0x81, 0x00);
	expect("\x20\x05\x08\x00", 4);
	expect(ipv4, sizeof(ipv4));
	expect_udp(0x01, 0x20);
	expect_transport(0x64, 0);
	check(test);
	/* 4508 + 0134 + 0001 + 4000 + 4011 + 0a00 + 0001 + 0a00 + 0002 = da51 */
	KUNIT_EXPECT_EQ(test, ntohs((__force __be16)ib_ud_ip4_csum(&header)), 0xffff - 0xda51);
}

/* UDP: 8 + 12 + 8 + 1 + 4 = 33; the IPv6 payload counts the padding: 36. */
static void roce_v2_ipv6(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ib_ud_header_init(1, 0, 1, 0, 1, 6, 1, 0, &header), 0);
	set_eth();
	header.eth.type = cpu_to_be16(0x86dd);
	set_grh();
	set_udp();
	set_transport();

	expect_eth(0x86, 0xdd);
	expect_grh(36, IPPROTO_UDP);
	expect_udp(0, 33);
	expect_transport(0x64, 3);
	check(test);
}

static void udp_without_ip(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ib_ud_header_init(4, 0, 1, 0, 1, 0, 1, 0, &header), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_ud_header_init(4, 0, 1, 0, 1, 5, 1, 0, &header), -EINVAL);
}

static void from_wire(struct kunit *test)
{
	expect_global_with_immediate();
	KUNIT_ASSERT_EQ(test, ib_ud_header_unpack(wire, &header), 0);
	KUNIT_EXPECT_EQ(test, header.lrh_present, 1);
	KUNIT_EXPECT_EQ(test, header.lrh.virtual_lane, 3);
	KUNIT_EXPECT_EQ(test, header.lrh.service_level, 5);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(header.lrh.destination_lid), 0x0102);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(header.lrh.packet_length), 21);
	KUNIT_EXPECT_EQ(test, header.grh_present, 1);
	KUNIT_EXPECT_EQ(test, header.grh.traffic_class, 0xab);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(header.grh.flow_label), 0x12345);
	KUNIT_EXPECT_MEMEQ(test, &header.grh.destination_gid, &dgid, sizeof(dgid));
	KUNIT_EXPECT_EQ(test, header.bth.pad_count, 3);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(header.bth.psn), 0x123456);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(header.deth.qkey), 0x80010000);
	KUNIT_EXPECT_EQ(test, header.immediate_present, 1);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(header.immediate_data), 0xcafebabe);
	check(test);
}

/* One wrong byte, and it's no UD packet of the IBA transport. */
static void not_ud(struct kunit *test)
{
	static const struct {
		int offset;
		u8 value;
	} wrong[] = {
		{ 0, 0x31 },	/* link version */
		{ 1, 0x50 },	/* LNH: raw */
		{ 1, 0x51 },	/* LNH: IPv6 */
		{ 8, 0x4a },	/* IP version */
		{ 14, 0x11 },	/* next header: UDP */
		{ 48, 0x04 },	/* RC SEND only */
		{ 48, 0x66 },
		{ 49, 0xf1 },	/* transport version */
	};
	int i;

	expect_global_with_immediate();
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		memcpy(buf, wire, wire_bytes);
		KUNIT_EXPECT_EQ(test, ib_ud_header_unpack(buf, &header), 0);
		buf[wrong[i].offset] = wrong[i].value;
		KUNIT_EXPECT_EQ_MSG(test, ib_ud_header_unpack(buf, &header), -EINVAL, "%d", i);
	}
}

static struct kunit_case ud_header_cases[] = {
	KUNIT_CASE(mad),
	KUNIT_CASE(global_with_immediate),
	KUNIT_CASE(roce_v2_ipv4_vlan),
	KUNIT_CASE(roce_v2_ipv6),
	KUNIT_CASE(udp_without_ip),
	KUNIT_CASE(from_wire),
	KUNIT_CASE(not_ud),
	{}
};

static struct kunit_suite ud_header_suite = {
	.name = "verbs_ud_header",
	.init = ud_header_set_up,
	.test_cases = ud_header_cases,
};

kunit_test_suites(&ud_header_suite);
