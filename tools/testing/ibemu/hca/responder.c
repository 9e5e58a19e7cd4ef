// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The responder of reliable connections: executes requests in the order of their PSNs and answers
 * them in that order (IBTA vol. 1, 9.7.4 and 9.7.5.1).
 *
 * Requests are executed as they arrive, answers are sent when the queue pair gets its turn: first
 * the reads and atomics, oldest first, then one acknowledge for all that is behind them.
 */
#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "hca/connected.h"

#define ATOMIC_ALIGNMENT 8

static struct responder *responder(const struct hca_qp *qp)
{
	return &qp->connected->responder;
}

static bool receives(const struct hca_qp *qp)
{
	return qp->state >= HCA_QP_RTR && qp->state <= HCA_QP_SQD;
}

/* How many reads and atomics are remembered. */
static unsigned int depth(const struct hca_qp *qp)
{
	unsigned int limit = qp->conn.max_dest_rd_atomic;

	return limit < HCA_MAX_RD_ATOMIC ? limit : HCA_MAX_RD_ATOMIC;
}

/* age: 0 is the newest. */
static struct resource *resource_at(struct hca_qp *qp, unsigned int age)
{
	struct responder *r = responder(qp);

	return &r->resources[(r->newest + HCA_MAX_RD_ATOMIC - age) % HCA_MAX_RD_ATOMIC];
}

void hca_responder_start(struct hca_qp *qp)
{
	struct responder *r = responder(qp);

	r->epsn = qp->conn.rq_psn & PSN_MASK;
	r->msn = 0;
	r->nak_sent = false;
	r->closing = false;
	r->ack.pending = false;
	r->count = 0;
	r->pending = 0;
}

/* What is to be answered */

static void queue_ack(struct hca_qp *qp, uint8_t syndrome, uint32_t psn)
{
	struct responder *r = responder(qp);

	r->ack = (struct acknowledge){
		.pending = true, .syndrome = syndrome, .psn = psn, .msn = r->msn
	};
	hca_send_queue(qp);
}

static bool nak_pending(const struct responder *r)
{
	return r->ack.pending && (r->ack.syndrome & AETH_KIND_MASK) != AETH_ACK;
}

static void queue_positive_ack(struct hca_qp *qp)
{
	queue_ack(qp, hca_positive_syndrome(qp), psn_add(responder(qp)->epsn, PSN_MASK));
}

/*
 * A NAK for the expected PSN; what comes behind it is dropped until that one is sent again
 * (9.7.5.2.2, 9.7.5.2.8).
 */
static void queue_nak(struct hca_qp *qp, uint8_t syndrome)
{
	responder(qp)->nak_sent = true;
	queue_ack(qp, syndrome, responder(qp)->epsn);
}

static void set_pending(struct hca_qp *qp, struct resource *resource, uint32_t next, bool again)
{
	responder(qp)->pending += !resource->pending;
	resource->pending = true;
	resource->again = again;
	resource->first = true;
	resource->next = next;
	hca_send_queue(qp);
}

static void clear_pending(struct hca_qp *qp, struct resource *resource)
{
	responder(qp)->pending -= resource->pending;
	resource->pending = false;
}

/* A breach that ends the connection. What was accepted before is still answered. */
static void close_with(struct hca_qp *qp, uint8_t nak_code, enum hca_event event)
{
	struct responder *r = responder(qp);

	r->closing = true;
	r->closing_status = qp->connected->inbound.wr_status;
	r->closing_event = event;
	queue_nak(qp, AETH_NAK | nak_code);
}

static void refuse(struct hca_qp *qp, enum verdict verdict)
{
	switch (verdict) {
	case NOT_READY:
		queue_nak(qp, AETH_RNR_NAK | (qp->conn.min_rnr_timer & AETH_VALUE_MASK));
		break;
	case ACCESS_VIOLATION:
		close_with(qp, NAK_REMOTE_ACCESS, HCA_EVENT_QP_ACCESS);
		break;
	case OPERATION_ERROR:
		close_with(qp, NAK_REMOTE_OPERATION, HCA_EVENT_QP_CATASTROPHIC);
		break;
	default:
		close_with(qp, NAK_INVALID_REQUEST, HCA_EVENT_QP_REQUEST);
		break;
	}
}

