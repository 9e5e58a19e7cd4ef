// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Sends, from posting to completion. Their states are in send_state.c. */

#include <linux/export.h>
#include <linux/jiffies.h>
#include <rdma/ib_cache.h>

#include "mad.h"
#include "rmpp.h"

/* How long to wait for the answer to what was just sent. */
static unsigned long patience(const struct mad_send *send)
{
	unsigned int ms = send->buf.timeout_ms;

	if (mad_send_is_segmented(send) && !rmpp_window_acked(&send->window))
		ms = ms ? min(ms, RMPP_SEGMENT_TIMEOUT_MS) : RMPP_SEGMENT_TIMEOUT_MS;
	return msecs_to_jiffies(ms);
}

static void start_timer(struct mad_send *send, unsigned long delay)
{
	struct mad_agent *agent = send->agent;

	if (mad_timer_start(&agent->send_timers, &send->timer, jiffies + delay))
		mad_agent_arm(agent);
}

/* Waits for the answer to what was just sent. @send is waiting, and the caller holds the lock. */
void mad_send_wait(struct mad_send *send)
{
	start_timer(send, patience(send));
}

static void begin(struct mad_send *send)
{
	send->status = IB_WC_SUCCESS;
	send->vendor_err = 0;
	list_add_tail(&send->agent_node, &send->agent->sends);
	if (send->awaits)
		mad_match_insert(&send->agent->match, send);
}

static void end(struct mad_send *send)
{
	list_del_init(&send->agent_node);
	mad_match_remove(&send->agent->match, send);
}

/**
 * mad_send_event - tell a send that something has happened
 * @send: the send
 * @event: what has happened
 * @status: if @event decides the outcome: with which status the send completes
 * @vendor_err: details of @status
 *
 * Context: any; the caller holds the agent's lock.
 *
 * Return: true if the send is done: the caller calls mad_send_finish(), without the lock.
 */
bool mad_send_event(struct mad_send *send, enum mad_send_event event, enum ib_wc_status status,
		    u32 vendor_err)
{
	struct mad_transition to = mad_send_transition(send->state, event);
	bool begins = event == MAD_EVENT_POST || event == MAD_EVENT_POST_LOCAL;

	lockdep_assert_held(&send->agent->lock);
	if (WARN_ON_ONCE(!to.valid))
		return false;
	if (begins)
		begin(send);
	if (to.decides) {
		send->status = status;
		send->vendor_err = vendor_err;
	}

	WRITE_ONCE(send->state, to.next);
	if (to.next == MAD_SEND_WAITING)
		mad_send_wait(send);
	else if (to.next == MAD_SEND_CANCELED)
		start_timer(send, 0);
	else
		mad_timer_stop(&send->agent->send_timers, &send->timer);

	if (to.next == MAD_SEND_DONE)
		end(send);
	return to.next == MAD_SEND_DONE;
}

/* Tells the client, who may free the send. Context: process, no lock held. */
void mad_send_finish(struct mad_send *send)
{
	struct ib_mad_agent *agent = &send->agent->agent;
	struct ib_mad_send_wc send_wc = {
		.send_buf = &send->buf,
		.status = send->status,
		.vendor_err = send->vendor_err,
	};

	if (send->internal_done)
		send->internal_done(send);
	else
		agent->send_handler(agent, &send_wc);
}

static enum mad_send_event sent_event(struct mad_send *send, enum ib_wc_status status)
{
	if (status != IB_WC_SUCCESS)
		return MAD_EVENT_SEND_ERROR;
	if (!send->awaits)
		return MAD_EVENT_SENT;
	if (mad_send_is_segmented(send) && send->state == MAD_SEND_POSTED)
		return rmpp_segment_sent(send);
	return MAD_EVENT_SENT_AWAITS;
}

/**
 * mad_send_completed - the send queue is done with a send
 * @send: the send
 * @status: of its work request
 * @vendor_err: of its work request
 *
 * Context: process.
 */
void mad_send_completed(struct mad_send *send, enum ib_wc_status status, u32 vendor_err)
{
	struct mad_agent *agent = send->agent;
	unsigned long flags;
	bool done;

	spin_lock_irqsave(&agent->lock, flags);
	done = mad_send_event(send, sent_event(send, status), status, vendor_err);
	spin_unlock_irqrestore(&agent->lock, flags);
	if (done)
		mad_send_finish(send);
}

/* ---- matching ---- */

static int sent_route(const struct mad_send *send, struct mad_route *route)
{
	struct rdma_ah_attr attr = {};
	int ret;

	ret = rdma_query_ah(send->buf.ah, &attr);
	if (ret)
		return ret;

	route->response = ib_response_mad(send->buf.mad);
	route->grh = rdma_ah_get_ah_flags(&attr) & IB_AH_GRH;
	route->remote_lid = rdma_ah_get_dlid(&attr);
	route->path_bits = rdma_ah_get_path_bits(&attr);
	if (!route->grh)
		return 0;
	route->remote_gid = rdma_ah_read_grh(&attr)->dgid;
	return rdma_query_gid(send->agent->agent.device, send->agent->agent.port_num,
			      rdma_ah_read_grh(&attr)->sgid_index, &route->local_gid);
}

static void received_route(const struct ib_mad_recv_wc *recv_wc, struct mad_route *route)
{
	const struct ib_wc *wc = recv_wc->wc;

	route->response = ib_response_mad(&recv_wc->recv_buf.mad->mad_hdr);
	route->grh = wc->wc_flags & IB_WC_GRH;
	route->remote_lid = wc->slid;
	route->path_bits = wc->dlid_path_bits;
	if (!route->grh)
		return;
	route->local_gid = recv_wc->recv_buf.grh->dgid;
	route->remote_gid = recv_wc->recv_buf.grh->sgid;
}

