// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* MRs that a QP's users take and give back: a list for each kind, ib_qp.rdma_mrs and sig_mrs. */

#include "verbs.h"

/**
 * ib_mr_pool_put - give an MR back
 * @qp: the pool's QP
 * @list: the pool
 * @mr: the MR
 *
 * Context: Any.
 */
void ib_mr_pool_put(struct ib_qp *qp, struct list_head *list, struct ib_mr *mr)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->mr_lock, flags);
	/* First in line again: its translation is the likeliest to be cached. */
	list_add(&mr->qp_entry, list);
	qp->mrs_used--;
	spin_unlock_irqrestore(&qp->mr_lock, flags);
}
EXPORT_SYMBOL(ib_mr_pool_put);

static struct ib_mr *take_first(struct list_head *list)
{
	struct ib_mr *mr = list_first_entry_or_null(list, struct ib_mr, qp_entry);

	if (mr)
		list_del(&mr->qp_entry);
	return mr;
}

/**
 * ib_mr_pool_get - take an MR
 * @qp: the pool's QP
 * @list: the pool
 *
 * Context: Any.
 * Return: the MR, or NULL if there is none left.
 */
struct ib_mr *ib_mr_pool_get(struct ib_qp *qp, struct list_head *list)
{
	unsigned long flags;
	struct ib_mr *mr;

	spin_lock_irqsave(&qp->mr_lock, flags);
	mr = take_first(list);
	qp->mrs_used += !!mr;
	spin_unlock_irqrestore(&qp->mr_lock, flags);
	return mr;
}
EXPORT_SYMBOL(ib_mr_pool_get);

/**
 * ib_mr_pool_init - fill a pool
 * @qp: the pool's QP
 * @list: the pool, an empty list
 * @nr: how many MRs
 * @type: of which type
 * @max_num_sg: as for ib_alloc_mr(), or ib_alloc_mr_integrity()
 * @max_num_meta_sg: for IB_MR_TYPE_INTEGRITY
 *
 * Context: Sleeps.
 * Return: 0, or what the allocation of an MR returned; the pool is empty then.
 */
int ib_mr_pool_init(struct ib_qp *qp, struct list_head *list, int nr, enum ib_mr_type type,
		    u32 max_num_sg, u32 max_num_meta_sg)
{
	struct ib_mr *mr;

	while (nr-- > 0) {
		if (type == IB_MR_TYPE_INTEGRITY)
			mr = ib_alloc_mr_integrity(qp->pd, max_num_sg, max_num_meta_sg);
		else
			mr = ib_alloc_mr(qp->pd, type, max_num_sg);
		if (IS_ERR(mr)) {
			ib_mr_pool_destroy(qp, list);
			return PTR_ERR(mr);
		}
		spin_lock_irq(&qp->mr_lock);
		list_add_tail(&mr->qp_entry, list);
		spin_unlock_irq(&qp->mr_lock);
	}
	return 0;
}
EXPORT_SYMBOL(ib_mr_pool_init);

/**
 * ib_mr_pool_destroy - free the MRs of a pool
 * @qp: the pool's QP
 * @list: the pool. Nobody uses it any more, and all its MRs have been given back.
 *
 * Context: Sleeps.
 */
void ib_mr_pool_destroy(struct ib_qp *qp, struct list_head *list)
{
	struct ib_mr *mr, *next;
	LIST_HEAD(mrs);

	spin_lock_irq(&qp->mr_lock);
	list_splice_init(list, &mrs);
	spin_unlock_irq(&qp->mr_lock);

	list_for_each_entry_safe(mr, next, &mrs, qp_entry)
		ib_dereg_mr(mr);
}
EXPORT_SYMBOL(ib_mr_pool_destroy);
