// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sends and writes as they arrive, packet by packet: where the data goes and how the message
 * completes (IBTA vol. 1, 9.7.4.1 and 9.8.2.1). What a breach means for the connection is for the
 * transport to say.
 */
#include <errno.h>

#include "base/bytes.h"
#include "hca/connected.h"

static struct inbound *inbound_of(const struct hca_qp *qp)
{
	return &qp->connected->inbound;
}

/* The number is kept, not the queue: one of XRC may be gone when the next packet comes. */
static struct hca_srq *current_srq(const struct hca_qp *qp)
{
	return inbound_of(qp)->srqn ? hca_srq_find(qp->hca, inbound_of(qp)->srqn) : NULL;
}

static void complete(struct hca_qp *qp, struct hca_wc *wc)
{
	struct inbound *in = inbound_of(qp);
	struct hca_srq *srq = current_srq(qp);

	in->has_wr = false;
	if (in->srqn && !srq)
		return;
	wc->srq = srq;
	wc->index = in->wr.index;
	wc->src_qpn = qp->conn.dest_qpn;
	hca_qp_complete(qp, srq && srq->cq ? srq->cq : qp->recv_cq, wc);
}

bool hca_inbound_fail(struct hca_qp *qp, enum hca_status status)
{
	struct hca_wc wc = { .opcode = HCA_WC_RECV, .status = status };

	if (!inbound_of(qp)->has_wr)
		return false;
	complete(qp, &wc);
	return true;
}

static enum verdict breach(struct hca_qp *qp, enum hca_status wr_status, enum verdict verdict)
{
	inbound_of(qp)->wr_status = wr_status;
	return verdict;
}

/* A receive work request, unless one is left over. */
static enum verdict take_wr(struct hca_qp *qp, struct hca_srq *srq)
{
	struct inbound *in = inbound_of(qp);
	struct hca_rq *rq = srq ? &srq->rq : &qp->rq;
	enum hca_fetch fetch;

	if (in->has_wr)
		return ACCEPTED;
	fetch = srq || qp->has_rq ? hca_rq_fetch(qp->hca, rq, &in->wr) : HCA_EMPTY;
	if (fetch == HCA_EMPTY)
		return NOT_READY;
	if (fetch == HCA_UNREADABLE)
		return breach(qp, HCA_LOCAL_QP_OPERATION, OPERATION_ERROR);
	hca_rq_advance(rq, &in->wr);
	in->srqn = srq ? srq->num : 0;
	in->has_wr = true;
	if (srq)
		hca_srq_check_limit(srq);
	return fetch == HCA_MALFORMED ? breach(qp, HCA_LOCAL_QP_OPERATION, OPERATION_ERROR)
				      : ACCEPTED;
}

/*
 * A message's opcodes come in order: first, middle ..., last, all of a kind; or only (9.7.4.1.2).
 */
static bool in_sequence(const struct inbound *in, const struct operation *operation)
{
	if (operation->first)
		return in->kind == OPERATION_UNKNOWN;
	return in->kind == operation->kind;
}

/* All packets but the last are full (9.7.4.1.6). */
static bool length_fits(const struct hca_qp *qp, const struct operation *operation, uint32_t len)
{
	uint32_t mtu = hca_path_mtu(qp);

	if (!operation->last)
		return len == mtu;
	return len <= mtu && (operation->first || len);
}

static enum verdict begin_write(struct hca_qp *qp, const struct reth *reth, uint32_t pd)
{
	struct inbound *in = inbound_of(qp);

	if (!(qp->conn.remote_access & HCA_REMOTE_WRITE) || reth->len > HCA_MAX_MESSAGE)
		return INVALID_REQUEST;
	in->va = reth->va;
	in->rkey = reth->rkey;
	in->pd = pd;
	in->len = reth->len;
	/* A write of no bytes accesses nothing, so its key isn't looked at (9.7.4.1.5). */
	if (reth->len &&
	    !hca_remote_mkey(qp, reth->rkey, pd, reth->va, reth->len, HCA_REMOTE_WRITE))
		return ACCESS_VIOLATION;
	return ACCEPTED;
}

/*
 * A page isn't there: the other side is to try again, unless software can't bring it. A work
 * request that names it stays the one in use.
 */
static enum verdict page_fault(struct hca_qp *qp, bool remote, uint32_t len, enum verdict verdict)
{
	const struct inbound *in = inbound_of(qp);
	const struct hca_page_fault fault = {
		.qp = qp,
		.half = HCA_RESPONDER,
		.writes = true,
		.done = in->received,
		.packet_len = len,
		.remote = remote,
		.rkey = in->rkey,
		.len = in->len,
		.va = in->va - in->received,
		.index = in->wr.index,
		.srq = current_srq(qp),
	};

	return hca_page_fault(&fault) ? NOT_READY : verdict;
}

static enum verdict place_write(struct hca_qp *qp, const uint8_t *payload, uint32_t len, bool last)
{
	struct inbound *in = inbound_of(qp);
	const struct hca_mkey *mkey;
	int error;

