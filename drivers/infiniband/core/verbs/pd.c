// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Protection domains (IBTA 10.2.3). */

#include <linux/slab.h>

#include "verbs.h"

/* Of the MR, over all memory, that a kernel PD needs to have. 0: none. */
static int dma_mr_access(const struct ib_pd *pd)
{
	int access = 0;

	if (!(pd->device->attrs.kernel_cap_flags & IBK_LOCAL_DMA_LKEY))
		access |= IB_ACCESS_LOCAL_WRITE;
	if (pd->flags & IB_PD_UNSAFE_GLOBAL_RKEY)
		access |= IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_WRITE;
	return access;
}

/* The keys that the kernel's users of the PD take for DMA addresses. */
static int set_dma_keys(struct ib_pd *pd)
{
	int access = dma_mr_access(pd);
	struct ib_mr *mr;

	pd->local_dma_lkey = pd->device->local_dma_lkey;
	if (!access)
		return 0;

	mr = pd->device->ops.get_dma_mr(pd, access);
	if (IS_ERR(mr))
		return PTR_ERR(mr);
	mr->device = pd->device;
	mr->pd = pd;
	mr->type = IB_MR_TYPE_DMA;
	mr->uobject = NULL;
	mr->need_inval = false;

	pd->__internal_mr = mr;
	if (access & IB_ACCESS_LOCAL_WRITE)
		pd->local_dma_lkey = mr->lkey;
	if (pd->flags & IB_PD_UNSAFE_GLOBAL_RKEY)
		pd->unsafe_global_rkey = mr->rkey;
	return 0;
}

static struct ib_pd *new_pd(struct ib_device *device, unsigned int flags, const char *caller)
{
	struct ib_pd *pd = rdma_zalloc_drv_obj(device, ib_pd);

	if (!pd)
		return NULL;
	pd->device = device;
	pd->flags = flags;
	rdma_restrack_new(&pd->res, RDMA_RESTRACK_PD);
	rdma_restrack_set_name(&pd->res, caller);
	return pd;
}

static void free_new_pd(struct ib_pd *pd)
{
	rdma_restrack_put(&pd->res);
	kfree(pd);
}

/**
 * __ib_alloc_pd - allocate a PD for the kernel; called as ib_alloc_pd()
 * @device: the device
 * @flags: IB_PD_UNSAFE_GLOBAL_RKEY or 0
 * @caller: the owner's name, for resource tracking
 *
 * Its local_dma_lkey is good for any memory that is mapped for DMA by the device.
 *
 * Context: Sleeps.
 * Return: the PD or an ERR_PTR(): -ENOMEM, or what the driver returns.
 */
struct ib_pd *__ib_alloc_pd(struct ib_device *device, unsigned int flags, const char *caller)
{
	struct ib_pd *pd = new_pd(device, flags, caller);
	int ret;

	if (!pd)
		return ERR_PTR(-ENOMEM);
	ret = device->ops.alloc_pd(pd, NULL);
	if (ret) {
		free_new_pd(pd);
		return ERR_PTR(ret);
	}
	rdma_restrack_add(&pd->res);

	if (flags & IB_PD_UNSAFE_GLOBAL_RKEY)
		pr_warn("%s: all memory can be accessed remotely, by its unsafe global rkey\n",
			caller);
	ret = set_dma_keys(pd);
	if (ret) {
		ib_dealloc_pd(pd);
		return ERR_PTR(ret);
	}
	return pd;
}
EXPORT_SYMBOL(__ib_alloc_pd);

/**
 * ib_dealloc_pd_user - free a PD; called as ib_dealloc_pd() for the kernel's own
 * @pd: the PD, also one that ib_uverbs allocated. Nothing may use it any more.
 * @udata: of a user's PD, else NULL
 *
 * Context: Sleeps.
 * Return: 0, or the driver's errno, and then there still is the PD.
 */
int ib_dealloc_pd_user(struct ib_pd *pd, struct ib_udata *udata)
{
	struct ib_device *device = pd->device;
	int ret;

	rdma_restrack_begin_del(&pd->res);
	if (pd->__internal_mr) {
		WARN_ON(device->ops.dereg_mr(pd->__internal_mr, NULL));
		pd->__internal_mr = NULL;
	}

	ret = rdma_end_destroy(&pd->res, device->ops.dealloc_pd(pd, udata));
	if (!ret)
		kfree(pd);
	return ret;
}
EXPORT_SYMBOL(ib_dealloc_pd_user);
