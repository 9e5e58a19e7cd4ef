/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Datagrams from one device's work requests to the other's completions, and what goes wrong on the
 * way.
 */
#include "connectx5/tests/bench.h"

enum {
	CQE_REQUEST = 0,
	CQE_RECEIVED = 2,
	CQE_RECEIVED_IMM = 3,
	CQE_REQUEST_ERROR = 13,
	CQE_RECEIVE_ERROR = 14,
};

enum { LOCAL_LENGTH = 1, LOCAL_QP_OPERATION = 2, LOCAL_PROTECTION = 4, FLUSHED = 5 };

#define FAR 0x8000u /* data offset of receives */

static int set_up(void **state)
{
	*state = bench_create_verbs();
	return 0;
}

static int tear_down(void **state)
{
	bench_destroy(*state);
	return 0;
}

static void go(struct queue_pair *qp, struct bench *bench)
{
	ring(qp);
	sched_run(bench->sched);
}

static uint8_t qp_state(struct queue_pair *qp)
{
	on(qp->guest, QUERY_QP, qp->qpn);
	return qp->guest->out[24] >> 4;
}

/* The sender is guest 0 (LID 1), the receiver guest 1 (LID 2). */
static void a_message_arrives(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 3, QKEY);
	const uint8_t *cqe;

	memcpy(data(a, 0x100), "hello, fabric", 13);
	memset(data(b, FAR), 0xee, 100);
	post_receive(&to, FAR, 100);
	post_send(&from, 2, to.qpn, 0x100, 13)[16 + 12] = 5; /* SL */
	go(&from, bench);
	expect(a, 0, CQE_REQUEST, 0);
	assert_int_equal(get_be32(cqe_at(a, 0) + 56), 0x0a000000 | from.qpn);
	expect(b, 0, CQE_RECEIVED, 0);
	cqe = cqe_at(b, 0);
	assert_int_equal(get_be32(cqe + 44), 53); /* 40 for the GRH that isn't there */
	assert_int_equal(get_be16(cqe + 22), 1);  /* source LID */
	assert_int_equal(get_be32(cqe + 24), 5u << 24 | from.qpn); /* no GRH, SL 5, source QP */
	assert_int_equal(get_be32(cqe + 32), 0x00abc3);
	assert_int_equal(get_be32(cqe + 56), to.qpn);
	assert_int_equal(get_be16(cqe + 60), 0);
	assert_memory_equal(data(b, FAR + 40), "hello, fabric\xee", 14);
	assert_int_equal(*data(b, FAR), 0xee);
}

static void every_length_arrives_whole(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);
	static const uint32_t lengths[] = { 0, 1, 2, 3, 4, 5, 255, 256, 257, 2047, 4093, 4096 };

	for (uint32_t i = 0; i < DATA_LEN / 2; i++)
		*data(a, i) = (uint8_t)(i * 31 >> 3);
	for (uint32_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		post_receive(&to, FAR, 4096 + 40);
		post_send(&from, 2, to.qpn, 0xabc, lengths[i]);
		go(&from, bench);
		expect(b, i, CQE_RECEIVED, 0);
		assert_int_equal(get_be32(cqe_at(b, i) + 44), 40 + lengths[i]);
		assert_memory_equal(data(b, FAR + 40), data(a, 0xabc), lengths[i]);
	}
}

static void too_long_for_the_path(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);

	post_receive(&to, FAR, 5000);
	post_send(&from, 2, to.qpn, 0, 4097);
	post_send(&from, 2, to.qpn, 0, 8);
	go(&from, bench);
	expect(a, 0, CQE_REQUEST_ERROR, LOCAL_LENGTH);
	expect(a, 1, CQE_REQUEST_ERROR, FLUSHED);
	assert_int_equal(get_be16(cqe_at(a, 1) + 60), 2);
	assert_int_equal(qp_state(&from), 4); /* send queue error: its receives go on */
	assert_null(cqe_at(b, 0));
	post_send(&from, 2, to.qpn, 0, 8);
	go(&from, bench);
	expect(a, 2, CQE_REQUEST_ERROR, FLUSHED);
	assert_int_equal(modify(&from, SQERR2RTS_QP, 0, 0, 0), 0);
	post_send(&from, 2, to.qpn, 0, 8);
	go(&from, bench);
	expect(a, 3, CQE_REQUEST, 0);
	expect(b, 0, CQE_RECEIVED, 0);
}

