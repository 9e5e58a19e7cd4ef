// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What requesters and responders have in common: the connection itself, and the way in and out of
 * it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hca/connected.h"

#define PACKETS_A_TURN 16
#define PATH_MTU_MIN 1 /* codes */
#define PATH_MTU_MAX 5

static const struct operation operations[BTH_OPERATION_MASK + 1] = {
	[BTH_SEND_FIRST] = { .kind = OPERATION_SEND, .first = true },
	[BTH_SEND_MIDDLE] = { .kind = OPERATION_SEND },
	[BTH_SEND_LAST] = { .kind = OPERATION_SEND, .last = true },
	[BTH_SEND_LAST_IMM] = { .kind = OPERATION_SEND, .last = true, .imm = true },
	[BTH_SEND_ONLY] = { .kind = OPERATION_SEND, .first = true, .last = true },
	[BTH_SEND_ONLY_IMM] = { .kind = OPERATION_SEND, .first = true, .last = true, .imm = true },
	[BTH_SEND_LAST_INVALIDATE] = { .kind = OPERATION_SEND, .last = true, .invalidate = true },
	[BTH_SEND_ONLY_INVALIDATE] = { .kind = OPERATION_SEND,
				       .first = true,
				       .last = true,
				       .invalidate = true },
	[BTH_WRITE_FIRST] = { .kind = OPERATION_WRITE, .first = true },
	[BTH_WRITE_MIDDLE] = { .kind = OPERATION_WRITE },
	[BTH_WRITE_LAST] = { .kind = OPERATION_WRITE, .last = true },
	[BTH_WRITE_LAST_IMM] = { .kind = OPERATION_WRITE, .last = true, .imm = true },
	[BTH_WRITE_ONLY] = { .kind = OPERATION_WRITE, .first = true, .last = true },
	[BTH_WRITE_ONLY_IMM] = { .kind = OPERATION_WRITE,
				 .first = true,
				 .last = true,
				 .imm = true },
	[BTH_READ_REQUEST] = { .kind = OPERATION_READ, .first = true, .last = true },
	[BTH_COMPARE_SWAP] = { .kind = OPERATION_ATOMIC, .first = true, .last = true },
	[BTH_FETCH_ADD] = { .kind = OPERATION_ATOMIC, .first = true, .last = true },
	[BTH_READ_RESPONSE_FIRST] = { .kind = OPERATION_READ_RESPONSE, .first = true },
	[BTH_READ_RESPONSE_MIDDLE] = { .kind = OPERATION_READ_RESPONSE },
	[BTH_READ_RESPONSE_LAST] = { .kind = OPERATION_READ_RESPONSE, .last = true },
	[BTH_READ_RESPONSE_ONLY] = { .kind = OPERATION_READ_RESPONSE, .first = true, .last = true },
	[BTH_ATOMIC_ACKNOWLEDGE] = { .kind = OPERATION_ATOMIC_ACK, .first = true, .last = true },
	[BTH_ACKNOWLEDGE] = { .kind = OPERATION_ACK, .first = true, .last = true },
};

const struct operation *hca_operation(uint8_t bth_opcode)
{
	return &operations[bth_opcode & BTH_OPERATION_MASK];
}

uint32_t hca_path_mtu(const struct hca_qp *qp)
{
	uint8_t code = qp->conn.path_mtu;

	if (code < PATH_MTU_MIN)
		code = PATH_MTU_MIN;
	return 128u << (code > PATH_MTU_MAX ? PATH_MTU_MAX : code);
}

bool hca_finish_packet(const struct hca_qp *qp, const struct bth *bth, struct packet *packet)
{
	struct bth complete = *bth;

	complete.migrated = qp->conn.migration == HCA_MIGRATED;
	complete.pkey = hca_pkey_at(qp->hca, qp->pkey_index);
	complete.dest_qpn = qp->conn.dest_qpn;
	bth_encode(packet->data + hca_route_len(&qp->conn.path), &complete);
	return (complete.pkey & 0x7fff) && hca_route(qp, &qp->conn.path, packet);
}

/* Automatic path migration */

bool hca_migrate(struct hca_qp *qp)
{
	if (qp->conn.migration != HCA_ARMED)
		return false;
	qp->conn.path = qp->conn.alternate;
	qp->pkey_index = qp->conn.alternate_pkey_index;
	qp->conn.migration = HCA_MIGRATED;
	qp->hca->ops->event(qp->hca, HCA_EVENT_PATH_MIGRATED, qp->num);
	return true;
}

/*
 * Packets come from the connection's other end, or aren't of this connection (IBTA vol. 1,
 * 9.6.1.5).
 */
static bool along(const struct hca_av *path, const struct hca_rx *rx)
{
	if (rx->lrh.slid != path->dlid || rx->has_grh != path->grh)
		return false;
	return !path->grh || !memcmp(rx->grh.sgid, path->dgid, sizeof(rx->grh.sgid));
}

bool hca_from_peer(const struct hca_qp *qp, const struct hca_rx *rx)
{
	return along(&qp->conn.path, rx) ||
	       (qp->conn.migration != HCA_MIGRATED && along(&qp->conn.alternate, rx));
}

/*
 * The other side has an alternate path too once it stops to say that it has migrated; that it says
 * so tells us to, if it comes along that path.
 */
