// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The Ethernet part of a RoCE address vector, from its GIDs (IBTA annexes 16 and 17). */

#include <net/ip.h>
#include <net/ipv6.h>
#include <rdma/ib_addr.h>

#include "verbs.h"

static void multicast_dmac(const struct in6_addr *dgid, u8 *dmac)
{
	if (ipv6_addr_v4mapped(dgid))
		ip_eth_mc_map(dgid->s6_addr32[3], dmac);
	else
		ipv6_eth_mc_map(dgid, dmac);
}

int rdma_ah_resolve_unicast_dmac(struct rdma_ah_attr *ah_attr)
{
	struct ib_global_route *grh = rdma_ah_retrieve_grh(ah_attr);
	const struct ib_gid_attr *sgid_attr = grh->sgid_attr;
	int hop_limit = 0xff;
	int ret;

	/* RoCE v1 has no IP routes, and a link-local GID is made of the MAC. */
	if (sgid_attr->gid_type == IB_GID_TYPE_ROCE &&
	    rdma_link_local_addr((struct in6_addr *)&grh->dgid)) {
		rdma_get_ll_mac((struct in6_addr *)&grh->dgid, ah_attr->roce.dmac);
		return 0;
	}

	ret = rdma_find_dmac(&sgid_attr->gid, &grh->dgid, ah_attr->roce.dmac, sgid_attr,
			     &hop_limit);
	grh->hop_limit = hop_limit;
	return ret;
}

int rdma_ah_resolve_dmac(struct rdma_ah_attr *ah_attr)
{
	const struct in6_addr *dgid = (const struct in6_addr *)&ah_attr->grh.dgid;

	if (!rdma_is_multicast_addr((struct in6_addr *)dgid))
		return rdma_ah_resolve_unicast_dmac(ah_attr);
	multicast_dmac(dgid, ah_attr->roce.dmac);
	return 0;
}
