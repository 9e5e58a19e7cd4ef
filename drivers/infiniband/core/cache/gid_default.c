// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A RoCE port has a GID even before its netdev has an address.
 */

#include <net/addrconf.h>

#include "cache.h"

/**
 * gid_default - default GID of a netdev: fe80::/64 with the modified EUI-64 of its MAC address
 * @ndev: an Ethernet netdev
 * @gid: where to
 *
 * Context: Any.
 */
void gid_default(struct net_device *ndev, union ib_gid *gid)
{
	gid->global.subnet_prefix = cpu_to_be64(0xfe80000000000000ULL);
	addrconf_ifid_eui48(&gid->raw[8], ndev);
}