static void too_long_for_the_buffer(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);

	post_receive(&to, FAR, 48);
	post_receive(&to, FAR, 48);
	post_send(&from, 2, to.qpn, 0, 9);
	go(&from, bench);
	expect(a, 0, CQE_REQUEST, 0);
	expect(b, 0, CQE_RECEIVE_ERROR, LOCAL_LENGTH);
	expect(b, 1, CQE_RECEIVE_ERROR, FLUSHED);
	assert_int_equal(qp_state(&to), 6);
}

static void immediate_data(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);
	uint8_t *wqe;

	post_receive(&to, FAR, 100);
	wqe = post_send(&from, 2, to.qpn, 0, 5);
	wqe[3] = 0x0b;
	put_be32(wqe + 12, 0x12345678);
	go(&from, bench);
	expect(b, 0, CQE_RECEIVED_IMM, 0);
	assert_int_equal(get_be32(cqe_at(b, 0) + 36), 0x12345678);
	assert_int_equal(get_be32(cqe_at(b, 0) + 44), 45);
}

static void inline_data_and_several_pieces(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);
	uint8_t *wqe, *more;

	memcpy(data(a, 0x10), "GATHERED", 8);
	post_receive(&to, FAR, 100);
	wqe = post_send(&from, 2, to.qpn, 0, 0);
	more = send_block(&from, from.sent - 1);
	put_be32(more, 0x80000000u | 14); /* 4 + 14: two segments */
	memcpy(more + 4, "inline, then, ", 14);
	put_data_segment(more + 32, 8, a->lkey, bus(DATA_AT + 0x10));
	put_be32(wqe + 4, from.qpn << 8 | 7);
	go(&from, bench);
	expect(b, 0, CQE_RECEIVED, 0);
	assert_memory_equal(data(b, FAR + 40), "inline, then, GATHERED", 22);
}

static void only_signaled_sends_complete(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY);

	post_send(&from, 2, 0x999, 0, 4)[11] = 0;
	post_send(&from, 2, 0x999, 0, 4);
	go(&from, bench);
	expect(a, 0, CQE_REQUEST, 0);
	assert_int_equal(get_be16(cqe_at(a, 0) + 60), 2);
	assert_null(cqe_at(a, 1));
}

/*
 * Version 6, class 0x12, flow label 0x3abcd | payload: BTH 12, DETH 8, data 4, ICRC 4 | IBA, hop
 * limit 7
 */
static void global_route_headers_come_along(void **state)
{
	static const uint8_t start[] = { 0x61, 0x23, 0xab, 0xcd, 0x00, 0x1c, 0x1b, 0x07 };
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);
	const struct port_attr *source = fabric_port_attr(a->dev.port),
			       *destination = fabric_port_attr(b->dev.port);
	uint8_t *wqe;

	post_receive(&to, FAR, 100);
	post_receive(&to, FAR, 100);
	for (int wrong = 0; wrong < 2; wrong++) {
		wqe = post_send(&from, 2, to.qpn, 0, 4);
		wqe[16 + 26] = 0x12;
		wqe[16 + 27] = 7;
		put_be32(wqe + 16 + 28, 1u << 30 | 0x3abcd);
		put_be64(wqe + 16 + 32, destination->gid_prefix);
		put_be64(wqe + 16 + 40, destination->guids[0] + wrong);
	}
	go(&from, bench);
	expect(b, 0, CQE_RECEIVED, 0);
	assert_int_equal(get_be32(cqe_at(b, 0) + 24) >> 28, 1);
	assert_memory_equal(data(b, FAR), start, sizeof(start));
	assert_int_equal(get_be64(data(b, FAR + 8)), source->gid_prefix);
	assert_int_equal(get_be64(data(b, FAR + 16)), source->guids[0]);
	assert_int_equal(get_be64(data(b, FAR + 32)), destination->guids[0]);
	assert_null(cqe_at(b, 1)); /* a GID that isn't this port's */
}

