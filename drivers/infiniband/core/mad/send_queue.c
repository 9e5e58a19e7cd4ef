// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The send queue of a special QP. There's always room: what the queue can't take waits, in order,
 * until something has completed.
 */

#include <linux/slab.h>
#include <rdma/ib_verbs.h>

#include "mad.h"

/* ---- DMA mapping ---- */

static int map_one(struct ib_device *device, struct ib_sge *sge, void *data, u32 length)
{
	sge->length = length;
	sge->addr = ib_dma_map_single(device, data, length, DMA_TO_DEVICE);
	return ib_dma_mapping_error(device, sge->addr) ? -ENOMEM : 0;
}

static void unmap_one(struct ib_device *device, struct ib_sge *sge)
{
	ib_dma_unmap_single(device, sge->addr, sge->length, DMA_TO_DEVICE);
}

/* A whole MAD is one piece; of a segmented one, the headers and the segment sent last are two. */
static int map(struct mad_send *send)
{
	struct ib_device *device = send->agent->agent.device;
	bool segmented = mad_send_is_segmented(send);
	int ret;

	send->wr.wr.num_sge = segmented ? 2 : 1;
	ret = map_one(device, &send->sge[0], send->buf.mad,
		      segmented ? send->buf.hdr_len : IB_MGMT_MAD_SIZE);
	if (ret || !segmented)
		return ret;
	ret = map_one(device, &send->sge[1], xa_load(&send->segments, send->window.sent),
		      send->buf.seg_size);
	if (ret)
		unmap_one(device, &send->sge[0]);
	return ret;
}

static void unmap(struct mad_send *send)
{
	int i;

	for (i = 0; i < send->wr.wr.num_sge; i++)
		unmap_one(send->agent->agent.device, &send->sge[i]);
}

/* ---- the queue ---- */

/* Caller holds send_lock. */
static int post_locked(struct mad_qp *qp, struct mad_send *send)
{
	int ret = ib_post_send(qp->qp, &send->wr.wr, NULL);

	if (ret)
		return ret;
	list_add_tail(&send->queue_node, &qp->posted);
	qp->posted_count++;
	return 0;
}

static bool has_room(const struct mad_qp *qp)
{
	return qp->posted_count < mad_send_queue_size;
}

/**
 * mad_qp_post - give a MAD to the send queue
 * @qp: the special QP
 * @send: what to send
 *
 * Context: any.
 *
 * Return: 0: mad_send_completed() will be called; or a negative errno.
 */
int mad_qp_post(struct mad_qp *qp, struct mad_send *send)
{
	unsigned long flags;
	int ret;

	ret = map(send);
	if (ret)
		return ret;

	spin_lock_irqsave(&qp->send_lock, flags);
	send->repost = false;
	if (has_room(qp) && list_empty(&qp->overflow))
		ret = post_locked(qp, send);
	else
		list_add_tail(&send->queue_node, &qp->overflow);
	spin_unlock_irqrestore(&qp->send_lock, flags);
	if (ret)
		unmap(send);
	return ret;
}

/*
 * Posts the next of those that wait, or takes out one that can't be posted, or needn't because it
 * was canceled meanwhile. Returns whether there was one.
 */
static bool post_next(struct mad_qp *qp, struct mad_send **failed, int *error)
{
	struct mad_send *send = NULL;
	unsigned long flags;

	*failed = NULL;
	spin_lock_irqsave(&qp->send_lock, flags);
	if (has_room(qp))
		send = list_first_entry_or_null(&qp->overflow, struct mad_send, queue_node);
	if (send) {
		list_del(&send->queue_node);
		*error = -ECANCELED;
		if (READ_ONCE(send->state) != MAD_SEND_DECIDED_POSTED)
			*error = post_locked(qp, send);
		if (*error)
			*failed = send;
	}
	spin_unlock_irqrestore(&qp->send_lock, flags);
	return send;
}

static void drain_overflow(struct mad_qp *qp)
{
	struct mad_send *failed;
	int error;

	while (post_next(qp, &failed, &error)) {
		if (!failed)
			continue;
		if (error != -ECANCELED)
			ibdev_err_ratelimited(qp->port->device, "port %u: can't post a MAD: %d\n",
					      qp->port->port_num, error);
		unmap(failed);
		mad_send_completed(failed, IB_WC_LOC_QP_OP_ERR, 0);
	}
}

static void take_off(struct mad_qp *qp, struct mad_send *send)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->send_lock, flags);
	list_del(&send->queue_node);
	qp->posted_count--;
	spin_unlock_irqrestore(&qp->send_lock, flags);
	unmap(send);
}

/* ---- errors: the QP stops sending, all that's behind the failed one is flushed ---- */

/* Lets the QP send again; what is flushed behind the one that failed isn't to blame. */
static void recover(struct mad_qp *qp)
{
	struct ib_qp_attr *attr;
	struct mad_send *send;
	unsigned long flags;
	int ret = -ENOMEM;

	attr = kzalloc(sizeof(*attr), GFP_KERNEL);
	if (attr) {
		attr->qp_state = IB_QPS_RTS;
		attr->cur_qp_state = IB_QPS_SQE;
		ret = ib_modify_qp(qp->qp, attr, IB_QP_STATE | IB_QP_CUR_STATE);
		kfree(attr);
	}
	if (ret) {
		ibdev_err(qp->port->device, "port %u: QP%u can't leave its error state: %d\n",
			  qp->port->port_num, qp->qp->qp_num, ret);
		return;
	}

	spin_lock_irqsave(&qp->send_lock, flags);
	list_for_each_entry(send, &qp->posted, queue_node)
		send->repost = true;
	spin_unlock_irqrestore(&qp->send_lock, flags);
}

/* Posts again what was flushed only because of another one's failure. */
static bool repost(struct mad_qp *qp, struct mad_send *send)
{
	unsigned long flags;
	bool again;

	spin_lock_irqsave(&qp->send_lock, flags);
	again = send->repost && !ib_post_send(qp->qp, &send->wr.wr, NULL);
	send->repost = false;
	spin_unlock_irqrestore(&qp->send_lock, flags);
	return again;
}

/* Work completion of a send. Context: the CQ's worker. */
void mad_qp_send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct mad_send *send = container_of(wc->wr_cqe, struct mad_send, cqe);
	struct mad_qp *qp = send->qp;

	if (wc->status == IB_WC_WR_FLUSH_ERR) {
		if (repost(qp, send))
			return;
	} else if (wc->status != IB_WC_SUCCESS) {
		recover(qp);
	}
	take_off(qp, send);
	mad_send_completed(send, wc->status, wc->vendor_err);
	drain_overflow(qp);
}
