// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The special QPs: QP0 for subnet management, QP1 for all other management. */

#include <linux/slab.h>

#include "mad.h"

static void refill(struct work_struct *work)
{
	struct mad_qp *qp = container_of(to_delayed_work(work), struct mad_qp, refill);

	mad_qp_fill_receives(qp, NULL);
}

void mad_qp_init(struct mad_qp *qp, struct mad_port *port)
{
	qp->port = port;
	spin_lock_init(&qp->send_lock);
	INIT_LIST_HEAD(&qp->posted);
	INIT_LIST_HEAD(&qp->overflow);
	spin_lock_init(&qp->recv_lock);
	INIT_LIST_HEAD(&qp->receives);
	INIT_DELAYED_WORK(&qp->refill, refill);
}

static void qp_event(struct ib_event *event, void *context)
{
	struct mad_qp *qp = context;

	ibdev_err(qp->port->device, "port %u: QP%u: %s\n", qp->port->port_num, qp->qp->qp_num,
		  ib_event_msg(event->event));
}

/**
 * mad_qp_create - make a special QP, and the agent that sends its answers
 * @qp: initialised
 * @type: IB_QPT_SMI or IB_QPT_GSI
 *
 * Context: sleeps.
 *
 * Return: 0 or a negative errno.
 */
int mad_qp_create(struct mad_qp *qp, enum ib_qp_type type)
{
	struct ib_qp_init_attr attr = {
		.send_cq = qp->port->cq,
		.recv_cq = qp->port->cq,
		.sq_sig_type = IB_SIGNAL_ALL_WR,
		.qp_type = type,
		.port_num = qp->port->port_num,
		.event_handler = qp_event,
		.qp_context = qp,
		.cap = {
			.max_send_wr = mad_send_queue_size,
			.max_recv_wr = mad_recv_queue_size,
			.max_send_sge = 2,
			.max_recv_sge = 1,
		},
	};
	int ret;

	qp->qp = ib_create_qp(qp->port->pd, &attr);
	if (IS_ERR(qp->qp)) {
		ret = PTR_ERR(qp->qp);
		qp->qp = NULL;
		return ret;
	}
	ret = mad_replier_create(qp);
	if (ret)
		mad_qp_destroy(qp);
	return ret;
}

static int to_rts(struct mad_qp *qp, struct ib_qp_attr *attr, u16 pkey_index)
{
	int ret;

	attr->qp_state = IB_QPS_INIT;
	attr->pkey_index = pkey_index;
	attr->qkey = mad_qp_is_smi(qp) ? 0 : IB_QP1_QKEY;
	ret = ib_modify_qp(qp->qp, attr, IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_QKEY);
	if (ret)
		return ret;
	attr->qp_state = IB_QPS_RTR;
	ret = ib_modify_qp(qp->qp, attr, IB_QP_STATE);
	if (ret)
		return ret;
	attr->qp_state = IB_QPS_RTS;
	attr->sq_psn = 0;
	return ib_modify_qp(qp->qp, attr, IB_QP_STATE | IB_QP_SQ_PSN);
}

/**
 * mad_qp_start - let a special QP send and receive
 * @qp: created
 * @pkey_index: of the default partition
 *
 * Context: sleeps.
 *
 * Return: 0 or a negative errno.
 */
int mad_qp_start(struct mad_qp *qp, u16 pkey_index)
{
	struct ib_qp_attr *attr;
	int ret;

	attr = kzalloc(sizeof(*attr), GFP_KERNEL);
	if (!attr)
		return -ENOMEM;
	ret = to_rts(qp, attr, pkey_index);
	kfree(attr);
	return ret ?: mad_qp_fill_receives(qp, NULL);
}

static bool is_sending(struct mad_qp *qp)
{
	unsigned long flags;
	bool sending;

	spin_lock_irqsave(&qp->send_lock, flags);
	sending = qp->posted_count || !list_empty(&qp->overflow);
	spin_unlock_irqrestore(&qp->send_lock, flags);
	return sending;
}

static void flush(struct mad_qp *qp)
{
	struct ib_qp_attr *attr = kzalloc(sizeof(*attr), GFP_KERNEL);

	if (!attr)
		return;
	attr->qp_state = IB_QPS_ERR;
	ib_modify_qp(qp->qp, attr, IB_QP_STATE);
	kfree(attr);
}

/*
 * Ends all sending: what is on the queue is flushed, so that the replier needn't wait for a
 * packet to leave. No receive completion is under way, so nothing new is sent. With nothing on the
 * queue the QP is left alone: to flush its receives, too, would be work for nothing.
 */
void mad_qp_stop(struct mad_qp *qp)
{
	if (is_sending(qp))
		flush(qp);
	cancel_delayed_work_sync(&qp->refill);
	mad_agent_destroy(qp->replier);
	qp->replier = NULL;
}

void mad_qp_destroy(struct mad_qp *qp)
{
	ib_destroy_qp(qp->qp);
	qp->qp = NULL;
}
