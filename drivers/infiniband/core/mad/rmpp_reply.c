// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What RMPP says by itself: acknowledgments, and that a transfer is over. */

#include "rmpp.h"

static struct mad_send *create(struct mad_agent *agent, const struct rmpp_peer *peer)
{
	int hdr_len = ib_get_mad_data_offset(peer->hdr->mad_hdr.mgmt_class);
	struct ib_mad_send_buf *buf;
	struct ib_rmpp_mad *mad;

	buf = ib_create_send_mad(&agent->agent, peer->src_qp, peer->pkey_index, 0, hdr_len,
				 IB_MGMT_MAD_SIZE - hdr_len, GFP_KERNEL, IB_MGMT_BASE_VERSION);
	if (IS_ERR(buf))
		return NULL;
	mad = buf->mad;
	memcpy(mad, peer->hdr, hdr_len);
	mad->mad_hdr.method ^= IB_MGMT_METHOD_RESP;
	mad->rmpp_hdr.rmpp_version = IB_MGMT_RMPP_VERSION;
	ib_set_rmpp_flags(&mad->rmpp_hdr, IB_MGMT_RMPP_FLAG_ACTIVE);
	return to_mad_send(buf);
}

/* @done is called in any case, and frees the reply. */
static void post(struct mad_send *reply, struct ib_ah *ah, rmpp_reply_done done, void *context)
{
	reply->buf.ah = ah;
	reply->internal_done = done;
	reply->internal_context = context;
	if (ib_post_send_mad(&reply->buf, NULL))
		done(reply);
}

/**
 * rmpp_ack - acknowledge segments
 * @agent: who has received them
 * @peer: who has sent them
 * @ah: the way there
 * @segment: all up to this one are here
 * @limit: there is room up to this one
 * @done: called when @ah isn't needed any more, maybe at once; frees the reply
 * @context: for @done: mad_send.internal_context
 *
 * An acknowledgment that can't be sent is one that got lost.
 *
 * Context: sleeps.
 *
 * Return: false if there's no memory, and @done won't be called.
 */
bool rmpp_ack(struct mad_agent *agent, const struct rmpp_peer *peer, struct ib_ah *ah, u32 segment,
	      u32 limit, rmpp_reply_done done, void *context)
{
	struct mad_send *reply = create(agent, peer);
	struct ib_rmpp_mad *mad;

	if (!reply)
		return false;
	mad = reply->buf.mad;
	mad->rmpp_hdr.rmpp_type = IB_MGMT_RMPP_TYPE_ACK;
	mad->rmpp_hdr.rmpp_status = IB_MGMT_RMPP_STATUS_SUCCESS;
	mad->rmpp_hdr.seg_num = cpu_to_be32(segment);
	mad->rmpp_hdr.paylen_newwin = cpu_to_be32(limit);
	post(reply, ah, done, context);
	return true;
}

static void free_with_ah(struct mad_send *reply)
{
	rdma_destroy_ah(reply->buf.ah, RDMA_DESTROY_AH_SLEEPABLE);
	ib_free_send_mad(&reply->buf);
}

/* Answers @recv_wc once, over an address handle of the reply's own. */
static void reply_once(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc, u8 type,
		       u8 status, u32 limit)
{
	struct rmpp_peer peer = {
		.hdr = rmpp_mad_of(recv_wc),
		.src_qp = recv_wc->wc->src_qp,
		.pkey_index = recv_wc->wc->pkey_index,
	};
	struct ib_rmpp_mad *mad;
	struct mad_send *reply;
	struct ib_ah *ah;

	ah = ib_create_ah_from_wc(agent->agent.qp->pd, recv_wc->wc, recv_wc->recv_buf.grh,
				  agent->agent.port_num);
	if (IS_ERR(ah))
		return;
	reply = create(agent, &peer);
	if (!reply) {
		rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
		return;
	}
	mad = reply->buf.mad;
	mad->rmpp_hdr.rmpp_type = type;
	mad->rmpp_hdr.rmpp_status = status;
	mad->rmpp_hdr.seg_num = 0;
	mad->rmpp_hdr.paylen_newwin = cpu_to_be32(limit);
	post(reply, ah, free_with_ah, NULL);
}

/**
 * rmpp_ack_ack - acknowledge the last acknowledgment of a request
 * @agent: who has sent the request
 * @recv_wc: the acknowledgment
 *
 * The peer's response may begin, and may be as long as one segment until it hears more.
 */
void rmpp_ack_ack(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc)
{
	reply_once(agent, recv_wc, IB_MGMT_RMPP_TYPE_ACK, IB_MGMT_RMPP_STATUS_SUCCESS, 1);
}

/**
 * rmpp_abort_peer - tell the peer that its transfer is over
 * @agent: who it was with
 * @recv_wc: the MAD that is the reason
 * @status: IB_MGMT_RMPP_STATUS_*
 */
void rmpp_abort_peer(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc, u8 status)
{
	reply_once(agent, recv_wc, IB_MGMT_RMPP_TYPE_ABORT, status, 0);
}
