// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "device.h"

/* PortCounters as IBTA 16.1.3.5 lays them out, each field with a value of its own. */
static void port_counters(struct kunit *test)
{
	static const u8 attribute[] = {
		0x00, 0x01, 0x00, 0x00,
		0x12, 0x34, 0x56, 0x78,	/* SymbolErrors, LinkErrorRecovery, LinkDowned */
		0x9a, 0xbc, 0x00, 0x02,	/* RcvErrors, RcvRemotePhysicalErrors */
		0x00, 0x03, 0x00, 0x04,
		0x05, 0x06, 0x00, 0x7e,	/* constraint errors; LocalLinkIntegrity, BufferOverrun */
		0x00, 0x00, 0xff, 0xfe,	/* VL15Dropped */
		0xde, 0xad, 0xbe, 0xef,	/* XmitData */
	};

	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 32, 16), 0x1234ULL);
	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 48, 8), 0x56ULL);
	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 56, 8), 0x78ULL);
	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 64, 16), 0x9abcULL);
	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 152, 4), 0x7ULL);
	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 156, 4), 0xeULL);
	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 176, 16), 0xfffeULL);
	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 192, 32), 0xdeadbeefULL);
}

static void all_64_bits(struct kunit *test)
{
	static const u8 attribute[] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
	};

	KUNIT_EXPECT_EQ(test, rdma_pma_field(attribute, 64, 64), 0xfedcba9876543210ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(port_counters),
	KUNIT_CASE(all_64_bits),
	{}
};

static struct kunit_suite suite = {
	.name = "core_pma",
	.test_cases = cases,
};

kunit_test_suite(suite);
