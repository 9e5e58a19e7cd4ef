// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A command of a process's, on its way to the firmware, and the answer on its way back.
 */
#include "devx.h"

struct mlx5_ib_ucontext *mlx5_ib_devx_context(const struct uverbs_attr_bundle *attrs)
{
	struct ib_ucontext *context = ib_uverbs_get_ucontext(attrs);

	return IS_ERR(context) ? ERR_CAST(context) : to_mucontext(context);
}

/**
 * mlx5_ib_devx_prepare - put the process's number into its command
 * @attrs: of the call
 * @in: the command, at least a header
 *
 * No command is taken that would be run on another device's behalf.
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_devx_prepare(struct uverbs_attr_bundle *attrs, void *in)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_devx_context(attrs);
	int uid;

	if (IS_ERR(context))
		return PTR_ERR(context);
	if (MLX5_GET(general_obj_in_cmd_hdr, in, vhca_tunnel_id))
		return -EINVAL;
	uid = mlx5_ib_devx_uid_for(context, in);
	if (uid < 0)
		return uid;
	MLX5_SET(general_obj_in_cmd_hdr, in, uid, uid);
	return 0;
}

/**
 * mlx5_ib_devx_send - send a command that has been prepared
 * @attrs: of the call
 * @in_attr: where the command is
 * @out_attr: where the answer goes, also that of a firmware that refuses
 *
 * Return: 0, -EREMOTEIO: the firmware refuses, or another negative errno.
 */
int mlx5_ib_devx_send(struct uverbs_attr_bundle *attrs, u16 in_attr, u16 out_attr)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_devx_context(attrs);
	int outlen = uverbs_attr_get_len(attrs, out_attr);
	void *out = uverbs_zalloc(attrs, outlen);
	int err, copy_err;

	if (IS_ERR(context))
		return PTR_ERR(context);
	if (IS_ERR(out))
		return PTR_ERR(out);
	err = mlx5_cmd_do(to_mdev(context->ibucontext.device)->mdev,
			  uverbs_attr_get_alloced_ptr(attrs, in_attr),
			  uverbs_attr_get_len(attrs, in_attr), out, outlen);
	if (err && err != -EREMOTEIO)
		return err;
	copy_err = uverbs_copy_to(attrs, out_attr, out, outlen);
	return copy_err ?: err;
}
