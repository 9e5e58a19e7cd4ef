// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues (IBTA 10.2.9.4, annex 14 for those of XRC). */

#include <linux/slab.h>

#include "verbs.h"

/* +1 or -1 for each object that @srq refers to. */
static void count_uses(struct ib_srq *srq, int n)
{
	atomic_add(n, &srq->pd->usecnt);
	if (srq->ext.cq)
		atomic_add(n, &srq->ext.cq->usecnt);
	if (srq->srq_type == IB_SRQT_XRC && srq->ext.xrc.xrcd)
		atomic_add(n, &srq->ext.xrc.xrcd->usecnt);
}

/**
 * ib_create_srq_user - create an SRQ; called as ib_create_srq() for the kernel's own
 * @pd: its PD, whose owner becomes the SRQ's in resource tracking
 * @srq_init_attr: what it shall be; returns what it can hold
 * @uobject: the user's object, or NULL
 * @udata: the driver's part of a user's request, or NULL
 *
 * Context: Sleeps.
 * Return: the SRQ or an ERR_PTR(): -EOPNOTSUPP, -ENOMEM, or what the driver returns.
 */
struct ib_srq *ib_create_srq_user(struct ib_pd *pd, struct ib_srq_init_attr *srq_init_attr,
				  struct ib_usrq_object *uobject, struct ib_udata *udata)
{
	struct ib_srq *srq;
	int ret;

	if (!pd->device->ops.create_srq)
		return ERR_PTR(-EOPNOTSUPP);
	srq = rdma_zalloc_drv_obj(pd->device, ib_srq);
	if (!srq)
		return ERR_PTR(-ENOMEM);

	srq->device = pd->device;
	srq->pd = pd;
	srq->uobject = uobject;
	srq->event_handler = srq_init_attr->event_handler;
	srq->srq_context = srq_init_attr->srq_context;
	srq->srq_type = srq_init_attr->srq_type;
	if (ib_srq_has_cq(srq->srq_type))
		srq->ext.cq = srq_init_attr->ext.cq;
	if (srq->srq_type == IB_SRQT_XRC)
		srq->ext.xrc.xrcd = srq_init_attr->ext.xrc.xrcd;
	count_uses(srq, 1);

	rdma_restrack_new(&srq->res, RDMA_RESTRACK_SRQ);
	rdma_restrack_parent_name(&srq->res, &pd->res);
	ret = pd->device->ops.create_srq(srq, srq_init_attr, udata);
	if (ret) {
		rdma_restrack_put(&srq->res);
		count_uses(srq, -1);
		kfree(srq);
		return ERR_PTR(ret);
	}
	rdma_restrack_add(&srq->res);
	return srq;
}
EXPORT_SYMBOL(ib_create_srq_user);

/**
 * ib_modify_srq - change the size or the limit of an SRQ
 * @srq: the SRQ
 * @srq_attr: the attributes
 * @srq_attr_mask: which of them are given
 *
 * Context: Sleeps.
 * Return: 0, -EOPNOTSUPP, or what the driver returns.
 */
int ib_modify_srq(struct ib_srq *srq, struct ib_srq_attr *srq_attr,
		  enum ib_srq_attr_mask srq_attr_mask)
{
	if (!srq->device->ops.modify_srq)
		return -EOPNOTSUPP;
	return srq->device->ops.modify_srq(srq, srq_attr, srq_attr_mask, NULL);
}
EXPORT_SYMBOL(ib_modify_srq);

/**
 * ib_query_srq - the size and the limit of an SRQ
 * @srq: the SRQ
 * @srq_attr: returns the attributes
 *
 * Context: Sleeps.
 * Return: 0, -EOPNOTSUPP, or what the driver returns.
 */
int ib_query_srq(struct ib_srq *srq, struct ib_srq_attr *srq_attr)
{
	if (!srq->device->ops.query_srq)
		return -EOPNOTSUPP;
	return srq->device->ops.query_srq(srq, srq_attr);
}
EXPORT_SYMBOL(ib_query_srq);

/**
 * ib_destroy_srq_user - destroy an SRQ; called as ib_destroy_srq() for the kernel's own
 * @srq: the SRQ
 * @udata: of a user's SRQ, else NULL
 *
 * Context: Sleeps.
 * Return: 0; -EBUSY while a QP uses it; or the driver's errno. There still is the SRQ then.
 */
int ib_destroy_srq_user(struct ib_srq *srq, struct ib_udata *udata)
{
	int ret;

	if (atomic_read(&srq->usecnt))
		return -EBUSY;

	rdma_restrack_begin_del(&srq->res);
	ret = rdma_end_destroy(&srq->res, srq->device->ops.destroy_srq(srq, udata));
	if (ret)
		return ret;
	count_uses(srq, -1);
	kfree(srq);
	return 0;
}
EXPORT_SYMBOL(ib_destroy_srq_user);
