// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The memory that a work request names: the data segments of send requests and scatter lists, as
 * the process has written them. Nothing in them can be trusted to be well-formed.
 */
#include "odp.h"

/* A length of 0 stands for the longest message. */
#define LENGTH_MAX BIT_ULL(31)

/* Bytes of a send request, at least its control segment, as that says. */
size_t mlx5_ib_send_wqe_length(const void *wqe)
{
	const struct mlx5_wqe_ctrl_seg *ctrl = wqe;

	return (be32_to_cpu(ctrl->qpn_ds) & MLX5_WQE_CTRL_DS_MASK) * MLX5_WQE_DS_UNITS;
}

/* An address vector's first part tells whether it has a second. */
static size_t vector_size(const void *segment)
{
	const struct mlx5_base_av *av = segment;

	return av->dqp_dct & cpu_to_be32(MLX5_EXTENDED_UD_AV) ? sizeof(struct mlx5_av) :
								sizeof(struct mlx5_base_av);
}

/* What stands between the control segment and what's the opcode's. */
static size_t transport_size(enum ib_qp_type type, const void *segment)
{
	switch ((int)type) {
	case IB_QPT_XRC_INI:
		return sizeof(struct mlx5_wqe_xrc_seg);
	case IB_QPT_UD:
	case MLX5_IB_QPT_DCI:
		return vector_size(segment);
	default:
		return 0;
	}
}

static int operation_size(u8 opcode)
{
	switch (opcode) {
	case MLX5_OPCODE_SEND:
	case MLX5_OPCODE_SEND_IMM:
	case MLX5_OPCODE_SEND_INVAL:
		return 0;
	case MLX5_OPCODE_RDMA_WRITE:
	case MLX5_OPCODE_RDMA_WRITE_IMM:
	case MLX5_OPCODE_RDMA_READ:
		return sizeof(struct mlx5_wqe_raddr_seg);
	case MLX5_OPCODE_ATOMIC_CS:
	case MLX5_OPCODE_ATOMIC_FA:
		return sizeof(struct mlx5_wqe_raddr_seg) + sizeof(struct mlx5_wqe_atomic_seg);
	default:
		return -EOPNOTSUPP;
	}
}

/**
 * mlx5_ib_send_segments - the data segments of a send request
 * @type: of queue pair
 * @wqe: the request, mlx5_ib_send_wqe_length() bytes of it and at least two segments
 * @segments: a walk over them
 *
 * Return: 0 or a negative errno: it isn't a request with data.
 */
int mlx5_ib_send_segments(enum ib_qp_type type, const void *wqe, struct mlx5_ib_segments *segments)
{
	const struct mlx5_wqe_ctrl_seg *ctrl = wqe;
	size_t length = mlx5_ib_send_wqe_length(wqe);
	size_t skip = sizeof(*ctrl);
	int operation;

	operation = operation_size(be32_to_cpu(ctrl->opmod_idx_opcode) &
				   MLX5_WQE_CTRL_OPCODE_MASK);
	if (operation < 0)
		return operation;
	skip += transport_size(type, wqe + sizeof(*ctrl)) + operation;
	if (skip > length)
		return -EINVAL;
	*segments = (struct mlx5_ib_segments) { .at = wqe + skip, .end = wqe + length };
	return 0;
}

static void decode(const struct mlx5_wqe_data_seg *said, struct mlx5_ib_segment *segment)
{
	u32 count = be32_to_cpu(said->byte_count);

	segment->is_inline = count & MLX5_INLINE_SEG;
	segment->key = be32_to_cpu(said->lkey);
	segment->va = be64_to_cpu(said->addr);
	segment->length = segment->is_inline ? count & MLX5_WQE_INLINE_SEG_BYTE_COUNT_MASK : count;
}

/* Bytes that a segment takes in the request. */
static size_t size_of(const struct mlx5_ib_segment *segment)
{
	if (!segment->is_inline)
		return sizeof(struct mlx5_wqe_data_seg);
	return ALIGN(sizeof(struct mlx5_wqe_inline_seg) + segment->length, MLX5_WQE_DS_UNITS);
}

/**
 * mlx5_ib_next_segment - the next data segment
 * @segments: the walk
 * @segment: what it says
 *
 * Return: whether there is one; what's cut short is none.
 */
bool mlx5_ib_next_segment(struct mlx5_ib_segments *segments, struct mlx5_ib_segment *segment)
{
	const struct mlx5_wqe_data_seg *said = segments->at;

	if (segments->end - segments->at < sizeof(*said))
		return false;
	decode(said, segment);
	if (size_of(segment) > segments->end - segments->at)
		return false;
	if (segments->terminate && said->lkey == segments->terminate && !segment->length &&
	    !segment->va)
		return false;
	segments->at += size_of(segment);
	if (!segment->length && !segment->is_inline)
		segment->length = LENGTH_MAX;
	return true;
}
