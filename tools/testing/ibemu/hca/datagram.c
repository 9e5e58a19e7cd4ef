// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Unreliable datagrams, and the two management interfaces that are built on them: one work
 * request, one packet (IBTA vol. 1, 9.8.3).
 */
#include "base/bytes.h"
#include "hca/engine.h"

#define QKEY_PRIVILEGED 0x80000000u
#define SMP_LEN 256

static uint32_t max_payload(const struct hca_qp *qp)
{
	return qp->type == HCA_QP_SMI ? SMP_LEN
				      : 128u << fabric_port_attr(qp->hca->port)->neighbor_mtu;
}

/* The P_Key to send under; management datagrams on QP0 carry the default one. */
static uint16_t send_pkey(const struct hca_qp *qp)
{
	return qp->type == HCA_QP_SMI ? 0xffff : hca_pkey_at(qp->hca, qp->pkey_index);
}

/*
 * The headers from the BTH on; returns where the payload begins. A privileged Q_Key means the
 * queue pair's own.
 */
static uint8_t *put_transport(const struct hca_qp *qp, const struct hca_send_wr *wr, uint8_t *p,
			      uint8_t pad_count)
{
	bool imm = wr->opcode == HCA_SEND_IMM;
	struct bth bth = {
		.opcode = BTH_OPCODE(BTH_TRANSPORT_UD, imm ? BTH_SEND_ONLY_IMM : BTH_SEND_ONLY),
		.solicited = wr->solicited, .migrated = true, .pad_count = pad_count,
		.pkey = send_pkey(qp), .dest_qpn = wr->dest_qpn,
	};
	struct deth deth = {
		.qkey = wr->qkey & QKEY_PRIVILEGED ? qp->qkey : wr->qkey, .src_qpn = qp->src_qpn,
	};

	bth_encode(p, &bth);
	deth_encode(p + BTH_LEN, &deth);
	p += BTH_LEN + DETH_LEN;
	if (imm) {
		put_be32(p, wr->imm);
		p += IMM_LEN;
	}
	return p;
}

static enum hca_status build(struct hca_qp *qp, const struct hca_send_wr *wr, struct packet *packet)
{
	uint32_t payload_len = (uint32_t)hca_sge_total(wr->sge, wr->sge_count);
	uint8_t pad_count = (uint8_t)(-payload_len & 3);
	uint8_t *p = packet->data + hca_route_len(&wr->av);
	enum hca_status status;

	p = put_transport(qp, wr, p, pad_count);
	status = hca_gather(qp->hca, qp->pd, wr->sge, wr->sge_count, p);
	if (status != HCA_OK)
		return status;
	memset(p + payload_len, 0, pad_count);
	packet->len = (uint16_t)(p + payload_len + pad_count - packet->data);
	return hca_route(qp, &wr->av, packet) ? HCA_OK : HCA_LOCAL_QP_OPERATION;
}

static bool is_multicast(const struct hca_send_wr *wr)
{
	return wr->av.dlid >= LID_MULTICAST_FIRST && wr->av.dlid != LID_PERMISSIVE &&
	       wr->dest_qpn == QPN_MULTICAST;
}

/*
 * A service level that is mapped to VL15 is one that mustn't be used (IBTA vol. 1, 7.6.6). The
 * fabric never sends a multicast back where it came from: members on this port get theirs here.
 */
static void launch(struct hca_qp *qp, const struct hca_send_wr *wr, struct packet *packet)
{
	struct fabric_port *port = qp->hca->port;

	if (packet->vl == VL_MANAGEMENT && qp->type != HCA_QP_SMI) {
		fabric_port_count(port, PORT_XMIT_DISCARDS);
		packet_free(packet);
		return;
	}
	qp->hca->counters.sent++;
	if (is_multicast(wr) && fabric_port_attr(port)->state == PORT_ACTIVE)
		hca_receive_multicast(qp->hca, packet, qp->block_loopback ? qp : NULL);
	fabric_port_send(port, packet);
}

static enum hca_status transmit(struct hca_qp *qp, struct hca_send_wr *wr)
{
	struct packet *packet;
	enum hca_status status;

	if (wr->opcode != HCA_SEND && wr->opcode != HCA_SEND_IMM)
		return HCA_LOCAL_QP_OPERATION;
	if (hca_sge_total(wr->sge, wr->sge_count) > max_payload(qp))
		return HCA_LOCAL_LENGTH;
	if (!(send_pkey(qp) & 0x7fff))
		return HCA_LOCAL_QP_OPERATION;
	packet = packet_alloc();
	if (!packet)
		return HCA_LOCAL_QP_OPERATION;
	status = build(qp, wr, packet);
	if (status != HCA_OK) {
		packet_free(packet);
		return status;
	}
	launch(qp, wr, packet);
	return HCA_OK;
}

static enum hca_status datagram_send(struct hca_qp *qp, struct hca_send_wr *wr)
{
	return wr->opcode == HCA_NOP ? HCA_OK : transmit(qp, wr);
}

