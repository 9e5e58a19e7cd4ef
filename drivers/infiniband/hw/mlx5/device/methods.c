// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What libmlx5 asks beyond verbs: a protection domain's number, the context once more for a process
 * that imports it, how a port is seen from an embedded switch; and all definitions of the driver in
 * one chain.
 */
#include "device.h"

static int UVERBS_HANDLER(MLX5_IB_METHOD_PD_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_pd *ibpd = uverbs_attr_get_obj(attrs, MLX5_IB_ATTR_QUERY_PD_HANDLE);

	return uverbs_copy_to(attrs, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &to_mpd(ibpd)->pdn,
			      sizeof(u32));
}

#define CONTEXT_RESPONSE struct mlx5_ib_alloc_ucontext_resp

/* There's no switch behind an InfiniBand port, so nothing is known but that the port is there. */
static int UVERBS_HANDLER(MLX5_IB_METHOD_QUERY_PORT)(struct uverbs_attr_bundle *attrs)
{
	struct ib_ucontext *ibcontext = ib_uverbs_get_ucontext(attrs);
	struct mlx5_ib_uapi_query_port info = {};
	u32 port_num;
	int err;

	if (IS_ERR(ibcontext))
		return PTR_ERR(ibcontext);
	err = uverbs_copy_from(&port_num, attrs, MLX5_IB_ATTR_QUERY_PORT_PORT_NUM);
	if (err)
		return err;
	if (!rdma_is_port_valid(ibcontext->device, port_num))
		return -EINVAL;
	return uverbs_copy_to_struct_or_zero(attrs, MLX5_IB_ATTR_QUERY_PORT, &info, sizeof(info));
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_PD_QUERY,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_QUERY_PD_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_QUERY_PD_RESP_PDN,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_QUERY_PORT,
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_QUERY_PORT_PORT_NUM,
					       UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_QUERY_PORT,
						UVERBS_ATTR_STRUCT(struct mlx5_ib_uapi_query_port,
								   reg_c0),
						UA_MANDATORY));

ADD_UVERBS_METHODS(mlx5_ib_pd_methods, UVERBS_OBJECT_PD,
		   &UVERBS_METHOD(MLX5_IB_METHOD_PD_QUERY));

ADD_UVERBS_METHODS(mlx5_ib_device_methods, UVERBS_OBJECT_DEVICE,
		   &UVERBS_METHOD(MLX5_IB_METHOD_QUERY_PORT));

ADD_UVERBS_ATTRIBUTES_SIMPLE(mlx5_ib_query_context_attrs, UVERBS_OBJECT_DEVICE,
			     UVERBS_METHOD_QUERY_CONTEXT,
			     UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX,
						 UVERBS_ATTR_STRUCT(CONTEXT_RESPONSE,
								    dump_fill_mkey),
						 UA_MANDATORY));

const struct uapi_definition mlx5_ib_device_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_PD, &mlx5_ib_pd_methods),
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_DEVICE, &mlx5_ib_device_methods),
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_DEVICE, &mlx5_ib_query_context_attrs),
	UAPI_DEF_CHAIN(mlx5_ib_uar_defs),
	UAPI_DEF_CHAIN(mlx5_ib_cq_defs),
	UAPI_DEF_CHAIN(mlx5_ib_qp_defs),
	UAPI_DEF_CHAIN(mlx5_ib_mr_defs),
	UAPI_DEF_CHAIN(mlx5_ib_devx_defs),
	{}
};
