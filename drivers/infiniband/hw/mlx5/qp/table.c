// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs by the device's numbers, and what else a device has of them.
 */
#include "qp.h"

void mlx5_ib_qp_table_init(struct mlx5_ib_dev *dev)
{
	mlx5_ib_numbers_init(&dev->qps);
	mlx5_ib_numbers_init(&dev->dcts);
	spin_lock_init(&dev->kernel_qps_lock);
	INIT_LIST_HEAD(&dev->kernel_qps);
	mutex_init(&dev->gsi_lock);
}

void mlx5_ib_qp_table_cleanup(struct mlx5_ib_dev *dev)
{
	xa_destroy(&dev->qps);
	xa_destroy(&dev->dcts);
}

struct mlx5_ib_qp *mlx5_ib_qp_get(struct mlx5_ib_dev *dev, u32 qpn)
{
	struct mlx5_ib_numbered *found = mlx5_ib_number_get(&dev->qps, qpn);

	return found ? container_of(found, struct mlx5_ib_qp, numbered) : NULL;
}

void mlx5_ib_qp_put(struct mlx5_ib_qp *qp)
{
	mlx5_ib_number_put(&qp->numbered);
}

/*
 * Without the table's lock, which all who poll would share. A queue pair of the kernel is taken out
 * of the table with the locks of its CQs held, of which the caller has one: so what's found stays.
 * An XRC target has no CQ; its consumer, who is told of it in the completion, doesn't destroy it
 * while polling for it.
 */
struct mlx5_ib_qp *mlx5_ib_qp_of_cqe(struct mlx5_ib_dev *dev, u32 qpn)
{
	struct mlx5_ib_numbered *found = xa_load(&dev->qps, qpn);

	return found ? container_of(found, struct mlx5_ib_qp, numbered) : NULL;
}
