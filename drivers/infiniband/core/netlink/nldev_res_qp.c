// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: what is shown of a QP. */

#include "netlink.h"

static struct ib_qp *qp_of(const struct rdma_restrack_entry *res)
{
	return container_of(res, struct ib_qp, res);
}

/* None before the QP is initialized. */
static u32 port_of(const struct rdma_restrack_entry *res)
{
	return qp_of(res)->port;
}

/* Those whose peer is in the QP itself. */
static int put_peer(struct sk_buff *msg, const struct ib_qp *qp, const struct ib_qp_attr *attr)
{
	if (qp->qp_type != IB_QPT_RC && qp->qp_type != IB_QPT_UC)
		return 0;
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_RQPN, attr->dest_qp_num) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_RQ_PSN, attr->rq_psn);
}

static int put_migration(struct sk_buff *msg, const struct ib_qp *qp, const struct ib_qp_attr *attr)
{
	if (!rdma_qp_is_connected(qp))
		return 0;
	return nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_PATH_MIG_STATE, attr->path_mig_state);
}

static int put_attributes(struct sk_buff *msg, struct ib_qp *qp)
{
	struct ib_qp_init_attr init_attr;
	struct ib_qp_attr attr;
	int err;

	err = ib_query_qp(qp, &attr, 0, &init_attr);
	if (err)
		return err;
	return put_peer(msg, qp, &attr) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_SQ_PSN, attr.sq_psn) ?:
	       put_migration(msg, qp, &attr) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_TYPE, qp->qp_type) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_STATE, attr.qp_state);
}

/* The target of an XRC connection has a domain instead. */
static int put_pd(struct sk_buff *msg, const struct ib_qp *qp)
{
	if (rdma_is_kernel_res(&qp->res) || !qp->pd)
		return 0;
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_PDN, qp->pd->res.id);
}

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_qp *qp = qp_of(res);
	int err;

	err = (qp->port ? nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, qp->port) : 0) ?:
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_LQPN, qp->qp_num) ?:
	      put_pd(msg, qp) ?:
	      nldev_put_owner(msg, res) ?:
	      put_attributes(msg, qp);
	if (err || !qp->device->ops.fill_res_qp_entry)
		return err;
	return qp->device->ops.fill_res_qp_entry(msg, qp);
}

static int fill_raw(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct ib_qp *qp = qp_of(res);

	return qp->device->ops.fill_res_qp_entry_raw ?
	       qp->device->ops.fill_res_qp_entry_raw(msg, qp) : -EINVAL;
}

const struct nldev_kind nldev_qp = {
	.type = RDMA_RESTRACK_QP,
	.table = RDMA_NLDEV_ATTR_RES_QP,
	.entry = RDMA_NLDEV_ATTR_RES_QP_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_LQPN,
	.port = port_of,
	.fill = fill,
};

const struct nldev_kind nldev_qp_raw = {
	.type = RDMA_RESTRACK_QP,
	.table = RDMA_NLDEV_ATTR_RES_QP,
	.entry = RDMA_NLDEV_ATTR_RES_QP_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_LQPN,
	.port = port_of,
	.fill = fill_raw,
};
