// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The P_Keys of a device's ports. A table is replaced as a whole, so that a search never sees half
 * of an old and half of a new one.
 */

#include <linux/slab.h>

#include "cache.h"

#define NO_INDEX	0xffff

/* The public header doesn't say that this pointer is RCU's. */
static struct ib_pkey_cache __rcu **table_pointer(struct ib_device *device, u32 port_num)
{
	return (struct ib_pkey_cache __force __rcu **)&device->port_data[port_num].cache.pkey;
}

/* In a read-side critical section: the table, or NULL if the port doesn't exist or has none. */
static const struct ib_pkey_cache *table_of(struct ib_device *device, u32 port_num)
{
	if (!rdma_is_port_valid(device, port_num))
		return NULL;
	return rcu_dereference(*table_pointer(device, port_num));
}

/**
 * pkey_cache_replace - let lookups see another table
 * @device: the device
 * @port_num: the port
 * @table: what's read of it from now on; NULL: nothing
 *
 * Context: Any; the port's refresh_lock is held, or nobody else uses the device.
 */
void pkey_cache_replace(struct ib_device *device, u32 port_num, struct ib_pkey_cache *table)
{
	struct ib_pkey_cache *old;

	old = rcu_replace_pointer(*table_pointer(device, port_num), table, true);
	if (old)
		kfree_rcu(old, rcu);
}

/**
 * ib_get_cached_pkey - P_Key of an index
 * @device: the device
 * @port_num: the port
 * @index: the index, as anybody may have made it up
 * @pkey: where to
 *
 * Context: Any.
 * Return: 0; -EINVAL: there's no such port or index.
 */
int ib_get_cached_pkey(struct ib_device *device, u32 port_num, int index, u16 *pkey)
{
	const struct ib_pkey_cache *table;

	guard(rcu)();
	table = table_of(device, port_num);
	if (!table || index < 0 || index >= table->length)
		return -EINVAL;
	*pkey = table->keys[index];
	return 0;
}
EXPORT_SYMBOL(ib_get_cached_pkey);

static int find(struct ib_device *device, u32 port_num, u16 pkey, u16 *index,
		int (*find_in)(const struct ib_pkey_cache *table, u16 pkey))
{
	const struct ib_pkey_cache *table;
	int found;

	guard(rcu)();
	table = table_of(device, port_num);
	if (!table)
		return -EINVAL;
	found = find_in(table, pkey);
	*index = found < 0 ? NO_INDEX : found;
	return found < 0 ? found : 0;
}

/**
 * ib_find_cached_pkey - index of a partition
 * @device: the device
 * @port_num: the port
 * @pkey: a P_Key, full or limited
 * @index: where to; 0xffff if there's none
 *
 * Where the port has the P_Key as a full and as a limited member, it's the full member's index.
 *
 * Context: Any.
 * Return: 0; -EINVAL: there's no such port; -ENOENT.
 */
int ib_find_cached_pkey(struct ib_device *device, u32 port_num, u16 pkey, u16 *index)
{
	return find(device, port_num, pkey, index, pkey_table_find);
}
EXPORT_SYMBOL(ib_find_cached_pkey);

/**
 * ib_find_exact_cached_pkey - index of a P_Key, membership included
 * @device: the device
 * @port_num: the port
 * @pkey: the P_Key
 * @index: where to; 0xffff if there's none
 *
 * Context: Any.
 * Return: 0; -EINVAL: there's no such port; -ENOENT.
 */
int ib_find_exact_cached_pkey(struct ib_device *device, u32 port_num, u16 pkey, u16 *index)
{
	return find(device, port_num, pkey, index, pkey_table_find_exact);
}
EXPORT_SYMBOL(ib_find_exact_cached_pkey);