/* Whether the address fits; where a directed route ends, addresses say nothing. */
static bool same_peer(const struct mad_send *send, const void *context)
{
	const struct ib_mad_recv_wc *recv_wc = context;
	const struct ib_mad_agent *agent = &send->agent->agent;
	struct mad_route sent = {}, received = {};
	u8 lmc;

	if (send->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		return true;
	if (sent_route(send, &sent) || ib_get_cached_lmc(agent->device, agent->port_num, &lmc))
		return false;
	received_route(recv_wc, &received);
	return mad_routes_match(&sent, &received, lmc);
}

/**
 * mad_send_answered_by - find the send that a MAD answers
 * @agent: whose send; the caller holds its lock
 * @recv_wc: the MAD
 *
 * Return: a send whose outcome is open, or NULL.
 */
struct mad_send *mad_send_answered_by(struct mad_agent *agent,
				      const struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_mad_hdr *hdr = &recv_wc->recv_buf.mad->mad_hdr;

	return mad_match_find(&agent->match, hdr->tid, hdr->mgmt_class, same_peer, recv_wc);
}

/* ---- what clients call ---- */

static int check(const struct mad_send *send)
{
	const struct ib_mad_agent *agent = &send->agent->agent;
	const struct ib_mad_hdr *hdr = send->buf.mad;

	if (!agent->send_handler || (send->buf.timeout_ms && !agent->recv_handler))
		return -EINVAL;
	return agent->rmpp_version && !ib_is_mad_class_rmpp(hdr->mgmt_class) ? -EINVAL : 0;
}

/*
 * The agent's lock is held while the MAD is posted: nobody sees it on the wire before it can be
 * found, nor can it be found when posting fails.
 */
static int post(struct mad_send *send)
{
	struct mad_agent *agent = send->agent;
	unsigned long flags;
	int ret = -ESHUTDOWN;

	spin_lock_irqsave(&agent->lock, flags);
	if (!agent->closing) {
		if (mad_send_is_segmented(send))
			rmpp_send_begin(send);
		ret = mad_qp_post(send->qp, send);
	}
	if (!ret) {
		send->max_retries = send->buf.retries;
		send->retries_left = send->buf.retries;
		send->buf.retries = 0;
		mad_send_event(send, MAD_EVENT_POST, IB_WC_SUCCESS, 0);
	}
	spin_unlock_irqrestore(&agent->lock, flags);
	return ret;
}

static int post_one(struct mad_send *send)
{
	const struct ib_mad_hdr *hdr = send->buf.mad;
	int ret;

	ret = check(send);
	if (ret)
		return ret;

	send->wr.ah = send->buf.ah;
	send->tid = hdr->tid;
	send->mgmt_class = hdr->mgmt_class;
	send->awaits = send->buf.timeout_ms || mad_send_is_segmented(send);
	if (hdr->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE) {
		ret = mad_send_directed(send);
		if (ret)
			return ret < 0 ? ret : 0;
	}
	return post(send);
}

/**
 * ib_post_send_mad - send MADs
 * @send_buf: the first of a list, linked by @next. Each is the client's again when its agent's
 *	send_handler is called for it, which happens exactly once
 * @bad_send_buf: NULL, or set to the first that isn't sent, in case of an error
 *
 * With @timeout_ms, a response is awaited that long, after each try; there are @retries tries more
 * than one. The response is given to recv_handler before send_handler is called. @retries counts
 * those that were needed. Handlers are called from process context, never from in here.
 *
 * Context: any; where a directed route ends at this port itself, it may sleep.
 *
 * Return: 0; -EINVAL for a MAD that the agent can't send, or whose directed route is impossible;
 * -ENOMEM; -ESHUTDOWN while the agent is unregistered; or the driver's error.
 */
int ib_post_send_mad(struct ib_mad_send_buf *send_buf, struct ib_mad_send_buf **bad_send_buf)
{
	struct ib_mad_send_buf *next;
	int ret;

	for (; send_buf; send_buf = next) {
		next = send_buf->next;	/* once posted, it may be gone */
		ret = post_one(to_mad_send(send_buf));
		if (!ret)
			continue;
		if (bad_send_buf)
			*bad_send_buf = send_buf;
		return ret;
	}
	return 0;
}
EXPORT_SYMBOL(ib_post_send_mad);

/**
 * ib_modify_mad - change how long a response is awaited, or cancel
 * @send_buf: posted, or NULL
 * @timeout_ms: time to wait for a response from now on; 0 to cancel: the send completes soon, with
 *	IB_WC_WR_FLUSH_ERR, from another context
 *
 * Context: any.
 *
 * Return: 0, or -EINVAL if it isn't posted, was answered or canceled.
 */
int ib_modify_mad(struct ib_mad_send_buf *send_buf, u32 timeout_ms)
{
	struct mad_send *send;
	unsigned long flags;
	int ret = -EINVAL;

	if (!send_buf)
		return -EINVAL;
	send = to_mad_send(send_buf);

	spin_lock_irqsave(&send->agent->lock, flags);
	if (mad_send_open(send->state)) {
		send->buf.timeout_ms = timeout_ms;
		if (!timeout_ms)
			mad_send_event(send, MAD_EVENT_CANCEL, IB_WC_WR_FLUSH_ERR, 0);
		else if (send->state == MAD_SEND_WAITING)
			start_timer(send, msecs_to_jiffies(timeout_ms));
		ret = 0;
	}
	spin_unlock_irqrestore(&send->agent->lock, flags);
	return ret;
}
EXPORT_SYMBOL(ib_modify_mad);
