// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The memory of a driver's counters. */

#include <linux/bitmap.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "device.h"

/**
 * rdma_alloc_hw_stats_struct - allocate counters
 * @descs: what they are, @count of them; must stay
 * @count: how many
 * @lifespan: how long values are good for before the driver is asked again, ms
 *
 * Context: Sleeps.
 * Return: to be freed with rdma_free_hw_stats_struct(); NULL without memory.
 */
struct rdma_hw_stats *rdma_alloc_hw_stats_struct(const struct rdma_stat_desc *descs, int count,
						 unsigned long lifespan)
{
	struct rdma_hw_stats *stats = kzalloc(struct_size(stats, value, count), GFP_KERNEL);

	if (!stats)
		return NULL;
	stats->num_counters = count;
	stats->is_disabled = bitmap_zalloc(count, GFP_KERNEL);
	if (!stats->is_disabled) {
		kfree(stats);
		return NULL;
	}
	stats->descs = descs;
	stats->lifespan = msecs_to_jiffies(lifespan);
	mutex_init(&stats->lock);
	return stats;
}
EXPORT_SYMBOL(rdma_alloc_hw_stats_struct);

/**
 * rdma_free_hw_stats_struct - free them
 * @stats: the counters, or NULL
 *
 * Context: Any.
 */
void rdma_free_hw_stats_struct(struct rdma_hw_stats *stats)
{
	if (!stats)
		return;
	bitmap_free(stats->is_disabled);
	kfree(stats);
}
EXPORT_SYMBOL(rdma_free_hw_stats_struct);
