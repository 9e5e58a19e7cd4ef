// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Virtual functions and accelerated netdevs, for IPoIB. */

#include <linux/netdevice.h>

#include "device.h"

/**
 * ib_set_vf_link_state - the `ip link set vf state` of a port
 * @device: the device
 * @vf: the virtual function's number
 * @port_num: the port
 * @state: IFLA_VF_LINK_STATE_*
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; an errno of the driver.
 */
int ib_set_vf_link_state(struct ib_device *device, int vf, u32 port_num, int state)
{
	if (!device->ops.set_vf_link_state)
		return -EOPNOTSUPP;
	return device->ops.set_vf_link_state(device, vf, port_num, state);
}
EXPORT_SYMBOL(ib_set_vf_link_state);

/**
 * ib_get_vf_config - what `ip link show` tells of a virtual function
 * @device: the device
 * @vf: its number
 * @port_num: the port
 * @info: filled in
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; an errno of the driver.
 */
int ib_get_vf_config(struct ib_device *device, int vf, u32 port_num, struct ifla_vf_info *info)
{
	if (!device->ops.get_vf_config)
		return -EOPNOTSUPP;
	return device->ops.get_vf_config(device, vf, port_num, info);
}
EXPORT_SYMBOL(ib_get_vf_config);

/**
 * ib_get_vf_stats - the traffic of a virtual function
 * @device: the device
 * @vf: its number
 * @port_num: the port
 * @stats: filled in
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; an errno of the driver.
 */
int ib_get_vf_stats(struct ib_device *device, int vf, u32 port_num, struct ifla_vf_stats *stats)
{
	if (!device->ops.get_vf_stats)
		return -EOPNOTSUPP;
	return device->ops.get_vf_stats(device, vf, port_num, stats);
}
EXPORT_SYMBOL(ib_get_vf_stats);

/**
 * ib_set_vf_guid - give a virtual function a GUID
 * @device: the device
 * @vf: its number
 * @port_num: the port
 * @guid: the GUID
 * @type: IFLA_VF_IB_NODE_GUID or IFLA_VF_IB_PORT_GUID
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; an errno of the driver.
 */
int ib_set_vf_guid(struct ib_device *device, int vf, u32 port_num, u64 guid, int type)
{
	if (!device->ops.set_vf_guid)
		return -EOPNOTSUPP;
	return device->ops.set_vf_guid(device, vf, port_num, guid, type);
}
EXPORT_SYMBOL(ib_set_vf_guid);

/**
 * ib_get_vf_guid - the GUIDs of a virtual function
 * @device: the device
 * @vf: its number
 * @port_num: the port
 * @node_guid: filled in
 * @port_guid: filled in
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; an errno of the driver.
 */
int ib_get_vf_guid(struct ib_device *device, int vf, u32 port_num, struct ifla_vf_guid *node_guid,
		   struct ifla_vf_guid *port_guid)
{
	if (!device->ops.get_vf_guid)
		return -EOPNOTSUPP;
	return device->ops.get_vf_guid(device, vf, port_num, node_guid, port_guid);
}
EXPORT_SYMBOL(ib_get_vf_guid);

static int netdev_params(struct ib_device *device, u32 port_num, enum rdma_netdev_t type,
			 struct rdma_netdev_alloc_params *params)
{
	if (!device->ops.rdma_netdev_get_params)
		return -EOPNOTSUPP;
	return device->ops.rdma_netdev_get_params(device, port_num, type, params);
}

/**
 * rdma_alloc_netdev - allocate a netdev that the driver accelerates
 * @device: the device
 * @port_num: the port
 * @type: what for
 * @name: the netdev's name, or a pattern
 * @name_assign_type: NET_NAME_*
 * @setup: as of alloc_netdev_mqs()
 *
 * Context: Sleeps.
 * Return: the netdev; ERR_PTR of -EOPNOTSUPP if the driver has none, which isn't an error to the
 * caller; of -ENOMEM; of an errno of the driver.
 */
struct net_device *rdma_alloc_netdev(struct ib_device *device, u32 port_num,
				     enum rdma_netdev_t type, const char *name,
				     unsigned char name_assign_type,
				     void (*setup)(struct net_device *))
{
	struct rdma_netdev_alloc_params params;
	struct net_device *ndev;
	int err = netdev_params(device, port_num, type, &params);

	if (err)
		return ERR_PTR(err);
	ndev = alloc_netdev_mqs(params.sizeof_priv, name, name_assign_type, setup, params.txqs,
				params.rxqs);
	return ndev ?: ERR_PTR(-ENOMEM);
}
EXPORT_SYMBOL(rdma_alloc_netdev);

/**
 * rdma_init_netdev - let the driver have its part of a netdev of rdma_alloc_netdev()
 * @device: the device
 * @port_num: the port
 * @type: what for
 * @name: not used; as of rdma_alloc_netdev()
 * @name_assign_type: not used
 * @setup: not used
 * @ndev: the netdev
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; an errno of the driver.
 */
int rdma_init_netdev(struct ib_device *device, u32 port_num, enum rdma_netdev_t type,
		     const char *name, unsigned char name_assign_type,
		     void (*setup)(struct net_device *), struct net_device *ndev)
{
	struct rdma_netdev_alloc_params params;
	int err = netdev_params(device, port_num, type, &params);

	if (err)
		return err;
	return params.initialize_rdma_netdev(device, port_num, ndev, params.param);
}
EXPORT_SYMBOL(rdma_init_netdev);
