// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Answers that are made here: what the driver says to the SMA's and PMA's queries. */

#include "mad.h"

static void replied(struct ib_mad_agent *agent, struct ib_mad_send_wc *send_wc)
{
	rdma_destroy_ah(send_wc->send_buf->ah, RDMA_DESTROY_AH_SLEEPABLE);
	ib_free_send_mad(send_wc->send_buf);
}

/* Makes the agent that sends a QP's answers. Context: sleeps. */
int mad_replier_create(struct mad_qp *qp)
{
	static const struct ib_mad_agent template = { .send_handler = replied };
	struct mad_agent *agent;

	agent = mad_agent_create(qp, &template, NULL);
	if (IS_ERR(agent))
		return PTR_ERR(agent);
	qp->replier = agent;
	return 0;
}

static int post(struct mad_qp *qp, struct ib_ah *ah, const struct ib_wc *wc,
		const struct ib_mad *reply)
{
	struct ib_mad_send_buf *buf;
	int ret;

	buf = ib_create_send_mad(&qp->replier->agent, wc->src_qp, wc->pkey_index, 0,
				 IB_MGMT_MAD_HDR, IB_MGMT_MAD_DATA, GFP_KERNEL,
				 IB_MGMT_BASE_VERSION);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	memcpy(buf->mad, reply, IB_MGMT_MAD_SIZE);
	buf->ah = ah;
	ret = ib_post_send_mad(buf, NULL);
	if (ret)
		ib_free_send_mad(buf);
	return ret;
}

/**
 * mad_reply - answer a received MAD
 * @qp: that it was received on
 * @wc: of the received MAD
 * @grh: of the received MAD
 * @reply: the answer
 *
 * An answer that can't be sent is lost; who asked will ask again.
 *
 * Context: sleeps.
 */
void mad_reply(struct mad_qp *qp, const struct ib_wc *wc, const struct ib_grh *grh,
	       const struct ib_mad *reply)
{
	struct mad_port *port = qp->port;
	struct ib_ah *ah;
	int ret;

	ah = ib_create_ah_from_wc(port->pd, wc, grh, port->port_num);
	ret = PTR_ERR_OR_ZERO(ah);
	if (!ret) {
		ret = post(qp, ah, wc, reply);
		if (ret)
			rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
	}
	if (ret)
		ibdev_warn_ratelimited(port->device, "port %u: can't answer a MAD: %d\n",
				       port->port_num, ret);
}
