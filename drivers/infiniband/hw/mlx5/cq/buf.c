// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A completion queue's buffer in the kernel.
 */
#include "cq.h"

/* Entries in one piece of memory. */
static void mark_unwritten(struct mlx5_ib_cq_buf *buf, u32 first, u32 count)
{
	void *cqe = mlx5_ib_cqe_at(buf, first);

	for (; count; count--, cqe += buf->cqe_size)
		((struct mlx5_cqe64 *)cqe)->op_own = MLX5_CQE_INVALID << 4;
}

/* Whose entries the device hasn't written. */
int mlx5_ib_cq_buf_alloc(struct mlx5_ib_dev *dev, struct mlx5_ib_cq_buf *buf, u32 count,
			 u32 cqe_size)
{
	int err = mlx5_frag_buf_alloc_node(dev->mdev, count * cqe_size, &buf->frag_buf,
					   dev->mdev->priv.numa_node);

	if (err)
		return err;
	mlx5_init_fbc(buf->frag_buf.frags, ilog2(cqe_size), ilog2(count), &buf->fbc);
	buf->count = count;
	buf->cqe_size = cqe_size;
	for (u32 i = 0; i < count; i += buf->fbc.frag_sz_m1 + 1)
		mark_unwritten(buf, i, min(count - i, buf->fbc.frag_sz_m1 + 1U));
	return 0;
}

void mlx5_ib_cq_buf_free(struct mlx5_ib_dev *dev, struct mlx5_ib_cq_buf *buf)
{
	mlx5_frag_buf_free(dev->mdev, &buf->frag_buf);
}
