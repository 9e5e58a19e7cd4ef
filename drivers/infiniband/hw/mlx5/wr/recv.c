// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Posting receives (IBTA 11.4.1.2).
 */
#include "wr.h"

/* With the ring's lock held. @posting: requests before it; @terminate: ends its list. */
static int post_one(struct mlx5_ib_qp *qp, const struct ib_recv_wr *wr, u32 posting,
		    __be32 terminate)
{
	struct mlx5_ib_ring *rq = &qp->rq;
	u32 index = (rq->head + posting) & (rq->count - 1);
	int err;

	if (unlikely(mlx5_ib_ring_full(rq, qp->ibqp.recv_cq, posting)))
		return -ENOMEM;
	if (unlikely((u32)wr->num_sge > rq->max_sge))
		return -EINVAL;
	err = mlx5_ib_receive_list(mlx5_frag_buf_get_wqe(&rq->fbc, index), rq->max_sge,
				   wr->sg_list, wr->num_sge, terminate);
	if (likely(!err))
		rq->wr_id[index] = wr->wr_id;
	return err;
}

/* With the ring's lock held. The device reads the record by itself, so there's no doorbell. */
static void publish(struct mlx5_ib_qp *qp, u32 posting)
{
	/* On a dead device polling counts on the number of each request up to the head. */
	smp_store_release(&qp->rq.head, qp->rq.head + posting);
	/* The device looks at requests once the record says that they're there. */
	dma_wmb();
	qp->db.db[MLX5_RCV_DBR] = cpu_to_be32(qp->rq.head & 0xffff);
}

static int post_all(struct mlx5_ib_qp *qp, const struct ib_recv_wr **wr)
{
	const __be32 terminate = to_mdev(qp->ibqp.device)->keys.terminate;
	u32 posting = 0;
	int err = 0;

	for (; *wr; *wr = (*wr)->next, posting++) {
		err = post_one(qp, *wr, posting, terminate);
		if (unlikely(err))
			break;
	}
	if (likely(posting))
		publish(qp, posting);
	return err;
}

/**
 * mlx5_ib_post_recv_any - post receives
 * @qp: a queue pair of the kernel
 * @wr: the requests
 * @bad: the first that wasn't posted
 * @drain: it's the one that marks the end, so a dead device is no reason to refuse it
 *
 * Context: any.
 * Return: 0 or a negative errno: then all before @bad are posted.
 */
int mlx5_ib_post_recv_any(struct mlx5_ib_qp *qp, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad, bool drain)
{
	unsigned long flags;
	int err;

	if (unlikely(mlx5_ib_is_dead(qp) && !drain)) {
		*bad = wr;
		return -EIO;
	}
	if (qp->type == IB_QPT_GSI)
		return mlx5_ib_gsi_post_recv(qp, wr, bad);
	spin_lock_irqsave(&qp->rq.lock, flags);
	err = post_all(qp, &wr);
	spin_unlock_irqrestore(&qp->rq.lock, flags);
	*bad = wr;
	return err;
}
