// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <rdma/ib_user_ioctl_verbs.h>

#include "hostile.h"
#include "uverbs.h"

/* What drivers want to be told with a command: most of it about queues in the caller's memory. */
static const struct {
	enum rdma_driver_id driver;
	uint32_t command;
	const char *request;
} forms[] = {
	{ RDMA_DRIVER_RXE, IB_USER_VERBS_CMD_MODIFY_SRQ, "a8" },
	{ RDMA_DRIVER_MLX5, IB_USER_VERBS_CMD_GET_CONTEXT, "E4t4z4z4z1z1z2z4z8" },
	{ RDMA_DRIVER_MLX5, IB_USER_VERBS_CMD_CREATE_CQ, "a8a8r4z1z1z2z2z2z4" },
	{ RDMA_DRIVER_MLX5, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_CQ), "a8a8r4z1z1z2z2z2z4" },
	{ RDMA_DRIVER_MLX5, IB_USER_VERBS_CMD_RESIZE_CQ, "a8r2z2z4" },
	{ RDMA_DRIVER_MLX5, IB_USER_VERBS_CMD_CREATE_SRQ, "a8a8z4z4i4z4" },
	{ RDMA_DRIVER_MLX5, IB_USER_VERBS_CMD_CREATE_XSRQ, "a8a8z4z4i4z4" },
	{ RDMA_DRIVER_MLX5, IB_USER_VERBS_CMD_CREATE_QP, "a8a8r4E4b4z4i4z4a8" },
	{ RDMA_DRIVER_MLX5, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_QP), "a8a8r4E4b4z4i4z4a8" },
	{ RDMA_DRIVER_MLX5, EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_QP), "z4z8z4" },
	{ RDMA_DRIVER_MLX5, EXTENDED(IB_USER_VERBS_EX_CMD_CREATE_WQ), "a8a8E4b4i4z4z4z4z4z4" },
};

size_t driver_request(struct attacker *attacker, uint32_t command, unsigned char *bytes)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].driver == driver_id() && forms[i].command == command)
			return fill(attacker, forms[i].request, bytes);
	return 0;
}
