// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Events of the adapter (IBTA 11.6.3), in the order in which the firmware wrote them. The notifier
 * is called in interrupts.
 */
#include "device.h"

static int port_event_of(u8 subtype)
{
	switch (subtype) {
	case MLX5_PORT_CHANGE_SUBTYPE_ACTIVE:
		return IB_EVENT_PORT_ACTIVE;
	case MLX5_PORT_CHANGE_SUBTYPE_DOWN:
	case MLX5_PORT_CHANGE_SUBTYPE_INITIALIZED:
		return IB_EVENT_PORT_ERR;
	case MLX5_PORT_CHANGE_SUBTYPE_LID:
		return IB_EVENT_LID_CHANGE;
	case MLX5_PORT_CHANGE_SUBTYPE_PKEY:
		return IB_EVENT_PKEY_CHANGE;
	case MLX5_PORT_CHANGE_SUBTYPE_GUID:
		return IB_EVENT_GID_CHANGE;
	case MLX5_PORT_CHANGE_SUBTYPE_CLIENT_REREG:
		return IB_EVENT_CLIENT_REREGISTER;
	default:
		return -1;
	}
}

static void port_changed(struct mlx5_ib_dev *dev, const struct mlx5_eqe *eqe)
{
	struct ib_event event = {
		.device = &dev->ib_dev,
		.element.port_num = eqe->data.port.port >> 4,
	};
	int type = port_event_of(eqe->sub_type);

	if (type < 0 || !READ_ONCE(dev->active))
		return;
	if (!rdma_is_port_valid(&dev->ib_dev, event.element.port_num)) {
		mlx5_ib_warn(dev, "event of port %u, which isn't there\n", event.element.port_num);
		return;
	}
	event.event = type;
	ib_dispatch_event(&event);
	if (type == IB_EVENT_PKEY_CHANGE)
		schedule_work(&dev->pkey_work);
}

static void pkeys_changed(struct work_struct *work)
{
	mlx5_ib_gsi_pkey_change(container_of(work, struct mlx5_ib_dev, pkey_work));
}

/* mlx5_core has found out that nothing will be answered any more. */
static void device_died(struct mlx5_ib_dev *dev)
{
	struct ib_event event = {
		.device = &dev->ib_dev,
		.event = IB_EVENT_DEVICE_FATAL,
		.element.port_num = 1,
	};

	mlx5_ib_qps_device_dead(dev);
	if (!READ_ONCE(dev->active))
		return;
	WRITE_ONCE(dev->active, false);
	ib_dispatch_event(&event);
}

static int event(struct notifier_block *nb, unsigned long type, void *data)
{
	struct mlx5_ib_dev *dev = container_of(nb, struct mlx5_ib_dev, events);
	const struct mlx5_eqe *eqe = data;

	switch (type) {
	case MLX5_DEV_EVENT_SYS_ERROR:
		device_died(dev);
		return NOTIFY_OK;
	case MLX5_EVENT_TYPE_PORT_CHANGE:
		port_changed(dev, eqe);
		return NOTIFY_OK;
	case MLX5_EVENT_TYPE_SRQ_CATAS_ERROR:
	case MLX5_EVENT_TYPE_SRQ_RQ_LIMIT:
		mlx5_ib_srq_event(dev, type, be32_to_cpu(eqe->data.qp_srq.qp_srq_n) & 0xffffff);
		return NOTIFY_OK;
	default:
		if (type >= MLX5_DEV_EVENT_SYS_ERROR)
			return NOTIFY_DONE;
		mlx5_ib_qp_event(dev, type, eqe);
		return NOTIFY_OK;
	}
}

/**
 * mlx5_ib_events_start - events are heard from now on; those of the port are passed on once active
 * @dev: the adapter, with its tables of queue pairs
 */
void mlx5_ib_events_start(struct mlx5_ib_dev *dev)
{
	INIT_WORK(&dev->pkey_work, pkeys_changed);
	dev->events.notifier_call = event;
	mlx5_notifier_register(dev->mdev, &dev->events);
}

/**
 * mlx5_ib_events_stop - no event is heard any more, and none is under way
 * @dev: the adapter
 *
 * Context: may sleep.
 */
void mlx5_ib_events_stop(struct mlx5_ib_dev *dev)
{
	mlx5_notifier_unregister(dev->mdev, &dev->events);
	cancel_work_sync(&dev->pkey_work);
}
