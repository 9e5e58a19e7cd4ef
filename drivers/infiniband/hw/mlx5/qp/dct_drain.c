// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Before a DC target is destroyed the device lets the packets end that are under way to it, and
 * tells by an event when there are none. For targets of verbs and for those of DEVX.
 */
#include "qp.h"

/* A dead device says nothing any more. */
static void await(struct mlx5_core_dev *mdev, struct mlx5_ib_dct_drain *drain)
{
	while (!wait_for_completion_timeout(&drain->drained, HZ))
		if (mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR)
			return;
}

/**
 * mlx5_ib_dct_drain - wait until no packet is under way to a DC target
 * @mdev: the adapter
 * @uid: the firmware's number of the context that made the target
 * @dctn: the target's number, under which the event finds @drain
 * @drain: of the target. The device tells it once: one that it then refused to destroy stays
 *	drained.
 *
 * Context: sleeps.
 *
 * Return: 0, also of a device that is dead, or the errno of a device that refuses.
 */
int mlx5_ib_dct_drain(struct mlx5_core_dev *mdev, u16 uid, u32 dctn,
		      struct mlx5_ib_dct_drain *drain)
{
	int err;

	if (drain->is_drained)
		return 0;
	reinit_completion(&drain->drained);
	err = mlx5_ib_cmd_drain_dct(mdev, uid, dctn);
	if (err)
		return mdev->state == MLX5_DEVICE_STATE_INTERNAL_ERROR ? 0 : err;
	await(mdev, drain);
	drain->is_drained = true;
	return 0;
}
