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
#include "operation.h"

/**
 * struct mlx5_ib_wqe - a send that's being written
 * @sq: the ring
 * @first: WQEBB where it begins, which goes on counting at the ring's end
 * @bytes: of it so far
 * @control: where it begins
 * @next: what comes next stands there, unless a WQEBB begins with it
 */
struct mlx5_ib_wqe {
	struct mlx5_ib_ring *sq;
	u32 first;
	u32 bytes;
	void *control;
	void *next;
};

/* Where this byte of it stands; those after it follow up to the end of the WQEBB. */
static inline void *mlx5_ib_wqe_at(const struct mlx5_ib_wqe *wqe, u32 byte)
{
	struct mlx5_frag_buf_ctrl *fbc = &wqe->sq->fbc;
	u32 wqebb = (wqe->first + byte / MLX5_SEND_WQE_BB) & fbc->sz_m1;

	return mlx5_frag_buf_get_wqe(fbc, wqebb) + byte % MLX5_SEND_WQE_BB;
}

/* Where the ring's next send begins; its control segment is still to be written. */
static inline void mlx5_ib_wqe_begin(struct mlx5_ib_wqe *wqe, struct mlx5_ib_ring *sq)
{
	wqe->sq = sq;
	wqe->first = sq->next;
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

/* Writes the control segment, but for what's known when the send has ended: how long it is. */
static inline void mlx5_ib_wqe_control(const struct mlx5_ib_wqe *wqe, u8 opcode, u8 opmod, u8 flags,
				       __be32 imm)
{
	u32 index = wqe->first << MLX5_WQE_CTRL_WQE_INDEX_SHIFT & MLX5_WQE_CTRL_WQE_INDEX_MASK;

	*(struct mlx5_wqe_ctrl_seg *)wqe->control = (struct mlx5_wqe_ctrl_seg) {
		.opmod_idx_opcode = cpu_to_be32((u32)opmod << 24 | index | opcode),
		.fm_ce_se = flags,
		.imm = imm,
	};
}

/* Ends a send of that queue pair; -EINVAL: it's longer than the device can be told. */
static inline int mlx5_ib_wqe_end(const struct mlx5_ib_wqe *wqe, u32 qpn)
{
	struct mlx5_wqe_ctrl_seg *control = wqe->control;
	u32 segments = wqe->bytes / MLX5_SEND_WQE_DS;

	if (unlikely(segments > MLX5_WQE_CTRL_DS_MASK))
		return -EINVAL;
	control->qpn_ds = cpu_to_be32(qpn << MLX5_WQE_CTRL_QPN_SHIFT | segments);
	return 0;
}

/* wqe.c */
void mlx5_ib_wqe_copy(struct mlx5_ib_wqe *wqe, const void *from, u32 bytes);

/*
 * Where what comes next can be written as one piece, at most as long as a WQEBB: in its place, or,
 * if it will lie across the end of a WQEBB there, beside it.
 */
static inline void *mlx5_ib_wqe_piece(struct mlx5_ib_wqe *wqe, u32 bytes)
{
	u32 used = wqe->bytes % MLX5_SEND_WQE_BB;

	if (!used)
		wqe->next = mlx5_ib_wqe_at(wqe, wqe->bytes);
	return likely(used + bytes <= MLX5_SEND_WQE_BB) ? wqe->next : wqe->sq->piece;
}

/* Appends that piece, when it's written. */
static inline void mlx5_ib_wqe_append(struct mlx5_ib_wqe *wqe, const void *piece, u32 bytes)
{
	if (unlikely(piece != wqe->next)) {
		mlx5_ib_wqe_copy(wqe, piece, bytes);
		return;
	}
	wqe->next += bytes;
	wqe->bytes += bytes;
}

/* Appends a list of where data is; -EINVAL: an entry is too long. */
static inline int mlx5_ib_wqe_list(struct mlx5_ib_wqe *wqe, const struct ib_sge *list, u32 count)
{
	for (const struct ib_sge *sge = list; sge < list + count; sge++) {
		if (unlikely(sge->length & MLX5_INLINE_SEG))
			return -EINVAL;
		if (likely(sge->length))
			mlx5_ib_fill_entry(mlx5_ib_wqe_segment(wqe), sge);
	}
	return 0;
}

/* data.c */
int mlx5_ib_wqe_inline(struct mlx5_ib_wqe *wqe, const struct ib_sge *list, u32 count, u32 max);

/* Appends where the data goes, or comes from, on the other side. */
static inline void mlx5_ib_wqe_remote(struct mlx5_ib_wqe *wqe, u64 addr, u32 rkey)
{
	*(struct mlx5_wqe_raddr_seg *)mlx5_ib_wqe_segment(wqe) = (struct mlx5_wqe_raddr_seg) {
		.raddr = cpu_to_be64(addr),
		.rkey = cpu_to_be32(rkey),
	};
}

/* remote.c */
int mlx5_ib_wqe_datagram(struct mlx5_ib_wqe *wqe, const struct ib_ud_wr *wr);
void mlx5_ib_wqe_xrc(struct mlx5_ib_wqe *wqe);
void mlx5_ib_wqe_atomic(struct mlx5_ib_wqe *wqe, const struct ib_atomic_wr *wr);
void mlx5_ib_wqe_masked_atomic(struct mlx5_ib_wqe *wqe, const struct ib_atomic_wr *wr);

/* key.c */
void mlx5_ib_wqe_register(struct mlx5_ib_wqe *wqe, const struct ib_reg_wr *wr, u32 dma_lkey);
void mlx5_ib_wqe_invalidate(struct mlx5_ib_wqe *wqe);

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
