// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Posting a send of the driver's own, of which no opcode of ib_core speaks.
 */
#include "wr.h"

/* With the ring's lock held. */
static int post(struct mlx5_ib_qp *qp, u8 opcode, __be32 imm, const void *segments, u32 length,
		u64 wr_id)
{
	u8 flags = MLX5_FENCE_MODE_INITIATOR_SMALL | MLX5_WQE_CTRL_CQ_UPDATE;
	struct mlx5_ib_wqe wqe;
	int err;

	if (mlx5_ib_ring_full(&qp->sq, qp->ibqp.send_cq, 0))
		return -ENOMEM;
	mlx5_ib_wqe_begin(&wqe, &qp->sq);
	mlx5_ib_wqe_control(&wqe, opcode, 0, flags, imm);
	mlx5_ib_wqe_copy(&wqe, segments, length);
	err = mlx5_ib_wqe_end(&wqe, qp->qpn);
	if (err)
		return err;
	mlx5_ib_sq_remember(&qp->sq, &wqe, wr_id, IB_WC_REG_MR, 0);
	mlx5_ib_sq_ring(qp, wqe.control, 1);
	return 0;
}

/**
 * mlx5_ib_post_raw - post a request that changes a key, or does nothing
 * @qp: a queue pair of the kernel; for keys: of the driver's own
 * @opcode: MLX5_OPCODE_*
 * @imm: for the control segment
 * @segments: all that follows it
 * @length: bytes of that, a multiple of 16
 * @wr_id: for the completion, which there always is
 *
 * It waits for nothing but for the registrations before it. A NOP is posted to see the end of all
 * that was posted before; so it's taken on a dead device, too, where polling makes up completions.
 *
 * Context: any.
 * Return: 0; -EINVAL: longer than a request of this queue pair may be; -ENOMEM: too many; -EIO: the
 * device is dead.
 */
int mlx5_ib_post_raw(struct mlx5_ib_qp *qp, u8 opcode, __be32 imm, const void *segments,
		     size_t length, u64 wr_id)
{
	size_t wqebbs = DIV_ROUND_UP(sizeof(struct mlx5_wqe_ctrl_seg) + length, MLX5_SEND_WQE_BB);
	unsigned long flags;
	int err;

	if (mlx5_ib_is_dead(qp) && opcode != MLX5_OPCODE_NOP)
		return -EIO;
	if (!IS_ALIGNED(length, MLX5_SEND_WQE_DS) || wqebbs * qp->sq.max_wr > qp->sq.count)
		return -EINVAL;
	spin_lock_irqsave(&qp->sq.lock, flags);
	err = post(qp, opcode, imm, segments, length, wr_id);
	spin_unlock_irqrestore(&qp->sq.lock, flags);
	return err;
}
