// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a process can have made by a command of its own, and how each is destroyed again.
 */
#include "devx.h"

/* Fields that stand in the same place where a thing is made and where it's destroyed. */
#define SAME_PLACE(made, destroyed, field)						\
	static_assert(__mlx5_bit_off(made, field) == __mlx5_bit_off(destroyed, field) &&	\
		      __mlx5_bit_sz(made, field) == __mlx5_bit_sz(destroyed, field))

SAME_PLACE(create_flow_table_in, destroy_flow_table_in, other_vport);
SAME_PLACE(create_flow_table_in, destroy_flow_table_in, vport_number);
SAME_PLACE(create_flow_table_in, destroy_flow_table_in, table_type);
static const struct mlx5_ib_devx_field of_flow_table[] = {
	MLX5_IB_DEVX_FIELD(create_flow_table_in, other_vport),
	MLX5_IB_DEVX_FIELD(create_flow_table_in, vport_number),
	MLX5_IB_DEVX_FIELD(create_flow_table_in, table_type),
	{}
};

SAME_PLACE(create_flow_group_in, destroy_flow_group_in, other_vport);
SAME_PLACE(create_flow_group_in, destroy_flow_group_in, vport_number);
SAME_PLACE(create_flow_group_in, destroy_flow_group_in, table_type);
SAME_PLACE(create_flow_group_in, destroy_flow_group_in, table_id);
static const struct mlx5_ib_devx_field of_flow_group[] = {
	MLX5_IB_DEVX_FIELD(create_flow_group_in, other_vport),
	MLX5_IB_DEVX_FIELD(create_flow_group_in, vport_number),
	MLX5_IB_DEVX_FIELD(create_flow_group_in, table_type),
	MLX5_IB_DEVX_FIELD(create_flow_group_in, table_id),
	{}
};

SAME_PLACE(set_fte_in, delete_fte_in, other_vport);
SAME_PLACE(set_fte_in, delete_fte_in, vport_number);
SAME_PLACE(set_fte_in, delete_fte_in, table_type);
SAME_PLACE(set_fte_in, delete_fte_in, table_id);
static const struct mlx5_ib_devx_field of_flow_entry[] = {
	MLX5_IB_DEVX_FIELD(set_fte_in, other_vport),
	MLX5_IB_DEVX_FIELD(set_fte_in, vport_number),
	MLX5_IB_DEVX_FIELD(set_fte_in, table_type),
	MLX5_IB_DEVX_FIELD(set_fte_in, table_id),
	{}
};

SAME_PLACE(create_scheduling_element_in, destroy_scheduling_element_in, scheduling_hierarchy);
static const struct mlx5_ib_devx_field of_scheduling_element[] = {
	MLX5_IB_DEVX_FIELD(create_scheduling_element_in, scheduling_hierarchy),
	{}
};

SAME_PLACE(attach_to_mcg_in, detach_from_mcg_in, multicast_gid);
#define GID_WORD(n) { .at = __mlx5_bit_off(attach_to_mcg_in, multicast_gid) + 32 * (n), .bits = 32 }
static const struct mlx5_ib_devx_field of_attachment[] = {
	GID_WORD(0), GID_WORD(1), GID_WORD(2), GID_WORD(3), {}
};

static const struct mlx5_ib_devx_field of_general[] = {
	MLX5_IB_DEVX_FIELD(general_obj_in_cmd_hdr, obj_type),
	{}
};

