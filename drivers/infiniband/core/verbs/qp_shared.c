// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * XRC target QPs (IBTA annex 14): processes that share an XRC domain share its target QPs, too. The
 * real QP is a kernel object, found by its number in xrcd->tgt_qps. What a process gets is a
 * handle: a bare ib_qp that points to the real one, counts in its usecnt and is told its events.
 * The last handle takes the real QP with it.
 */

#include <linux/slab.h>

#include "verbs.h"

void rdma_shared_qp_event(struct ib_event *event, void *context)
{
	struct ib_qp *real_qp = context;
	struct ib_qp *handle;
	unsigned long flags;

	spin_lock_irqsave(&real_qp->device->qp_open_list_lock, flags);
	list_for_each_entry(handle, &real_qp->open_list, open_list) {
		event->element.qp = handle;
		if (handle->event_handler)
			handle->event_handler(event, handle->qp_context);
	}
	spin_unlock_irqrestore(&real_qp->device->qp_open_list_lock, flags);
}

static struct ib_qp *new_handle(struct ib_qp *real_qp,
				void (*event_handler)(struct ib_event *, void *),
				void *qp_context)
{
	struct ib_device *device = real_qp->device;
	struct ib_qp *handle;

	handle = kzalloc(sizeof(*handle), GFP_KERNEL);
	if (!handle)
		return ERR_PTR(-ENOMEM);
	handle->device = device;
	handle->real_qp = real_qp;
	handle->qp_num = real_qp->qp_num;
	handle->qp_type = real_qp->qp_type;
	handle->event_handler = event_handler;
	handle->qp_context = qp_context;

	atomic_inc(&real_qp->usecnt);
	spin_lock_irq(&device->qp_open_list_lock);
	list_add(&handle->open_list, &real_qp->open_list);
	spin_unlock_irq(&device->qp_open_list_lock);
	return handle;
}

struct ib_qp *rdma_share_qp(struct ib_qp *real_qp, struct ib_qp_init_attr *attr)
{
	struct ib_xrcd *xrcd = attr->xrcd;
	struct ib_qp *handle;
	int ret;

	handle = new_handle(real_qp, attr->event_handler, attr->qp_context);
	if (IS_ERR(handle))
		return handle;
	ret = xa_err(xa_store(&xrcd->tgt_qps, real_qp->qp_num, real_qp, GFP_KERNEL));
	if (ret) {
		ib_close_qp(handle);
		return ERR_PTR(ret);
	}
	atomic_inc(&xrcd->usecnt);
	return handle;
}

/**
 * ib_open_qp - open an XRC target QP
 * @xrcd: its XRC domain
 * @qp_open_attr: its number and type; handler and context for its events
 *
 * Context: Sleeps.
 * Return: a handle or an ERR_PTR(): -EINVAL for another type, or if there is no such QP in the
 * domain; -ENOMEM.
 */
struct ib_qp *ib_open_qp(struct ib_xrcd *xrcd, struct ib_qp_open_attr *qp_open_attr)
{
	struct ib_qp *real_qp, *handle = ERR_PTR(-EINVAL);

	if (qp_open_attr->qp_type != IB_QPT_XRC_TGT)
		return ERR_PTR(-EINVAL);

	down_read(&xrcd->tgt_qps_rwsem);
	real_qp = xa_load(&xrcd->tgt_qps, qp_open_attr->qp_num);
	if (real_qp)
		handle = new_handle(real_qp, qp_open_attr->event_handler,
				    qp_open_attr->qp_context);
	up_read(&xrcd->tgt_qps_rwsem);
	return handle;
}
EXPORT_SYMBOL(ib_open_qp);

/**
 * ib_close_qp - free a handle, and nothing else
 * @qp: the handle. No event reaches it any more, once this has returned.
 *
 * Context: Process, or softirq; not an event handler.
 * Return: 0, or -EINVAL if @qp is no handle.
 */
int ib_close_qp(struct ib_qp *qp)
{
	struct ib_qp *real_qp = qp->real_qp;
	unsigned long flags;

	if (real_qp == qp)
		return -EINVAL;

	spin_lock_irqsave(&real_qp->device->qp_open_list_lock, flags);
	list_del(&qp->open_list);
	spin_unlock_irqrestore(&real_qp->device->qp_open_list_lock, flags);
	atomic_dec(&real_qp->usecnt);
	kfree(qp);
	return 0;
}
EXPORT_SYMBOL(ib_close_qp);

/*
 * With tgt_qps_rwsem held: nobody can open it. Its number may be another's before the driver's call
 * has returned, who then finds the place taken by nobody.
 */
static int destroy_real_qp(struct ib_xrcd *xrcd, struct ib_qp *real_qp)
{
	u32 qp_num = real_qp->qp_num;
	int ret;

	xa_store(&xrcd->tgt_qps, qp_num, XA_ZERO_ENTRY, 0);
	atomic_dec(&real_qp->usecnt);
	ret = ib_destroy_qp(real_qp);
	if (ret) {
		atomic_inc(&real_qp->usecnt);
		xa_store(&xrcd->tgt_qps, qp_num, real_qp, 0);
		return ret;
	}
	xa_release(&xrcd->tgt_qps, qp_num);
	atomic_dec(&xrcd->usecnt);
	return 0;
}

/* The last handle stays as long as the driver keeps the real QP: it's all that can try again. */
int rdma_destroy_shared_qp(struct ib_qp *handle)
{
	struct ib_qp *real_qp = handle->real_qp;
	struct ib_xrcd *xrcd = real_qp->xrcd;
	int ret = 0;

	down_write(&xrcd->tgt_qps_rwsem);
	if (atomic_read(&real_qp->usecnt) > 1) {
		ib_close_qp(handle);
	} else {
		ret = destroy_real_qp(xrcd, real_qp);
		/* It's in no list any more, since that has gone with the real QP. */
		if (!ret)
			kfree(handle);
	}
	up_write(&xrcd->tgt_qps_rwsem);
	return ret;
}