/* Reads and atomics */

/*
 * The oldest one is forgotten for it. NULL: the other side has more under way than it may
 * (9.7.4.1.4).
 */
static struct resource *new_resource(struct hca_qp *qp)
{
	struct responder *r = responder(qp);
	struct resource *oldest;

	if (!depth(qp))
		return NULL;
	if (r->count == depth(qp)) {
		oldest = resource_at(qp, r->count - 1);
		if (oldest->pending && !oldest->again)
			return NULL;
		clear_pending(qp, oldest);
	} else {
		r->count++;
	}
	r->newest = (r->newest + 1) % HCA_MAX_RD_ATOMIC;
	*resource_at(qp, 0) = (struct resource){ .psn = r->epsn, .msn = r->msn };
	return resource_at(qp, 0);
}

static uint32_t read_packets(const struct hca_qp *qp, uint32_t len)
{
	uint32_t mtu = hca_path_mtu(qp);

	return len ? (len - 1) / mtu + 1 : 1;
}

static enum verdict accept_read(struct hca_qp *qp, const struct parts *parts)
{
	const struct reth *reth = &parts->reth;
	uint32_t pd = hca_remote_pd(qp, parts);
	struct resource *resource;

	if (!(qp->conn.remote_access & HCA_REMOTE_READ) || parts->len ||
	    reth->len > HCA_MAX_MESSAGE)
		return INVALID_REQUEST;
	if (reth->len &&
	    !hca_remote_mkey(qp, reth->rkey, pd, reth->va, reth->len, HCA_REMOTE_READ))
		return ACCESS_VIOLATION;
	resource = new_resource(qp);
	if (!resource)
		return INVALID_REQUEST;
	resource->kind = OPERATION_READ;
	resource->packets = read_packets(qp, reth->len);
	resource->va = reth->va;
	resource->rkey = reth->rkey;
	resource->pd = pd;
	resource->len = reth->len;
	set_pending(qp, resource, 0, false);
	return ACCEPTED;
}

/* False: software can't bring the page. */
static bool wait_for_page(struct hca_qp *qp, uint32_t rkey, uint64_t va, uint32_t len,
			  uint32_t done, uint32_t packet_len, bool writes)
{
	const struct hca_page_fault fault = {
		.qp = qp, .half = HCA_RESPONDER, .writes = writes, .done = done,
		.packet_len = packet_len, .remote = true, .rkey = rkey, .len = len, .va = va,
	};

	return hca_page_fault(&fault);
}

static bool is_paged_out(struct hca *hca, const struct hca_mkey *mkey, uint64_t va)
{
	size_t len = ATOMIC_ALIGNMENT;
	uint64_t bus;

	return hca_mkey_resolve(hca, mkey, va, &len, DMA_WRITE, &bus) == -EAGAIN;
}

static enum verdict accept_atomic(struct hca_qp *qp, const struct parts *parts, bool compare_swap)
{
	const struct atomic_eth *eth = &parts->atomic;
	const struct hca_mkey *mkey;
	struct resource *resource;

