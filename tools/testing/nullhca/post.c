// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Work requests: sends are carried out at once, receives wait. */

#include "nullhca.h"

static int wc_opcode(enum ib_wr_opcode opcode)
{
	switch (opcode) {
	case IB_WR_SEND:
	case IB_WR_SEND_WITH_IMM:
	case IB_WR_SEND_WITH_INV:
		return IB_WC_SEND;
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_WRITE_WITH_IMM:
		return IB_WC_RDMA_WRITE;
	case IB_WR_RDMA_READ:
		return IB_WC_RDMA_READ;
	case IB_WR_ATOMIC_CMP_AND_SWP:
		return IB_WC_COMP_SWAP;
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		return IB_WC_FETCH_ADD;
	case IB_WR_LOCAL_INV:
		return IB_WC_LOCAL_INV;
	case IB_WR_REG_MR:
		return IB_WC_REG_MR;
	default:
		return -EINVAL;
	}
}

static int post_one(struct nullhca_qp *qp, const struct ib_send_wr *wr)
{
	enum ib_qp_state state = READ_ONCE(qp->attr.qp_state);
	struct ib_wc wc = { .wr_cqe = wr->wr_cqe, .qp = &qp->ib };
	int opcode = wc_opcode(wr->opcode);

	if (opcode < 0 || wr->num_sge < 0 || wr->num_sge > NULLHCA_MAX_SGE)
		return -EINVAL;
	if (state < IB_QPS_RTS)
		return -EINVAL;
	wc.opcode = opcode;
	wc.status = state == IB_QPS_ERR ? IB_WC_WR_FLUSH_ERR : nullhca_deliver(qp, wr);
	if (wc.status != IB_WC_SUCCESS || qp->init.sq_sig_type == IB_SIGNAL_ALL_WR ||
	    (wr->send_flags & IB_SEND_SIGNALED))
		nullhca_complete(qp->ib.send_cq, &wc, wc.status != IB_WC_SUCCESS);
	return 0;
}

int nullhca_post_send(struct ib_qp *ib, const struct ib_send_wr *wr,
		      const struct ib_send_wr **bad_wr)
{
	struct nullhca *device = to_nullhca(ib->device);
	int ret;

	for (; wr; wr = wr->next) {
		ret = nullhca_pass(ib->device, NULLHCA_post_send);
		if (!ret)
			ret = post_one(to_qp(ib), wr);
		if (ret) {
			*bad_wr = wr;
			return ret;
		}
		atomic64_inc(&device->sends);
	}
	return 0;
}

static void flush_one(struct nullhca_qp *qp, struct ib_cqe *cqe)
{
	struct ib_wc wc = {
		.wr_cqe = cqe,
		.qp = &qp->ib,
		.opcode = IB_WC_RECV,
		.status = IB_WC_WR_FLUSH_ERR,
	};

	nullhca_complete(qp->ib.recv_cq, &wc, true);
}

/* With an SRQ nothing is flushed: an event says that no more of its receives will be used. */
void nullhca_flush_receives(struct nullhca_qp *qp)
{
	struct ib_event event = {
		.device = qp->ib.device,
		.event = IB_EVENT_QP_LAST_WQE_REACHED,
		.element.qp = &qp->ib,
	};
	struct nullhca_receive receive;
	bool limit;

	if (!qp->ib.srq) {
		while (nullhca_queue_take(&qp->receives, &receive, &limit))
			flush_one(qp, receive.cqe);
	} else if (qp->ib.event_handler) {
		qp->ib.event_handler(&event, qp->ib.qp_context);
	}
}

static int post_receive(struct nullhca_qp *qp, const struct ib_recv_wr *wr)
{
	if (qp->ib.srq || !qp->ib.recv_cq || qp->attr.qp_state == IB_QPS_RESET)
		return -EINVAL;
	if (qp->attr.qp_state != IB_QPS_ERR)
		return nullhca_queue_post(&qp->receives, wr);
	flush_one(qp, wr->wr_cqe);
	return 0;
}

int nullhca_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad_wr)
{
	struct nullhca *device = to_nullhca(ib->device);
	struct nullhca_qp *qp = to_qp(ib);
	unsigned long flags;
	int ret;

	for (; wr; wr = wr->next) {
		ret = nullhca_pass(ib->device, NULLHCA_post_recv);
		/* Under this lock, or a receive could slip in behind the flush. */
		spin_lock_irqsave(&qp->state_lock, flags);
		if (!ret)
			ret = post_receive(qp, wr);
		spin_unlock_irqrestore(&qp->state_lock, flags);
		if (ret) {
			*bad_wr = wr;
			return ret;
		}
		atomic64_inc(&device->receives);
	}
	return 0;
}
