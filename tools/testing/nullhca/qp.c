// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: how they come, change and go. */

#include "nullhca.h"

/* --- numbers */

static int number(struct nullhca *device, struct nullhca_qp *qp)
{
	struct nullhca_qp **special;
	u32 port_num = qp->init.port_num;
	int ret = 0;

	if (qp->ib.qp_type != IB_QPT_SMI && qp->ib.qp_type != IB_QPT_GSI)
		return xa_alloc_cyclic_irq(&device->qps, &qp->ib.qp_num, qp, XA_LIMIT(2, 0xffffff),
					   &device->next_qpn, GFP_KERNEL);

	if (!rdma_is_port_valid(&device->ib, port_num))
		return -EINVAL;
	qp->ib.qp_num = qp->ib.qp_type == IB_QPT_GSI;
	special = &device->special[port_num - 1][qp->ib.qp_num];
	xa_lock_irq(&device->qps);
	if (*special)
		ret = -EBUSY;
	else
		*special = qp;
	xa_unlock_irq(&device->qps);
	return ret;
}

static void forget_number(struct nullhca *device, struct nullhca_qp *qp)
{
	xa_lock_irq(&device->qps);
	if (qp->ib.qp_num > 1)
		__xa_erase(&device->qps, qp->ib.qp_num);
	else
		device->special[qp->init.port_num - 1][qp->ib.qp_num] = NULL;
	xa_unlock_irq(&device->qps);
}

/**
 * nullhca_qp_get - find a queue pair by number
 * @device: the device
 * @port_num: for QP0 and QP1
 * @qpn: the number
 *
 * Context: Any.
 * Return: NULL, or the QP, which can't be destroyed before nullhca_qp_put() is called for it.
 */
struct nullhca_qp *nullhca_qp_get(struct nullhca *device, u32 port_num, u32 qpn)
{
	struct nullhca_qp *qp;
	unsigned long flags;

	xa_lock_irqsave(&device->qps, flags);
	qp = qpn > 1 ? xa_load(&device->qps, qpn) : device->special[port_num - 1][qpn];
	if (qp)
		refcount_inc(&qp->users);
	xa_unlock_irqrestore(&device->qps, flags);
	return qp;
}

void nullhca_qp_put(struct nullhca_qp *qp)
{
	if (refcount_dec_and_test(&qp->users))
		complete(&qp->unused);
}

/* --- creation */

static bool type_is_known(enum ib_qp_type type)
{
	switch (type) {
	case IB_QPT_SMI:
	case IB_QPT_GSI:
	case IB_QPT_RC:
	case IB_QPT_UC:
	case IB_QPT_UD:
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
		return true;
	default:
		return false;
	}
}

static int check_capacities(const struct ib_qp_cap *cap)
{
	if (cap->max_send_wr > NULLHCA_MAX_WR || cap->max_send_sge > NULLHCA_MAX_SGE)
		return -EINVAL;
	return 0;
}

static int create_qp(struct ib_qp *ib, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct nullhca_qp *qp = to_qp(ib);
	int ret = nullhca_pass(ib->device, NULLHCA_create_qp);

	if (ret)
		return ret;
	if (!type_is_known(init->qp_type) || init->create_flags)
		return -EOPNOTSUPP;
	ret = check_capacities(&init->cap);
	if (ret)
		return ret;
	if (!init->srq) {
		ret = nullhca_queue_init(&qp->receives, init->cap.max_recv_wr,
					 init->cap.max_recv_sge);
		if (ret)
			return ret;
	}
	refcount_set(&qp->users, 1);
	init_completion(&qp->unused);
	spin_lock_init(&qp->state_lock);
	qp->attr.qp_state = IB_QPS_RESET;
	qp->attr.port_num = init->port_num;
	qp->attr.cap = init->cap;
	qp->init = *init;
	ret = number(to_nullhca(ib->device), qp);
	if (ret < 0) {
		nullhca_queue_free(&qp->receives);
		return ret;
	}
	return 0;
}

static void forget_completions(struct nullhca_qp *qp)
{
	if (qp->ib.send_cq)
		nullhca_forget(qp->ib.send_cq, &qp->ib);
	if (qp->ib.recv_cq && qp->ib.recv_cq != qp->ib.send_cq)
		nullhca_forget(qp->ib.recv_cq, &qp->ib);
}

static int destroy_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	struct nullhca_qp *qp = to_qp(ib);
	int ret = nullhca_pass(ib->device, NULLHCA_destroy_qp);

	if (ret)
		return ret;
	forget_number(to_nullhca(ib->device), qp);
	nullhca_qp_put(qp);
	wait_for_completion(&qp->unused);
	forget_completions(qp);
	nullhca_queue_free(&qp->receives);
	return 0;
}

/* --- attributes */

