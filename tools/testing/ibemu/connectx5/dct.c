// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands on DC targets. A target is made ready to receive in one go; what queue pairs learn step
 * by step stands in its context.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUMBER_AT 9
#define CONTEXT_AT 16

#define MTU_MIN 1 /* codes */
#define MTU_MAX 5

enum { STATE_ACTIVE = 0, STATE_DRAINING = 1, STATE_DRAINED = 2 };

static struct cx5_qp *find(struct connectx5 *dev, const struct cx5_command *cmd)
{
	struct hca_qp *found = hca_qp_find(&dev->hca, get_be24(cmd->in + NUMBER_AT));

	return found && found->type == HCA_QP_DCT ? container(found, struct cx5_qp, hca) : NULL;
}

static uint8_t remote_access(const uint8_t *dctc)
{
	return (uint8_t)((GET(dctc, rre, dctc) ? HCA_REMOTE_READ : 0) |
			 (GET(dctc, rwe, dctc) ? HCA_REMOTE_WRITE : 0) |
			 (GET(dctc, rae, dctc) ? HCA_REMOTE_ATOMIC : 0));
}

static struct hca_connection decode_connection(const uint8_t *dctc)
{
	return (struct hca_connection){
		.path_mtu = (uint8_t)GET(dctc, mtu, dctc),
		.min_rnr_timer = (uint8_t)GET(dctc, min_rnr_nak, dctc),
		.max_dest_rd_atomic = 1 << CX5_LOG_MAX_RD_ATOMIC,
		.remote_access = remote_access(dctc),
		.path = {
			.sgid_index = (uint8_t)GET(dctc, my_addr_index, dctc),
			.traffic_class = (uint8_t)GET(dctc, tclass, dctc),
			.hop_limit = (uint8_t)GET(dctc, hop_limit, dctc),
			.flow_label = GET(dctc, flow_label, dctc),
		},
	};
}

static int init(struct connectx5 *dev, struct cx5_qp *dct, const uint8_t *dctc)
{
	uint32_t mtu = GET(dctc, mtu, dctc);
	struct hca_qp *qp = &dct->hca;

	if (mtu < MTU_MIN || mtu > MTU_MAX || GET(dctc, pkey_index, dctc) >= FABRIC_PKEYS)
		return -EINVAL;
	memcpy(dct->context, dctc, CX5_DCTC_LEN);
	dct->user_index = GET(dctc, user_index, dctc);
	qp->type = HCA_QP_DCT;
	qp->pd = GET(dctc, pd, dctc);
	qp->dc_key = GET64(dctc, dc_access_key, dctc);
	qp->pkey_index = (uint16_t)GET(dctc, pkey_index, dctc);
	qp->conn = decode_connection(dctc);
	qp->srq = hca_srq_find(&dev->hca, GET(dctc, srqn_xrqn, dctc));
	qp->recv_cq = hca_cq_find(&dev->hca, GET(dctc, cqn, dctc));
	qp->send_cq = qp->recv_cq; /* it has nothing to send, so nothing completes there */
	if (!qp->srq || !qp->recv_cq)
		return -ENOENT;
	return hca_qp_create(&dev->hca, qp);
}

enum cx5_status cx5_create_dct(struct connectx5 *dev, struct cx5_command *cmd)
{
	const uint8_t *dctc = cmd->in + CONTEXT_AT;
	uint32_t pd = GET(dctc, pd, dctc);
	struct cx5_qp *dct;
	int error;

	if (!cx5_resource_get(dev, CX5_PD, pd))
		return CX5_BAD_RES;
	dct = calloc(1, sizeof(*dct));
	error = dct ? init(dev, dct, dctc) : -ENOMEM;
	if (error) {
		cx5_resource_put(dev, CX5_PD, pd);
		free(dct);
		return cx5_status_of(error);
	}
	hca_qp_set_state(&dct->hca, HCA_QP_RTR);
	put_be24(cmd->out + NUMBER_AT, dct->hca.num);
	return CX5_OK;
}

void cx5_dct_free(struct connectx5 *dev, struct cx5_qp *dct)
{
	cx5_resource_put(dev, CX5_PD, dct->hca.pd);
	hca_qp_destroy(&dct->hca);
	free(dct);
}

enum cx5_status cx5_destroy_dct(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_qp *dct = find(dev, cmd);

	if (!dct)
		return CX5_BAD_RES;
	cx5_dct_free(dev, dct);
	return CX5_OK;
}

enum cx5_status cx5_drain_dct(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_qp *dct = find(dev, cmd);

	if (!dct)
		return CX5_BAD_RES;
	hca_dct_drain(&dct->hca);
	return CX5_OK;
}

static uint32_t state_of(const struct hca_qp *dct)
{
	if (!hca_dct_draining(dct))
		return STATE_ACTIVE;
	return hca_dct_drained(dct) ? STATE_DRAINED : STATE_DRAINING;
}

enum cx5_status cx5_query_dct(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_qp *dct = find(dev, cmd);
	uint8_t *dctc = cmd->out + CONTEXT_AT;

	if (!dct)
		return CX5_BAD_RES;
	memcpy(dctc, dct->context, CX5_DCTC_LEN);
	PUT(dctc, state, dctc, state_of(&dct->hca));
	PUT(dctc, dc_access_key_violation_count, dctc, hca_dct_key_violations(&dct->hca));
	return CX5_OK;
}