static void a_source_gid_that_is_empty(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY);

	put_be32(post_send(&from, 2, 0x99, 0, 4) + 16 + 28, 1u << 30 | 200u << 20);
	go(&from, bench);
	expect(a, 0, CQE_REQUEST_ERROR, LOCAL_QP_OPERATION);
}

static void queue_keys_must_match(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, 0x80000001),
			  to = create_qp(b, ST_UD, 0, QKEY);

	post_receive(&to, FAR, 100);
	put_be32(post_send(&from, 2, to.qpn, 0, 4) + 16, QKEY + 1);
	put_be32(post_send(&from, 2, to.qpn, 0, 4) + 16,
		 0x80000000 | QKEY); /* means the sender's own */
	go(&from, bench);
	assert_null(cqe_at(b, 0));
	assert_int_equal(b->dev.hca.counters.dropped_qkey, 2);
	assert_int_equal(modify(&from, RTS2RTS_QP, 1 << 5, QKEY, 0), 0);
	put_be32(post_send(&from, 2, to.qpn, 0, 4) + 16, 0x80000000);
	go(&from, bench);
	expect(b, 0, CQE_RECEIVED, 0);
}

/*
 * P_Key tables of both ports: 0: 0xffff, 1: 0x8001 (full), 2: 0x0001 (limited), 3: 0x8002, the rest
 * empty
 */
static void set_pkeys(struct guest *guest)
{
	uint8_t mad[MAD_LEN] = { 1, 1, 1, 2 }, reply[MAD_LEN];

	put_be16(mad + 16, 0x16);
	put_be16(mad + 64, 0xffff);
	put_be16(mad + 66, 0x8001);
	put_be16(mad + 68, 0x0001);
	put_be16(mad + 70, 0x8002);
	assert_true(fabric_port_mad(guest->dev.port, MAD_IGNORE_MKEY, mad, reply));
}

static void partition_keys_must_match(void **state)
{
	static const struct {
		uint16_t from, to;
		bool arrives;
	} cases[] = {
		{ 0, 0, true },  { 1, 1, true },  { 1, 2, true },  { 2, 1, true },
		{ 2, 2, false }, { 1, 3, false }, { 0, 1, false },
	};
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);
	uint32_t received = 0, dropped = 0;

	set_pkeys(a);
	set_pkeys(b);
	post_receive(&to, FAR, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(modify(&from, RTS2RTS_QP, 1 << 4, 0, cases[i].from), 0);
		assert_int_equal(modify(&to, RTS2RTS_QP, 1 << 4, 0, cases[i].to), 0);
		post_send(&from, 2, to.qpn, 0, 4);
		go(&from, bench);
		if (cases[i].arrives) {
			expect(b, received++, CQE_RECEIVED, 0);
			post_receive(&to, FAR, 100);
		} else {
			dropped++;
		}
		assert_int_equal(b->dev.hca.counters.dropped_pkey, dropped);
		assert_null(cqe_at(b, received));
	}
	assert_int_equal(modify(&from, RTS2RTS_QP, 1 << 4, 0, 9), 0); /* an empty entry */
	post_send(&from, 2, to.qpn, 0, 4);
	go(&from, bench);
	expect(a, (uint32_t)(sizeof(cases) / sizeof(cases[0])), CQE_REQUEST_ERROR,
	       LOCAL_QP_OPERATION);
}

