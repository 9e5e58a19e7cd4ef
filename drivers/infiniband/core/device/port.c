// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Ports: what is kept of them, and what drivers tell of them (IBTA 11.2.1). */

#include <linux/inetdevice.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_mad.h>

#include "device.h"

/*
 * ib_device.port_data points to @ports, which are by port number: the first of them isn't used on
 * devices whose ports start with 1.
 */
struct port_array {
	struct rcu_head rcu;
	struct ib_port_data ports[];
};

static void init_port_data(struct ib_port_data *port, struct ib_device *device)
{
	port->ib_dev = device;
	spin_lock_init(&port->pkey_list_lock);
	INIT_LIST_HEAD(&port->pkey_list);
	spin_lock_init(&port->netdev_lock);
	INIT_HLIST_NODE(&port->ndev_hash_link);
}

/**
 * rdma_ports_alloc - allocate what is kept of the ports, unless that is done
 * @device: the device, whose number of ports is known
 *
 * Return: 0; -EINVAL if there is no port, or if their numbers would wrap; -ENOMEM.
 */
int rdma_ports_alloc(struct ib_device *device)
{
	struct port_array *array;
	u32 port_num;

	if (device->port_data)
		return 0;
	if (WARN_ON(!device->phys_port_cnt || device->phys_port_cnt == U32_MAX))
		return -EINVAL;

	array = kzalloc(struct_size(array, ports, size_add(rdma_end_port(device), 1)), GFP_KERNEL);
	if (!array)
		return -ENOMEM;
	device->port_data = array->ports;
	rdma_for_each_port(device, port_num)
		init_port_data(&device->port_data[port_num], device);
	return 0;
}

/**
 * rdma_ports_free - undo that
 * @device: the device. ib_device_get_by_netdev() may still look at its ports for a grace period.
 */
void rdma_ports_free(struct ib_device *device)
{
	kfree_rcu(container_of(device->port_data, struct port_array, ports[0]), rcu);
}

/**
 * rdma_ports_set_up - ask the driver for what doesn't change while the device is registered
 * @device: the device
 *
 * Return: 0; -EINVAL if a port without MADs has a size of them; an errno of the driver; -ENOMEM.
 */
int rdma_ports_set_up(struct ib_device *device)
{
	u32 port_num;
	int err;

	/* First: drivers call ib_query_port() inside. */
	err = rdma_ports_alloc(device);
	if (err)
		return err;
	rdma_for_each_port(device, port_num) {
		err = device->ops.get_port_immutable(device, port_num,
						     &device->port_data[port_num].immutable);
		if (err)
			return err;
		if (WARN_ON(!rdma_cap_ib_mad(device, port_num) &&
			    rdma_max_mad_size(device, port_num)))
			return -EINVAL;
	}
	return 0;
}

/**
 * ib_port_immutable_read - what doesn't change of a port while its device is registered
 * @device: the device
 * @port_num: a port of it
 *
 * Context: Any.
 * Return: valid as long as the device exists.
 */
const struct ib_port_immutable *ib_port_immutable_read(struct ib_device *device,
						       unsigned int port_num)
{
	WARN_ON(!rdma_is_port_valid(device, port_num));
	return &device->port_data[port_num].immutable;
}
EXPORT_SYMBOL(ib_port_immutable_read);

/**
 * rdma_node_get_transport - the transport that a kind of node speaks
 * @node_type: enum rdma_node_type
 *
 * Context: Any.
 * Return: the transport; InfiniBand's for all that isn't another's.
 */
enum rdma_transport_type __attribute_const__ rdma_node_get_transport(unsigned int node_type)
{
	switch (node_type) {
	case RDMA_NODE_RNIC:
		return RDMA_TRANSPORT_IWARP;
	case RDMA_NODE_USNIC:
		return RDMA_TRANSPORT_USNIC;
	case RDMA_NODE_USNIC_UDP:
		return RDMA_TRANSPORT_USNIC_UDP;
	case RDMA_NODE_UNSPECIFIED:
		return RDMA_TRANSPORT_UNSPECIFIED;
	default:
		return RDMA_TRANSPORT_IB;
	}
}
EXPORT_SYMBOL(rdma_node_get_transport);

