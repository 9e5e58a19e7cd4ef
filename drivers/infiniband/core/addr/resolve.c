// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * One attempt to find out how a destination is reached.
 */

#include "addr.h"

static const void *ip_of(const struct sockaddr *addr)
{
	if (addr->sa_family == AF_INET)
		return &((const struct sockaddr_in *)addr)->sin_addr;
	return &((const struct sockaddr_in6 *)addr)->sin6_addr;
}

static int find_link_addr(const struct addr_route *route, const struct sockaddr *dst,
			  struct rdma_dev_addr *addr, struct addr_missing *missing)
{
	if (route->loopback) {
		memcpy(addr->dst_dev_addr, addr->src_dev_addr, MAX_ADDR_LEN);
		return 0;
	}
	if (route->gateway && addr->network == RDMA_NETWORK_IB) {
		missing->ls = addr_ls_listens();
		return missing->ls ? -ENODATA : -EADDRNOTAVAIL;
	}
	return addr_neighbour_find(route->dst, ip_of(dst), addr->dst_dev_addr,
				   &missing->neighbour);
}

/**
 * addr_resolve - find out how a destination is reached
 * @src: the source, IPv4 or IPv6; an unspecified address is set to the one that's chosen
 * @dst: the destination, of the same family
 * @addr: see addr_route_find(); gets also the destination's link-layer address
 * @by_gid_attr: see addr_route_find()
 * @missing: with -ENODATA: what isn't known yet; its neighbour is to be released
 *
 * Context: Process.
 * Return: 0; -ENODATA: another attempt may succeed; -EADDRNOTAVAIL: the destination is behind an
 * IP router of an InfiniBand network, and there's nobody to ask; or what addr_route_find() says.
 */
int addr_resolve(struct sockaddr *src, const struct sockaddr *dst, struct rdma_dev_addr *addr,
		 bool by_gid_attr, struct addr_missing *missing)
{
	struct addr_route route;
	int ret;

	*missing = (struct addr_missing) {};
	ret = addr_route_find(src, dst, addr, by_gid_attr, &route);
	if (ret)
		return ret;
	ret = find_link_addr(&route, dst, addr, missing);
	dst_release(route.dst);
	return ret;
}
