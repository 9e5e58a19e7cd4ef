// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Posting to a shared receive queue of the kernel, and what becomes of an entry when it's been
 * used: it goes to the end of the list of free ones, since the device consumes them in whichever
 * order.
 */
#include "../wr/list.h"
#include "srq.h"

/* With the lock held. */
static int post_one(struct mlx5_ib_srq *srq, const struct ib_recv_wr *wr)
{
	struct mlx5_wqe_srq_next_seg *entry = mlx5_ib_srq_entry(srq, srq->head);
	int err;

	if (wr->num_sge > srq->max_sge)
		return -EINVAL;
	if (srq->head == srq->tail)
		return -ENOMEM;
	err = mlx5_ib_receive_list((struct mlx5_wqe_data_seg *)(entry + 1), srq->room, wr->sg_list,
				   wr->num_sge, to_mdev(srq->ibsrq.device)->keys.terminate);
	if (err)
		return err;
	srq->wr_id[srq->head] = wr->wr_id;
	srq->head = be16_to_cpu(entry->next_wqe_index);
	srq->posted++;
	return 0;
}

int mlx5_ib_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad)
{
	struct mlx5_ib_srq *srq = to_msrq(ibsrq);
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&srq->lock, flags);
	if (to_mdev(ibsrq->device)->mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR)
		err = -EIO;
	for (; wr && !err; wr = err ? wr : wr->next)
		err = post_one(srq, wr);
	/* The device may look at entries only when they're whole. */
	dma_wmb();
	*srq->db.db = cpu_to_be32(srq->posted);
	spin_unlock_irqrestore(&srq->lock, flags);
	*bad = wr;
	return err;
}

u64 mlx5_ib_srq_retire(struct mlx5_ib_srq *srq, u16 wqe_counter)
{
	u32 index = wqe_counter & (srq->count - 1);
	unsigned long flags;
	u64 wr_id;

	spin_lock_irqsave(&srq->lock, flags);
	wr_id = srq->wr_id[index];
	mlx5_ib_srq_entry(srq, srq->tail)->next_wqe_index = cpu_to_be16(index);
	srq->tail = index;
	spin_unlock_irqrestore(&srq->lock, flags);
	return wr_id;
}
