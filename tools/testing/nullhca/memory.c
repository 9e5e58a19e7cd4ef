// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory regions and windows: keys for memory that nobody looks at. */

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

static struct ib_mr *reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access,
				 struct ib_udata *udata)
{
	struct nullhca_mr *mr;
	int ret = nullhca_pass(pd->device, NULLHCA_reg_user_mr);

	if (ret)
		return ERR_PTR(ret);
	mr = new_mr(pd->device, 0);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->umem = ib_umem_get(pd->device, start, length, access);
	if (IS_ERR(mr->umem)) {
		ret = PTR_ERR(mr->umem);
		kfree(mr);
		return ERR_PTR(ret);
	}
	return &mr->ib;
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

const struct ib_device_ops nullhca_memory_ops = {
	.get_dma_mr = get_dma_mr,
	.reg_user_mr = reg_user_mr,
	.alloc_mr = alloc_mr,
	.map_mr_sg = map_mr_sg,
	.dereg_mr = dereg_mr,
	.alloc_mw = alloc_mw,
	.dealloc_mw = dealloc_mw,
	INIT_RDMA_OBJ_SIZE(ib_mw, nullhca_mw, ib),
};
