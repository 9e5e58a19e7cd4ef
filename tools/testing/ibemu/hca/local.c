// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs whose work requests never leave the adapter. The engine knows no such operation but the empty
 * one yet; others fail as any operation does that a queue pair can't do.
 */
#include "hca/engine.h"

static enum hca_status local_send(struct hca_qp *qp, struct hca_send_wr *wr)
{
	(void)qp;
	return wr->opcode == HCA_NOP ? HCA_OK : HCA_LOCAL_QP_OPERATION;
}

const struct hca_transport hca_local = {
	.send = local_send,
	.send_error_state = HCA_QP_ERR,
};
