// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Entries of the device's table of rates at which queues send, where it has one for processes.
 */
#include "devx.h"

#define RATE_SIZE MLX5_ST_SZ_BYTES(set_pp_rate_limit_context)

/**
 * struct entry - of the table
 * @mdev: whose it is
 * @index: its number
 */
struct entry {
	struct mlx5_core_dev *mdev;
	u16 index;
};

static bool supported(struct ib_device *ibdev)
{
	struct mlx5_core_dev *mdev = to_mdev(ibdev)->mdev;

	return MLX5_CAP_GEN(mdev, qos) && MLX5_CAP_QOS(mdev, packet_pacing) &&
	       MLX5_CAP_QOS(mdev, packet_pacing_uid);
}

static int add(struct entry *entry, u16 uid, struct uverbs_attr_bundle *attrs)
{
	u8 rate[RATE_SIZE] = {};
	bool dedicated;
	u32 flags;
	int err;

	err = uverbs_get_flags32(&flags, attrs, MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS,
				 MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX);
	if (err)
		return err;
	memcpy(rate, uverbs_attr_get_alloced_ptr(attrs, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX),
	       uverbs_attr_get_len(attrs, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX));
	dedicated = flags & MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX;
	return mlx5_rl_add_rate_raw(entry->mdev, rate, dedicated ? uid : MLX5_SHARED_RESOURCE_UID,
				    dedicated, &entry->index);
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_PP_OBJ_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE);
	struct mlx5_ib_ucontext *context = to_mucontext(uobj->context);
	struct entry *entry;
	int err;

	if (!context->devx_uid)
		return -EINVAL;
	entry = kzalloc(sizeof(*entry), GFP_KERNEL_ACCOUNT);
	if (!entry)
		return -ENOMEM;
	entry->mdev = to_mdev(uobj->context->device)->mdev;
	err = add(entry, context->devx_uid, attrs);
	if (err) {
		kfree(entry);
		return err;
	}
	uobj->object = entry;
	uverbs_finalize_uobj_create(attrs, MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE);
	return uverbs_copy_to(attrs, MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX, &entry->index,
			      sizeof(entry->index));
}

static int destroy_entry(struct ib_uobject *uobj, enum rdma_remove_reason why,
			 struct uverbs_attr_bundle *attrs)
{
	struct entry *entry = uobj->object;

	mlx5_rl_remove_rate_raw(entry->mdev, entry->index);
	kfree(entry);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_PP_OBJ_ALLOC,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE, MLX5_IB_OBJECT_PP,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX,
					       UVERBS_ATTR_SIZE(1, RATE_SIZE), UA_MANDATORY,
					       UA_ALLOC_AND_COPY),
			    UVERBS_ATTR_FLAGS_IN(MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS,
						 enum mlx5_ib_uapi_pp_alloc_flags, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX,
						UVERBS_ATTR_TYPE(u16), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(MLX5_IB_METHOD_PP_OBJ_DESTROY,
				    UVERBS_ATTR_IDR(MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE,
						    MLX5_IB_OBJECT_PP, UVERBS_ACCESS_DESTROY,
						    UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_PP, UVERBS_TYPE_ALLOC_IDR(destroy_entry),
			    &UVERBS_METHOD(MLX5_IB_METHOD_PP_OBJ_ALLOC),
			    &UVERBS_METHOD(MLX5_IB_METHOD_PP_OBJ_DESTROY));

const struct uapi_definition mlx5_ib_devx_pp_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_PP, UAPI_DEF_IS_OBJ_SUPPORTED(supported)),
	{}
};
