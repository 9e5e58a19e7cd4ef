// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Pages of the device, each with doorbells, that a process makes one by one.
 */
#include "device.h"

static void free_uar(struct mlx5_ib_dev *dev, struct mlx5_ib_mmap_entry *entry)
{
	struct mlx5_ib_ucontext *context = to_mucontext(entry->rdma_entry.ucontext);

	mlx5_ib_cmd_dealloc_uar(dev->mdev, context->devx_uid, entry->uar_index);
	kfree(entry);
}

static struct mlx5_ib_mmap_entry *alloc_uar(struct mlx5_ib_ucontext *context, bool write_combining)
{
	struct mlx5_ib_dev *dev = to_mdev(context->ibucontext.device);
	struct mlx5_ib_mmap_entry *entry;
	int err;

	entry = kzalloc(sizeof(*entry), GFP_KERNEL_ACCOUNT);
	if (!entry)
		return ERR_PTR(-ENOMEM);
	err = mlx5_ib_cmd_alloc_uar(dev->mdev, context->devx_uid, &entry->uar_index);
	if (err)
		goto free_entry;
	entry->address = mlx5_ib_uar_address(dev, entry->uar_index);
	entry->write_combining = write_combining;
	entry->free = free_uar;
	err = mlx5_ib_mmap_entry_insert(context, entry, PAGE_SIZE);
	if (!err)
		return entry;
	mlx5_ib_cmd_dealloc_uar(dev->mdev, context->devx_uid, entry->uar_index);
free_entry:
	kfree(entry);
	return ERR_PTR(err);
}

static int check_type(struct mlx5_ib_ucontext *context, enum mlx5_ib_uapi_uar_alloc_type type)
{
	switch (type) {
	case MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC:
		return 0;
	case MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF:
		return mlx5_wc_support_get(to_mdev(context->ibucontext.device)->mdev) ?
			       0 :
			       -EOPNOTSUPP;
	default:
		return -EOPNOTSUPP;
	}
}

static int tell(struct uverbs_attr_bundle *attrs, const struct mlx5_ib_mmap_entry *entry)
{
	u64 offset = mlx5_ib_mmap_offset(entry);
	u32 length = PAGE_SIZE;
	int err;

	err = uverbs_copy_to(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &offset,
			     sizeof(offset));
	if (!err)
		err = uverbs_copy_to(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, &entry->uar_index,
				     sizeof(entry->uar_index));
	if (!err)
		err = uverbs_copy_to(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, &length,
				     sizeof(length));
	return err;
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_UAR_OBJ_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
	struct ib_ucontext *ibcontext = ib_uverbs_get_ucontext(attrs);
	enum mlx5_ib_uapi_uar_alloc_type type;
	struct mlx5_ib_mmap_entry *entry;
	int err;

	if (IS_ERR(ibcontext))
		return PTR_ERR(ibcontext);
	err = uverbs_get_const(&type, attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE);
	if (!err)
		err = check_type(to_mucontext(ibcontext), type);
	if (err)
		return err;
	entry = alloc_uar(to_mucontext(ibcontext), type == MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF);
	if (IS_ERR(entry))
		return PTR_ERR(entry);
	uobj->object = entry;
	uverbs_finalize_uobj_create(attrs, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
	return tell(attrs, entry);
}

/* It can't be mapped any more; it goes when nobody has it mapped. */
static int remove_uar(struct ib_uobject *uobj, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_mmap_entry *entry = uobj->object;

	rdma_user_mmap_entry_remove(&entry->rdma_entry);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_UAR_OBJ_ALLOC,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, MLX5_IB_OBJECT_UAR,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE,
						 enum mlx5_ib_uapi_uar_alloc_type, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET,
						UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(MLX5_IB_METHOD_UAR_OBJ_DESTROY,
				    UVERBS_ATTR_IDR(MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE,
						    MLX5_IB_OBJECT_UAR, UVERBS_ACCESS_DESTROY,
						    UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_UAR, UVERBS_TYPE_ALLOC_IDR(remove_uar),
			    &UVERBS_METHOD(MLX5_IB_METHOD_UAR_OBJ_ALLOC),
			    &UVERBS_METHOD(MLX5_IB_METHOD_UAR_OBJ_DESTROY));

const struct uapi_definition mlx5_ib_uar_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_UAR),
	{}
};
