// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Unreliable connections as they receive: a message of which anything is missing is dropped as a
 * whole, and what the other side does wrong is dropped too (IBTA vol. 1, 9.8.2).
 */
#include "hca/connected.h"

void hca_uc_start(struct hca_qp *qp)
{
	qp->connected->responder.epsn = qp->conn.rq_psn & PSN_MASK;
}

static bool is_message(const struct operation *operation)
{
	return operation->kind == OPERATION_SEND || operation->kind == OPERATION_WRITE;
}

/*
 * What can't be received for a reason on this side ends the receive work request, and the queue
 * pair with it.
 */
static void fail(struct hca_qp *qp)
{
	enum hca_status status = qp->connected->inbound.wr_status;

	hca_inbound_drop(&qp->connected->inbound);
	if (status == HCA_FLUSHED || status == HCA_LOCAL_ACCESS)
		return;
	if (!hca_inbound_fail(qp, status))
		hca_qp_catastrophe(qp);
	else if (qp->state != HCA_QP_ERR)
		hca_qp_set_state(qp, HCA_QP_ERR);
}

void hca_uc_receive(struct hca_qp *qp, const struct hca_rx *rx, const struct operation *operation)
{
	struct responder *r = &qp->connected->responder;
	enum verdict verdict = INVALID_REQUEST;

	/* A gap ends the message that is arriving, and a message that begins ends a gap. */
	if (rx->bth.psn != r->epsn || operation->first)
		hca_inbound_drop(&qp->connected->inbound);
	r->epsn = psn_add(rx->bth.psn, 1);
	if (is_message(operation) && !operation->invalidate)
		verdict = hca_inbound_packet(qp, rx, operation);
	if (verdict == NOT_READY) {
		qp->hca->counters.dropped_no_wqe++;
		hca_inbound_drop(&qp->connected->inbound);
	} else if (verdict != ACCEPTED) {
		fail(qp);
	}
}
