// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Keys that the firmware has for all.
 */
#include "device.h"

/**
 * mlx5_ib_special_keys_init - learn the keys that the firmware has for all
 * @dev: the adapter
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_special_keys_init(struct mlx5_ib_dev *dev)
{
	u32 out[MLX5_ST_SZ_DW(query_special_contexts_out)] = {};
	struct mlx5_core_dev *mdev = dev->mdev;
	int err;

	dev->keys.terminate = MLX5_TERMINATE_SCATTER_LIST_LKEY;
	if (!MLX5_CAP_GEN(mdev, terminate_scatter_list_mkey) &&
	    !MLX5_CAP_GEN(mdev, dump_fill_mkey) && !MLX5_CAP_GEN(mdev, null_mkey))
		return 0;
	err = mlx5_ib_cmd_special_keys(mdev, out);
	if (err)
		return err;
	if (MLX5_CAP_GEN(mdev, dump_fill_mkey))
		dev->keys.dump_fill = MLX5_GET(query_special_contexts_out, out, dump_fill_mkey);
	if (MLX5_CAP_GEN(mdev, null_mkey))
		dev->keys.null = cpu_to_be32(MLX5_GET(query_special_contexts_out, out, null_mkey));
	if (MLX5_CAP_GEN(mdev, terminate_scatter_list_mkey))
		dev->keys.terminate = cpu_to_be32(MLX5_GET(query_special_contexts_out, out,
							   terminate_scatter_list_mkey));
	return 0;
}
