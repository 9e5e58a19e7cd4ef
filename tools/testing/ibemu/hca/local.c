// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs whose work requests never leave the adapter.
 */
#include "hca/engine.h"

static enum hca_status local_send(struct hca_qp *qp, struct hca_send_wr *wr)
{
	switch (wr->opcode) {
	case HCA_NOP:
		return HCA_OK;
	case HCA_LOCAL:
		return qp->hca->ops->execute_local(qp, wr);
	default:
		return HCA_LOCAL_QP_OPERATION;
	}
}

const struct hca_transport hca_local = {
	.send = local_send,
	.send_error_state = HCA_QP_ERR,
};
