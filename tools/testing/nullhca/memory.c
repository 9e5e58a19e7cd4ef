// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory regions and windows, also of device memory: keys for memory that nobody looks at. */

#include <linux/slab.h>
#include <rdma/ib_umem.h>

#include "nullhca.h"

static struct nullhca_mr *new_mr(struct ib_device *ib, u32 max_pages)
{
	struct nullhca_mr *mr = kzalloc(struct_size(mr, page, max_pages), GFP_KERNEL);

	if (!mr)
		return NULL;
	mr->max_pages = max_pages;
	mr->ib.lkey = atomic_inc_return(&to_nullhca(ib)->next_key);
	mr->ib.rkey = mr->ib.lkey;
	return mr;
}

static struct ib_mr *get_dma_mr(struct ib_pd *pd, int access)
{
	struct nullhca_mr *mr;
	int ret = nullhca_pass(pd->device, NULLHCA_get_dma_mr);

	if (ret)
		return ERR_PTR(ret);
	mr = new_mr(pd->device, 0);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->ib.lkey = NULLHCA_DMA_LKEY;
	mr->ib.rkey = NULLHCA_DMA_LKEY;
	return &mr->ib;
}

static struct ib_mr *pin(struct ib_device *ib, u64 start, u64 length, int access)
{
	struct nullhca_mr *mr = new_mr(ib, 0);
	int ret;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->access = access;
	mr->umem = ib_umem_get(ib, start, length, access);
	if (!IS_ERR(mr->umem))
		return &mr->ib;
	ret = PTR_ERR(mr->umem);
	kfree(mr);
	return ERR_PTR(ret);
}

static struct ib_mr *reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access,
				 struct ib_udata *udata)
{
	int ret = nullhca_pass(pd->device, NULLHCA_reg_user_mr);

	return ret ? ERR_PTR(ret) : pin(pd->device, start, length, access);
}

/* Other memory is another region; domain and rights change in place. */
static struct ib_mr *rereg_user_mr(struct ib_mr *ib, int flags, u64 start, u64 length, u64 iova,
				   int access, struct ib_pd *pd, struct ib_udata *udata)
{
	struct nullhca_mr *mr = to_mr(ib);
	int ret = nullhca_pass(ib->device, NULLHCA_rereg_user_mr);

	if (ret)
		return ERR_PTR(ret);
	if (!(flags & IB_MR_REREG_ACCESS))
		access = mr->access;
	if (flags & IB_MR_REREG_TRANS)
		return pin(ib->device, start, length, access);
	ret = ib_umem_check_rereg(mr->umem, flags, access);
	if (ret)
		return ERR_PTR(ret);
	mr->access = access;
	return NULL;
}

static struct ib_mr *alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_pages)
{
	struct nullhca_mr *mr;
	int ret = nullhca_pass(pd->device, NULLHCA_alloc_mr);

	if (ret)
		return ERR_PTR(ret);
	if (type != IB_MR_TYPE_MEM_REG)
		return ERR_PTR(-EOPNOTSUPP);
	if (max_pages > NULLHCA_MAX_MR_PAGES)
		return ERR_PTR(-EINVAL);
	mr = new_mr(pd->device, max_pages);
	return mr ? &mr->ib : ERR_PTR(-ENOMEM);
}

static int add_page(struct ib_mr *ib, u64 address)
{
	struct nullhca_mr *mr = to_mr(ib);

	if (mr->pages == mr->max_pages)
		return -ENOMEM;
	mr->page[mr->pages++] = address;
	return 0;
}

static int map_mr_sg(struct ib_mr *ib, struct scatterlist *sg, int entries, unsigned int *offset)
{
	int ret = nullhca_pass(ib->device, NULLHCA_map_mr_sg);

	if (ret)
		return ret;
	to_mr(ib)->pages = 0;
	return ib_sg_to_pages(ib, sg, entries, offset, add_page);
}

static int dereg_mr(struct ib_mr *ib, struct ib_udata *udata)
{
	struct nullhca_mr *mr = to_mr(ib);
	int ret = nullhca_pass(ib->device, NULLHCA_dereg_mr);

	if (ret)
		return ret;
	ib_umem_release(mr->umem);
	kfree(mr);
	return 0;
}

static int alloc_mw(struct ib_mw *mw, struct ib_udata *udata)
{
	int ret = nullhca_pass(mw->device, NULLHCA_alloc_mw);

	if (!ret)
		mw->rkey = atomic_inc_return(&to_nullhca(mw->device)->next_key);
	return ret;
}

static int dealloc_mw(struct ib_mw *mw)
{
	return nullhca_pass(mw->device, NULLHCA_dealloc_mw);
}

static struct ib_dm *alloc_dm(struct ib_device *ib, struct ib_ucontext *context,
			      struct ib_dm_alloc_attr *attr, struct uverbs_attr_bundle *attrs)
{
	struct ib_dm *dm;
	int ret = nullhca_pass(ib, NULLHCA_alloc_dm);

	if (ret)
		return ERR_PTR(ret);
	dm = kzalloc(sizeof(*dm), GFP_KERNEL);
	return dm ?: ERR_PTR(-ENOMEM);
}

static int dealloc_dm(struct ib_dm *dm, struct uverbs_attr_bundle *attrs)
{
	int ret = nullhca_pass(dm->device, NULLHCA_dealloc_dm);

	if (!ret)
		kfree(dm);
	return ret;
}

static struct ib_mr *reg_dm_mr(struct ib_pd *pd, struct ib_dm *dm, struct ib_dm_mr_attr *attr,
			       struct uverbs_attr_bundle *attrs)
{
	struct nullhca_mr *mr;
	int ret = nullhca_pass(pd->device, NULLHCA_reg_dm_mr);

	if (ret)
		return ERR_PTR(ret);
	mr = new_mr(pd->device, 0);
	return mr ? &mr->ib : ERR_PTR(-ENOMEM);
}

const struct ib_device_ops nullhca_memory_ops = {
	.get_dma_mr = get_dma_mr,
	.reg_user_mr = reg_user_mr,
	.rereg_user_mr = rereg_user_mr,
	.alloc_mr = alloc_mr,
	.map_mr_sg = map_mr_sg,
	.dereg_mr = dereg_mr,
	.alloc_mw = alloc_mw,
	.dealloc_mw = dealloc_mw,
	.alloc_dm = alloc_dm,
	.dealloc_dm = dealloc_dm,
	.reg_dm_mr = reg_dm_mr,
	INIT_RDMA_OBJ_SIZE(ib_mw, nullhca_mw, ib),
};
