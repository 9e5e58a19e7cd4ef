// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Draining the queues of a kernel consumer: fail the queue pair, post one more request behind all
 * others and wait for its completion. On a dead device the CQ's handler is called by hand, and
 * polling makes up the completions.
 */
#include <linux/interrupt.h>
#include <linux/irq_poll.h>
#include "qp.h"

struct drain {
	struct ib_cqe cqe;
	struct completion done;
};

static void drained(struct ib_cq *cq, struct ib_wc *wc)
{
	complete(&container_of(wc->wr_cqe, struct drain, cqe)->done);
}

static int fail(struct ib_qp *ibqp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	int err = ib_modify_qp(ibqp, &attr, IB_QP_STATE);

	if (to_mdev(ibqp->device)->mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR)
		return 0;
	WARN_ONCE(err, "mlx5_ib: a queue can't be drained: %d\n", err);
	return err;
}

/* Whoever told the CQ's consumer before must be done, or the new completion could go unseen. */
static void wait_for_handler(struct ib_cq *cq)
{
	if (cq->poll_ctx == IB_POLL_SOFTIRQ) {
		irq_poll_disable(&cq->iop);
		irq_poll_enable(&cq->iop);
	} else {
		cancel_work_sync(&cq->work);
	}
}

static void tell_by_hand(struct mlx5_ib_dev *dev, struct ib_cq *cq)
{
	struct mlx5_core_cq *mcq = &to_mcq(cq)->mcq;
	unsigned long flags;
	bool told;

	spin_lock_irqsave(&dev->kernel_qps_lock, flags);
	told = mcq->reset_notify_added;
	mcq->reset_notify_added = 1;
	spin_unlock_irqrestore(&dev->kernel_qps_lock, flags);
	if (told)
		wait_for_handler(cq);
	mcq->comp(mcq, NULL);
}

static void wait(struct ib_cq *cq, struct drain *drain)
{
	struct mlx5_ib_dev *dev = to_mdev(cq->device);

	if (cq->poll_ctx == IB_POLL_DIRECT) {
		while (!wait_for_completion_timeout(&drain->done, HZ / 10))
			ib_process_cq_direct(cq, -1);
		return;
	}
	if (dev->mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR)
		tell_by_hand(dev, cq);
	wait_for_completion(&drain->done);
}

/* One more send. Datagram queue pairs know no RDMA, and a datagram would need an address. */
static int post_last(struct ib_qp *ibqp, struct ib_cqe *cqe)
{
	struct ib_rdma_wr wr = { .wr.opcode = IB_WR_RDMA_WRITE, .wr.wr_cqe = cqe };
	struct mlx5_ib_qp *qp = to_mqp(ibqp);
	const struct ib_send_wr *bad;

	switch (ibqp->qp_type) {
	case IB_QPT_GSI:
		return mlx5_ib_gsi_post_mark(qp, wr.wr.wr_id);
	case IB_QPT_UD:
	case IB_QPT_SMI:
		return mlx5_ib_post_raw(qp, MLX5_OPCODE_NOP, 0, NULL, 0, wr.wr.wr_id);
	default:
		return mlx5_ib_post_send_any(qp, &wr.wr, &bad, true);
	}
}

/**
 * mlx5_ib_drain_sq - wait until all sends have completed
 * @ibqp: a queue pair whose send CQ came from ib_alloc_cq(); it's in the error state afterwards
 *
 * Context: may sleep.
 */
void mlx5_ib_drain_sq(struct ib_qp *ibqp)
{
	struct drain drain = { .cqe.done = drained };

	if (fail(ibqp))
		return;
	init_completion(&drain.done);
	if (!WARN_ON_ONCE(post_last(ibqp, &drain.cqe)))
		wait(ibqp->send_cq, &drain);
}

/**
 * mlx5_ib_drain_rq - wait until all receives have completed
 * @ibqp: a queue pair whose receive CQ came from ib_alloc_cq(), without a shared receive queue;
 *	it's in the error state afterwards
 *
 * Context: may sleep.
 */
void mlx5_ib_drain_rq(struct ib_qp *ibqp)
{
	struct drain drain = { .cqe.done = drained };
	struct ib_recv_wr wr = { .wr_cqe = &drain.cqe };
	const struct ib_recv_wr *bad;

	if (fail(ibqp))
		return;
	init_completion(&drain.done);
	if (!WARN_ON_ONCE(mlx5_ib_post_recv_any(to_mqp(ibqp), &wr, &bad, true)))
		wait(ibqp->recv_cq, &drain);
}
