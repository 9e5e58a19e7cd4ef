// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Polling a completion queue (IBTA 11.4.2.1).
 */
#include <linux/mlx5/device.h>
#include <rdma/ib_cache.h>
#include "cq.h"

/* Whose receive it was: of an XRC target the entry names the shared queue. */
static u64 retire_receive(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp,
			  const struct mlx5_cqe64 *cqe)
{
	u16 wqe_counter = be16_to_cpu(cqe->wqe_counter);
	struct mlx5_ib_srq *srq;
	u64 wr_id = 0;

	if (qp->ibqp.srq)
		return mlx5_ib_srq_retire(to_msrq(qp->ibqp.srq), wqe_counter);
	if (!qp->ibqp.xrcd)
		return mlx5_ib_rq_retire(&qp->rq);
	srq = mlx5_ib_srq_get(dev, be32_to_cpu(cqe->srqn) & MLX5_24BIT_MASK);
	if (srq) {
		wr_id = mlx5_ib_srq_retire(srq, wqe_counter);
		mlx5_ib_srq_put(srq);
	}
	return wr_id;
}

static void poll_receive(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp,
			 const struct mlx5_cqe64 *cqe, struct ib_wc *wc)
{
	wc->wr_id = retire_receive(dev, qp, cqe);
	mlx5_ib_cqe_receive(cqe, wc);
	if (qp->type == MLX5_IB_QPT_HW_GSI)
		ib_find_cached_pkey(&dev->ib_dev, qp->port, be32_to_cpu(cqe->pkey) & 0xffff,
				    &wc->pkey_index);
}

static void poll_error(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp, const struct mlx5_cqe64 *cqe,
		       struct ib_wc *wc)
{
	const struct mlx5_err_cqe *err = (const struct mlx5_err_cqe *)cqe;

	wc->status = mlx5_ib_cqe_status(err->syndrome);
	wc->vendor_err = err->vendor_err_synd;
	if (wc->status != IB_WC_WR_FLUSH_ERR)
		mlx5_ib_dbg(dev, "queue pair %#x: %s, vendor syndrome %#x\n", qp->qpn,
			    ib_wc_status_msg(wc->status), err->vendor_err_synd);
}

static void take(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp, const struct mlx5_cqe64 *cqe,
		 struct ib_wc *wc)
{
	const struct mlx5_ib_sent *sent;

	wc->qp = &qp->ibqp;
	wc->status = IB_WC_SUCCESS;
	switch (cqe->op_own >> 4) {
	case MLX5_CQE_REQ:
		sent = mlx5_ib_sq_retire(&qp->sq, be16_to_cpu(cqe->wqe_counter));
		wc->wr_id = sent->wr_id;
		mlx5_ib_cqe_request(cqe, sent, wc);
		break;
	case MLX5_CQE_REQ_ERR:
		wc->wr_id = mlx5_ib_sq_retire(&qp->sq, be16_to_cpu(cqe->wqe_counter))->wr_id;
		poll_error(dev, qp, cqe, wc);
		break;
	case MLX5_CQE_RESP_ERR:
		wc->wr_id = retire_receive(dev, qp, cqe);
		poll_error(dev, qp, cqe, wc);
		break;
	default:
		poll_receive(dev, qp, cqe, wc);
		break;
	}
}

/*
 * Entries that no consumer gets to see: the mark that the next buffer is in use; what nobody knows.
 */
static bool is_for_consumer(struct mlx5_ib_cq *cq, const struct mlx5_cqe64 *cqe)
{
	switch (cqe->op_own >> 4) {
	case MLX5_CQE_REQ:
	case MLX5_CQE_RESP_WR_IMM:
	case MLX5_CQE_RESP_SEND:
	case MLX5_CQE_RESP_SEND_IMM:
	case MLX5_CQE_RESP_SEND_INV:
	case MLX5_CQE_REQ_ERR:
	case MLX5_CQE_RESP_ERR:
		return true;
	case MLX5_CQE_RESIZE_CQ:
		mlx5_ib_cq_use_next_buf(cq);
		return false;
	default:
		mlx5_ib_warn(to_mdev(cq->ibcq.device), "CQ %#x: entry of unknown kind %u\n",
			     cq->mcq.cqn, cqe->op_own >> 4);
		return false;
	}
}

