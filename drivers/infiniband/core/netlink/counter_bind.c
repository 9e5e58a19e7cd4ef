// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Binding QPs to counters. A counter is referenced (rdma_counter.kref) by each QP that is bound
 * to it, and goes with the last of them.
 */

#include <linux/capability.h>
#include <linux/slab.h>
#include <rdma/rdma_counter.h>

#include "netlink.h"

static int bind(struct rdma_counter *counter, struct ib_qp *qp)
{
	int ret;

	lockdep_assert_held(rdma_counters_lock(qp->device));
	if (qp->counter)
		return -EINVAL;
	if (!qp->device->ops.counter_bind_qp)
		return -EOPNOTSUPP;
	mutex_lock(&counter->lock);
	ret = qp->device->ops.counter_bind_qp(counter, qp);
	mutex_unlock(&counter->lock);
	return ret;
}

static void free_counter(struct rdma_counter *counter)
{
	rdma_free_hw_stats_struct(counter->stats);
	mutex_destroy(&counter->lock);
	kfree(counter);
}

static struct rdma_counter *alloc_counter(struct ib_device *device, u32 port)
{
	struct rdma_counter *counter;

	if (!device->ops.counter_dealloc || !device->ops.counter_alloc_stats)
		return ERR_PTR(-EOPNOTSUPP);
	counter = kzalloc(sizeof(*counter), GFP_KERNEL);
	if (!counter)
		return ERR_PTR(-ENOMEM);
	counter->device = device;
	counter->port = port;
	kref_init(&counter->kref);
	mutex_init(&counter->lock);
	rdma_restrack_new(&counter->res, RDMA_RESTRACK_COUNTER);
	counter->stats = device->ops.counter_alloc_stats(counter);
	if (!counter->stats) {
		free_counter(counter);
		return ERR_PTR(-ENOMEM);
	}
	return counter;
}

/* @mode has the rule for a counter that is bound automatically: which other QPs fit. */
static void set_mode(struct rdma_counter *counter, const struct rdma_counter_mode *mode,
		     const struct ib_qp *qp)
{
	counter->mode.mode = mode->mode;
	counter->mode.mask = mode->mask;
	if (mode->mask & RDMA_COUNTER_MASK_QP_TYPE)
		counter->mode.param.qp_type = qp->qp_type;
}

static struct rdma_counter *bind_to_new(struct ib_qp *qp, u32 port,
					const struct rdma_counter_mode *mode)
{
	struct rdma_port_counter *port_counter = rdma_port_counter(qp->device, port);
	struct rdma_counter *counter = alloc_counter(qp->device, port);
	int ret;

	if (IS_ERR(counter))
		return counter;
	set_mode(counter, mode, qp);
	ret = bind(counter, qp);
	if (ret) {
		free_counter(counter);
		return ERR_PTR(ret);
	}
	port_counter->mode.mode = mode->mode;
	port_counter->num_counters++;
	rdma_restrack_parent_name(&counter->res, &qp->res);
	rdma_restrack_add(&counter->res);
	return counter;
}

/* The last QP has left. The counters lock is held. */
static void release(struct kref *kref)
{
	struct rdma_counter *counter = container_of(kref, struct rdma_counter, kref);
	struct rdma_port_counter *port_counter = rdma_port_counter(counter->device, counter->port);

	rdma_counter_add_to_history(counter);
	rdma_restrack_del(&counter->res);
	counter->device->ops.counter_dealloc(counter);
	if (!--port_counter->num_counters && port_counter->mode.mode == RDMA_COUNTER_MODE_MANUAL)
		port_counter->mode.mode = RDMA_COUNTER_MODE_NONE;
	free_counter(counter);
}

static int unbind(struct ib_qp *qp, bool force)
{
	struct rdma_counter *counter = qp->counter;
	int ret = -EOPNOTSUPP;

	lockdep_assert_held(rdma_counters_lock(qp->device));
	if (!counter)
		return -EINVAL;
	if (qp->device->ops.counter_unbind_qp) {
		mutex_lock(&counter->lock);
		ret = qp->device->ops.counter_unbind_qp(qp);
		mutex_unlock(&counter->lock);
	}
	if (ret && !force)
		return ret;
	kref_put(&counter->kref, release);
	return 0;
}

/**
 * rdma_counter_unbind_qp - a QP leaves its counter
 * @qp: the QP; bound or not
 * @force: even if the driver fails: the QP is about to be destroyed
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -EINVAL if it isn't bound; -EOPNOTSUPP; the driver's errno.
 */
