// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Writing a send into its ring.
 */
#include "wr.h"

/* Most often it's one of these, which the compiler makes a few moves of. */
static void copy(void *to, const void *from, u32 bytes)
{
	if (bytes == MLX5_SEND_WQE_BB)
		memcpy(to, from, MLX5_SEND_WQE_BB);
	else if (bytes == MLX5_SEND_WQE_BB - MLX5_SEND_WQE_DS)
		memcpy(to, from, MLX5_SEND_WQE_BB - MLX5_SEND_WQE_DS);
	else if (bytes == MLX5_SEND_WQE_DS)
		memcpy(to, from, MLX5_SEND_WQE_DS);
	else
		memcpy(to, from, bytes);
}

/**
 * mlx5_ib_wqe_copy - append bytes
 * @wqe: a send that's being written
 * @from: where they are
 * @bytes: how many
 */
void mlx5_ib_wqe_copy(struct mlx5_ib_wqe *wqe, const void *from, u32 bytes)
{
	for (u32 part; bytes; bytes -= part, from += part) {
		u32 used = wqe->bytes % MLX5_SEND_WQE_BB;

		if (!used)
			wqe->next = mlx5_ib_wqe_at(wqe, wqe->bytes);
		part = min(bytes, MLX5_SEND_WQE_BB - used);
		copy(wqe->next, from, part);
		wqe->next += part;
		wqe->bytes += part;
	}
}
