// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The route to a destination. It tells the source address, if that's left open, the netdev, and
 * whether the destination is behind a gateway.
 */

#include <linux/netdevice.h>
#include <net/ip6_route.h>
#include <net/ipv6_stubs.h>
#include <net/route.h>
#include <rdma/ib_cache.h>

#include "addr.h"

/* Where the route begins. */
struct origin {
	struct net *net;
	int ifindex;	/* 0: any */
};

/*
 * The namespace and number of a netdev don't change within a read-side critical section: a netdev
 * that moves is closed first, and a grace period waited for.
 */
static int find_origin_rcu(const struct rdma_dev_addr *addr, bool by_gid_attr,
			   struct origin *origin)
{
	struct net_device *ndev;

	if (!by_gid_attr) {
		origin->net = addr->net;
		origin->ifindex = addr->bound_dev_if;
		return origin->net ? 0 : -EINVAL;
	}

	if (!addr->sgid_attr)
		return -EINVAL;
	ndev = rdma_read_gid_attr_ndev_rcu(addr->sgid_attr);
	if (IS_ERR(ndev))
		return PTR_ERR(ndev);
	origin->net = dev_net(ndev);
	origin->ifindex = ndev->ifindex;
	return 0;
}

static int find_ipv4(const struct origin *origin, struct sockaddr_in *src,
		     const struct sockaddr_in *dst, struct rdma_dev_addr *addr,
		     struct addr_route *route)
{
	struct flowi4 flow = {
		.flowi4_oif = origin->ifindex,
		.daddr = dst->sin_addr.s_addr,
		.saddr = src->sin_addr.s_addr,
	};
	struct rtable *rt = ip_route_output_key(origin->net, &flow);

	if (IS_ERR(rt))
		return PTR_ERR(rt);

	src->sin_addr.s_addr = flow.saddr;
	addr->hoplimit = ip4_dst_hoplimit(&rt->dst);
	route->gateway = rt->rt_uses_gateway;
	route->dst = &rt->dst;
	return 0;
}

static int find_ipv6(const struct origin *origin, struct sockaddr_in6 *src,
		     const struct sockaddr_in6 *dst, struct rdma_dev_addr *addr,
		     struct addr_route *route)
{
	struct flowi6 flow = {
		.flowi6_oif = origin->ifindex,
		.daddr = dst->sin6_addr,
		.saddr = src->sin6_addr,
	};
	struct dst_entry *entry;

	entry = ipv6_stub->ipv6_dst_lookup_flow(origin->net, NULL, &flow, NULL);
	if (IS_ERR(entry))
		return PTR_ERR(entry);

	if (ipv6_addr_any(&src->sin6_addr))
		src->sin6_addr = flow.saddr;
	addr->hoplimit = ip6_dst_hoplimit(entry);
	route->gateway = dst_rt6_info(entry)->rt6i_flags & RTF_GATEWAY;
	route->dst = entry;
	return 0;
}

/* Of RoCE's GIDs only those of version 2 are routed, so behind a gateway it's clear which it is. */
static enum rdma_network_type network_of(const struct addr_route *route,
					 const struct net_device *ndev, sa_family_t family)
{
	if (!route->gateway || ndev->type == ARPHRD_INFINIBAND)
		return RDMA_NETWORK_IB;
	return family == AF_INET ? RDMA_NETWORK_IPV4 : RDMA_NETWORK_IPV6;
}

/* There's no RDMA on the loopback netdev: the one that has the destination's address stands in. */
static int set_source_rcu(const struct origin *origin, const struct sockaddr *dst,
			  struct rdma_dev_addr *addr, struct addr_route *route)
{
	struct net_device *ndev = route->dst->dev, *source;

	route->loopback = ndev->flags & IFF_LOOPBACK;
	if (route->loopback)
		ndev = addr_local_ndev_rcu(dev_net(ndev), dst);
	if (IS_ERR(ndev))
		return -ENODEV;

	source = ndev;
	if (route->loopback && origin->ifindex)
		source = dev_get_by_index_rcu(origin->net, origin->ifindex);
	if (!source)
		return -ENODEV;
	rdma_copy_src_l2_addr(addr, source);
	addr->network = network_of(route, ndev, dst->sa_family);
	return 0;
}

/**
 * addr_route_find - find the route to a destination
 * @src: the source, IPv4 or IPv6; an unspecified address is set to the one that's chosen
 * @dst: the destination, of the same family
 * @addr: gets the source's link layer, the kind of network and the hop limit
 * @by_gid_attr: begin at the netdev of @addr's sgid_attr, instead of its net and bound_dev_if
 * @route: on success referenced: dst_release()
 *
 * Context: Process.
 * Return: 0; -EINVAL: there's no place to begin at; -ENODEV: the netdev is gone; or what the
 * network's routing says.
 */
int addr_route_find(struct sockaddr *src, const struct sockaddr *dst, struct rdma_dev_addr *addr,
		    bool by_gid_attr, struct addr_route *route)
{
	struct origin origin;
	int ret;

	guard(rcu)();
	ret = find_origin_rcu(addr, by_gid_attr, &origin);
	if (ret)
		return ret;

	if (dst->sa_family == AF_INET)
		ret = find_ipv4(&origin, (struct sockaddr_in *)src,
				(const struct sockaddr_in *)dst, addr, route);
	else
		ret = find_ipv6(&origin, (struct sockaddr_in6 *)src,
				(const struct sockaddr_in6 *)dst, addr, route);
	if (ret)
		return ret;

	ret = set_source_rcu(&origin, dst, addr, route);
	if (ret)
		dst_release(route->dst);
	return ret;
}
