// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <rdma/ib_verbs.h>

static union rdma_network_hdr hdr;

/* By hand: 4500 + 0034 + 0000 + 4000 + 4011 + 0a00 + 0001 + 0a00 + 0002 = d948 = ffff - 26b7. */
static const u8 ipv4[20] = {
	0x45, 0, 0, 0x34, 0, 0, 0x40, 0, 0x40, 0x11, 0x26, 0xb7, 10, 0, 0, 1, 10, 0, 0, 2,
};

static u8 *bytes(void)
{
	return (u8 *)&hdr;
}

static int hdr_set_up(struct kunit *test)
{
	memset(&hdr, 0, sizeof(hdr));
	memcpy(bytes() + 20, ipv4, sizeof(ipv4));
	return 0;
}

/* Whatever stands in front of an IPv4 header. */
static void an_ipv4_header(struct kunit *test)
{
	int first;

	for (first = 0; first < 256; first++) {
		bytes()[0] = first;
		KUNIT_EXPECT_EQ(test, ib_get_rdma_header_version(&hdr), 4);
	}
}

static void a_damaged_ipv4_header(struct kunit *test)
{
	int i;

	/* Only the version is left to tell; and a 6 in front is believed. */
	for (i = 1; i < 20; i++) {
		hdr_set_up(test);
		bytes()[20 + i] ^= 0x01;
		KUNIT_EXPECT_EQ_MSG(test, ib_get_rdma_header_version(&hdr), 4, "%d", i);
		bytes()[0] = 0x60;
		KUNIT_EXPECT_EQ_MSG(test, ib_get_rdma_header_version(&hdr), 6, "%d", i);
	}
}

/* RoCE v2 has none, even if the sum over the first 20 bytes is right. */
static void an_ipv4_header_with_options(struct kunit *test)
{
	bytes()[0] = 0x60;
	KUNIT_EXPECT_EQ(test, ib_get_rdma_header_version(&hdr), 4);
	bytes()[20] += 0x01;
	bytes()[20 + 10] -= 0x01;
	KUNIT_EXPECT_EQ(test, ib_get_rdma_header_version(&hdr), 6);
}

static void neither(struct kunit *test)
{
	bytes()[20] = 0x55;
	KUNIT_EXPECT_EQ(test, ib_get_rdma_header_version(&hdr), 0);
	bytes()[0] = 0x6f;
	KUNIT_EXPECT_EQ(test, ib_get_rdma_header_version(&hdr), 6);
}

static void gids(struct kunit *test)
{
	static const u8 mapped_1[16] = { [10] = 0xff, 0xff, 10, 0, 0, 1 };
	static const u8 mapped_2[16] = { [10] = 0xff, 0xff, 10, 0, 0, 2 };
	static const enum rdma_network_type with_grh[] = {
		RDMA_NETWORK_IB, RDMA_NETWORK_ROCE_V1, RDMA_NETWORK_IPV6,
	};
	union ib_gid sgid, dgid;
	int i;

	KUNIT_EXPECT_EQ(test, ib_get_gids_from_rdma_hdr(&hdr, RDMA_NETWORK_IPV4, &sgid, &dgid), 0);
	KUNIT_EXPECT_MEMEQ(test, sgid.raw, mapped_1, 16);
	KUNIT_EXPECT_MEMEQ(test, dgid.raw, mapped_2, 16);

	for (i = 0; i < 40; i++)
		bytes()[i] = i;
	for (i = 0; i < ARRAY_SIZE(with_grh); i++) {
		memset(&sgid, 0, sizeof(sgid));
		memset(&dgid, 0, sizeof(dgid));
		KUNIT_EXPECT_EQ(test, 0,
				ib_get_gids_from_rdma_hdr(&hdr, with_grh[i], &sgid, &dgid));
		KUNIT_EXPECT_MEMEQ(test, sgid.raw, bytes() + 8, 16);
		KUNIT_EXPECT_MEMEQ(test, dgid.raw, bytes() + 24, 16);
	}
	KUNIT_EXPECT_EQ(test, ib_get_gids_from_rdma_hdr(&hdr, 77, &sgid, &dgid), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_get_gids_from_rdma_hdr(&hdr, RDMA_NETWORK_IB, NULL, &dgid),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, ib_get_gids_from_rdma_hdr(&hdr, RDMA_NETWORK_IB, &sgid, NULL),
			-EINVAL);
}

static struct kunit_case rdma_hdr_cases[] = {
	KUNIT_CASE(an_ipv4_header),
	KUNIT_CASE(a_damaged_ipv4_header),
	KUNIT_CASE(an_ipv4_header_with_options),
	KUNIT_CASE(neither),
	KUNIT_CASE(gids),
	{}
};

static struct kunit_suite rdma_hdr_suite = {
	.name = "verbs_rdma_hdr",
	.init = hdr_set_up,
	.test_cases = rdma_hdr_cases,
};

kunit_test_suites(&rdma_hdr_suite);
