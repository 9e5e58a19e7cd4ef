// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Work queues: receive queues without a QP, for receive-side scaling. The driver owns them. */

#include "verbs.h"

/**
 * ib_create_wq - create a WQ for the kernel
 * @pd: its PD
 * @wq_attr: what it shall be; returns what it can hold
 *
 * Context: Sleeps.
 * Return: the WQ or an ERR_PTR(): -EOPNOTSUPP, or what the driver returns.
 */
struct ib_wq *ib_create_wq(struct ib_pd *pd, struct ib_wq_init_attr *wq_attr)
{
	struct ib_wq *wq;

	if (!pd->device->ops.create_wq)
		return ERR_PTR(-EOPNOTSUPP);
	wq = pd->device->ops.create_wq(pd, wq_attr, NULL);
	if (IS_ERR(wq))
		return wq;

	wq->device = pd->device;
	wq->pd = pd;
	wq->cq = wq_attr->cq;
	wq->uobject = NULL;
	wq->wq_type = wq_attr->wq_type;
	wq->event_handler = wq_attr->event_handler;
	wq->wq_context = wq_attr->wq_context;
	atomic_set(&wq->usecnt, 0);
	atomic_inc(&wq->pd->usecnt);
	atomic_inc(&wq->cq->usecnt);
	return wq;
}
EXPORT_SYMBOL(ib_create_wq);

/**
 * ib_destroy_wq_user - destroy a WQ
 * @wq: the WQ
 * @udata: of a user's WQ, else NULL
 *
 * Context: Sleeps.
 * Return: 0; -EBUSY while an indirection table uses it; or the driver's errno. There still is the
 * WQ then.
 */
int ib_destroy_wq_user(struct ib_wq *wq, struct ib_udata *udata)
{
	/* The driver frees the WQ. */
	struct ib_pd *pd = wq->pd;
	struct ib_cq *cq = wq->cq;
	int ret;

	if (atomic_read(&wq->usecnt))
		return -EBUSY;

	ret = wq->device->ops.destroy_wq(wq, udata);
	if (ret)
		return ret;
	atomic_dec(&cq->usecnt);
	atomic_dec(&pd->usecnt);
	return 0;
}
EXPORT_SYMBOL(ib_destroy_wq_user);
