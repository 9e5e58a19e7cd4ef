/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* RMPP, the protocol that carries long MADs in segments: IBTA volume 1, chapter 13.6. */
#ifndef RDMA_MAD_RMPP_H
#define RDMA_MAD_RMPP_H

#include "mad.h"

#define RMPP_SEGMENT_TIMEOUT_MS	2000	/* for an acknowledgment, at most */
#define RMPP_RECEIVE_TIMEOUT_MS	40000	/* for the whole message */
#define RMPP_REMEMBER_MS	10000	/* a complete message, to acknowledge it again */
#define RMPP_MAX_RECEIVES	512	/* of an agent, at a time: anybody can begin one */
#define RMPP_MAX_REMEMBERED	4096	/* complete ones, beside those */

static inline const struct ib_rmpp_mad *rmpp_mad_of(const struct ib_mad_recv_wc *recv_wc)
{
	return (const struct ib_rmpp_mad *)recv_wc->recv_buf.mad;
}

static inline bool rmpp_is_active(const struct ib_rmpp_mad *mad)
{
	return mad->rmpp_hdr.rmpp_rtime_flags & IB_MGMT_RMPP_FLAG_ACTIVE;
}

static inline bool rmpp_is_data(const struct ib_rmpp_mad *mad)
{
	return rmpp_is_active(mad) && mad->rmpp_hdr.rmpp_type == IB_MGMT_RMPP_TYPE_DATA;
}

/* ---- rmpp.c ---- */

struct ib_mad_recv_wc *rmpp_receive(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc);

/* ---- rmpp_reply.c: ACK, ABORT ---- */

/**
 * struct rmpp_peer - whom to answer, and what
 * @hdr: the headers of the MAD to be answered, as many bytes as its class has
 * @src_qp: where it came from
 * @pkey_index: in which partition
 */
struct rmpp_peer {
	const struct ib_rmpp_mad *hdr;
	u32 src_qp;
	u16 pkey_index;
};

typedef void (*rmpp_reply_done)(struct mad_send *reply);

bool rmpp_ack(struct mad_agent *agent, const struct rmpp_peer *peer, struct ib_ah *ah, u32 segment,
	      u32 limit, rmpp_reply_done done, void *context);
void rmpp_ack_ack(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc);
void rmpp_abort_peer(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc, u8 status);

/* ---- rmpp_send.c ---- */

void rmpp_send_begin(struct mad_send *send);
void rmpp_send_rewind(struct mad_send *send);
enum mad_send_event rmpp_segment_sent(struct mad_send *send);
bool rmpp_receive_ack(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc);
void rmpp_abort_send(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc, u8 status);

/* ---- rmpp_receive.c ---- */

struct ib_mad_recv_wc *rmpp_receive_data(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc);
void rmpp_receive_peer_ack(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc,
			   u32 limit);
u32 rmpp_reply_window(struct mad_agent *agent, const struct ib_mad_hdr *hdr, u32 dlid);
void rmpp_expire(struct mad_agent *agent);
void rmpp_receive_end(struct mad_agent *agent);

#endif
