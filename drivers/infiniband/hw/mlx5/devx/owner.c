// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Whether a command is about the object that the process has a handle of: its own, or one that was
 * made by verbs.
 */
#include <rdma/uverbs_std_types.h>

#include "devx.h"

static u64 id_of_srq(const struct mlx5_ib_srq *srq)
{
	u16 create = MLX5_CMD_OP_CREATE_RMP;

	if (srq->ibsrq.srq_type == IB_SRQT_XRC)
		create = MLX5_CMD_OP_CREATE_XRC_SRQ;
	else if (!to_mdev(srq->ibsrq.device)->mdev->issi)
		create = MLX5_CMD_OP_CREATE_SRQ;
	return mlx5_ib_devx_id(create, 0, srq->srqn);
}

/* A handle of an XRC target may be but a share in one. */
static u64 id_of_qp(struct ib_qp *ibqp)
{
	const struct mlx5_ib_qp *qp = to_mqp(ibqp->real_qp);

	return mlx5_ib_devx_id(qp->type == MLX5_IB_QPT_DCT ? MLX5_CMD_OP_CREATE_DCT :
							     MLX5_CMD_OP_CREATE_QP, 0, qp->qpn);
}

static bool is_of_object(const struct mlx5_ib_devx_object *object, u64 id)
{
	return id - object->id < object->range;
}

bool mlx5_ib_devx_is_about(struct ib_uobject *uobj, u64 id)
{
	if (!id)
		return false;
	switch (uobj_get_object_id(uobj)) {
	case UVERBS_OBJECT_CQ:
		return id == mlx5_ib_devx_id(MLX5_CMD_OP_CREATE_CQ, 0,
					     to_mcq(uobj->object)->mcq.cqn);
	case UVERBS_OBJECT_SRQ:
		return id == id_of_srq(to_msrq(uobj->object));
	case UVERBS_OBJECT_QP:
		return id == id_of_qp(uobj->object);
	case MLX5_IB_OBJECT_DEVX_OBJ:
		return is_of_object(uobj->object, id);
	default:
		return false;
	}
}
