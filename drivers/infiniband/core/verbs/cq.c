// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completion queues (IBTA 10.2.6). There are bare ones, ib_create_cq(), whose owner gets the
 * events and polls; and ones whose completions find their handlers by themselves, ib_alloc_cq()
 * and ib_cq_pool_get(): every WR on them needs a wr_cqe.
 */

#include <linux/slab.h>
#include <trace/events/rdma_core.h>

#include "verbs.h"

static struct ib_cq *new_cq(struct ib_device *device, void *context, const char *caller)
{
	struct ib_cq *cq = rdma_zalloc_drv_obj(device, ib_cq);

	if (!cq)
		return NULL;
	cq->device = device;
	cq->cq_context = context;
	rdma_restrack_new(&cq->res, RDMA_RESTRACK_CQ);
	rdma_restrack_set_name(&cq->res, caller);
	return cq;
}

static void free_new_cq(struct ib_cq *cq)
{
	rdma_restrack_put(&cq->res);
	kfree(cq->wc);
	kfree(cq);
}

/**
 * __ib_create_cq - create a bare CQ; called as ib_create_cq()
 * @device: the device
 * @comp_handler: called, in the driver's context, when the CQ was armed and has completions
 * @event_handler: called when it fails
 * @cq_context: for both handlers
 * @cq_attr: size and completion vector
 * @caller: the owner's name, for resource tracking
 *
 * Context: Sleeps.
 * Return: the CQ or an ERR_PTR(): -ENOMEM, or what the driver returns.
 */
struct ib_cq *__ib_create_cq(struct ib_device *device, ib_comp_handler comp_handler,
			     void (*event_handler)(struct ib_event *, void *), void *cq_context,
			     const struct ib_cq_init_attr *cq_attr, const char *caller)
{
	struct ib_cq *cq;
	int ret;

	cq = new_cq(device, cq_context, caller);
	if (!cq)
		return ERR_PTR(-ENOMEM);
	cq->comp_handler = comp_handler;
	cq->event_handler = event_handler;

	ret = device->ops.create_cq(cq, cq_attr, NULL);
	if (ret) {
		free_new_cq(cq);
		return ERR_PTR(ret);
	}
	rdma_restrack_add(&cq->res);
	return cq;
}
EXPORT_SYMBOL(__ib_create_cq);

/**
 * ib_destroy_cq_user - destroy a bare CQ; called as ib_destroy_cq() for the kernel's own
 * @cq: the CQ, also one that ib_uverbs allocated
 * @udata: of a user's CQ, else NULL
 *
 * Context: Sleeps.
 * Return: 0; -EBUSY while anything uses it; -EOPNOTSUPP if it's a pool's; or the driver's errno.
 * There still is the CQ then.
 */
int ib_destroy_cq_user(struct ib_cq *cq, struct ib_udata *udata)
{
	int ret;

	if (WARN_ON_ONCE(cq->shared))
		return -EOPNOTSUPP;
	if (atomic_read(&cq->usecnt))
		return -EBUSY;

	rdma_restrack_begin_del(&cq->res);
	ret = rdma_end_destroy(&cq->res, cq->device->ops.destroy_cq(cq, udata));
	if (!ret)
		kfree(cq);
	return ret;
}
EXPORT_SYMBOL(ib_destroy_cq_user);

/**
 * ib_resize_cq - change the size of a CQ
 * @cq: the CQ
 * @cqe: entries wanted
 *
 * Context: Sleeps.
 * Return: 0, -EOPNOTSUPP (also for a pool's CQ), or what the driver returns.
 */
int ib_resize_cq(struct ib_cq *cq, int cqe)
{
	if (cq->shared || !cq->device->ops.resize_cq)
		return -EOPNOTSUPP;
	return cq->device->ops.resize_cq(cq, cqe, NULL);
}
EXPORT_SYMBOL(ib_resize_cq);

/**
 * rdma_set_cq_moderation - bound the interrupts of a CQ
 * @cq: the CQ
 * @cq_count: completions that may wait for one interrupt
 * @cq_period: how long they may wait, microseconds
 *
 * Context: Sleeps.
 * Return: 0, -EOPNOTSUPP (also for a pool's CQ), or what the driver returns.
 */
