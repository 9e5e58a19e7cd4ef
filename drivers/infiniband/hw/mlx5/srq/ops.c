// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ib_core and ib_uverbs know of shared receive queues of this driver.
 */
#include "srq.h"

/* They can't be resized. The limit is one for an event, given once. */
static int mlx5_ib_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr,
			      enum ib_srq_attr_mask attr_mask, struct ib_udata *udata)
{
	struct mlx5_ib_srq *srq = to_msrq(ibsrq);
	int err;

	if (attr_mask & IB_SRQ_MAX_WR)
		return -EINVAL;
	if (!(attr_mask & IB_SRQ_LIMIT))
		return 0;
	if (attr->srq_limit >= srq->count)
		return -EINVAL;
	mutex_lock(&srq->mutex);
	err = mlx5_ib_cmd_arm_srq(to_mdev(ibsrq->device)->mdev, srq, attr->srq_limit);
	mutex_unlock(&srq->mutex);
	return err;
}

static int mlx5_ib_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr)
{
	struct mlx5_ib_srq *srq = to_msrq(ibsrq);
	u16 limit;
	int err;

	err = mlx5_ib_cmd_query_srq(to_mdev(ibsrq->device)->mdev, srq, &limit);
	if (err)
		return err;
	attr->srq_limit = limit;
	attr->max_wr = srq->count - 1;
	attr->max_sge = srq->max_sge;
	return 0;
}

const struct ib_device_ops mlx5_ib_srq_ops = {
	.create_srq = mlx5_ib_create_srq,
	.destroy_srq = mlx5_ib_destroy_srq,
	.modify_srq = mlx5_ib_modify_srq,
	.post_srq_recv = mlx5_ib_post_srq_recv,
	.query_srq = mlx5_ib_query_srq,

	INIT_RDMA_OBJ_SIZE(ib_srq, mlx5_ib_srq, ibsrq),
};