	if (!(qp->conn.remote_access & HCA_REMOTE_ATOMIC) || parts->len ||
	    eth->va % ATOMIC_ALIGNMENT)
		return INVALID_REQUEST;
	mkey = hca_remote_mkey(qp, eth->rkey, hca_remote_pd(qp, parts), eth->va, ATOMIC_ALIGNMENT,
			       HCA_REMOTE_ATOMIC);
	if (!mkey)
		return ACCESS_VIOLATION;
	if (is_paged_out(qp->hca, mkey, eth->va))
		return wait_for_page(qp, eth->rkey, eth->va, ATOMIC_ALIGNMENT, 0, ATOMIC_ALIGNMENT,
				     true)
			       ? NOT_READY
			       : ACCESS_VIOLATION;
	resource = new_resource(qp);
	if (!resource)
		return INVALID_REQUEST;
	if (hca_atomic(qp->hca, mkey, eth, compare_swap, &resource->original))
		return OPERATION_ERROR;
	resource->kind = OPERATION_ATOMIC;
	resource->packets = 1;
	set_pending(qp, resource, 0, false);
	return ACCEPTED;
}

static struct resource *find_resource(struct hca_qp *qp, enum operation_kind kind, uint32_t psn)
{
	for (unsigned int age = 0; age < responder(qp)->count; age++) {
		struct resource *resource = resource_at(qp, age);

		if (resource->kind == kind && psn_distance(resource->psn, psn) < resource->packets)
			return resource;
	}
	return NULL;
}

/* A read again, or what is missing of it; anything else under its PSN is none of ours. */
static void repeat_read(struct hca_qp *qp, uint32_t psn, const struct reth *reth)
{
	struct resource *resource = find_resource(qp, OPERATION_READ, psn);
	uint64_t offset;
	uint32_t n;

	if (!resource)
		return;
	n = psn_distance(resource->psn, psn);
	offset = (uint64_t)n * hca_path_mtu(qp);
	if (reth->rkey == resource->rkey && reth->va == resource->va + offset &&
	    reth->len == resource->len - offset)
		set_pending(qp, resource, n, true);
}

/* An atomic is never executed again: its result is kept. */
static void repeat_atomic(struct hca_qp *qp, uint32_t psn)
{
	struct resource *resource = find_resource(qp, OPERATION_ATOMIC, psn);

	if (resource)
		set_pending(qp, resource, 0, true);
}

/* Requests */

static enum verdict accept(struct hca_qp *qp, const struct hca_rx *rx,
			   const struct operation *operation)
{
	struct parts parts;

	if (operation->kind == OPERATION_SEND || operation->kind == OPERATION_WRITE)
		return hca_inbound_packet(qp, rx, operation);
	qp->connected->inbound.wr_status = HCA_FLUSHED;
	if (qp->connected->inbound.kind != OPERATION_UNKNOWN ||
	    operation->kind == OPERATION_UNKNOWN || !hca_take_apart(qp, rx, operation, &parts))
		return INVALID_REQUEST;
	if (operation->kind == OPERATION_READ)
		return accept_read(qp, &parts);
	return accept_atomic(qp, &parts, (rx->bth.opcode & BTH_OPERATION_MASK) == BTH_COMPARE_SWAP);
}

static void receive_expected(struct hca_qp *qp, const struct hca_rx *rx,
			     const struct operation *operation)
{
	struct responder *r = responder(qp);
	enum verdict verdict = accept(qp, rx, operation);
	struct resource *resource;

	if (!receives(qp))
		return;
	if (verdict != ACCEPTED) {
		refuse(qp, verdict);
		return;
	}
	r->nak_sent = false;
	if (nak_pending(r))
		r->ack.pending = false;
	r->msn = psn_add(r->msn, operation->last);
	if (operation->kind == OPERATION_READ || operation->kind == OPERATION_ATOMIC) {
		resource = resource_at(qp, 0);
		resource->msn = r->msn;
		r->ack.pending = false; /* the answer says it too */
		r->epsn = psn_add(r->epsn, resource->packets);
	} else {
		r->epsn = psn_add(r->epsn, 1);
		if (rx->bth.ack_request)
			queue_positive_ack(qp);
	}
}

