// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs: how they change (IBTA 11.2.5.2). Which changes are allowed is the drivers' question
 * to ib_modify_qp_is_ok(); here addresses are made complete, and references to source GIDs kept
 * for as long as the QP has the address.
 */

#include <rdma/ib_cache.h>
#include <rdma/lag.h>
#include <rdma/rdma_counter.h>

#include "verbs.h"

#define PSN_MASK 0xffffff

/* Destination MAC, and which port of a bond. The kernel's users have resolved the first. */
static int complete_roce_path(struct ib_qp *qp, struct ib_qp_attr *attr, bool resolve)
{
	struct net_device *slave;
	int ret;

	if (resolve) {
		ret = rdma_ah_resolve_dmac(&attr->ah_attr);
		if (ret)
			return ret;
	}
	slave = rdma_lag_get_ah_roce_slave(qp->device, &attr->ah_attr, GFP_KERNEL);
	if (IS_ERR(slave))
		return PTR_ERR(slave);
	attr->xmit_slave = slave;
	return 0;
}

/* Whether a path had no reference to its source GID, and got one. */
struct filled {
	bool primary;
	bool alternate;
};

static int complete_primary_path(struct ib_qp *qp, struct ib_qp_attr *attr, bool resolve,
				 bool *filled)
{
	int ret = rdma_ah_fill_sgid(qp->device, &attr->ah_attr, filled);

	if (!ret && attr->ah_attr.type == RDMA_AH_ATTR_TYPE_ROCE && rdma_qp_is_connected(qp))
		ret = complete_roce_path(qp, attr, resolve);
	return ret;
}

/* The port that the QP will have. */
static u32 port_of(const struct ib_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	return mask & IB_QP_PORT ? attr->port_num : qp->port;
}

/* Path migration is of InfiniBand alone. */
static int complete_alternate_path(struct ib_qp *qp, struct ib_qp_attr *attr, u32 port_num,
				   bool *filled)
{
	int ret = rdma_ah_fill_sgid(qp->device, &attr->alt_ah_attr, filled);

	if (!ret && !(rdma_protocol_ib(qp->device, attr->alt_ah_attr.port_num) &&
		      rdma_protocol_ib(qp->device, port_num)))
		ret = -EINVAL;
	return ret;
}

static int complete_paths(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, bool resolve,
			  struct filled *filled)
{
	int ret = 0;

	if (mask & IB_QP_AV)
		ret = complete_primary_path(qp, attr, resolve, &filled->primary);
	if (!ret && mask & IB_QP_ALT_PATH)
		ret = complete_alternate_path(qp, attr, port_of(qp, attr, mask),
					      &filled->alternate);
	return ret;
}

static void put_slave(struct ib_qp_attr *attr)
{
	if (attr->xmit_slave)
		rdma_lag_put_ah_roce_slave(attr->xmit_slave);
	attr->xmit_slave = NULL;
}

static void unfill_paths(struct ib_qp_attr *attr, const struct filled *filled)
{
	rdma_ah_unfill_sgid(&attr->ah_attr, filled->primary);
	rdma_ah_unfill_sgid(&attr->alt_ah_attr, filled->alternate);
}

static void clip_psn(struct ib_qp *qp, const char *name, u32 *psn)
{
	if (*psn <= PSN_MASK)
		return;
	dev_warn_ratelimited(&qp->device->dev, "%s 0x%x has more than 24 bits, they are cut off\n",
			     name, *psn);
	*psn &= PSN_MASK;
}

static void clip_psns(struct ib_qp *qp, struct ib_qp_attr *attr, int mask)
{
	if (!(mask & (IB_QP_RQ_PSN | IB_QP_SQ_PSN)) ||
	    !rdma_ib_or_roce(qp->device, port_of(qp, attr, mask)))
		return;
	if (mask & IB_QP_RQ_PSN)
		clip_psn(qp, "rq_psn", &attr->rq_psn);
	if (mask & IB_QP_SQ_PSN)
		clip_psn(qp, "sq_psn", &attr->sq_psn);
}

/* Statistics are nice to have; if the QP can't be bound to a counter, it goes without. */
static void bind_counter(struct ib_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if (!qp->counter && mask & IB_QP_PORT && mask & IB_QP_STATE &&
	    attr->qp_state == IB_QPS_INIT)
		rdma_counter_bind_qp_auto(qp, attr->port_num);
}

