// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues. */

#include "nullhca.h"

static int create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata)
{
	struct nullhca_queue *queue = &to_srq(ib)->queue;
	int ret = nullhca_pass(ib->device, NULLHCA_create_srq);

	if (ret)
		return ret;
	if (init->srq_type != IB_SRQT_BASIC && init->srq_type != IB_SRQT_XRC)
		return -EOPNOTSUPP;
	ret = nullhca_queue_init(queue, init->attr.max_wr, init->attr.max_sge);
	if (ret)
		return ret;
	queue->limit = init->attr.srq_limit;
	init->attr.max_wr = queue->size;
	init->attr.max_sge = queue->max_sge;
	return 0;
}

static int modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		      struct ib_udata *udata)
{
	struct nullhca_queue *queue = &to_srq(ib)->queue;
	int ret = nullhca_pass(ib->device, NULLHCA_modify_srq);

	if (ret)
		return ret;
	if (mask & IB_SRQ_MAX_WR)
		return -EOPNOTSUPP;
	if (mask & IB_SRQ_LIMIT) {
		if (attr->srq_limit > queue->size)
			return -EINVAL;
		spin_lock_irq(&queue->lock);
		queue->limit = attr->srq_limit;
		spin_unlock_irq(&queue->lock);
	}
	return 0;
}

static int query_srq(struct ib_srq *ib, struct ib_srq_attr *attr)
{
	struct nullhca_queue *queue = &to_srq(ib)->queue;
	int ret = nullhca_pass(ib->device, NULLHCA_query_srq);

	if (ret)
		return ret;
	attr->max_wr = queue->size;
	attr->max_sge = queue->max_sge;
	attr->srq_limit = READ_ONCE(queue->limit);
	return 0;
}

static int destroy_srq(struct ib_srq *ib, struct ib_udata *udata)
{
	int ret = nullhca_pass(ib->device, NULLHCA_destroy_srq);

	if (!ret)
		nullhca_queue_free(&to_srq(ib)->queue);
	return ret;
}

static int post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr,
			 const struct ib_recv_wr **bad_wr)
{
	int ret;

	for (; wr; wr = wr->next) {
		ret = nullhca_pass(ib->device, NULLHCA_post_srq_recv);
		if (!ret)
			ret = nullhca_queue_post(&to_srq(ib)->queue, wr);
		if (ret) {
			*bad_wr = wr;
			return ret;
		}
	}
	return 0;
}

const struct ib_device_ops nullhca_srq_ops = {
	.create_srq = create_srq,
	.modify_srq = modify_srq,
	.query_srq = query_srq,
	.destroy_srq = destroy_srq,
	.post_srq_recv = post_srq_recv,
	INIT_RDMA_OBJ_SIZE(ib_srq, nullhca_srq, ib),
};
