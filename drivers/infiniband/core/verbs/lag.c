// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * RoCE over a bond: which of the bonded ports a flow takes. The bond decides by a hash over a
 * packet's headers, so it's asked with a packet that has those of the flow and nothing else.
 */

#include <linux/etherdevice.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <rdma/ib_cache.h>
#include <rdma/lag.h>

#include "verbs.h"

#define HEADERS_MAX (ETH_HLEN + sizeof(struct ipv6hdr) + sizeof(struct udphdr))

static void push_udp(struct sk_buff *skb, const struct ib_global_route *grh)
{
	struct udphdr *udp = skb_push(skb, sizeof(*udp));

	skb_reset_transport_header(skb);
	*udp = (struct udphdr) {
		.source = htons(rdma_flow_label_to_udp_sport(grh->flow_label)),
		.dest = htons(ROCE_V2_UDP_DPORT),
		.len = htons(sizeof(*udp)),
	};
}

static void push_ipv4(struct sk_buff *skb, const struct in6_addr *src, const struct in6_addr *dst)
{
	struct iphdr *ip4 = skb_push(skb, sizeof(*ip4));

	skb_reset_network_header(skb);
	*ip4 = (struct iphdr) {
		.version = 4,
		.ihl = 5,
		.tot_len = htons(skb->len),
		.protocol = IPPROTO_UDP,
		.saddr = src->s6_addr32[3],
		.daddr = dst->s6_addr32[3],
	};
}

static void push_ipv6(struct sk_buff *skb, const struct ib_global_route *grh,
		      const struct in6_addr *src, const struct in6_addr *dst)
{
	__be16 payload_len = htons(skb->len);
	struct ipv6hdr *ip6 = skb_push(skb, sizeof(*ip6));

	skb_reset_network_header(skb);
	*ip6 = (struct ipv6hdr) {
		.payload_len = payload_len,
		.nexthdr = IPPROTO_UDP,
		.saddr = *src,
		.daddr = *dst,
	};
	ip6_flow_hdr(ip6, grh->traffic_class, htonl(grh->flow_label));
}

static void push_eth(struct sk_buff *skb, const struct rdma_ah_attr *ah_attr, const u8 *smac,
		     u16 proto)
{
	struct ethhdr *eth = skb_push(skb, sizeof(*eth));

	skb_reset_mac_header(skb);
	ether_addr_copy(eth->h_source, smac);
	ether_addr_copy(eth->h_dest, ah_attr->roce.dmac);
	eth->h_proto = htons(proto);
	skb->protocol = eth->h_proto;
}

static struct sk_buff *flow_packet(struct net_device *bond, const struct rdma_ah_attr *ah_attr,
				   gfp_t gfp)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(ah_attr);
	const struct in6_addr *src = (const struct in6_addr *)&grh->sgid_attr->gid;
	const struct in6_addr *dst = (const struct in6_addr *)&grh->dgid;
	bool ipv4 = ipv6_addr_v4mapped(dst);
	u8 smac[ETH_ALEN];
	struct sk_buff *skb;
	int ret;

	ret = rdma_read_gid_l2_fields(grh->sgid_attr, NULL, smac);
	if (ret)
		return ERR_PTR(ret);
	skb = alloc_skb(LL_RESERVED_SPACE(bond) + HEADERS_MAX, gfp);
	if (!skb)
		return ERR_PTR(-ENOMEM);

	skb->dev = bond;
	skb_reserve(skb, LL_RESERVED_SPACE(bond) + HEADERS_MAX);
	push_udp(skb, grh);
	if (ipv4)
		push_ipv4(skb, src, dst);
	else
		push_ipv6(skb, grh, src, dst);
	push_eth(skb, ah_attr, smac, ipv4 ? ETH_P_IP : ETH_P_IPV6);
	return skb;
}

static struct net_device *ask_bond(struct ib_device *device, struct net_device *bond,
				   const struct rdma_ah_attr *ah_attr, gfp_t gfp)
{
	bool all_slaves = device->lag_flags & RDMA_LAG_FLAGS_HASH_ALL_SLAVES;
	struct net_device *slave;
	struct sk_buff *skb;

	skb = flow_packet(bond, ah_attr, gfp);
	if (IS_ERR(skb))
		return ERR_CAST(skb);

	rcu_read_lock();
	slave = netdev_get_xmit_slave(bond, skb, all_slaves);
	dev_hold(slave);
	rcu_read_unlock();
	kfree_skb(skb);
	return slave;
}

/* The netdev of the source GID, held. */
static struct net_device *gid_netdev(const struct ib_gid_attr *sgid_attr)
{
	struct net_device *ndev;

	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(sgid_attr);
	if (!IS_ERR(ndev))
		dev_hold(ndev);
	rcu_read_unlock();
	return ndev;
}

/**
 * rdma_lag_get_ah_roce_slave - the port of a bond that an address's flow takes
 * @device: the device
 * @ah_attr: the address, its source GID filled in
 * @gfp: how to allocate
 *
 * Context: As @gfp.
 * Return: the netdev, held; NULL where there is no bond, or no RoCE v2 flow label to hash; or an
 * ERR_PTR().
 */
struct net_device *rdma_lag_get_ah_roce_slave(struct ib_device *device,
					      struct rdma_ah_attr *ah_attr, gfp_t gfp)
{
	struct net_device *slave = NULL;
	struct net_device *ndev;

	if (ah_attr->type != RDMA_AH_ATTR_TYPE_ROCE || !ah_attr->grh.flow_label ||
	    ah_attr->grh.sgid_attr->gid_type != IB_GID_TYPE_ROCE_UDP_ENCAP)
		return NULL;

	ndev = gid_netdev(ah_attr->grh.sgid_attr);
	if (IS_ERR(ndev))
		return ndev;
	if (netif_is_bond_master(ndev))
		slave = ask_bond(device, ndev, ah_attr, gfp);
	dev_put(ndev);
	return slave;
}

/**
 * rdma_lag_put_ah_roce_slave - drop what rdma_lag_get_ah_roce_slave() returned
 * @xmit_slave: the netdev, or NULL
 *
 * Context: Any.
 */
void rdma_lag_put_ah_roce_slave(struct net_device *xmit_slave)
{
	dev_put(xmit_slave);
}
