// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ib_core and ib_uverbs know of memory regions of this driver. Those of device memory, and
 * those with signatures, it doesn't have.
 */
#include "mr.h"

const struct ib_device_ops mlx5_ib_mr_ops = {
	.alloc_mr = mlx5_ib_alloc_fast,
	.dereg_mr = mlx5_ib_dereg_mr,
	.get_dma_mr = mlx5_ib_get_dma_mr,
	.map_mr_sg = mlx5_ib_map_fast,
	.reg_user_mr = mlx5_ib_reg_user_mr,
	.reg_user_mr_dmabuf = mlx5_ib_reg_dmabuf,
	.rereg_user_mr = mlx5_ib_rereg_user_mr,
};
