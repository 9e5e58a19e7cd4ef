// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From a CQ's event to the completion handlers of its WRs: in the caller's context, in a softirq
 * or in a work queue. The event handler only schedules; the poller runs in one context at a time.
 * It takes completions until the CQ is empty or its budget is used up, and in the first case arms
 * the CQ for the next event: that reports completions which came in between, so that none is
 * left lying.
 */

#include <linux/dim.h>
#include <linux/irq_poll.h>
#include <linux/workqueue.h>
#include <trace/events/rdma_core.h>

#include "verbs.h"

#define BATCH			16	/* completions taken at once */
#define BATCH_DIRECT		8	/* the same, on the caller's stack */
#define BUDGET_SOFTIRQ		256	/* completions in one run */
#define BUDGET_WORKQUEUE	65536

/* Both HIGHPRI, and with rescuers: file systems may wait for completions to get memory. */
static struct workqueue_struct *bound_wq, *unbound_wq;

static int poll(struct ib_cq *cq, int num, struct ib_wc *wc)
{
	int ret = ib_poll_cq(cq, num, wc);

	trace_cq_poll(cq, num, ret);
	return ret;
}

static void complete_batch(struct ib_cq *cq, struct ib_wc *wc, int num)
{
	for (; num > 0; num--, wc++) {
		if (wc->wr_cqe)
			wc->wr_cqe->done(cq, wc);
		else
			WARN_ON_ONCE(wc->status == IB_WC_SUCCESS);
	}
}

/* Takes up to @budget completions; all of them if that is -1. Returns their number. */
static int process(struct ib_cq *cq, int budget, struct ib_wc *wcs, int batch)
{
	int completed = 0;
	int want, got;

	trace_cq_process(cq);
	do {
		want = budget < 0 ? batch : min(batch, budget - completed);
		got = want ? poll(cq, want, wcs) : 0;
		if (got <= 0)
			break;
		complete_batch(cq, wcs, got);
		completed += got;
	} while (got == batch);
	return completed;
}

/**
 * ib_process_cq_direct - handle completions now, in the caller's context
 * @cq: the CQ
 * @budget: how many at most; -1 for all that there are
 *
 * On a CQ that isn't IB_POLL_DIRECT, handlers may run at the same time in the CQ's own context.
 *
 * Context: Any that the handlers can cope with.
 * Return: how many were handled.
 */
int ib_process_cq_direct(struct ib_cq *cq, int budget)
{
	struct ib_wc wcs[BATCH_DIRECT];

	return process(cq, budget, wcs, BATCH_DIRECT);
}
EXPORT_SYMBOL(ib_process_cq_direct);

/* Returns true if completions came before the CQ was armed. */
static bool arm(struct ib_cq *cq)
{
	return ib_req_notify_cq(cq, IB_CQ_NEXT_COMP | IB_CQ_REPORT_MISSED_EVENTS) > 0;
}

static void event_direct(struct ib_cq *cq, void *context)
{
	WARN_ONCE(1, "%s: event of a CQ that nobody has armed\n", dev_name(&cq->device->dev));
}

static void event_softirq(struct ib_cq *cq, void *context)
{
	trace_cq_schedule(cq);
	irq_poll_sched(&cq->iop);
}

static void event_workqueue(struct ib_cq *cq, void *context)
{
	trace_cq_schedule(cq);
	queue_work(cq->comp_wq, &cq->work);
}

static int poll_softirq(struct irq_poll *iop, int budget)
{
	struct ib_cq *cq = container_of(iop, struct ib_cq, iop);
	int completed;

	completed = process(cq, budget, cq->wc, BATCH);
	if (completed < budget) {
		/* First this, or the event would find the poller scheduled, and be lost. */
		irq_poll_complete(iop);
		if (arm(cq)) {
			trace_cq_reschedule(cq);
			irq_poll_sched(iop);
		}
	}
	if (cq->dim)
		rdma_dim(cq->dim, completed);
	return completed;
}

static void poll_workqueue(struct work_struct *work)
{
	struct ib_cq *cq = container_of(work, struct ib_cq, work);
	int completed;

	completed = process(cq, BUDGET_WORKQUEUE, cq->wc, BATCH);
	if (completed >= BUDGET_WORKQUEUE || arm(cq))
		queue_work(cq->comp_wq, &cq->work);
	else if (cq->dim)
		rdma_dim(cq->dim, completed);
}

int rdma_cq_poll_init(struct ib_cq *cq)
{
	switch (cq->poll_ctx) {
	case IB_POLL_DIRECT:
		cq->comp_handler = event_direct;
		return 0;
	case IB_POLL_SOFTIRQ:
		cq->comp_handler = event_softirq;
		irq_poll_init(&cq->iop, BUDGET_SOFTIRQ, poll_softirq);
		break;
	case IB_POLL_WORKQUEUE:
	case IB_POLL_UNBOUND_WORKQUEUE:
		cq->comp_handler = event_workqueue;
		cq->comp_wq = cq->poll_ctx == IB_POLL_WORKQUEUE ? bound_wq : unbound_wq;
		INIT_WORK(&cq->work, poll_workqueue);
		break;
	default:
		return -EINVAL;
	}

	cq->wc = kmalloc_array(BATCH, sizeof(*cq->wc), GFP_KERNEL);
	return cq->wc ? 0 : -ENOMEM;
}

void rdma_cq_poll_arm(struct ib_cq *cq)
{
	if (cq->poll_ctx != IB_POLL_DIRECT)
		ib_req_notify_cq(cq, IB_CQ_NEXT_COMP);
}

void rdma_cq_poll_stop(struct ib_cq *cq)
{
	switch (cq->poll_ctx) {
	case IB_POLL_DIRECT:
		break;
	case IB_POLL_SOFTIRQ:
		irq_poll_disable(&cq->iop);
		/* That may return while poll_softirq(), in a softirq, still arms the CQ. */
		synchronize_rcu();
		break;
	case IB_POLL_WORKQUEUE:
	case IB_POLL_UNBOUND_WORKQUEUE:
		/* Events that are late can't queue it again. */
		disable_work_sync(&cq->work);
		break;
	}
}

int rdma_verbs_init(void)
{
	unsigned int flags = WQ_HIGHPRI | WQ_MEM_RECLAIM | WQ_SYSFS;

	bound_wq = alloc_workqueue("ib-comp-wq", flags, 0);
	if (!bound_wq)
		return -ENOMEM;
	unbound_wq = alloc_workqueue("ib-comp-unb-wq", flags | WQ_UNBOUND, WQ_UNBOUND_MAX_ACTIVE);
	if (!unbound_wq) {
		destroy_workqueue(bound_wq);
		return -ENOMEM;
	}
	return 0;
}

void rdma_verbs_exit(void)
{
	destroy_workqueue(unbound_wq);
	destroy_workqueue(bound_wq);
}
