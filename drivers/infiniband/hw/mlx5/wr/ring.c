// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Rings: is there room, and how the device is told of a send.
 */
#include "wr.h"

/**
 * mlx5_ib_ring_surely_full - is there no room, when it looks like it?
 * @ring: with its lock held
 * @ibcq: where its requests complete
 * @posting: requests that are written but not in its head yet
 *
 * Who has polled a completion may post another request, so no completion may be missed here: the
 * CQ's lock makes sure of that.
 *
 * Return: true if there is none.
 */
bool mlx5_ib_ring_surely_full(struct mlx5_ib_ring *ring, struct ib_cq *ibcq, u32 posting)
{
	u32 tail;

	/* A queue pair without this queue may be without its CQ. */
	if (!ring->max_wr)
		return true;
	spin_lock(&to_mcq(ibcq)->lock);
	tail = ring->tail;
	spin_unlock(&to_mcq(ibcq)->lock);
	return ring->head + posting - tail >= ring->max_wr;
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
	/* On a dead device polling counts on what's remembered of each request up to the head. */
	smp_store_release(&qp->sq.head, qp->sq.head + posting);
	/* The device looks at requests once the record says that they're there, */
	dma_wmb();
	qp->db.db[MLX5_SND_DBR] = cpu_to_be32(qp->sq.next);
	/* and at the record once the doorbell has been rung. */
	wmb();
	mlx5_write64((__be32 *)control, qp->bfreg->map + qp->bf_at);
	qp->bf_at ^= qp->bf_half;
}
