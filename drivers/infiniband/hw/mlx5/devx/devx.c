// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From probe to removal: the table of subscriptions, and a context for questions of processes that
 * have none.
 */
#include "devx.h"

static int init(struct mlx5_ib_devx *devx)
{
	int err;

	err = mlx5_ib_devx_table_init(devx);
	if (err)
		return err;
	err = mlx5_ib_devx_events_init(devx);
	if (err)
		mlx5_ib_devx_table_cleanup(devx);
	return err;
}

/**
 * mlx5_ib_devx_init - before processes can come
 * @dev: the adapter
 *
 * Return: 0 (also where the device has nothing of it) or a negative errno.
 */
int mlx5_ib_devx_init(struct mlx5_ib_dev *dev)
{
	int err;

	if (!mlx5_ib_devx_supported(&dev->ib_dev))
		return 0;
	dev->devx = kzalloc(sizeof(*dev->devx), GFP_KERNEL);
	if (!dev->devx)
		return -ENOMEM;
	dev->devx->dev = dev;
	ida_init(&dev->devx->vars);
	err = init(dev->devx);
	if (err) {
		kfree(dev->devx);
		dev->devx = NULL;
		return err;
	}
	/* Without it a process that has no context of its own can ask nothing; all others can. */
	if (mlx5_ib_devx_context_create(dev, false, &dev->devx_uid))
		mlx5_ib_warn(dev, "no user context for common questions\n");
	return 0;
}

/* Once no process has anything of it any more. */
void mlx5_ib_devx_cleanup(struct mlx5_ib_dev *dev)
{
	if (!dev->devx)
		return;
	if (dev->devx_uid)
		mlx5_ib_devx_context_destroy(dev, dev->devx_uid);
	dev->devx_uid = 0;
	mlx5_ib_devx_events_cleanup(dev->devx);
	mlx5_ib_devx_table_cleanup(dev->devx);
	ida_destroy(&dev->devx->vars);
	kfree(dev->devx);
	dev->devx = NULL;
}

const struct uapi_definition mlx5_ib_devx_defs[] = {
	UAPI_DEF_CHAIN(mlx5_ib_devx_other_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_object_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_umem_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_async_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_event_file_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_subscription_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_pp_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_var_defs),
	{}
};
