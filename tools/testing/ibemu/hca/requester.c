// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The requester: turns send work requests into packets, and responses into completions (IBTA vol.
 * 1, 9.7.5).
 *
 * What is lost is sent again from the oldest packet that isn't acknowledged. A work request is
 * fetched only when it can start at once, so one that has to wait costs nothing. For unreliable
 * connections a packet is acknowledged when it is sent.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "hca/connected.h"

#define ACK_TIMEOUT_UNIT_NS 4096ull
/*
 * The shortest local ACK timeout, as a code: 1 ms. Adapters have such a limit too; here a shorter
 * one would only measure how busy the machine is.
 */
#define ACK_TIMEOUT_MIN 8
#define RNR_RETRY_FOREVER 7
#define ATOMIC_LEN 8

/* RNR NAK timer values in units of 10 us (table 46). */
static const uint32_t rnr_timers[AETH_VALUE_MASK + 1] = {
	65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
	1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
};

static struct requester *requester(const struct hca_qp *qp)
{
	return &qp->connected->requester;
}

static struct request *request_at(const struct requester *r, unsigned int counter)
{
	return r->window[counter % WINDOW];
}

/* The states in which what was started is carried on. */
static bool active(const struct hca_qp *qp)
{
	return qp->state == HCA_QP_RTS || qp->state == HCA_QP_SQD;
}

static bool is_atomic(const struct request *request)
{
	return request->opcode == HCA_COMPARE_SWAP || request->opcode == HCA_FETCH_ADD;
}

/* Is this one done by a response with data? */
static bool awaits_response(const struct request *request)
{
	return request->opcode == HCA_READ || is_atomic(request);
}

/* Time */

static uint64_t now_ns(const struct hca_qp *qp)
{
	return sched_now_ns(qp->hca->sched);
}

static uint64_t ack_timeout_ns(const struct hca_qp *qp)
{
	uint8_t code = qp->conn.timeout & 0x1f;

	return ACK_TIMEOUT_UNIT_NS << (code < ACK_TIMEOUT_MIN ? ACK_TIMEOUT_MIN : code);
}

static void set_deadline(struct hca_qp *qp, uint64_t ns)
{
	requester(qp)->deadline_ns = now_ns(qp) + ns;
}

/*
 * The timer runs exactly while a response is awaited. A deadline that moves on is only looked at
 * when it fires.
 */
static void update_timer(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	if (r->rnr_waiting)
		return;
	if (r->una == r->sent || !qp->conn.timeout) {
		timer_cancel(qp->hca->sched, &r->timer);
	} else if (!timer_armed(&r->timer)) {
		set_deadline(qp, ack_timeout_ns(qp));
		timer_arm(qp->hca->sched, &r->timer, r->deadline_ns);
	}
}

/* Something has come of what was sent. */
static void progress(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	r->retries = qp->conn.retry_count;
	r->rnr_retries = qp->conn.rnr_retry;
	r->recovering = false;
	if (timer_armed(&r->timer) && !r->rnr_waiting)
		set_deadline(qp, ack_timeout_ns(qp));
}

/* Completions */

static void complete(struct hca_qp *qp, const struct request *request, enum hca_status status)
{
	struct hca_wc wc = {
		.opcode = HCA_WC_SEND,
		.status = status,
		.chip_opcode = request->chip_opcode,
		.index = request->index,
		.byte_len = awaits_response(request) ? request->len : 0,
	};

	if (!request->connects && (request->signaled || status != HCA_OK))
		hca_qp_complete(qp, qp->send_cq, &wc);
}

/* Takes the oldest request out of the window and completes it. */
static void pop(struct hca_qp *qp, enum hca_status status)
{
	struct requester *r = requester(qp);
	struct request *request = request_at(r, r->head);

	r->head++;
	r->responses -= awaits_response(request);
	complete(qp, request, status);
	free(request);
}

/* The oldest request ends in an error, and the queue pair with it. */
static void fail(struct hca_qp *qp, enum hca_status status)
{
	struct requester *r = requester(qp);

	if (request_at(r, r->head)->connects)
		pop(qp, status);
	pop(qp, status);
	if (active(qp))
		hca_qp_set_state(qp, qp->transport->send_error_state);
}

static bool finished(const struct requester *r, const struct request *request)
{
	return psn_distance(request->psn, r->una) >= request->packets;
}