/* What's made by @made, whose answer has its number, and destroyed by @destroyed. */
#define MADE(op, made, undo, destroyed, field, destroyed_field, ...)				\
	{											\
		.create = MLX5_CMD_OP_##op,							\
		.destroy = MLX5_CMD_OP_##undo,							\
		.destroy_len = MLX5_ST_SZ_BYTES(destroyed##_in),				\
		.number = MLX5_IB_DEVX_FIELD(made##_out, field),				\
		.target = MLX5_IB_DEVX_FIELD(destroyed##_in, destroyed_field),			\
		__VA_ARGS__									\
	}

/* What the process chooses the number of. */
#define NAMED(op, made, undo, destroyed, field, ...)						\
	{											\
		.create = MLX5_CMD_OP_##op,							\
		.destroy = MLX5_CMD_OP_##undo,							\
		.named = true,									\
		.destroy_len = MLX5_ST_SZ_BYTES(destroyed##_in),				\
		.number = MLX5_IB_DEVX_FIELD(made##_in, field),					\
		.target = MLX5_IB_DEVX_FIELD(destroyed##_in, field),				\
		__VA_ARGS__									\
	}

/* Most are called alike in both commands. */
#define PLAIN(op, name, field, ...)								\
	MADE(CREATE_##op, create_##name, DESTROY_##op, destroy_##name, field, field, __VA_ARGS__)
#define ALLOCATED(op, name, field, ...)								\
	MADE(ALLOC_##op, alloc_##name, DEALLOC_##op, dealloc_##name, field, field, __VA_ARGS__)

#define TYPE(name) .object_type = MLX5_OBJ_TYPE_##name

static const struct mlx5_ib_devx_kind kinds[] = {
	{
		.create = MLX5_CMD_OP_CREATE_GENERAL_OBJECT,
		.destroy = MLX5_CMD_OP_DESTROY_GENERAL_OBJECT,
		.destroy_len = MLX5_ST_SZ_BYTES(general_obj_in_cmd_hdr),
		.number = MLX5_IB_DEVX_FIELD(general_obj_out_cmd_hdr, obj_id),
		.target = MLX5_IB_DEVX_FIELD(general_obj_in_cmd_hdr, obj_id),
		.same = of_general,
	},
	PLAIN(MKEY, mkey, mkey_index, TYPE(MKEY)),
	PLAIN(CQ, cq, cqn, TYPE(CQ), .families = MLX5_IB_DEVX_CQ),
	PLAIN(QP, qp, qpn, TYPE(QP), .queue_type = MLX5_EVENT_QUEUE_TYPE_QP,
	      .families = MLX5_IB_DEVX_QUEUE),
	PLAIN(RQ, rq, rqn, TYPE(RQ), .queue_type = MLX5_EVENT_QUEUE_TYPE_RQ,
	      .families = MLX5_IB_DEVX_QUEUE),
	PLAIN(SQ, sq, sqn, TYPE(SQ), .queue_type = MLX5_EVENT_QUEUE_TYPE_SQ,
	      .families = MLX5_IB_DEVX_QUEUE),
	PLAIN(RMP, rmp, rmpn, TYPE(RMP), .queue_type = MLX5_EVENT_QUEUE_TYPE_RQ,
	      .families = MLX5_IB_DEVX_QUEUE | MLX5_IB_DEVX_SRQ),
	PLAIN(SRQ, srq, srqn, .families = MLX5_IB_DEVX_SRQ),
	PLAIN(XRC_SRQ, xrc_srq, xrc_srqn, TYPE(XRC_SRQ), .families = MLX5_IB_DEVX_SRQ),
	PLAIN(XRQ, xrq, xrqn, TYPE(XRQ), .families = MLX5_IB_DEVX_XRQ),
	PLAIN(DCT, dct, dctn, TYPE(DCT), .queue_type = MLX5_EVENT_QUEUE_TYPE_DCT,
	      .families = MLX5_IB_DEVX_DCT),
	PLAIN(RQT, rqt, rqtn, TYPE(RQT)),
	PLAIN(TIR, tir, tirn, TYPE(TIR)),
	PLAIN(TIS, tis, tisn, TYPE(TIS)),
	PLAIN(FLOW_TABLE, flow_table, table_id, .same = of_flow_table),
	PLAIN(FLOW_GROUP, flow_group, group_id, .same = of_flow_group),
	PLAIN(SCHEDULING_ELEMENT, scheduling_element, scheduling_element_id,
	      .same = of_scheduling_element),
	ALLOCATED(PD, pd, pd),
	ALLOCATED(TRANSPORT_DOMAIN, transport_domain, transport_domain),
	ALLOCATED(XRCD, xrcd, xrcd),
	ALLOCATED(Q_COUNTER, q_counter, counter_set_id),
	ALLOCATED(FLOW_COUNTER, flow_counter, flow_counter_id, TYPE(FLOW_COUNTER)),
	ALLOCATED(PACKET_REFORMAT_CONTEXT, packet_reformat_context, packet_reformat_id),
	ALLOCATED(MODIFY_HEADER_CONTEXT, modify_header_context, modify_header_id),
	/* One command can make several; then there would be no one to destroy. */
	MADE(CREATE_PSV, create_psv, DESTROY_PSV, destroy_psv, psv0_index, psvn, TYPE(PSV),
	     .needs = MLX5_IB_DEVX_FIELD(create_psv_in, num_psv), .needed = 1),
	NAMED(ADD_VXLAN_UDP_DPORT, add_vxlan_udp_dport, DELETE_VXLAN_UDP_DPORT,
	      delete_vxlan_udp_dport, vxlan_udp_port),
	NAMED(SET_L2_TABLE_ENTRY, set_l2_table_entry, DELETE_L2_TABLE_ENTRY,
	      delete_l2_table_entry, table_index),
	NAMED(ATTACH_TO_MCG, attach_to_mcg, DETACH_FROM_MCG, detach_from_mcg, qpn,
	      .same = of_attachment),
	/* Otherwise it changes one that's there. */
	NAMED(SET_FLOW_TABLE_ENTRY, set_fte, DELETE_FLOW_TABLE_ENTRY, delete_fte, flow_index,
	      .needs = MLX5_IB_DEVX_FIELD(set_fte_in, op_mod), .needed = 0,
	      .same = of_flow_entry),
};

static const struct mlx5_ib_devx_kind *find(u16 opcode)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].create == opcode)
			return &kinds[i];
	return NULL;
}

static bool has_all(const struct mlx5_ib_devx_kind *kind, const void *in, size_t inlen,
		    size_t outlen)
{
	const struct mlx5_ib_devx_field *field;

	if (!mlx5_ib_devx_field_fits(kind->number, kind->named ? inlen : outlen))
		return false;
	for (field = kind->same; field && field->bits; field++)
		if (!mlx5_ib_devx_field_fits(*field, inlen))
			return false;
	return !kind->needs.bits || (mlx5_ib_devx_field_fits(kind->needs, inlen) &&
				     mlx5_ib_devx_get(in, kind->needs) == kind->needed);
}

/**
 * mlx5_ib_devx_kind - what a command makes
 * @in: the command, at least a header
 * @inlen: bytes of it
 * @outlen: bytes that there's room for in its answer
 *
 * Return: the kind of object; NULL: it's no command that makes one, or one of both is cut short.
 */
const struct mlx5_ib_devx_kind *mlx5_ib_devx_kind(const void *in, size_t inlen, size_t outlen)
{
	const struct mlx5_ib_devx_kind *kind;

	kind = find(MLX5_GET(general_obj_in_cmd_hdr, in, opcode));
	return kind && has_all(kind, in, inlen, outlen) ? kind : NULL;
}

/**
 * mlx5_ib_devx_number - the number of an object that has been made
 * @kind: what it is
 * @in: the command
 * @out: its answer
 *
 * Return: the number.
 */
u32 mlx5_ib_devx_number(const struct mlx5_ib_devx_kind *kind, const void *in, const void *out)
{
	return mlx5_ib_devx_get(kind->named ? in : out, kind->number);
}

u64 mlx5_ib_devx_created_id(const struct mlx5_ib_devx_kind *kind, const void *in, u32 number)
{
	u16 type = 0;

	if (kind->create == MLX5_CMD_OP_CREATE_GENERAL_OBJECT)
		type = MLX5_GET(general_obj_in_cmd_hdr, in, obj_type);
	return mlx5_ib_devx_id(kind->create, type, number);
}

/**
 * mlx5_ib_devx_destroy_command - the command that undoes another
 * @kind: what that made
 * @in: the command that made it, as it was sent
 * @number: of the object
 * @destroy: MLX5_IB_DEVX_DESTROY_DWORDS, all zero; becomes the command, @kind's destroy_len bytes
 */
void mlx5_ib_devx_destroy_command(const struct mlx5_ib_devx_kind *kind, const void *in, u32 number,
				  void *destroy)
{
	const struct mlx5_ib_devx_field *field;

	MLX5_SET(general_obj_in_cmd_hdr, destroy, opcode, kind->destroy);
	MLX5_SET(general_obj_in_cmd_hdr, destroy, uid,
		 MLX5_GET(general_obj_in_cmd_hdr, in, uid));
	for (field = kind->same; field && field->bits; field++)
		mlx5_ib_devx_set(destroy, *field, mlx5_ib_devx_get(in, *field));
	mlx5_ib_devx_set(destroy, kind->target, number);
}
