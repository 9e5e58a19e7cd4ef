// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Doorbells of virtio queues that the device emulates: a part of its bar, handed out by pieces.
 */
#include "devx.h"

#define BAR_UNIT 4096

static u64 stride(struct mlx5_core_dev *mdev)
{
	return BIT_ULL(MLX5_CAP_DEV_VDPA_EMULATION(mdev, log_doorbell_stride));
}

static u64 count(struct mlx5_core_dev *mdev)
{
	u64 size = BAR_UNIT * BIT_ULL(MLX5_CAP_DEV_VDPA_EMULATION(mdev, log_doorbell_bar_size));

	return min_t(u64, size >> MLX5_CAP_DEV_VDPA_EMULATION(mdev, log_doorbell_stride), INT_MAX);
}

/* Pages of the CPU's that have but one piece in them. */
static bool supported(struct ib_device *ibdev)
{
	struct mlx5_core_dev *mdev = to_mdev(ibdev)->mdev;

	return mlx5_ib_devx_supported(ibdev) &&
	       MLX5_CAP_GEN_64(mdev, general_obj_types) & MLX5_GENERAL_OBJ_TYPES_CAP_VIRTIO_NET_Q &&
	       stride(mdev) >= PAGE_SIZE && stride(mdev) <= SZ_1G && count(mdev);
}

static void free_piece(struct mlx5_ib_dev *dev, struct mlx5_ib_mmap_entry *entry)
{
	ida_free(&dev->devx->vars, entry->uar_index);
	kfree(entry);
}

static int take(struct mlx5_ib_dev *dev, struct mlx5_ib_mmap_entry *entry)
{
	struct mlx5_core_dev *mdev = dev->mdev;
	int number = ida_alloc_max(&dev->devx->vars, count(mdev) - 1, GFP_KERNEL);

	if (number < 0)
		return number;
	entry->uar_index = number;
	entry->address = mdev->bar_addr + number * stride(mdev) +
			 MLX5_CAP64_DEV_VDPA_EMULATION(mdev, doorbell_bar_offset);
	entry->free = free_piece;
	return 0;
}

static struct mlx5_ib_mmap_entry *alloc_piece(struct mlx5_ib_ucontext *context)
{
	struct mlx5_ib_dev *dev = to_mdev(context->ibucontext.device);
	struct mlx5_ib_mmap_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL_ACCOUNT);
	int err;

	if (!entry)
		return ERR_PTR(-ENOMEM);
	err = take(dev, entry);
	if (err) {
		kfree(entry);
		return ERR_PTR(err);
	}
	err = mlx5_ib_mmap_entry_insert(context, entry, stride(dev->mdev));
	if (err) {
		free_piece(dev, entry);
		return ERR_PTR(err);
	}
	return entry;
}

static int tell(struct uverbs_attr_bundle *attrs, const struct mlx5_ib_mmap_entry *entry)
{
	u32 length = entry->rdma_entry.npages * PAGE_SIZE;
	u64 offset = mlx5_ib_mmap_offset(entry);
	int err;

	err = uverbs_copy_to(attrs, MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET, &offset,
			     sizeof(offset));
	if (!err)
		err = uverbs_copy_to(attrs, MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH, &length,
				     sizeof(length));
	if (!err)
		err = uverbs_copy_to(attrs, MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID, &entry->uar_index,
				     sizeof(entry->uar_index));
	return err;
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_VAR_OBJ_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE);
	struct mlx5_ib_mmap_entry *entry = alloc_piece(to_mucontext(uobj->context));

	if (IS_ERR(entry))
		return PTR_ERR(entry);
	uobj->object = entry;
	uverbs_finalize_uobj_create(attrs, MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE);
	return tell(attrs, entry);
}

/* It can't be mapped any more; it's another's when nobody has it mapped. */
static int remove_piece(struct ib_uobject *uobj, enum rdma_remove_reason why,
			struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_mmap_entry *entry = uobj->object;

	rdma_user_mmap_entry_remove(&entry->rdma_entry);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_VAR_OBJ_ALLOC,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE, MLX5_IB_OBJECT_VAR,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET,
						UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(MLX5_IB_METHOD_VAR_OBJ_DESTROY,
				    UVERBS_ATTR_IDR(MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE,
						    MLX5_IB_OBJECT_VAR, UVERBS_ACCESS_DESTROY,
						    UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_VAR, UVERBS_TYPE_ALLOC_IDR(remove_piece),
			    &UVERBS_METHOD(MLX5_IB_METHOD_VAR_OBJ_ALLOC),
			    &UVERBS_METHOD(MLX5_IB_METHOD_VAR_OBJ_DESTROY));

const struct uapi_definition mlx5_ib_devx_var_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_VAR, UAPI_DEF_IS_OBJ_SUPPORTED(supported)),
	{}
};
