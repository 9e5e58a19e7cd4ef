// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The device's events, and which of them processes may subscribe to.
 */
#include "devx.h"

/* Of devices that don't tell. */
static bool is_known(u8 type, bool of_object)
{
	return of_object ? mlx5_ib_devx_is_queue_event(type) : type == MLX5_EVENT_TYPE_PORT_CHANGE;
}

static bool is_in(const __be64 *mask, u8 type)
{
	return be64_to_cpu(mask[type / 64]) & BIT_ULL(type % 64);
}

static bool is_device_wide(struct mlx5_core_dev *mdev, u8 type)
{
	if (!MLX5_CAP_GEN(mdev, event_cap))
		return is_known(type, false);
	return is_in(MLX5_CAP_DEV_EVENT(mdev, user_unaffiliated_events), type);
}

/**
 * mlx5_ib_devx_event_allowed - whether processes are told of an event
 * @mdev: the device
 * @type: of event
 * @of_object: it's to be an object's; otherwise the device's
 *
 * Return: whether they are.
 */
bool mlx5_ib_devx_event_allowed(struct mlx5_core_dev *mdev, u16 type, bool of_object)
{
	if (type >= MLX5_EVENT_TYPE_MAX)
		return false;
	if (!of_object)
		return is_device_wide(mdev, type);
	if (type == MLX5_EVENT_TYPE_COMP)
		return true;
	if (!MLX5_CAP_GEN(mdev, event_cap))
		return is_known(type, true);
	return is_in(MLX5_CAP_DEV_EVENT(mdev, user_affiliated_events), type);
}

static int event(struct notifier_block *nb, unsigned long type, void *data)
{
	struct mlx5_ib_devx *devx = mlx5_nb_cof(nb, struct mlx5_ib_devx, events);

	/* The driver's own, of which there can be many. */
	if (type == MLX5_EVENT_TYPE_CMD || type == MLX5_EVENT_TYPE_PAGE_REQUEST)
		return NOTIFY_OK;
	if (is_device_wide(devx->dev->mdev, type))
		mlx5_ib_devx_dispatch(devx, mlx5_ib_devx_device_key(type), data);
	else
		mlx5_ib_devx_dispatch(devx, mlx5_ib_devx_eqe_key(type, data), data);
	return NOTIFY_OK;
}

int mlx5_ib_devx_events_init(struct mlx5_ib_devx *devx)
{
	MLX5_NB_INIT(&devx->events, event, NOTIFY_ANY);
	return mlx5_eq_notifier_register(devx->dev->mdev, &devx->events);
}

void mlx5_ib_devx_events_cleanup(struct mlx5_ib_devx *devx)
{
	mlx5_eq_notifier_unregister(devx->dev->mdev, &devx->events);
}
