/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Connections between the queue pairs of the bench, and the work requests of connected transports,
 * as byte offsets.
 */
#ifndef IBEMU_CX5_TESTS_CONNECT_H
#define IBEMU_CX5_TESTS_CONNECT_H

#include "connectx5/tests/bench.h"

#define ST_RC 0
#define ST_UC 1
#define ST_XRC 3

enum {
	CQE_REQUEST = 0,
	CQE_WRITTEN_IMM = 1,
	CQE_RECEIVED = 2,
	CQE_RECEIVED_IMM = 3,
	CQE_RECEIVED_INVALIDATE = 4,
	CQE_REQUEST_ERROR = 13,
	CQE_RECEIVE_ERROR = 14,
};

enum {
	LOCAL_LENGTH = 1,
	LOCAL_QP_OPERATION = 2,
	LOCAL_PROTECTION = 4,
	FLUSHED = 5,
	MW_BIND = 6,
	REMOTE_INVALID_REQUEST = 0x12,
	REMOTE_ACCESS = 0x13,
	REMOTE_OPERATION = 0x14,
};

/* Which remote operations a queue pair executes, in its context. */
enum { READS = 0x80, WRITES = 0x40, ATOMICS = 0x20, ALL_REMOTE = 0xe0 };

enum { PM_ARMED = 0, PM_MIGRATED = 3 };

struct link_options {
	unsigned int rights; /* that both sides give */
	unsigned int pm_state;
	uint16_t dlid, alternate_dlid; /* of the first one's paths; 0: where the other one is */
};

static inline uint8_t *context_of(struct queue_pair *qp)
{
	put_be32(qp->guest->in + 8, qp->qpn);
	return qp->guest->in + 24;
}

static inline void put_path(uint8_t *ads, uint16_t dlid)
{
	put_be16(ads + 6, dlid);
	ads[8] = 14 << 3; /* ACK timeout: 67 ms */
	ads[36] = 3;      /* SL */
}

/* From RESET to RTS: MTU 1024, from a PSN that wraps around soon. */
static inline void bring_up(struct queue_pair *qp, uint32_t dest_qpn, uint16_t dlid,
			    const struct link_options *options)
{
	uint8_t *qpc = context_of(qp);

	qpc[2] = (uint8_t)(options->pm_state << 3);
	qpc[146] = (uint8_t)options->rights;
	assert_int_equal(execute(qp->guest, RST2INIT_QP, 0, 272), 0);
	qpc = context_of(qp);
	qpc[8] = 3 << 5 | 30;
	put_be24(qpc + 21, dest_qpn);
	put_path(qpc + 24, options->dlid && dlid == 2 ? options->dlid : dlid);
	put_path(qpc + 68, options->alternate_dlid && dlid == 2 ? options->alternate_dlid : dlid);
	put_be24(qpc + 149, 0xfffffe);
	qpc[145] = 2 << 5; /* takes 4 reads */
	qpc[148] = 1;      /* RNR timer */
	put_be32(qp->guest->in + 16, 1); /* with the alternate path */
	assert_int_equal(execute(qp->guest, INIT2RTR_QP, 0, 272), 0);
	qpc = context_of(qp);
	put_be24(qpc + 121, 0xfffffe);
	qpc[113] = 2 << 5 | 7; /* has 4 reads under way; 7 retries */
	qpc[114] = 7 << 5;     /* RNR: for ever */
	qpc[24 + 8] = 14 << 3;
	assert_int_equal(execute(qp->guest, RTR2RTS_QP, 0, 272), 0);
}

/* a is of guest 0 (LID 1), b of guest 1 (LID 2). */
static inline void connect_with(struct queue_pair *a, struct queue_pair *b,
				const struct link_options *options)
{
	bring_up(a, b->qpn, 2, options);
	bring_up(b, a->qpn, 1, options);
}

static inline void connect_pair(struct bench *bench, unsigned int st, struct queue_pair *a,
				struct queue_pair *b)
{
	static const struct link_options options = { .rights = ALL_REMOTE,
						     .pm_state = PM_MIGRATED };

	assert_int_equal(try_create_qp(&bench->guest[0], a, st, 0), 0);
	assert_int_equal(try_create_qp(&bench->guest[1], b, st, 3), 0);
	connect_with(a, b, &options);
}

/* The other side's memory: a key for all of its data, with all rights; umr: that can be changed. */
static inline uint32_t remote_key(struct guest *guest, bool umr)
{
	assert_int_equal(try_create_mkey(guest, bus(DATA_AT), DATA_LEN, DATA_AT, DATA_LEN / PAGE,
					 umr ? 63 : 31, 0x21),
			 0);
	return get_be24(guest->out + 9) << 8 | 0x21;
}

/* Work requests, segment by segment */

struct wqe {
	uint8_t bytes[1024];
	unsigned int len;
};

static inline uint8_t *add_segments(struct wqe *wqe, unsigned int count)
{
	uint8_t *p = wqe->bytes + wqe->len;

	wqe->len += 16 * count;
	return p;
}

static inline struct wqe begin_wqe(uint8_t opcode, uint32_t imm)
{
	struct wqe wqe = { .len = 16 };

	wqe.bytes[3] = opcode;
	wqe.bytes[11] = 0x08; /* complete it */
	put_be32(wqe.bytes + 12, imm);
	return wqe;
}

static inline void add_remote(struct wqe *wqe, uint64_t va, uint32_t rkey)
{
	uint8_t *p = add_segments(wqe, 1);

	put_be64(p, va);
	put_be32(p + 8, rkey);
}

static inline void add_operands(struct wqe *wqe, uint64_t swap_add, uint64_t compare)
{
	uint8_t *p = add_segments(wqe, 1);

	put_be64(p, swap_add);
	put_be64(p + 8, compare);
}

static inline void add_data(struct wqe *wqe, const struct queue_pair *qp, uint32_t at, uint32_t len)
{
	put_data_segment(add_segments(wqe, 1), len, qp->guest->lkey, bus(DATA_AT + at));
}

static inline void post_wqe(struct queue_pair *qp, struct wqe *wqe)
{
	put_be16(wqe->bytes + 1, qp->sent);
	put_be32(wqe->bytes + 4, qp->qpn << 8 | wqe->len / 16);
	for (unsigned int at = 0; at < wqe->len; at += 64)
		memcpy(send_block(qp, qp->sent++), wqe->bytes + at, 64);
}

static inline void post_and_run(struct queue_pair *qp, struct wqe *wqe, struct bench *bench)
{
	post_wqe(qp, wqe);
	ring(qp);
	sched_run(bench->sched);
}

static inline const uint8_t *query(struct queue_pair *qp)
{
	assert_int_equal(on(qp->guest, QUERY_QP, qp->qpn), 0);
	return qp->guest->out + 24;
}

#endif
