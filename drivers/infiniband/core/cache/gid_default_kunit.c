// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "cache.h"

static void default_of(struct kunit *test, const u8 *mac, u16 dev_id, union ib_gid *gid)
{
	struct net_device *ndev = alloc_etherdev(0);

	KUNIT_ASSERT_NOT_NULL(test, ndev);
	eth_hw_addr_set(ndev, mac);
	ndev->dev_id = dev_id;
	gid_default(ndev, gid);
	free_netdev(ndev);
}

/* The example of RFC 4291, appendix A: the universal/local bit is inverted. */
static void universal(struct kunit *test)
{
	static const u8 mac[ETH_ALEN] = { 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde };
	static const u8 expected[] = {
		0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x36, 0x56, 0x78, 0xff, 0xfe, 0x9a, 0xbc, 0xde
	};
	union ib_gid gid;

	default_of(test, mac, 0, &gid);
	KUNIT_EXPECT_MEMEQ(test, gid.raw, expected, sizeof(gid));
}

static void local(struct kunit *test)
{
	static const u8 mac[ETH_ALEN] = { 0x02, 0, 0, 0, 0, 0x01 };
	static const u8 expected[] = {
		0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe, 0, 0, 0x01
	};
	union ib_gid gid;

	default_of(test, mac, 0, &gid);
	KUNIT_EXPECT_MEMEQ(test, gid.raw, expected, sizeof(gid));
}

/* Netdevs that share a MAC address differ by their number. */
static void shared(struct kunit *test)
{
	static const u8 mac[ETH_ALEN] = { 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde };
	static const u8 expected[] = {
		0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0x34, 0x56, 0x78, 0x12, 0x34, 0x9a, 0xbc, 0xde
	};
	union ib_gid gid;

	default_of(test, mac, 0x1234, &gid);
	KUNIT_EXPECT_MEMEQ(test, gid.raw, expected, sizeof(gid));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(universal),
	KUNIT_CASE(local),
	KUNIT_CASE(shared),
	{}
};

static struct kunit_suite suite = {
	.name = "gid_default",
	.test_cases = cases,
};

kunit_test_suite(suite);
