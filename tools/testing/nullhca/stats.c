// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* hw_counters: work requests posted on the device; each of its ports says the same as itself. */

#include "nullhca.h"

static const struct rdma_stat_desc counters[] = {
	{ .name = "posted_sends" },
	{ .name = "posted_receives" },
};

static struct rdma_hw_stats *alloc_hw_port_stats(struct ib_device *ib, u32 port_num)
{
	if (nullhca_pass(ib, NULLHCA_alloc_hw_port_stats))
		return NULL;
	return rdma_alloc_hw_stats_struct(counters, ARRAY_SIZE(counters),
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

static struct rdma_hw_stats *alloc_hw_device_stats(struct ib_device *ib)
{
	if (nullhca_pass(ib, NULLHCA_alloc_hw_device_stats))
		return NULL;
	return rdma_alloc_hw_stats_struct(counters, ARRAY_SIZE(counters),
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

static int get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *stats, u32 port_num, int index)
{
	struct nullhca *device = to_nullhca(ib);
	int ret = nullhca_pass(ib, NULLHCA_get_hw_stats);

	if (ret)
		return ret;
	stats->value[0] = atomic64_read(&device->sends);
	stats->value[1] = atomic64_read(&device->receives);
	return ARRAY_SIZE(counters);
}

const struct ib_device_ops nullhca_stats_ops = {
	.alloc_hw_device_stats = alloc_hw_device_stats,
	.alloc_hw_port_stats = alloc_hw_port_stats,
	.get_hw_stats = get_hw_stats,
};
