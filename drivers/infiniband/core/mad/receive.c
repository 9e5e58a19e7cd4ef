// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The receive queue of a special QP, and what becomes of what it brings. */

#include <linux/export.h>
#include <linux/slab.h>

#include "mad.h"

#define REFILL_DELAY_MS	100

/* ---- buffers ---- */

struct mad_recv *mad_recv_alloc(gfp_t gfp)
{
	return kzalloc(sizeof(struct mad_recv), gfp);
}

/* Makes a received MAD what a client expects. @grh: there may be a global routing header. */
void mad_recv_prepare(struct mad_recv *recv, bool grh)
{
	struct ib_mad_recv_wc *recv_wc = &recv->recv_wc;

	recv_wc->wc = &recv->wc;
	recv_wc->recv_buf.mad = &recv->packet.mad;
	recv_wc->recv_buf.grh = grh ? &recv->packet.grh : NULL;
	recv_wc->mad_len = IB_MGMT_MAD_SIZE;
	recv_wc->mad_seg_size = IB_MGMT_MAD_SIZE;
	INIT_LIST_HEAD(&recv_wc->rmpp_list);
	list_add(&recv_wc->recv_buf.list, &recv_wc->rmpp_list);
}

/**
 * ib_free_recv_mad - free a received MAD
 * @mad_recv_wc: the MAD, or the first of its segments, all of which are freed
 *
 * Context: any.
 */
void ib_free_recv_mad(struct ib_mad_recv_wc *mad_recv_wc)
{
	struct ib_mad_recv_buf *buf, *next;
	LIST_HEAD(segments);

	/* The list's head is in the first segment. */
	list_splice_init(&mad_recv_wc->rmpp_list, &segments);
	list_for_each_entry_safe(buf, next, &segments, list)
		kfree(container_of(buf, struct mad_recv, recv_wc.recv_buf));
}
EXPORT_SYMBOL(ib_free_recv_mad);

static int map(struct mad_qp *qp, struct mad_recv *recv)
{
	recv->dma = ib_dma_map_single(qp->port->device, &recv->packet, sizeof(recv->packet),
				      DMA_FROM_DEVICE);
	return ib_dma_mapping_error(qp->port->device, recv->dma) ? -ENOMEM : 0;
}

static void unmap(struct mad_qp *qp, struct mad_recv *recv)
{
	ib_dma_unmap_single(qp->port->device, recv->dma, sizeof(recv->packet), DMA_FROM_DEVICE);
}

/* ---- posting ---- */

/* All the room that there is. */
static int reserve(struct mad_qp *qp)
{
	unsigned long flags;
	int room;

	spin_lock_irqsave(&qp->recv_lock, flags);
	room = mad_recv_queue_size - qp->receive_count;
	qp->receive_count = mad_recv_queue_size;
	spin_unlock_irqrestore(&qp->recv_lock, flags);
	return room;
}

static void unreserve(struct mad_qp *qp, int room)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->recv_lock, flags);
	qp->receive_count -= room;
	spin_unlock_irqrestore(&qp->recv_lock, flags);
}

/* Once posted it can complete at any time, so it's in the list before. */
static void list_receive(struct mad_qp *qp, struct mad_recv *recv)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->recv_lock, flags);
	list_add_tail(&recv->node, &qp->receives);
	spin_unlock_irqrestore(&qp->recv_lock, flags);
}

static void unlist_receive(struct mad_qp *qp, struct mad_recv *recv)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->recv_lock, flags);
	list_del(&recv->node);
	qp->receive_count--;
	spin_unlock_irqrestore(&qp->recv_lock, flags);
	unmap(qp, recv);
}

static void receive_done(struct ib_cq *cq, struct ib_wc *wc);

/* Posts a buffer for which there is room. In case of an error the buffer is the caller's again. */
static int post_receive(struct mad_qp *qp, struct mad_recv *recv)
{
	struct ib_sge sge = {
		.length = sizeof(recv->packet),
		.lkey = qp->port->pd->local_dma_lkey,
	};
	struct ib_recv_wr wr = { .wr_cqe = &recv->cqe, .sg_list = &sge, .num_sge = 1 };
	int ret;

	ret = map(qp, recv);
	if (ret) {
		unreserve(qp, 1);
		return ret;
	}
	recv->qp = qp;
	recv->cqe.done = receive_done;
	sge.addr = recv->dma;
	list_receive(qp, recv);
	ret = ib_post_recv(qp->qp, &wr, NULL);
	if (ret)
		unlist_receive(qp, recv);
	return ret;
}

