// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A device that has died answers no request any more. Kernel consumers wait for completions, so
 * each CQ that owes them some gets its handler called; polling then finds the requests flushed.
 */
#include "qp.h"

static void note(struct ib_cq *ibcq, struct list_head *owing)
{
	struct mlx5_ib_cq *cq = to_mcq(ibcq);

	spin_lock(&cq->lock);
	if (cq->mcq.comp && ibcq->comp_handler && !cq->mcq.reset_notify_added) {
		cq->mcq.reset_notify_added = 1;
		list_add_tail(&cq->mcq.reset_notify, owing);
	}
	spin_unlock(&cq->lock);
}

/* Taking the ring's lock waits for those who are posting. */
static bool owes(struct mlx5_ib_ring *ring)
{
	bool owing;

	spin_lock(&ring->lock);
	owing = ring->head != ring->tail;
	spin_unlock(&ring->lock);
	return owing;
}

/**
 * mlx5_ib_qps_device_dead - tell kernel consumers that nothing will be answered
 * @dev: the adapter, which mlx5_core has found dead
 *
 * Context: doesn't sleep.
 */
void mlx5_ib_qps_device_dead(struct mlx5_ib_dev *dev)
{
	struct mlx5_core_cq *mcq;
	struct mlx5_ib_qp *qp;
	unsigned long flags;
	LIST_HEAD(owing);

	spin_lock_irqsave(&dev->kernel_qps_lock, flags);
	list_for_each_entry(qp, &dev->kernel_qps, kernel_list) {
		if (qp->ibqp.send_cq && owes(&qp->sq))
			note(qp->ibqp.send_cq, &owing);
		if (qp->ibqp.recv_cq && !qp->ibqp.srq && owes(&qp->rq))
			note(qp->ibqp.recv_cq, &owing);
	}
	list_for_each_entry(mcq, &owing, reset_notify)
		mcq->comp(mcq, NULL);
	spin_unlock_irqrestore(&dev->kernel_qps_lock, flags);
}