/* The next packet can't be one that's acknowledged already. */
static void catch_up(struct requester *r)
{
	struct request *oldest;

	if ((int)(r->cursor - r->head) > 0)
		return;
	if (r->cursor != r->head)
		r->packet = 0;
	r->cursor = r->head;
	if (r->head == r->tail)
		return;
	oldest = request_at(r, r->head);
	if (psn_distance(oldest->psn, r->una) > r->packet)
		r->packet = psn_distance(oldest->psn, r->una);
}

/* Completes what is finished, in order. */
static void retire(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	while (active(qp) && r->head != r->tail) {
		struct request *oldest = request_at(r, r->head);

		if (oldest->status != HCA_OK)
			fail(qp, oldest->status);
		else if (finished(r, oldest))
			pop(qp, HCA_OK);
		else
			break;
	}
	if (!active(qp))
		return;
	catch_up(r);
	if (qp->state == HCA_QP_SQD && r->head == r->tail)
		hca_qp_event(qp, HCA_EVENT_SQ_DRAINED);
}

/* Starting a work request */

enum start {
	STARTED,
	NOTHING, /* to start */
	LATER,   /* it has to wait for responses */
};

static enum hca_status validate(const struct hca_qp *qp, const struct hca_send_wr *wr, uint64_t len)
{
	switch (wr->opcode) {
	case HCA_NOP:
	case HCA_LOCAL:
		return HCA_OK;
	case HCA_SEND:
	case HCA_SEND_IMM:
	case HCA_WRITE:
	case HCA_WRITE_IMM:
		break;
	case HCA_SEND_INVALIDATE:
	case HCA_READ:
		if (qp->type == HCA_QP_UC)
			return HCA_LOCAL_QP_OPERATION;
		break;
	case HCA_COMPARE_SWAP:
	case HCA_FETCH_ADD:
		if (qp->type == HCA_QP_UC)
			return HCA_LOCAL_QP_OPERATION;
		return len == ATOMIC_LEN ? HCA_OK : HCA_LOCAL_LENGTH;
	default:
		return HCA_LOCAL_QP_OPERATION;
	}
	return len <= HCA_MAX_MESSAGE ? HCA_OK : HCA_LOCAL_LENGTH;
}

/* What the other side can tell its software with an event. */
static bool completes_receive(const struct hca_send_wr *wr)
{
	return wr->opcode == HCA_SEND || wr->opcode == HCA_SEND_IMM ||
	       wr->opcode == HCA_SEND_INVALIDATE || wr->opcode == HCA_WRITE_IMM;
}

static bool stays_inside(const struct hca_send_wr *wr)
{
	return wr->opcode == HCA_NOP || wr->opcode == HCA_LOCAL;
}

/* The list, and inline data behind it: the work request is overwritten by the next one. */
static struct request *allocate(const struct hca_send_wr *wr)
{
	size_t inline_len = 0;

	for (unsigned int i = 0; i < wr->sge_count; i++)
		inline_len += wr->sge[i].inline_data ? wr->sge[i].len : 0;
	return malloc(sizeof(struct request) + wr->sge_count * sizeof(struct hca_sge) + inline_len);
}

static void copy_list(struct request *request, const struct hca_send_wr *wr)
{
	uint8_t *data = (uint8_t *)(request->sge + wr->sge_count);

	memcpy(request->sge, wr->sge, wr->sge_count * sizeof(*wr->sge));
	request->sge_count = wr->sge_count;
	for (unsigned int i = 0; i < wr->sge_count; i++) {
		if (!wr->sge[i].inline_data)
			continue;
		memcpy(data, wr->sge[i].inline_data, wr->sge[i].len);
		request->sge[i].inline_data = data;
		data += wr->sge[i].len;
	}
}

static struct request *remember(const struct hca_send_wr *wr, enum hca_status status, uint64_t len)
{
	struct request *request = allocate(wr);

	if (!request)
		return NULL;
	*request = (struct request){
		.opcode = wr->opcode,
		.status = status,
		.chip_opcode = wr->chip_opcode,
		.index = wr->index,
		.signaled = wr->signaled,
		.solicited = wr->solicited && completes_receive(wr),
		.imm = wr->imm,
		.rkey = wr->rkey,
		.srqn = wr->srqn,
		.remote_addr = wr->remote_addr,
		.swap_add = wr->swap_add,
		.compare = wr->compare,
		.len = (uint32_t)len,
	};
	copy_list(request, wr);
	return request;
}