/* With the CQ's lock held. @qp: that of the entry before, which is most often that of the next. */
static bool poll_one(struct mlx5_ib_cq *cq, struct mlx5_ib_qp **qp, struct ib_wc *wc)
{
	struct mlx5_ib_dev *dev = to_mdev(cq->ibcq.device);
	const struct mlx5_cqe64 *cqe;
	u32 qpn;

	while ((cqe = mlx5_ib_cqe_written(&cq->buf, cq->mcq.cons_index))) {
		cq->mcq.cons_index++;
		/* Nothing of the entry is read before its owner bit. */
		dma_rmb();
		if (!is_for_consumer(cq, cqe))
			continue;
		qpn = be32_to_cpu(cqe->sop_drop_qpn) & MLX5_24BIT_MASK;
		if (!*qp || (*qp)->qpn != qpn)
			*qp = mlx5_ib_qp_of_cqe(dev, qpn);
		if (*qp) {
			take(dev, *qp, cqe, wc);
			return true;
		}
		mlx5_ib_warn(dev, "CQ %#x: completion of unknown queue pair %#x\n", cq->mcq.cqn,
			     qpn);
	}
	return false;
}

/**
 * mlx5_ib_poll_cq - take completions out of a queue of the kernel
 * @ibcq: the queue
 * @num_entries: at most
 * @wc: where they go
 *
 * Context: any.
 * Return: how many there were.
 */
int mlx5_ib_poll_cq(struct ib_cq *ibcq, int num_entries, struct ib_wc *wc)
{
	struct mlx5_ib_cq *cq = to_mcq(ibcq);
	struct mlx5_ib_qp *qp;
	unsigned long flags;
	u32 begin;
	int n = 0;

	spin_lock_irqsave(&cq->lock, flags);
	if (unlikely(to_mdev(ibcq->device)->mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR)) {
		n = mlx5_ib_cq_poll_dead(cq, num_entries, wc);
		goto out;
	}
	if (unlikely(!list_empty(&cq->software)))
		n = mlx5_ib_cq_poll_software(cq, num_entries, wc, false);
	begin = cq->mcq.cons_index;
	qp = cq->polled;
	while (n < num_entries && poll_one(cq, &qp, &wc[n]))
		n++;
	if (cq->mcq.cons_index != begin) {
		mlx5_cq_set_ci(&cq->mcq);
		/* An XRC target isn't listed with the CQ: it would be remembered for too long. */
		cq->polled = qp && !qp->ibqp.xrcd ? qp : NULL;
	}
out:
	spin_unlock_irqrestore(&cq->lock, flags);
	return n;
}

/**
 * mlx5_ib_arm_cq - ask for an event at the next completion (IBTA 11.4.2.2)
 * @ibcq: the queue
 * @flags: any completion or a solicited one; whether missed ones are reported
 *
 * Context: any.
 * Return: 1 if completions are there that no event will tell of, else 0.
 */
int mlx5_ib_arm_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags)
{
	bool solicited = (flags & IB_CQ_SOLICITED_MASK) == IB_CQ_SOLICITED;
	struct mlx5_core_dev *mdev = to_mdev(ibcq->device)->mdev;
	struct mlx5_ib_cq *cq = to_mcq(ibcq);
	unsigned long irq_flags;
	bool missed;

	spin_lock_irqsave(&cq->lock, irq_flags);
	if (cq->notify != IB_CQ_NEXT_COMP)
		cq->notify = flags & IB_CQ_SOLICITED_MASK;
	missed = flags & IB_CQ_REPORT_MISSED_EVENTS && !list_empty(&cq->software);
	spin_unlock_irqrestore(&cq->lock, irq_flags);
	mlx5_cq_arm(&cq->mcq, solicited ? MLX5_CQ_DB_REQ_NOT_SOL : MLX5_CQ_DB_REQ_NOT,
		    mdev->priv.bfreg.up->map, cq->mcq.cons_index);
	return missed;
}
