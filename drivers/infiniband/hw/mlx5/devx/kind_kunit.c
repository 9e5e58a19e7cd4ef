// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "devx.h"

#define UID 0x1234
#define IN_LEN 1024
#define OUT_LEN 64

static u32 in[IN_LEN / 4], out[OUT_LEN / 4], destroy[MLX5_IB_DEVX_DESTROY_DWORDS];

static void begin(u16 opcode)
{
	memset(in, 0, sizeof(in));
	memset(out, 0, sizeof(out));
	memset(destroy, 0, sizeof(destroy));
	MLX5_SET(general_obj_in_cmd_hdr, in, opcode, opcode);
	MLX5_SET(general_obj_in_cmd_hdr, in, uid, UID);
}

/* The command that undoes what @in has made. */
static u32 undo(struct kunit *test, u16 expected)
{
	const struct mlx5_ib_devx_kind *kind = mlx5_ib_devx_kind(in, IN_LEN, OUT_LEN);
	u32 number;

	KUNIT_ASSERT_NOT_NULL(test, kind);
	number = mlx5_ib_devx_number(kind, in, out);
	mlx5_ib_devx_destroy_command(kind, in, number, destroy);
	KUNIT_EXPECT_EQ(test, MLX5_GET(general_obj_in_cmd_hdr, destroy, opcode), expected);
	KUNIT_EXPECT_EQ(test, MLX5_GET(general_obj_in_cmd_hdr, destroy, uid), UID);
	KUNIT_EXPECT_LE(test, kind->destroy_len, sizeof(destroy));
	return number;
}

