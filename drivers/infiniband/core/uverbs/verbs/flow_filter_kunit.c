// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "flow.h"

/* A user's filter: a header, a value and a mask of the same size. */
struct user_filter {
	struct ib_uverbs_flow_spec_hdr hdr;
	u8 data[128];
};

/* Value and mask: as much of the patterns as there is room for; beyond @used, zero. */
static void make(struct user_filter *user, u32 type, size_t size, size_t used)
{
	size_t i;

	memset(user, 0, sizeof(*user));
	user->hdr.type = type;
	user->hdr.size = sizeof(user->hdr) + 2 * size;
	for (i = 0; i < used; i++) {
		user->data[i] = 0x40 + i;
		user->data[size + i] = 0x80 + i;
	}
}

static int parse(const struct user_filter *user, union ib_flow_spec *spec)
{
	memset(spec, 0, sizeof(*spec));
	return uverbs_flow_filter(&user->hdr, spec);
}

/* Without those that have narrow fields, which the pattern overflows. */
static const struct {
	u32 type;
	size_t filter_size;
	size_t spec_size;
	size_t val;
	size_t mask;
} kinds[] = {
#define KIND(type, spec)                                                             \
	{ type, sizeof_field(spec, val), sizeof(spec), offsetof(spec, val), offsetof(spec, mask) }
	KIND(IB_FLOW_SPEC_ETH, struct ib_flow_spec_eth),
	KIND(IB_FLOW_SPEC_IPV4, struct ib_flow_spec_ipv4),
	KIND(IB_FLOW_SPEC_TCP, struct ib_flow_spec_tcp_udp),
	KIND(IB_FLOW_SPEC_UDP, struct ib_flow_spec_tcp_udp),
	KIND(IB_FLOW_SPEC_ESP, struct ib_flow_spec_esp),
	KIND(IB_FLOW_SPEC_GRE, struct ib_flow_spec_gre),
	KIND(IB_FLOW_SPEC_MPLS, struct ib_flow_spec_mpls),
	KIND(IB_FLOW_SPEC_INNER | IB_FLOW_SPEC_ETH, struct ib_flow_spec_eth),
	KIND(IB_FLOW_SPEC_INNER | IB_FLOW_SPEC_UDP, struct ib_flow_spec_tcp_udp),
#undef KIND
};

static void expect_copied(struct kunit *test, int kind, const struct user_filter *user,
			  size_t user_size, const union ib_flow_spec *spec)
{
	size_t size = min(user_size, kinds[kind].filter_size);
	size_t rest = kinds[kind].filter_size - size;
	const u8 *val = (const u8 *)spec + kinds[kind].val;
	const u8 *mask = (const u8 *)spec + kinds[kind].mask;

	KUNIT_EXPECT_EQ(test, spec->type, kinds[kind].type);
	KUNIT_EXPECT_EQ(test, (size_t)spec->size, kinds[kind].spec_size);
	KUNIT_EXPECT_MEMEQ(test, val, user->data, size);
	KUNIT_EXPECT_MEMEQ(test, mask, user->data + user_size, size);
	KUNIT_EXPECT_NULL(test, memchr_inv(val + size, 0, rest));
	KUNIT_EXPECT_NULL(test, memchr_inv(mask + size, 0, rest));
}

/* Any program's idea of a filter's size: what it doesn't know is zero, and what we don't. */
static void sizes(struct kunit *test)
{
	struct user_filter user;
	union ib_flow_spec spec;
	size_t size, known;
	int kind;

	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		known = kinds[kind].filter_size;
		for (size = 4; size <= 40; size += 4) {
			make(&user, kinds[kind].type, size, min(size, known));
			KUNIT_ASSERT_EQ(test, parse(&user, &spec), 0);
			expect_copied(test, kind, &user, size, &spec);
			if (size <= known)
				continue;
			user.data[size - 1] = 1;
			KUNIT_EXPECT_EQ(test, parse(&user, &spec), 0);
			user.data[2 * size - 1] = 1;
			KUNIT_EXPECT_EQ(test, parse(&user, &spec), -EINVAL);
		}
	}
}

