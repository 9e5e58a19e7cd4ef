// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * CQs that several users share: for each device and polling context a list of them, on all
 * completion vectors. A user is given entries of one CQ, cqe_used counts them. The pools grow, and
 * are freed with the device.
 */

#include <linux/slab.h>

#include "verbs.h"

#define POOL_CQ_MIN_CQE 4096U

void rdma_cq_pools_init(struct ib_device *device)
{
	int i;

	spin_lock_init(&device->cq_pools_lock);
	for (i = 0; i < ARRAY_SIZE(device->cq_pools); i++)
		INIT_LIST_HEAD(&device->cq_pools[i]);
}

static void free_cqs(struct list_head *cqs)
{
	struct ib_cq *cq, *next;

	list_for_each_entry_safe(cq, next, cqs, pool_entry) {
		list_del(&cq->pool_entry);
		cq->shared = false;
		ib_free_cq(cq);
	}
}

/* No client is left: nobody gets or puts any more, so the lists need no lock. */
void rdma_cq_pools_destroy(struct ib_device *device)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(device->cq_pools); i++)
		free_cqs(&device->cq_pools[i]);
}

/* Spreading over more vectors than there are CPUs gains nothing. */
static unsigned int nr_vectors(const struct ib_device *device)
{
	return clamp_t(unsigned int, device->num_comp_vectors, 1, num_online_cpus());
}

/* One more CQ on each vector. */
static int grow(struct ib_device *device, unsigned int nr_cqe, enum ib_poll_context poll_ctx)
{
	unsigned int size = min_t(unsigned int, max(nr_cqe, POOL_CQ_MIN_CQE),
				  device->attrs.max_cqe);
	unsigned int vector;
	LIST_HEAD(cqs);

	for (vector = 0; vector < nr_vectors(device); vector++) {
		struct ib_cq *cq = ib_alloc_cq(device, NULL, size, vector, poll_ctx);

		if (IS_ERR(cq)) {
			free_cqs(&cqs);
			return PTR_ERR(cq);
		}
		cq->shared = true;
		list_add_tail(&cq->pool_entry, &cqs);
	}

	spin_lock_irq(&device->cq_pools_lock);
	list_splice(&cqs, &device->cq_pools[poll_ctx]);
	spin_unlock_irq(&device->cq_pools_lock);
	return 0;
}

/* The least used CQ on @vector with @nr_cqe entries to give; they are taken. */
static struct ib_cq *take(struct ib_device *device, unsigned int nr_cqe, unsigned int vector,
			  enum ib_poll_context poll_ctx)
{
	struct ib_cq *cq, *best = NULL;

	spin_lock_irq(&device->cq_pools_lock);
	list_for_each_entry(cq, &device->cq_pools[poll_ctx], pool_entry) {
		if (cq->comp_vector != vector || cq->cqe - cq->cqe_used < nr_cqe)
			continue;
		if (!best || cq->cqe_used < best->cqe_used)
			best = cq;
	}
	if (best)
		best->cqe_used += nr_cqe;
	spin_unlock_irq(&device->cq_pools_lock);
	return best;
}

/**
 * ib_cq_pool_get - get entries of a shared CQ
 * @dev: the device
 * @nr_cqe: how many
 * @comp_vector_hint: which completion vector; -1 for the next in turn
 * @poll_ctx: where the handlers run; not IB_POLL_DIRECT
 *
 * Context: Sleeps.
 * Return: the CQ, or an ERR_PTR(): -EINVAL for @poll_ctx, or for more entries than a CQ of this
 * device can have; errors of __ib_alloc_cq().
 */
struct ib_cq *ib_cq_pool_get(struct ib_device *dev, unsigned int nr_cqe, int comp_vector_hint,
			     enum ib_poll_context poll_ctx)
{
	static atomic_t next_vector;
	unsigned int vector = comp_vector_hint;
	struct ib_cq *cq;
	int ret;

	if (WARN_ON_ONCE(poll_ctx > IB_POLL_LAST_POOL_TYPE))
		return ERR_PTR(-EINVAL);
	if (nr_cqe > dev->attrs.max_cqe)
		return ERR_PTR(-EINVAL);
	if (comp_vector_hint < 0)
		vector = atomic_inc_return(&next_vector);
	vector %= nr_vectors(dev);

	/* Somebody else may be faster in taking what we have allocated. */
	while (!(cq = take(dev, nr_cqe, vector, poll_ctx))) {
		ret = grow(dev, nr_cqe, poll_ctx);
		if (ret)
			return ERR_PTR(ret);
	}
	return cq;
}
EXPORT_SYMBOL(ib_cq_pool_get);

/**
 * ib_cq_pool_put - give entries of a shared CQ back
 * @cq: what ib_cq_pool_get() returned
 * @nr_cqe: how many were asked for
 *
 * Context: Any.
 */
void ib_cq_pool_put(struct ib_cq *cq, unsigned int nr_cqe)
{
	unsigned long flags;

	spin_lock_irqsave(&cq->device->cq_pools_lock, flags);
	if (!WARN_ON_ONCE(nr_cqe > cq->cqe_used))
		cq->cqe_used -= nr_cqe;
	spin_unlock_irqrestore(&cq->device->cq_pools_lock, flags);
}
EXPORT_SYMBOL(ib_cq_pool_put);
