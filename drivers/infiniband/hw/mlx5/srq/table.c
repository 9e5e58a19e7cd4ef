// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Shared receive queues by the device's numbers. A number stays reserved while the device is asked
 * to destroy its queue, so that to show it again can't fail; a new queue that has been given the
 * same number takes the place over. RMPs and XRC SRQs are numbered from one pool by the device.
 */
#include "srq.h"

void mlx5_ib_srq_table_init(struct mlx5_ib_dev *dev)
{
	xa_init_flags(&dev->srqs, XA_FLAGS_LOCK_IRQ);
}

void mlx5_ib_srq_table_cleanup(struct mlx5_ib_dev *dev)
{
	xa_destroy(&dev->srqs);
}

int mlx5_ib_srq_publish(struct mlx5_ib_dev *dev, struct mlx5_ib_srq *srq)
{
	refcount_set(&srq->refcount, 1);
	init_completion(&srq->free);
	return xa_err(xa_store_irq(&dev->srqs, srq->srqn, srq, GFP_KERNEL));
}

/* Until those who had found it are done with it. */
void mlx5_ib_srq_hide(struct mlx5_ib_dev *dev, struct mlx5_ib_srq *srq)
{
	xa_store_irq(&dev->srqs, srq->srqn, XA_ZERO_ENTRY, 0);
	if (!refcount_dec_and_test(&srq->refcount))
		wait_for_completion(&srq->free);
}

void mlx5_ib_srq_show(struct mlx5_ib_dev *dev, struct mlx5_ib_srq *srq)
{
	refcount_set(&srq->refcount, 1);
	reinit_completion(&srq->free);
	xa_store_irq(&dev->srqs, srq->srqn, srq, 0);
}

void mlx5_ib_srq_release(struct mlx5_ib_dev *dev, struct mlx5_ib_srq *srq)
{
	xa_cmpxchg_irq(&dev->srqs, srq->srqn, XA_ZERO_ENTRY, NULL, 0);
}

struct mlx5_ib_srq *mlx5_ib_srq_get(struct mlx5_ib_dev *dev, u32 srqn)
{
	struct mlx5_ib_srq *srq;
	unsigned long flags;

	xa_lock_irqsave(&dev->srqs, flags);
	srq = xa_load(&dev->srqs, srqn);
	if (srq)
		refcount_inc(&srq->refcount);
	xa_unlock_irqrestore(&dev->srqs, flags);
	return srq;
}

void mlx5_ib_srq_put(struct mlx5_ib_srq *srq)
{
	if (refcount_dec_and_test(&srq->refcount))
		complete(&srq->free);
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
