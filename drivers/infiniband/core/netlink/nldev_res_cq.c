// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: what is shown of a CQ. */

#include "netlink.h"

static struct ib_cq *cq_of(const struct rdma_restrack_entry *res)
{
	return container_of(res, struct ib_cq, res);
}

static const struct ib_uobject *uobject_of(const struct ib_cq *cq)
{
	return (const void *)cq->uobject + STOCK_UCQ_OBJECT_UOBJECT;
}

/*
 * Who polls it: a kernel CQ has a context for that, one of user space a process with its
 * context.
 */
static int put_context(struct sk_buff *msg, const struct ib_cq *cq)
{
	return rdma_is_kernel_res(&cq->res) ?
	       0 : nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CTXN, uobject_of(cq)->context->res.id);
}

static int put_poll_ctx(struct sk_buff *msg, const struct ib_cq *cq)
{
	return rdma_is_kernel_res(&cq->res) ?
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_POLL_CTX, cq->poll_ctx) : 0;
}

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_cq *cq = cq_of(res);
	int err;

	err = nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CQE, cq->cqe) ?:
	      nldev_put_u64(msg, RDMA_NLDEV_ATTR_RES_USECNT, atomic_read(&cq->usecnt)) ?:
	      put_poll_ctx(msg, cq) ?:
	      nla_put_u8(msg, RDMA_NLDEV_ATTR_DEV_DIM, !!cq->dim) ?:
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CQN, res->id) ?:
	      put_context(msg, cq) ?:
	      nldev_put_owner(msg, res);
	if (err || !cq->device->ops.fill_res_cq_entry)
		return err;
	return cq->device->ops.fill_res_cq_entry(msg, cq);
}

static int fill_raw(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_cq *cq = cq_of(res);

	return cq->device->ops.fill_res_cq_entry_raw ?
	       cq->device->ops.fill_res_cq_entry_raw(msg, cq) : -EINVAL;
}

const struct nldev_kind nldev_cq = {
	.type = RDMA_RESTRACK_CQ,
	.table = RDMA_NLDEV_ATTR_RES_CQ,
	.entry = RDMA_NLDEV_ATTR_RES_CQ_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_CQN,
	.fill = fill,
};

const struct nldev_kind nldev_cq_raw = {
	.type = RDMA_RESTRACK_CQ,
	.table = RDMA_NLDEV_ATTR_RES_CQ,
	.entry = RDMA_NLDEV_ATTR_RES_CQ_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_CQN,
	.fill = fill_raw,
};
