// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The firmware's commands about DC targets, one function each.
 */
#include "qp.h"

/* @in: of create_dct_in's size, with the context and the uid in it. */
int mlx5_ib_cmd_create_dct(struct mlx5_core_dev *mdev, u32 *in, u32 *dctn, u32 *ece)
{
	u32 out[MLX5_ST_SZ_DW(create_dct_out)] = {};
	int err;

	MLX5_SET(create_dct_in, in, opcode, MLX5_CMD_OP_CREATE_DCT);
	err = mlx5_cmd_exec(mdev, in, MLX5_ST_SZ_BYTES(create_dct_in), out, sizeof(out));
	if (err)
		return err;
	*dctn = MLX5_GET(create_dct_out, out, dctn);
	*ece = MLX5_GET(create_dct_out, out, ece);
	return 0;
}

/* The device tells by an event when it's drained. */
int mlx5_ib_cmd_drain_dct(struct mlx5_core_dev *mdev, u16 uid, u32 dctn)
{
	u32 in[MLX5_ST_SZ_DW(drain_dct_in)] = {};

	MLX5_SET(drain_dct_in, in, opcode, MLX5_CMD_OP_DRAIN_DCT);
	MLX5_SET(drain_dct_in, in, uid, uid);
	MLX5_SET(drain_dct_in, in, dctn, dctn);
	return mlx5_cmd_exec_in(mdev, drain_dct, in);
}

/* @out: of query_dct_out's size. */
int mlx5_ib_cmd_query_dct(struct mlx5_core_dev *mdev, u32 dctn, u32 *out)
{
	u32 in[MLX5_ST_SZ_DW(query_dct_in)] = {};

	MLX5_SET(query_dct_in, in, opcode, MLX5_CMD_OP_QUERY_DCT);
	MLX5_SET(query_dct_in, in, dctn, dctn);
	return mlx5_cmd_exec(mdev, in, sizeof(in), out, MLX5_ST_SZ_BYTES(query_dct_out));
}

int mlx5_ib_cmd_destroy_dct(struct mlx5_core_dev *mdev, u16 uid, u32 dctn)
{
	u32 in[MLX5_ST_SZ_DW(destroy_dct_in)] = {};

	MLX5_SET(destroy_dct_in, in, opcode, MLX5_CMD_OP_DESTROY_DCT);
	MLX5_SET(destroy_dct_in, in, uid, uid);
	MLX5_SET(destroy_dct_in, in, dctn, dctn);
	return mlx5_cmd_exec_in(mdev, destroy_dct, in);
}
