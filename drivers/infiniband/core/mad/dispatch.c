// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Received MADs: which agent they are for, and how it gets them. */

#include "mad.h"
#include "rmpp.h"

static struct mad_agent *find_by_request(struct mad_port *port, const struct ib_mad_hdr *hdr)
{
	struct mad_agent *agent;
	unsigned long flags;

	spin_lock_irqsave(&port->registry.lock, flags);
	agent = mad_registry_find(&port->registry, hdr);
	if (agent && !refcount_inc_not_zero(&agent->refs))
		agent = NULL;
	spin_unlock_irqrestore(&port->registry.lock, flags);
	return agent;
}

/**
 * mad_find_agent - find the agent that a MAD is for
 * @port: that it was received on
 * @hdr: the MAD
 *
 * A response belongs to the agent whose number is the upper half of the TID, whatever port it came
 * by; a request to the one that has registered for it.
 *
 * Return: the agent, referenced, or NULL.
 */
struct mad_agent *mad_find_agent(struct mad_port *port, const struct ib_mad_hdr *hdr)
{
	struct mad_agent *agent;

	agent = ib_response_mad(hdr) ? mad_agent_by_tid(hdr->tid) : find_by_request(port, hdr);
	if (!agent || agent->agent.recv_handler)
		return agent;
	mad_agent_put(agent);
	return NULL;
}

/* An agent that does RMPP by itself needs its peer's ACKs as well, which answer no send. */
static bool wants_unmatched(const struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_mad_hdr *hdr = &recv_wc->recv_buf.mad->mad_hdr;

	return !mad_agent_has_rmpp(agent) && ib_is_mad_class_rmpp(hdr->mgmt_class) &&
	       rmpp_is_active(rmpp_mad_of(recv_wc));
}

static struct mad_send *begin_answer(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc)
{
	struct mad_send *send;

	spin_lock_irq(&agent->lock);
	send = mad_send_answered_by(agent, recv_wc);
	if (send)
		mad_send_event(send, MAD_EVENT_ANSWER, IB_WC_SUCCESS, 0);
	spin_unlock_irq(&agent->lock);
	return send;
}

static void end_answer(struct mad_agent *agent, struct mad_send *send)
{
	bool done;

	spin_lock_irq(&agent->lock);
	done = mad_send_event(send, MAD_EVENT_HANDLED, IB_WC_SUCCESS, 0);
	spin_unlock_irq(&agent->lock);
	if (done)
		mad_send_finish(send);
}

/* The client gets the response before the completion of its request. */
static void deliver_response(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	struct mad_send *send = begin_answer(agent, recv_wc);

	if (send) {
		agent->agent.recv_handler(&agent->agent, &send->buf, recv_wc);
		end_answer(agent, send);
	} else if (wants_unmatched(agent, recv_wc)) {
		agent->agent.recv_handler(&agent->agent, NULL, recv_wc);
	} else {
		ib_free_recv_mad(recv_wc);
	}
}

/**
 * mad_deliver - give a received MAD to an agent
 * @agent: referenced; this drops the reference
 * @recv: the MAD, which becomes the agent's
 *
 * Context: process.
 */
void mad_deliver(struct mad_agent *agent, struct mad_recv *recv)
{
	struct ib_mad_recv_wc *recv_wc = &recv->recv_wc;

	if (mad_agent_has_rmpp(agent))
		recv_wc = rmpp_receive(agent, recv_wc);
	if (!recv_wc)
		goto out;
	if (ib_response_mad(&recv_wc->recv_buf.mad->mad_hdr))
		deliver_response(agent, recv_wc);
	else
		agent->agent.recv_handler(&agent->agent, NULL, recv_wc);
out:
	mad_agent_put(agent);
}
