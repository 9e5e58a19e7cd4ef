// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory regions (IBTA 10.6.3). The driver allocates and frees them. */

#include <linux/slab.h>
#include <trace/events/rdma_core.h>

#include "verbs.h"

void rdma_mr_adopt(struct ib_mr *mr, struct ib_pd *pd, enum ib_mr_type type,
		   struct ib_sig_attrs *sig_attrs)
{
	mr->device = pd->device;
	mr->pd = pd;
	mr->type = type;
	mr->dm = NULL;
	mr->uobject = NULL;
	mr->need_inval = false;
	mr->sig_attrs = sig_attrs;
	atomic_inc(&pd->usecnt);

	rdma_restrack_new(&mr->res, RDMA_RESTRACK_MR);
	rdma_restrack_parent_name(&mr->res, &pd->res);
	rdma_restrack_add(&mr->res);
}

static struct ib_mr *alloc_mr(struct ib_pd *pd, enum ib_mr_type mr_type, u32 max_num_sg)
{
	struct ib_mr *mr;

	if (!pd->device->ops.alloc_mr)
		return ERR_PTR(-EOPNOTSUPP);
	if (WARN_ON_ONCE(mr_type == IB_MR_TYPE_INTEGRITY))
		return ERR_PTR(-EINVAL);

	mr = pd->device->ops.alloc_mr(pd, mr_type, max_num_sg);
	if (!IS_ERR(mr))
		rdma_mr_adopt(mr, pd, mr_type, NULL);
	return mr;
}

/**
 * ib_alloc_mr - allocate an MR that is registered by WRs
 * @pd: its PD
 * @mr_type: IB_MR_TYPE_MEM_REG or IB_MR_TYPE_SG_GAPS
 * @max_num_sg: how many pages, or scatterlist entries with gaps, it shall hold
 *
 * Context: Sleeps.
 * Return: the MR or an ERR_PTR(): -EOPNOTSUPP, -EINVAL for the type of
 * ib_alloc_mr_integrity(), or what the driver returns.
 */
struct ib_mr *ib_alloc_mr(struct ib_pd *pd, enum ib_mr_type mr_type, u32 max_num_sg)
{
	struct ib_mr *mr = alloc_mr(pd, mr_type, max_num_sg);

	trace_mr_alloc(pd, mr_type, max_num_sg, mr);
	return mr;
}
EXPORT_SYMBOL(ib_alloc_mr);

/**
 * ib_reg_user_mr - register memory of the current process for a kernel user
 * @pd: the MR's PD
 * @start: where the memory starts
 * @length: its length, bytes
 * @virt_addr: the address that WRs use for its start
 * @access_flags: IB_ACCESS_...
 *
 * Context: Sleeps.
 * Return: the MR or an ERR_PTR(): -EOPNOTSUPP; -EINVAL if the device can't page on demand but that
 * is asked for; or what the driver returns.
 */
struct ib_mr *ib_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 virt_addr,
			     int access_flags)
{
	struct ib_device *device = pd->device;
	struct ib_mr *mr;

	if (!device->ops.reg_user_mr)
		return ERR_PTR(-EOPNOTSUPP);
	if (access_flags & IB_ACCESS_ON_DEMAND &&
	    !(device->attrs.kernel_cap_flags & IBK_ON_DEMAND_PAGING))
		return ERR_PTR(-EINVAL);

	mr = device->ops.reg_user_mr(pd, start, length, virt_addr, access_flags, NULL);
	if (IS_ERR(mr))
		return mr;
	mr->iova = virt_addr;
	mr->length = length;
	rdma_mr_adopt(mr, pd, IB_MR_TYPE_USER, NULL);
	return mr;
}
EXPORT_SYMBOL(ib_reg_user_mr);

/**
 * ib_advise_mr - tell the device how memory of MRs will be used
 * @pd: the MRs' PD
 * @advice: what is to be expected
 * @flags: IB_UVERBS_ADVISE_MR_FLAG_...
 * @sg_list: parts of MRs
 * @num_sge: their number
 *
 * Context: Sleeps.
 * Return: 0, -EOPNOTSUPP, or what the driver returns.
 */
int ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		 struct ib_sge *sg_list, u32 num_sge)
{
	if (!pd->device->ops.advise_mr)
		return -EOPNOTSUPP;
	if (!num_sge)
		return 0;
	return pd->device->ops.advise_mr(pd, advice, flags, sg_list, num_sge, NULL);
}
EXPORT_SYMBOL(ib_advise_mr);

/**
 * ib_dereg_mr_user - free an MR; called as ib_dereg_mr() for the kernel's own
 * @mr: the MR, also one that ib_uverbs registered
 * @udata: of a user's MR, else NULL
 *
 * Context: Sleeps.
 * Return: 0, or the driver's errno: then there still is the MR, but resource tracking doesn't show
 * it any more. The entry is in the memory that the driver frees, so it has to go first.
 */
int ib_dereg_mr_user(struct ib_mr *mr, struct ib_udata *udata)
{
	struct ib_sig_attrs *sig_attrs = mr->sig_attrs;
	struct ib_pd *pd = mr->pd;
	struct ib_dm *dm = mr->dm;
	int ret;

	trace_mr_dereg(mr);
	rdma_restrack_del(&mr->res);
	ret = mr->device->ops.dereg_mr(mr, udata);
	if (ret)
		return ret;

	atomic_dec(&pd->usecnt);
	if (dm)
		atomic_dec(&dm->usecnt);
	kfree(sig_attrs);
	return 0;
}
EXPORT_SYMBOL(ib_dereg_mr_user);
