// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A flow's filters: which packets are meant, header by header. Behind its own header, a user's
 * filter has a value and a mask of the same size, which can be another than the kernel's: programs
 * may be older or newer.
 */

#include "flow.h"

struct filter_layout {
	u16 spec_size;
	u16 filter_size;
	u16 val;
	u16 mask;
};

#define LAYOUT(spec) {                           \
	.spec_size = sizeof(spec),               \
	.filter_size = sizeof_field(spec, val),  \
	.val = offsetof(spec, val),              \
	.mask = offsetof(spec, mask),            \
}

static const struct filter_layout *find_layout(u32 type)
{
	static const struct filter_layout eth = LAYOUT(struct ib_flow_spec_eth);
	static const struct filter_layout ipv4 = LAYOUT(struct ib_flow_spec_ipv4);
	static const struct filter_layout ipv6 = LAYOUT(struct ib_flow_spec_ipv6);
	static const struct filter_layout tcp_udp = LAYOUT(struct ib_flow_spec_tcp_udp);
	static const struct filter_layout tunnel = LAYOUT(struct ib_flow_spec_tunnel);
	static const struct filter_layout esp = LAYOUT(struct ib_flow_spec_esp);
	static const struct filter_layout gre = LAYOUT(struct ib_flow_spec_gre);
	static const struct filter_layout mpls = LAYOUT(struct ib_flow_spec_mpls);

	switch (type & ~IB_FLOW_SPEC_INNER) {
	case IB_FLOW_SPEC_ETH:
		return &eth;
	case IB_FLOW_SPEC_IPV4:
		return &ipv4;
	case IB_FLOW_SPEC_IPV6:
		return &ipv6;
	case IB_FLOW_SPEC_TCP:
	case IB_FLOW_SPEC_UDP:
		return &tcp_udp;
	case IB_FLOW_SPEC_VXLAN_TUNNEL:
		/* There's no tunnel inside of one. */
		return type & IB_FLOW_SPEC_INNER ? NULL : &tunnel;
	case IB_FLOW_SPEC_ESP:
		return &esp;
	case IB_FLOW_SPEC_GRE:
		return &gre;
	case IB_FLOW_SPEC_MPLS:
		return &mpls;
	default:
		return NULL;
	}
}

static bool fits(__be32 val, __be32 mask, int bits)
{
	return !((be32_to_cpu(val) | be32_to_cpu(mask)) >> bits);
}

/* Fields that are narrower than what holds them. */
static bool values_are_valid(const union ib_flow_spec *spec)
{
	switch (spec->type & ~IB_FLOW_SPEC_INNER) {
	case IB_FLOW_SPEC_IPV6:
		return fits(spec->ipv6.val.flow_label, spec->ipv6.mask.flow_label, 20);
	case IB_FLOW_SPEC_VXLAN_TUNNEL:
		return fits(spec->tunnel.val.tunnel_id, spec->tunnel.mask.tunnel_id, 24);
	default:
		return true;
	}
}

/* @spec is zero; @user is all there, as long as it says. */
int uverbs_flow_filter(const struct ib_uverbs_flow_spec_hdr *user, union ib_flow_spec *spec)
{
	const struct filter_layout *layout = find_layout(user->type);
	const u8 *val = (const u8 *)(user + 1);
	size_t user_size, size;
	const u8 *mask;

	if (!layout)
		return -EINVAL;
	user_size = user->size - sizeof(*user);
	if (!user_size || !IS_ALIGNED(user_size, 2 * sizeof(u32)))
		return -EINVAL;
	user_size /= 2;
	mask = val + user_size;
	size = min_t(size_t, user_size, layout->filter_size);
	/* This kernel doesn't know what else there is to look at. */
	if (memchr_inv(mask + size, 0, user_size - size))
		return -EINVAL;

	spec->type = user->type;
	spec->size = layout->spec_size;
	memcpy((u8 *)spec + layout->val, val, size);
	memcpy((u8 *)spec + layout->mask, mask, size);
	return values_are_valid(spec) ? 0 : -EINVAL;
}
