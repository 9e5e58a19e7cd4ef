// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Questions about the device, and the numbers by which commands name what the driver has.
 */
#include "devx.h"

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_OTHER)(struct uverbs_attr_bundle *attrs)
{
	void *in = uverbs_attr_get_alloced_ptr(attrs, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN);
	int err;

	err = mlx5_ib_devx_prepare(attrs, in);
	if (err)
		return err;
	if (!mlx5_ib_devx_is_general(in))
		return -EINVAL;
	return mlx5_ib_devx_send(attrs, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN,
				 MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT);
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_QUERY_EQN)(struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_devx_context(attrs);
	struct mlx5_core_dev *mdev;
	int eqn, err;
	u32 vector;

	if (IS_ERR(context))
		return PTR_ERR(context);
	err = uverbs_copy_from(&vector, attrs, MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC);
	if (err)
		return err;
	mdev = to_mdev(context->ibucontext.device)->mdev;
	if (vector >= mlx5_comp_vectors_max(mdev))
		return -EINVAL;
	err = mlx5_comp_eqn_get(mdev, vector, &eqn);
	if (err)
		return err;
	return uverbs_copy_to(attrs, MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, sizeof(eqn));
}

/*
 * The device minds only doorbells that are rung on the page that the queue was made with: who names
 * another's page can't ring it, and lets the other ring.
 */
static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_QUERY_UAR)(struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_devx_context(attrs);
	u32 bfregn, uar_index;
	int err;

	if (IS_ERR(context))
		return PTR_ERR(context);
	err = uverbs_copy_from(&bfregn, attrs, MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX);
	if (!err)
		err = mlx5_ib_bfreg_uar(context, bfregn, &uar_index);
	if (err)
		return err;
	return uverbs_copy_to(attrs, MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX, &uar_index,
			      sizeof(uar_index));
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_OTHER,
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_OTHER_CMD_IN,
					       UVERBS_ATTR_MIN_SIZE(MLX5_IB_DEVX_MIN_IN),
					       UA_MANDATORY, UA_ALLOC_AND_COPY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT,
						UVERBS_ATTR_MIN_SIZE(MLX5_IB_DEVX_MIN_OUT),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_QUERY_EQN,
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC,
					       UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_QUERY_UAR,
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX,
					       UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

DECLARE_UVERBS_GLOBAL_METHODS(MLX5_IB_OBJECT_DEVX,
			      &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_OTHER),
			      &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_QUERY_EQN),
			      &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_QUERY_UAR));

const struct uapi_definition mlx5_ib_devx_other_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_DEVX,
				      UAPI_DEF_IS_OBJ_SUPPORTED(mlx5_ib_devx_supported)),
	{}
};
