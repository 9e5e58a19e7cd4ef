// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * nldev: what is shown of a protection domain. Its keys give access to memory: administrators
 * see them.
 */

#include "netlink.h"

static int put_keys(struct sk_buff *msg, const struct ib_pd *pd)
{
	int err = nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_LOCAL_DMA_LKEY, pd->local_dma_lkey);

	if (!err && (pd->flags & IB_PD_UNSAFE_GLOBAL_RKEY))
		err = nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_UNSAFE_GLOBAL_RKEY,
				  pd->unsafe_global_rkey);
	return err;
}

static int put_context(struct sk_buff *msg, const struct ib_pd *pd)
{
	return rdma_is_kernel_res(&pd->res) ?
	       0 : nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CTXN, pd->uobject->context->res.id);
}

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	const struct ib_pd *pd = container_of(res, struct ib_pd, res);

	return (admin ? put_keys(msg, pd) : 0) ?:
	       nldev_put_u64(msg, RDMA_NLDEV_ATTR_RES_USECNT, atomic_read(&pd->usecnt)) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_PDN, res->id) ?:
	       put_context(msg, pd) ?:
	       nldev_put_owner(msg, res);
}

const struct nldev_kind nldev_pd = {
	.type = RDMA_RESTRACK_PD,
	.table = RDMA_NLDEV_ATTR_RES_PD,
	.entry = RDMA_NLDEV_ATTR_RES_PD_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_PDN,
	.fill = fill,
};
