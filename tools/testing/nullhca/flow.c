// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Flows, which steer nothing, and counters of them, which stay zero. */

#include <linux/slab.h>

#include "nullhca.h"

static struct ib_flow *create_flow(struct ib_qp *qp, struct ib_flow_attr *attr,
				   struct ib_udata *udata)
{
	struct ib_flow *flow;
	int ret = nullhca_pass(qp->device, NULLHCA_create_flow);

	if (ret)
		return ERR_PTR(ret);
	flow = kzalloc(sizeof(*flow), GFP_KERNEL);
	return flow ?: ERR_PTR(-ENOMEM);
}

static int destroy_flow(struct ib_flow *flow)
{
	int ret = nullhca_pass(flow->device, NULLHCA_destroy_flow);

	if (!ret)
		kfree(flow);
	return ret;
}

static int create_counters(struct ib_counters *counters, struct uverbs_attr_bundle *attrs)
{
	return nullhca_pass(counters->device, NULLHCA_create_counters);
}

static int destroy_counters(struct ib_counters *counters)
{
	return nullhca_pass(counters->device, NULLHCA_destroy_counters);
}

static int read_counters(struct ib_counters *counters, struct ib_counters_read_attr *attr,
			 struct uverbs_attr_bundle *attrs)
{
	return nullhca_pass(counters->device, NULLHCA_read_counters);
}

const struct ib_device_ops nullhca_flow_ops = {
	.create_flow = create_flow,
	.destroy_flow = destroy_flow,
	.create_counters = create_counters,
	.destroy_counters = destroy_counters,
	.read_counters = read_counters,
	INIT_RDMA_OBJ_SIZE(ib_counters, nullhca_counters, ib),
};
