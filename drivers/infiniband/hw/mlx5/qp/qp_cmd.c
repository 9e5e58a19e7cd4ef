// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The firmware's commands about queue pairs, one function each.
 */
#include "qp.h"

int mlx5_ib_cmd_create_qp(struct mlx5_core_dev *mdev, u32 *in, int inlen, u32 *qpn, u32 *ece)
{
	u32 out[MLX5_ST_SZ_DW(create_qp_out)] = {};
	int err;

	MLX5_SET(create_qp_in, in, opcode, MLX5_CMD_OP_CREATE_QP);
	err = mlx5_cmd_exec(mdev, in, inlen, out, sizeof(out));
	if (err)
		return err;
	*qpn = MLX5_GET(create_qp_out, out, qpn);
	*ece = MLX5_GET(create_qp_out, out, ece);
	return 0;
}

/* Those two need no context. */
static int reset_or_fail(struct mlx5_core_dev *mdev, u16 uid, u32 qpn, u16 opcode)
{
	u32 in[MLX5_ST_SZ_DW(qp_2rst_in)] = {};

	MLX5_SET(qp_2rst_in, in, opcode, opcode);
	MLX5_SET(qp_2rst_in, in, uid, uid);
	MLX5_SET(qp_2rst_in, in, qpn, qpn);
	return mlx5_cmd_exec_in(mdev, qp_2rst, in);
}

/*
 * All other transitions have one layout, and its name is that of one of them. The answer to some
 * has the ECE options that both ends support.
 */
#define SAME_LAYOUT(other)								\
	static_assert(__mlx5_bit_off(rst2init_qp_in, qpc) == __mlx5_bit_off(other##_in, qpc) && \
		      __mlx5_bit_off(rst2init_qp_in, opt_param_mask) ==			\
			__mlx5_bit_off(other##_in, opt_param_mask) &&			\
		      MLX5_ST_SZ_BYTES(rst2init_qp_in) == MLX5_ST_SZ_BYTES(other##_in) && \
		      MLX5_ST_SZ_BYTES(rst2init_qp_out) == MLX5_ST_SZ_BYTES(other##_out))

SAME_LAYOUT(init2init_qp);
SAME_LAYOUT(init2rtr_qp);
SAME_LAYOUT(rtr2rts_qp);
SAME_LAYOUT(rts2rts_qp);
SAME_LAYOUT(sqerr2rts_qp);
SAME_LAYOUT(sqd2rts_qp);

static bool has_ece(u16 opcode)
{
	return opcode != MLX5_CMD_OP_SQERR2RTS_QP && opcode != MLX5_CMD_OP_SQD_RTS_QP;
}

/**
 * mlx5_ib_cmd_modify_qp - a transition
 * @mdev: the device
 * @uid: of the context that made the queue pair
 * @qpn: its number
 * @transition: what to do
 * @qpc: the context with the new values; not looked at for resetting and failing
 * @ece: the options asked for, 0 for none; becomes what is agreed upon
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_cmd_modify_qp(struct mlx5_core_dev *mdev, u16 uid, u32 qpn,
			  const struct mlx5_ib_transition *transition, const void *qpc, u32 *ece)
{
	u32 out[MLX5_ST_SZ_DW(rst2init_qp_out)] = {};
	u16 opcode = transition->opcode;
	u32 *in;
	int err;

	if (opcode == MLX5_CMD_OP_2RST_QP || opcode == MLX5_CMD_OP_2ERR_QP) {
		*ece = 0;
		return reset_or_fail(mdev, uid, qpn, opcode);
	}
	in = kzalloc(MLX5_ST_SZ_BYTES(rst2init_qp_in), GFP_KERNEL);
	if (!in)
		return -ENOMEM;
	MLX5_SET(rst2init_qp_in, in, opcode, opcode);
	MLX5_SET(rst2init_qp_in, in, uid, uid);
	MLX5_SET(rst2init_qp_in, in, qpn, qpn);
	MLX5_SET(rst2init_qp_in, in, opt_param_mask, transition->opt_params);
	if (has_ece(opcode))
		MLX5_SET(rst2init_qp_in, in, ece, *ece);
	memcpy(MLX5_ADDR_OF(rst2init_qp_in, in, qpc), qpc, MLX5_ST_SZ_BYTES(qpc));
	err = mlx5_cmd_exec(mdev, in, MLX5_ST_SZ_BYTES(rst2init_qp_in), out, sizeof(out));
	*ece = has_ece(opcode) ? MLX5_GET(rst2init_qp_out, out, ece) : 0;
	kfree(in);
	return err;
}

/* @out: of query_qp_out's size. */
int mlx5_ib_cmd_query_qp(struct mlx5_core_dev *mdev, u32 qpn, u32 *out)
{
	u32 in[MLX5_ST_SZ_DW(query_qp_in)] = {};

	MLX5_SET(query_qp_in, in, opcode, MLX5_CMD_OP_QUERY_QP);
	MLX5_SET(query_qp_in, in, qpn, qpn);
	return mlx5_cmd_exec(mdev, in, sizeof(in), out, MLX5_ST_SZ_BYTES(query_qp_out));
}

int mlx5_ib_cmd_destroy_qp(struct mlx5_core_dev *mdev, u16 uid, u32 qpn)
{
	u32 in[MLX5_ST_SZ_DW(destroy_qp_in)] = {};

	MLX5_SET(destroy_qp_in, in, opcode, MLX5_CMD_OP_DESTROY_QP);
	MLX5_SET(destroy_qp_in, in, uid, uid);
	MLX5_SET(destroy_qp_in, in, qpn, qpn);
	return mlx5_cmd_exec_in(mdev, destroy_qp, in);
}
