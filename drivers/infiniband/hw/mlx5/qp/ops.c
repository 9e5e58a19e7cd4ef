// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ib_core and ib_uverbs know of queue pairs of this driver.
 */
#include "qp.h"

const struct ib_device_ops mlx5_ib_qp_ops = {
	.create_qp = mlx5_ib_create_qp,
	.destroy_qp = mlx5_ib_destroy_qp,
	.drain_rq = mlx5_ib_drain_rq,
	.drain_sq = mlx5_ib_drain_sq,
	.modify_qp = mlx5_ib_modify_qp,
	.query_qp = mlx5_ib_query_qp,

	INIT_RDMA_OBJ_SIZE(ib_qp, mlx5_ib_qp, ibqp),
};
