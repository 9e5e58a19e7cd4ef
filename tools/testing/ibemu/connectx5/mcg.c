// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands on multicast groups.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

#define NUMBER_AT 9
#define GID_AT 16

enum cx5_status cx5_attach_to_mcg(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_qp *qp = cx5_qp_find(dev, get_be24(cmd->in + NUMBER_AT));

	return qp ? cx5_status_of(hca_mcg_attach(&qp->hca, cmd->in + GID_AT)) : CX5_BAD_RES;
}

enum cx5_status cx5_detach_from_mcg(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_qp *qp = cx5_qp_find(dev, get_be24(cmd->in + NUMBER_AT));

	return qp ? cx5_status_of(hca_mcg_detach(&qp->hca, cmd->in + GID_AT)) : CX5_BAD_RES;
}
