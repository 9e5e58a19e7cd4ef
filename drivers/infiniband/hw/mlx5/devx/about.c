// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Which object a command is about that modifies or queries one.
 */
#include "devx.h"

/**
 * struct about - a command about an object
 * @opcode: the command
 * @create: the one that makes such objects
 * @number: where the object's number is
 * @needs: a field that has to be @needed
 * @needed: see there
 */
struct about {
	u16 opcode;
	u16 create;
	struct mlx5_ib_devx_field number;
	struct mlx5_ib_devx_field needs;
	u8 needed;
};

#define ABOUT(op, made, layout, field, ...)					\
	{									\
		.opcode = MLX5_CMD_OP_##op,					\
		.create = MLX5_CMD_OP_##made,					\
		.number = MLX5_IB_DEVX_FIELD(layout##_in, field),		\
		__VA_ARGS__							\
	}

/* The headers of all commands on general objects are alike. */
#define GENERAL(op) \
	{									\
		.opcode = MLX5_CMD_OP_##op,					\
		.create = MLX5_CMD_OP_CREATE_GENERAL_OBJECT,			\
		.number = MLX5_IB_DEVX_FIELD(general_obj_in_cmd_hdr, obj_id),	\
	}

static const struct about modifications[] = {
	GENERAL(MODIFY_GENERAL_OBJECT),
	ABOUT(MODIFY_CQ, CREATE_CQ, modify_cq, cqn),
	ABOUT(MODIFY_RMP, CREATE_RMP, modify_rmp, rmpn),
	ABOUT(MODIFY_SQ, CREATE_SQ, modify_sq, sqn),
	ABOUT(MODIFY_RQ, CREATE_RQ, modify_rq, rqn),
	ABOUT(MODIFY_RQT, CREATE_RQT, modify_rqt, rqtn),
	ABOUT(MODIFY_TIR, CREATE_TIR, modify_tir, tirn),
	ABOUT(MODIFY_TIS, CREATE_TIS, modify_tis, tisn),
	ABOUT(MODIFY_FLOW_TABLE, CREATE_FLOW_TABLE, modify_flow_table, table_id),
	ABOUT(MODIFY_SCHEDULING_ELEMENT, CREATE_SCHEDULING_ELEMENT, modify_scheduling_element,
	      scheduling_element_id),
	ABOUT(SET_FLOW_TABLE_ENTRY, SET_FLOW_TABLE_ENTRY, set_fte, flow_index,
	      .needs = MLX5_IB_DEVX_FIELD(set_fte_in, op_mod), .needed = 1),
	ABOUT(ADD_VXLAN_UDP_DPORT, ADD_VXLAN_UDP_DPORT, add_vxlan_udp_dport, vxlan_udp_port),
	ABOUT(SET_L2_TABLE_ENTRY, SET_L2_TABLE_ENTRY, set_l2_table_entry, table_index),
	ABOUT(RST2INIT_QP, CREATE_QP, rst2init_qp, qpn),
	ABOUT(INIT2INIT_QP, CREATE_QP, init2init_qp, qpn),
	ABOUT(INIT2RTR_QP, CREATE_QP, init2rtr_qp, qpn),
	ABOUT(RTR2RTS_QP, CREATE_QP, rtr2rts_qp, qpn),
	ABOUT(RTS2RTS_QP, CREATE_QP, rts2rts_qp, qpn),
	ABOUT(SQERR2RTS_QP, CREATE_QP, sqerr2rts_qp, qpn),
	ABOUT(2ERR_QP, CREATE_QP, qp_2err, qpn),
	ABOUT(2RST_QP, CREATE_QP, qp_2rst, qpn),
	ABOUT(ARM_XRC_SRQ, CREATE_XRC_SRQ, arm_xrc_srq, xrc_srqn),
	ABOUT(ARM_RQ, CREATE_RQ, arm_rq, srq_number),
	ABOUT(ARM_DCT_FOR_KEY_VIOLATION, CREATE_DCT, drain_dct, dctn),
	ABOUT(ARM_XRQ, CREATE_XRQ, arm_xrq, xrqn),
	ABOUT(SET_XRQ_DC_PARAMS_ENTRY, CREATE_XRQ, arm_xrq, xrqn),
	ABOUT(RELEASE_XRQ_ERROR, CREATE_XRQ, arm_xrq, xrqn),
	ABOUT(MODIFY_XRQ, CREATE_XRQ, arm_xrq, xrqn),
};

static const struct about queries[] = {
	GENERAL(QUERY_GENERAL_OBJECT),
	ABOUT(QUERY_MKEY, CREATE_MKEY, query_mkey, mkey_index),
	ABOUT(QUERY_CQ, CREATE_CQ, query_cq, cqn),
	ABOUT(QUERY_RMP, CREATE_RMP, query_rmp, rmpn),
	ABOUT(QUERY_SQ, CREATE_SQ, query_sq, sqn),
	ABOUT(QUERY_RQ, CREATE_RQ, query_rq, rqn),
	ABOUT(QUERY_RQT, CREATE_RQT, query_rqt, rqtn),
	ABOUT(QUERY_TIR, CREATE_TIR, query_tir, tirn),
	ABOUT(QUERY_TIS, CREATE_TIS, query_tis, tisn),
	ABOUT(QUERY_Q_COUNTER, ALLOC_Q_COUNTER, query_q_counter, counter_set_id),
	ABOUT(QUERY_FLOW_TABLE, CREATE_FLOW_TABLE, query_flow_table, table_id),
	ABOUT(QUERY_FLOW_GROUP, CREATE_FLOW_GROUP, query_flow_group, group_id),
	ABOUT(QUERY_FLOW_TABLE_ENTRY, SET_FLOW_TABLE_ENTRY, query_fte, flow_index),
	ABOUT(QUERY_FLOW_COUNTER, ALLOC_FLOW_COUNTER, query_flow_counter, flow_counter_id),
	ABOUT(QUERY_PACKET_REFORMAT_CONTEXT, ALLOC_PACKET_REFORMAT_CONTEXT,
	      query_packet_reformat_context, packet_reformat_id),
	ABOUT(QUERY_MODIFY_HEADER_CONTEXT, ALLOC_MODIFY_HEADER_CONTEXT,
	      query_modify_header_context, modify_header_id),
	ABOUT(QUERY_SCHEDULING_ELEMENT, CREATE_SCHEDULING_ELEMENT, query_scheduling_element,
	      scheduling_element_id),
	ABOUT(QUERY_L2_TABLE_ENTRY, SET_L2_TABLE_ENTRY, query_l2_table_entry, table_index),
	ABOUT(QUERY_QP, CREATE_QP, query_qp, qpn),
	ABOUT(QUERY_SRQ, CREATE_SRQ, query_srq, srqn),
	ABOUT(QUERY_XRC_SRQ, CREATE_XRC_SRQ, query_xrc_srq, xrc_srqn),
	ABOUT(QUERY_DCT, CREATE_DCT, query_dct, dctn),
	ABOUT(QUERY_XRQ, CREATE_XRQ, query_xrq, xrqn),
	ABOUT(QUERY_XRQ_DC_PARAMS_ENTRY, CREATE_XRQ, query_xrq, xrqn),
	ABOUT(QUERY_XRQ_ERROR_PARAMS, CREATE_XRQ, query_xrq, xrqn),
};

static u64 id_of(const struct about *about, const void *in, size_t len)
{
	u16 type = 0;

	if (!mlx5_ib_devx_field_fits(about->number, len))
		return 0;
	if (about->needs.bits && mlx5_ib_devx_get(in, about->needs) != about->needed)
		return 0;
	if (about->create == MLX5_CMD_OP_CREATE_GENERAL_OBJECT)
		type = MLX5_GET(general_obj_in_cmd_hdr, in, obj_type);
	return mlx5_ib_devx_id(about->create, type, mlx5_ib_devx_get(in, about->number));
}

static u64 find(const struct about *table, size_t count, const void *in, size_t len)
{
	u16 opcode = MLX5_GET(general_obj_in_cmd_hdr, in, opcode);

	for (size_t i = 0; i < count; i++)
		if (table[i].opcode == opcode)
			return id_of(&table[i], in, len);
	return 0;
}

/**
 * mlx5_ib_devx_modified_id - which object a command modifies
 * @in: the command, at least a header
 * @len: bytes of it
 *
 * Return: mlx5_ib_devx_id() of it; 0: it's no such command, or it's cut short.
 */
u64 mlx5_ib_devx_modified_id(const void *in, size_t len)
{
	return find(modifications, ARRAY_SIZE(modifications), in, len);
}

/**
 * mlx5_ib_devx_queried_id - which object a command asks about
 * @in: the command, at least a header
 * @len: bytes of it
 *
 * Return: mlx5_ib_devx_id() of it; 0: it's no such command, or it's cut short.
 */
u64 mlx5_ib_devx_queried_id(const void *in, size_t len)
{
	return find(queries, ARRAY_SIZE(queries), in, len);
}
