// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RMPP: what kind of packet it is. IBTA volume 1, chapter 13.6.2. */

#include "rmpp.h"

static void refuse(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc, u8 status)
{
	rmpp_abort_send(agent, recv_wc, status);
	rmpp_abort_peer(agent, recv_wc, status);
}

static void receive_stop(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	u8 status = rmpp_mad_of(recv_wc)->rmpp_hdr.rmpp_status;

	if (status == IB_MGMT_RMPP_STATUS_RESX)
		rmpp_abort_send(agent, recv_wc, status);
	else
		refuse(agent, recv_wc, IB_MGMT_RMPP_STATUS_BAD_STATUS);
}

static void receive_abort(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	u8 status = rmpp_mad_of(recv_wc)->rmpp_hdr.rmpp_status;

	if (status >= IB_MGMT_RMPP_STATUS_ABORT_MIN && status <= IB_MGMT_RMPP_STATUS_ABORT_MAX)
		rmpp_abort_send(agent, recv_wc, status);
	else
		refuse(agent, recv_wc, IB_MGMT_RMPP_STATUS_BAD_STATUS);
}

static void receive_ack(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_rmpp_hdr *hdr = &rmpp_mad_of(recv_wc)->rmpp_hdr;

	if (hdr->rmpp_status)
		refuse(agent, recv_wc, IB_MGMT_RMPP_STATUS_BAD_STATUS);
	else if (be32_to_cpu(hdr->paylen_newwin) < be32_to_cpu(hdr->seg_num))
		refuse(agent, recv_wc, IB_MGMT_RMPP_STATUS_W2S);
	else if (!rmpp_receive_ack(agent, recv_wc))
		refuse(agent, recv_wc, IB_MGMT_RMPP_STATUS_S2B);
}

static void receive_control(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_rmpp_hdr *hdr = &rmpp_mad_of(recv_wc)->rmpp_hdr;

	if (hdr->rmpp_version != IB_MGMT_RMPP_VERSION)
		refuse(agent, recv_wc, IB_MGMT_RMPP_STATUS_UNV);
	else if (hdr->rmpp_type == IB_MGMT_RMPP_TYPE_ACK)
		receive_ack(agent, recv_wc);
	else if (hdr->rmpp_type == IB_MGMT_RMPP_TYPE_STOP)
		receive_stop(agent, recv_wc);
	else if (hdr->rmpp_type == IB_MGMT_RMPP_TYPE_ABORT)
		receive_abort(agent, recv_wc);
	else
		refuse(agent, recv_wc, IB_MGMT_RMPP_STATUS_BADT);
	ib_free_recv_mad(recv_wc);
}

/**
 * rmpp_receive - take a MAD for an agent whose RMPP is done here
 * @agent: the agent
 * @recv_wc: the MAD; consumed
 *
 * Context: process.
 *
 * Return: what the agent is to get now: a MAD without RMPP, or a whole message; NULL if there's
 * nothing.
 */
struct ib_mad_recv_wc *rmpp_receive(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_rmpp_mad *mad = rmpp_mad_of(recv_wc);

	if (!ib_is_mad_class_rmpp(mad->mad_hdr.mgmt_class) || !rmpp_is_active(mad))
		return recv_wc;
	if (mad->rmpp_hdr.rmpp_version == IB_MGMT_RMPP_VERSION && rmpp_is_data(mad))
		return rmpp_receive_data(agent, recv_wc);
	receive_control(agent, recv_wc);
	return NULL;
}
