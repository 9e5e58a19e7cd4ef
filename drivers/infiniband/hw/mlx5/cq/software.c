// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completions that no device writes: of the software GSI queue pair, and, once a device has died,
 * of all requests that it leaves unanswered.
 */
#include <linux/slab.h>
#include "cq.h"

struct software_wc {
	struct list_head list;
	struct ib_wc wc;
};

static void notify(struct work_struct *work)
{
	struct mlx5_ib_cq *cq = container_of(work, struct mlx5_ib_cq, notify_work);

	cq->ibcq.comp_handler(&cq->ibcq, cq->ibcq.cq_context);
}

void mlx5_ib_cq_software_init(struct mlx5_ib_cq *cq)
{
	INIT_LIST_HEAD(&cq->software);
	INIT_WORK(&cq->notify_work, notify);
}

/**
 * mlx5_ib_cq_add_software - a completion of a request that no device answers
 * @cq: whose consumer is told, as it has armed it
 * @wc: the completion
 *
 * Return: 0, or -ENOMEM.
 */
int mlx5_ib_cq_add_software(struct mlx5_ib_cq *cq, const struct ib_wc *wc)
{
	struct software_wc *software = kmalloc(sizeof(*software), GFP_ATOMIC);
	unsigned long flags;

	if (!software)
		return -ENOMEM;
	software->wc = *wc;
	spin_lock_irqsave(&cq->lock, flags);
	list_add_tail(&software->list, &cq->software);
	cq->had_software = true;
	if (cq->notify == IB_CQ_NEXT_COMP || wc->status != IB_WC_SUCCESS) {
		cq->notify = 0;
		schedule_work(&cq->notify_work);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return 0;
}

/* With the CQ's lock held; how many there were. */
int mlx5_ib_cq_poll_software(struct mlx5_ib_cq *cq, int num_entries, struct ib_wc *wc, bool dead)
{
	struct software_wc *software, *next;
	int n = 0;

	list_for_each_entry_safe(software, next, &cq->software, list) {
		if (n == num_entries)
			break;
		wc[n] = software->wc;
		if (dead)
			wc[n].status = IB_WC_WR_FLUSH_ERR;
		n++;
		list_del(&software->list);
		kfree(software);
	}
	return n;
}

static void flushed(struct mlx5_ib_qp *qp, u64 wr_id, struct ib_wc *wc)
{
	wc->wr_id = wr_id;
	wc->status = IB_WC_WR_FLUSH_ERR;
	wc->vendor_err = MLX5_CQE_SYNDROME_WR_FLUSH_ERR;
	wc->qp = &qp->ibqp;
}

static int flush_sends(struct mlx5_ib_qp *qp, int num_entries, struct ib_wc *wc)
{
	struct mlx5_ib_ring *sq = &qp->sq;
	int n = 0;

	/* Pairs with mlx5_ib_sq_ring(): what's remembered of a request comes before the head. */
	for (; n < num_entries && sq->tail != smp_load_acquire(&sq->head); n++)
		flushed(qp, mlx5_ib_sq_retire(sq, sq->oldest)->wr_id, &wc[n]);
	return n;
}

static int flush_receives(struct mlx5_ib_qp *qp, int num_entries, struct ib_wc *wc)
{
	struct mlx5_ib_ring *rq = &qp->rq;
	int n = 0;

	/* Pairs with posting: the number of a request comes before the head. */
	for (; n < num_entries && rq->tail != smp_load_acquire(&rq->head); n++)
		flushed(qp, mlx5_ib_rq_retire(rq), &wc[n]);
	return n;
}

/* With the CQ's lock held: what its queue pairs have posted and the device won't answer. */
int mlx5_ib_cq_poll_dead(struct mlx5_ib_cq *cq, int num_entries, struct ib_wc *wc)
{
	int n = mlx5_ib_cq_poll_software(cq, num_entries, wc, true);
	struct mlx5_ib_qp *qp;

	list_for_each_entry(qp, &cq->send_qps, send_list)
		n += flush_sends(qp, num_entries - n, wc + n);
	list_for_each_entry(qp, &cq->recv_qps, recv_list)
		n += flush_receives(qp, num_entries - n, wc + n);
	return n;
}