static void keys_that_do_not_cover_the_data(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);

	post_receive(&to, FAR, 100);
	post_send(&from, 2, to.qpn, DATA_LEN - 4, 8);
	go(&from, bench);
	expect(a, 0, CQE_REQUEST_ERROR, LOCAL_PROTECTION);
	assert_int_equal(modify(&from, SQERR2RTS_QP, 0, 0, 0), 0);
	post_send(&from, 2, to.qpn, 0, 8);
	put_be32(b->ram + to.at + 4, b->lkey ^ 1); /* the receive's key */
	go(&from, bench);
	expect(a, 1, CQE_REQUEST, 0);
	expect(b, 0, CQE_RECEIVE_ERROR, LOCAL_PROTECTION);
	assert_int_equal(qp_state(&to), 6);
}

static void without_a_receive_it_is_lost(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);

	post_send(&from, 2, to.qpn, 0, 8);
	go(&from, bench);
	expect(a, 0, CQE_REQUEST, 0);
	assert_int_equal(b->dev.hca.counters.dropped_no_wqe, 1);
	post_receive(&to, FAR, 100);
	sched_run(bench->sched);
	assert_null(cqe_at(b, 0));
}

static void to_the_own_port(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(a, ST_UD, 1, QKEY);

	post_receive(&to, FAR, 100);
	post_send(&from, 1, to.qpn, 0, 8);
	go(&from, bench);
	expect(a, 0, CQE_REQUEST, 0);
	expect(a, 1, CQE_RECEIVED, 0);
}

static void the_error_state_flushes_all_and_goes_on(void **state)
{
	struct bench *bench = *state;
	struct guest *b = &bench->guest[1];
	struct queue_pair to = create_qp(b, ST_UD, 0, QKEY);

	for (int i = 0; i < 3; i++)
		post_receive(&to, FAR, 100);
	assert_int_equal(on(b, TO_ERR_QP, to.qpn), 0);
	sched_run(bench->sched);
	for (uint32_t i = 0; i < 3; i++) {
		expect(b, i, CQE_RECEIVE_ERROR, FLUSHED);
		assert_int_equal(get_be16(cqe_at(b, i) + 60), i);
	}
	post_receive(&to, FAR, 100);
	sched_advance(bench->sched, 100 * NSEC_PER_MSEC);
	expect(b, 3, CQE_RECEIVE_ERROR, FLUSHED);
	post_send(&to, 1, 0x99, 0, 4);
	go(&to, bench);
	expect(b, 4, CQE_REQUEST_ERROR, FLUSHED);
	assert_int_equal(on(b, TO_RST_QP, to.qpn), 0);
	assert_false(timer_armed(&b->dev.hca.flush_timer));
}

static void nothing_is_polled_without_need(void **state)
{
	struct bench *bench = *state;

	create_qp(&bench->guest[0], ST_UD, 0, QKEY);
	assert_false(timer_armed(&bench->guest[0].dev.hca.flush_timer));
}

static const uint8_t group[16] = { 0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, [15] = 1 };

static void attach(struct queue_pair *qp)
{
	memcpy(qp->guest->in + 16, group, 16);
	put_be32(qp->guest->in + 8, qp->qpn);
	assert_int_equal(execute(qp->guest, ATTACH_TO_MCG, 0, 32), 0);
}

static void post_multicast(struct queue_pair *qp)
{
	uint8_t *wqe = post_send(qp, 0xc001, 0xffffff, 0, 8);

	put_be32(wqe + 16 + 28, 1u << 30);
	memcpy(wqe + 16 + 32, group, 16);
}

