// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Which GIDs a netdev gives to the table of a RoCE port: each of its addresses, and a default GID;
 * each once for each type of GIDs that the port has. See the InfiniBand specification, annexes A16
 * and A17.
 */

#include <linux/bitops.h>

#include "cache.h"

static int hw_add(const struct ib_gid_attr *attr, void **context)
{
	struct ib_device *device = attr->device;

	if (!rdma_cap_roce_gid_table(device, attr->port_num))
		return 0;
	return device->ops.add_gid(attr, context);
}

static void hw_remove(const struct ib_gid_attr *attr, void **context)
{
	struct ib_device *device = attr->device;

	if (rdma_cap_roce_gid_table(device, attr->port_num))
		device->ops.del_gid(attr, context);
}

const struct gid_table_ops roce_table_ops = {
	.add = hw_add,
	.remove = hw_remove,
};

static bool add(const struct roce_port *port, struct net_device *ndev, const union ib_gid *gid,
		enum gid_slots slots)
{
	unsigned long types = roce_gid_type_mask_support(port->device, port->port_num);
	struct ib_gid_table *table = gid_table_of(port->device, port->port_num);
	struct ib_gid_attr attr = {
		.device = port->device,
		.port_num = port->port_num,
		.gid = *gid,
	};
	bool changed = false;
	unsigned int type;
	int ret;

	RCU_INIT_POINTER(attr.ndev, ndev);
	for_each_set_bit(type, &types, IB_GID_TYPE_SIZE) {
		attr.gid_type = type;
		ret = gid_table_add(table, &attr, slots);
		if (!ret)
			changed = true;
		else if (ret != -EEXIST)
			ibdev_warn_ratelimited(port->device, "port %u: no GID %pI6c: %d\n",
					       port->port_num, gid->raw, ret);
	}
	return changed;
}

/**
 * roce_add_gid - add the GIDs of an address
 * @port: the port
 * @ndev: the netdev that has the address
 * @gid: the address
 *
 * Context: Sleeps.
 * Return: whether the table changed.
 */
bool roce_add_gid(const struct roce_port *port, struct net_device *ndev, const union ib_gid *gid)
{
	return add(port, ndev, gid, GID_SLOTS_OTHER);
}

/**
 * roce_add_default - add the default GIDs of a netdev, unless it has some
 * @port: the port
 * @ndev: the netdev
 *
 * Context: Sleeps.
 * Return: whether the table changed.
 */
bool roce_add_default(const struct roce_port *port, struct net_device *ndev)
{
	union ib_gid gid;

	gid_default(ndev, &gid);
	return add(port, ndev, &gid, GID_SLOTS_RESERVED);
}

/**
 * roce_add_addresses - add the GIDs of all addresses of a netdev
 * @port: the port
 * @ndev: the netdev
 *
 * Context: Sleeps.
 * Return: whether the table changed.
 */
bool roce_add_addresses(const struct roce_port *port, struct net_device *ndev)
{
	struct roce_addresses addresses;
	bool changed = false;
	unsigned int i;

	if (roce_addresses_read(ndev, &addresses))
		ibdev_warn(port->device, "port %u: no memory for the addresses of %s\n",
			   port->port_num, netdev_name(ndev));
	for (i = 0; i < addresses.count; i++)
		changed |= roce_add_gid(port, ndev, &addresses.gids[i]);
	roce_addresses_free(&addresses);
	return changed;
}

/**
 * roce_add_all - add all GIDs that a netdev gives to a port
 * @port: the port
 * @ndev: the netdev, which may have nothing to do with the port
 *
 * Context: Sleeps.
 * Return: whether the table changed.
 */
bool roce_add_all(const struct roce_port *port, struct net_device *ndev)
{
	bool changed = false;

	if (roce_port_defaults_to(port->ndev, ndev))
		changed |= roce_add_default(port, ndev);
	if (roce_port_serves(port->ndev, ndev))
		changed |= roce_add_addresses(port, ndev);
	return changed;
}

static bool remove(const struct roce_port *port, const struct gid_match *match)
{
	return gid_table_remove(gid_table_of(port->device, port->port_num), match);
}

/**
 * roce_remove_gid - remove the GIDs of an address
 * @port: the port
 * @ndev: the netdev that had the address
 * @gid: the address
 *
 * Context: Sleeps.
 * Return: whether the table changed.
 */
bool roce_remove_gid(const struct roce_port *port, struct net_device *ndev,
		     const union ib_gid *gid)
{
	const struct gid_match match = {
		.gid = gid,
		.type = GID_TYPE_ANY,
		.ndev = ndev,
		.slots = GID_SLOTS_OTHER,
	};

	return remove(port, &match);
}

/**
 * roce_remove_default - remove the default GIDs of a netdev
 * @port: the port
 * @ndev: the netdev
 *
 * Context: Sleeps.
 * Return: whether the table changed.
 */
bool roce_remove_default(const struct roce_port *port, struct net_device *ndev)
{
	const struct gid_match match = {
		.type = GID_TYPE_ANY,
		.ndev = ndev,
		.slots = GID_SLOTS_RESERVED,
	};

	return remove(port, &match);
}

/**
 * roce_remove_all - remove all GIDs of a netdev
 * @port: the port
 * @ndev: the netdev
 *
 * Context: Sleeps.
 * Return: whether the table changed.
 */
bool roce_remove_all(const struct roce_port *port, struct net_device *ndev)
{
	const struct gid_match match = { .type = GID_TYPE_ANY, .ndev = ndev };

	return remove(port, &match);
}

/**
 * roce_changed - tell a device's clients that the GIDs of a port changed
 * @port: the port
 * @changed: nothing is done unless it's true
 *
 * One event stands for all that one cause changed.
 *
 * Context: Sleeps; no lock of the caches is held.
 */
void roce_changed(const struct roce_port *port, bool changed)
{
	struct ib_event event = {
		.device = port->device,
		.element.port_num = port->port_num,
		.event = IB_EVENT_GID_CHANGE,
	};

	if (changed)
		rdma_call_event_handlers(&event);
}

/**
 * roce_del_all_netdev_gids - remove all GIDs of a netdev from the table of a RoCE port
 * @device: the device
 * @port_num: a valid port number of it
 * @ndev: the netdev, which the port needn't have any more
 *
 * Context: Sleeps.
 */
void roce_del_all_netdev_gids(struct ib_device *device, u32 port_num, struct net_device *ndev)
{
	const struct roce_port port = {
		.device = device,
		.port_num = port_num,
		.ndev = ndev,
	};

	roce_changed(&port, roce_remove_all(&port, ndev));
}
EXPORT_SYMBOL(roce_del_all_netdev_gids);
