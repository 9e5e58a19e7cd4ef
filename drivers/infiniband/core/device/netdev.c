// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The network device that a port of RoCE or iWARP has. */

#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/slab.h>

#include "device.h"

/*
 * Ports by the address of their netdev, for readers under RCU. Whoever finds a port there finds its
 * device's memory, too: both are freed after a grace period.
 */
static DEFINE_HASHTABLE(ports_by_netdev, 6);

/*
 * Guards ports_by_netdev, and the order of changes: a port is hashed by the netdev that it has.
 * Taken inside RTNL; nothing but netdev_lock is taken inside it.
 */
static DEFINE_MUTEX(netdevs_mutex);

/* Returns what the port had. */
static struct net_device *exchange_netdev(struct ib_port_data *port, struct net_device *ndev)
{
	struct net_device *old;
	unsigned long flags;

	spin_lock_irqsave(&port->netdev_lock, flags);
	old = rcu_replace_pointer(port->netdev, ndev, lockdep_is_held(&port->netdev_lock));
	if (old != ndev) {
		netdev_put(old, &port->netdev_tracker);
		netdev_hold(ndev, &port->netdev_tracker, GFP_ATOMIC);
	}
	spin_unlock_irqrestore(&port->netdev_lock, flags);
	return old;
}

/* Returns true if the port had another one. */
static bool set_port_netdev(struct ib_port_data *port, struct net_device *ndev)
{
	bool changed;

	mutex_lock(&netdevs_mutex);
	changed = exchange_netdev(port, ndev) != ndev;
	if (changed && hash_hashed(&port->ndev_hash_link)) {
		hash_del_rcu(&port->ndev_hash_link);
		/* A reader that stands on it must not be led into another bucket. */
		synchronize_rcu();
	}
	if (changed && ndev)
		hash_add_rcu(ports_by_netdev, &port->ndev_hash_link, (uintptr_t)ndev);
	mutex_unlock(&netdevs_mutex);
	return changed;
}

/**
 * ib_device_set_netdev - say which netdev a port has
 * @device: the device, registered or not; the number of its ports must be known
 * @ndev: the netdev, or NULL. It is held until another one is set, which the caller does before it
 *	goes away.
 * @port_num: the port
 *
 * Context: Sleeps; RTNL may be held.
 * Return: 0, -EINVAL if there is no such port, -ENOMEM.
 */
int ib_device_set_netdev(struct ib_device *device, struct net_device *ndev, u32 port_num)
{
	int err;

	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;
	err = rdma_ports_alloc(device);
	if (err)
		return err;
	if (!set_port_netdev(&device->port_data[port_num], ndev))
		return 0;
	if (rdma_device_is_named(device))
		rdma_nl_notify(device, port_num,
			       ndev ? RDMA_NETDEV_ATTACH_EVENT : RDMA_NETDEV_DETACH_EVENT);
	return 0;
}
EXPORT_SYMBOL(ib_device_set_netdev);

/**
 * rdma_netdevs_drop - let go of the netdevs of all ports
 * @device: the device, which isn't registered any more
 */
void rdma_netdevs_drop(struct ib_device *device)
{
	u32 port_num;

	if (!device->port_data)
		return;
	rdma_for_each_port(device, port_num)
		set_port_netdev(&device->port_data[port_num], NULL);
}

/**
 * ib_device_get_netdev - the netdev of a port
 * @device: the device
 * @port_num: the port
 *
 * Context: Any.
 * Return: the netdev, to be put with dev_put(), or NULL.
 */
struct net_device *ib_device_get_netdev(struct ib_device *device, u32 port_num)
{
	struct ib_port_data *port;
	struct net_device *ndev;
	unsigned long flags;

	if (!rdma_is_port_valid(device, port_num) || !device->port_data)
		return NULL;
	if (device->ops.get_netdev)
		return device->ops.get_netdev(device, port_num);

	port = &device->port_data[port_num];
	spin_lock_irqsave(&port->netdev_lock, flags);
	ndev = rcu_dereference_protected(port->netdev, lockdep_is_held(&port->netdev_lock));
	dev_hold(ndev);
	spin_unlock_irqrestore(&port->netdev_lock, flags);
	return ndev;
}
EXPORT_SYMBOL(ib_device_get_netdev);

static bool port_matches(const struct ib_port_data *port, const struct net_device *ndev,
			 enum rdma_driver_id driver_id)
{
	if (rcu_access_pointer(port->netdev) != ndev)
		return false;
	return driver_id == RDMA_DRIVER_UNKNOWN || port->ib_dev->ops.driver_id == driver_id;
}

/**
 * ib_device_get_by_netdev - find the device that has a netdev
 * @ndev: the netdev, as given to ib_device_set_netdev()
 * @driver_id: the driver that the device must be of; RDMA_DRIVER_UNKNOWN: any
 *
 * Context: Any.
 * Return: a registered device, to be put with ib_device_put(), or NULL.
 */
struct ib_device *ib_device_get_by_netdev(struct net_device *ndev, enum rdma_driver_id driver_id)
{
	struct ib_device *found = NULL;
	struct ib_port_data *port;

	rcu_read_lock();
	hash_for_each_possible_rcu(ports_by_netdev, port, ndev_hash_link, (uintptr_t)ndev) {
		if (port_matches(port, ndev, driver_id) && ib_device_try_get(port->ib_dev)) {
			found = port->ib_dev;
			break;
		}
	}
	rcu_read_unlock();
	return found;
}
EXPORT_SYMBOL(ib_device_get_by_netdev);

/**
 * rdma_walk_roce_ports - call a function for each RoCE port of a device
 * @device: the device
 * @fn: gets the port's netdev, held during the call, or NULL if it has none
 * @context: for @fn
 *
 * Context: May sleep if @fn does.
 */
void rdma_walk_roce_ports(struct ib_device *device, rdma_roce_port_fn fn, void *context)
{
	u32 port_num;

	rdma_for_each_port(device, port_num) {
		struct net_device *ndev;

		if (!rdma_protocol_roce(device, port_num))
			continue;
		ndev = ib_device_get_netdev(device, port_num);
		fn(device, port_num, ndev, context);
		dev_put(ndev);
	}
}

/**
 * rdma_walk_all_roce_ports - call a function for each RoCE port whose GIDs follow its netdev
 * @fn: as of rdma_walk_roce_ports()
 * @context: for @fn
 *
 * Context: Sleeps, holds rdma_devices_rwsem for reading.
 */
void rdma_walk_all_roce_ports(rdma_roce_port_fn fn, void *context)
{
	struct ib_device *device;
	unsigned long index;

	down_read(&rdma_devices_rwsem);
	xa_for_each_marked(&rdma_devices, index, device, RDMA_DEVICE_GID_UPDATES)
		rdma_walk_roce_ports(device, fn, context);
	up_read(&rdma_devices_rwsem);
}