/* The reference to the source GID is the caller's. */
static void set_path(struct rdma_ah_attr *to, const struct rdma_ah_attr *from)
{
	*to = *from;
	to->grh.sgid_attr = NULL;
}

static void set_attributes(struct ib_qp_attr *to, const struct ib_qp_attr *from, int mask)
{
	if (mask & IB_QP_STATE)
		to->qp_state = from->qp_state;
	if (mask & IB_QP_ACCESS_FLAGS)
		to->qp_access_flags = from->qp_access_flags;
	if (mask & IB_QP_PKEY_INDEX)
		to->pkey_index = from->pkey_index;
	if (mask & IB_QP_PORT)
		to->port_num = from->port_num;
	if (mask & IB_QP_QKEY)
		to->qkey = from->qkey;
	if (mask & IB_QP_PATH_MTU)
		to->path_mtu = from->path_mtu;
	if (mask & IB_QP_TIMEOUT)
		to->timeout = from->timeout;
	if (mask & IB_QP_RETRY_CNT)
		to->retry_cnt = from->retry_cnt;
	if (mask & IB_QP_RNR_RETRY)
		to->rnr_retry = from->rnr_retry;
	if (mask & IB_QP_RQ_PSN)
		to->rq_psn = from->rq_psn;
	if (mask & IB_QP_SQ_PSN)
		to->sq_psn = from->sq_psn;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		to->max_rd_atomic = from->max_rd_atomic;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		to->max_dest_rd_atomic = from->max_dest_rd_atomic;
	if (mask & IB_QP_MIN_RNR_TIMER)
		to->min_rnr_timer = from->min_rnr_timer;
	if (mask & IB_QP_PATH_MIG_STATE)
		to->path_mig_state = from->path_mig_state;
	if (mask & IB_QP_DEST_QPN)
		to->dest_qp_num = from->dest_qp_num;
	if (mask & IB_QP_AV)
		set_path(&to->ah_attr, &from->ah_attr);
	if (mask & IB_QP_ALT_PATH) {
		to->alt_pkey_index = from->alt_pkey_index;
		to->alt_port_num = from->alt_port_num;
		to->alt_timeout = from->alt_timeout;
		set_path(&to->alt_ah_attr, &from->alt_ah_attr);
	}
}

/* Called with the state's lock held. */
static int change_state(struct nullhca_qp *qp, const struct ib_qp_attr *attr, int mask,
			enum ib_qp_state *from)
{
	enum ib_qp_state to;

	*from = qp->attr.qp_state;
	if ((mask & IB_QP_CUR_STATE) && attr->cur_qp_state != *from)
		return -EINVAL;
	to = mask & IB_QP_STATE ? attr->qp_state : *from;
	if (!ib_modify_qp_is_ok(*from, to, qp->ib.qp_type, mask))
		return -EINVAL;
	set_attributes(&qp->attr, attr, mask);
	return 0;
}

static void empty(struct nullhca_qp *qp)
{
	struct nullhca_receive receive;
	bool limit;

	while (!qp->ib.srq && nullhca_queue_take(&qp->receives, &receive, &limit))
		;
	forget_completions(qp);
}

static int modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct nullhca_qp *qp = to_qp(ib);
	enum ib_qp_state from;
	int ret = nullhca_pass(ib->device, NULLHCA_modify_qp);

	if (ret)
		return ret;
	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	if ((mask & IB_QP_PORT) && !rdma_is_port_valid(ib->device, attr->port_num))
		return -EINVAL;
	spin_lock_irq(&qp->state_lock);
	ret = change_state(qp, attr, mask, &from);
	spin_unlock_irq(&qp->state_lock);
	if (ret || !(mask & IB_QP_STATE))
		return ret;
	if (attr->qp_state == IB_QPS_RESET)
		empty(qp);
	else if (attr->qp_state == IB_QPS_ERR && from != IB_QPS_ERR)
		nullhca_flush_receives(qp);
	return 0;
}

static int query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init)
{
	struct nullhca_qp *qp = to_qp(ib);
	int ret = nullhca_pass(ib->device, NULLHCA_query_qp);

	if (ret)
		return ret;
	spin_lock_irq(&qp->state_lock);
	*attr = qp->attr;
	spin_unlock_irq(&qp->state_lock);
	attr->cur_qp_state = attr->qp_state;
	*init = qp->init;
	return 0;
}

const struct ib_device_ops nullhca_qp_ops = {
	.create_qp = create_qp,
	.modify_qp = modify_qp,
	.query_qp = query_qp,
	.destroy_qp = destroy_qp,
	.post_send = nullhca_post_send,
	.post_recv = nullhca_post_recv,
	INIT_RDMA_OBJ_SIZE(ib_qp, nullhca_qp, ib),
};
