// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What counters have counted. */

#include <rdma/rdma_counter.h>

#include "netlink.h"

/**
 * rdma_counter_query_stats - have the driver refresh a counter's values
 * @counter: the counter, referenced or under the counters lock
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -EINVAL if the driver can't; its errno.
 */
int rdma_counter_query_stats(struct rdma_counter *counter)
{
	struct ib_device *device = counter->device;
	int ret;

	if (!device->ops.counter_update_stats)
		return -EINVAL;
	mutex_lock(&counter->lock);
	ret = device->ops.counter_update_stats(counter);
	mutex_unlock(&counter->lock);
	return ret;
}

/* The counter goes: its port keeps what it had counted. The counters lock is held. */
void rdma_counter_add_to_history(struct rdma_counter *counter)
{
	struct rdma_hw_stats *history = rdma_port_counter(counter->device, counter->port)->hstats;
	int i, n;

	lockdep_assert_held(rdma_counters_lock(counter->device));
	if (!history)
		return;
	/* Should this fail, the values of the last time are better than none. */
	rdma_counter_query_stats(counter);
	n = min(history->num_counters, counter->stats->num_counters);
	for (i = 0; i < n; i++)
		history->value[i] += counter->stats->value[i];
}

static u64 sum_of_counters(struct ib_device *device, u32 port, u32 index)
{
	struct rdma_counter *counter;
	unsigned long id;
	u64 sum = 0;

	for (id = 0; (counter = rdma_counter_next(device, port, &id)); id++)
		if (!rdma_counter_query_stats(counter) && index < counter->stats->num_counters)
			sum += counter->stats->value[index];
	return sum;
}

/**
 * rdma_counter_get_hwstat_value - what a port's counters have counted, those that are gone included
 * @device: the device
 * @port: a port that it has
 * @index: of the value
 *
 * Context: Process, sleeps. Callers may hold the rdma_hw_stats.lock of the port.
 *
 * Return: the sum.
 */
u64 rdma_counter_get_hwstat_value(struct ib_device *device, u32 port, u32 index)
{
	struct rdma_hw_stats *history = rdma_port_counter(device, port)->hstats;
	u64 sum;

	if (!history || index >= history->num_counters)
		return 0;
	mutex_lock(rdma_counters_lock(device));
	sum = history->value[index] + sum_of_counters(device, port, index);
	mutex_unlock(rdma_counters_lock(device));
	return sum;
}
