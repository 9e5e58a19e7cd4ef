// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion queues. */

#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "nullhca.h"

static void notify(struct work_struct *work)
{
	struct nullhca_cq *cq = container_of(work, struct nullhca_cq, notify);

	cq->ib.comp_handler(&cq->ib, cq->ib.cq_context);
}

static void overrun(struct ib_cq *ib)
{
	struct ib_event event = {
		.device = ib->device,
		.event = IB_EVENT_CQ_ERR,
		.element.cq = ib,
	};

	if (ib->event_handler)
		ib->event_handler(&event, ib->cq_context);
}

/**
 * nullhca_complete - add a completion
 * @ib: the CQ
 * @wc: the completion
 * @solicited: the sender asked for an event, or it failed
 *
 * A completion for which there's no room is lost, with the event that hardware would raise.
 *
 * Context: Any; takes the CQ's lock.
 */
void nullhca_complete(struct ib_cq *ib, const struct ib_wc *wc, bool solicited)
{
	struct nullhca_cq *cq = to_cq(ib);
	unsigned long flags;
	bool full;

	spin_lock_irqsave(&cq->lock, flags);
	full = cq->tail - cq->head == cq->size;
	if (!full)
		cq->ring[cq->tail++ % cq->size] = *wc;
	if (cq->armed == IB_CQ_NEXT_COMP || (cq->armed && solicited)) {
		cq->armed = 0;
		queue_work(system_bh_wq, &cq->notify);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	if (full)
		overrun(ib);
}

/* Completions of a QP that is being destroyed mustn't be seen any more. */
void nullhca_forget(struct ib_cq *ib, const struct ib_qp *qp)
{
	struct nullhca_cq *cq = to_cq(ib);
	unsigned long flags;
	u32 from, to;

	spin_lock_irqsave(&cq->lock, flags);
	for (from = to = cq->head; from != cq->tail; from++)
		if (cq->ring[from % cq->size].qp != qp)
			cq->ring[to++ % cq->size] = cq->ring[from % cq->size];
	cq->tail = to;
	spin_unlock_irqrestore(&cq->lock, flags);
}

static int poll_cq(struct ib_cq *ib, int room, struct ib_wc *wc)
{
	struct nullhca_cq *cq = to_cq(ib);
	unsigned long flags;
	int n, ret = nullhca_pass(ib->device, NULLHCA_poll_cq);

	if (ret)
		return ret;
	spin_lock_irqsave(&cq->lock, flags);
	for (n = 0; n < room && cq->head != cq->tail; n++)
		wc[n] = cq->ring[cq->head++ % cq->size];
	spin_unlock_irqrestore(&cq->lock, flags);
	return n;
}

static int req_notify_cq(struct ib_cq *ib, enum ib_cq_notify_flags wanted)
{
	struct nullhca_cq *cq = to_cq(ib);
	unsigned long flags;
	int ret = nullhca_pass(ib->device, NULLHCA_req_notify_cq);

	if (ret)
		return ret;
	spin_lock_irqsave(&cq->lock, flags);
	if (cq->armed != IB_CQ_NEXT_COMP)
		cq->armed = wanted & IB_CQ_SOLICITED_MASK;
	if ((wanted & IB_CQ_REPORT_MISSED_EVENTS) && cq->head != cq->tail)
		ret = 1;
	spin_unlock_irqrestore(&cq->lock, flags);
	return ret;
}

static int create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *attr,
		     struct uverbs_attr_bundle *attrs)
{
	struct nullhca_cq *cq = to_cq(ib);
	int ret = nullhca_pass(ib->device, NULLHCA_create_cq);

	if (ret)
		return ret;
	if (attr->flags)
		return -EOPNOTSUPP;
	if (!attr->cqe || attr->cqe > NULLHCA_MAX_CQE)
		return -EINVAL;
	cq->size = roundup_pow_of_two(attr->cqe);
	cq->ring = kvcalloc(cq->size, sizeof(*cq->ring), GFP_KERNEL);
	if (!cq->ring)
		return -ENOMEM;
	spin_lock_init(&cq->lock);
	INIT_WORK(&cq->notify, notify);
	ib->cqe = cq->size;
	return 0;
}

static int destroy_cq(struct ib_cq *ib, struct ib_udata *udata)
{
	struct nullhca_cq *cq = to_cq(ib);
	int ret = nullhca_pass(ib->device, NULLHCA_destroy_cq);

	if (ret)
		return ret;
	cancel_work_sync(&cq->notify);
	kvfree(cq->ring);
	return 0;
}

static int modify_cq(struct ib_cq *ib, u16 count, u16 period)
{
	return nullhca_pass(ib->device, NULLHCA_modify_cq);
}

/* Moves what hasn't been polled to another ring; called with the lock held. */
static struct ib_wc *change_ring(struct nullhca_cq *cq, struct ib_wc *ring, u32 size)
{
	struct ib_wc *old = cq->ring;
	u32 n;

	for (n = 0; cq->head != cq->tail; n++)
		ring[n] = old[cq->head++ % cq->size];
	cq->ring = ring;
	cq->size = size;
	cq->head = 0;
	cq->tail = n;
	return old;
}

static int resize_cq(struct ib_cq *ib, int cqe, struct ib_udata *udata)
{
	struct nullhca_cq *cq = to_cq(ib);
	struct ib_wc *spare;
	u32 size;
	int ret = nullhca_pass(ib->device, NULLHCA_resize_cq);

	if (ret)
		return ret;
	if (cqe < 1 || cqe > NULLHCA_MAX_CQE)
		return -EINVAL;
	size = roundup_pow_of_two(cqe);
	spare = kvcalloc(size, sizeof(*spare), GFP_KERNEL);
	if (!spare)
		return -ENOMEM;
	spin_lock_irq(&cq->lock);
	if (cq->tail - cq->head <= size)
		spare = change_ring(cq, spare, size);
	else
		ret = -EINVAL;
	spin_unlock_irq(&cq->lock);
	kvfree(spare);
	if (!ret)
		ib->cqe = size;
	return ret;
}

const struct ib_device_ops nullhca_cq_ops = {
	.create_cq = create_cq,
	.destroy_cq = destroy_cq,
	.modify_cq = modify_cq,
	.resize_cq = resize_cq,
	.poll_cq = poll_cq,
	.req_notify_cq = req_notify_cq,
	INIT_RDMA_OBJ_SIZE(ib_cq, nullhca_cq, ib),
};
