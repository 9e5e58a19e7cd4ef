// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * How large a queue becomes. Rings are powers of 2; a receive's entry is one, too, a send takes as
 * many WQEBBs of 64 bytes as it needs. The receive queue stands before the send queue in one
 * buffer.
 */
#include <linux/log2.h>
#include <linux/overflow.h>
#include "qp.h"

#define SEGMENT sizeof(struct mlx5_wqe_data_seg)
#define BB MLX5_SEND_WQE_BB

/* Bytes of inline translation that a fast registration of the kernel may carry. */
#define FAST_REG_INLINE 64

/**
 * mlx5_ib_qp_has_rq - does it receive into a queue of its own?
 * @type: of the queue pair
 * @srq: it has a shared receive queue
 * @cap: what was asked for
 *
 * Return: true if it does.
 */
bool mlx5_ib_qp_has_rq(enum ib_qp_type type, bool srq, const struct ib_qp_cap *cap)
{
	switch (type) {
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
	case MLX5_IB_QPT_UMR:
	case MLX5_IB_QPT_DCI:
		return false;
	default:
		return !srq && cap->max_recv_wr;
	}
}

/**
 * mlx5_ib_kernel_rq_size - a receive queue of the kernel
 * @limits: of the device
 * @cap: max_recv_wr, not 0, and max_recv_sge
 * @rq: filled in
 *
 * Return: 0, or -EINVAL: too much.
 */
int mlx5_ib_kernel_rq_size(const struct mlx5_ib_qp_limits *limits, const struct ib_qp_cap *cap,
			   struct mlx5_ib_queue_size *rq)
{
	u32 stride, count;

	if (cap->max_recv_wr > limits->max_wr || cap->max_recv_sge > limits->max_recv_wqe / SEGMENT)
		return -EINVAL;
	stride = roundup_pow_of_two(max(cap->max_recv_sge, 1U) * SEGMENT);
	if (stride > limits->max_recv_wqe)
		return -EINVAL;
	count = max_t(u32, roundup_pow_of_two(cap->max_recv_wr), DIV_ROUND_UP(BB, stride));
	*rq = (struct mlx5_ib_queue_size) {
		.count = count,
		.shift = ilog2(stride),
		.max_wr = count,
		.max_sge = stride / SEGMENT,
	};
	return 0;
}

/* What stands in a send before its list; 0: there are no sends. */
static int send_overhead(enum ib_qp_type type)
{
	const int ctrl = sizeof(struct mlx5_wqe_ctrl_seg);
	const int umr = sizeof(struct mlx5_wqe_umr_ctrl_seg) + sizeof(struct mlx5_mkey_seg);
	const int raddr = sizeof(struct mlx5_wqe_raddr_seg);
	const int atomic = raddr + sizeof(struct mlx5_wqe_atomic_seg);

	switch (type) {
	case IB_QPT_XRC_INI:
		return ctrl + sizeof(struct mlx5_wqe_xrc_seg) + max(atomic, umr + FAST_REG_INLINE);
	case IB_QPT_RC:
		return ctrl + max(atomic, umr + FAST_REG_INLINE);
	case IB_QPT_UC:
		return ctrl + max(raddr, umr + FAST_REG_INLINE);
	case IB_QPT_UD:
	case IB_QPT_SMI:
	case MLX5_IB_QPT_HW_GSI:
		return ctrl + sizeof(struct mlx5_wqe_datagram_seg);
	case MLX5_IB_QPT_UMR:
		return ctrl + umr;
	default:
		return 0;
	}
}

/* What stands before the list of a send that carries one: no registration does. */
static int list_overhead(enum ib_qp_type type)
{
	const int ctrl = sizeof(struct mlx5_wqe_ctrl_seg);
	const int raddr = sizeof(struct mlx5_wqe_raddr_seg);

	switch (type) {
	case IB_QPT_XRC_INI:
		return ctrl + sizeof(struct mlx5_wqe_xrc_seg) + raddr;
	case IB_QPT_RC:
	case IB_QPT_UC:
		return ctrl + raddr;
	default:
		return send_overhead(type);
	}
}

