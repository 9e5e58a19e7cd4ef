// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The QP state machine (IBTA 10.3.1, and the tables of 11.2.5 "Modify Queue Pair"): which moves
 * there are, and which attributes each of them needs and takes, for each type of QP.
 */

#include <linux/bits.h>
#include <linux/export.h>
#include <rdma/ib_verbs.h>

#define TO_RESET	BIT(IB_QPS_RESET)
#define TO_INIT		BIT(IB_QPS_INIT)
#define TO_RTR		BIT(IB_QPS_RTR)
#define TO_RTS		BIT(IB_QPS_RTS)
#define TO_SQD		BIT(IB_QPS_SQD)
#define TO_ERR		BIT(IB_QPS_ERR)

static const u8 moves[] = {
	[IB_QPS_RESET]	= TO_RESET | TO_INIT,
	[IB_QPS_INIT]	= TO_RESET | TO_INIT | TO_RTR | TO_ERR,
	[IB_QPS_RTR]	= TO_RESET | TO_RTS | TO_ERR,
	[IB_QPS_RTS]	= TO_RESET | TO_RTS | TO_SQD | TO_ERR,
	[IB_QPS_SQD]	= TO_RESET | TO_RTS | TO_SQD | TO_ERR,
	[IB_QPS_SQE]	= TO_RESET | TO_RTS | TO_ERR,
	[IB_QPS_ERR]	= TO_RESET | TO_ERR,
};

#define NR_STATES	ARRAY_SIZE(moves)

/* Only in these does a QP know its state less well than its consumer. */
#define HAS_CUR_STATE	(BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS) | BIT(IB_QPS_SQD) | BIT(IB_QPS_SQE))

/* Attributes that go together. */
#define CONNECTED_INIT	(IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS)
#define DATAGRAM_INIT	(IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_QKEY)
#define DATAGRAM	(IB_QP_PKEY_INDEX | IB_QP_QKEY)
#define PEER		(IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN)
#define RESPONDER	(IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER)
#define RETRIES		(IB_QP_RETRY_CNT | IB_QP_RNR_RETRY)
#define REQUESTER	(IB_QP_TIMEOUT | RETRIES | IB_QP_MAX_QP_RD_ATOMIC)
#define START_REQUESTER	(REQUESTER | IB_QP_SQ_PSN)
#define ALTERNATE	(IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX)
#define MIGRATION	(IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE)
#define RUNNING		(IB_QP_CUR_STATE | MIGRATION)
#define RUNNING_RESPONDER (RUNNING | IB_QP_MIN_RNR_TIMER)
#define RUNNING_UD	(IB_QP_CUR_STATE | IB_QP_QKEY)
#define REPATH		(IB_QP_AV | IB_QP_PKEY_INDEX | MIGRATION)

struct rule {
	u32 required;
	u32 optional;
};

