// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Directed-route MADs for this port itself: no packet can bring them there. The driver answers,
 * or an agent here gets them: a subnet manager asks its own port like any other. Completions come
 * from the port's work queue, as if there had been a packet.
 */

#include "mad.h"

static void fill_wc(struct ib_wc *wc, const struct mad_send *send, struct ib_qp *qp, u32 slid)
{
	*wc = (struct ib_wc) {
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = IB_MGMT_MAD_SIZE + sizeof(struct ib_grh),
		.qp = qp,
		.src_qp = 0,
		.slid = slid,
		.pkey_index = send->wr.pkey_index,
		.port_num = send->agent->agent.port_num,
	};
}

static int ask_driver(struct mad_send *send, struct mad_recv *reply)
{
	struct ib_mad_agent *agent = &send->agent->agent;
	const struct ib_smp *smp = send->buf.mad;
	size_t reply_len = IB_MGMT_MAD_SIZE;
	u16 pkey_index = 0;
	struct ib_wc wc;

	fill_wc(&wc, send, agent->qp, be16_to_cpu(smp->dr_slid));
	return agent->device->ops.process_mad(agent->device, 0, agent->port_num, &wc, NULL,
					      (const struct ib_mad *)smp, &reply->packet.mad,
					      &reply_len, &pkey_index);
}

/* Who gets something, what that is being in @reply. Referenced; NULL if there is nobody. */
static struct mad_agent *receiver_of(struct mad_send *send, struct mad_recv *reply, int result)
{
	struct mad_agent *agent = send->agent;

	if (result & IB_MAD_RESULT_CONSUMED)
		return NULL;
	if (!(result & IB_MAD_RESULT_REPLY)) {
		memcpy(&reply->packet.mad, send->buf.mad, IB_MGMT_MAD_SIZE);
		return mad_find_agent(agent->qp->port, &reply->packet.mad.mad_hdr);
	}
	if (!ib_response_mad(&reply->packet.mad.mad_hdr) || !agent->agent.recv_handler)
		return NULL;
	refcount_inc(&agent->refs);
	return agent;
}

static int queue_completion(struct mad_send *send)
{
	struct mad_agent *agent = send->agent;
	unsigned long flags;
	int ret = -ESHUTDOWN;

	spin_lock_irqsave(&agent->lock, flags);
	if (!agent->closing) {
		send->awaits = false;
		send->buf.retries = 0;
		mad_send_event(send, MAD_EVENT_POST_LOCAL, IB_WC_SUCCESS, 0);
		list_add_tail(&send->local_node, &agent->local);
		queue_work(agent->qp->port->wq, &agent->local_work);
		ret = 1;
	}
	spin_unlock_irqrestore(&agent->lock, flags);
	return ret;
}

static void drop_local(struct mad_send *send)
{
	kfree(send->local_reply);
	send->local_reply = NULL;
	if (send->local_receiver)
		mad_agent_put(send->local_receiver);
	send->local_receiver = NULL;
}

static int answer(struct mad_send *send)
{
	struct mad_recv *reply;
	int ret;

	reply = mad_recv_alloc(GFP_ATOMIC);
	if (!reply)
		return -ENOMEM;
	ret = ask_driver(send, reply);
	if (!(ret & IB_MAD_RESULT_SUCCESS)) {
		kfree(reply);
		return -EINVAL;
	}

	send->local_reply = reply;
	send->local_receiver = receiver_of(send, reply, ret);
	ret = queue_completion(send);
	if (ret < 0)
		drop_local(send);
	return ret;
}

/**
 * mad_send_directed - take a directed-route MAD's first step
 * @send: the MAD
 *
 * Context: any; it sleeps if the driver's process_mad does and the MAD is for this port itself.
 * Return: 0: it's to be posted; 1: it doesn't need a packet and will complete; -EINVAL for an
 * impossible route, or if the driver refuses the MAD; -ENOMEM; -ESHUTDOWN.
 */
int mad_send_directed(struct mad_send *send)
{
	const struct ib_mad_agent *agent = &send->agent->agent;
	struct ib_smp *smp = send->buf.mad;

	if (!mad_smi_send(smp, agent->port_num))
		return -EINVAL;
	if (!agent->device->ops.process_mad || !mad_smi_is_local(smp))
		return 0;
	return answer(send);
}

static void deliver(struct mad_send *send)
{
	struct ib_mad_agent *receiver = &send->local_receiver->agent;
	struct mad_recv *reply = send->local_reply;
	bool answers;

	answers = receiver == &send->agent->agent &&
		  ib_response_mad(&reply->packet.mad.mad_hdr);
	fill_wc(&reply->wc, send, receiver->qp, be16_to_cpu(IB_LID_PERMISSIVE));
	mad_recv_prepare(reply, false);
	send->local_reply = NULL;
	receiver->recv_handler(receiver, answers ? &send->buf : NULL, &reply->recv_wc);
}

static struct mad_send *take(struct mad_agent *agent)
{
	struct mad_send *send;

	spin_lock_irq(&agent->lock);
	send = list_first_entry_or_null(&agent->local, struct mad_send, local_node);
	if (send)
		list_del(&send->local_node);
	spin_unlock_irq(&agent->lock);
	return send;
}

static void complete_local(struct mad_agent *agent, struct mad_send *send)
{
	bool done;

	if (send->local_receiver)
		deliver(send);
	drop_local(send);
	spin_lock_irq(&agent->lock);
	done = mad_send_event(send, MAD_EVENT_HANDLED, IB_WC_SUCCESS, 0);
	spin_unlock_irq(&agent->lock);
	if (done)
		mad_send_finish(send);
}

/* Work of an agent: reports what was answered without a packet. */
void mad_local_work(struct work_struct *work)
{
	struct mad_agent *agent = container_of(work, struct mad_agent, local_work);
	struct mad_send *send;

	while ((send = take(agent))) {
		complete_local(agent, send);
		cond_resched();
	}
}