/**
 * mlx5_ib_kernel_sq_size - a send queue of the kernel
 * @limits: of the device
 * @type: of the queue pair
 * @cap: max_send_wr, max_send_sge, max_inline_data
 * @sq: filled in; all 0 if no sends were asked for
 * @max_inline: bytes of inline data that a send may have
 *
 * Return: 0; -EINVAL: a single send is too long, or the type has none; -ENOMEM: too many of them.
 */
int mlx5_ib_kernel_sq_size(const struct mlx5_ib_qp_limits *limits, enum ib_qp_type type,
			   const struct ib_qp_cap *cap, struct mlx5_ib_queue_size *sq,
			   u32 *max_inline)
{
	int overhead = send_overhead(type);
	u64 wqe, bytes, inline_bytes = 0;

	*sq = (struct mlx5_ib_queue_size) {};
	*max_inline = 0;
	if (!cap->max_send_wr)
		return 0;
	if (!overhead)
		return -EINVAL;
	if (cap->max_inline_data)
		inline_bytes = sizeof(struct mlx5_wqe_inline_seg) + (u64)cap->max_inline_data;
	wqe = ALIGN(overhead + max(inline_bytes, (u64)cap->max_send_sge * SEGMENT), BB);
	if (wqe > limits->max_send_wqe)
		return -EINVAL;
	bytes = roundup_pow_of_two(cap->max_send_wr * wqe);
	if (bytes / BB > limits->max_wr)
		return -ENOMEM;
	sq->count = bytes / BB;
	sq->shift = ilog2(BB);
	sq->max_wr = bytes / wqe;
	sq->max_sge = (wqe - list_overhead(type)) / SEGMENT;
	*max_inline = wqe - overhead - sizeof(struct mlx5_wqe_inline_seg);
	return 0;
}

/**
 * mlx5_ib_user_rq_size - a receive queue that a process has laid out
 * @limits: of the device
 * @cap: what it says that it asks for
 * @count: entries
 * @shift: log2 of an entry's bytes
 * @signature: an entry begins with 16 bytes of it
 * @rq: filled in
 *
 * The numbers are a process's, so any value can stand there.
 *
 * Return: 0, or -EINVAL.
 */
int mlx5_ib_user_rq_size(const struct mlx5_ib_qp_limits *limits, const struct ib_qp_cap *cap,
			 u32 count, u32 shift, bool signature, struct mlx5_ib_queue_size *rq)
{
	u32 sge;

	if (cap->max_recv_wr > limits->max_wr || count > limits->max_wr || !is_power_of_2(count))
		return -EINVAL;
	if (shift < ilog2(SEGMENT) || shift > 31 || (1U << shift) > limits->max_recv_wqe)
		return -EINVAL;
	sge = (1U << shift) / SEGMENT;
	if (sge <= signature)
		return -EINVAL;
	*rq = (struct mlx5_ib_queue_size) {
		.count = count,
		.shift = shift,
		.max_wr = count,
		.max_sge = sge - signature,
	};
	return 0;
}

/**
 * mlx5_ib_user_sq_size - a send queue that a process has laid out
 * @limits: of the device
 * @count: WQEBBs
 * @sq: filled in
 *
 * Return: 0, or -EINVAL.
 */
int mlx5_ib_user_sq_size(const struct mlx5_ib_qp_limits *limits, u32 count,
			 struct mlx5_ib_queue_size *sq)
{
	if (count && (!is_power_of_2(count) || count > limits->max_wr))
		return -EINVAL;
	*sq = (struct mlx5_ib_queue_size) { .count = count, .shift = ilog2(BB) };
	return 0;
}

/**
 * mlx5_ib_qp_buf_size - the buffer of both queues
 * @rq: the receive queue, first in it
 * @sq: the send queue
 * @size: bytes
 *
 * Return: 0, or -EINVAL: no such buffer can be.
 */
int mlx5_ib_qp_buf_size(const struct mlx5_ib_queue_size *rq, const struct mlx5_ib_queue_size *sq,
			size_t *size)
{
	u64 bytes = ((u64)rq->count << rq->shift) + ((u64)sq->count << sq->shift);

	if (bytes > INT_MAX)
		return -EINVAL;
	*size = bytes;
	return 0;
}
