// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Nothing is said of an object that is looked at, but the look can be made to last. */

#include "nullhca.h"

static int fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *mr)
{
	return nullhca_pass(mr->device, NULLHCA_fill_res_mr_entry);
}

static int fill_res_cq_entry(struct sk_buff *msg, struct ib_cq *cq)
{
	return nullhca_pass(cq->device, NULLHCA_fill_res_cq_entry);
}

static int fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *qp)
{
	return nullhca_pass(qp->device, NULLHCA_fill_res_qp_entry);
}

static int fill_res_srq_entry(struct sk_buff *msg, struct ib_srq *srq)
{
	return nullhca_pass(srq->device, NULLHCA_fill_res_srq_entry);
}

const struct ib_device_ops nullhca_tracking_ops = {
	.fill_res_mr_entry = fill_res_mr_entry,
	.fill_res_cq_entry = fill_res_cq_entry,
	.fill_res_qp_entry = fill_res_qp_entry,
	.fill_res_srq_entry = fill_res_srq_entry,
};
