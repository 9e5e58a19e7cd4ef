// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The IP addresses of a netdev. They are copied first: a GID can't be added where addresses can be
 * looked at.
 */

#include <linux/inetdevice.h>
#include <linux/slab.h>
#include <net/addrconf.h>
#include <rdma/ib_addr.h>

#include "cache.h"

/* Addresses that may come while memory is got for those that were counted. */
#define SPARE_GIDS	4

/*
 * Copies as many GIDs as there's room for behind those that are there; returns how many there
 * are.
 */
static unsigned int ipv4_gids(struct net_device *ndev, union ib_gid *gids, unsigned int count,
			      unsigned int room)
{
	const struct in_device *in_dev;
	const struct in_ifaddr *ifa;

	guard(rcu)();
	in_dev = __in_dev_get_rcu(ndev);
	if (!in_dev)
		return count;
	in_dev_for_each_ifa_rcu(ifa, in_dev) {
		if (count < room)
			ipv6_addr_set_v4mapped(ifa->ifa_address,
					       (struct in6_addr *)&gids[count]);
		count++;
	}
	return count;
}

static unsigned int ipv6_gids(struct net_device *ndev, union ib_gid *gids, unsigned int count,
			      unsigned int room)
{
	struct inet6_dev *in6_dev = in6_dev_get(ndev);
	const struct inet6_ifaddr *ifa;

	if (!in6_dev)
		return count;
	read_lock_bh(&in6_dev->lock);
	list_for_each_entry(ifa, &in6_dev->addr_list, if_list) {
		if (count < room)
			memcpy(&gids[count], &ifa->addr, sizeof(ifa->addr));
		count++;
	}
	read_unlock_bh(&in6_dev->lock);
	in6_dev_put(in6_dev);
	return count;
}

static unsigned int all_gids(struct net_device *ndev, union ib_gid *gids, unsigned int room)
{
	unsigned int count = ipv4_gids(ndev, gids, 0, room);

	if (IS_ENABLED(CONFIG_IPV6))
		count = ipv6_gids(ndev, gids, count, room);
	return count;
}

/**
 * roce_addresses_read - copy the addresses of a netdev
 * @ndev: the netdev; one that's on its way out has none
 * @addresses: IPv4 first, each family in the order in which the netdev has them; freed with
 *	roce_addresses_free()
 *
 * Context: Sleeps.
 * Return: 0 or -ENOMEM; then there are no addresses.
 */
int roce_addresses_read(struct net_device *ndev, struct roce_addresses *addresses)
{
	unsigned int count, room = 0;

	addresses->count = 0;
	addresses->gids = NULL;
	if (ndev->reg_state >= NETREG_UNREGISTERING)
		return 0;

	while ((count = all_gids(ndev, addresses->gids, room)) > room) {
		room = count + SPARE_GIDS;
		kvfree(addresses->gids);
		addresses->gids = kvcalloc(room, sizeof(*addresses->gids), GFP_KERNEL);
		if (!addresses->gids)
			return -ENOMEM;
	}
	addresses->count = count;
	return 0;
}

/**
 * roce_addresses_free - free the copy of a netdev's addresses
 * @addresses: from roce_addresses_read()
 *
 * Context: Any that may free vmalloc()'s memory.
 */
void roce_addresses_free(struct roce_addresses *addresses)
{
	kvfree(addresses->gids);
}