/* The paths of @attr are complete. */
static __always_inline int modify(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
				  struct ib_udata *udata)
{
	int ret;

	clip_psns(qp, attr, mask);
	bind_counter(qp, attr, mask);
	ret = qp->device->ops.modify_qp(qp, attr, mask, udata);
	if (!ret && mask & IB_QP_PORT)
		qp->port = attr->port_num;
	return ret;
}

/* A migrated QP keeps the references to its old path; on InfiniBand they do no harm. */
static void keep_paths(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
		       const struct filled *filled)
{
	if (mask & IB_QP_AV)
		rdma_ah_keep_sgid(&qp->av_sgid_attr, &attr->ah_attr, filled->primary);
	if (mask & IB_QP_ALT_PATH)
		rdma_ah_keep_sgid(&qp->alt_path_sgid_attr, &attr->alt_ah_attr, filled->alternate);
}

static noinline int modify_with_paths(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
				      struct ib_udata *udata)
{
	struct filled filled = {};
	int ret;

	ret = complete_paths(qp, attr, mask, udata, &filled) ?: modify(qp, attr, mask, udata);
	if (ret)
		unfill_paths(attr, &filled);
	else
		keep_paths(qp, attr, mask, &filled);
	put_slave(attr);
	return ret;
}

static int modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	attr->xmit_slave = NULL;
	if (mask & (IB_QP_AV | IB_QP_ALT_PATH))
		return modify_with_paths(qp, attr, mask, udata);
	return modify(qp, attr, mask, udata);
}

/**
 * ib_modify_qp - change a QP's state and attributes, for the kernel
 * @qp: the QP, or a handle of a shared one
 * @qp_attr: the attributes. A RoCE address has its destination MAC resolved. PSNs are cut to 24
 *	bits.
 * @qp_attr_mask: which of them are given
 *
 * Context: Sleeps.
 * Return: 0 or a negative errno: -EINVAL for an address that doesn't suit its port, or an
 * alternate path that isn't one of InfiniBand; -ENODATA if there is no such source GID; or what
 * the driver returns.
 */
int ib_modify_qp(struct ib_qp *qp, struct ib_qp_attr *qp_attr, int qp_attr_mask)
{
	return modify_qp(qp->real_qp, qp_attr, qp_attr_mask, NULL);
}
EXPORT_SYMBOL(ib_modify_qp);

/**
 * ib_modify_qp_with_udata - change a QP's state and attributes, for a user
 * @ib_qp: the QP, or a handle of a shared one
 * @attr: the attributes. A connected QP's RoCE address gets its destination MAC and hop limit
 *	resolved.
 * @attr_mask: which of them are given
 * @udata: the driver's part of the request
 *
 * Context: Sleeps.
 * Return: as ib_modify_qp(), and errors of address resolution.
 */
int ib_modify_qp_with_udata(struct ib_qp *ib_qp, struct ib_qp_attr *attr, int attr_mask,
			    struct ib_udata *udata)
{
	return modify_qp(ib_qp->real_qp, attr, attr_mask, udata);
}
EXPORT_SYMBOL(ib_modify_qp_with_udata);

/**
 * ib_query_qp - a QP's state and attributes
 * @qp: the QP, or a handle of a shared one
 * @qp_attr: returns the attributes, without references to source GIDs
 * @qp_attr_mask: which are wanted; the driver may return more
 * @qp_init_attr: returns what was asked for when the QP was created
 *
 * Context: Sleeps.
 * Return: 0, -EOPNOTSUPP, or what the driver returns.
 */
int ib_query_qp(struct ib_qp *qp, struct ib_qp_attr *qp_attr, int qp_attr_mask,
		struct ib_qp_init_attr *qp_init_attr)
{
	qp_attr->ah_attr.grh.sgid_attr = NULL;
	qp_attr->alt_ah_attr.grh.sgid_attr = NULL;
	if (!qp->device->ops.query_qp)
		return -EOPNOTSUPP;
	return qp->device->ops.query_qp(qp->real_qp, qp_attr, qp_attr_mask, qp_init_attr);
}
EXPORT_SYMBOL(ib_query_qp);