int rdma_counter_unbind_qp(struct ib_qp *qp, bool force)
{
	int ret;

	/* Nearly all QPs have none; one that is being destroyed can't get one. */
	if (!READ_ONCE(qp->counter))
		return -EINVAL;
	mutex_lock(rdma_counters_lock(qp->device));
	ret = unbind(qp, force);
	mutex_unlock(rdma_counters_lock(qp->device));
	return ret;
}

static bool fits(const struct rdma_counter *counter, const struct ib_qp *qp,
		 enum rdma_nl_counter_mask mask)
{
	if ((mask & RDMA_COUNTER_MASK_QP_TYPE) && counter->mode.param.qp_type != qp->qp_type)
		return false;
	if ((mask & RDMA_COUNTER_MASK_PID) &&
	    task_pid_nr(counter->res.task) != task_pid_nr(qp->res.task))
		return false;
	return true;
}

/* One counter for each QP type and process on a port at most, so this is a short walk. */
static struct rdma_counter *find_fitting(const struct ib_qp *qp, u32 port,
					 enum rdma_nl_counter_mask mask)
{
	struct rdma_counter *counter;
	unsigned long id;

	for (id = 0; (counter = rdma_counter_next(qp->device, port, &id)); id++)
		if (fits(counter, qp, mask))
			return counter;
	return NULL;
}

static int bind_auto(struct ib_qp *qp, u32 port)
{
	struct rdma_port_counter *port_counter = rdma_port_counter(qp->device, port);
	struct rdma_counter *counter;
	int ret;

	if (port_counter->mode.mode != RDMA_COUNTER_MODE_AUTO)
		return 0;
	counter = find_fitting(qp, port, port_counter->mode.mask);
	if (!counter)
		return PTR_ERR_OR_ZERO(bind_to_new(qp, port, &port_counter->mode));
	ret = bind(counter, qp);
	if (!ret)
		kref_get(&counter->kref);
	return ret;
}

/**
 * rdma_counter_bind_qp_auto - bind a QP by its port's rule, if there is one
 * @qp: the QP, which is about to be bound to @port
 * @port: the port
 *
 * Only QPs of user space are bound.
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -EINVAL if there's no such port, or the QP has a counter already; -EOPNOTSUPP;
 * -ENOMEM; the driver's errno.
 */
int rdma_counter_bind_qp_auto(struct ib_qp *qp, u32 port)
{
	int ret;

	if (!rdma_restrack_is_tracked(&qp->res) || rdma_is_kernel_res(&qp->res))
		return 0;
	if (!rdma_is_port_valid(qp->device, port))
		return -EINVAL;
	/* Nearly all ports have none; a rule that is being set needn't hold for this QP yet. */
	if (READ_ONCE(rdma_port_counter(qp->device, port)->mode.mode) != RDMA_COUNTER_MODE_AUTO)
		return 0;
	mutex_lock(rdma_counters_lock(qp->device));
	ret = bind_auto(qp, port);
	mutex_unlock(rdma_counters_lock(qp->device));
	return ret;
}

/* The QP is referenced. What raw packet QPs do is the administrator's business alone. */
static struct ib_qp *get_qp(struct ib_device *device, u32 qp_num)
{
	struct rdma_restrack_entry *res;
	struct ib_qp *qp;

	res = rdma_restrack_get_byid(device, RDMA_RESTRACK_QP, qp_num);
	if (IS_ERR(res))
		return ERR_CAST(res);
	qp = container_of(res, struct ib_qp, res);
	if (qp->qp_type != IB_QPT_RAW_PACKET || capable(CAP_NET_RAW))
		return qp;
	rdma_restrack_put(res);
	return ERR_PTR(-ENOENT);
}

/* It can't go while the counters lock is held, so there's no need for the reference. */
static struct rdma_counter *find_by_id(struct ib_device *device, u32 id)
{
	struct rdma_restrack_entry *res;

	res = rdma_restrack_get_byid(device, RDMA_RESTRACK_COUNTER, id);
	if (IS_ERR(res))
		return ERR_CAST(res);
	rdma_restrack_put(res);
	return container_of(res, struct rdma_counter, res);
}

