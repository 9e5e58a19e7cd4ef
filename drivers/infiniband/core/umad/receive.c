// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* From ib_mad to the queue of a file. */

#include <linux/slab.h>

#include "umad.h"

/* The GRH as a sender would write it to answer: our GID by its index, the peer's in full. */
static int fill_grh(struct ib_mad_agent *mad_agent, const struct ib_mad_recv_wc *recv_wc,
		    struct ib_user_mad_hdr *hdr)
{
	const struct ib_global_route *grh;
	struct rdma_ah_attr attr;
	int err;

	err = ib_init_ah_attr_from_wc(mad_agent->device, mad_agent->port_num, recv_wc->wc,
				      recv_wc->recv_buf.grh, &attr);
	if (err)
		return err;

	grh = rdma_ah_read_grh(&attr);
	hdr->gid_index = grh->sgid_index;
	hdr->hop_limit = grh->hop_limit;
	hdr->traffic_class = grh->traffic_class;
	memcpy(hdr->gid, &grh->dgid, sizeof(hdr->gid));
	hdr->flow_label = cpu_to_be32(grh->flow_label);
	rdma_destroy_ah_attr(&attr);
	return 0;
}

static int fill_hdr(const struct umad_agent *agent, struct ib_mad_agent *mad_agent,
		    const struct ib_mad_recv_wc *recv_wc, struct ib_user_mad_hdr *hdr)
{
	const struct umad_file *file = agent->file;
	const struct ib_wc *wc = recv_wc->wc;

	hdr->id = agent - file->agents;
	hdr->length = umad_hdr_size(READ_ONCE(file->pkey_index)) + recv_wc->mad_len;
	hdr->qpn = cpu_to_be32(wc->src_qp);
	hdr->lid = cpu_to_be16((u16)wc->slid);	/* the header has no place for more */
	hdr->sl = wc->sl;
	hdr->path_bits = wc->dlid_path_bits;
	hdr->pkey_index = wc->pkey_index;
	hdr->grh_present = !!(wc->wc_flags & IB_WC_GRH);
	return hdr->grh_present ? fill_grh(mad_agent, recv_wc, hdr) : 0;
}

static bool receive(struct umad_agent *agent, struct ib_mad_agent *mad_agent,
		    struct ib_mad_recv_wc *recv_wc)
{
	struct umad_packet *packet;

	packet = kzalloc(sizeof(*packet), GFP_KERNEL);
	if (!packet)
		return false;
	if (!fill_hdr(agent, mad_agent, recv_wc, &packet->hdr)) {
		packet->recv_wc = recv_wc;
		if (umad_queue_add_received(&agent->file->queue, packet))
			return true;
	}
	kfree(packet);
	return false;
}

/*
 * ib_mad names a send not only with its response. A directed-route MAD to this port itself is
 * looped back to the agent that it is for, with the send of the one that sent it, which needn't
 * be one of ours.
 */
static bool answers(const struct ib_mad_recv_wc *recv_wc, const struct ib_mad_send_buf *send_buf,
		    const struct ib_mad_agent *mad_agent)
{
	return send_buf && send_buf->mad_agent == mad_agent &&
	       ib_response_mad(&recv_wc->recv_buf.mad->mad_hdr);
}

/**
 * umad_recv_handler - a MAD was received
 * @mad_agent: its context is our struct umad_agent
 * @send_buf: NULL or a send, see answers(); its completion follows
 * @recv_wc: the MAD, or the first of its segments; ours
 *
 * Context: process, without a lock of ib_mad.
 */
void umad_recv_handler(struct ib_mad_agent *mad_agent, struct ib_mad_send_buf *send_buf,
		       struct ib_mad_recv_wc *recv_wc)
{
	struct umad_agent *agent = mad_agent->context;

	if (answers(recv_wc, send_buf, mad_agent))
		umad_transaction_end(&agent->file->transactions, send_buf->context[0]);
	if (recv_wc->wc->status == IB_WC_SUCCESS) {
		if (receive(agent, mad_agent, recv_wc))
			return;
		atomic64_inc(&agent->file->port->dropped);
	}
	ib_free_recv_mad(recv_wc);
}
