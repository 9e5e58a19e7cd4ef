// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * RoCE's GIDs are IP addresses. What an address vector or a path lacks of the link layer comes from
 * the IP network; see the InfiniBand specification, annex A17.9.
 */

#include <linux/completion.h>
#include <linux/etherdevice.h>
#include <linux/jiffies.h>
#include <rdma/ib_sa.h>

#include "addr.h"

#define DMAC_TIMEOUT_MS	1000

union ip_sockaddr {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
};

struct sync_wait {
	struct addr_wait wait;
	struct completion over;
};

static void wake(struct addr_wait *wait, const void *news)
{
	complete(&container_of(wait, struct sync_wait, wait)->over);
}

static void wait_until(unsigned long deadline, struct neighbour *neighbour)
{
	unsigned long now = jiffies;
	struct sync_wait sync = {};

	init_completion(&sync.over);
	addr_neighbour_wait(&sync.wait, neighbour, wake);
	if (time_before(now, deadline))
		wait_for_completion_timeout(&sync.over, deadline - now);
	addr_wait_end(&sync.wait);
}

/* It's not a request in the queue: who waits may be somebody's callback, in the queue itself. */
static int resolve_until(unsigned long deadline, union ip_sockaddr *src,
			 const union ip_sockaddr *dst, struct rdma_dev_addr *addr)
{
	struct addr_missing missing;
	bool last = false;
	int ret;

	while (!last) {
		last = time_after_eq(jiffies, deadline);
		ret = addr_resolve(&src->any, &dst->any, addr, true, &missing);
		if (ret != -ENODATA)
			return ret;
		if (!missing.neighbour)
			return -ENOMEM;
		if (!last)
			wait_until(deadline, missing.neighbour);
		neigh_release(missing.neighbour);
	}
	return -ETIMEDOUT;
}

/**
 * rdma_find_dmac - destination MAC address of a RoCE address vector
 * @sgid: the source GID
 * @dgid: the destination GID, a unicast one
 * @dmac: where the MAC address goes
 * @sgid_attr: attributes of the source GID, held
 * @hop_limit: where the hop limit of the route goes
 *
 * Context: Sleeps, for a second at most.
 * Return: 0; -EINVAL: one GID is an IPv4 address and the other isn't, or the source GID has left
 * its table; -ENODEV: it has no netdev; -ETIMEDOUT: the neighbour doesn't answer; or there's no
 * route.
 */
int rdma_find_dmac(const union ib_gid *sgid, const union ib_gid *dgid, u8 *dmac,
		   const struct ib_gid_attr *sgid_attr, int *hop_limit)
{
	struct rdma_dev_addr addr = { .sgid_attr = sgid_attr };
	union ip_sockaddr src, dst;
	int ret;

	rdma_gid2ip(&src.any, sgid);
	rdma_gid2ip(&dst.any, dgid);
	if (src.any.sa_family != dst.any.sa_family)
		return -EINVAL;

	ret = resolve_until(jiffies + msecs_to_jiffies(DMAC_TIMEOUT_MS), &src, &dst, &addr);
	if (ret)
		return ret;
	ether_addr_copy(dmac, addr.dst_dev_addr);
	*hop_limit = addr.hoplimit;
	return 0;
}

int rdma_roce_resolve_route(struct sa_path_rec *rec, const struct ib_gid_attr *attr)
{
	struct rdma_dev_addr addr = { .sgid_attr = attr };
	union ip_sockaddr src, dst;
	struct addr_route route;
	int ret;

	if (rec->roce.route_resolved)
		return 0;

	rdma_gid2ip(&src.any, &rec->sgid);
	rdma_gid2ip(&dst.any, &rec->dgid);
	if (src.any.sa_family != dst.any.sa_family || !attr)
		return -EINVAL;

	ret = addr_route_find(&src.any, &dst.any, &addr, true, &route);
	if (ret)
		return ret;
	dst_release(route.dst);
	if (addr.network != RDMA_NETWORK_IB && rec->rec_type != SA_PATH_REC_TYPE_ROCE_V2)
		return -EINVAL;
	rec->roce.route_resolved = true;
	return 0;
}
EXPORT_SYMBOL(rdma_roce_resolve_route);
