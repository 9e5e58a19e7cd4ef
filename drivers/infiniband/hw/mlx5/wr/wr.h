/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Work requests: what the files of this folder ask of each other.
 *
 * A send is a number of segments of 16 bytes each, or multiples of it: control, then the address
 * where there's one, what the operation needs, and the data. It begins at a WQEBB of 64 bytes and
 * takes as many as it needs; after the ring's last one comes its first.
 */
#ifndef RDMA_MLX5_WR_H
#define RDMA_MLX5_WR_H

#include "list.h"

/**
 * struct mlx5_ib_wqe - a send that's being written
 * @fbc: the ring
 * @first: WQEBB where it begins, which goes on counting at the ring's end
 * @bytes: of it so far
 * @control: where it begins
 * @next: what comes next stands there, unless a WQEBB begins with it
 */
struct mlx5_ib_wqe {
	struct mlx5_frag_buf_ctrl *fbc;
	u32 first;
	u32 bytes;
	void *control;
	void *next;
};

/* Where this byte of it stands; those after it follow up to the end of the WQEBB. */
static inline void *mlx5_ib_wqe_at(const struct mlx5_ib_wqe *wqe, u32 byte)
{
	u32 wqebb = (wqe->first + byte / MLX5_SEND_WQE_BB) & wqe->fbc->sz_m1;

	return mlx5_frag_buf_get_wqe(wqe->fbc, wqebb) + byte % MLX5_SEND_WQE_BB;
}

/* The control segment is written last: what follows it is next. */
static inline void mlx5_ib_wqe_begin(struct mlx5_ib_wqe *wqe)
{
	wqe->control = mlx5_ib_wqe_at(wqe, 0);
	wqe->next = wqe->control + sizeof(struct mlx5_wqe_ctrl_seg);
	wqe->bytes = sizeof(struct mlx5_wqe_ctrl_seg);
}

/* The next segment, one of 16 bytes: those never lie across the end of a WQEBB. */
static inline void *mlx5_ib_wqe_segment(struct mlx5_ib_wqe *wqe)
{
	void *segment = wqe->bytes % MLX5_SEND_WQE_BB ? wqe->next :
							mlx5_ib_wqe_at(wqe, wqe->bytes);

	wqe->next = segment + MLX5_SEND_WQE_DS;
	wqe->bytes += MLX5_SEND_WQE_DS;
	return segment;
}

/* How many WQEBBs it takes. */
static inline u32 mlx5_ib_wqe_size(const struct mlx5_ib_wqe *wqe)
{
	return DIV_ROUND_UP(wqe->bytes, MLX5_SEND_WQE_BB);
}

/**
 * struct mlx5_ib_control - what a control segment says
 * @opcode: MLX5_OPCODE_*
 * @opmod: variant of it
 * @flags: fence, completion, solicited event: MLX5_FENCE_MODE_*, MLX5_WQE_CTRL_*
 * @qpn: of the queue pair
 * @imm: immediate data, key to be invalidated, or key that's changed
 */
struct mlx5_ib_control {
	u8 opcode;
	u8 opmod;
	u8 flags;
	u32 qpn;
	__be32 imm;
};

/*
 * Writes the control segment of a send whose other segments are written, as it says how many there
 * are; -EINVAL: it's longer than the device can be told.
 */
static inline int mlx5_ib_wqe_control(const struct mlx5_ib_wqe *wqe,
				      const struct mlx5_ib_control *control)
{
	struct mlx5_wqe_ctrl_seg *segment = wqe->control;
	u32 segments = wqe->bytes / MLX5_SEND_WQE_DS;
	u32 index = wqe->first << MLX5_WQE_CTRL_WQE_INDEX_SHIFT & MLX5_WQE_CTRL_WQE_INDEX_MASK;

	if (unlikely(segments > MLX5_WQE_CTRL_DS_MASK))
		return -EINVAL;
	*segment = (struct mlx5_wqe_ctrl_seg) {
		.opmod_idx_opcode = cpu_to_be32((u32)control->opmod << 24 | index |
						control->opcode),
		.qpn_ds = cpu_to_be32(control->qpn << MLX5_WQE_CTRL_QPN_SHIFT | segments),
		.fm_ce_se = control->flags,
		.imm = control->imm,
	};
	return 0;
}

