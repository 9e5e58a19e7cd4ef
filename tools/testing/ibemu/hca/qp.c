// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs: their lives and states (IBTA vol. 1, 10.3.1).
 */
#include <errno.h>

#include "hca/connected.h"

/* Where a new transport service comes in. */
static const struct hca_transport *const transports[HCA_QP_TYPES] = {
	[HCA_QP_RC] = &hca_reliable,
	[HCA_QP_UC] = &hca_unreliable,
	[HCA_QP_UD] = &hca_datagram,
	[HCA_QP_XRC] = &hca_reliable,
	[HCA_QP_DCI] = &hca_dc_initiator,
	[HCA_QP_DCT] = &hca_dc_target,
	[HCA_QP_SMI] = &hca_datagram,
	[HCA_QP_GSI] = &hca_datagram,
	[HCA_QP_LOCAL] = &hca_local,
};

bool hca_qp_type_supported(enum hca_qp_type type)
{
	return transports[type];
}

/* QP0 and QP1 belong to the management interfaces, one each a port. */
static struct hca_qp **special_slot(struct hca *hca, enum hca_qp_type type)
{
	switch (type) {
	case HCA_QP_SMI:
		return &hca->special[0];
	case HCA_QP_GSI:
		return &hca->special[1];
	default:
		return NULL;
	}
}

static int64_t assign_number(struct hca *hca, struct hca_qp *qp)
{
	struct hca_qp **slot = special_slot(hca, qp->type);

	if (!slot)
		return idtab_alloc(&hca->qps, qp);
	if (*slot)
		return -EBUSY;
	*slot = qp;
	return slot - hca->special;
}

static void release_number(struct hca_qp *qp)
{
	struct hca_qp **slot = special_slot(qp->hca, qp->type);

	if (slot)
		*slot = NULL;
	else
		idtab_free(&qp->hca->qps, qp->num);
}

/* The number and the transport's state. */
static int allocate(struct hca_qp *qp)
{
	int64_t num = qp->transport ? assign_number(qp->hca, qp) : -EOPNOTSUPP;
	int error;

	if (num < 0)
		return (int)num;
	qp->num = (uint32_t)num;
	error = qp->transport->create ? qp->transport->create(qp) : 0;
	if (error)
		release_number(qp);
	return error;
}

int hca_qp_create(struct hca *hca, struct hca_qp *qp)
{
	int error;

	qp->hca = hca;
	qp->transport = transports[qp->type];
	error = allocate(qp);
	if (error) {
		hca_buffer_destroy(&qp->buf);
		return error;
	}
	qp->state = HCA_QP_RESET;
	qp->rq.buf = &qp->buf;
	qp->send_cq->users++;
	qp->recv_cq->users++;
	if (qp->srq)
		qp->srq->users++;
	return 0;
}

int hca_qp_destroy(struct hca_qp *qp)
{
	if (qp->groups)
		return -EBUSY;
	hca_send_forget(qp);
	hca_flush_forget(qp);
	if (qp->transport->destroy)
		qp->transport->destroy(qp);
	release_number(qp);
	qp->send_cq->users--;
	qp->recv_cq->users--;
	if (qp->srq)
		qp->srq->users--;
	hca_buffer_destroy(&qp->buf);
	return 0;
}

struct hca_qp *hca_qp_find(struct hca *hca, uint32_t num)
{
	return num < 2 ? hca->special[num] : idtab_find(&hca->qps, num);
}

static void reset(struct hca_qp *qp)
{
	hca_send_forget(qp);
	qp->page_refused = 0;
	qp->sq_index = 0;
	qp->sq_unreadable = false;
	qp->rq.consumed = 0;
}

void hca_qp_set_state(struct hca_qp *qp, enum hca_qp_state state)
{
	enum hca_qp_state old = qp->state;

	qp->state = state;
	if (state == HCA_QP_RESET || state == HCA_QP_ERR)
		qp->page_waiting = 0;
	if (old == HCA_QP_ERR && state != HCA_QP_ERR)
		hca_flush_forget(qp);
	if (qp->transport->entered)
		qp->transport->entered(qp, old);
	switch (state) {
	case HCA_QP_RESET:
		reset(qp);
		break;
	case HCA_QP_SQD:
		if (!qp->transport->drained || qp->transport->drained(qp))
			qp->hca->ops->event(qp->hca, HCA_EVENT_SQ_DRAINED, qp->num);
		break;
	case HCA_QP_ERR:
		if (old == HCA_QP_ERR)
			break;
		hca_flush_start(qp);
		if (qp->srq)
			qp->hca->ops->event(qp->hca, HCA_EVENT_LAST_WQE_REACHED, qp->num);
		break;
	default:
		hca_qp_doorbell(qp);
		break;
	}
}

void hca_qp_event(struct hca_qp *qp, enum hca_event event)
{
	if (!qp->dct)
		qp->hca->ops->event(qp->hca, event, qp->num);
}

void hca_qp_fail(struct hca_qp *qp)
{
	if (qp->state == HCA_QP_ERR)
		return;
	if (qp->dct)
		hca_dct_fail(qp);
	else
		hca_qp_set_state(qp, HCA_QP_ERR);
}

void hca_qp_catastrophe(struct hca_qp *qp)
{
	hca_qp_event(qp, HCA_EVENT_QP_CATASTROPHIC);
	hca_qp_fail(qp);
}

void hca_qp_complete(struct hca_qp *qp, struct hca_cq *cq, struct hca_wc *wc)
{
	wc->qp = qp->dct ? qp->dct : qp;
	if (!hca_cq_push(cq, wc) && qp->state != HCA_QP_ERR)
		hca_qp_catastrophe(qp);
}
