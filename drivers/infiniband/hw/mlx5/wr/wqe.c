// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Writing a send into its ring.
 */
#include "wr.h"

/**
 * mlx5_ib_wqe_copy - append bytes
 * @wqe: a send that's being written
 * @from: where they are
 * @bytes: how many
 */
void mlx5_ib_wqe_copy(struct mlx5_ib_wqe *wqe, const void *from, u32 bytes)
{
	u32 part;

	for (; bytes; bytes -= part, from += part) {
		part = min(bytes, MLX5_SEND_WQE_BB - wqe->bytes % MLX5_SEND_WQE_BB);
		memcpy(mlx5_ib_wqe_at(wqe, wqe->bytes), from, part);
		wqe->bytes += part;
	}
}

/**
 * mlx5_ib_wqe_control - write the control segment, which says how many segments there are
 * @wqe: a send whose other segments are written
 * @control: what it is
 *
 * Return: 0, or -EINVAL: it's longer than the device can be told.
 */
int mlx5_ib_wqe_control(const struct mlx5_ib_wqe *wqe, const struct mlx5_ib_control *control)
{
	struct mlx5_wqe_ctrl_seg *segment = mlx5_ib_wqe_at(wqe, 0);
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