static uint32_t count_packets(const struct hca_qp *qp, const struct hca_send_wr *wr, uint64_t len)
{
	uint32_t mtu = hca_path_mtu(qp);

	if (stays_inside(wr))
		return 0;
	return len ? (uint32_t)((len + mtu - 1) / mtu) : 1;
}

/* Puts a request at the window's end. */
static void push(struct requester *r, struct request *request)
{
	request->psn = r->next_psn;
	if (request->packets && !request->connects)
		r->ssn = psn_add(r->ssn, 1);
	request->ssn = r->ssn;
	r->next_psn = psn_add(r->next_psn, request->packets);
	r->responses += awaits_response(request);
	r->window[r->tail++ % WINDOW] = request;
}

static struct request *new_connect(void)
{
	struct request *request = calloc(1, sizeof(*request));

	if (!request)
		return NULL;
	request->opcode = HCA_NOP;
	request->connects = true;
	request->packets = 1;
	return request;
}

bool hca_requester_connect(struct hca_qp *qp)
{
	struct request *request = new_connect();

	if (request)
		push(requester(qp), request);
	return request;
}

/* Puts a work request at the window's end. False: no memory. */
static bool append(struct hca_qp *qp, const struct hca_send_wr *wr, enum hca_status status,
		   uint64_t len)
{
	struct request *request;

	if (status == HCA_OK && wr->opcode == HCA_LOCAL)
		status = qp->hca->ops->execute_local(qp, wr);
	request = remember(wr, status, len);
	if (!request)
		return false;
	if (status == HCA_OK)
		request->packets = count_packets(qp, wr, len);
	push(requester(qp), request);
	qp->sq_index = wr->next;
	return true;
}

/*
 * Fences (IBTA vol. 1, 10.8.3.3), the number of reads and atomics that the other side can take, and
 * an initiator's change from one target to another.
 */
static bool must_wait(const struct hca_qp *qp, const struct hca_send_wr *wr)
{
	unsigned int responses = requester(qp)->responses;
	bool read = wr->opcode == HCA_READ || wr->opcode == HCA_COMPARE_SWAP ||
		    wr->opcode == HCA_FETCH_ADD;

	if (qp->type == HCA_QP_DCI && !stays_inside(wr) && hca_dci_must_wait(qp, wr))
		return true;
	return responses && (wr->fence || (read && responses >= qp->conn.max_rd_atomic));
}

/* Dynamic connections are made as they are needed. False: no memory. */
static bool reach(struct hca_qp *qp, const struct hca_send_wr *wr, enum hca_status status)
{
	return qp->type != HCA_QP_DCI || status != HCA_OK || stays_inside(wr) ||
	       hca_dci_reach(qp, wr);
}

static enum start start_fetched(struct hca_qp *qp, struct hca_send_wr *wr, bool malformed)
{
	enum hca_status status = HCA_LOCAL_QP_OPERATION;
	uint64_t len = 0;

	if (malformed) {
		wr->sge_count = 0;
		wr->opcode = HCA_UNSUPPORTED;
	} else {
		if (must_wait(qp, wr))
			return LATER;
		len = hca_sge_total(wr->sge, wr->sge_count);
		status = validate(qp, wr, len);
	}
	if (reach(qp, wr, status) && append(qp, wr, status, len))
		return STARTED;
	hca_qp_catastrophe(qp);
	return NOTHING;
}

static enum start start(struct hca_qp *qp)
{
	struct hca_send_wr wr;
	enum hca_fetch fetch;

	if (qp->state != HCA_QP_RTS || !qp->has_sq || qp->sq_unreadable)
		return NOTHING;
	fetch = qp->hca->ops->fetch_send(qp, qp->sq_index, &wr);
	if (fetch == HCA_EMPTY)
		return NOTHING;
	if (fetch == HCA_UNREADABLE) {
		qp->sq_unreadable = true;
		hca_qp_catastrophe(qp);
		return NOTHING;
	}
	return start_fetched(qp, &wr, fetch == HCA_MALFORMED);
}

/* Sending */

/* A read asks for many packets with one. */
static uint32_t psns_of_packet(const struct request *request, uint32_t n)
{
	return request->opcode == HCA_READ ? request->packets - n : 1;
}

static void note_sent(struct hca_qp *qp, uint32_t next)
{
	struct requester *r = requester(qp);

	if (psn_distance(r->una, next) > psn_distance(r->una, r->sent))
		r->sent = next;
	if (qp->type == HCA_QP_UC) {
		r->una = next;
		retire(qp);
	} else {
		update_timer(qp);
	}
}

