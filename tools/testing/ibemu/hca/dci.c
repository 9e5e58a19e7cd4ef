// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Initiators of dynamic connections. Each work request names its target. An initiator has a session
 * with one target at a time: a connect goes in front of the first request, without waiting for an
 * answer, and a disconnect ends it once the initiator turns to another target, or has had nothing
 * to send for a while. The target changes only when nothing is under way, so all that is sent again
 * belongs to the session.
 *
 * A target that doesn't know the session has missed its connect, or is a new one under the number
 * of an old one, and a connect is put in front of what is under way. It names the same session: if
 * that is known after all, nothing is executed twice.
 *
 * The disconnect isn't acknowledged: whatever was asked for has been answered by then. If it's
 * lost, the target forgets the session in time.
 */
#include <string.h>

#include "base/bytes.h"
#include "hca/connected.h"

#define IDLE_NS (50 * NSEC_PER_MSEC)

static struct dc_session *session_of(const struct hca_qp *qp)
{
	return &qp->connected->session;
}

static bool same_path(const struct hca_av *a, const struct hca_av *b)
{
	if (a->dlid != b->dlid || a->sl != b->sl || a->path_bits != b->path_bits ||
	    a->grh != b->grh)
		return false;
	return !a->grh ||
	       (a->sgid_index == b->sgid_index && a->traffic_class == b->traffic_class &&
		a->hop_limit == b->hop_limit && a->flow_label == b->flow_label &&
		!memcmp(a->dgid, b->dgid, sizeof(a->dgid)));
}

static bool has_session_with_target(const struct hca_qp *qp, const struct hca_send_wr *wr)
{
	const struct dc_session *session = session_of(qp);

	return session->open && session->key == wr->dc_key &&
	       qp->conn.dest_qpn == wr->dest_qpn && same_path(&qp->conn.path, &wr->av);
}

bool hca_dci_must_wait(const struct hca_qp *qp, const struct hca_send_wr *wr)
{
	return !has_session_with_target(qp, wr) && !hca_requester_idle(&qp->connected->requester);
}

uint8_t *hca_dci_put_header(const struct hca_qp *qp, uint8_t *p)
{
	const struct dceth dceth = { .session = session_of(qp)->psn, .initiator = qp->num };

	dceth_encode(p, &dceth);
	return p + DCETH_LEN;
}

void hca_dci_disconnect(struct hca_qp *qp)
{
	const struct bth bth = {
		.opcode = BTH_OPCODE(BTH_TRANSPORT_DC, BTH_DC_DISCONNECT),
		.psn = qp->connected->requester.next_psn,
	};
	struct packet *packet;
	uint8_t *end;

	if (!session_of(qp)->open)
		return;
	session_of(qp)->open = false;
	timer_cancel(qp->hca->sched, &session_of(qp)->idle);
	packet = packet_alloc();
	if (!packet)
		return;
	end = hca_dci_put_header(qp, hca_extended_headers(qp, packet));
	packet->len = (uint16_t)(end - packet->data);
	if (!hca_finish_packet(qp, &bth, packet)) {
		packet_free(packet);
		return;
	}
	qp->hca->counters.sent++;
	fabric_port_send(qp->hca->port, packet);
}

bool hca_dci_is_unknown(const struct hca_qp *qp, const struct hca_rx *rx,
			const struct operation *operation)
{
	return session_of(qp)->open && operation->kind == OPERATION_ACK &&
	       rx->rest_len >= AETH_LEN && rx->rest[0] == (AETH_NAK | NAK_PSN_SEQUENCE) &&
	       rx->bth.psn == session_of(qp)->psn;
}

/* The timer isn't moved with each request, but looks at the last one when it fires. */
static void idle(void *ctx)
{
	struct hca_qp *qp = ctx;
	uint64_t now_ns = sched_now_ns(qp->hca->sched);
	uint64_t until_ns = session_of(qp)->used_ns + IDLE_NS;

	if (!hca_requester_idle(&qp->connected->requester))
		until_ns = now_ns + IDLE_NS;
	if (now_ns < until_ns)
		timer_arm(qp->hca->sched, &session_of(qp)->idle, until_ns);
	else
		hca_dci_disconnect(qp);
}

void hca_dci_init(struct hca_qp *qp)
{
	timer_init(&session_of(qp)->idle, idle, qp);
}

static bool connect(struct hca_qp *qp, const struct hca_send_wr *wr)
{
	struct dc_session *session = session_of(qp);

	hca_dci_disconnect(qp);
	qp->conn.path = wr->av;
	qp->conn.dest_qpn = wr->dest_qpn;
	session->open = true;
	session->psn = qp->connected->requester.next_psn;
	session->key = wr->dc_key;
	timer_arm(qp->hca->sched, &session->idle, sched_now_ns(qp->hca->sched) + IDLE_NS);
	return hca_requester_connect(qp);
}

bool hca_dci_reach(struct hca_qp *qp, const struct hca_send_wr *wr)
{
	session_of(qp)->used_ns = sched_now_ns(qp->hca->sched);
	return has_session_with_target(qp, wr) || connect(qp, wr);
}
