// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <rdma/ib_pack.h>

/* Some of a format with all kinds of fields, and the bytes that it has by hand. */
struct sample {
	u8 nibble;
	__be16 odd;
	__be32 word;
	__be64 wide;
	__be64 whole;
	u8 bytes[9];
	u8 untouched;
};

static const struct ib_field fields[] = {
	{ offsetof(struct sample, nibble), 1, 0, 4, 4, "nibble" },
	{ offsetof(struct sample, odd), 2, 0, 13, 11, "odd" },
	{ 0, 0, 0, 24, 8, "reserved" },
	{ offsetof(struct sample, word), 4, 1, 0, 32, "word" },
	{ offsetof(struct sample, wide), 8, 2, 5, 40, "wide" },
	{ offsetof(struct sample, whole), 8, 4, 0, 64, "whole" },
	{ offsetof(struct sample, bytes), 9, 6, 16, 72, "bytes" },
	{ 0, 0, 9, 0, 96, "reserved bytes" },
};

static const struct sample sample = {
	.nibble = 0x9,
	.odd = cpu_to_be16(0x5a5),		/* 101 1010 0101 */
	.word = cpu_to_be32(0xdeadbeef),
	.wide = cpu_to_be64(0x123456789aULL),
	.whole = cpu_to_be64(0x0102030405060708ULL),
	.bytes = { 1, 2, 3, 4, 5, 6, 7, 8, 9 },
	.untouched = 0x77,
};

/*
 * Before, all bits are 1; those without a field stay so: 0-3 and 8-12 of the first word, 0-4 and
 * 45-63 of the third and fourth, and so on.
 */
static const u8 wire[] = {
	0xf9, 0xfd, 0xa5, 0x00,			/* 1111 1001  11111 101 10100101 */
	0xde, 0xad, 0xbe, 0xef,
	0xf8, 0x91, 0xa2, 0xb3, 0xc4, 0xd7, 0xff, 0xff,	/* 11111 00010010... 1010 111.. */
	1, 2, 3, 4, 5, 6, 7, 8,
	0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xff,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

static void to_wire(struct kunit *test)
{
	struct sample in = sample;
	u8 buf[sizeof(wire) + 4];

	memset(buf, 0xff, sizeof(buf));
	ib_pack(fields, ARRAY_SIZE(fields), &in, buf);
	KUNIT_EXPECT_MEMEQ(test, buf, wire, sizeof(wire));
	KUNIT_EXPECT_EQ(test, buf[sizeof(wire)], 0xff);
}

static void from_wire(struct kunit *test)
{
	struct sample out = { .untouched = 0x77 };
	u8 buf[sizeof(wire)];

	memcpy(buf, wire, sizeof(wire));
	ib_unpack(fields, ARRAY_SIZE(fields), buf, &out);
	KUNIT_EXPECT_EQ(test, out.nibble, sample.nibble);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(out.odd), be16_to_cpu(sample.odd));
	KUNIT_EXPECT_EQ(test, be32_to_cpu(out.word), be32_to_cpu(sample.word));
	KUNIT_EXPECT_EQ(test, be64_to_cpu(out.wide), be64_to_cpu(sample.wide));
	KUNIT_EXPECT_EQ(test, be64_to_cpu(out.whole), be64_to_cpu(sample.whole));
	KUNIT_EXPECT_MEMEQ(test, out.bytes, sample.bytes, sizeof(sample.bytes));
	KUNIT_EXPECT_EQ(test, out.untouched, 0x77);
}

/* What doesn't fit into a field is cut off, and doesn't run into its neighbours. */
static void too_big(struct kunit *test)
{
	struct sample in = { .nibble = 0xff, .odd = cpu_to_be16(0xffff) };
	u8 buf[sizeof(wire)] = {};

	ib_pack(fields, 2, &in, buf);
	KUNIT_EXPECT_EQ(test, buf[0], 0x0f);
	KUNIT_EXPECT_EQ(test, buf[1], 0x07);
	KUNIT_EXPECT_EQ(test, buf[2], 0xff);
	KUNIT_EXPECT_EQ(test, buf[3], 0);
}

static struct kunit_case pack_cases[] = {
	KUNIT_CASE(to_wire),
	KUNIT_CASE(from_wire),
	KUNIT_CASE(too_big),
	{}
};

static struct kunit_suite pack_suite = {
	.name = "verbs_pack",
	.test_cases = pack_cases,
};

kunit_test_suites(&pack_suite);