/* Executed before. A NAK that waits to be sent isn't lost for it. */
static void receive_duplicate(struct hca_qp *qp, const struct hca_rx *rx,
			      const struct operation *operation)
{
	struct responder *r = responder(qp);
	struct parts parts;

	if (!hca_take_apart(qp, rx, operation, &parts))
		return;
	switch (operation->kind) {
	case OPERATION_READ:
		repeat_read(qp, rx->bth.psn, &parts.reth);
		break;
	case OPERATION_ATOMIC:
		repeat_atomic(qp, rx->bth.psn);
		break;
	default:
		if (rx->bth.ack_request && !nak_pending(r))
			queue_positive_ack(qp);
		break;
	}
}

void hca_responder_receive(struct hca_qp *qp, const struct hca_rx *rx,
			   const struct operation *operation)
{
	struct responder *r = responder(qp);
	uint32_t ahead = psn_distance(r->epsn, rx->bth.psn);

	if (r->closing)
		return;
	if (!ahead)
		receive_expected(qp, rx, operation);
	else if (ahead >= PSN_HALF)
		receive_duplicate(qp, rx, operation);
	else if (!r->nak_sent)
		queue_nak(qp, AETH_NAK | NAK_PSN_SEQUENCE);
}

/* Answers */

static uint8_t opcode_of(const struct hca_qp *qp, uint8_t operation)
{
	switch (qp->type) {
	case HCA_QP_XRC:
		return BTH_OPCODE(BTH_TRANSPORT_XRC, operation);
	case HCA_QP_DCT:
		return BTH_OPCODE(BTH_TRANSPORT_DC, operation);
	default:
		return BTH_OPCODE(BTH_TRANSPORT_RC, operation);
	}
}

/* Sends a packet whose payload ends at end. */
static void answer(struct hca_qp *qp, struct packet *packet, uint8_t operation, uint32_t psn,
		   uint8_t *end)
{
	uint8_t pad_count = (uint8_t)(-(end - packet->data) & 3);
	const struct bth bth = { .opcode = opcode_of(qp, operation),
				 .pad_count = pad_count,
				 .psn = psn };

	memset(end, 0, pad_count);
	packet->len = (uint16_t)(end + pad_count - packet->data);
	if (!hca_finish_packet(qp, &bth, packet)) {
		packet_free(packet);
		return;
	}
	qp->hca->counters.sent++;
	fabric_port_send(qp->hca->port, packet);
}

static uint8_t *put_aeth(uint8_t *p, uint8_t syndrome, uint32_t msn)
{
	const struct aeth aeth = { .syndrome = syndrome, .msn = msn };

	aeth_encode(p, &aeth);
	return p + AETH_LEN;
}

void hca_send_acknowledge(struct hca_qp *qp, const struct acknowledge *ack)
{
	struct packet *packet = packet_alloc();

	if (packet)
		answer(qp, packet, BTH_ACKNOWLEDGE, ack->psn,
		       put_aeth(hca_extended_headers(qp, packet), ack->syndrome, ack->msn));
}

static void send_atomic_ack(struct hca_qp *qp, struct resource *resource)
{
	struct packet *packet = packet_alloc();
	uint8_t *p;

	clear_pending(qp, resource);
	if (!packet)
		return;
	p = put_aeth(hca_extended_headers(qp, packet), hca_positive_syndrome(qp), resource->msn);
	put_be64(p, resource->original);
	answer(qp, packet, BTH_ATOMIC_ACKNOWLEDGE, resource->psn, p + ATOMIC_ACK_ETH_LEN);
}

/* Each answer to a request begins with a first packet, wherever in the read it starts. */
static uint8_t read_operation(bool first, bool last)
{
	if (first)
		return last ? BTH_READ_RESPONSE_ONLY : BTH_READ_RESPONSE_FIRST;
	return last ? BTH_READ_RESPONSE_LAST : BTH_READ_RESPONSE_MIDDLE;
}

