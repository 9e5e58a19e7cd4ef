// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * When what is remembered of a port comes from the adapter, and what of it. What's read is read
 * completely before any of it is stored, so that a command that fails halfway leaves all as it
 * was.
 */

#include <linux/slab.h>

#include "cache.h"

/* A subnet manager that asks clients to register again may have given the port another prefix. */
static const u8 refreshed_by[] = {
	[IB_EVENT_PORT_ACTIVE] = REFRESH_ATTR,
	[IB_EVENT_PORT_ERR] = REFRESH_ATTR,
	[IB_EVENT_LID_CHANGE] = REFRESH_ATTR,
	[IB_EVENT_PKEY_CHANGE] = REFRESH_ATTR | REFRESH_PKEYS,
	[IB_EVENT_CLIENT_REREGISTER] = REFRESH_ATTR | REFRESH_GIDS,
	[IB_EVENT_GID_CHANGE] = REFRESH_ATTR | REFRESH_GIDS,
};

/**
 * struct port_news - what the adapter says of a port
 * @attr: its attributes
 * @pkeys: its P_Keys; NULL: they weren't read, or there are none
 * @gid_count: number of @gids
 * @gids: by index; NULL: they weren't read
 */
struct port_news {
	struct ib_port_attr attr;
	struct ib_pkey_cache *pkeys;
	unsigned int gid_count;
	union ib_gid *gids;
};

static int read_pkeys(struct ib_device *device, u32 port_num, struct port_news *news)
{
	unsigned int index;
	int ret;

	if (!news->attr.pkey_tbl_len)
		return 0;
	news->pkeys = pkey_table_alloc(news->attr.pkey_tbl_len);
	if (!news->pkeys)
		return -ENOMEM;

	for (index = 0; index < news->pkeys->length; index++) {
		ret = ib_query_pkey(device, port_num, index, &news->pkeys->keys[index]);
		if (ret) {
			ibdev_warn(device, "port %u: P_Key %u can't be read: %d\n", port_num,
				   index, ret);
			return ret;
		}
	}
	return 0;
}

/* The port's own GID has index 0, and all others have the same prefix. */
static void note_prefix(struct port_news *news)
{
	if (news->gid_count)
		news->attr.subnet_prefix = be64_to_cpu(news->gids[0].global.subnet_prefix);
}

/* RoCE's GIDs come from netdevs: roce_gid.c. */
static int read_gids(struct ib_device *device, u32 port_num, struct port_news *news)
{
	int count = min_t(int, news->attr.gid_tbl_len, gid_table_of(device, port_num)->size);
	int index, ret;

	if (rdma_protocol_roce(device, port_num) || !device->ops.query_gid || count <= 0)
		return 0;
	news->gids = kvcalloc(count, sizeof(*news->gids), GFP_KERNEL);
	if (!news->gids)
		return -ENOMEM;

	for (index = 0; index < count; index++) {
		ret = device->ops.query_gid(device, port_num, index, &news->gids[index]);
		if (ret) {
			ibdev_warn(device, "port %u: GID %d can't be read: %d\n", port_num, index,
				   ret);
			return ret;
		}
	}
	news->gid_count = count;
	note_prefix(news);
	return 0;
}

static int read_news(struct ib_device *device, u32 port_num, unsigned int what,
		     struct port_news *news)
{
	int ret = ib_query_port(device, port_num, &news->attr);

	if (ret) {
		ibdev_warn(device, "port %u can't be queried: %d\n", port_num, ret);
		return ret;
	}
	if (what & REFRESH_PKEYS)
		ret = read_pkeys(device, port_num, news);
	if (!ret && what & REFRESH_GIDS)
		ret = read_gids(device, port_num, news);
	return ret;
}

static int store_gids(struct ib_device *device, u32 port_num, const struct port_news *news,
		      struct net_device *ndev)
{
	struct ib_gid_attr attr = {
		.device = device,
		.port_num = port_num,
		.gid_type = IB_GID_TYPE_IB,
	};
	unsigned int index;
	int ret;

	RCU_INIT_POINTER(attr.ndev, ndev);
	for (index = 0; index < news->gid_count; index++) {
		attr.index = index;
		attr.gid = news->gids[index];
		ret = gid_table_set(gid_table_of(device, port_num), &attr);
		if (ret)
			return ret;
	}
	return 0;
}

/* An iWARP port's GID, the MAC address, belongs to its netdev, and isn't stored without that. */
static int store_news(struct ib_device *device, u32 port_num, struct port_news *news)
{
	struct net_device *ndev = NULL;
	int ret = 0;

	if (rdma_protocol_iwarp(device, port_num))
		ndev = ib_device_get_netdev(device, port_num);
	if (ndev || !rdma_protocol_iwarp(device, port_num))
		ret = store_gids(device, port_num, news, ndev);
	dev_put(ndev);
	if (ret)
		return ret;

	if (news->pkeys)
		pkey_cache_replace(device, port_num, no_free_ptr(news->pkeys));
	port_attr_store(device, port_num, &news->attr);
	return 0;
}

/**
 * cache_refresh_port - read again what the adapter says of a port
 * @device: the device, which has its tables
 * @port_num: a valid port number of it
 * @what: a mask of REFRESH_ATTR, REFRESH_PKEYS, REFRESH_GIDS; the attributes always
 *
 * Context: Sleeps; no lock of the caches is held.
 * Return: 0; -ENOMEM; -ENODEV: the tables are closed; or what the driver said.
 */
int cache_refresh_port(struct ib_device *device, u32 port_num, unsigned int what)
{
	struct port_news news = {};
	int ret;

	guard(mutex)(&gid_table_of(device, port_num)->refresh_lock);
	ret = read_news(device, port_num, what, &news);
	if (!ret)
		ret = store_news(device, port_num, &news);
	kfree(news.pkeys);
	kvfree(news.gids);
	return ret;
}

static bool has_table(struct ib_device *device, u32 port_num)
{
	/* Pairs with rdma_cache_setup(). */
	return device->port_data && smp_load_acquire(&device->port_data[port_num].cache.gid);
}

/**
 * rdma_cache_refresh - read again what an event says has changed
 * @event: an event of a device or port
 *
 * Context: Sleeps; no lock of the caches is held.
 * Return: 0; -EINVAL: the event names a port that the device hasn't; -ENODEV: the device isn't
 * registered yet, or no more; -ENOMEM; or what the driver said. On an error nothing is newer than
 * it was, or, for want of memory, only some of the GIDs.
 */
int rdma_cache_refresh(const struct ib_event *event)
{
	unsigned int what = 0;

	if (event->event < ARRAY_SIZE(refreshed_by))
		what = refreshed_by[event->event];
	if (!what)
		return 0;
	if (!rdma_is_port_valid(event->device, event->element.port_num))
		return -EINVAL;
	/* Before the device is registered; then all is going to be read. */
	if (!has_table(event->device, event->element.port_num))
		return -ENODEV;
	return cache_refresh_port(event->device, event->element.port_num, what);
}
