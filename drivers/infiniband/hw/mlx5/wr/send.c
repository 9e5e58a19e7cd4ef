// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Posting sends (IBTA 11.4.1.1).
 */
#include "wr.h"

static u8 umr_fence(struct mlx5_core_dev *mdev)
{
	switch (MLX5_CAP_GEN(mdev, umr_fence)) {
	case MLX5_CAP_UMR_FENCE_NONE:
		return MLX5_FENCE_MODE_NONE;
	case MLX5_CAP_UMR_FENCE_SMALL:
		return MLX5_FENCE_MODE_INITIATOR_SMALL;
	default:
		return MLX5_FENCE_MODE_STRONG_ORDERING;
	}
}

int mlx5_ib_wr_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_core_dev *mdev = dev->mdev;
	const u32 masked = MLX5_ATOMIC_OPS_EXTENDED_CMP_SWAP | MLX5_ATOMIC_OPS_EXTENDED_FETCH_ADD;
	bool atomics = MLX5_CAP_GEN(mdev, atomic);

	dev->wr_caps = (struct mlx5_ib_wr_caps) {
		.umr_fence = umr_fence(mdev),
		.masked_atomics = atomics &&
				  (MLX5_CAP_ATOMIC(mdev, atomic_operations) & masked) == masked,
		.umr_atomics = !atomics || !MLX5_CAP_GEN(mdev, umr_modify_atomic_disabled),
	};
	return 0;
}

/* Nothing can be posted at all, whatever it is. */
static int check(const struct mlx5_ib_qp *qp, bool drain)
{
	if (unlikely(mlx5_ib_is_dead(qp) && !drain))
		return -EIO;
	if (unlikely(qp->type == IB_QPT_SMI && !to_mdev(qp->ibqp.device)->has_smi))
		return -EPERM;
	return 0;
}

/* With the ring's lock held. @posting: requests before it; @control: its control segment. */
static int post_one(struct mlx5_ib_qp *qp, const struct mlx5_ib_wr_caps *caps,
		    const struct ib_send_wr *wr, u32 posting, const void **control)
{
	const struct mlx5_ib_operation *operation = mlx5_ib_operation_of(qp->type, wr->opcode);
	struct mlx5_ib_wqe wqe;
	int err;

	if (IS_ERR(operation))
		return PTR_ERR(operation);
	if (unlikely((u32)wr->num_sge > qp->sq.max_sge))
		return -EINVAL;
	if (unlikely(mlx5_ib_ring_full(&qp->sq, qp->ibqp.send_cq, posting)))
		return -ENOMEM;
	err = mlx5_ib_encode(qp, caps, wr, operation, &wqe);
	if (unlikely(err))
		return err;
	mlx5_ib_sq_remember(&qp->sq, &wqe, wr->wr_id, operation->completion, posting);
	*control = wqe.control;
	return 0;
}

static int post_all(struct mlx5_ib_qp *qp, const struct ib_send_wr **wr)
{
	const struct mlx5_ib_wr_caps *caps = &to_mdev(qp->ibqp.device)->wr_caps;
	const void *control = NULL;
	u32 posting = 0;
	int err = 0;

	for (; *wr; *wr = (*wr)->next, posting++) {
		err = post_one(qp, caps, *wr, posting, &control);
		if (unlikely(err))
			break;
	}
	if (likely(posting))
		mlx5_ib_sq_ring(qp, control, posting);
	return err;
}

/**
 * mlx5_ib_post_send_any - post sends
 * @qp: a queue pair of the kernel
 * @wr: the requests
 * @bad: the first that wasn't posted
 * @drain: it's the one that marks the end, so a dead device is no reason to refuse it
 *
 * Context: any.
 * Return: 0 or a negative errno: then all before @bad are posted.
 */
int mlx5_ib_post_send_any(struct mlx5_ib_qp *qp, const struct ib_send_wr *wr,
			  const struct ib_send_wr **bad, bool drain)
{
	unsigned long flags;
	int err;

	err = check(qp, drain);
	if (!err && qp->type == IB_QPT_GSI)
		return mlx5_ib_gsi_post_send(qp, wr, bad);
	if (!err) {
		spin_lock_irqsave(&qp->sq.lock, flags);
		err = post_all(qp, &wr);
		spin_unlock_irqrestore(&qp->sq.lock, flags);
	}
	*bad = wr;
	return err;
}
