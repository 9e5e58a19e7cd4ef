// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Dynamic interrupt moderation of CQs: lib/dim decides, the driver's modify_cq is told. */

#include <linux/dim.h>
#include <linux/slab.h>
#include <trace/events/rdma_core.h>

#include "verbs.h"

/* From low latency to few interrupts: how long, and for how many completions, one may wait. */
static const struct {
	u16 usec;
	u16 comps;
} profiles[RDMA_DIM_PARAMS_NUM_PROFILES] = {
	{ 1, 1 }, { 1, 4 }, { 2, 4 }, { 2, 8 }, { 4, 8 }, { 16, 8 }, { 16, 16 }, { 32, 16 },
	{ 32, 32 },
};

static void apply_profile(struct work_struct *work)
{
	struct dim *dim = container_of(work, struct dim, work);
	struct ib_cq *cq = dim->priv;
	u16 comps = profiles[dim->profile_ix].comps;
	u16 usec = profiles[dim->profile_ix].usec;

	/* The next measurement begins with the profile that is being set. */
	dim->state = DIM_START_MEASURE;
	trace_cq_modify(cq, comps, usec);
	cq->device->ops.modify_cq(cq, comps, usec);
}

void rdma_cq_dim_init(struct ib_cq *cq)
{
	struct dim *dim;

	if (!cq->device->use_cq_dim || !cq->device->ops.modify_cq || cq->poll_ctx == IB_POLL_DIRECT)
		return;

	/* A CQ does without, too. */
	dim = kzalloc(sizeof(*dim), GFP_KERNEL);
	if (!dim)
		return;
	dim->priv = cq;
	dim->state = DIM_START_MEASURE;
	dim->tune_state = DIM_GOING_RIGHT;
	dim->profile_ix = RDMA_DIM_START_PROFILE;
	INIT_WORK(&dim->work, apply_profile);
	cq->dim = dim;
}

void rdma_cq_dim_destroy(struct ib_cq *cq)
{
	if (!cq->dim)
		return;
	cancel_work_sync(&cq->dim->work);
	kfree(cq->dim);
	cq->dim = NULL;
}
