/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The connected transports (IBTA vol. 1, chapter 9): a queue pair sends requests and takes
 * responses as requester, takes requests and sends responses as responder. The two halves share
 * nothing but the connection.
 */
#ifndef IBEMU_CONNECTED_H
#define IBEMU_CONNECTED_H

#include "hca/engine.h"

/* PSNs are 24-bit numbers that wrap around. */
#define PSN_MASK 0xffffffu
#define PSN_HALF 0x800000u

static inline uint32_t psn_add(uint32_t psn, uint32_t n) { return (psn + n) & PSN_MASK; }
/* How far it is from one on to the other. */
static inline uint32_t psn_distance(uint32_t from, uint32_t to) { return (to - from) & PSN_MASK; }

/* What a BTH:OpCode says to either half. */
enum operation_kind {
	OPERATION_UNKNOWN, OPERATION_SEND, OPERATION_WRITE, OPERATION_READ, OPERATION_ATOMIC,
	OPERATION_READ_RESPONSE, OPERATION_ATOMIC_ACK, OPERATION_ACK,
};

struct operation {
	uint8_t kind;
	bool first, last;
	bool imm, invalidate;
};

/* connected.c */
const struct operation *hca_operation(uint8_t bth_opcode);
uint32_t hca_path_mtu(const struct hca_qp *qp); /* bytes */
/*
 * A packet for the other side with its BTH, whose payload (with padding) is there. False: it can't
 * be routed.
 */
bool hca_finish_packet(const struct hca_qp *qp, const struct bth *bth, struct packet *packet);
/* Where the extended headers go. */
static inline uint8_t *hca_extended_headers(const struct hca_qp *qp, struct packet *packet)
{
	return packet->data + hca_route_len(&qp->conn.path) + BTH_LEN;
}

/* Did this packet come along the connection's path, from its other end? */
bool hca_from_peer(const struct hca_qp *qp, const struct hca_rx *rx);
/* Does this operation answer a request? */
static inline bool is_response(const struct operation *operation)
{
	return operation->kind >= OPERATION_READ_RESPONSE;
}

/* Takes the alternate path if there is one that is ready. */
bool hca_migrate(struct hca_qp *qp);

/* A send work request that is under way. */
struct request {
	enum hca_opcode opcode;
	enum hca_status status; /* what went wrong here: it ends so when its turn comes */
	uint8_t chip_opcode;
	uint16_t index;
	bool signaled, solicited;
	/* No work request, but the packet that begins a DC session; the first one is behind it. */
	bool connects;
	uint32_t imm, rkey, srqn;
	uint64_t remote_addr, swap_add, compare;
	uint32_t len;
	uint32_t psn, packets; /* its PSNs; none for what stays inside */
	uint32_t ssn;          /* which of the messages it is, from 1 on */
	bool probes;           /* its first packet asks for credits */
	unsigned int sge_count;
	struct hca_sge sge[];
};

/* request_packet.c */
/*
 * The n-th packet of a request. NULL: no memory, which is as good as a lost packet, or
 * request->status says what is wrong.
 */
struct packet *hca_request_packet(struct hca_qp *qp, struct request *request, uint32_t n);

/*
 * Requests that are under way at a time, and packets. Enough to keep the other side busy; little
 * enough that a queue pair can't fill the fabric's queue.
 */
#define WINDOW 64

/*
 * window[head .. tail) (counters modulo WINDOW) are the requests that are under way, oldest first;
 * there's room for a connect in front of them.
 * All before una is acknowledged; all before sent was sent at least once. The next packet is the
 * packet-th of window[cursor]: going back is setting these two.
 */
