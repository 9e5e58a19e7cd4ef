// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * DC's types, which processes may also ask for by number: Documentation/infiniband/dc.rst.
 */
#include "qp.h"
#include <rdma_kmod/uverbs_qp_types.h>

DECLARE_UVERBS_QP_TYPES(mlx5_ib_dc_types,
			UVERBS_QP_TYPE(MLX5_IB_QPT_DCI),
			UVERBS_QP_TYPE(MLX5_IB_QPT_DCT));

const struct uapi_definition mlx5_ib_qp_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_QP, &mlx5_ib_dc_types),
	{},
};