/* A page isn't there: of what is to be sent, or (fetches) of where a response goes. */
static enum hca_status page_fault(struct hca_qp *qp, const struct request *request, uint32_t n,
				  bool fetches)
{
	uint32_t mtu = hca_path_mtu(qp);
	const struct hca_page_fault fault = {
		.qp = qp,
		.half = HCA_REQUESTER,
		.fetches = fetches,
		.done = n * mtu,
		.packet_len = (uint32_t)(request->len - (uint64_t)n * mtu < mtu
						 ? request->len - (uint64_t)n * mtu
						 : mtu),
		.index = request->index,
	};

	return hca_page_fault(&fault) ? HCA_PAGED_OUT : HCA_LOCAL_PROTECTION;
}

static void transmit(struct hca_qp *qp, struct request *request)
{
	struct requester *r = requester(qp);
	struct packet *packet = hca_request_packet(qp, request, r->packet);
	uint32_t psns = psns_of_packet(request, r->packet);
	uint32_t next = psn_add(request->psn, r->packet + psns);

	if (request->status == HCA_PAGED_OUT) {
		request->status = page_fault(qp, request, r->packet, false);
		if (request->status == HCA_PAGED_OUT) {
			request->status = HCA_OK;
			return;
		}
	}
	if (request->status != HCA_OK) {
		retire(qp);
		return;
	}
	r->packet += psns;
	if (r->packet == request->packets) {
		r->cursor++;
		r->packet = 0;
	}
	if (packet) {
		qp->hca->counters.sent++;
		fabric_port_send(qp->hca->port, packet);
	}
	note_sent(qp, next);
}

/* May the packet at the cursor be sent before more is acknowledged? */
static bool window_open(const struct requester *r, const struct request *request)
{
	return psn_distance(r->una, psn_add(request->psn, r->packet)) < WINDOW;
}

/*
 * Sends a packet or starts a work request. False: there is nothing to do before something happens.
 */
static bool step(struct hca_qp *qp)
{
	struct requester *r = requester(qp);
	struct request *request;
	enum start result;

	if (r->cursor == r->tail) {
		if (r->tail - r->head >= WINDOW - 1 ||
		    psn_distance(r->una, r->next_psn) >= WINDOW) {
			r->stalled = true;
			return false;
		}
		result = start(qp);
		r->stalled = result == LATER;
		if (result == STARTED)
			retire(qp);
		return result == STARTED;
	}
	request = request_at(r, r->cursor);
	if (request->status != HCA_OK || !window_open(r, request) || !hca_has_credit(r, request)) {
		r->stalled = true;
		return false;
	}
	if (request->packets)
		transmit(qp, request);
	else
		r->cursor++;
	return true;
}

bool hca_requester_run(struct hca_qp *qp, unsigned int *budget)
{
	while (*budget && active(qp) && !requester(qp)->rnr_waiting &&
	       !(qp->page_waiting & HCA_REQUESTER)) {
		if (!step(qp))
			return false;
		--*budget;
	}
	/*
	 * An unreliable connection after an error: nothing is sent before software has looked at
	 * it.
	 */
	while (*budget && qp->state == HCA_QP_SQE) {
		if (!hca_flush_send(qp))
			return false;
		--*budget;
	}
	return !*budget;
}

/* Going back */

static void rewind_to_oldest(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	r->cursor = r->head;
	r->packet = psn_distance(request_at(r, r->head)->psn, r->una);
	hca_send_queue(qp);
}

/* One retry less, or the end. */
static bool may_retry(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	if (!r->retries && !hca_migrate(qp)) {
		fail(qp, HCA_TRANSPORT_RETRY_EXCEEDED);
		return false;
	}
	if (r->retries)
		r->retries--;
	else
		r->retries = qp->conn.retry_count;
	return true;
}

/* Something that was sent, or its response, hasn't arrived. What says so may say it many times. */
static void recover(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	if (r->recovering || r->rnr_waiting || !may_retry(qp))
		return;
	r->recovering = true;
	rewind_to_oldest(qp);
}

/* Under the PSN of the last packet that was acknowledged: all others keep theirs. */
static bool put_connect_in_front(struct requester *r)
{
	struct request *request = new_connect();

	if (!request)
		return false;
	r->una = psn_add(r->una, PSN_MASK);
	request->psn = r->una;
	r->window[--r->head % WINDOW] = request;
	return true;
}

