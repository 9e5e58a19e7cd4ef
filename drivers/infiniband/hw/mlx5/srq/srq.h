/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Shared receive queues: what the files of this folder ask of each other.
 */
#ifndef RDMA_MLX5_SRQ_H
#define RDMA_MLX5_SRQ_H

#include "../mlx5.h"

/* size.c */
struct mlx5_ib_srq_size {
	u32 count;
	u32 shift;
	u32 room;
	size_t bytes;
};

int mlx5_ib_srq_size(u32 max_entries, u32 max_wqe, const struct ib_srq_attr *attr,
		     struct mlx5_ib_srq_size *size);

/* cmd.c: one function a command, each for both kinds that the device tells apart */

/**
 * struct mlx5_ib_srq_context - what both kinds of contexts have
 * @log_page_size: 0 is 4 KiB
 * @page_offset: in 64ths of a page
 * @pages: of them
 * @umem: where they come from, or
 * @buf: where they come from
 * @pdn: protection domain
 * @cqn: of an XRC queue
 * @xrcdn: of an XRC queue
 * @uidx: a process's number of it; only XRC queues have one
 */
struct mlx5_ib_srq_context {
	u32 log_page_size;
	u32 page_offset;
	size_t pages;
	struct ib_umem *umem;
	struct mlx5_frag_buf *buf;
	u32 pdn;
	u32 cqn;
	u32 xrcdn;
	u32 uidx;
};

int mlx5_ib_cmd_create_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq,
			   const struct mlx5_ib_srq_context *context);
int mlx5_ib_cmd_arm_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 limit);
int mlx5_ib_cmd_query_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 *limit);
int mlx5_ib_cmd_destroy_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq);

/* create.c, ops.c, post.c */
int mlx5_ib_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *attr,
		       struct ib_udata *udata);
int mlx5_ib_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata);
int mlx5_ib_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad);

static inline bool mlx5_ib_srq_is_xrc(const struct mlx5_ib_srq *srq)
{
	return srq->ibsrq.srq_type == IB_SRQT_XRC;
}

static inline struct mlx5_wqe_srq_next_seg *mlx5_ib_srq_entry(struct mlx5_ib_srq *srq, u32 index)
{
	return mlx5_frag_buf_get_wqe(&srq->fbc, index);
}

#endif
