// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* User contexts, each with a page that can be mapped; PDs and XRC domains, which are but names. */

#include <linux/mm.h>
#include <rdma/uverbs_ioctl.h>

#include "nullhca.h"

/* The response, if there's room for it, is the offset at which the page can be mapped. */
static int alloc_ucontext(struct ib_ucontext *ib, struct ib_udata *udata)
{
	struct nullhca_context *context = to_context(ib);
	u64 offset;
	int ret = nullhca_pass(ib->device, NULLHCA_alloc_ucontext);

	if (ret)
		return ret;
	context->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!context->page)
		return -ENOMEM;
	ret = rdma_user_mmap_entry_insert(ib, &context->entry, PAGE_SIZE);
	if (ret)
		goto free_page;
	offset = rdma_user_mmap_get_offset(&context->entry);
	if (udata->outlen >= sizeof(offset))
		ret = ib_copy_to_udata(udata, &offset, sizeof(offset));
	if (!ret)
		return 0;
	rdma_user_mmap_entry_remove(&context->entry);
	return ret;

free_page:
	__free_page(context->page);
	return ret;
}

/* The page goes with the last mapping of it. */
static void mmap_free(struct rdma_user_mmap_entry *entry)
{
	__free_page(container_of(entry, struct nullhca_context, entry)->page);
}

static void dealloc_ucontext(struct ib_ucontext *ib)
{
	rdma_user_mmap_entry_remove(&to_context(ib)->entry);
}

static void disassociate_ucontext(struct ib_ucontext *ib)
{
}

static int map_page(struct ib_ucontext *ib, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry;
	int ret = nullhca_pass(ib->device, NULLHCA_mmap);

	if (ret)
		return ret;
	entry = rdma_user_mmap_entry_get(ib, vma);
	if (!entry)
		return -EINVAL;
	ret = rdma_user_mmap_io(ib, vma, page_to_pfn(to_context(ib)->page), PAGE_SIZE,
				vma->vm_page_prot, entry);
	rdma_user_mmap_entry_put(entry);
	return ret;
}

static int alloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	return nullhca_pass(ib->device, NULLHCA_alloc_pd);
}

static int dealloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	return nullhca_pass(ib->device, NULLHCA_dealloc_pd);
}

static int alloc_xrcd(struct ib_xrcd *ib, struct ib_udata *udata)
{
	return nullhca_pass(ib->device, NULLHCA_alloc_xrcd);
}

static int dealloc_xrcd(struct ib_xrcd *ib, struct ib_udata *udata)
{
	return nullhca_pass(ib->device, NULLHCA_dealloc_xrcd);
}

const struct ib_device_ops nullhca_context_ops = {
	.alloc_ucontext = alloc_ucontext,
	.dealloc_ucontext = dealloc_ucontext,
	.disassociate_ucontext = disassociate_ucontext,
	.mmap = map_page,
	.mmap_free = mmap_free,
	.alloc_pd = alloc_pd,
	.dealloc_pd = dealloc_pd,
	.alloc_xrcd = alloc_xrcd,
	.dealloc_xrcd = dealloc_xrcd,
	INIT_RDMA_OBJ_SIZE(ib_ucontext, nullhca_context, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, nullhca_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_xrcd, nullhca_xrcd, ib),
};