void hca_requester_reconnect(struct hca_qp *qp)
{
	struct requester *r = requester(qp);
	const struct request *oldest = request_at(r, r->head);

	if (!active(qp) || r->una == r->sent)
		return;
	if (oldest->connects) {
		recover(qp);
	} else if (r->una == oldest->psn && put_connect_in_front(r)) {
		r->recovering = true;
		rewind_to_oldest(qp);
	}
}

static void wait_for_receiver(struct hca_qp *qp, uint8_t timer_code)
{
	struct requester *r = requester(qp);

	if (r->rnr_waiting)
		return;
	if (!r->rnr_retries) {
		fail(qp, HCA_RNR_RETRY_EXCEEDED);
		return;
	}
	if (qp->conn.rnr_retry != RNR_RETRY_FOREVER)
		r->rnr_retries--;
	r->rnr_waiting = true;
	set_deadline(qp, rnr_timers[timer_code] * 10 * NSEC_PER_USEC);
	timer_arm(qp->hca->sched, &r->timer, r->deadline_ns);
}

static void expire(void *ctx)
{
	struct hca_qp *qp = ctx;
	struct requester *r = requester(qp);

	if (now_ns(qp) < r->deadline_ns) {
		timer_arm(qp->hca->sched, &r->timer, r->deadline_ns);
		return;
	}
	if (!active(qp))
		return;
	if (!r->rnr_waiting && (qp->page_waiting & HCA_REQUESTER)) {
		set_deadline(qp, ack_timeout_ns(qp));
		timer_arm(qp->hca->sched, &r->timer, r->deadline_ns);
		return;
	}
	if (!r->rnr_waiting && !may_retry(qp))
		return;
	r->rnr_waiting = false;
	r->recovering = false;
	update_timer(qp);
	rewind_to_oldest(qp);
}

/* Responses */

/*
 * All before until has arrived: true. A read or an atomic is done by its own response only, so
 * where one is in the way, that response is lost: false.
 */
static bool acknowledge(struct hca_qp *qp, uint32_t until)
{
	struct requester *r = requester(qp);

	while (r->una != until) {
		const struct request *oldest = request_at(r, r->head);
		uint32_t end = psn_add(oldest->psn, oldest->packets);

		if (awaits_response(oldest))
			return false;
		r->una = psn_distance(r->una, until) < psn_distance(r->una, end) ? until : end;
		progress(qp);
		retire(qp);
		if (!active(qp))
			return true;
	}
	return true;
}

static void receive_nak(struct hca_qp *qp, uint8_t code)
{
	switch (code) {
	case NAK_PSN_SEQUENCE:
		recover(qp);
		break;
	case NAK_INVALID_REQUEST:
		fail(qp, HCA_REMOTE_INVALID_REQUEST);
		break;
	case NAK_REMOTE_ACCESS:
		fail(qp, HCA_REMOTE_ACCESS);
		break;
	case NAK_REMOTE_OPERATION:
		fail(qp, HCA_REMOTE_OPERATION);
		break;
	default:
		fail(qp, HCA_BAD_RESPONSE);
		break;
	}
}

/*
 * An acknowledge says that what is before its PSN has arrived; only a positive one includes its
 * PSN.
 */
static void receive_acknowledge(struct hca_qp *qp, uint32_t psn, uint8_t syndrome)
{
	uint8_t kind = syndrome & AETH_KIND_MASK, value = syndrome & AETH_VALUE_MASK;

	if (!acknowledge(qp, kind == AETH_ACK ? psn_add(psn, 1) : psn)) {
		recover(qp);
		return;
	}
	if (!active(qp) || kind == AETH_ACK)
		return;
	if (kind == AETH_RNR_NAK)
		wait_for_receiver(qp, value);
	else if (kind == AETH_NAK)
		receive_nak(qp, value);
	else
		fail(qp, HCA_BAD_RESPONSE);
}

/* The response to the oldest packet, which is a read's: its data. */
static enum hca_status place_read(struct hca_qp *qp, const struct request *oldest,
				  const struct hca_rx *rx, const struct operation *operation)
{
	struct requester *r = requester(qp);
	uint32_t n = psn_distance(oldest->psn, r->una), mtu = hca_path_mtu(qp);
	uint64_t offset = (uint64_t)n * mtu;
	bool last = n == oldest->packets - 1;
	uint32_t len = last ? (uint32_t)(oldest->len - offset) : mtu;
	uint16_t headers = operation->first || operation->last ? AETH_LEN : 0;

	if (oldest->opcode != HCA_READ || operation->last != last || rx->rest_len != headers + len)
		return HCA_BAD_RESPONSE;
	return hca_scatter(qp->hca, qp->pd, oldest->sge, oldest->sge_count, offset,
			   rx->rest + headers, len);
}

