// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands that are about no object: questions about the device and what the firmware itself has
 * set aside for processes.
 */
#include "devx.h"

static const u16 questions[] = {
	MLX5_CMD_OP_QUERY_HCA_CAP,
	MLX5_CMD_OP_QUERY_ADAPTER,
	MLX5_CMD_OP_QUERY_ISSI,
	MLX5_CMD_OP_QUERY_HCA_VPORT_CONTEXT,
	MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT,
	MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT,
	MLX5_CMD_OP_QUERY_ESW_FUNCTIONS,
	MLX5_CMD_OP_QUERY_VPORT_STATE,
	MLX5_CMD_OP_QUERY_VPORT_COUNTER,
	MLX5_CMD_OP_QUERY_VNIC_ENV,
	MLX5_CMD_OP_QUERY_ROCE_ADDRESS,
	MLX5_CMD_OP_QUERY_CONG_STATUS,
	MLX5_CMD_OP_QUERY_CONG_PARAMS,
	MLX5_CMD_OP_QUERY_CONG_STATISTICS,
	MLX5_CMD_OP_QUERY_LAG,
	MLX5_CMD_OP_GET_DROPPED_PACKET_LOG,
	MLX5_CMD_OP_NOP,
};

bool mlx5_ib_devx_is_general(const void *in)
{
	u16 opcode = MLX5_GET(general_obj_in_cmd_hdr, in, opcode);

	if (opcode >= MLX5_CMD_OP_GENERAL_START && opcode < MLX5_CMD_OP_GENERAL_END)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
		if (questions[i] == opcode)
			return true;
	return false;
}

/* What any process may ask, even one whose context has no number of its own. */
bool mlx5_ib_devx_is_harmless(const void *in)
{
	switch (MLX5_GET(general_obj_in_cmd_hdr, in, opcode)) {
	case MLX5_CMD_OP_QUERY_HCA_CAP:
	case MLX5_CMD_OP_QUERY_HCA_VPORT_CONTEXT:
	case MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT:
	case MLX5_CMD_OP_QUERY_ESW_FUNCTIONS:
		return true;
	default:
		return false;
	}
}
