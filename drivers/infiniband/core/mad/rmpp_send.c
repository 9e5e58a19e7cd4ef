// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RMPP, the side that sends: one segment at a time, as far as the peer's window goes. */

#include "rmpp.h"

static void next_segment(struct mad_send *send)
{
	struct ib_rmpp_hdr *hdr = &((struct ib_rmpp_mad *)send->buf.mad)->rmpp_hdr;
	struct rmpp_segment segment;

	send->window.sent++;
	segment = rmpp_segment(&send->window, send->window.sent, send->pad);
	ib_set_rmpp_flags(hdr, segment.flags);
	hdr->seg_num = cpu_to_be32(send->window.sent);
	hdr->paylen_newwin = cpu_to_be32(segment.paylen);
}

/* Who has sent a long request may have said how much of the response it takes at once. */
static u32 first_limit(const struct mad_send *send)
{
	const struct ib_mad_hdr *hdr = send->buf.mad;
	struct rdma_ah_attr attr = {};

	if (!(hdr->method & IB_MGMT_METHOD_RESP) || rdma_query_ah(send->buf.ah, &attr))
		return 1;
	return rmpp_reply_window(send->agent, hdr, rdma_ah_get_dlid(&attr));
}

/* Makes the first segment the one to be posted. Caller holds the agent's lock, as for all here. */
void rmpp_send_begin(struct mad_send *send)
{
	send->window = (struct rmpp_window) {
		.segments = send->buf.seg_count,
		.limit = first_limit(send),
	};
	next_segment(send);
}

/* Makes the first segment that the peer hasn't acknowledged the one to be posted. */
void rmpp_send_rewind(struct mad_send *send)
{
	rmpp_window_rewind(&send->window);
	next_segment(send);
}

/**
 * rmpp_segment_sent - a segment has left; post the next one if it may go
 * @send: the message
 *
 * Return: MAD_EVENT_RESEND if there is another segment on its way; else the acknowledgment is
 * awaited, also of a segment that couldn't be posted: it is sent again when that doesn't come.
 */
enum mad_send_event rmpp_segment_sent(struct mad_send *send)
{
	if (!rmpp_window_open(&send->window))
		return MAD_EVENT_SENT_AWAITS;
	next_segment(send);
	return mad_qp_post(send->qp, send) ? MAD_EVENT_SENT_AWAITS : MAD_EVENT_RESEND;
}

/* More may be sent. While a segment is on its way, its completion sees to that. */
static void go_on(struct mad_send *send)
{
	if (send->state == MAD_SEND_WAITING &&
	    rmpp_segment_sent(send) == MAD_EVENT_RESEND)
		mad_send_event(send, MAD_EVENT_RESEND, IB_WC_SUCCESS, 0);
}

/* The peer has everything. Returns whether that's all that was to be done. */
static bool all_acked(struct mad_send *send)
{
	if (!send->buf.timeout_ms)
		return mad_send_event(send, MAD_EVENT_ACKED, IB_WC_SUCCESS, 0);
	if (send->state == MAD_SEND_WAITING)
		mad_send_wait(send);
	return false;
}

/**
 * struct ack_outcome - what is left to do about an ACK without the lock
 * @beyond: it acknowledges what was never sent
 * @answer: it's to be acknowledged in turn
 * @finished: the send that it completes
 */
struct ack_outcome {
	bool beyond;
	bool answer;
	struct mad_send *finished;
};

static struct ack_outcome apply_ack(struct mad_send *send, u32 segment, u32 limit)
{
	struct ack_outcome outcome = {};
	u32 acked = send->window.acked;

	if (!mad_send_is_segmented(send))
		return outcome;
	if (rmpp_window_acked(&send->window)) {
		outcome.answer = true;	/* ours got lost */
		return outcome;
	}

	switch (rmpp_window_ack(&send->window, segment, limit)) {
	case RMPP_ACK_BEYOND:
		outcome.beyond = true;
		break;
	case RMPP_ACK_STALE:
		break;
	case RMPP_ACK_PROGRESS:
		if (send->window.acked > acked)
			send->retries_left = send->max_retries;
		go_on(send);
		break;
	case RMPP_ACK_COMPLETE:
		outcome.answer = send->buf.timeout_ms;
		if (all_acked(send))
			outcome.finished = send;
		break;
	}
	return outcome;
}

/**
 * rmpp_receive_ack - an acknowledgment was received
 * @agent: by this agent
 * @recv_wc: the acknowledgment, stays the caller's
 *
 * Context: process.
 *
 * Return: false if it acknowledges what was never sent.
 */
bool rmpp_receive_ack(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_rmpp_hdr *hdr = &rmpp_mad_of(recv_wc)->rmpp_hdr;
	u32 segment = be32_to_cpu(hdr->seg_num);
	u32 limit = be32_to_cpu(hdr->paylen_newwin);
	struct ack_outcome outcome = {};
	struct mad_send *send;

	spin_lock_irq(&agent->lock);
	send = mad_send_answered_by(agent, recv_wc);
	if (send)
		outcome = apply_ack(send, segment, limit);
	else if (!segment)
		rmpp_receive_peer_ack(agent, recv_wc, limit);
	spin_unlock_irq(&agent->lock);

	if (outcome.answer)
		rmpp_ack_ack(agent, recv_wc);
	if (outcome.finished)
		mad_send_finish(outcome.finished);
	return !outcome.beyond;
}

/**
 * rmpp_abort_send - end a transfer that can't be completed
 * @agent: who sends
 * @recv_wc: the MAD that is the reason; if it doesn't belong to a transfer under way it's ignored
 * @status: IB_MGMT_RMPP_STATUS_*; the client gets it as vendor_err
 */
void rmpp_abort_send(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc, u8 status)
{
	struct mad_send *send;
	bool done = false;

	spin_lock_irq(&agent->lock);
	send = mad_send_answered_by(agent, recv_wc);
	if (send && mad_send_is_segmented(send) && !rmpp_window_acked(&send->window))
		done = mad_send_event(send, MAD_EVENT_ABORT, IB_WC_REM_ABORT_ERR, status);
	spin_unlock_irq(&agent->lock);
	if (done)
		mad_send_finish(send);
}
