// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* MRs of data with protection information (T10-DIF). */

#include <linux/slab.h>
#include <trace/events/rdma_core.h>

#include "verbs.h"

static struct ib_mr *alloc_mr(struct ib_pd *pd, u32 max_num_data_sg, u32 max_num_meta_sg)
{
	const struct ib_device_ops *ops = &pd->device->ops;
	struct ib_sig_attrs *sig_attrs;
	struct ib_mr *mr;

	if (!ops->alloc_mr_integrity || !ops->map_mr_sg_pi)
		return ERR_PTR(-EOPNOTSUPP);
	if (!max_num_meta_sg)
		return ERR_PTR(-EINVAL);

	sig_attrs = kzalloc(sizeof(*sig_attrs), GFP_KERNEL);
	if (!sig_attrs)
		return ERR_PTR(-ENOMEM);
	mr = ops->alloc_mr_integrity(pd, max_num_data_sg, max_num_meta_sg);
	if (IS_ERR(mr))
		kfree(sig_attrs);
	else
		rdma_mr_adopt(mr, pd, IB_MR_TYPE_INTEGRITY, sig_attrs);
	return mr;
}

/**
 * ib_alloc_mr_integrity - allocate an MR for data and their protection information
 * @pd: its PD
 * @max_num_data_sg: how many scatterlist entries of data it shall hold
 * @max_num_meta_sg: the same for the protection information; not 0
 *
 * Context: Sleeps.
 * Return: the MR or an ERR_PTR(): -EOPNOTSUPP, -EINVAL, -ENOMEM, or what the driver returns.
 */
struct ib_mr *ib_alloc_mr_integrity(struct ib_pd *pd, u32 max_num_data_sg, u32 max_num_meta_sg)
{
	struct ib_mr *mr = alloc_mr(pd, max_num_data_sg, max_num_meta_sg);

	trace_mr_integ_alloc(pd, max_num_data_sg, max_num_meta_sg, mr);
	return mr;
}
EXPORT_SYMBOL(ib_alloc_mr_integrity);
