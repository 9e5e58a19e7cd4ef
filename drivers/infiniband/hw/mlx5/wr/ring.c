// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Rings: is there room, what's remembered of a send, and how the device is told of it.
 */
#include "wr.h"

/**
 * mlx5_ib_ring_full - is there no room for one more request?
 * @ring: with its lock held
 * @ibcq: where its requests complete
 * @posting: requests that are written but not in its head yet
 *
 * Who has polled a completion may post another request, so no completion may be missed here: the
 * CQ's lock makes sure of that, where it matters.
 *
 * Return: true if there is none.
 */
bool mlx5_ib_ring_full(struct mlx5_ib_ring *ring, struct ib_cq *ibcq, u32 posting)
{
	u32 head = ring->head + posting, tail;

	if (likely(head - READ_ONCE(ring->tail) < ring->max_wr))
		return false;
	/* A queue pair without this queue may be without its CQ. */
	if (!ring->max_wr)
		return true;
	spin_lock(&to_mcq(ibcq)->lock);
	tail = ring->tail;
	spin_unlock(&to_mcq(ibcq)->lock);
	return head - tail >= ring->max_wr;
}

/**
 * mlx5_ib_sq_remember - what polling will want to know of a send
 * @sq: its ring, with the lock held
 * @wqe: the send
 * @wr_id: the consumer's number of it
 * @completion: enum ib_wc_opcode
 * @posting: requests before it that aren't in the ring's head yet
 */
void mlx5_ib_sq_remember(struct mlx5_ib_ring *sq, const struct mlx5_ib_wqe *wqe, u64 wr_id,
			 u8 completion, u32 posting)
{
	u32 size = mlx5_ib_wqe_size(wqe);

	sq->sent[wqe->first & (sq->count - 1)] = (struct mlx5_ib_sent) {
		.wr_id = wr_id,
		.head = sq->head + posting + 1,
		.opcode = completion,
		.size = size,
	};
	sq->next += size;
}

/**
 * mlx5_ib_sq_ring - tell the device of new sends
 * @qp: with its send ring's lock held
 * @control: control segment of the last of them
 * @posting: how many
 *
 * Two doorbells lie side by side and are used in turn, so that one can be written before the other
 * has been read.
 */
void mlx5_ib_sq_ring(struct mlx5_ib_qp *qp, const void *control, u32 posting)
{
	struct mlx5_core_dev *mdev = to_mdev(qp->ibqp.device)->mdev;
	u32 half = 1U << MLX5_CAP_GEN(mdev, log_bf_reg_size) >> 1;

	/* On a dead device polling counts on what's remembered of each request up to the head. */
	smp_store_release(&qp->sq.head, qp->sq.head + posting);
	/* The device looks at requests once the record says that they're there, */
	dma_wmb();
	qp->db.db[MLX5_SND_DBR] = cpu_to_be32(qp->sq.next);
	/* and at the record once the doorbell has been rung. */
	wmb();
	mlx5_write64((__be32 *)control, qp->bfreg->map + qp->bf_half * half);
	qp->bf_half ^= 1;
}