struct requester {
	struct request *window[WINDOW];
	unsigned int head, cursor, tail;
	uint32_t packet;
	uint32_t una, sent, next_psn;
	uint32_t ssn;  /* of the last message in the window */
	bool limited;  /* by the other side's receives: */
	uint32_t last_ssn; /* the last message that there's one for */
	unsigned int responses; /* reads and atomics in the window */
	uint8_t retries, rnr_retries; /* left */
	bool recovering; /* has gone back, and nothing has come of it yet */
	bool rnr_waiting;
	bool response_dropped; /* for want of a page */
	bool stalled;    /* there may be more to do as soon as a response comes */
	struct timer timer; /* for the response to una, or the end of rnr_waiting */
	uint64_t deadline_ns; /* at which it acts, if it fires earlier it's armed again */
};

/* credits.c */
/* Of a positive acknowledge. */
uint8_t hca_positive_syndrome(const struct hca_qp *qp);
void hca_take_credits(struct requester *r, const struct aeth *aeth);
/* May the packet at the cursor, which is this request's, be sent? */
bool hca_has_credit(const struct requester *r, struct request *request);

/* requester.c */
void hca_requester_init(struct hca_qp *qp);
/* Sends from this PSN on. Nothing is under way. */
void hca_requester_start(struct hca_qp *qp, uint32_t psn);
/* Stops all that could happen by itself; what is under way can be flushed. */
void hca_requester_stop(struct hca_qp *qp);
/* Forgets what is under way. */
void hca_requester_reset(struct hca_qp *qp);
bool hca_requester_run(struct hca_qp *qp, unsigned int *budget);
void hca_requester_receive(struct hca_qp *qp, const struct hca_rx *rx,
			   const struct operation *operation);
bool hca_requester_flush(struct hca_qp *qp);
/* Goes on after a page fault. */
void hca_requester_resume(struct hca_qp *qp);
static inline bool hca_requester_idle(const struct requester *r) { return r->head == r->tail; }
/* Puts a connect at the end of what is under way. False: no memory. */
bool hca_requester_connect(struct hca_qp *qp);
/*
 * The target asks for the session's connect: one goes in front of all that is under way, unless
 * there it is, or the oldest message has arrived in part.
 */
void hca_requester_reconnect(struct hca_qp *qp);

/* dci.c: the session of a DC initiator with the target of its last request. */
struct dc_session {
	bool open;
	uint32_t psn; /* of its first connect: its name */
	uint64_t key;
	uint64_t used_ns;
	struct timer idle;
};

void hca_dci_init(struct hca_qp *qp);
/* Is something under way for another target than this work request's? */
bool hca_dci_must_wait(const struct hca_qp *qp, const struct hca_send_wr *wr);
/* Sees to it that the session is one with the work request's target. False: no memory. */
bool hca_dci_reach(struct hca_qp *qp, const struct hca_send_wr *wr);
void hca_dci_disconnect(struct hca_qp *qp);
/* Does the target say that it doesn't know the session? */
bool hca_dci_is_unknown(const struct hca_qp *qp, const struct hca_rx *rx,
			const struct operation *operation);
/* The header of a request; returns what's behind it. */
uint8_t *hca_dci_put_header(const struct hca_qp *qp, uint8_t *p);

/* A request that has arrived: its extended headers, and the payload behind them. */
struct parts {
	/* Where receive work requests come from, if not from a queue of its own. */
	struct hca_srq *srq;
	struct reth reth;
	struct atomic_eth atomic;
	uint32_t imm;
	const uint8_t *payload;
	uint32_t len;
};

/* parts.c */
/* False: shorter than its opcode announces, or for a shared receive queue that doesn't exist. */
bool hca_take_apart(struct hca_qp *qp, const struct hca_rx *rx, const struct operation *operation,
		    struct parts *parts);
/* The protection domain in which R_Keys are good: of XRC, that of the shared receive queue. */
uint32_t hca_remote_pd(const struct hca_qp *qp, const struct parts *parts);

/* The key that lets this queue pair do so much for the other side, or NULL. */
const struct hca_mkey *hca_remote_mkey(const struct hca_qp *qp, uint32_t rkey, uint32_t pd,
				       uint64_t va, uint64_t len, enum hca_access access);