static int bind_to_existing(struct ib_qp *qp, u32 port, u32 counter_id)
{
	struct rdma_counter *counter;
	int ret;

	if (rdma_port_counter(qp->device, port)->mode.mode == RDMA_COUNTER_MODE_AUTO)
		return -EINVAL;
	counter = find_by_id(qp->device, counter_id);
	if (IS_ERR(counter))
		return PTR_ERR(counter);
	if (rdma_is_kernel_res(&counter->res) != rdma_is_kernel_res(&qp->res) ||
	    counter->port != qp->port)
		return -EINVAL;
	ret = bind(counter, qp);
	if (!ret)
		kref_get(&counter->kref);
	return ret;
}

/**
 * rdma_counter_bind_qpn - bind a QP to a counter that exists
 * @device: the device
 * @port: a port that it has
 * @qp_num: the QP's number
 * @counter_id: the counter's
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -ENOENT if there's no such QP or counter; -EINVAL if they don't fit each other, the
 * QP is bound, or the port's QPs are bound by a rule; -EOPNOTSUPP; the driver's errno.
 */
int rdma_counter_bind_qpn(struct ib_device *device, u32 port, u32 qp_num, u32 counter_id)
{
	struct ib_qp *qp = get_qp(device, qp_num);
	int ret;

	if (IS_ERR(qp))
		return PTR_ERR(qp);
	mutex_lock(rdma_counters_lock(device));
	ret = bind_to_existing(qp, port, counter_id);
	mutex_unlock(rdma_counters_lock(device));
	rdma_restrack_put(&qp->res);
	return ret;
}

/* A QP that isn't initialized yet has no port, and may be bound on any. */
static bool may_be_on(const struct ib_qp *qp, u32 port)
{
	return qp->port == port || !rdma_is_port_valid(qp->device, qp->port);
}

static int bind_to_new_manually(struct ib_qp *qp, u32 port, u32 *counter_id)
{
	static const struct rdma_counter_mode manual = { .mode = RDMA_COUNTER_MODE_MANUAL };
	struct rdma_counter *counter;

	if (rdma_port_counter(qp->device, port)->mode.mode == RDMA_COUNTER_MODE_AUTO ||
	    !may_be_on(qp, port))
		return -EINVAL;
	counter = bind_to_new(qp, port, &manual);
	if (IS_ERR(counter))
		return PTR_ERR(counter);
	if (counter_id)
		*counter_id = counter->id;
	return 0;
}

/**
 * rdma_counter_bind_qpn_alloc - bind a QP to a counter of its own
 * @device: the device
 * @port: the port
 * @qp_num: the QP's number
 * @counter_id: set to the counter's, if not NULL
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -ENOENT if there's no such QP; -EINVAL if there's no such port, it isn't the QP's,
 * its QPs are bound by a rule, or the QP is bound; -EOPNOTSUPP; -ENOMEM; the driver's errno.
 */
int rdma_counter_bind_qpn_alloc(struct ib_device *device, u32 port, u32 qp_num, u32 *counter_id)
{
	struct ib_qp *qp;
	int ret;

	if (!rdma_is_port_valid(device, port))
		return -EINVAL;
	if (!rdma_port_counter(device, port)->hstats)
		return -EOPNOTSUPP;
	qp = get_qp(device, qp_num);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	mutex_lock(rdma_counters_lock(device));
	ret = bind_to_new_manually(qp, port, counter_id);
	mutex_unlock(rdma_counters_lock(device));
	rdma_restrack_put(&qp->res);
	return ret;
}

static int unbind_manually(struct ib_qp *qp, u32 port, u32 counter_id)
{
	const struct rdma_counter *counter = qp->counter;

	if (!counter || counter->id != counter_id || counter->port != port ||
	    rdma_port_counter(qp->device, port)->mode.mode != RDMA_COUNTER_MODE_MANUAL)
		return -EINVAL;
	return unbind(qp, false);
}

/**
 * rdma_counter_unbind_qpn - unbind a QP that was bound by hand
 * @device: the device
 * @port: the port
 * @qp_num: the QP's number
 * @counter_id: the counter's
 *
 * Context: Process, sleeps.
 *
 * Return: 0; -ENOENT if there's no such QP; -EINVAL if it isn't bound to that counter by hand; the
 * driver's errno.
 */
int rdma_counter_unbind_qpn(struct ib_device *device, u32 port, u32 qp_num, u32 counter_id)
{
	struct ib_qp *qp;
	int ret;

	if (!rdma_is_port_valid(device, port))
		return -EINVAL;
	qp = get_qp(device, qp_num);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	mutex_lock(rdma_counters_lock(device));
	ret = unbind_manually(qp, port, counter_id);
	mutex_unlock(rdma_counters_lock(device));
	rdma_restrack_put(&qp->res);
	return ret;
}