	if (len > in->len - in->received || (last && len != in->len - in->received))
		return INVALID_REQUEST;
	if (!len)
		return ACCEPTED;
	mkey = hca_remote_mkey(qp, in->rkey, in->pd, in->va, len, HCA_REMOTE_WRITE);
	if (!mkey)
		return ACCESS_VIOLATION;
	error = hca_mkey_transfer(qp->hca, mkey, in->va, (uint8_t *)payload, len, DMA_WRITE);
	if (error)
		return error == -EAGAIN ? page_fault(qp, true, len, ACCESS_VIOLATION)
					: ACCESS_VIOLATION;
	in->va += len;
	in->received += len;
	return ACCEPTED;
}

static enum verdict place_send(struct hca_qp *qp, const uint8_t *payload, uint32_t len, uint32_t pd)
{
	struct inbound *in = inbound_of(qp);
	enum hca_status status;

	if (in->received + (uint64_t)len > hca_sge_total(in->wr.sge, in->wr.sge_count) ||
	    in->received + len > HCA_MAX_MESSAGE)
		return breach(qp, HCA_LOCAL_LENGTH, INVALID_REQUEST);
	status = hca_scatter(qp->hca, pd, in->wr.sge, in->wr.sge_count, in->received, payload, len);
	if (status == HCA_PAGED_OUT) {
		in->wr_status = HCA_LOCAL_PROTECTION;
		return page_fault(qp, false, len, OPERATION_ERROR);
	}
	if (status != HCA_OK)
		return breach(qp, status, OPERATION_ERROR);
	in->received += len;
	return ACCEPTED;
}

static enum hca_wc_opcode wc_opcode(const struct operation *operation)
{
	if (operation->kind == OPERATION_WRITE)
		return HCA_WC_WRITE_IMM;
	if (operation->invalidate)
		return HCA_WC_RECV_INVALIDATE;
	return operation->imm ? HCA_WC_RECV_IMM : HCA_WC_RECV;
}

static void finish(struct hca_qp *qp, const struct hca_rx *rx, const struct operation *operation,
		   uint32_t imm)
{
	struct inbound *in = inbound_of(qp);
	struct hca_wc wc = {
		.opcode = wc_opcode(operation),
		.solicited = rx->bth.solicited,
		.byte_len = in->received,
		.imm = imm,
		.grh = rx->has_grh,
		.slid = rx->lrh.slid,
		.sl = rx->lrh.sl,
		.pkey = rx->bth.pkey,
		.path_bits = rx->lrh.dlid & ((1u << fabric_port_attr(qp->hca->port)->lmc) - 1),
	};

	in->kind = OPERATION_UNKNOWN;
	if (in->has_wr && (operation->kind == OPERATION_SEND || operation->imm))
		complete(qp, &wc);
}

static enum verdict begin(struct hca_qp *qp, const struct operation *operation,
			  const struct parts *parts)
{
	inbound_of(qp)->received = 0;
	return operation->kind == OPERATION_WRITE
		       ? begin_write(qp, &parts->reth, hca_remote_pd(qp, parts))
		       : ACCEPTED;
}

/*
 * Does this packet need a receive work request? Those of a send all do, those of a write if it ends
 * one.
 */
static bool needs_wr(const struct operation *operation)
{
	return operation->kind == OPERATION_SEND || operation->imm;
}

static enum verdict place(struct hca_qp *qp, const struct operation *operation,
			  const struct parts *parts)
{
	if (operation->kind == OPERATION_WRITE)
		return place_write(qp, parts->payload, parts->len, operation->last);
	return place_send(qp, parts->payload, parts->len, parts->srq ? parts->srq->pd : qp->pd);
}

static enum verdict execute(struct hca_qp *qp, const struct operation *operation,
			    const struct parts *parts)
{
	enum verdict verdict = ACCEPTED;

	if (needs_wr(operation))
		verdict = take_wr(qp, parts->srq);
	if (verdict == ACCEPTED && operation->first)
		verdict = begin(qp, operation, parts);
	if (verdict == ACCEPTED)
		verdict = place(qp, operation, parts);
	if (verdict == ACCEPTED && operation->invalidate &&
	    !hca_mkey_invalidate(qp->hca, parts->imm, hca_remote_pd(qp, parts), qp->num))
		verdict = ACCESS_VIOLATION;
	return verdict;
}

enum verdict hca_inbound_packet(struct hca_qp *qp, const struct hca_rx *rx,
				const struct operation *operation)
{
	struct inbound *in = inbound_of(qp);
	enum verdict verdict;
	struct parts parts;

	in->wr_status = HCA_FLUSHED;
	if (!in_sequence(in, operation) || !hca_take_apart(qp, rx, operation, &parts) ||
	    !length_fits(qp, operation, parts.len))
		return INVALID_REQUEST;
	verdict = execute(qp, operation, &parts);
	if (verdict == ACCESS_VIOLATION)
		in->wr_status = HCA_LOCAL_ACCESS;
	if (verdict != ACCEPTED)
		return verdict;
	if (operation->last)
		finish(qp, rx, operation, parts.imm);
	else
		in->kind = operation->kind;
	return ACCEPTED;
}