static void multicast_reaches_all_members(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), near = create_qp(a, ST_UD, 1, QKEY);
	struct queue_pair b1 = create_qp(b, ST_UD, 0, QKEY), b2 = create_qp(b, ST_UD, 1, QKEY);

	attach(&from);
	attach(&near);
	attach(&b1);
	attach(&b2);
	post_receive(&from, FAR, 100);
	post_receive(&near, FAR, 100);
	post_receive(&b1, FAR, 100);
	post_receive(&b2, FAR, 100);
	post_multicast(&from);
	go(&from, bench);
	assert_non_null(cqe_at(a, 2)); /* the send, and two receives: it is its own member, too */
	assert_null(cqe_at(a, 3));
	expect(b, 0, CQE_RECEIVED, 0);
	expect(b, 1, CQE_RECEIVED, 0);
	assert_null(cqe_at(b, 2));
	assert_memory_equal(data(b, FAR + 24), group, 16);
}

static void own_multicasts_can_be_blocked(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0];
	struct queue_pair from, near = create_qp(a, ST_UD, 1, QKEY);

	a->pd |= 0x40000000; /* block_lb_mc is a bit of the byte in front of the PD */
	from = create_qp(a, ST_UD, 0, QKEY);
	a->pd &= 0xffffff;
	attach(&from);
	attach(&near);
	post_receive(&from, FAR, 100);
	post_receive(&near, FAR, 100);
	post_multicast(&from);
	go(&from, bench);
	assert_non_null(cqe_at(a, 1));
	assert_null(cqe_at(a, 2));
	on(a, QUERY_QP, from.qpn);
	assert_int_equal(get_be32(a->out + 24 + 184), 0); /* receives consumed */
	on(a, QUERY_QP, near.qpn);
	assert_int_equal(get_be32(a->out + 24 + 184), 1);
}

/* QP1 tells the P_Key of what came in; what is sent in its name comes from another queue pair. */
static void general_services_interface(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to = create_qp(b, ST_QP1, 0, 0x80010000);

	set_pkeys(a);
	set_pkeys(b);
	put_be32(a->in + 24 + 128, 1); /* deth_sqpn */
	from = create_qp(a, ST_UD, 0, 0x80010000);
	assert_int_equal(modify(&from, RTS2RTS_QP, 1 << 4, 0, 1), 0);
	post_receive(&to, FAR, 400);
	put_be32(post_send(&from, 2, 1, 0, 256) + 16, 0x80010000);
	go(&from, bench);
	expect(b, 0, CQE_RECEIVED, 0);
	assert_int_equal(get_be32(cqe_at(b, 0) + 36), 0x8001);
	assert_int_equal(get_be32(cqe_at(b, 0) + 24) & 0xffffff, 1);
}

static void expect_line(const char *text, const char *name, unsigned int value)
{
	char line[64];

	snprintf(line, sizeof(line), "%-24s %u\n", name, value);
	assert_non_null(strstr(text, line));
}

/* Arrivals by transport, of which management is none, and commands by name. */
static void statistics_tell_kinds_apart(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from = create_qp(a, ST_UD, 0, QKEY), to = create_qp(b, ST_UD, 0, QKEY);
	char text[4000] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	for (int i = 0; i < 3; i++)
		post_send(&from, 2, to.qpn, 0, 13);
	post_send(&from, 2, 1, 0, 256);
	go(&from, bench);
	assert_int_equal(control(b, "statistics", out), 0);
	assert_int_equal(control(b, "commands", out), 0);
	assert_int_equal(control(b, "commands all", out), -EINVAL);
	fclose(out);
	expect_line(text, "received_ud", 3);
	expect_line(text, "received_ud_bytes", 3 * (8 + 13));
	expect_line(text, "received_management", 1);
	expect_line(text, "received_rc", 0);
	expect_line(text, "CREATE_QP", 1);
	assert_null(strstr(text, "CREATE_DCT"));
}

/*
 * A directed-route SubnGet(NodeInfo) of the neighbour: its agent answers, and the answer comes to
 * QP0.
 */
