// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Caches come when a device is registered, are emptied when it's unregistered, and go when its last
 * reference does: a GID may be held until then.
 */

#include <linux/bitops.h>

#include "cache.h"

/**
 * rdma_cache_init - module load: follow netdevs
 *
 * Context: Sleeps.
 * Return: 0 or a negative errno.
 */
int rdma_cache_init(void)
{
	return roce_events_init();
}

/**
 * rdma_cache_exit - module unload
 *
 * Context: Sleeps; there's no device any more.
 */
void rdma_cache_exit(void)
{
	roce_events_exit();
	/* The last GIDs and netdevs are freed by functions of this module. */
	rcu_barrier();
}

static int alloc_table(struct ib_device *device, u32 port_num)
{
	const struct gid_table_ops *ops = NULL;
	unsigned int reserved = 0;
	struct ib_gid_table *table;
	int size = device->port_data[port_num].immutable.gid_tbl_len;

	if (rdma_protocol_roce(device, port_num)) {
		ops = &roce_table_ops;
		reserved = hweight_long(roce_gid_type_mask_support(device, port_num));
	}
	table = gid_table_alloc(max(size, 0), reserved, ops, ib_wq);
	if (!table)
		return -ENOMEM;
	/* Pairs with rdma_cache_refresh(): a driver's first event may be handled right now. */
	smp_store_release(&device->port_data[port_num].cache.gid, table);
	return 0;
}

/**
 * rdma_cache_setup - the part of ib_register_device() that fills the caches
 * @device: the device; its ports' immutable data are there
 *
 * Updates by netdevs are enabled before the netdevs are looked at, so that none is missed.
 *
 * Context: Sleeps; neither RTNL nor a lock of the device registry is held.
 * Return: 0; -ENOMEM; or what the driver said. On an error the caches are empty and closed, and
 * there they stay until rdma_cache_release(): the device can't be registered any more.
 */
int rdma_cache_setup(struct ib_device *device)
{
	u32 port_num;
	int ret;

	rdma_for_each_port(device, port_num) {
		ret = alloc_table(device, port_num);
		if (ret)
			return ret;
	}

	rdma_enable_gid_updates(device);
	rdma_roce_rescan_device(device);
	rdma_for_each_port(device, port_num) {
		ret = cache_refresh_port(device, port_num, REFRESH_ALL);
		if (ret) {
			rdma_cache_cleanup(device);
			return ret;
		}
	}
	return 0;
}

/**
 * rdma_cache_cleanup - empty the GID tables of a device that nobody uses any more
 * @device: the device
 *
 * Who still holds a GID can go on reading it, and must put it before the device is released.
 *
 * Context: Sleeps; neither RTNL nor a lock of the device registry is held; not on ib_wq.
 */
void rdma_cache_cleanup(struct ib_device *device)
{
	u32 port_num;

	/* Behind this no netdev adds a GID. */
	rdma_disable_gid_updates(device);
	/*
	 * The refreshes under way come to their end; what's queued from here on finds the
	 * tables closed.
	 */
	flush_workqueue(ib_wq);
	rdma_for_each_port(device, port_num)
		gid_table_close(gid_table_of(device, port_num));
	/* GIDs that were put where one can't sleep leave their slots. */
	flush_workqueue(ib_wq);
}

/**
 * rdma_cache_release - free the caches of a device
 * @device: the device; it may have none, or not for all of its ports
 *
 * Context: Sleeps.
 */
void rdma_cache_release(struct ib_device *device)
{
	struct ib_port_cache *cache;
	u32 port_num;

	if (!device->port_data)
		return;
	rdma_for_each_port(device, port_num) {
		cache = &device->port_data[port_num].cache;
		pkey_cache_replace(device, port_num, NULL);
		if (cache->gid)
			gid_table_release(cache->gid, dev_name(&device->dev));
		cache->gid = NULL;
	}
}
