// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A RoCE port that is new, or has a new netdev, gets the GIDs of all netdevs that there are.
 */

#include <linux/rtnetlink.h>

#include "cache.h"

/*
 * RTNL is held until the GIDs are in the table. A netdev that is unregistered meanwhile says so
 * under RTNL, hence later, and its GIDs are removed after they were added.
 */
static bool scan_netdevs(const struct roce_port *port)
{
	struct net_device *ndev;
	bool changed = false;
	struct net *net;

	rtnl_lock();
	down_read(&net_rwsem);
	for_each_net(net)
		for_each_netdev(net, ndev)
			changed |= roce_add_all(port, ndev);
	up_read(&net_rwsem);
	rtnl_unlock();
	return changed;
}

static void scan_port(struct ib_device *device, u32 port_num, struct net_device *ndev,
		      void *context)
{
	const struct roce_port port = {
		.device = device,
		.port_num = port_num,
		.ndev = ndev,
	};

	if (ndev)
		roce_changed(&port, scan_netdevs(&port));
}

/**
 * rdma_roce_rescan_device - add all GIDs of netdevs to the tables of a device's RoCE ports
 * @device: the device, whose caches are there; ports that aren't RoCE's are left alone
 *
 * What is there already stays, also if no netdev gives it any more.
 *
 * Context: Sleeps; takes RTNL.
 */
void rdma_roce_rescan_device(struct ib_device *device)
{
	rdma_walk_roce_ports(device, scan_port, NULL);
}
EXPORT_SYMBOL(rdma_roce_rescan_device);

/**
 * rdma_roce_rescan_port - add all GIDs of netdevs to the table of a RoCE port
 * @device: the device, whose caches are there
 * @port_num: a valid port number of it; if the port isn't RoCE's nothing is done
 *
 * Context: Sleeps; takes RTNL.
 */
void rdma_roce_rescan_port(struct ib_device *device, u32 port_num)
{
	struct net_device *ndev;

	if (!rdma_protocol_roce(device, port_num))
		return;
	ndev = ib_device_get_netdev(device, port_num);
	scan_port(device, port_num, ndev, NULL);
	dev_put(ndev);
}
EXPORT_SYMBOL(rdma_roce_rescan_port);
