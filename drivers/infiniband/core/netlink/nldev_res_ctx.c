// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: what is shown of a verbs context, which is an open device of a process. */

#include "netlink.h"

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	if (rdma_is_kernel_res(res))
		return 0;
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CTXN, res->id) ?: nldev_put_owner(msg, res);
}

const struct nldev_kind nldev_ctx = {
	.type = RDMA_RESTRACK_CTX,
	.table = RDMA_NLDEV_ATTR_RES_CTX,
	.entry = RDMA_NLDEV_ATTR_RES_CTX_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_CTXN,
	.fill = fill,
};
