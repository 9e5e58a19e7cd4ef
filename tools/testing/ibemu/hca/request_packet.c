// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Segmentation: the packets of a request (IBTA vol. 1, 9.4, 9.7.3 and table 38).
 */
#include "base/bytes.h"
#include "hca/connected.h"

/* Asks for an acknowledge now and then in a long message, so that the window moves. */
#define PACKETS_AN_ACK 16

static bool is_write(const struct request *request)
{
	return request->opcode == HCA_WRITE || request->opcode == HCA_WRITE_IMM;
}

static bool has_imm(const struct request *request)
{
	return request->opcode == HCA_SEND_IMM || request->opcode == HCA_WRITE_IMM ||
	       request->opcode == HCA_SEND_INVALIDATE;
}

/* Sends and writes have the same four positions, and variants of the two that end a message. */
static uint8_t message_operation(const struct request *request, bool first, bool last)
{
	uint8_t base = is_write(request) ? BTH_WRITE_FIRST : BTH_SEND_FIRST;

	if (!last)
		return base + (first ? BTH_SEND_FIRST : BTH_SEND_MIDDLE);
	if (request->opcode == HCA_SEND_INVALIDATE)
		return first ? BTH_SEND_ONLY_INVALIDATE : BTH_SEND_LAST_INVALIDATE;
	return base + (first ? BTH_SEND_ONLY : BTH_SEND_LAST) + has_imm(request);
}

static uint8_t operation(const struct request *request, bool first, bool last)
{
	if (request->connects)
		return BTH_DC_CONNECT;
	switch (request->opcode) {
	case HCA_READ:
		return BTH_READ_REQUEST;
	case HCA_COMPARE_SWAP:
		return BTH_COMPARE_SWAP;
	case HCA_FETCH_ADD:
		return BTH_FETCH_ADD;
	default:
		return message_operation(request, first, last);
	}
}

static uint8_t transport_of(const struct hca_qp *qp)
{
	switch (qp->type) {
	case HCA_QP_UC:
		return BTH_TRANSPORT_UC;
	case HCA_QP_XRC:
		return BTH_TRANSPORT_XRC;
	case HCA_QP_DCI:
		return BTH_TRANSPORT_DC;
	default:
		return BTH_TRANSPORT_RC;
	}
}

static uint8_t *put_reth(uint8_t *p, const struct request *request, uint64_t offset)
{
	const struct reth reth = {
		.va = request->remote_addr + offset,
		.rkey = request->rkey,
		.len = (uint32_t)(request->len - offset),
	};

	reth_encode(p, &reth);
	return p + RETH_LEN;
}

static uint8_t *put_atomic_eth(uint8_t *p, const struct request *request)
{
	const struct atomic_eth eth = {
		.va = request->remote_addr, .rkey = request->rkey,
		.swap_add = request->swap_add, .compare = request->compare,
	};

	atomic_eth_encode(p, &eth);
	return p + ATOMIC_ETH_LEN;
}

/*
 * The extended headers; returns where the payload begins. A read that goes on where it was left
 * asks for the rest.
 */
static uint8_t *put_extended(const struct hca_qp *qp, const struct request *request,
			     uint64_t offset, bool last, uint8_t *p)
{
	if (qp->type == HCA_QP_XRC) {
		put_be32(p, request->srqn & 0xffffff);
		p += XRCETH_LEN;
	}
	if (qp->type == HCA_QP_DCI)
		p = hca_dci_put_header(qp, p);
	if (request->connects) {
		put_be64(p, qp->connected->session.key);
		return p + DC_KEY_LEN;
	}
	if (request->opcode == HCA_COMPARE_SWAP || request->opcode == HCA_FETCH_ADD)
		return put_atomic_eth(p, request);
	if (request->opcode == HCA_READ || (is_write(request) && !offset))
		p = put_reth(p, request, offset);
	if (last && has_imm(request)) {
		put_be32(p, request->imm);
		p += IMM_LEN;
	}
	return p;
}

static uint32_t payload_len(const struct request *request, uint64_t offset, uint32_t mtu)
{
	if (request->opcode == HCA_READ || request->opcode == HCA_COMPARE_SWAP ||
	    request->opcode == HCA_FETCH_ADD)
		return 0;
	return request->len - offset < mtu ? (uint32_t)(request->len - offset) : mtu;
}

static enum hca_status build(const struct hca_qp *qp, const struct request *request, uint32_t n,
			     struct packet *packet)
{
	uint32_t mtu = hca_path_mtu(qp);
	uint64_t offset = (uint64_t)n * mtu;
	uint32_t len = payload_len(request, offset, mtu);
	bool last = request->opcode == HCA_READ || n == request->packets - 1;
	const struct bth bth = {
		.opcode = BTH_OPCODE(transport_of(qp), operation(request, !n, last)),
		.solicited = last && request->solicited,
		.pad_count = (uint8_t)(-len & 3),
		.ack_request = qp->type != HCA_QP_UC &&
			       (last || n % PACKETS_AN_ACK == PACKETS_AN_ACK - 1 ||
				(request->probes && !n)),
		.psn = psn_add(request->psn, n),
	};
	uint8_t *p = put_extended(qp, request, offset, last, hca_extended_headers(qp, packet));
	enum hca_status status =
		hca_gather_part(qp->hca, qp->pd, request->sge, request->sge_count, offset, p, len);

	if (status != HCA_OK)
		return status;
	memset(p + len, 0, bth.pad_count);
	packet->len = (uint16_t)(p + len + bth.pad_count - packet->data);
	return hca_finish_packet(qp, &bth, packet) ? HCA_OK : HCA_LOCAL_QP_OPERATION;
}

struct packet *hca_request_packet(struct hca_qp *qp, struct request *request, uint32_t n)
{
	struct packet *packet = packet_alloc();

	if (!packet)
		return NULL;
	request->status = build(qp, request, n, packet);
	if (request->status == HCA_OK)
		return packet;
	packet_free(packet);
	return NULL;
}
