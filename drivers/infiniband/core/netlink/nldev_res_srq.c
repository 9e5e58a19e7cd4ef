// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: what is shown of a shared receive queue, and of the QPs that receive from it. */

#include "netlink.h"

static struct ib_srq *srq_of(const struct rdma_restrack_entry *res)
{
	return container_of(res, struct ib_srq, res);
}

static int put_ranges(struct nldev_qp_ranges *ranges, const struct ib_srq *srq)
{
	struct rdma_restrack_entry *res;
	unsigned long id;
	int err = 0;

	for (id = 0; !err && (res = rdma_restrack_get_next(srq->device, RDMA_RESTRACK_QP, &id,
							   true)); id++) {
		const struct ib_qp *qp = container_of(res, struct ib_qp, res);

		if (qp->srq == srq)
			err = nldev_qp_ranges_add(ranges, qp->qp_num);
		rdma_restrack_put(res);
	}
	return err ?: nldev_qp_ranges_flush(ranges);
}

static int put_qps(struct sk_buff *msg, const struct ib_srq *srq)
{
	struct nldev_qp_ranges ranges = { .msg = msg };
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_RES_QP);

	if (!table || put_ranges(&ranges, srq))
		return -EMSGSIZE;
	nla_nest_end(msg, table);
	return 0;
}

static int put_cq(struct sk_buff *msg, const struct ib_srq *srq)
{
	return ib_srq_has_cq(srq->srq_type) ?
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CQN, srq->ext.cq->res.id) : 0;
}

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_srq *srq = srq_of(res);
	int err;

	err = nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_SRQN, res->id) ?:
	      nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_TYPE, srq->srq_type) ?:
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_PDN, srq->pd->res.id) ?:
	      put_cq(msg, srq) ?:
	      put_qps(msg, srq) ?:
	      nldev_put_owner(msg, res);
	if (err || !srq->device->ops.fill_res_srq_entry)
		return err;
	return srq->device->ops.fill_res_srq_entry(msg, srq);
}

static int fill_raw(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_srq *srq = srq_of(res);

	return srq->device->ops.fill_res_srq_entry_raw ?
	       srq->device->ops.fill_res_srq_entry_raw(msg, srq) : -EINVAL;
}

const struct nldev_kind nldev_srq = {
	.type = RDMA_RESTRACK_SRQ,
	.table = RDMA_NLDEV_ATTR_RES_SRQ,
	.entry = RDMA_NLDEV_ATTR_RES_SRQ_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_SRQN,
	.fill = fill,
};

const struct nldev_kind nldev_srq_raw = {
	.type = RDMA_RESTRACK_SRQ,
	.table = RDMA_NLDEV_ATTR_RES_SRQ,
	.entry = RDMA_NLDEV_ATTR_RES_SRQ_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_SRQN,
	.fill = fill_raw,
};