#define MADE(op, layout, field, undo_op, undo_layout, undo_field, value)			\
	do {										\
		begin(MLX5_CMD_OP_##op);						\
		MLX5_SET(layout##_out, out, field, value);				\
		KUNIT_EXPECT_EQ(test, undo(test, MLX5_CMD_OP_##undo_op), value);		\
		KUNIT_EXPECT_EQ(test, MLX5_GET(undo_layout##_in, destroy, undo_field), value);	\
	} while (0)

static void made(struct kunit *test)
{
	MADE(CREATE_MKEY, create_mkey, mkey_index, DESTROY_MKEY, destroy_mkey, mkey_index,
	     0xabcdef);
	MADE(CREATE_CQ, create_cq, cqn, DESTROY_CQ, destroy_cq, cqn, 0xabcdef);
	MADE(CREATE_QP, create_qp, qpn, DESTROY_QP, destroy_qp, qpn, 0xfedcba);
	MADE(CREATE_RQ, create_rq, rqn, DESTROY_RQ, destroy_rq, rqn, 0xfedcba);
	MADE(CREATE_SQ, create_sq, sqn, DESTROY_SQ, destroy_sq, sqn, 0xfedcba);
	MADE(CREATE_RMP, create_rmp, rmpn, DESTROY_RMP, destroy_rmp, rmpn, 0xfedcba);
	MADE(CREATE_SRQ, create_srq, srqn, DESTROY_SRQ, destroy_srq, srqn, 0xfedcba);
	MADE(CREATE_XRC_SRQ, create_xrc_srq, xrc_srqn, DESTROY_XRC_SRQ, destroy_xrc_srq, xrc_srqn,
	     0xfedcba);
	MADE(CREATE_XRQ, create_xrq, xrqn, DESTROY_XRQ, destroy_xrq, xrqn, 0xfedcba);
	MADE(CREATE_DCT, create_dct, dctn, DESTROY_DCT, destroy_dct, dctn, 0xfedcba);
	MADE(CREATE_RQT, create_rqt, rqtn, DESTROY_RQT, destroy_rqt, rqtn, 0xfedcba);
	MADE(CREATE_TIR, create_tir, tirn, DESTROY_TIR, destroy_tir, tirn, 0xfedcba);
	MADE(CREATE_TIS, create_tis, tisn, DESTROY_TIS, destroy_tis, tisn, 0xfedcba);
	MADE(ALLOC_PD, alloc_pd, pd, DEALLOC_PD, dealloc_pd, pd, 0xfedcba);
	MADE(ALLOC_TRANSPORT_DOMAIN, alloc_transport_domain, transport_domain,
	     DEALLOC_TRANSPORT_DOMAIN, dealloc_transport_domain, transport_domain, 0xfedcba);
	MADE(ALLOC_XRCD, alloc_xrcd, xrcd, DEALLOC_XRCD, dealloc_xrcd, xrcd, 0xfedcba);
	MADE(ALLOC_Q_COUNTER, alloc_q_counter, counter_set_id, DEALLOC_Q_COUNTER,
	     dealloc_q_counter, counter_set_id, 0xfe);
	MADE(ALLOC_FLOW_COUNTER, alloc_flow_counter, flow_counter_id, DEALLOC_FLOW_COUNTER,
	     dealloc_flow_counter, flow_counter_id, 0xfedcba98);
	MADE(ALLOC_PACKET_REFORMAT_CONTEXT, alloc_packet_reformat_context, packet_reformat_id,
	     DEALLOC_PACKET_REFORMAT_CONTEXT, dealloc_packet_reformat_context, packet_reformat_id,
	     0xfedcba98);
	MADE(ALLOC_MODIFY_HEADER_CONTEXT, alloc_modify_header_context, modify_header_id,
	     DEALLOC_MODIFY_HEADER_CONTEXT, dealloc_modify_header_context, modify_header_id,
	     0xfedcba98);
}

static void made_general(struct kunit *test)
{
	begin(MLX5_CMD_OP_CREATE_GENERAL_OBJECT);
	MLX5_SET(general_obj_in_cmd_hdr, in, obj_type, 0xabcd);
	MLX5_SET(general_obj_out_cmd_hdr, out, obj_id, 0xfedcba98);
	KUNIT_EXPECT_EQ(test, undo(test, MLX5_CMD_OP_DESTROY_GENERAL_OBJECT), 0xfedcba98);
	KUNIT_EXPECT_EQ(test, MLX5_GET(general_obj_in_cmd_hdr, destroy, obj_type), 0xabcd);
	KUNIT_EXPECT_EQ(test, MLX5_GET(general_obj_in_cmd_hdr, destroy, obj_id), 0xfedcba98);
}

/* What else of the request the firmware needs to find the object. */
static void remembered(struct kunit *test)
{
	begin(MLX5_CMD_OP_CREATE_FLOW_GROUP);
	MLX5_SET(create_flow_group_in, in, other_vport, 1);
	MLX5_SET(create_flow_group_in, in, vport_number, 0xabcd);
	MLX5_SET(create_flow_group_in, in, table_type, 0x5a);
	MLX5_SET(create_flow_group_in, in, table_id, 0x123456);
	MLX5_SET(create_flow_group_out, out, group_id, 0x654321);
	undo(test, MLX5_CMD_OP_DESTROY_FLOW_GROUP);
	KUNIT_EXPECT_EQ(test, MLX5_GET(destroy_flow_group_in, destroy, other_vport), 1);
	KUNIT_EXPECT_EQ(test, MLX5_GET(destroy_flow_group_in, destroy, vport_number), 0xabcd);
	KUNIT_EXPECT_EQ(test, MLX5_GET(destroy_flow_group_in, destroy, table_type), 0x5a);
	KUNIT_EXPECT_EQ(test, MLX5_GET(destroy_flow_group_in, destroy, table_id), 0x123456);
	KUNIT_EXPECT_EQ(test, MLX5_GET(destroy_flow_group_in, destroy, group_id), 0x654321);

	begin(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY);
	MLX5_SET(set_fte_in, in, table_id, 0x123456);
	MLX5_SET(set_fte_in, in, flow_index, 0x89abcdef);
	undo(test, MLX5_CMD_OP_DELETE_FLOW_TABLE_ENTRY);
	KUNIT_EXPECT_EQ(test, MLX5_GET(delete_fte_in, destroy, table_id), 0x123456);
	KUNIT_EXPECT_EQ(test, MLX5_GET(delete_fte_in, destroy, flow_index), 0x89abcdef);

	begin(MLX5_CMD_OP_ATTACH_TO_MCG);
	MLX5_SET(attach_to_mcg_in, in, qpn, 0x123456);
	memset(MLX5_ADDR_OF(attach_to_mcg_in, in, multicast_gid), 0xa5, 16);
	undo(test, MLX5_CMD_OP_DETACH_FROM_MCG);
	KUNIT_EXPECT_EQ(test, MLX5_GET(detach_from_mcg_in, destroy, qpn), 0x123456);
	KUNIT_EXPECT_MEMEQ(test, MLX5_ADDR_OF(detach_from_mcg_in, destroy, multicast_gid),
			   MLX5_ADDR_OF(attach_to_mcg_in, in, multicast_gid), 16);
}

static void only_some(struct kunit *test)
{
	begin(MLX5_CMD_OP_CREATE_PSV);
	for (u32 count = 0; count < 16; count++) {
		MLX5_SET(create_psv_in, in, num_psv, count);
		KUNIT_EXPECT_EQ(test, !!mlx5_ib_devx_kind(in, IN_LEN, OUT_LEN), count == 1);
	}
	begin(MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY);
	MLX5_SET(set_fte_in, in, op_mod, 1);
	KUNIT_EXPECT_NULL(test, mlx5_ib_devx_kind(in, IN_LEN, OUT_LEN));
	KUNIT_EXPECT_NE(test, mlx5_ib_devx_modified_id(in, IN_LEN), 0);
	MLX5_SET(set_fte_in, in, op_mod, 0);
	KUNIT_EXPECT_NOT_NULL(test, mlx5_ib_devx_kind(in, IN_LEN, OUT_LEN));
	KUNIT_EXPECT_EQ(test, mlx5_ib_devx_modified_id(in, IN_LEN), 0);
}

/* Nothing is looked at that isn't there. */
static void cut_short(struct kunit *test)
{
	static const struct {
		u16 opcode;
		size_t inlen, outlen;
	} least[] = {
		{ MLX5_CMD_OP_ATTACH_TO_MCG, MLX5_ST_SZ_BYTES(attach_to_mcg_in), 0 },
		{ MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY, 0x120 / 8, 0 },
		{ MLX5_CMD_OP_CREATE_CQ, 0, 0x60 / 8 },
		{ MLX5_CMD_OP_CREATE_FLOW_GROUP, 0xc0 / 8, 0x60 / 8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(least); i++) {
		begin(least[i].opcode);
		for (size_t len = 0; len < 128; len += 4) {
			KUNIT_EXPECT_EQ(test, !!mlx5_ib_devx_kind(in, len, OUT_LEN),
					len >= least[i].inlen);
			KUNIT_EXPECT_EQ(test, !!mlx5_ib_devx_kind(in, IN_LEN, len),
					len >= least[i].outlen);
		}
	}
}

static bool modifies_what_it_makes(u16 opcode)
{
	return opcode == MLX5_CMD_OP_ADD_VXLAN_UDP_DPORT ||
	       opcode == MLX5_CMD_OP_SET_L2_TABLE_ENTRY;
}

/* Each command is of one class or of none. */
static void classes(struct kunit *test)
{
	int count;

	for (u32 opcode = 0; opcode <= U16_MAX; opcode++) {
		begin(opcode);
		count = !!mlx5_ib_devx_kind(in, IN_LEN, OUT_LEN) +
			!!mlx5_ib_devx_modified_id(in, IN_LEN) +
			!!mlx5_ib_devx_queried_id(in, IN_LEN) + mlx5_ib_devx_is_general(in);
		KUNIT_EXPECT_LE_MSG(test, count, modifies_what_it_makes(opcode) ? 2 : 1,
				    "opcode %x", opcode);
		if (mlx5_ib_devx_is_harmless(in))
			KUNIT_EXPECT_TRUE(test, mlx5_ib_devx_is_general(in));
	}
}

static void none_of_a_process(struct kunit *test)
{
	static const u16 opcodes[] = {
		MLX5_CMD_OP_INIT_HCA, MLX5_CMD_OP_TEARDOWN_HCA, MLX5_CMD_OP_ENABLE_HCA,
		MLX5_CMD_OP_DISABLE_HCA, MLX5_CMD_OP_MANAGE_PAGES, MLX5_CMD_OP_SET_HCA_CAP,
		MLX5_CMD_OP_SET_ISSI, MLX5_CMD_OP_ACCESS_REG, MLX5_CMD_OP_MAD_IFC,
		MLX5_CMD_OP_CREATE_EQ, MLX5_CMD_OP_DESTROY_EQ, MLX5_CMD_OP_ALLOC_UAR,
		MLX5_CMD_OP_DEALLOC_UAR, MLX5_CMD_OP_CREATE_UCTX, MLX5_CMD_OP_DESTROY_UCTX,
		MLX5_CMD_OP_CREATE_UMEM, MLX5_CMD_OP_DESTROY_UMEM, MLX5_CMD_OP_DESTROY_QP,
		MLX5_CMD_OP_DESTROY_MKEY, MLX5_CMD_OP_DESTROY_CQ, MLX5_CMD_OP_DEALLOC_PD,
		MLX5_CMD_OP_PAGE_FAULT_RESUME, MLX5_CMD_OP_QUERY_SPECIAL_CONTEXTS,
		MLX5_CMD_OP_MODIFY_HCA_VPORT_CONTEXT, MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT,
	};

	for (size_t i = 0; i < ARRAY_SIZE(opcodes); i++) {
		begin(opcodes[i]);
		KUNIT_EXPECT_NULL(test, mlx5_ib_devx_kind(in, IN_LEN, OUT_LEN));
		KUNIT_EXPECT_EQ(test, mlx5_ib_devx_modified_id(in, IN_LEN), 0);
		KUNIT_EXPECT_EQ(test, mlx5_ib_devx_queried_id(in, IN_LEN), 0);
		KUNIT_EXPECT_FALSE(test, mlx5_ib_devx_is_general(in));
	}
}

#define IS_ABOUT(op, layout, field, made, what)							\
	do {											\
		begin(MLX5_CMD_OP_##op);							\
		MLX5_SET(layout##_in, in, field, 0x123456);					\
		KUNIT_EXPECT_EQ(test, mlx5_ib_devx_##what##_id(in, IN_LEN),			\
				mlx5_ib_devx_id(MLX5_CMD_OP_##made, 0, 0x123456));		\
	} while (0)

static void about(struct kunit *test)
{
	IS_ABOUT(MODIFY_CQ, modify_cq, cqn, CREATE_CQ, modified);
	IS_ABOUT(MODIFY_RMP, modify_rmp, rmpn, CREATE_RMP, modified);
	IS_ABOUT(INIT2RTR_QP, init2rtr_qp, qpn, CREATE_QP, modified);
	IS_ABOUT(2RST_QP, qp_2rst, qpn, CREATE_QP, modified);
	IS_ABOUT(2ERR_QP, qp_2err, qpn, CREATE_QP, modified);
	IS_ABOUT(ARM_RQ, arm_rq, srq_number, CREATE_RQ, modified);
	IS_ABOUT(ARM_XRC_SRQ, arm_xrc_srq, xrc_srqn, CREATE_XRC_SRQ, modified);
	IS_ABOUT(QUERY_QP, query_qp, qpn, CREATE_QP, queried);
	IS_ABOUT(QUERY_MKEY, query_mkey, mkey_index, CREATE_MKEY, queried);
	IS_ABOUT(QUERY_DCT, query_dct, dctn, CREATE_DCT, queried);
	IS_ABOUT(QUERY_TIS, query_tis, tisn, CREATE_TIS, queried);
	IS_ABOUT(QUERY_FLOW_COUNTER, query_flow_counter, flow_counter_id, ALLOC_FLOW_COUNTER,
		 queried);

	/* General objects are told apart by their types. */
	begin(MLX5_CMD_OP_QUERY_GENERAL_OBJECT);
	MLX5_SET(general_obj_in_cmd_hdr, in, obj_type, 0x40);
	MLX5_SET(general_obj_in_cmd_hdr, in, obj_id, 7);
	KUNIT_EXPECT_EQ(test, mlx5_ib_devx_queried_id(in, IN_LEN),
			mlx5_ib_devx_id(MLX5_CMD_OP_CREATE_GENERAL_OBJECT, 0x40, 7));
}

/* Whatever the process says, its memory is registered memory. */
static void only_registered_memory(struct kunit *test)
{
	bool indirect;

	begin(MLX5_CMD_OP_CREATE_CQ);
	KUNIT_EXPECT_EQ(test, mlx5_ib_devx_only_umem(in, MLX5_IB_DEVX_MIN_IN, &indirect), -EINVAL);
	KUNIT_EXPECT_EQ(test, mlx5_ib_devx_only_umem(in, IN_LEN, &indirect), 0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(create_cq_in, in, cq_umem_valid), 1);
	KUNIT_EXPECT_EQ(test, MLX5_GET(create_cq_in, in, cq_context.dbr_umem_valid), 1);

	begin(MLX5_CMD_OP_CREATE_QP);
	KUNIT_EXPECT_EQ(test, mlx5_ib_devx_only_umem(in, IN_LEN, &indirect), 0);
	KUNIT_EXPECT_EQ(test, MLX5_GET(create_qp_in, in, wq_umem_valid), 1);
	KUNIT_EXPECT_EQ(test, MLX5_GET(create_qp_in, in, qpc.dbr_umem_valid), 1);

	for (u32 mode = 0; mode < 32; mode++) {
		bool keys = mode == MLX5_MKC_ACCESS_MODE_KLMS || mode == MLX5_MKC_ACCESS_MODE_KSM;

		begin(MLX5_CMD_OP_CREATE_MKEY);
		MLX5_SET(create_mkey_in, in, memory_key_mkey_entry.access_mode_1_0, mode & 3);
		MLX5_SET(create_mkey_in, in, memory_key_mkey_entry.access_mode_4_2, mode >> 2);
		KUNIT_EXPECT_EQ(test, mlx5_ib_devx_only_umem(in, IN_LEN, &indirect), 0);
		KUNIT_EXPECT_EQ(test, indirect, keys);
		KUNIT_EXPECT_EQ(test, MLX5_GET(create_mkey_in, in, mkey_umem_valid), !keys);
	}
}

static struct kunit_case kind_cases[] = {
	KUNIT_CASE(made),
	KUNIT_CASE(made_general),
	KUNIT_CASE(remembered),
	KUNIT_CASE(only_some),
	KUNIT_CASE(cut_short),
	KUNIT_CASE(classes),
	KUNIT_CASE(none_of_a_process),
	KUNIT_CASE(about),
	KUNIT_CASE(only_registered_memory),
	{}
};

static struct kunit_suite kind_suite = {
	.name = "mlx5-devx-kind",
	.test_cases = kind_cases,
};

kunit_test_suite(kind_suite);