static int read_memory(struct hca_qp *qp, const struct resource *resource, uint64_t offset,
		       uint8_t *to, uint32_t len)
{
	uint64_t va = resource->va + offset;
	const struct hca_mkey *mkey;

	if (!len)
		return 0;
	mkey = hca_remote_mkey(qp, resource->rkey, resource->pd, va, len, HCA_REMOTE_READ);
	return mkey ? hca_mkey_transfer(qp->hca, mkey, va, to, len, DMA_READ) : -EFAULT;
}

/*
 * The key may have gone since the request was accepted: then what is behind it isn't answered
 * either.
 */
static void fail_read(struct hca_qp *qp, uint32_t psn)
{
	struct responder *r = responder(qp);

	for (unsigned int age = 0; age < r->count; age++)
		clear_pending(qp, resource_at(qp, age));
	qp->connected->inbound.wr_status = HCA_FLUSHED;
	close_with(qp, NAK_REMOTE_ACCESS, HCA_EVENT_QP_ACCESS);
	r->ack.psn = psn;
}

/* The answer to part of a read, without padding. 0, or as for hca_mkey_transfer(). */
static int fill_read_response(struct hca_qp *qp, const struct resource *resource, bool last,
			      struct packet *packet, uint8_t **end)
{
	uint8_t *p = hca_extended_headers(qp, packet);
	uint32_t mtu = hca_path_mtu(qp);
	uint64_t offset = (uint64_t)resource->next * mtu;
	uint32_t len = resource->len - offset < mtu ? (uint32_t)(resource->len - offset) : mtu;
	int error;

	if (resource->first || last)
		p = put_aeth(p, hca_positive_syndrome(qp), resource->msn);
	error = read_memory(qp, resource, offset, p, len);
	*end = p + len;
	if (error == -EAGAIN && !wait_for_page(qp, resource->rkey, resource->va, resource->len,
					       (uint32_t)offset, len, false))
		return -EFAULT;
	return error;
}

/* False: it waits for a page. */
static bool send_read_response(struct hca_qp *qp, struct resource *resource)
{
	struct packet *packet = packet_alloc();
	bool first = resource->first, last = resource->next + 1 == resource->packets;
	uint32_t psn = psn_add(resource->psn, resource->next);
	uint8_t *end = NULL;
	int error = packet ? fill_read_response(qp, resource, last, packet, &end) : 0;

	if (error) {
		packet_free(packet);
		if (error != -EAGAIN)
			fail_read(qp, psn);
		return error != -EAGAIN;
	}
	resource->first = false;
	resource->next++;
	if (last)
		clear_pending(qp, resource);
	if (packet)
		answer(qp, packet, read_operation(first, last), psn, end);
	return true;
}

static struct resource *oldest_pending(struct hca_qp *qp)
{
	struct responder *r = responder(qp);

	if (!r->pending)
		return NULL;
	for (unsigned int age = r->count; age--;)
		if (resource_at(qp, age)->pending)
			return resource_at(qp, age);
	return NULL;
}

/* The NAK is on its way: software on this side learns what happened. */
static void close_connection(struct hca_qp *qp)
{
	struct responder *r = responder(qp);

	if (!hca_inbound_fail(qp, r->closing_status))
		hca_qp_event(qp, r->closing_event);
	hca_qp_fail(qp);
	r->closing = false;
}

bool hca_responder_busy(const struct hca_qp *qp)
{
	const struct responder *r = responder(qp);

	return r->pending || r->ack.pending || r->closing;
}

bool hca_responder_run(struct hca_qp *qp, unsigned int *budget)
{
	struct responder *r = responder(qp);
	struct resource *resource;

	while (*budget && receives(qp) && (resource = oldest_pending(qp))) {
		if (resource->kind == OPERATION_ATOMIC)
			send_atomic_ack(qp, resource);
		else if (!send_read_response(qp, resource))
			return false;
		--*budget;
	}
	if (!*budget || !receives(qp))
		return !*budget;
	if (r->ack.pending) {
		r->ack.pending = false;
		hca_send_acknowledge(qp, &r->ack);
	}
	if (r->closing)
		close_connection(qp);
	return false;
}