/* What becomes of it. */
enum verdict {
	ACCEPTED,
	NOT_READY, /* no receive work request */
	INVALID_REQUEST, ACCESS_VIOLATION, OPERATION_ERROR,
};

/*
 * The send or write that is arriving. A send has a receive work request from its first packet on, a
 * write with immediate data from its last one on.
 */
struct inbound {
	enum operation_kind kind; /* OPERATION_UNKNOWN: none */
	uint64_t va; /* writes: where the next byte goes */
	uint32_t rkey, pd;
	uint32_t len, received;
	bool has_wr;
	enum hca_status wr_status; /* how it ends if the packet wasn't accepted */
	uint32_t srqn; /* where it is from; 0: the queue pair's own queue */
	struct hca_recv_wr wr;
};

/* inbound.c */
/* Executes one packet of a send or write. */
enum verdict hca_inbound_packet(struct hca_qp *qp, const struct hca_rx *rx,
				const struct operation *operation);
/* Completes the receive work request in use. False: there is none. */
bool hca_inbound_fail(struct hca_qp *qp, enum hca_status status);
/* Forgets the message; its receive work request waits for the next one. */
static inline void hca_inbound_drop(struct inbound *inbound) { inbound->kind = OPERATION_UNKNOWN; }

/*
 * A read or an atomic that has been accepted, kept to be answered again (IBTA vol. 1, 9.7.5.1.3).
 */
struct resource {
	enum operation_kind kind;
	bool pending, again; /* to be answered; for a second time */
	bool first;          /* no packet of this answer is sent yet */
	uint32_t psn, packets, next;
	uint32_t msn;
	uint64_t va;
	uint32_t rkey, pd, len;
	uint64_t original; /* atomics: the result */
};

/* An acknowledge to be sent once the reads and atomics before it are answered. */
struct acknowledge {
	bool pending;
	uint8_t syndrome;
	uint32_t psn, msn;
};

struct responder {
	uint32_t epsn, msn; /* expected PSN */
	bool nak_sent;      /* for the expected PSN */
	bool closing;       /* a NAK ends this connection as soon as it's sent: */
	enum hca_status closing_status; /* of the receive work request in use */
	enum hca_event closing_event;   /* if there is none */
	struct acknowledge ack;
	unsigned int newest, count, pending; /* the ring of resources */
	struct resource resources[HCA_MAX_RD_ATOMIC];
};

/* responder.c */
void hca_responder_start(struct hca_qp *qp);
bool hca_responder_run(struct hca_qp *qp, unsigned int *budget);
void hca_responder_receive(struct hca_qp *qp, const struct hca_rx *rx,
			   const struct operation *operation);
/* Is there something that isn't answered yet? */
bool hca_responder_busy(const struct hca_qp *qp);
void hca_send_acknowledge(struct hca_qp *qp, const struct acknowledge *ack);

/* dct.c */
int hca_dc_table_create(struct hca *hca, uint32_t connections);
void hca_dc_table_destroy(struct hca *hca);
/* A connection ends in an error. */
void hca_dct_fail(struct hca_qp *qp);

/* atomic.c */
/* Executes an atomic on 8 bytes behind a key that has been checked. 0 or -EFAULT. */
int hca_atomic(struct hca *hca, const struct hca_mkey *mkey, const struct atomic_eth *eth,
	       bool compare_swap, uint64_t *original);
/* A number as it lies in guest memory. */
void hca_atomic_encode(const struct hca *hca, uint64_t value, uint8_t bytes[8]);

/* uc.c */
void hca_uc_start(struct hca_qp *qp);
void hca_uc_receive(struct hca_qp *qp, const struct hca_rx *rx, const struct operation *operation);

struct hca_connected {
	struct requester requester;
	struct responder responder; /* UC: only the expected PSN */
	struct inbound inbound;
	struct dc_session session; /* DC initiators */
	bool established; /* the event that says so was raised */
	bool path_refused; /* likewise, of the packets that come now */
};

#endif
