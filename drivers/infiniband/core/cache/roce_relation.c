// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A RoCE port sends and receives through one netdev. Netdevs stacked on that one (VLANs, a bond, a
 * bridge) reach the network through the same port, and their addresses are GIDs of it, too.
 */

#include <linux/if_vlan.h>
#include <net/bonding.h>
#include <rdma/ib_addr.h>

#include "cache.h"

/**
 * roce_is_lower - tell whether a netdev is stacked on another, at whatever height
 * @ndev: the lower one; NULL isn't stacked on anything
 * @upper: the upper one
 *
 * Context: Any.
 * Return: true if it is.
 */
bool roce_is_lower(struct net_device *ndev, struct net_device *upper)
{
	guard(rcu)();
	return ndev && netdev_has_upper_dev_all_rcu(ndev, upper);
}

/* In a bond that uses one netdev at a time, @ndev isn't the one. */
static bool is_inactive_in(const struct net_device *ndev, struct net_device *bond)
{
	const struct net_device *active;

	if (!netif_is_bond_master(bond))
		return false;
	active = bond_option_active_slave_get_rcu(netdev_priv(bond));
	return active && active != ndev;
}

/**
 * roce_port_serves - tell whether a netdev's addresses are GIDs of a port
 * @port_ndev: the port's netdev; NULL: it has none
 * @ndev: the netdev
 *
 * Context: Any.
 * Return: true if what @ndev sends goes out through @port_ndev.
 */
bool roce_port_serves(struct net_device *port_ndev, struct net_device *ndev)
{
	struct net_device *base;

	guard(rcu)();
	base = rdma_vlan_dev_real_dev(ndev) ?: ndev;
	if (base == port_ndev)
		return true;
	return roce_is_lower(port_ndev, ndev) && !is_inactive_in(port_ndev, base);
}

/**
 * roce_port_defaults_to - tell whether a port's default GIDs come from a netdev
 * @port_ndev: the port's netdev; NULL: it has none
 * @ndev: the netdev
 *
 * Context: Any.
 * Return: true if @ndev is the port's netdev and not in a bond, or if it's the bond.
 */
bool roce_port_defaults_to(struct net_device *port_ndev, struct net_device *ndev)
{
	if (ndev == port_ndev)
		return !netif_is_bond_slave(port_ndev);
	return netif_is_bond_master(ndev) && roce_is_lower(port_ndev, ndev);
}