static void subnet_management_interface(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0];
	struct queue_pair qp0 = create_qp(a, ST_QP0, 0, 0);
	uint8_t *mad = data(a, 0);

	mad[0] = 1;
	mad[1] = 0x81;
	mad[2] = 1;
	mad[3] = 1;
	mad[6] = 1; /* hop pointer: the sending side has moved it */
	mad[7] = 1; /* hop count */
	put_be16(mad + 16, 0x11);
	put_be32(mad + 32, 0xffffffff);
	mad[128 + 1] = 1;
	post_receive(&qp0, FAR, 400);
	put_be32(post_send(&qp0, 0xffff, 0, 0, 256) + 16, 0);
	go(&qp0, bench);
	expect(a, 0, CQE_REQUEST, 0);
	expect(a, 1, CQE_RECEIVED, 0);
	assert_int_equal(*data(a, FAR + 40 + 3), 0x81);
	assert_int_equal(get_be64(data(a, FAR + 40 + 64 + 12)), 0x0002c90300001020ull);
	assert_int_equal(get_be32(cqe_at(a, 1) + 24) & 0xffffff, 0);
}

static void ring_at(struct queue_pair *qp, uint32_t where, uint16_t index, unsigned int segments)
{
	uint8_t doorbell[8] = { 0 };

	put_be16(doorbell + 1, index);
	put_be32(doorbell + 4, qp->qpn << 8 | segments);
	cx5_bar_write(&qp->guest->dev, (uint64_t)qp->guest->uar * PAGE + where, doorbell, 8);
}

/*
 * A queue pair may do without a record for its sends: its doorbell, in a place of its own, tells
 * that what it begins with is posted to its end, and all before it.
 */
static void doorbells_without_a_record(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair to = create_qp(b, ST_UD, 0, QKEY), from;

	a->in[24 + 16] = 2 << 6;
	assert_int_equal(try_create_qp(a, &from, ST_UD, 0), 3); /* for the firmware's own use */
	a->in[24 + 16] = 1 << 6;
	from = create_qp(a, ST_UD, 0, QKEY);
	memset(a->ram + from.record, 0xee, 8);
	for (unsigned int i = 0; i < 3; i++) {
		post_receive(&to, FAR, 100);
		post_send(&from, 2, to.qpn, 0, 8);
	}
	ring_at(&from, UAR_SEND, 4, 5);
	sched_run(bench->sched);
	assert_null(cqe_at(a, 0));
	ring_at(&from, 0x600, 2, 5); /* the second one, of two blocks */
	sched_run(bench->sched);
	expect(a, 1, CQE_REQUEST, 0);
	assert_null(cqe_at(a, 2));
	ring_at(&from, 0x600, 4, 5);
	sched_run(bench->sched);
	expect(a, 2, CQE_REQUEST, 0);
	ring_at(&from, 0x600, 60000, 5); /* more than it has room for */
	sched_run(bench->sched);
	assert_int_equal(qp_state(&from), 6);
	ring_at(&to, 0x600, 0, 5); /* of another kind */
	sched_run(bench->sched);
	assert_null(cqe_at(b, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(a_message_arrives),
		bench_test(every_length_arrives_whole),
		bench_test(too_long_for_the_path),
		bench_test(too_long_for_the_buffer),
		bench_test(immediate_data),
		bench_test(inline_data_and_several_pieces),
		bench_test(only_signaled_sends_complete),
		bench_test(global_route_headers_come_along),
		bench_test(a_source_gid_that_is_empty),
		bench_test(queue_keys_must_match),
		bench_test(partition_keys_must_match),
		bench_test(keys_that_do_not_cover_the_data),
		bench_test(without_a_receive_it_is_lost),
		bench_test(to_the_own_port),
		bench_test(the_error_state_flushes_all_and_goes_on),
		bench_test(doorbells_without_a_record),
		bench_test(nothing_is_polled_without_need),
		bench_test(multicast_reaches_all_members),
		bench_test(own_multicasts_can_be_blocked),
		bench_test(general_services_interface),
		bench_test(statistics_tell_kinds_apart),
		bench_test(subnet_management_interface),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