int rdma_set_cq_moderation(struct ib_cq *cq, u16 cq_count, u16 cq_period)
{
	if (cq->shared || !cq->device->ops.modify_cq)
		return -EOPNOTSUPP;
	return cq->device->ops.modify_cq(cq, cq_count, cq_period);
}
EXPORT_SYMBOL(rdma_set_cq_moderation);

/**
 * __ib_alloc_cq - create a CQ that calls wr_cqe->done; called as ib_alloc_cq()
 * @dev: the device
 * @private: cq->cq_context
 * @nr_cqe: entries
 * @comp_vector: the device's completion vector that reports events
 * @poll_ctx: where the handlers run. IB_POLL_DIRECT: in ib_process_cq_direct() only
 * @caller: the owner's name, for resource tracking
 *
 * Context: Sleeps.
 * Return: the CQ or an ERR_PTR(): -ENOMEM, -EINVAL for @poll_ctx, or what the driver returns.
 */
struct ib_cq *__ib_alloc_cq(struct ib_device *dev, void *private, int nr_cqe, int comp_vector,
			    enum ib_poll_context poll_ctx, const char *caller)
{
	struct ib_cq_init_attr attr = { .cqe = nr_cqe, .comp_vector = comp_vector };
	struct ib_cq *cq;
	int ret = -ENOMEM;

	cq = new_cq(dev, private, caller);
	if (!cq)
		goto err;
	cq->poll_ctx = poll_ctx;
	cq->comp_vector = comp_vector;

	/* All that an event needs is there before the driver knows the CQ. */
	ret = rdma_cq_poll_init(cq);
	if (ret)
		goto err_free;
	rdma_cq_dim_init(cq);
	ret = dev->ops.create_cq(cq, &attr, NULL);
	if (ret)
		goto err_dim;

	rdma_cq_poll_arm(cq);
	rdma_restrack_add(&cq->res);
	trace_cq_alloc(cq, nr_cqe, comp_vector, poll_ctx);
	return cq;

err_dim:
	rdma_cq_dim_destroy(cq);
err_free:
	free_new_cq(cq);
err:
	trace_cq_alloc_error(nr_cqe, comp_vector, poll_ctx, ret);
	return ERR_PTR(ret);
}
EXPORT_SYMBOL(__ib_alloc_cq);

/**
 * __ib_alloc_cq_any - as __ib_alloc_cq(), on one completion vector after the other
 * @dev: the device
 * @private: cq->cq_context
 * @nr_cqe: entries
 * @poll_ctx: where the handlers run
 * @caller: the owner's name, for resource tracking
 *
 * Context: Sleeps.
 * Return: as __ib_alloc_cq().
 */
struct ib_cq *__ib_alloc_cq_any(struct ib_device *dev, void *private, int nr_cqe,
				enum ib_poll_context poll_ctx, const char *caller)
{
	static atomic_t next_vector;
	unsigned int vectors = min_t(unsigned int, dev->num_comp_vectors, num_online_cpus());
	int comp_vector = 0;

	if (vectors > 1)
		comp_vector = (unsigned int)atomic_inc_return(&next_vector) % vectors;
	return __ib_alloc_cq(dev, private, nr_cqe, comp_vector, poll_ctx, caller);
}
EXPORT_SYMBOL(__ib_alloc_cq_any);

/**
 * ib_free_cq - destroy a CQ of ib_alloc_cq()
 * @cq: the CQ. Nothing may use it any more.
 *
 * Completion handlers that run are waited for, so it mustn't be called from one.
 *
 * Context: Sleeps.
 */
void ib_free_cq(struct ib_cq *cq)
{
	const struct ib_device_ops *ops = &cq->device->ops;

	if (WARN_ON_ONCE(atomic_read(&cq->usecnt) || cq->cqe_used))
		return;

	rdma_restrack_del(&cq->res);
	/* Some drivers can keep events from coming before the poller goes, and free it after. */
	if (ops->pre_destroy_cq)
		WARN_ON_ONCE(ops->pre_destroy_cq(cq));
	rdma_cq_poll_stop(cq);
	rdma_cq_dim_destroy(cq);
	trace_cq_free(cq);
	if (ops->post_destroy_cq)
		ops->post_destroy_cq(cq);
	else
		WARN_ON_ONCE(ops->destroy_cq(cq, NULL));
	kfree(cq->wc);
	kfree(cq);
}
EXPORT_SYMBOL(ib_free_cq);
