// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "qp.h"

#define STATES (IB_QPS_ERR + 1)
#define ALL_ATTRS (IB_QP_ATTR_STANDARD_BITS)

static const enum ib_qp_type types[] = {
	IB_QPT_RC, IB_QPT_UC, IB_QPT_UD, IB_QPT_XRC_INI, IB_QPT_XRC_TGT, IB_QPT_SMI,
	MLX5_IB_QPT_HW_GSI, MLX5_IB_QPT_UMR, MLX5_IB_QPT_DCI,
};

/* Every pair of states has its command or none, for each type. */
static void each_pair(struct kunit *test)
{
	static const u16 opcodes[STATES][STATES] = {
		[IB_QPS_RESET][IB_QPS_INIT] = MLX5_CMD_OP_RST2INIT_QP,
		[IB_QPS_INIT][IB_QPS_INIT] = MLX5_CMD_OP_INIT2INIT_QP,
		[IB_QPS_INIT][IB_QPS_RTR] = MLX5_CMD_OP_INIT2RTR_QP,
		[IB_QPS_RTR][IB_QPS_RTS] = MLX5_CMD_OP_RTR2RTS_QP,
		[IB_QPS_RTS][IB_QPS_RTS] = MLX5_CMD_OP_RTS2RTS_QP,
		[IB_QPS_SQD][IB_QPS_RTS] = MLX5_CMD_OP_SQD_RTS_QP,
		[IB_QPS_SQE][IB_QPS_RTS] = MLX5_CMD_OP_SQERR2RTS_QP,
	};
	struct mlx5_ib_transition transition;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		for (int from = 0; from < STATES; from++) {
			for (int to = 0; to < STATES; to++) {
				u16 opcode = to == IB_QPS_RESET ? MLX5_CMD_OP_2RST_QP :
					     to == IB_QPS_ERR ? MLX5_CMD_OP_2ERR_QP :
								opcodes[from][to];
				int err = mlx5_ib_qp_transition(types[i], from, to, ALL_ATTRS,
								&transition);

				KUNIT_EXPECT_EQ_MSG(test, err, opcode ? 0 : -EINVAL,
						    "type %d: %d to %d", types[i], from, to);
				if (!err)
					KUNIT_EXPECT_EQ(test, transition.opcode, opcode);
			}
		}
	}
}

static u32 optional(struct kunit *test, enum ib_qp_type type, enum ib_qp_state from,
		    enum ib_qp_state to, int attr_mask)
{
	struct mlx5_ib_transition transition;

	KUNIT_EXPECT_EQ(test, mlx5_ib_qp_transition(type, from, to, attr_mask, &transition), 0);
	return transition.opt_params;
}

#define RRE MLX5_QP_OPTPAR_RRE
#define RAE MLX5_QP_OPTPAR_RAE
#define RWE MLX5_QP_OPTPAR_RWE

/*
 * What a queue pair answers depends on how many reads it may have outstanding; where only writes
 * exist, their flag alone goes along; a datagram has none of it.
 */
static void incoming_reads(struct kunit *test)
{
	static const struct {
		enum ib_qp_type type;
		u32 fields;
	} cases[] = {
		{ IB_QPT_RC, RRE | RAE | RWE },
		{ IB_QPT_XRC_TGT, RRE | RAE | RWE },
		{ IB_QPT_UC, RWE },
		{ IB_QPT_UD, 0 },
		{ IB_QPT_SMI, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		KUNIT_EXPECT_EQ(test, optional(test, cases[i].type, IB_QPS_INIT, IB_QPS_RTR,
					       IB_QP_MAX_DEST_RD_ATOMIC), cases[i].fields);
		KUNIT_EXPECT_EQ(test, optional(test, cases[i].type, IB_QPS_RTR, IB_QPS_RTS,
					       IB_QP_ACCESS_FLAGS), cases[i].fields);
	}
}

/* An attribute that wasn't given changes nothing; one that the transition doesn't know neither. */
static void only_what_is_given(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_RTS, IB_QPS_RTS, 0), 0);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_RTS, IB_QPS_RTS,
				       IB_QP_MIN_RNR_TIMER),
			MLX5_QP_OPTPAR_RNR_TIMEOUT);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_UC, IB_QPS_RTS, IB_QPS_RTS,
				       IB_QP_MIN_RNR_TIMER), 0);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_UD, IB_QPS_RTS, IB_QPS_RTS, ALL_ATTRS),
			MLX5_QP_OPTPAR_Q_KEY);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_RTR, IB_QPS_RTS, IB_QP_PKEY_INDEX),
			0);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_INIT, IB_QPS_INIT, ALL_ATTRS),
			RRE | RAE | RWE | MLX5_QP_OPTPAR_PKEY_INDEX | MLX5_QP_OPTPAR_PRI_PORT);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_RESET, IB_QPS_INIT, ALL_ATTRS), 0);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_RTS, IB_QPS_ERR, ALL_ATTRS), 0);
}

static void migration(struct kunit *test)
{
	const int attrs = IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE;
	const u32 both = MLX5_QP_OPTPAR_ALT_ADDR_PATH | MLX5_QP_OPTPAR_PM_STATE;

	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_RTR, IB_QPS_RTS, attrs), both);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_UC, IB_QPS_RTS, IB_QPS_RTS, attrs), both);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_UD, IB_QPS_RTS, IB_QPS_RTS, attrs), 0);
	KUNIT_EXPECT_EQ(test, optional(test, IB_QPT_RC, IB_QPS_INIT, IB_QPS_RTR, attrs),
			MLX5_QP_OPTPAR_ALT_ADDR_PATH);
}

static struct kunit_case transition_cases[] = {
	KUNIT_CASE(each_pair),
	KUNIT_CASE(incoming_reads),
	KUNIT_CASE(only_what_is_given),
	KUNIT_CASE(migration),
	{}
};

static struct kunit_suite transition_suite = {
	.name = "mlx5-transition",
	.test_cases = transition_cases,
};

kunit_test_suite(transition_suite);
