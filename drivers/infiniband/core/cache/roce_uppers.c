// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A netdev and all that are stacked on it. They are held first: a GID can't be added where the
 * stack can be looked at.
 */

#include <linux/slab.h>

#include "cache.h"

#define SPARE_UPPERS	4

struct upper {
	struct net_device *ndev;
	netdevice_tracker tracker;
};

struct uppers {
	unsigned int count;
	unsigned int room;
	struct upper *upper;
};

/* Counts also those for which there's no room. */
static int note_upper(struct net_device *ndev, struct netdev_nested_priv *priv)
{
	struct uppers *uppers = priv->data;
	struct upper *upper;

	if (uppers->count < uppers->room) {
		upper = &uppers->upper[uppers->count];
		upper->ndev = ndev;
		netdev_hold(ndev, &upper->tracker, GFP_ATOMIC);
	}
	uppers->count++;
	return 0;
}

static void note_all(struct net_device *ndev, struct uppers *uppers)
{
	struct netdev_nested_priv priv = { .data = uppers };

	guard(rcu)();
	netdev_walk_all_upper_dev_rcu(ndev, note_upper, &priv);
}

static void forget_all(struct uppers *uppers)
{
	unsigned int i;

	for (i = 0; i < min(uppers->count, uppers->room); i++)
		netdev_put(uppers->upper[i].ndev, &uppers->upper[i].tracker);
	uppers->count = 0;
	uppers->room = 0;
	kvfree(uppers->upper);
	uppers->upper = NULL;
}

static int read_uppers(struct net_device *ndev, struct uppers *uppers)
{
	unsigned int count;

	for (note_all(ndev, uppers); uppers->count > uppers->room; note_all(ndev, uppers)) {
		count = uppers->count + SPARE_UPPERS;
		forget_all(uppers);
		uppers->upper = kvcalloc(count, sizeof(*uppers->upper), GFP_KERNEL);
		if (!uppers->upper)
			return -ENOMEM;
		uppers->room = count;
	}
	return 0;
}

/**
 * roce_with_uppers - do something for a netdev, and then for all that are stacked on it
 * @port: passed to @fn
 * @ndev: the netdev
 * @fn: what's done; it sleeps
 *
 * Context: Sleeps.
 * Return: whether @fn said true for any of them.
 */
bool roce_with_uppers(const struct roce_port *port, struct net_device *ndev, roce_ndev_fn fn)
{
	struct uppers uppers = {};
	bool changed = fn(port, ndev);
	unsigned int i;

	if (read_uppers(ndev, &uppers))
		ibdev_warn(port->device, "port %u: no memory: netdevs on %s aren't followed\n",
			   port->port_num, netdev_name(ndev));
	for (i = 0; i < uppers.count; i++)
		changed |= fn(port, uppers.upper[i].ndev);
	forget_all(&uppers);
	return changed;
}
