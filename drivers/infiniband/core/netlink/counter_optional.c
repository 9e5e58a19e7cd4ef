// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which of a port's optional counters count. */

#include <rdma/rdma_counter.h>

#include "netlink.h"

static int switch_counter(struct ib_device *device, struct rdma_hw_stats *stats, u32 port,
			  unsigned int index, bool enable)
{
	int ret;

	if (enable != test_bit(index, stats->is_disabled))
		return 0;
	ret = device->ops.modify_hw_stat(device, port, index, enable);
	if (!ret)
		assign_bit(index, stats->is_disabled, !enable);
	return ret;
}

/**
 * rdma_counter_modify - switch an optional counter of a port on or off
 * @device: the device
 * @port: the port
 * @index: of the counter
 * @enable: on
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -EOPNOTSUPP if the driver can't; -EINVAL if there's no such counter or it isn't
 * optional; the driver's errno.
 */
int rdma_counter_modify(struct ib_device *device, u32 port, unsigned int index, bool enable)
{
	struct rdma_hw_stats *stats;
	int ret;

	if (!device->ops.modify_hw_stat)
		return -EOPNOTSUPP;
	stats = rdma_port_hw_stats(device, port);
	if (!stats || index >= stats->num_counters ||
	    !(stats->descs[index].flags & IB_STAT_FLAG_OPTIONAL))
		return -EINVAL;
	mutex_lock(&stats->lock);
	ret = switch_counter(device, stats, port, index, enable);
	mutex_unlock(&stats->lock);
	return ret;
}
