// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Transitions of queue pairs. A command carries a context that is mostly empty: a transition takes
 * the fields that belong to it, and those that its mask of optional parameters names.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

#define NUMBER_AT 9
#define OPTIONS_AT 16
#define CONTEXT_AT 24

enum {
	RST2INIT = 1,
	INIT2INIT = 2,
	INIT2RTR = 4,
	RTR2RTS = 8,
	RTS2RTS = 16,
	SQERR2RTS = 32,
	SQD2RTS = 64
};

/* Bits of the mask of optional parameters. */
enum {
	OPT_ALTERNATE_PATH = 1 << 0,
	OPT_REMOTE_READ = 1 << 1,
	OPT_REMOTE_ATOMIC = 1 << 2,
	OPT_REMOTE_WRITE = 1 << 3,
	OPT_PKEY_INDEX = 1 << 4,
	OPT_QKEY = 1 << 5,
	OPT_RNR_TIMEOUT = 1 << 6,
	OPT_PRIMARY_PATH = 1 << 7,
	OPT_SRA_MAX = 1 << 8,
	OPT_RRA_MAX = 1 << 9,
	OPT_PM_STATE = 1 << 10,
	OPT_RETRY_COUNT = 1 << 12,
	OPT_RNR_RETRY = 1 << 13,
	OPT_ACK_TIMEOUT = 1 << 14,
	OPT_PORT = 1 << 16,
};

static const struct transition {
	uint16_t opcode;
	int name; /* for the table of parameters; 0: carries none */
	unsigned int from; /* states, as bits */
	enum hca_qp_state to;
} transitions[] = {
	{ 0x502, RST2INIT, 1 << HCA_QP_RESET, HCA_QP_INIT },
	{ 0x50e, INIT2INIT, 1 << HCA_QP_INIT, HCA_QP_INIT },
	{ 0x503, INIT2RTR, 1 << HCA_QP_INIT, HCA_QP_RTR },
	{ 0x504, RTR2RTS, 1 << HCA_QP_RTR, HCA_QP_RTS },
	{ 0x505, RTS2RTS, 1 << HCA_QP_RTS, HCA_QP_RTS },
	{ 0x506, SQERR2RTS, 1 << HCA_QP_SQE, HCA_QP_RTS },
	{ 0x50c, SQD2RTS, 1 << HCA_QP_SQD, HCA_QP_RTS },
	{ 0x507, 0, ~0u, HCA_QP_ERR },
	{ 0x50a, 0, ~0u, HCA_QP_RESET },
};

/*
 * Where a field lies, in bits from the start of the context: its own, or one of an address path in
 * it.
 */
#define PATH(which, field) (which) * 8 + ads_##field##_at, ads_##field##_width
#define OWN(field) qpc_##field##_at, qpc_##field##_width
#define PRIMARY CX5_PRIMARY_PATH

static const struct parameter {
	uint16_t at, width; /* bits */
	int required;       /* transitions that always set it */
	uint32_t option;    /* that sets it in the others */
} parameters[] = {
	{ PATH(PRIMARY, pkey_index), RST2INIT | INIT2INIT, OPT_PKEY_INDEX },
	{ PATH(PRIMARY, vhca_port_num), RST2INIT, OPT_PORT },
	{ OWN(q_key), RST2INIT, OPT_QKEY },
	{ OWN(rre), RST2INIT, OPT_REMOTE_READ },
	{ OWN(rwe), RST2INIT, OPT_REMOTE_WRITE },
	{ OWN(rae), RST2INIT, OPT_REMOTE_ATOMIC },
	{ OWN(atomic_mode), RST2INIT, OPT_REMOTE_ATOMIC },
	{ OWN(pm_state), RST2INIT, OPT_PM_STATE },
	{ OWN(mtu), INIT2RTR, 0 },
	{ OWN(log_msg_max), INIT2RTR, 0 },
	{ OWN(remote_qpn), INIT2RTR, 0 },
	{ OWN(next_rcv_psn), INIT2RTR, 0 },
	{ OWN(log_rra_max), INIT2RTR, OPT_RRA_MAX },
	{ OWN(min_rnr_nak), INIT2RTR, OPT_RNR_TIMEOUT },
	{ OWN(next_send_psn), RTR2RTS, 0 },
	{ OWN(retry_count), RTR2RTS, OPT_RETRY_COUNT },
	{ OWN(rnr_retry), RTR2RTS, OPT_RNR_RETRY },
	{ PATH(PRIMARY, ack_timeout), RTR2RTS, OPT_ACK_TIMEOUT },
	{ OWN(log_sra_max), RTR2RTS, OPT_SRA_MAX },
	{ OWN(log_ack_req_freq), RTR2RTS, 0 },
};

static void copy_bits(uint8_t *to, const uint8_t *from, unsigned int at, unsigned int width)
{
	const struct cx5_field field = { .at = (uint16_t)at, .width = (uint16_t)width };

	cx5_field_copy(&field, to, from);
}

/* An address path, but for what other parameters set. */
static void copy_path(uint8_t *to, const uint8_t *from)
{
	uint32_t pkey_index = GET(ads, pkey_index, to), ack_timeout = GET(ads, ack_timeout, to);
	uint32_t port = GET(ads, vhca_port_num, to);

	memcpy(to, from, CX5_PATH_LEN);
	PUT(ads, pkey_index, to, pkey_index);
	PUT(ads, ack_timeout, to, ack_timeout);
	PUT(ads, vhca_port_num, to, port);
}

static void merge(struct cx5_qp *qp, const struct transition *transition, const uint8_t *qpc,
		  uint32_t options)
{
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
		const struct parameter *parameter = &parameters[i];

		if ((parameter->required & transition->name) || (parameter->option & options))
			copy_bits(qp->context, qpc, parameter->at, parameter->width);
	}
	if (transition->name == INIT2RTR || (options & OPT_PRIMARY_PATH))
		copy_path(qp->context + PRIMARY, qpc + PRIMARY);
	if (options & OPT_ALTERNATE_PATH)
		memcpy(qp->context + CX5_SECONDARY_PATH, qpc + CX5_SECONDARY_PATH, CX5_PATH_LEN);
}

static const struct transition *transition_of(uint16_t opcode)
{
	const struct transition *transition = transitions;

	while (transition->opcode != opcode)
		transition++;
	return transition;
}

enum cx5_status cx5_modify_qp(struct connectx5 *dev, struct cx5_command *cmd)
{
	const struct transition *transition = transition_of(cmd->opcode);
	struct cx5_qp *qp = cx5_qp_find(dev, get_be24(cmd->in + NUMBER_AT));
	const uint8_t *qpc = cmd->in + CONTEXT_AT;

	if (!qp)
		return CX5_BAD_RES;
	if (!(transition->from >> qp->hca.state & 1))
		return CX5_BAD_QP_STATE;
	if (transition->name) {
		if (GET(ads, pkey_index, qpc + PRIMARY) >= FABRIC_PKEYS)
			return CX5_BAD_PARAM;
		cx5_connection_refresh(qp);
		merge(qp, transition, qpc, get_be32(cmd->in + OPTIONS_AT));
		cx5_connection_apply(qp);
	}
	if (transition->to == HCA_QP_RESET)
		qp->sq_posted = 0;
	hca_qp_set_state(&qp->hca, transition->to);
	return CX5_OK;
}
