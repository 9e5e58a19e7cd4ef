// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "cache.h"

static void names(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, ib_cache_gid_type_str(IB_GID_TYPE_IB), "IB/RoCE v1");
	KUNIT_EXPECT_STREQ(test, ib_cache_gid_type_str(IB_GID_TYPE_ROCE), "IB/RoCE v1");
	KUNIT_EXPECT_STREQ(test, ib_cache_gid_type_str(IB_GID_TYPE_ROCE_UDP_ENCAP), "RoCE v2");
	KUNIT_EXPECT_STREQ(test, ib_cache_gid_type_str(IB_GID_TYPE_SIZE), "Invalid GID type");
}

static void parse(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str("IB/RoCE v1"), IB_GID_TYPE_IB);
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str("RoCE v2"), IB_GID_TYPE_ROCE_UDP_ENCAP);
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str("RoCE v2\n"),
			IB_GID_TYPE_ROCE_UDP_ENCAP);
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str("RoCE v2\n\n"), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str("RoCE v"), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str("RoCE v22"), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str("\n"), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_cache_gid_parse_type_str(""), -EINVAL);
}

static void zero(struct kunit *test)
{
	union ib_gid gid = {};
	unsigned int byte;

	KUNIT_EXPECT_TRUE(test, rdma_is_zero_gid(&gid));
	for (byte = 0; byte < sizeof(gid); byte++) {
		gid.raw[byte] = 1;
		KUNIT_EXPECT_FALSE(test, rdma_is_zero_gid(&gid));
		gid.raw[byte] = 0;
	}
}

static unsigned long types_of(u32 core_cap_flags)
{
	static struct ib_port_data ports[2];
	static struct ib_device device = { .port_data = ports };

	ports[1].immutable.core_cap_flags = core_cap_flags;
	return roce_gid_type_mask_support(&device, 1);
}

static void types(struct kunit *test)
{
	const u32 v1 = RDMA_CORE_CAP_PROT_ROCE, v2 = RDMA_CORE_CAP_PROT_ROCE_UDP_ENCAP;

	KUNIT_EXPECT_EQ(test, types_of(RDMA_CORE_CAP_PROT_IB), BIT(IB_GID_TYPE_IB));
	KUNIT_EXPECT_EQ(test, types_of(v1), BIT(IB_GID_TYPE_ROCE));
	KUNIT_EXPECT_EQ(test, types_of(v2), BIT(IB_GID_TYPE_ROCE_UDP_ENCAP));
	KUNIT_EXPECT_EQ(test, types_of(v1 | v2),
			BIT(IB_GID_TYPE_ROCE) | BIT(IB_GID_TYPE_ROCE_UDP_ENCAP));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names),
	KUNIT_CASE(parse),
	KUNIT_CASE(zero),
	KUNIT_CASE(types),
	{}
};

static struct kunit_suite suite = {
	.name = "gid_type",
	.test_cases = cases,
};

kunit_test_suite(suite);
