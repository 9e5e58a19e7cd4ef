// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The firmware's contexts of processes. All that a process has made is made under the number of its
 * context, and no command under another number reaches it.
 */
#include "devx.h"

bool mlx5_ib_devx_supported(struct ib_device *ibdev)
{
	return MLX5_CAP_GEN(to_mdev(ibdev)->mdev, log_max_uctx);
}

static u32 allowed(struct mlx5_ib_dev *dev)
{
	u32 caps = 0;

	if (capable(CAP_NET_RAW))
		caps |= MLX5_UCTX_CAP_RAW_TX;
	if (capable(CAP_SYS_RAWIO))
		caps |= MLX5_UCTX_CAP_INTERNAL_DEV_RES;
	return caps & MLX5_CAP_GEN(dev->mdev, uctx_cap);
}

/**
 * mlx5_ib_devx_context_create - make a context
 * @dev: the adapter
 * @user: it's for the calling process, and may do what that may
 * @uid: its number, not 0
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_devx_context_create(struct mlx5_ib_dev *dev, bool user, u16 *uid)
{
	u32 in[MLX5_ST_SZ_DW(create_uctx_in)] = {};
	u32 out[MLX5_ST_SZ_DW(create_uctx_out)] = {};
	int err;

	if (!mlx5_ib_devx_supported(&dev->ib_dev))
		return -EINVAL;
	MLX5_SET(create_uctx_in, in, opcode, MLX5_CMD_OP_CREATE_UCTX);
	if (user)
		MLX5_SET(create_uctx_in, in, uctx.cap, allowed(dev));
	err = mlx5_cmd_exec(dev->mdev, in, sizeof(in), out, sizeof(out));
	if (err)
		return err;
	*uid = MLX5_GET(create_uctx_out, out, uid);
	return 0;
}

void mlx5_ib_devx_context_destroy(struct mlx5_ib_dev *dev, u16 uid)
{
	u32 in[MLX5_ST_SZ_DW(destroy_uctx_in)] = {};

	MLX5_SET(destroy_uctx_in, in, opcode, MLX5_CMD_OP_DESTROY_UCTX);
	MLX5_SET(destroy_uctx_in, in, uid, uid);
	mlx5_cmd_exec_in(dev->mdev, destroy_uctx, in);
}

/**
 * mlx5_ib_devx_uid_for - under which number a command is sent
 * @context: of the process
 * @in: the command
 *
 * Return: the number, > 0, or a negative errno: the process may not send it.
 */
int mlx5_ib_devx_uid_for(struct mlx5_ib_ucontext *context, const void *in)
{
	if (context->devx_uid)
		return context->devx_uid;
	if (!mlx5_ib_devx_is_harmless(in))
		return -EINVAL;
	return to_mdev(context->ibucontext.device)->devx_uid ?: -EOPNOTSUPP;
}
