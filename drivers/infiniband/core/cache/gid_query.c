// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Looking for GIDs in the tables of a device. A device that is registered has a table for each of
 * its ports. See the InfiniBand specification, 11.2.1.3 "Query HCA" and 4.1.1 "GID usage".
 */

#include <rdma/ib_user_ioctl_verbs.h>

#include "cache.h"

/**
 * rdma_query_gid - copy the GID of an index
 * @device: the device
 * @port_num: the port
 * @index: the index, as anybody may have made it up
 * @gid: where to
 *
 * Context: Any.
 * Return: 0; -EINVAL: there's no such port or index; -ENOENT: the index has no GID.
 */
int rdma_query_gid(struct ib_device *device, u32 port_num, int index, union ib_gid *gid)
{
	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;
	return gid_table_read(gid_table_of(device, port_num), index, gid);
}
EXPORT_SYMBOL(rdma_query_gid);

/**
 * rdma_get_gid_attr - hold the GID of an index
 * @device: the device
 * @port_num: the port
 * @index: the index, as anybody may have made it up
 *
 * Context: Any.
 * Return: the GID's attributes, which stay as they are until rdma_put_gid_attr(); -EINVAL:
 * there's no such port or index; -ENODATA: the index has no GID.
 */
const struct ib_gid_attr *rdma_get_gid_attr(struct ib_device *device, u32 port_num, int index)
{
	if (!rdma_is_port_valid(device, port_num))
		return ERR_PTR(-EINVAL);
	return gid_table_get(gid_table_of(device, port_num), index);
}
EXPORT_SYMBOL(rdma_get_gid_attr);

/**
 * rdma_hold_gid_attr - hold a GID once more
 * @attr: attributes that the caller holds already
 *
 * Context: Any.
 */
void rdma_hold_gid_attr(const struct ib_gid_attr *attr)
{
	refcount_inc(&gid_entry_of(attr)->holders);
}
EXPORT_SYMBOL(rdma_hold_gid_attr);

/**
 * rdma_put_gid_attr - let go of a GID
 * @attr: attributes from any function that returns them held
 *
 * Context: Any.
 */
void rdma_put_gid_attr(const struct ib_gid_attr *attr)
{
	gid_entry_put(gid_entry_of(attr));
}
EXPORT_SYMBOL(rdma_put_gid_attr);

/**
 * rdma_find_gid_by_port - hold a port's GID of which the value is known
 * @device: the device
 * @gid: the GID
 * @gid_type: its type
 * @port_num: the port
 * @ndev: its netdev; NULL: any or none
 *
 * Context: Any.
 * Return: the GID's attributes, for rdma_put_gid_attr(), or -ENOENT.
 */
const struct ib_gid_attr *rdma_find_gid_by_port(struct ib_device *device, const union ib_gid *gid,
						enum ib_gid_type gid_type, u32 port_num,
						struct net_device *ndev)
{
	const struct gid_match match = {
		.gid = gid,
		.type = gid_type,
		.ndev = ndev,
	};

	if (!rdma_is_port_valid(device, port_num))
		return ERR_PTR(-ENOENT);
	return gid_table_find(gid_table_of(device, port_num), &match);
}
EXPORT_SYMBOL(rdma_find_gid_by_port);

/**
 * rdma_find_gid - hold a device's GID of which the value is known
 * @device: the device, each port of which is looked at
 * @gid: the GID
 * @gid_type: its type
 * @ndev: its netdev; NULL: any or none
 *
 * Context: Any.
 * Return: the GID's attributes, for rdma_put_gid_attr(), or -ENOENT.
 */
const struct ib_gid_attr *rdma_find_gid(struct ib_device *device, const union ib_gid *gid,
					enum ib_gid_type gid_type, struct net_device *ndev)
{
	const struct ib_gid_attr *attr;
	u32 port_num;

	rdma_for_each_port(device, port_num) {
		attr = rdma_find_gid_by_port(device, gid, gid_type, port_num, ndev);
		if (!IS_ERR(attr))
			return attr;
	}
	return ERR_PTR(-ENOENT);
}
EXPORT_SYMBOL(rdma_find_gid);

/**
 * rdma_find_gid_by_filter - hold the first of a port's entries with a GID that a filter approves of
 * @device: the device
 * @gid: the GID
 * @port_num: the port
 * @filter: told of each entry with this GID, whatever its type and netdev; mustn't sleep
 * @context: passed to @filter
 *
 * Context: Any.
 * Return: the GID's attributes, for rdma_put_gid_attr(); -EINVAL: there's no such port; -ENOENT.
 */
const struct ib_gid_attr *rdma_find_gid_by_filter(struct ib_device *device,
						  const union ib_gid *gid, u32 port_num,
						  bool (*filter)(const union ib_gid *gid,
								 const struct ib_gid_attr *attr,
								 void *context),
						  void *context)
{
	if (!rdma_is_port_valid(device, port_num))
		return ERR_PTR(-EINVAL);
	return gid_table_find_if(gid_table_of(device, port_num), gid, filter, context);
}

/**
 * rdma_read_gid_hw_context - what the driver remembers of a GID
 * @attr: attributes that the caller holds
 *
 * Context: Any.
 * Return: what the driver's add_gid has set.
 */
void *rdma_read_gid_hw_context(const struct ib_gid_attr *attr)
{
	return gid_entry_of(attr)->context;
}
EXPORT_SYMBOL(rdma_read_gid_hw_context);

static void describe(const struct ib_gid_attr *attr, struct ib_uverbs_gid_entry *description)
{
	struct net_device *ndev = rcu_dereference(attr->ndev);

	description->gid_index = attr->index;
	description->port_num = attr->port_num;
	description->gid_type = attr->gid_type;
	memcpy(&description->gid, &attr->gid, sizeof(attr->gid));
	if (ndev)
		description->netdev_ifindex = ndev->ifindex;
}

/* Returns how many descriptions there are now, or -EINVAL if there's no room. */
static ssize_t describe_port(struct ib_gid_table *table, struct ib_uverbs_gid_entry *descriptions,
			     size_t count, size_t room)
{
	struct gid_entry *entry;
	unsigned int slot;

	guard(rcu)();
	for (slot = 0; slot < table->size; slot++) {
		entry = rcu_dereference(table->slots[slot]);
		if (!gid_entry_valid(entry))
			continue;
		if (count == room)
			return -EINVAL;
		describe(&entry->attr, &descriptions[count++]);
	}
	return count;
}

/**
 * rdma_query_gid_table - copy all GIDs of all ports
 * @device: the device
 * @entries: where to; zeroed by the caller
 * @max_entries: how many there's room for
 *
 * Context: Any.
 * Return: number of GIDs; -EINVAL: there are more than there's room for.
 */
ssize_t rdma_query_gid_table(struct ib_device *device, struct ib_uverbs_gid_entry *entries,
			     size_t max_entries)
{
	ssize_t count = 0;
	u32 port_num;

	rdma_for_each_port(device, port_num) {
		count = describe_port(gid_table_of(device, port_num), entries, count, max_entries);
		if (count < 0)
			break;
	}
	return count;
}
EXPORT_SYMBOL(rdma_query_gid_table);
