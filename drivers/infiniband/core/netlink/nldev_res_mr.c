// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * nldev: what is shown of a memory region. Its keys give access to the memory: administrators
 * see them.
 */

#include "netlink.h"

static struct ib_mr *mr_of(const struct rdma_restrack_entry *res)
{
	return container_of(res, struct ib_mr, res);
}

static int put_keys(struct sk_buff *msg, const struct ib_mr *mr)
{
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_RKEY, mr->rkey) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_LKEY, mr->lkey);
}

/* May change under us by IBV_REREG_MR; rdma_restrack_sync() keeps the old one until we're done. */
static int put_pd(struct sk_buff *msg, const struct ib_mr *mr)
{
	const struct ib_pd *pd = READ_ONCE(mr->pd);

	return rdma_is_kernel_res(&mr->res) ?
	       0 : nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_PDN, pd->res.id);
}

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_mr *mr = mr_of(res);
	int err;

	err = (admin ? put_keys(msg, mr) : 0) ?:
	      nldev_put_u64(msg, RDMA_NLDEV_ATTR_RES_MRLEN, mr->length) ?:
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_MRN, res->id) ?:
	      put_pd(msg, mr) ?:
	      nldev_put_owner(msg, res);
	if (err || !mr->device->ops.fill_res_mr_entry)
		return err;
	return mr->device->ops.fill_res_mr_entry(msg, mr);
}

static int fill_raw(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_mr *mr = mr_of(res);

	return mr->device->ops.fill_res_mr_entry_raw ?
	       mr->device->ops.fill_res_mr_entry_raw(msg, mr) : -EINVAL;
}

static int fill_stat(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_mr *mr = mr_of(res);
	int err;

	err = nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_MRN, res->id);
	if (err || !mr->device->ops.fill_stat_mr_entry)
		return err;
	return mr->device->ops.fill_stat_mr_entry(msg, mr);
}

#define MR_KIND(fill_function) {				\
	.type = RDMA_RESTRACK_MR,				\
	.table = RDMA_NLDEV_ATTR_RES_MR,			\
	.entry = RDMA_NLDEV_ATTR_RES_MR_ENTRY,			\
	.id = RDMA_NLDEV_ATTR_RES_MRN,				\
	.fill = (fill_function),				\
}

const struct nldev_kind nldev_mr = MR_KIND(fill);
const struct nldev_kind nldev_mr_raw = MR_KIND(fill_raw);
const struct nldev_kind nldev_mr_stat = MR_KIND(fill_stat);
