// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The error state: all that is posted, and all that still gets posted, completes as flushed (IBTA
 * vol. 1, 10.3.1.6). Receives are posted without a doorbell, so while there is a queue pair in
 * this state its records are looked at now and then.
 */
#include "hca/engine.h"

#define FLUSHES_A_RUN 256
#define POLL_NS (10 * NSEC_PER_MSEC)

void hca_flush_start(struct hca_qp *qp)
{
	struct hca *hca = qp->hca;

	hca_send_forget(qp);
	qp->failing = true;
	qp->failing_next = NULL;
	if (hca->failing.last)
		hca->failing.last->failing_next = qp;
	else
		hca->failing.first = qp;
	hca->failing.last = qp;
	task_post(hca->sched, &hca->flush_task);
}

void hca_flush_forget(struct hca_qp *qp)
{
	struct hca_qp **link = &qp->hca->failing.first, *previous = NULL;

	if (!qp->failing)
		return;
	while (*link != qp) {
		previous = *link;
		link = &previous->failing_next;
	}
	*link = qp->failing_next;
	if (!qp->failing_next)
		qp->hca->failing.last = previous;
	qp->failing = false;
	if (!qp->hca->failing.first)
		timer_cancel(qp->hca->sched, &qp->hca->flush_timer);
}

bool hca_flush_send(struct hca_qp *qp)
{
	struct hca_send_wr wr;
	enum hca_fetch fetch;

	if (qp->transport->flush_send && qp->transport->flush_send(qp))
		return true;
	if (!qp->has_sq || qp->sq_unreadable)
		return false;
	fetch = qp->hca->ops->fetch_send(qp, qp->sq_index, &wr);
	if (fetch == HCA_UNREADABLE)
		qp->sq_unreadable = true;
	if (fetch == HCA_EMPTY || fetch == HCA_UNREADABLE)
		return false;
	qp->sq_index = wr.next;
	hca_complete_send(qp, &wr, HCA_FLUSHED, 0);
	return true;
}

/* What the work request says doesn't matter any more, only that it's there. */
static bool flush_receive(struct hca_qp *qp)
{
	struct hca_wc wc = { .opcode = HCA_WC_RECV,
			     .status = HCA_FLUSHED,
			     .index = qp->rq.consumed };

	if (!qp->has_rq || !hca_rq_posted(qp->hca, &qp->rq))
		return false;
	qp->rq.consumed++;
	hca_qp_complete(qp, qp->recv_cq, &wc);
	return true;
}

void hca_flush_run(void *ctx)
{
	struct hca *hca = ctx;
	int budget = FLUSHES_A_RUN;

	for (struct hca_qp *qp = hca->failing.first; qp; qp = qp->failing_next) {
		while (budget && hca_flush_send(qp))
			budget--;
		while (budget && flush_receive(qp))
			budget--;
	}
	if (!budget)
		task_post(hca->sched, &hca->flush_task);
	else if (hca->failing.first)
		timer_arm(hca->sched, &hca->flush_timer, sched_now_ns(hca->sched) + POLL_NS);
}

void hca_flush_tick(void *ctx)
{
	struct hca *hca = ctx;

	task_post(hca->sched, &hca->flush_task);
}
