/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Completion queues: what the files of this folder ask of each other.
 */
#ifndef RDMA_MLX5_CQ_H
#define RDMA_MLX5_CQ_H

#include "../mlx5.h"

/* private_flags of a CQ */
#define CQ_PAD_128 BIT(0)

/* cqe.c */
enum ib_wc_status mlx5_ib_cqe_status(u8 syndrome);
void mlx5_ib_cqe_request(const struct mlx5_cqe64 *cqe, const struct mlx5_ib_sent *sent,
			 struct ib_wc *wc);
void mlx5_ib_cqe_receive(const struct mlx5_cqe64 *cqe, struct ib_wc *wc);

/* buf.c */
int mlx5_ib_cq_buf_alloc(struct mlx5_ib_dev *dev, struct mlx5_ib_cq_buf *buf, u32 count,
			 u32 cqe_size);
void mlx5_ib_cq_buf_free(struct mlx5_ib_dev *dev, struct mlx5_ib_cq_buf *buf);

/* The part of an entry that all sizes have: its last 64 bytes. */
static inline struct mlx5_cqe64 *mlx5_ib_cqe_at(struct mlx5_ib_cq_buf *buf, u32 index)
{
	return mlx5_frag_buf_get_wqe(&buf->fbc, index & (buf->count - 1)) + buf->cqe_size -
	       sizeof(struct mlx5_cqe64);
}

/*
 * The device writes an entry's owner bit last, and the opposite one in each round. NULL: the entry
 * of this number isn't there yet.
 */
static inline struct mlx5_cqe64 *mlx5_ib_cqe_written(struct mlx5_ib_cq_buf *buf, u32 num)
{
	struct mlx5_cqe64 *cqe = mlx5_ib_cqe_at(buf, num);
	u8 op_own = READ_ONCE(cqe->op_own);

	if (op_own >> 4 == MLX5_CQE_INVALID ||
	    (op_own & MLX5_CQE_OWNER_MASK) != !!(num & buf->count))
		return NULL;
	return cqe;
}

/* create.c, user.c */

/**
 * struct mlx5_ib_cq_params - a creation under way
 * @count: entries, a power of 2
 * @cqe_size: 64 or 128
 * @uar_index: where it's armed
 * @in: the command, with the pages; freed by kvfree()
 * @inlen: bytes of it
 */
struct mlx5_ib_cq_params {
	u32 count;
	u32 cqe_size;
	u32 uar_index;
	u32 *in;
	int inlen;
};

int mlx5_ib_cq_entries(struct mlx5_ib_dev *dev, int asked, u32 *count);
int mlx5_ib_cq_user_memory(struct mlx5_ib_cq *cq, struct mlx5_ib_cq_params *params,
			   struct uverbs_attr_bundle *attrs);
void mlx5_ib_cq_user_memory_free(struct mlx5_ib_cq *cq, struct ib_udata *udata);
int mlx5_ib_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
		      struct uverbs_attr_bundle *attrs);
int mlx5_ib_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata);

/* resize.c, moderate.c, poll.c, arm.c, software.c */
int mlx5_ib_resize_cq(struct ib_cq *ibcq, int entries, struct ib_udata *udata);
int mlx5_ib_modify_cq(struct ib_cq *ibcq, u16 count, u16 period);
int mlx5_ib_poll_cq(struct ib_cq *ibcq, int num_entries, struct ib_wc *wc);
int mlx5_ib_arm_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
void mlx5_ib_cq_software_init(struct mlx5_ib_cq *cq);
int mlx5_ib_cq_poll_software(struct mlx5_ib_cq *cq, int num_entries, struct ib_wc *wc, bool dead);
int mlx5_ib_cq_poll_dead(struct mlx5_ib_cq *cq, int num_entries, struct ib_wc *wc);
void mlx5_ib_cq_use_next_buf(struct mlx5_ib_cq *cq);

#endif
