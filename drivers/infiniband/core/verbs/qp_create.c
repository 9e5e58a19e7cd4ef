// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: how they begin (IBTA 10.2.4). */

#include <linux/slab.h>

#include "verbs.h"

/* What drivers call. A shared QP has another, rdma_shared_qp_event(). */
static void qp_event(struct ib_event *event, void *context)
{
	struct ib_qp *qp = event->element.qp;

	/* For drain.c, which waits for it. */
	if (event->event == IB_EVENT_QP_LAST_WQE_REACHED)
		complete(&qp->srq_completion);
	if (qp->registered_event_handler)
		qp->registered_event_handler(event, qp->qp_context);
}

/*
 * An XRC target QP is shared: it belongs to its XRC domain, and nothing else that its creator had
 * outlives it there.
 */
static bool is_shared(const struct ib_qp *qp)
{
	return qp->qp_type == IB_QPT_XRC_TGT;
}

static void init_qp(struct ib_qp *qp, struct ib_pd *pd, const struct ib_qp_init_attr *attr)
{
	qp->real_qp = qp;
	qp->qp_type = attr->qp_type;
	qp->port = attr->port_num;
	qp->rwq_ind_tbl = attr->rwq_ind_tbl;
	if (is_shared(qp)) {
		qp->xrcd = attr->xrcd;
		qp->event_handler = rdma_shared_qp_event;
		qp->qp_context = qp;
	} else {
		qp->pd = pd;
		qp->send_cq = attr->send_cq;
		qp->recv_cq = attr->recv_cq;
		qp->srq = attr->srq;
		qp->event_handler = qp_event;
		qp->registered_event_handler = attr->event_handler;
		qp->qp_context = attr->qp_context;
	}

	spin_lock_init(&qp->mr_lock);
	INIT_LIST_HEAD(&qp->rdma_mrs);
	INIT_LIST_HEAD(&qp->sig_mrs);
	INIT_LIST_HEAD(&qp->open_list);
	init_completion(&qp->srq_completion);
}

/* The usecnts are the caller's business; @caller is NULL for a QP of the current process. */
struct ib_qp *rdma_qp_create(struct ib_device *device, struct ib_pd *pd,
			     struct ib_qp_init_attr *attr, struct ib_udata *udata,
			     struct ib_uqp_object *uobject, const char *caller)
{
	struct ib_qp *qp;
	int ret;

	if (!device->ops.create_qp)
		return ERR_PTR(-EOPNOTSUPP);
	qp = rdma_zalloc_drv_obj_numa(device, ib_qp);
	if (!qp)
		return ERR_PTR(-ENOMEM);

	qp->device = device;
	qp->uobject = uobject;
	init_qp(qp, pd, attr);
	rdma_restrack_new(&qp->res, RDMA_RESTRACK_QP);
	rdma_restrack_set_name(&qp->res, caller);

	ret = device->ops.create_qp(qp, attr, udata);
	if (ret) {
		rdma_restrack_put(&qp->res);
		kfree(qp);
		return ERR_PTR(ret);
	}
	/* mlx4_ib leaves CQs of its own there; those that count are the ones asked for. */
	qp->send_cq = is_shared(qp) ? NULL : attr->send_cq;
	qp->recv_cq = is_shared(qp) ? NULL : attr->recv_cq;
	rdma_restrack_add(&qp->res);
	return qp;
}

/**
 * ib_create_qp_user - create a QP for a user; for ib_uverbs
 * @device: the device
 * @pd: its PD; NULL for a QP that has none
 * @init_attr: what it shall be; returns what its queues can hold
 * @udata: the driver's part of the request
 * @uobject: the user's object
 * @caller: the owner's name of an XRC target QP, which outlives the process that created it
 *
 * The QP's references to other objects aren't counted before the caller does that, by
 * ib_qp_usecnt_inc(). Of an XRC target QP a handle is returned.
 *
 * Context: Sleeps.
 * Return: the QP or an ERR_PTR(): -EOPNOTSUPP, -ENOMEM, or what the driver returns.
 */
struct ib_qp *ib_create_qp_user(struct ib_device *device, struct ib_pd *pd,
				struct ib_qp_init_attr *init_attr, struct ib_udata *udata,
				struct ib_uqp_object *uobject, const char *caller)
{
	struct ib_qp *qp, *handle;

	if (init_attr->qp_type != IB_QPT_XRC_TGT)
		return rdma_qp_create(device, pd, init_attr, udata, uobject, NULL);

	qp = rdma_qp_create(device, pd, init_attr, NULL, NULL, caller);
	if (IS_ERR(qp))
		return qp;
	handle = rdma_share_qp(qp, init_attr);
	if (IS_ERR(handle))
		ib_destroy_qp(qp);
	else
		handle->uobject = uobject;
	return handle;
}
EXPORT_SYMBOL(ib_create_qp_user);

/**
 * ib_create_qp_kernel - create a QP for the kernel; called as ib_create_qp()
 * @pd: its PD
 * @qp_init_attr: what it shall be; returns what its queues can hold. With cap.max_rdma_ctxs set,
 *	and port_num, there will be room and MRs for as many transfers of rdma_rw_ctx_init().
 * @caller: the owner's name, for resource tracking
 *
 * Context: Sleeps.
 * Return: the QP or an ERR_PTR(): -EOPNOTSUPP, -ENOMEM, or what the driver returns.
 */
struct ib_qp *ib_create_qp_kernel(struct ib_pd *pd, struct ib_qp_init_attr *qp_init_attr,
				  const char *caller)
{
	struct ib_device *device = pd->device;
	struct ib_qp *qp;
	int ret = 0;

	if (qp_init_attr->cap.max_rdma_ctxs)
		rdma_rw_init_qp(device, qp_init_attr);
	qp = rdma_qp_create(device, pd, qp_init_attr, NULL, NULL, caller);
	if (IS_ERR(qp))
		return qp;
	ib_qp_usecnt_inc(qp);

	if (qp_init_attr->cap.max_rdma_ctxs)
		ret = rdma_rw_init_mrs(qp, qp_init_attr);
	if (ret) {
		ib_destroy_qp(qp);
		return ERR_PTR(ret);
	}
	/* Every device can WRITE as many SGEs as it can send, but not all can READ as many. */
	qp->max_write_sge = qp_init_attr->cap.max_send_sge;
	qp->max_read_sge = min_t(u32, qp->max_write_sge, device->attrs.max_sge_rd);
	qp->integrity_en = qp_init_attr->create_flags & IB_QP_CREATE_INTEGRITY_EN;
	return qp;
}
EXPORT_SYMBOL(ib_create_qp_kernel);