/**
 * rdma_port_get_link_layer - the link layer of a port
 * @device: the device
 * @port_num: a port of it
 *
 * Context: Any.
 * Return: what the driver says, or else what the kind of node tells.
 */
enum rdma_link_layer rdma_port_get_link_layer(struct ib_device *device, u32 port_num)
{
	if (device->ops.get_link_layer)
		return device->ops.get_link_layer(device, port_num);
	return rdma_node_get_transport(device->node_type) == RDMA_TRANSPORT_IB ?
	       IB_LINK_LAYER_INFINIBAND : IB_LINK_LAYER_ETHERNET;
}
EXPORT_SYMBOL(rdma_port_get_link_layer);

static bool has_ip_address(const struct net_device *ndev)
{
	const struct in_device *in_dev;
	bool has;

	rcu_read_lock();
	in_dev = __in_dev_get_rcu(ndev);
	has = in_dev && rcu_access_pointer(in_dev->ifa_list);
	rcu_read_unlock();
	return has;
}

/* iWARP has no port states of its own: the netdev's are told in InfiniBand's terms. */
static int fill_from_netdev(struct ib_device *device, u32 port_num, struct ib_port_attr *attr)
{
	struct net_device *ndev = ib_device_get_netdev(device, port_num);

	if (!ndev)
		return -ENODEV;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = ib_mtu_int_to_enum(ndev->mtu);
	if (!netif_carrier_ok(ndev)) {
		attr->state = IB_PORT_DOWN;
		attr->phys_state = IB_PORT_PHYS_STATE_DISABLED;
	} else if (has_ip_address(ndev)) {
		attr->state = IB_PORT_ACTIVE;
		attr->phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	} else {
		attr->state = IB_PORT_INIT;
		attr->phys_state = IB_PORT_PHYS_STATE_PORT_CONFIGURATION_TRAINING;
	}
	dev_put(ndev);
	return 0;
}

/**
 * ib_query_port - ask for the attributes of a port (IBTA 11.2.1.4)
 * @device: the device
 * @port_num: a port
 * @attr: all of it is filled in
 *
 * Drivers of InfiniBand may leave the subnet prefix zero, then it's the one of the GIDs.
 *
 * Context: Sleeps; the driver may take RTNL.
 * Return: 0; -EINVAL if there is no such port; -ENODEV for iWARP without a netdev; an errno of the
 * driver.
 */
int ib_query_port(struct ib_device *device, u32 port_num, struct ib_port_attr *attr)
{
	int err;

	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;

	memset(attr, 0, sizeof(*attr));
	if (rdma_protocol_iwarp(device, port_num)) {
		err = fill_from_netdev(device, port_num, attr);
		if (err)
			return err;
		return device->ops.query_port(device, port_num, attr);
	}

	err = device->ops.query_port(device, port_num, attr);
	if (err)
		return err;
	if (!attr->subnet_prefix &&
	    rdma_port_get_link_layer(device, port_num) == IB_LINK_LAYER_INFINIBAND)
		ib_get_cached_subnet_prefix(device, port_num, &attr->subnet_prefix);
	return 0;
}
EXPORT_SYMBOL(ib_query_port);

/**
 * ib_modify_port - change the attributes of a port (IBTA 11.2.1.5)
 * @device: the device
 * @port_num: a port
 * @mask: enum ib_port_modify_flags
 * @modify: capability bits to be set and to be cleared
 *
 * A RoCE driver needs no operation for what nobody sees, the bit of communication management.
 *
 * Context: Sleeps.
 * Return: 0; -EINVAL if there is no such port; -EOPNOTSUPP; an errno of the driver.
 */
int ib_modify_port(struct ib_device *device, u32 port_num, int mask, struct ib_port_modify *modify)
{
	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;
	if (device->ops.modify_port)
		return device->ops.modify_port(device, port_num, mask, modify);
	if (rdma_protocol_roce(device, port_num) &&
	    (!(modify->set_port_cap_mask & ~IB_PORT_CM_SUP) ||
	     !(modify->clr_port_cap_mask & ~IB_PORT_CM_SUP)))
		return 0;
	return -EOPNOTSUPP;
}
EXPORT_SYMBOL(ib_modify_port);

