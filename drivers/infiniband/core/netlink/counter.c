// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Counters: sets of hardware counters that QPs are bound to, by hand (`rdma statistic qp bind`)
 * or automatically by a rule of their port. What a counter had counted when its last QP left
 * stays in the port's history, so that the port's sums never go back.
 */

#include <linux/export.h>
#include <rdma/rdma_counter.h>

#include "netlink.h"

#define KNOWN_RULES (RDMA_COUNTER_MASK_QP_TYPE | RDMA_COUNTER_MASK_PID)

/**
 * rdma_counters_lock - what guards the counters of a device
 * @device: the device, with ports
 *
 * Each port has room for a lock, but a QP may be bound before it has a port. So that of the
 * first port serves all of them. It guards each port's mode, number of counters and history,
 * ib_qp.counter, and which counters there are: while it's held, none comes or goes. Held while
 * drivers (un)bind, ask hardware, and while a counter waits for those who look at it, who don't
 * take it.
 *
 * Return: the lock.
 */
struct mutex *rdma_counters_lock(const struct ib_device *device)
{
	return &device->port_data[rdma_start_port(device)].port_counter.lock;
}

struct rdma_port_counter *rdma_port_counter(const struct ib_device *device, u32 port)
{
	return &device->port_data[port].port_counter;
}

/*
 * The next counter of @port with @id or higher; sets @id. The counters lock is held, so none needs
 * to be referenced.
 */
struct rdma_counter *rdma_counter_next(struct ib_device *device, u32 port, unsigned long *id)
{
	struct xarray *xa = &device->res[RDMA_RESTRACK_COUNTER].xa;
	struct rdma_restrack_entry *res;

	lockdep_assert_held(rdma_counters_lock(device));
	for (res = xa_find(xa, id, U32_MAX, XA_PRESENT); res;
	     res = xa_find_after(xa, id, U32_MAX, XA_PRESENT)) {
		struct rdma_counter *counter = container_of(res, struct rdma_counter, res);

		if (counter->port == port)
			return counter;
	}
	return NULL;
}

/**
 * rdma_counter_init - step of registration: ports can have counters
 * @device: with port data and operations
 *
 * A port whose history can't be allocated has no counters of its own.
 */
void rdma_counter_init(struct ib_device *device)
{
	u32 port;

	if (!device->port_data)
		return;
	rdma_for_each_port(device, port) {
		struct rdma_port_counter *port_counter = rdma_port_counter(device, port);

		port_counter->mode.mode = RDMA_COUNTER_MODE_NONE;
		mutex_init(&port_counter->lock);
		if (device->ops.alloc_hw_port_stats)
			port_counter->hstats = device->ops.alloc_hw_port_stats(device, port);
	}
}

/**
 * rdma_counter_release - undo rdma_counter_init()
 * @device: without any counter left
 */
void rdma_counter_release(struct ib_device *device)
{
	u32 port;

	rdma_for_each_port(device, port) {
		struct rdma_port_counter *port_counter = rdma_port_counter(device, port);

		rdma_free_hw_stats_struct(port_counter->hstats);
		port_counter->hstats = NULL;
		mutex_destroy(&port_counter->lock);
	}
}

static int set_mode(struct rdma_port_counter *port_counter, enum rdma_nl_counter_mask mask,
		    struct netlink_ext_ack *extack)
{
	if (mask & ~KNOWN_RULES)
		return -EINVAL;
	if (mask && mask == port_counter->mode.mask)
		return 0;
	if (mask && port_counter->num_counters) {
		NL_SET_ERR_MSG(extack,
			       "Modifying auto mode is not allowed when there is a bound QP");
		return -EBUSY;
	}
	if (mask)
		port_counter->mode.mode = RDMA_COUNTER_MODE_AUTO;
	else if (port_counter->num_counters)
		port_counter->mode.mode = RDMA_COUNTER_MODE_MANUAL;
	else
		port_counter->mode.mode = RDMA_COUNTER_MODE_NONE;
	port_counter->mode.mask = mask;
	return 0;
}

/**
 * rdma_counter_set_auto_mode - set the rule by which QPs of a port are bound
 * @device: the device
 * @port: a port that it has
 * @mask: which QPs share a counter: of a type, of a process; 0: none is bound automatically
 * @extack: learns the reason of -EBUSY
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -EOPNOTSUPP if the port has no statistics; -EINVAL for an unknown rule; -EBUSY while
 * QPs are bound.
 */
int rdma_counter_set_auto_mode(struct ib_device *device, u32 port, enum rdma_nl_counter_mask mask,
			       struct netlink_ext_ack *extack)
{
	struct rdma_port_counter *port_counter = rdma_port_counter(device, port);
	int ret;

	if (!port_counter->hstats)
		return -EOPNOTSUPP;
	mutex_lock(rdma_counters_lock(device));
	ret = set_mode(port_counter, mask, extack);
	mutex_unlock(rdma_counters_lock(device));
	return ret;
}

/**
 * rdma_counter_get_mode - how QPs of a port are bound
 * @device: the device
 * @port: a port that it has
 * @mode: set to the mode
 * @mask: set to the rule
 *
 * Context: Process, sleeps.
 *
 * Return: 0.
 */
int rdma_counter_get_mode(struct ib_device *device, u32 port, enum rdma_nl_counter_mode *mode,
			  enum rdma_nl_counter_mask *mask)
{
	struct rdma_port_counter *port_counter = rdma_port_counter(device, port);

	mutex_lock(rdma_counters_lock(device));
	*mode = port_counter->mode.mode;
	*mask = port_counter->mode.mask;
	mutex_unlock(rdma_counters_lock(device));
	return 0;
}
