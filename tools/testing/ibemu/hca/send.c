// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The send side of all queue pairs: those with work wait in a line, and each gets a few work
 * requests done at a time, so that no guest can keep the loop busy.
 */
#include "hca/engine.h"

#define SENDS_A_TURN 16
#define TURNS_A_RUN 8

/* The states in which a posted send is executed, or at least completed. */
static bool takes_sends(const struct hca_qp *qp)
{
	return qp->state == HCA_QP_RTS || qp->state == HCA_QP_SQE;
}

void hca_send_queue(struct hca_qp *qp)
{
	struct hca *hca = qp->hca;

	if (qp->queued)
		return;
	qp->queued = true;
	qp->ready_next = NULL;
	if (hca->ready.last)
		hca->ready.last->ready_next = qp;
	else
		hca->ready.first = qp;
	hca->ready.last = qp;
	task_post(hca->sched, &hca->send_task);
}

void hca_qp_doorbell(struct hca_qp *qp)
{
	if (qp->state == HCA_QP_ERR)
		task_post(qp->hca->sched, &qp->hca->flush_task);
	else if (qp->has_sq && !qp->sq_unreadable && takes_sends(qp))
		hca_send_queue(qp);
}

void hca_send_forget(struct hca_qp *qp)
{
	struct hca_qp **link = &qp->hca->ready.first, *previous = NULL;

	if (!qp->queued)
		return;
	while (*link != qp) {
		previous = *link;
		link = &previous->ready_next;
	}
	*link = qp->ready_next;
	if (!qp->ready_next)
		qp->hca->ready.last = previous;
	qp->queued = false;
}

void hca_complete_send(struct hca_qp *qp, const struct hca_send_wr *wr, enum hca_status status,
		       uint32_t byte_len)
{
	struct hca_wc wc = {
		.opcode = HCA_WC_SEND,
		.status = status,
		.chip_opcode = wr->chip_opcode,
		.index = wr->index,
		.byte_len = byte_len,
	};

	if (wr->signaled || status != HCA_OK)
		hca_qp_complete(qp, qp->send_cq, &wc);
}

static bool wait_for_page(struct hca_qp *qp, const struct hca_send_wr *wr)
{
	const struct hca_page_fault fault = {
		.qp = qp,
		.half = HCA_REQUESTER,
		.packet_len = (uint32_t)hca_sge_total(wr->sge, wr->sge_count),
		.index = wr->index,
	};

	return hca_page_fault(&fault);
}

/* Executes one work request, or flushes it. */
static void execute(struct hca_qp *qp, struct hca_send_wr *wr, bool malformed)
{
	enum hca_status status;

	if (qp->state == HCA_QP_SQE)
		status = HCA_FLUSHED;
	else if (malformed)
		status = HCA_LOCAL_QP_OPERATION;
	else
		status = qp->transport->send(qp, wr);
	if (status == HCA_PAGED_OUT) {
		if (wait_for_page(qp, wr))
			return;
		status = HCA_LOCAL_PROTECTION;
	}
	qp->sq_index = wr->next;
	hca_complete_send(qp, wr, status, 0);
	if (status != HCA_OK && qp->state == HCA_QP_RTS)
		hca_qp_set_state(qp, qp->transport->send_error_state);
}

/* True: its turn ended before its work did. */
static bool turn(struct hca_qp *qp)
{
	struct hca_send_wr wr;

	if (qp->transport->run)
		return qp->transport->run(qp);
	for (int i = 0; i < SENDS_A_TURN; i++) {
		enum hca_fetch fetch;

		if (!takes_sends(qp) || (qp->page_waiting & HCA_REQUESTER))
			return false;
		fetch = qp->hca->ops->fetch_send(qp, qp->sq_index, &wr);
		if (fetch == HCA_EMPTY)
			return false;
		if (fetch == HCA_UNREADABLE) {
			qp->sq_unreadable = true;
			hca_qp_catastrophe(qp);
			return false;
		}
		execute(qp, &wr, fetch == HCA_MALFORMED);
	}
	return true;
}

void hca_send_run(void *ctx)
{
	struct hca *hca = ctx;

	for (int i = 0; i < TURNS_A_RUN; i++) {
		struct hca_qp *qp = hca->ready.first;

		if (!qp)
			return;
		hca_send_forget(qp);
		if (turn(qp))
			hca_send_queue(qp);
	}
	if (hca->ready.first)
		task_post(hca->sched, &hca->send_task);
}