/* A datagram apart from the headers that all transports have. */
struct datagram {
	struct deth deth;
	bool has_imm;
	uint32_t imm;
	const uint8_t *payload;
	uint16_t len;
};

static bool parse(const struct hca_rx *rx, struct datagram *datagram)
{
	uint16_t headers = DETH_LEN;

	datagram->has_imm = rx->bth.opcode == BTH_OPCODE(BTH_TRANSPORT_UD, BTH_SEND_ONLY_IMM);
	if (!datagram->has_imm && rx->bth.opcode != BTH_OPCODE(BTH_TRANSPORT_UD, BTH_SEND_ONLY))
		return false;
	if (datagram->has_imm)
		headers += IMM_LEN;
	if (rx->rest_len < headers)
		return false;
	deth_decode(rx->rest, &datagram->deth);
	if (datagram->has_imm)
		datagram->imm = get_be32(rx->rest + DETH_LEN);
	datagram->payload = rx->rest + headers;
	datagram->len = (uint16_t)(rx->rest_len - headers);
	return true;
}

/* The receive buffer begins with room for a GRH, used or not (IBTA vol. 1, 11.4.1.2). */
static enum hca_status place(struct hca_qp *qp, const struct hca_rx *rx,
			     const struct datagram *datagram, const struct hca_recv_wr *wr)
{
	uint32_t pd = qp->srq ? qp->srq->pd : qp->pd;
	enum hca_status status = HCA_OK;

	if (GRH_LEN + (uint64_t)datagram->len > hca_sge_total(wr->sge, wr->sge_count))
		return HCA_LOCAL_LENGTH;
	if (rx->has_grh)
		status =
			hca_scatter(qp->hca, pd, wr->sge, wr->sge_count, 0, rx->grh_bytes, GRH_LEN);
	if (status == HCA_OK)
		status = hca_scatter(qp->hca, pd, wr->sge, wr->sge_count, GRH_LEN,
				     datagram->payload, datagram->len);
	/* There's nobody to be told to try again, so that receives aren't paged on demand. */
	return status == HCA_PAGED_OUT ? HCA_LOCAL_PROTECTION : status;
}

static void complete(struct hca_qp *qp, const struct hca_rx *rx, const struct datagram *datagram,
		     const struct hca_recv_wr *wr, enum hca_status status)
{
	struct hca_wc wc = {
		.opcode = datagram->has_imm ? HCA_WC_RECV_IMM : HCA_WC_RECV,
		.status = status,
		.srq = qp->srq,
		.index = wr->index,
		.solicited = rx->bth.solicited,
		.byte_len = GRH_LEN + datagram->len,
		.imm = datagram->imm,
		.grh = rx->has_grh,
		.src_qpn = datagram->deth.src_qpn,
		.slid = rx->lrh.slid,
		.sl = rx->lrh.sl,
		.pkey = rx->bth.pkey,
		.path_bits = rx->lrh.dlid & ((1u << fabric_port_attr(qp->hca->port)->lmc) - 1),
	};

	hca_qp_complete(qp, qp->recv_cq, &wc);
	if (status != HCA_OK && qp->state != HCA_QP_ERR)
		hca_qp_set_state(qp, HCA_QP_ERR);
}

static void consume(struct hca_qp *qp, const struct hca_rx *rx, const struct datagram *datagram)
{
	struct hca_rq *rq = qp->srq ? &qp->srq->rq : &qp->rq;
	struct hca_recv_wr wr;
	enum hca_fetch fetch = qp->srq || qp->has_rq ? hca_rq_fetch(qp->hca, rq, &wr) : HCA_EMPTY;

	if (fetch == HCA_EMPTY) {
		qp->hca->counters.dropped_no_wqe++;
		return;
	}
	if (fetch == HCA_UNREADABLE) {
		hca_qp_catastrophe(qp);
		return;
	}
	hca_rq_advance(rq, &wr);
	complete(qp, rx, datagram, &wr,
		 fetch == HCA_MALFORMED ? HCA_LOCAL_QP_OPERATION : place(qp, rx, datagram, &wr));
	if (qp->srq)
		hca_srq_check_limit(qp->srq);
}

static void datagram_receive(struct hca_qp *qp, const struct hca_rx *rx)
{
	struct datagram datagram;

	if (!parse(rx, &datagram)) {
		qp->hca->counters.dropped_malformed++;
	} else if (qp->type != HCA_QP_SMI && datagram.deth.qkey != qp->qkey) {
		qp->hca->counters.dropped_qkey++;
		fabric_port_count(qp->hca->port, PORT_QKEY_VIOLATIONS);
		fabric_port_trap_key(qp->hca->port, true, datagram.deth.qkey, rx->packet);
	} else {
		consume(qp, rx, &datagram);
	}
}

const struct hca_transport hca_datagram = {
	.send = datagram_send,
	.receive = datagram_receive,
	.send_error_state = HCA_QP_SQE,
};
