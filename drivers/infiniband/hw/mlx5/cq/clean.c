// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Taking a queue pair's completions out of the middle of a completion queue.
 */
#include <linux/mlx5/device.h>
#include "cq.h"

/* The device goes on writing meanwhile, but nothing of that queue pair, which has been reset. */
static u32 end_of(struct mlx5_ib_cq *cq)
{
	u32 begin = cq->mcq.cons_index, end = begin;

	while (end - begin < cq->buf.count && mlx5_ib_cqe_written(&cq->buf, end))
		end++;
	return end;
}

/* The owner bit belongs to the place, all else to the entry. */
static void move(struct mlx5_ib_cq_buf *buf, struct mlx5_cqe64 *from, struct mlx5_cqe64 *to)
{
	size_t before = buf->cqe_size - sizeof(*to);
	u8 owner = to->op_own & MLX5_CQE_OWNER_MASK;

	memcpy((void *)to - before, (void *)from - before, buf->cqe_size);
	to->op_own = (to->op_own & ~MLX5_CQE_OWNER_MASK) | owner;
}

void mlx5_ib_cq_clean_locked(struct mlx5_ib_cq *cq, u32 rsn, struct mlx5_ib_srq *srq)
{
	u32 num = end_of(cq), taken = 0;
	struct mlx5_cqe64 *cqe;

	/* Those that stay move up from behind, as far as entries after them went. */
	dma_rmb();
	while (num != cq->mcq.cons_index) {
		cqe = mlx5_ib_cqe_at(&cq->buf, --num);
		if ((be32_to_cpu(cqe->sop_drop_qpn) & MLX5_24BIT_MASK) == rsn) {
			if (srq && be32_to_cpu(cqe->srqn) & MLX5_24BIT_MASK)
				mlx5_ib_srq_retire(srq, be16_to_cpu(cqe->wqe_counter));
			taken++;
		} else if (taken) {
			move(&cq->buf, cqe, mlx5_ib_cqe_at(&cq->buf, num + taken));
		}
	}
	if (!taken)
		return;
	cq->mcq.cons_index += taken;
	/* The device may overwrite what was moved away from only after it has been moved. */
	wmb();
	mlx5_cq_set_ci(&cq->mcq);
}

void mlx5_ib_cq_clean(struct mlx5_ib_cq *cq, u32 rsn, struct mlx5_ib_srq *srq)
{
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	mlx5_ib_cq_clean_locked(cq, rsn, srq);
	spin_unlock_irqrestore(&cq->lock, flags);
}