/* By move and type: what is required, and what is allowed. A type without a rule takes nothing. */
static const struct rule rules[NR_STATES][NR_STATES][IB_QPT_MAX] = {
	[IB_QPS_RESET][IB_QPS_INIT] = {
		[IB_QPT_RC]		= { CONNECTED_INIT, 0 },
		[IB_QPT_UC]		= { CONNECTED_INIT, 0 },
		[IB_QPT_XRC_INI]	= { CONNECTED_INIT, 0 },
		[IB_QPT_XRC_TGT]	= { CONNECTED_INIT, 0 },
		[IB_QPT_UD]		= { DATAGRAM_INIT, 0 },
		[IB_QPT_SMI]		= { DATAGRAM, 0 },
		[IB_QPT_GSI]		= { DATAGRAM, 0 },
		[IB_QPT_RAW_PACKET]	= { IB_QP_PORT, 0 },
	},
	[IB_QPS_INIT][IB_QPS_INIT] = {
		[IB_QPT_RC]		= { 0, CONNECTED_INIT },
		[IB_QPT_UC]		= { 0, CONNECTED_INIT },
		[IB_QPT_XRC_INI]	= { 0, CONNECTED_INIT },
		[IB_QPT_XRC_TGT]	= { 0, CONNECTED_INIT },
		[IB_QPT_UD]		= { 0, DATAGRAM_INIT },
		[IB_QPT_SMI]		= { 0, DATAGRAM },
		[IB_QPT_GSI]		= { 0, DATAGRAM },
	},
	[IB_QPS_INIT][IB_QPS_RTR] = {
		[IB_QPT_RC]		= { PEER | RESPONDER, ALTERNATE },
		[IB_QPT_UC]		= { PEER, ALTERNATE },
		[IB_QPT_XRC_INI]	= { PEER, ALTERNATE },
		[IB_QPT_XRC_TGT]	= { PEER | RESPONDER, ALTERNATE },
		[IB_QPT_UD]		= { 0, DATAGRAM },
		[IB_QPT_SMI]		= { 0, DATAGRAM },
		[IB_QPT_GSI]		= { 0, DATAGRAM },
	},
	[IB_QPS_RTR][IB_QPS_RTS] = {
		[IB_QPT_RC]		= { START_REQUESTER, RUNNING_RESPONDER },
		[IB_QPT_UC]		= { IB_QP_SQ_PSN, RUNNING },
		[IB_QPT_XRC_INI]	= { START_REQUESTER, RUNNING },
		[IB_QPT_XRC_TGT]	= { IB_QP_TIMEOUT | IB_QP_SQ_PSN, RUNNING_RESPONDER },
		[IB_QPT_UD]		= { IB_QP_SQ_PSN, RUNNING_UD },
		[IB_QPT_SMI]		= { IB_QP_SQ_PSN, RUNNING_UD },
		[IB_QPT_GSI]		= { IB_QP_SQ_PSN, RUNNING_UD },
		[IB_QPT_RAW_PACKET]	= { 0, IB_QP_RATE_LIMIT },
	},
	[IB_QPS_RTS][IB_QPS_RTS] = {
		[IB_QPT_RC]		= { 0, RUNNING_RESPONDER },
		[IB_QPT_UC]		= { 0, RUNNING },
		[IB_QPT_XRC_INI]	= { 0, RUNNING },
		[IB_QPT_XRC_TGT]	= { 0, RUNNING_RESPONDER },
		[IB_QPT_UD]		= { 0, RUNNING_UD },
		[IB_QPT_SMI]		= { 0, RUNNING_UD },
		[IB_QPT_GSI]		= { 0, RUNNING_UD },
		[IB_QPT_RAW_PACKET]	= { 0, IB_QP_RATE_LIMIT },
	},
	[IB_QPS_RTS][IB_QPS_SQD] = {
		[IB_QPT_RC]		= { 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
		[IB_QPT_UC]		= { 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
		[IB_QPT_XRC_INI]	= { 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
		[IB_QPT_XRC_TGT]	= { 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
		[IB_QPT_UD]		= { 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
		[IB_QPT_SMI]		= { 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
		[IB_QPT_GSI]		= { 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	},
	[IB_QPS_SQD][IB_QPS_SQD] = {
		[IB_QPT_RC]		= { 0, REPATH | IB_QP_PORT | REQUESTER | RESPONDER },
		[IB_QPT_UC]		= { 0, REPATH },
		[IB_QPT_XRC_INI]	= { 0, REPATH | IB_QP_PORT | REQUESTER },
		[IB_QPT_XRC_TGT]	= { 0, REPATH | IB_QP_PORT | IB_QP_TIMEOUT | RESPONDER },
		[IB_QPT_UD]		= { 0, DATAGRAM },
		[IB_QPT_SMI]		= { 0, DATAGRAM },
		[IB_QPT_GSI]		= { 0, DATAGRAM },
	},
	[IB_QPS_SQD][IB_QPS_RTS] = {
		[IB_QPT_RC]		= { 0, RUNNING_RESPONDER },
		[IB_QPT_UC]		= { 0, RUNNING },
		[IB_QPT_XRC_INI]	= { 0, RUNNING },
		[IB_QPT_XRC_TGT]	= { 0, RUNNING_RESPONDER },
		[IB_QPT_UD]		= { 0, RUNNING_UD },
		[IB_QPT_SMI]		= { 0, RUNNING_UD },
		[IB_QPT_GSI]		= { 0, RUNNING_UD },
	},
	[IB_QPS_SQE][IB_QPS_RTS] = {
		[IB_QPT_UC]		= { 0, IB_QP_CUR_STATE | IB_QP_ACCESS_FLAGS },
		[IB_QPT_UD]		= { 0, RUNNING_UD },
		[IB_QPT_SMI]		= { 0, RUNNING_UD },
		[IB_QPT_GSI]		= { 0, RUNNING_UD },
	},
};

/**
 * ib_modify_qp_is_ok - check a change of a QP's state and attributes
 * @cur_state: the QP's state
 * @next_state: the state wanted; @cur_state if it shall stay
 * @type: the QP's type
 * @mask: the attributes given
 *
 * For drivers, which know the QP's state, as the first thing in their modify_qp.
 *
 * Context: Any.
 * Return: whether there is such a move, @mask has all attributes that it requires and none that it
 * doesn't take. IB_QP_STATE is always taken.
 */
bool ib_modify_qp_is_ok(enum ib_qp_state cur_state, enum ib_qp_state next_state,
			enum ib_qp_type type, enum ib_qp_attr_mask mask)
{
	const struct rule *rule;

	if (cur_state >= NR_STATES || next_state >= NR_STATES || type >= IB_QPT_MAX)
		return false;
	if (!(moves[cur_state] & BIT(next_state)))
		return false;
	if (mask & IB_QP_CUR_STATE && !(HAS_CUR_STATE & BIT(cur_state)))
		return false;

	rule = &rules[cur_state][next_state][type];
	return !(rule->required & ~mask) &&
	       !(mask & ~(rule->required | rule->optional | IB_QP_STATE));
}
EXPORT_SYMBOL(ib_modify_qp_is_ok);
