// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: what they use, and their end. */

#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/rdma_counter.h>

#include "verbs.h"

/* +1 or -1 for each object that @qp refers to. */
static __always_inline void count_uses(struct ib_qp *qp, int n)
{
	if (qp->pd)
		atomic_add(n, &qp->pd->usecnt);
	if (qp->send_cq)
		atomic_add(n, &qp->send_cq->usecnt);
	if (qp->recv_cq)
		atomic_add(n, &qp->recv_cq->usecnt);
	if (qp->srq)
		atomic_add(n, &qp->srq->usecnt);
	if (qp->rwq_ind_tbl)
		atomic_add(n, &qp->rwq_ind_tbl->usecnt);
}

/**
 * ib_qp_usecnt_inc - count a new QP's references to other objects; for ib_uverbs
 * @qp: the QP
 *
 * Context: Any.
 */
void ib_qp_usecnt_inc(struct ib_qp *qp)
{
	count_uses(qp, 1);
}
EXPORT_SYMBOL(ib_qp_usecnt_inc);

/**
 * ib_qp_usecnt_dec - take that back
 * @qp: the QP; destroying it does this by itself
 *
 * Context: Any.
 */
void ib_qp_usecnt_dec(struct ib_qp *qp)
{
	count_uses(qp, -1);
}
EXPORT_SYMBOL(ib_qp_usecnt_dec);

/**
 * ib_destroy_qp_user - destroy a QP; called as ib_destroy_qp() for the kernel's own
 * @qp: the QP, or a handle of a shared one
 * @udata: of a user's QP, else NULL
 *
 * Context: Sleeps.
 * Return: 0; -EBUSY while it is attached to a multicast group, or open; or the driver's errno.
 * There still is the QP then.
 */
int ib_destroy_qp_user(struct ib_qp *qp, struct ib_udata *udata)
{
	int ret;

	WARN_ON_ONCE(qp->mrs_used > 0);
	if (atomic_read(&qp->usecnt))
		return -EBUSY;
	if (qp->real_qp != qp)
		return rdma_destroy_shared_qp(qp);

	rdma_restrack_begin_del(&qp->res);
	if (!qp->uobject)
		rdma_rw_cleanup_mrs(qp);
	rdma_counter_unbind_qp(qp, true);
	ret = rdma_end_destroy(&qp->res, qp->device->ops.destroy_qp(qp, udata));
	if (ret)
		return ret;

	if (qp->alt_path_sgid_attr)
		rdma_put_gid_attr(qp->alt_path_sgid_attr);
	if (qp->av_sgid_attr)
		rdma_put_gid_attr(qp->av_sgid_attr);
	ib_qp_usecnt_dec(qp);
	kfree(qp);
	return 0;
}
EXPORT_SYMBOL(ib_destroy_qp_user);
