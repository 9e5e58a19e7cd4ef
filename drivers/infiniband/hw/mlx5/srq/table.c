// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Shared receive queues by the device's numbers: RMPs and XRC SRQs are numbered from one pool.
 */
#include "srq.h"

void mlx5_ib_srq_table_init(struct mlx5_ib_dev *dev)
{
	mlx5_ib_numbers_init(&dev->srqs);
}

void mlx5_ib_srq_table_cleanup(struct mlx5_ib_dev *dev)
{
	xa_destroy(&dev->srqs);
}

struct mlx5_ib_srq *mlx5_ib_srq_get(struct mlx5_ib_dev *dev, u32 srqn)
{
	struct mlx5_ib_numbered *found = mlx5_ib_number_get(&dev->srqs, srqn);

	return found ? container_of(found, struct mlx5_ib_srq, numbered) : NULL;
}

void mlx5_ib_srq_put(struct mlx5_ib_srq *srq)
{
	mlx5_ib_number_put(&srq->numbered);
}

/**
 * mlx5_ib_srq_event - an event whose object is a shared receive queue
 * @dev: the adapter
 * @type: enum mlx5_event; others are ignored
 * @srqn: its number
 *
 * Context: any; doesn't sleep.
 */
void mlx5_ib_srq_event(struct mlx5_ib_dev *dev, u8 type, u32 srqn)
{
	struct ib_event event = { .device = &dev->ib_dev };
	struct mlx5_ib_srq *srq;

	if (type == MLX5_EVENT_TYPE_SRQ_RQ_LIMIT)
		event.event = IB_EVENT_SRQ_LIMIT_REACHED;
	else if (type == MLX5_EVENT_TYPE_SRQ_CATAS_ERROR)
		event.event = IB_EVENT_SRQ_ERR;
	else
		return;
	srq = mlx5_ib_srq_get(dev, srqn);
	if (!srq)
		return;
	event.element.srq = &srq->ibsrq;
	if (srq->ibsrq.event_handler)
		srq->ibsrq.event_handler(&event, srq->ibsrq.srq_context);
	mlx5_ib_srq_put(srq);
}
