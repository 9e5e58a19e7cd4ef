// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The few attributes of a port that are asked for where one can't sleep. ib_device.cache_lock
 * guards them; it's held for a copy, and nothing else is taken under it.
 */

#include "cache.h"

/**
 * port_attr_store - remember what the adapter says of a port
 * @device: the device
 * @port_num: the port
 * @attr: from ib_query_port()
 *
 * Context: Process, interrupts on.
 */
void port_attr_store(struct ib_device *device, u32 port_num, const struct ib_port_attr *attr)
{
	struct ib_port_cache *cache = &device->port_data[port_num].cache;

	write_lock_irq(&device->cache_lock);
	cache->lmc = attr->lmc;
	cache->port_state = attr->state;
	cache->subnet_prefix = attr->subnet_prefix;
	write_unlock_irq(&device->cache_lock);
}

/* All that's known, from one moment. */
static struct ib_port_cache read_cache(struct ib_device *device, u32 port_num)
{
	struct ib_port_cache cache;
	unsigned long flags;

	read_lock_irqsave(&device->cache_lock, flags);
	cache = device->port_data[port_num].cache;
	read_unlock_irqrestore(&device->cache_lock, flags);
	return cache;
}

/**
 * ib_get_cached_lmc - LID mask control of a port
 * @device: the device
 * @port_num: the port
 * @lmc: where to
 *
 * Context: Any.
 * Return: 0; -EINVAL: there's no such port.
 */
int ib_get_cached_lmc(struct ib_device *device, u32 port_num, u8 *lmc)
{
	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;
	*lmc = read_cache(device, port_num).lmc;
	return 0;
}
EXPORT_SYMBOL(ib_get_cached_lmc);

/**
 * ib_get_cached_port_state - logical state of a port
 * @device: the device
 * @port_num: the port
 * @port_state: where to
 *
 * Context: Any.
 * Return: 0; -EINVAL: there's no such port.
 */
int ib_get_cached_port_state(struct ib_device *device, u32 port_num,
			     enum ib_port_state *port_state)
{
	if (!rdma_is_port_valid(device, port_num))
		return -EINVAL;
	*port_state = read_cache(device, port_num).port_state;
	return 0;
}
EXPORT_SYMBOL(ib_get_cached_port_state);

/**
 * ib_get_cached_subnet_prefix - prefix of the GIDs of a port's subnet
 * @device: the device
 * @port_num: a valid port number of it
 * @subnet_prefix: where to, in host order; 0 as long as nothing is known
 *
 * Context: Any.
 */
void ib_get_cached_subnet_prefix(struct ib_device *device, u32 port_num, u64 *subnet_prefix)
{
	*subnet_prefix = read_cache(device, port_num).subnet_prefix;
}
EXPORT_SYMBOL(ib_get_cached_subnet_prefix);
