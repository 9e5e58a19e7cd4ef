// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs and DC targets by the device's numbers. The number of one that is hidden stays
 * reserved while the device is asked to destroy it, so that to show it again can't fail for want of
 * memory. The device may give the number out anew before the command that freed it has returned:
 * whoever gets it takes the place over, and the old object leaves alone what isn't its own
 * reservation any more.
 */
#include "qp.h"

void mlx5_ib_qp_table_init(struct mlx5_ib_dev *dev)
{
	/* Looked up in interrupts. */
	xa_init_flags(&dev->qps, XA_FLAGS_LOCK_IRQ);
	xa_init_flags(&dev->dcts, XA_FLAGS_LOCK_IRQ);
	spin_lock_init(&dev->kernel_qps_lock);
	INIT_LIST_HEAD(&dev->kernel_qps);
	mutex_init(&dev->gsi_lock);
}

void mlx5_ib_qp_table_cleanup(struct mlx5_ib_dev *dev)
{
	xa_destroy(&dev->qps);
	xa_destroy(&dev->dcts);
}

int mlx5_ib_number_add(struct xarray *numbers, u32 num, struct mlx5_ib_qp *qp)
{
	refcount_set(&qp->refcount, 1);
	return xa_err(xa_store_irq(numbers, num, qp, GFP_KERNEL));
}

void mlx5_ib_number_show(struct xarray *numbers, u32 num, struct mlx5_ib_qp *qp)
{
	unsigned long flags;

	refcount_set(&qp->refcount, 1);
	reinit_completion(&qp->free);
	xa_lock_irqsave(numbers, flags);
	__xa_store(numbers, num, qp, 0);
	xa_unlock_irqrestore(numbers, flags);
}

/* Nobody finds it any more; mlx5_ib_number_wait() has to follow. Atomic. */
void mlx5_ib_number_hide(struct xarray *numbers, u32 num)
{
	unsigned long flags;

	xa_lock_irqsave(numbers, flags);
	__xa_store(numbers, num, XA_ZERO_ENTRY, 0);
	xa_unlock_irqrestore(numbers, flags);
}

/* Until those who had found it are done with it; most often there's nobody. */
void mlx5_ib_number_wait(struct mlx5_ib_qp *qp)
{
	if (!refcount_dec_and_test(&qp->refcount))
		wait_for_completion(&qp->free);
}

void mlx5_ib_number_release(struct xarray *numbers, u32 num)
{
	xa_cmpxchg_irq(numbers, num, XA_ZERO_ENTRY, NULL, 0);
}

struct mlx5_ib_qp *mlx5_ib_qp_get(struct xarray *numbers, u32 num)
{
	struct mlx5_ib_qp *qp;
	unsigned long flags;

	xa_lock_irqsave(numbers, flags);
	qp = xa_load(numbers, num);
	if (qp)
		refcount_inc(&qp->refcount);
	xa_unlock_irqrestore(numbers, flags);
	return qp;
}

void mlx5_ib_qp_put(struct mlx5_ib_qp *qp)
{
	if (refcount_dec_and_test(&qp->refcount))
		complete(&qp->free);
}

struct mlx5_ib_qp *mlx5_ib_qp_of_cqe(struct mlx5_ib_dev *dev, u32 qpn)
{
	return xa_load(&dev->qps, qpn);
}
