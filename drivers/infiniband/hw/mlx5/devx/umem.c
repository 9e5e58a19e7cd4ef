// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory that a process registers for the queues and keys which it makes by commands of its own.
 */
#include "devx.h"

#define PAGE_READABLE BIT(0)
#define PAGE_WRITABLE BIT(1)

#define KNOWN_ACCESS (IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
		      IB_ACCESS_RELAXED_ORDERING)

/**
 * struct registration - registered memory
 * @dev: the adapter
 * @umem: its pages
 * @access: IB_ACCESS_*
 * @uid: under which it's registered
 * @id: the firmware's number of it
 */
struct registration {
	struct mlx5_ib_dev *dev;
	struct ib_umem *umem;
	u32 access;
	u16 uid;
	u32 id;
};

static int create_umem(struct mlx5_core_dev *mdev, void *in, size_t inlen, u32 *id)
{
	u32 out[MLX5_ST_SZ_DW(create_umem_out)] = {};
	int err;

	MLX5_SET(create_umem_in, in, opcode, MLX5_CMD_OP_CREATE_UMEM);
	err = mlx5_cmd_exec(mdev, in, inlen, out, sizeof(out));
	*id = MLX5_GET(create_umem_out, out, umem_id);
	return err;
}

static int destroy_umem(struct mlx5_core_dev *mdev, u16 uid, u32 id)
{
	u32 in[MLX5_ST_SZ_DW(destroy_umem_in)] = {};

	MLX5_SET(destroy_umem_in, in, opcode, MLX5_CMD_OP_DESTROY_UMEM);
	MLX5_SET(destroy_umem_in, in, uid, uid);
	MLX5_SET(destroy_umem_in, in, umem_id, id);
	return mlx5_cmd_exec_in(mdev, destroy_umem, in);
}

static struct ib_umem *pin_dmabuf(struct ib_device *ibdev, u64 offset, size_t length, u32 access,
				  struct uverbs_attr_bundle *attrs)
{
	struct ib_umem_dmabuf *dmabuf;
	int fd, err;

	err = uverbs_get_raw_fd(&fd, attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD);
	if (err)
		return ERR_PTR(err);
	dmabuf = ib_umem_dmabuf_get_pinned(ibdev, offset, length, fd, access);
	return IS_ERR(dmabuf) ? ERR_CAST(dmabuf) : &dmabuf->umem;
}

static struct ib_umem *pin(struct ib_device *ibdev, u32 access, struct uverbs_attr_bundle *attrs)
{
	u64 address, length;
	int err;

	err = uverbs_copy_from(&address, attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR);
	if (!err)
		err = uverbs_copy_from(&length, attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_LEN);
	if (!err)
		err = ib_check_mr_access(ibdev, access);
	if (!err && length > SIZE_MAX)
		err = -EINVAL;
	if (err)
		return ERR_PTR(err);
	if (uverbs_attr_is_valid(attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD))
		return pin_dmabuf(ibdev, address, length, access, attrs);
	return ib_umem_get(ibdev, address, length, access);
}

/*
 * The largest page that the process allows for: its objects' offsets are aligned to that. One
 * larger than the CPU's has to be all the process's: then there's no offset, and it ends with the
 * memory.
 */
static unsigned long page_size_of(struct ib_umem *umem, u64 sizes)
{
	unsigned int largest = max(order_base_2(umem->length), PAGE_SHIFT);
	unsigned long size;

	sizes &= GENMASK_ULL(largest, MLX5_ADAPTER_PAGE_SHIFT);
	if (!sizes)
		return 0;
	size = ib_umem_find_best_pgoff(umem, sizes, U64_MAX);
	while (size > PAGE_SIZE &&
	       (ib_umem_dma_offset(umem, size) || !IS_ALIGNED(umem->length, size)))
		size /= 2;
	return size;
}

/* Devices ask the host's IOMMU for the way by themselves, if the order of writes doesn't matter. */
static bool needs_ats(const struct registration *registration)
{
	return MLX5_CAP_GEN(registration->dev->mdev, ats) && !registration->umem->is_dmabuf &&
	       registration->access & IB_ACCESS_RELAXED_ORDERING;
}

