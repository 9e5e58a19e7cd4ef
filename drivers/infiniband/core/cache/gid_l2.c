// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A RoCE port's GID belongs to a netdev, and with it come a MAC address and maybe a VLAN.
 */

#include <linux/etherdevice.h>
#include <linux/if_vlan.h>

#include "cache.h"

#define NO_VLAN	0xffff

/**
 * rdma_read_gid_attr_ndev_rcu - netdev of a GID
 * @attr: attributes that the caller holds
 *
 * Context: RCU read-side critical section; after it the netdev may be gone.
 * Return: the netdev; -EINVAL: the GID has left its table; -ENODEV: it has no netdev.
 */
struct net_device *rdma_read_gid_attr_ndev_rcu(const struct ib_gid_attr *attr)
{
	struct net_device *ndev = rcu_dereference(attr->ndev);

	if (!gid_entry_valid(gid_entry_of(attr)))
		return ERR_PTR(-EINVAL);
	return ndev ?: ERR_PTR(-ENODEV);
}
EXPORT_SYMBOL(rdma_read_gid_attr_ndev_rcu);

static int vlan_of_first(struct net_device *lower, struct netdev_nested_priv *priv)
{
	u16 *vlan_id = priv->data;

	if (is_vlan_dev(lower))
		*vlan_id = vlan_dev_vlan_id(lower);
	return 1;
}

/* A netdev on a VLAN's netdev (macvlan, say) is in that VLAN. It's not looked for further down. */
static u16 vlan_of(struct net_device *ndev)
{
	u16 vlan_id = NO_VLAN;
	struct netdev_nested_priv priv = { .data = &vlan_id };

	if (is_vlan_dev(ndev))
		return vlan_dev_vlan_id(ndev);
	netdev_walk_all_lower_dev_rcu(ndev, vlan_of_first, &priv);
	return vlan_id;
}

/**
 * rdma_read_gid_l2_fields - source MAC address and VLAN of what's sent with a GID
 * @attr: attributes that the caller holds
 * @vlan_id: where the VLAN goes, 0xffff if there's none; may be NULL
 * @smac: where the MAC address goes; may be NULL
 *
 * Context: Any.
 * Return: 0; -ENODEV: the GID has no netdev, or no more.
 */
int rdma_read_gid_l2_fields(const struct ib_gid_attr *attr, u16 *vlan_id, u8 *smac)
{
	struct net_device *ndev;

	guard(rcu)();
	ndev = rcu_dereference(attr->ndev);
	if (!ndev)
		return -ENODEV;

	if (smac)
		ether_addr_copy(smac, ndev->dev_addr);
	if (vlan_id)
		*vlan_id = vlan_of(ndev);
	return 0;
}
EXPORT_SYMBOL(rdma_read_gid_l2_fields);