/**
 * mad_qp_fill_receives - fill the receive queue
 * @qp: the special QP
 * @spare: a buffer to begin with, or NULL; consumed
 *
 * Context: sleeps.
 *
 * Return: 0, or the errno of the first failure; the rest is then tried again soon.
 */
int mad_qp_fill_receives(struct mad_qp *qp, struct mad_recv *spare)
{
	struct mad_recv *recv = spare;
	int room, ret = 0;

	for (room = reserve(qp); room && !ret; room--) {
		recv = recv ?: mad_recv_alloc(GFP_KERNEL);
		if (!recv) {
			ret = -ENOMEM;
			break;
		}
		ret = post_receive(qp, recv);
		if (!ret)
			recv = NULL;
	}
	if (room)
		unreserve(qp, room);
	kfree(recv);
	if (ret)
		queue_delayed_work(qp->port->wq, &qp->refill, msecs_to_jiffies(REFILL_DELAY_MS));
	return ret;
}

/* Frees what is still on the queue of a QP that is no more. Nobody else looks at the list. */
void mad_qp_free_receives(struct mad_qp *qp)
{
	struct mad_recv *recv, *next;

	list_for_each_entry_safe(recv, next, &qp->receives, node) {
		unmap(qp, recv);
		kfree(recv);
	}
}

/* ---- what becomes of a MAD ---- */

/* Gives a MAD to @agent, if there is a buffer to take its place on the queue. */
static struct mad_recv *hand_over(struct mad_agent *agent, struct mad_recv *recv)
{
	struct mad_recv *spare = mad_recv_alloc(GFP_KERNEL);

	if (!spare) {
		mad_agent_put(agent);
		return recv;
	}
	mad_recv_prepare(recv, true);
	mad_deliver(agent, recv);
	return spare;
}

static int ask_driver(struct mad_port *port, const struct mad_recv *recv, struct ib_mad *reply)
{
	size_t reply_len = IB_MGMT_MAD_SIZE;
	u16 pkey_index = 0;

	if (!port->device->ops.process_mad)
		return IB_MAD_RESULT_SUCCESS;
	return port->device->ops.process_mad(port->device, 0, port->port_num, &recv->wc,
					     &recv->packet.grh, &recv->packet.mad, reply,
					     &reply_len, &pkey_index);
}

static bool acceptable(struct mad_qp *qp, struct mad_recv *recv)
{
	struct ib_mad *mad = &recv->packet.mad;

	if (!mad_acceptable(&mad->mad_hdr, mad_qp_is_smi(qp)))
		return false;
	return mad->mad_hdr.mgmt_class != IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE ||
	       mad_smi_receive((struct ib_smp *)mad, qp->port->port_num);
}

/*
 * The driver is asked first; then an agent; and a query that nobody knows is answered so, unless
 * the driver wants it ignored, as those with a wrong M_Key are. Returns the buffer that may be
 * posted again: @recv, or another one in its place.
 */
static struct mad_recv *handle(struct mad_qp *qp, struct mad_recv *recv)
{
	struct ib_mad reply = {};
	struct mad_agent *agent;
	int result;

	if (!acceptable(qp, recv))
		return recv;
	result = ask_driver(qp->port, recv, &reply);
	if (result & IB_MAD_RESULT_SUCCESS) {
		if (result & IB_MAD_RESULT_CONSUMED)
			return recv;
		if (result & IB_MAD_RESULT_REPLY)
			goto reply;
	}

	agent = mad_find_agent(qp->port, &recv->packet.mad.mad_hdr);
	if (agent)
		return hand_over(agent, recv);
	if (!(result & IB_MAD_RESULT_SUCCESS) || !mad_make_unsupported(&reply, &recv->packet.mad))
		return recv;
reply:
	mad_reply(qp, &recv->wc, &recv->packet.grh, &reply);
	return recv;
}

/*
 * Work completion of a receive. Context: the CQ's worker. Of a closing port, or of a QP that is in
 * error, the buffer stays where it is until the QP is destroyed.
 */
static void receive_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct mad_recv *recv = container_of(wc->wr_cqe, struct mad_recv, cqe);
	struct mad_qp *qp = recv->qp;

	if (wc->status != IB_WC_SUCCESS || !refcount_inc_not_zero(&qp->port->receivers))
		return;

	unlist_receive(qp, recv);
	recv->wc = *wc;
	mad_qp_fill_receives(qp, handle(qp, recv));
	if (refcount_dec_and_test(&qp->port->receivers))
		complete(&qp->port->quiet);
}