/**
 * ib_modify_device - change the attributes of a device (IBTA 11.2.1.3)
 * @device: the device
 * @mask: enum ib_device_modify_flags
 * @modify: the new values
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP; an errno of the driver.
 */
int ib_modify_device(struct ib_device *device, int mask, struct ib_device_modify *modify)
{
	if (!device->ops.modify_device)
		return -EOPNOTSUPP;
	return device->ops.modify_device(device, mask, modify);
}
EXPORT_SYMBOL(ib_modify_device);

/**
 * ib_get_device_fw_str - the version of a device's firmware
 * @device: the device
 * @str: IB_FW_VERSION_NAME_MAX bytes
 *
 * Context: May sleep.
 */
void ib_get_device_fw_str(struct ib_device *device, char *str)
{
	str[0] = '\0';
	if (device->ops.get_dev_fw_str)
		device->ops.get_dev_fw_str(device, str);
}
EXPORT_SYMBOL(ib_get_device_fw_str);

/**
 * ib_query_pkey - ask the device for an entry of a P_Key table
 * @device: the device
 * @port_num: a port
 * @index: of the entry
 * @pkey: its value
 *
 * Context: Sleeps.
 * Return: 0; -EINVAL if there is no such port; -EOPNOTSUPP; an errno of the driver.
 */
int ib_query_pkey(struct ib_device *device, u32 port_num, u16 index, u16 *pkey)
{
	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;
	if (!device->ops.query_pkey)
		return -EOPNOTSUPP;
	return device->ops.query_pkey(device, port_num, index, pkey);
}
EXPORT_SYMBOL(ib_query_pkey);

#define PKEY_FULL_MEMBER	0x8000
#define PKEY_PARTITION		0x7fff

/**
 * ib_find_pkey - look a partition up in the device's P_Key table
 * @device: the device
 * @port_num: a port
 * @pkey: the partition; its membership doesn't matter
 * @index: of the first entry that is a full member, or else of the first limited member
 *
 * The device is asked, not the cache: after an event that may be behind.
 *
 * Context: Sleeps.
 * Return: 0, -ENOENT, or an errno of ib_query_pkey().
 */
int ib_find_pkey(struct ib_device *device, u32 port_num, u16 pkey, u16 *index)
{
	int count, i, limited = -1;

	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;
	count = device->port_data[port_num].immutable.pkey_tbl_len;
	for (i = 0; i < count; i++) {
		u16 entry;
		int err = ib_query_pkey(device, port_num, i, &entry);

		if (err)
			return err;
		if ((entry ^ pkey) & PKEY_PARTITION)
			continue;
		if (entry & PKEY_FULL_MEMBER) {
			*index = i;
			return 0;
		}
		if (limited < 0)
			limited = i;
	}
	if (limited < 0)
		return -ENOENT;
	*index = limited;
	return 0;
}
EXPORT_SYMBOL(ib_find_pkey);

static int find_gid_on_port(struct ib_device *device, u32 port_num, const union ib_gid *gid)
{
	int count = device->port_data[port_num].immutable.gid_tbl_len;
	union ib_gid entry;
	int i;

	for (i = 0; i < count; i++)
		if (!rdma_query_gid(device, port_num, i, &entry) &&
		    !memcmp(&entry, gid, sizeof(entry)))
			return i;
	return -ENOENT;
}

/**
 * ib_find_gid - find the InfiniBand port that has a GID
 * @device: the device
 * @gid: the GID
 * @port_num: the first port that has it
 * @index: in the GID table of @port_num; may be NULL
 *
 * Context: Any.
 * Return: 0 or -ENOENT.
 */
int ib_find_gid(struct ib_device *device, union ib_gid *gid, u32 *port_num, u16 *index)
{
	u32 port;

	rdma_for_each_port(device, port) {
		int found;

		if (!rdma_protocol_ib(device, port))
			continue;
		found = find_gid_on_port(device, port, gid);
		if (found < 0)
			continue;
		*port_num = port;
		if (index)
			*index = found;
		return 0;
	}
	return -ENOENT;
}
EXPORT_SYMBOL(ib_find_gid);