static void follow_migration(struct hca_qp *qp, const struct hca_rx *rx)
{
	bool asked = qp->conn.migration == HCA_ARMED && rx->bth.migrated;

	if (qp->conn.migration == HCA_REARM && !rx->bth.migrated)
		qp->conn.migration = HCA_ARMED;
	if (!asked) {
		qp->connected->path_refused = false;
	} else if (along(&qp->conn.alternate, rx)) {
		hca_migrate(qp);
	} else if (!qp->connected->path_refused) {
		qp->connected->path_refused = true;
		hca_qp_event(qp, HCA_EVENT_PATH_REFUSED);
	}
}

/*
 * The first packet of a connection is as good as the third message of its set-up (IBTA vol. 1,
 * 11.6.3.1.1).
 */
static void note_established(struct hca_qp *qp)
{
	if (qp->state != HCA_QP_RTR || qp->connected->established)
		return;
	qp->connected->established = true;
	qp->hca->ops->event(qp->hca, HCA_EVENT_COMM_EST, qp->num);
}

static bool admit(struct hca_qp *qp, const struct hca_rx *rx, uint8_t transport)
{
	if (BTH_TRANSPORT(rx->bth.opcode) != transport || !hca_from_peer(qp, rx)) {
		qp->hca->counters.dropped_malformed++;
		return false;
	}
	note_established(qp);
	follow_migration(qp, rx);
	return true;
}

static void reliable_receive(struct hca_qp *qp, const struct hca_rx *rx)
{
	const struct operation *operation = hca_operation(rx->bth.opcode);

	if (!admit(qp, rx, qp->type == HCA_QP_XRC ? BTH_TRANSPORT_XRC : BTH_TRANSPORT_RC))
		return;
	if (is_response(operation))
		hca_requester_receive(qp, rx, operation);
	else
		hca_responder_receive(qp, rx, operation);
}

/* An initiator has nothing that could be asked for. */
static void initiator_receive(struct hca_qp *qp, const struct hca_rx *rx)
{
	const struct operation *operation = hca_operation(rx->bth.opcode);

	if (!admit(qp, rx, BTH_TRANSPORT_DC) || !is_response(operation))
		return;
	if (hca_dci_is_unknown(qp, rx, operation))
		hca_requester_reconnect(qp);
	else
		hca_requester_receive(qp, rx, operation);
}

static void unreliable_receive(struct hca_qp *qp, const struct hca_rx *rx)
{
	if (admit(qp, rx, BTH_TRANSPORT_UC))
		hca_uc_receive(qp, rx, hca_operation(rx->bth.opcode));
}

static int create(struct hca_qp *qp)
{
	qp->connected = calloc(1, sizeof(*qp->connected));
	if (!qp->connected)
		return -ENOMEM;
	hca_requester_init(qp);
	hca_dci_init(qp);
	return 0;
}

static void destroy(struct hca_qp *qp)
{
	hca_dci_disconnect(qp);
	hca_requester_reset(qp);
	free(qp->connected);
	qp->connected = NULL;
}

static void reset(struct hca_qp *qp)
{
	hca_dci_disconnect(qp);
	hca_requester_reset(qp);
	hca_inbound_drop(&qp->connected->inbound);
	qp->connected->inbound.has_wr = false;
	qp->connected->established = false;
	qp->connected->path_refused = false;
}

static void start_receiving(struct hca_qp *qp)
{
	if (qp->type == HCA_QP_UC)
		hca_uc_start(qp);
	else
		hca_responder_start(qp);
}

static void entered(struct hca_qp *qp, enum hca_qp_state old)
{
	switch (qp->state) {
	case HCA_QP_RESET:
		reset(qp);
		break;
	case HCA_QP_RTR:
		if (old == HCA_QP_INIT)
			start_receiving(qp);
		break;
	case HCA_QP_RTS:
		if (old == HCA_QP_RTR)
			hca_requester_start(qp, qp->conn.sq_psn);
		else if (old == HCA_QP_SQE)
			hca_requester_start(qp, qp->connected->requester.next_psn);
		break;
	case HCA_QP_ERR:
		hca_requester_stop(qp);
		hca_dci_disconnect(qp);
		hca_inbound_fail(qp, HCA_FLUSHED);
		break;
	default:
		break;
	}
}

/* Responses first: the other side is waiting for them. */
static bool run(struct hca_qp *qp)
{
	unsigned int budget = PACKETS_A_TURN;

	return hca_responder_run(qp, &budget) || hca_requester_run(qp, &budget);
}

static bool drained(const struct hca_qp *qp)
{
	return hca_requester_idle(&qp->connected->requester);
}

void hca_qp_psns(const struct hca_qp *qp, uint32_t *send_psn, uint32_t *receive_psn)
{
	*send_psn = qp->connected ? qp->connected->requester.next_psn : 0;
	*receive_psn = qp->connected ? qp->connected->responder.epsn : 0;
}

const struct hca_transport hca_reliable = {
	.create = create,
	.destroy = destroy,
	.entered = entered,
	.run = run,
	.flush_send = hca_requester_flush,
	.drained = drained,
	.receive = reliable_receive,
	.send_error_state = HCA_QP_ERR,
};

const struct hca_transport hca_dc_initiator = {
	.create = create,
	.destroy = destroy,
	.entered = entered,
	.run = run,
	.flush_send = hca_requester_flush,
	.drained = drained,
	.receive = initiator_receive,
	.send_error_state = HCA_QP_ERR,
};

const struct hca_transport hca_unreliable = {
	.create = create,
	.destroy = destroy,
	.entered = entered,
	.run = run,
	.flush_send = hca_requester_flush,
	.drained = drained,
	.receive = unreliable_receive,
	.send_error_state = HCA_QP_SQE,
};
