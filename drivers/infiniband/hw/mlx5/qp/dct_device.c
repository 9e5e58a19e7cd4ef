// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * DC targets that the device has, of verbs and of DEVX. Before one is destroyed the device lets the
 * packets end that are under way to it, and tells by an event when there are none.
 */
#include "qp.h"

/**
 * mlx5_ib_dct_add - a target can be found by its event from now on
 * @dev: the adapter, which has made it
 * @dctn: the target's number
 * @dct: the target
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int mlx5_ib_dct_add(struct mlx5_ib_dev *dev, u32 dctn, struct mlx5_ib_dct *dct)
{
	init_completion(&dct->drained);
	dct->is_drained = false;
	return mlx5_ib_number_add(&dev->dcts, dctn, &dct->numbered);
}

/* The event, in an interrupt. */
void mlx5_ib_dct_drained(struct mlx5_ib_dev *dev, u32 dctn)
{
	struct mlx5_ib_numbered *found = mlx5_ib_number_get(&dev->dcts, dctn);

	if (!found)
		return;
	complete(&container_of(found, struct mlx5_ib_dct, numbered)->drained);
	mlx5_ib_number_put(found);
}

/* A dead device says nothing any more. */
static void await(struct mlx5_core_dev *mdev, struct mlx5_ib_dct *dct)
{
	while (!wait_for_completion_timeout(&dct->drained, HZ))
		if (mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR)
			return;
}

static int drain(struct mlx5_core_dev *mdev, u16 uid, u32 dctn, struct mlx5_ib_dct *dct)
{
	int err;

	if (dct->is_drained)
		return 0;
	reinit_completion(&dct->drained);
	err = mlx5_ib_cmd_drain_dct(mdev, uid, dctn);
	if (err)
		return err;
	await(mdev, dct);
	dct->is_drained = true;
	return 0;
}

/**
 * mlx5_ib_dct_remove - drain and destroy a target
 * @dev: the adapter
 * @uid: the firmware's number of the context that made the target
 * @dctn: the target's number
 * @dct: the target
 *
 * Context: sleeps.
 * Return: 0, also of a device that is dead, or the errno of one that refuses: it's still there.
 */
int mlx5_ib_dct_remove(struct mlx5_ib_dev *dev, u16 uid, u32 dctn, struct mlx5_ib_dct *dct)
{
	struct mlx5_core_dev *mdev = dev->mdev;
	int err = drain(mdev, uid, dctn, dct);

	if (!err)
		err = mlx5_ib_cmd_destroy_dct(mdev, uid, dctn);
	if (err && mdev->state != MLX5_DEVICE_STATE_INTERNAL_ERROR &&
	    !mlx5_ib_number_is_lost(&dct->numbered))
		return err;
	mlx5_ib_number_remove(&dev->dcts, dctn, &dct->numbered);
	mlx5_ib_number_wait(&dct->numbered);
	return 0;
}