static enum hca_status place_atomic(struct hca_qp *qp, const struct request *oldest,
				    const struct hca_rx *rx)
{
	uint8_t original[ATOMIC_LEN];

	if (!is_atomic(oldest) || rx->rest_len != AETH_LEN + ATOMIC_ACK_ETH_LEN)
		return HCA_BAD_RESPONSE;
	hca_atomic_encode(qp->hca, get_be64(rx->rest + AETH_LEN), original);
	return hca_scatter(qp->hca, qp->pd, oldest->sge, oldest->sge_count, 0, original,
			   sizeof(original));
}

static void receive_data(struct hca_qp *qp, const struct hca_rx *rx,
			 const struct operation *operation)
{
	struct requester *r = requester(qp);
	const struct request *oldest;
	enum hca_status status;

	if (r->response_dropped)
		return;
	if (!acknowledge(qp, rx->bth.psn)) {
		recover(qp);
		return;
	}
	if (!active(qp))
		return;
	oldest = request_at(r, r->head);
	if (operation->kind == OPERATION_ATOMIC_ACK)
		status = place_atomic(qp, oldest, rx);
	else
		status = place_read(qp, oldest, rx, operation);
	if (status == HCA_PAGED_OUT)
		status = page_fault(qp, oldest, psn_distance(oldest->psn, r->una), true);
	if (status == HCA_PAGED_OUT) {
		r->response_dropped = true;
		return;
	}
	if (status != HCA_OK) {
		fail(qp, status);
		return;
	}
	r->una = psn_add(r->una, 1);
	progress(qp);
	retire(qp);
}

void hca_requester_receive(struct hca_qp *qp, const struct hca_rx *rx,
			   const struct operation *operation)
{
	struct requester *r = requester(qp);
	bool has_aeth = operation->first || operation->last;
	struct aeth aeth;

	/* What was acknowledged before, or never sent, is of no interest (9.7.5.1.1). */
	if (!active(qp) || psn_distance(r->una, rx->bth.psn) >= psn_distance(r->una, r->sent))
		return;
	if (has_aeth && rx->rest_len < AETH_LEN) {
		fail(qp, HCA_BAD_RESPONSE);
		return;
	}
	if (has_aeth) {
		aeth_decode(rx->rest, &aeth);
		hca_take_credits(r, &aeth);
	}
	if (operation->kind == OPERATION_ACK)
		receive_acknowledge(qp, rx->bth.psn, rx->rest[0]);
	else
		receive_data(qp, rx, operation);
	if (!active(qp))
		return;
	update_timer(qp);
	if (r->stalled && !r->rnr_waiting)
		hca_send_queue(qp);
}

/* What was dropped for want of a page is asked for again. */
void hca_requester_resume(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	if (r->response_dropped && r->head != r->tail)
		rewind_to_oldest(qp);
	r->response_dropped = false;
}

/* Life */

void hca_requester_init(struct hca_qp *qp)
{
	timer_init(&requester(qp)->timer, expire, qp);
}

void hca_requester_start(struct hca_qp *qp, uint32_t psn)
{
	struct requester *r = requester(qp);

	r->una = psn & PSN_MASK;
	r->sent = r->una;
	r->next_psn = r->una;
	r->ssn = 0;
	r->limited = false;
	r->cursor = r->head;
	r->packet = 0;
	r->stalled = false;
	r->response_dropped = false;
	progress(qp);
}

void hca_requester_stop(struct hca_qp *qp)
{
	requester(qp)->rnr_waiting = false;
	timer_cancel(qp->hca->sched, &requester(qp)->timer);
}

bool hca_requester_flush(struct hca_qp *qp)
{
	if (hca_requester_idle(requester(qp)))
		return false;
	pop(qp, HCA_FLUSHED);
	return true;
}

void hca_requester_reset(struct hca_qp *qp)
{
	struct requester *r = requester(qp);

	hca_requester_stop(qp);
	while (r->head != r->tail)
		free(request_at(r, r->head++));
	r->responses = 0;
}