static void bad_sizes(struct kunit *test)
{
	struct user_filter user;
	union ib_flow_spec spec;
	int bytes;

	for (bytes = 0; bytes < 64; bytes++) {
		make(&user, IB_FLOW_SPEC_ETH, 16, 0);
		user.hdr.size = sizeof(user.hdr) + bytes;
		KUNIT_EXPECT_EQ(test, parse(&user, &spec), bytes && bytes % 8 == 0 ? 0 : -EINVAL);
	}
}

static bool is_known(u32 type)
{
	int kind;

	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++)
		if ((kinds[kind].type & ~IB_FLOW_SPEC_INNER) == (type & ~IB_FLOW_SPEC_INNER))
			return true;
	return type == IB_FLOW_SPEC_VXLAN_TUNNEL ||
	       (type & ~IB_FLOW_SPEC_INNER) == IB_FLOW_SPEC_IPV6;
}

static void types(struct kunit *test)
{
	struct user_filter user;
	union ib_flow_spec spec;
	u32 type;

	for (type = 0; type < IB_FLOW_SPEC_ACTION_TAG; type++) {
		make(&user, type, 4, 0);
		KUNIT_EXPECT_EQ_MSG(test, parse(&user, &spec), is_known(type) ? 0 : -EINVAL,
				    "type 0x%x", type);
	}
}

static void ipv6(struct kunit *test)
{
	struct ib_uverbs_flow_spec_ipv6 user = {
		.type = IB_FLOW_SPEC_IPV6,
		.size = sizeof(user),
		.val = { .src_ip = { 1, 2 }, .flow_label = cpu_to_be32(0xfffff), .hop_limit = 3 },
		.mask = { .src_ip = { 255, 255 }, .flow_label = cpu_to_be32(0xfffff),
			  .hop_limit = 255 },
	};
	union ib_flow_spec spec = {};

	KUNIT_ASSERT_EQ(test, uverbs_flow_filter(&user.hdr, &spec), 0);
	KUNIT_EXPECT_EQ(test, (size_t)spec.size, sizeof(spec.ipv6));
	KUNIT_EXPECT_EQ(test, spec.ipv6.val.src_ip[1], 2);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(spec.ipv6.val.flow_label), 0xfffff);
	KUNIT_EXPECT_EQ(test, spec.ipv6.val.hop_limit, 3);
	KUNIT_EXPECT_EQ(test, spec.ipv6.mask.hop_limit, 255);

	user.val.flow_label = cpu_to_be32(0x100000);
	KUNIT_EXPECT_EQ(test, uverbs_flow_filter(&user.hdr, &spec), -EINVAL);
	user.val.flow_label = 0;
	user.mask.flow_label = cpu_to_be32(0x100000);
	KUNIT_EXPECT_EQ(test, uverbs_flow_filter(&user.hdr, &spec), -EINVAL);
}

static void tunnel(struct kunit *test)
{
	struct ib_uverbs_flow_spec_tunnel user = {
		.type = IB_FLOW_SPEC_VXLAN_TUNNEL,
		.size = sizeof(user),
		.val = { .tunnel_id = cpu_to_be32(0xffffff) },
		.mask = { .tunnel_id = cpu_to_be32(0xffffff) },
	};
	union ib_flow_spec spec = {};

	KUNIT_ASSERT_EQ(test, uverbs_flow_filter(&user.hdr, &spec), 0);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(spec.tunnel.val.tunnel_id), 0xffffff);

	user.val.tunnel_id = cpu_to_be32(0x1000000);
	KUNIT_EXPECT_EQ(test, uverbs_flow_filter(&user.hdr, &spec), -EINVAL);
	user.val.tunnel_id = 0;
	user.mask.tunnel_id = cpu_to_be32(0x1000000);
	KUNIT_EXPECT_EQ(test, uverbs_flow_filter(&user.hdr, &spec), -EINVAL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(sizes),
	KUNIT_CASE(bad_sizes),
	KUNIT_CASE(types),
	KUNIT_CASE(ipv6),
	KUNIT_CASE(tunnel),
	{}
};

static struct kunit_suite suite = {
	.name = "uverbs_flow_filter",
	.test_cases = cases,
};

kunit_test_suite(suite);