static int describe(struct registration *registration, struct uverbs_attr_bundle *attrs,
		    unsigned long page_size)
{
	struct ib_umem *umem = registration->umem;
	size_t pages = ib_umem_num_dma_blocks(umem, page_size);
	size_t inlen = MLX5_ST_SZ_BYTES(create_umem_in) + MLX5_ST_SZ_BYTES(mtt) * pages;
	void *in, *context;

	if (inlen > INT_MAX)
		return -EINVAL;
	in = uverbs_zalloc(attrs, inlen);
	if (IS_ERR(in))
		return PTR_ERR(in);
	MLX5_SET(create_umem_in, in, uid, registration->uid);
	context = MLX5_ADDR_OF(create_umem_in, in, umem);
	MLX5_SET(umem, context, ats, needs_ats(registration));
	MLX5_SET(umem, context, log_page_size, ilog2(page_size) - MLX5_ADAPTER_PAGE_SHIFT);
	MLX5_SET(umem, context, page_offset, ib_umem_dma_offset(umem, page_size));
	MLX5_SET64(umem, context, num_of_mtt, pages);
	mlx5_ib_umem_pages(umem, page_size, (__be64 *)MLX5_ADDR_OF(umem, context, mtt),
			   PAGE_READABLE | (umem->writable ? PAGE_WRITABLE : 0));
	return create_umem(registration->dev->mdev, in, inlen, &registration->id);
}

static int reg(struct registration *registration, struct uverbs_attr_bundle *attrs)
{
	unsigned long page_size;
	u64 sizes;
	int err;

	err = uverbs_get_const_default(&sizes, attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP,
				       GENMASK_ULL(63, min(PAGE_SHIFT, MLX5_ADAPTER_PAGE_SHIFT)));
	if (err)
		return err;
	registration->umem = pin(&registration->dev->ib_dev, registration->access, attrs);
	if (IS_ERR(registration->umem))
		return PTR_ERR(registration->umem);
	page_size = page_size_of(registration->umem, sizes);
	err = page_size ? describe(registration, attrs, page_size) : -EINVAL;
	if (err)
		ib_umem_release(registration->umem);
	return err;
}

static int UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_UMEM_REG)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE);
	struct mlx5_ib_ucontext *context = to_mucontext(uobj->context);
	struct registration *registration;
	u32 access;
	int err;

	if (!context->devx_uid)
		return -EINVAL;
	err = uverbs_get_flags32(&access, attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS, KNOWN_ACCESS);
	if (err)
		return err;
	registration = kzalloc(sizeof(*registration), GFP_KERNEL_ACCOUNT);
	if (!registration)
		return -ENOMEM;
	registration->dev = to_mdev(uobj->context->device);
	registration->uid = context->devx_uid;
	registration->access = access;
	err = reg(registration, attrs);
	if (err) {
		kfree(registration);
		return err;
	}
	uobj->object = registration;
	uverbs_finalize_uobj_create(attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE);
	return uverbs_copy_to(attrs, MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, &registration->id,
			      sizeof(registration->id));
}

static int dereg(struct ib_uobject *uobj, enum rdma_remove_reason why,
		 struct uverbs_attr_bundle *attrs)
{
	struct registration *registration = uobj->object;
	int err;

	err = destroy_umem(registration->dev->mdev, registration->uid, registration->id);
	if (err)
		return err;
	ib_umem_release(registration->umem);
	kfree(registration);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_UMEM_REG,
			    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE,
					    MLX5_IB_OBJECT_DEVX_UMEM, UVERBS_ACCESS_NEW,
					    UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_LEN,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_RAW_FD(MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD, UA_OPTIONAL),
			    UVERBS_ATTR_FLAGS_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS,
						 enum ib_access_flags),
			    UVERBS_ATTR_CONST_IN(MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP, u64),
			    UVERBS_ATTR_PTR_OUT(MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(MLX5_IB_METHOD_DEVX_UMEM_DEREG,
				    UVERBS_ATTR_IDR(MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE,
						    MLX5_IB_OBJECT_DEVX_UMEM,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_DEVX_UMEM, UVERBS_TYPE_ALLOC_IDR(dereg),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_UMEM_REG),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_UMEM_DEREG));

const struct uapi_definition mlx5_ib_devx_umem_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_DEVX_UMEM,
				      UAPI_DEF_IS_OBJ_SUPPORTED(mlx5_ib_devx_supported)),
	{}
};