/* wqe.c */
void mlx5_ib_wqe_copy(struct mlx5_ib_wqe *wqe, const void *from, u32 bytes);

/* data.c */
int mlx5_ib_wqe_list(struct mlx5_ib_wqe *wqe, const struct ib_sge *list, u32 count);
int mlx5_ib_wqe_inline(struct mlx5_ib_wqe *wqe, const struct ib_sge *list, u32 count, u32 max);

/* remote.c */
int mlx5_ib_wqe_datagram(struct mlx5_ib_wqe *wqe, const struct ib_ud_wr *wr);
void mlx5_ib_wqe_xrc(struct mlx5_ib_wqe *wqe);
void mlx5_ib_wqe_rdma(struct mlx5_ib_wqe *wqe, const struct ib_rdma_wr *wr);
void mlx5_ib_wqe_atomic(struct mlx5_ib_wqe *wqe, const struct ib_atomic_wr *wr);
void mlx5_ib_wqe_masked_atomic(struct mlx5_ib_wqe *wqe, const struct ib_atomic_wr *wr);

/* key.c */
void mlx5_ib_wqe_register(struct mlx5_ib_wqe *wqe, const struct ib_reg_wr *wr, u32 dma_lkey);
void mlx5_ib_wqe_invalidate(struct mlx5_ib_wqe *wqe);

/* operation.c */

/* What stands between address and data. */
enum mlx5_ib_form {
	MLX5_IB_FORM_SEND,
	MLX5_IB_FORM_WRITE,
	MLX5_IB_FORM_READ,
	MLX5_IB_FORM_ATOMIC,
	MLX5_IB_FORM_MASKED_ATOMIC,
	MLX5_IB_FORM_REGISTER,
	MLX5_IB_FORM_INVALIDATE,
};

/**
 * struct mlx5_ib_operation - what an opcode of ib_core means to the device
 * @opcode: MLX5_OPCODE_*
 * @opmod: variant of it
 * @completion: enum ib_wc_opcode
 * @form: what stands in such a request
 * @services: which kinds of queue pairs do it
 */
struct mlx5_ib_operation {
	u8 opcode;
	u8 opmod;
	u8 completion;
	enum mlx5_ib_form form;
	u8 services;
};

int mlx5_ib_operation_of(enum ib_qp_type type, enum ib_wr_opcode opcode,
			 const struct mlx5_ib_operation **operation);

/* encode.c */

int mlx5_ib_encode(struct mlx5_ib_qp *qp, const struct mlx5_ib_wr_caps *caps,
		   const struct ib_send_wr *wr, const struct mlx5_ib_operation *operation,
		   struct mlx5_ib_wqe *wqe);

/* ring.c */
bool mlx5_ib_ring_surely_full(struct mlx5_ib_ring *ring, struct ib_cq *ibcq, u32 posting);

/*
 * With the ring's lock held: is there no room for one more request? @ibcq: where its requests
 * complete; @posting: requests that are written but not in its head yet.
 */
static inline bool mlx5_ib_ring_full(struct mlx5_ib_ring *ring, struct ib_cq *ibcq, u32 posting)
{
	return unlikely(ring->head + posting - READ_ONCE(ring->tail) >= ring->max_wr) &&
	       mlx5_ib_ring_surely_full(ring, ibcq, posting);
}

/*
 * With the ring's lock held: what polling will want to know of a send. @wr_id: the consumer's
 * number of it; @completion: enum ib_wc_opcode; @posting: as above.
 */
static inline void mlx5_ib_sq_remember(struct mlx5_ib_ring *sq, const struct mlx5_ib_wqe *wqe,
				       u64 wr_id, u8 completion, u32 posting)
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

void mlx5_ib_sq_ring(struct mlx5_ib_qp *qp, const void *control, u32 posting);

static inline bool mlx5_ib_is_dead(const struct mlx5_ib_qp *qp)
{
	return to_mdev(qp->ibqp.device)->mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR;
}

#endif
