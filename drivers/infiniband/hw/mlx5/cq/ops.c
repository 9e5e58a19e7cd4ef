// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ib_core and ib_uverbs know of completion queues of this driver.
 */
#include "cq.h"

const struct ib_device_ops mlx5_ib_cq_ops = {
	.create_cq = mlx5_ib_create_cq,
	.destroy_cq = mlx5_ib_destroy_cq,
	.modify_cq = mlx5_ib_modify_cq,
	.poll_cq = mlx5_ib_poll_cq,
	.req_notify_cq = mlx5_ib_arm_cq,
	.resize_cq = mlx5_ib_resize_cq,

	INIT_RDMA_OBJ_SIZE(ib_cq, mlx5_ib_cq, ibcq),
};

ADD_UVERBS_ATTRIBUTES_SIMPLE(mlx5_ib_cq_create_attrs,
			     UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE,
			     UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX,
						UVERBS_ATTR_TYPE(u32),
						UA_OPTIONAL));

const struct uapi_definition mlx5_ib_cq_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_CQ, &mlx5_ib_cq_create_attrs),
	{}
};
