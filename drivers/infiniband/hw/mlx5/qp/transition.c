// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The queue pair's state machine as the device has it (IBTA 10.3.1): a row for each transition that
 * has a command of its own, with what a modification may change there beside what the transition
 * sets in any case. Resetting and failing a queue pair is one command from whichever state.
 */
#include <linux/bits.h>
#include "qp.h"

/* Kinds of queue pairs that differ in what they have. */
enum kind {
	RC, UC, UD, XRC, SPECIAL, KINDS,
};

#define ACCESS (MLX5_QP_OPTPAR_RRE | MLX5_QP_OPTPAR_RAE | MLX5_QP_OPTPAR_RWE)
#define REMOTE_WRITE MLX5_QP_OPTPAR_RWE
#define PKEY MLX5_QP_OPTPAR_PKEY_INDEX
#define PORT MLX5_QP_OPTPAR_PRI_PORT
#define QKEY MLX5_QP_OPTPAR_Q_KEY
#define ALT MLX5_QP_OPTPAR_ALT_ADDR_PATH
#define MIG MLX5_QP_OPTPAR_PM_STATE
#define RNR MLX5_QP_OPTPAR_RNR_TIMEOUT

static const struct row {
	enum ib_qp_state from, to;
	u16 opcode;
	u32 optional[KINDS];
} rows[] = {
	{ IB_QPS_RESET, IB_QPS_INIT, MLX5_CMD_OP_RST2INIT_QP },
	{ IB_QPS_INIT, IB_QPS_INIT, MLX5_CMD_OP_INIT2INIT_QP, {
		[RC] = ACCESS | PKEY | PORT,
		[UC] = REMOTE_WRITE | PKEY | PORT,
		[UD] = QKEY | PKEY | PORT,
		[XRC] = ACCESS | PKEY | PORT,
	} },
	{ IB_QPS_INIT, IB_QPS_RTR, MLX5_CMD_OP_INIT2RTR_QP, {
		[RC] = ACCESS | PKEY | ALT,
		[UC] = REMOTE_WRITE | PKEY | ALT,
		[UD] = QKEY | PKEY,
		[XRC] = ACCESS | PKEY | ALT,
	} },
	{ IB_QPS_RTR, IB_QPS_RTS, MLX5_CMD_OP_RTR2RTS_QP, {
		[RC] = ACCESS | RNR | ALT | MIG,
		[UC] = REMOTE_WRITE | ALT | MIG,
		[UD] = QKEY,
		[XRC] = ACCESS | RNR | ALT | MIG,
	} },
	{ IB_QPS_RTS, IB_QPS_RTS, MLX5_CMD_OP_RTS2RTS_QP, {
		[RC] = ACCESS | RNR | ALT | MIG,
		[UC] = REMOTE_WRITE | ALT | MIG,
		[UD] = QKEY,
		[XRC] = ACCESS | RNR | ALT | MIG,
	} },
	{ IB_QPS_SQE, IB_QPS_RTS, MLX5_CMD_OP_SQERR2RTS_QP, {
		[RC] = ACCESS | RNR,
		[UC] = REMOTE_WRITE,
		[UD] = QKEY,
		[XRC] = ACCESS | RNR,
	} },
	{ IB_QPS_SQD, IB_QPS_RTS, MLX5_CMD_OP_SQD_RTS_QP, {
		[RC] = ACCESS | RNR,
		[UC] = REMOTE_WRITE,
		[UD] = QKEY,
		[XRC] = ACCESS | RNR,
	} },
};

static enum kind kind_of(enum ib_qp_type type)
{
	switch (type) {
	case IB_QPT_RC:
		return RC;
	case IB_QPT_UC:
		return UC;
	case IB_QPT_UD:
		return UD;
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
		return XRC;
	default:
		return SPECIAL;
	}
}

/*
 * The fields that an attribute fills. Access flags go along with the number of incoming reads and
 * atomics, since those of them that need one are off while it's 0.
 */
static u32 fields_of(int attr_mask)
{
	static const struct {
		int attr;
		u32 fields;
	} fields[] = {
		{ IB_QP_ACCESS_FLAGS, ACCESS },
		{ IB_QP_MAX_DEST_RD_ATOMIC, ACCESS },
		{ IB_QP_PKEY_INDEX, PKEY },
		{ IB_QP_PORT, PORT },
		{ IB_QP_QKEY, QKEY },
		{ IB_QP_ALT_PATH, ALT },
		{ IB_QP_PATH_MIG_STATE, MIG },
		{ IB_QP_MIN_RNR_TIMER, RNR },
	};
	u32 all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (attr_mask & fields[i].attr)
			all |= fields[i].fields;
	return all;
}

/**
 * mlx5_ib_qp_transition - the command for a change of state
 * @type: of the queue pair, DC's and the driver's own told apart
 * @from: its state
 * @to: the new one
 * @attr_mask: enum ib_qp_attr_mask: what else changes
 * @transition: filled in
 *
 * Whether the attributes are the right ones for the transition is another's question:
 * ib_modify_qp_is_ok()'s, mlx5_ib_dci_modify_ok()'s.
 *
 * Return: 0, or -EINVAL: the device has no such transition.
 */
int mlx5_ib_qp_transition(enum ib_qp_type type, enum ib_qp_state from, enum ib_qp_state to,
			  int attr_mask, struct mlx5_ib_transition *transition)
{
	transition->opt_params = 0;
	if (to == IB_QPS_RESET) {
		transition->opcode = MLX5_CMD_OP_2RST_QP;
		return 0;
	}
	if (to == IB_QPS_ERR) {
		transition->opcode = MLX5_CMD_OP_2ERR_QP;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].from != from || rows[i].to != to)
			continue;
		transition->opcode = rows[i].opcode;
		transition->opt_params = rows[i].optional[kind_of(type)] & fields_of(attr_mask);
		return 0;
	}
	return -EINVAL;
}
