// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Draining a QP: in the error state it flushes all its WRs. Completions of a queue come in order,
 * so when that of a marker, posted last, has been handled, all have. A QP with an SRQ has taken
 * its last WR when the device reports the event for it (IBTA 10.3.1); what its CQ has by then is
 * handled here.
 */

#include <trace/events/rdma_core.h>

#include "verbs.h"

#define LAST_WQE_TIMEOUT	(60 * HZ)
#define DIRECT_POLL_INTERVAL	(HZ / 10)

struct marker {
	struct ib_cqe cqe;
	struct completion done;
};

static void marker_done(struct ib_cq *cq, struct ib_wc *wc)
{
	complete(&container_of(wc->wr_cqe, struct marker, cqe)->done);
}

static void init_marker(struct marker *marker)
{
	marker->cqe.done = marker_done;
	init_completion(&marker->done);
}

/*
 * Never gives up: the marker is on the caller's stack. A CQ without a context of its own is polled
 * from here.
 */
static void wait_for_marker(struct marker *marker, struct ib_cq *cq)
{
	if (cq->poll_ctx != IB_POLL_DIRECT) {
		wait_for_completion(&marker->done);
		return;
	}
	while (!wait_for_completion_timeout(&marker->done, DIRECT_POLL_INTERVAL))
		ib_process_cq_direct(cq, -1);
}

static int to_error_state(struct ib_qp *qp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	return ib_modify_qp(qp, &attr, IB_QP_STATE);
}

static void mark_and_wait_sq(struct ib_qp *qp)
{
	struct marker marker;
	struct ib_rdma_wr wr = {
		.wr.opcode = IB_WR_RDMA_WRITE,
		.wr.wr_cqe = &marker.cqe,
	};
	int ret;

	init_marker(&marker);
	ret = to_error_state(qp);
	if (!ret)
		ret = ib_post_send(qp, &wr.wr, NULL);
	if (!WARN_ONCE(ret, "a send queue can't be drained: %d\n", ret))
		wait_for_marker(&marker, qp->send_cq);
}

static void mark_and_wait_rq(struct ib_qp *qp)
{
	struct marker marker;
	struct ib_recv_wr wr = { .wr_cqe = &marker.cqe };
	int ret;

	init_marker(&marker);
	ret = to_error_state(qp);
	if (!ret)
		ret = ib_post_recv(qp, &wr, NULL);
	if (!WARN_ONCE(ret, "a receive queue can't be drained: %d\n", ret))
		wait_for_marker(&marker, qp->recv_cq);
}

/* As many completions as the CQ can hold at a time: those that are there now are among them. */
static void handle_all(struct ib_cq *cq)
{
	int left, n;

	for (left = cq->cqe; left > 0; left -= n) {
		n = ib_process_cq_direct(cq, left);
		if (!n)
			return;
	}
}

static void wait_for_last_wqe(struct ib_qp *qp)
{
	struct ib_cq *cq = ib_srq_has_cq(qp->srq->srq_type) ? qp->srq->ext.cq : qp->recv_cq;
	int ret;

	if (WARN_ON_ONCE(!cq))
		return;
	ret = to_error_state(qp);
	if (WARN_ONCE(ret, "a shared receive queue can't be drained: %d\n", ret))
		return;
	if (wait_for_completion_timeout(&qp->srq_completion, LAST_WQE_TIMEOUT))
		handle_all(cq);
}

/**
 * ib_drain_sq - wait until all completions of a QP's send queue have been handled
 * @qp: a QP whose CQ is from ib_alloc_cq(), or a pool. There's room for one more WR and its
 *	completion, and nobody posts.
 *
 * Puts the QP into the error state.
 *
 * Context: Sleeps. Not a completion handler of that CQ.
 */
void ib_drain_sq(struct ib_qp *qp)
{
	if (qp->device->ops.drain_sq)
		qp->device->ops.drain_sq(qp);
	else
		mark_and_wait_sq(qp);
	trace_cq_drain_complete(qp->send_cq);
}
EXPORT_SYMBOL(ib_drain_sq);

/**
 * ib_drain_rq - wait until all completions of a QP's receive queue have been handled
 * @qp: as for ib_drain_sq(); without an SRQ
 *
 * Puts the QP into the error state.
 *
 * Context: Sleeps. Not a completion handler of that CQ.
 */
void ib_drain_rq(struct ib_qp *qp)
{
	if (qp->device->ops.drain_rq)
		qp->device->ops.drain_rq(qp);
	else
		mark_and_wait_rq(qp);
	trace_cq_drain_complete(qp->recv_cq);
}
EXPORT_SYMBOL(ib_drain_rq);

/**
 * ib_drain_qp - wait until all completions of a QP have been handled
 * @qp: as for ib_drain_sq(); it may have an SRQ, whose last event is waited for up to a minute
 *
 * Puts the QP into the error state.
 *
 * Context: Sleeps. Not a completion handler of its CQs.
 */
void ib_drain_qp(struct ib_qp *qp)
{
	ib_drain_sq(qp);
	if (qp->srq)
		wait_for_last_wqe(qp);
	else
		ib_drain_rq(qp);
}
EXPORT_SYMBOL(ib_drain_qp);
