// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Dynamic connections: an initiator on one side, targets on the other. */
#include "pair.h"

#define KEY 0x1122334455667788ull
#define CONNECTIONS 1024 /* as create_side() has it */

static struct pair *pair;
static struct side *a, *b;
static struct hca_qp second; /* another target, on the same side */

static void create_target(struct hca_qp *qp)
{
	*qp = b->qp;
	qp->type = HCA_QP_DCT;
	qp->has_sq = false;
	qp->buf = (struct hca_buffer){ 0 };
	qp->dc_key = KEY;
	assert_int_equal(hca_qp_create(&b->hca, qp), 0);
	hca_qp_set_state(qp, HCA_QP_INIT);
	hca_qp_set_state(qp, HCA_QP_RTR);
}

static int set_up(void **state)
{
	struct hca_qp template = { .pd = PD };

	(void)state;
	pair = create_pair_without_qps();
	a = &pair->a;
	b = &pair->b;
	create_qp(a, HCA_QP_DCI, NULL);
	a->qp.conn.path = (struct hca_av){ 0 };
	connect_qp(&a->qp);
	create_srq(b);
	template.srq = &b->srq;
	template.send_cq = &b->cq;
	template.recv_cq = &b->cq;
	template.conn = a->qp.conn;
	b->qp = template;
	create_target(&b->qp);
	b->qp.srq = &b->srq;
	create_target(&second);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (second.hca)
		assert_int_equal(hca_qp_destroy(&second), 0);
	second = (struct hca_qp){ 0 };
	destroy_pair(pair);
	return 0;
}

static struct hca_send_wr *prepare_to(const struct hca_qp *target, enum hca_opcode opcode,
				      uint32_t at, uint32_t len, uint32_t remote_at)
{
	struct hca_send_wr *wr = prepare_remote(a, opcode, at, len, remote_at);

	wr->av.dlid = fabric_port_attr(b->port)->lid;
	wr->dest_qpn = target->num;
	wr->dc_key = KEY;
	return wr;
}

static struct hca_send_wr *prepare_dc(enum hca_opcode opcode, uint32_t at, uint32_t len,
				      uint32_t remote_at)
{
	return prepare_to(&b->qp, opcode, at, len, remote_at);
}

static void expect_all(unsigned int count)
{
	assert_int_equal(a->wcs, count);
	for (unsigned int i = 0; i < count; i++)
		expect_wc(a, i, HCA_WC_SEND, HCA_OK);
}

static void end_of_time(void)
{
	sched_advance(pair->sched, 100 * NSEC_PER_SEC);
}

/* Both sides can still do what they did at first. */
static void expect_health(void)
{
	unsigned int done = a->wcs;

	if (a->qp.state == HCA_QP_ERR) {
		hca_qp_set_state(&a->qp, HCA_QP_RESET);
		connect_qp(&a->qp);
		a->posted = 0;
	}
	fill(a, 0, 100, 77);
	prepare_dc(HCA_WRITE, 0, 100, 0x7000);
	ring(a);
	assert_int_equal(a->wcs, done + 1);
	expect_wc(a, done, HCA_WC_SEND, HCA_OK);
	assert_memory_equal(data(b, 0x7000), data(a, 0), 100);
}

static void all_operations_work(void **state)
{
	static const uint8_t connect[] = {
		0xd8, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x40, 0x80, 0xff, 0xff, 0xfe,
		0x00, 0xff, 0xff, 0xfe, 0x00, 0x00, 0x00, 0x40, /* DCETH: session, initiator */
		0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, /* key */
	};
	static const uint8_t send[] = {
		0xc4, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x40, 0x80, 0xff, 0xff, 0xff,
		0x00, 0xff, 0xff, 0xfe, 0x00, 0x00, 0x00, 0x40,
		0x01, 0x08, 0x0f, 0x16, /* what fill() makes of the seed */
	};

	(void)state;
	fill(a, 0, 600, 1);
	fill(b, 0, 600, 2);
	post_srq(b, 0x1000, 600);
	post_srq(b, 0, 0);
	prepare_dc(HCA_SEND, 0, 4, 0);
	prepare_dc(HCA_READ, 0x2000, 600, 0);
	prepare_dc(HCA_WRITE_IMM, 0, 600, 0x3000)->imm = 7;
	prepare_dc(HCA_FETCH_ADD, 0x4000, 8, 0x4000)->swap_add = 1;
	ring(a);
	expect_all(4);
	assert_memory_equal(packet_at(b, 0) + LRH_LEN, connect, sizeof(connect));
	assert_memory_equal(packet_at(b, 1) + LRH_LEN, send, sizeof(send));
	assert_int_equal(packet_at(a, 0)[LRH_LEN] >> 5, BTH_TRANSPORT_DC);
	assert_int_equal(b->wcs, 2);
	expect_wc(b, 0, HCA_WC_RECV, HCA_OK);
	assert_ptr_equal(b->wc[0].qp, &b->qp);
	assert_ptr_equal(b->wc[0].srq, &b->srq);
	assert_int_equal(b->wc[0].src_qpn, a->qp.num);
	expect_wc(b, 1, HCA_WC_WRITE_IMM, HCA_OK);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 4);
	assert_memory_equal(data(a, 0x2000), data(b, 0), 600);
	assert_memory_equal(data(b, 0x3000), data(a, 0), 600);
	assert_int_equal(*data(b, 0x4000), 1);
	assert_int_equal(b->events, 0);
	assert_int_equal(b->hca.counters.traffic[HCA_TRAFFIC_DC].packets, 7);
	assert_int_equal(b->hca.counters.received, 7);
}

static void one_session_serves_many_requests(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		prepare_dc(HCA_WRITE, 0, 100, 0x1000 * i);
		ring(a);
	}
	expect_all(3);
	assert_int_equal(count_packets(b, BTH_DC_CONNECT), 1);
	assert_int_equal(count_packets(b, BTH_DC_DISCONNECT), 0);
}

static void an_idle_session_is_closed(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 100, 0);
	ring(a);
	sched_advance(pair->sched, NSEC_PER_SEC);
	assert_int_equal(count_packets(b, BTH_DC_DISCONNECT), 1);
	prepare_dc(HCA_WRITE, 0, 100, 0);
	ring(a);
	expect_all(2);
	assert_int_equal(count_packets(b, BTH_DC_CONNECT), 2);
}

static void a_session_in_use_stays_open(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 10; i++) {
		prepare_dc(HCA_WRITE, 0, 100, 0);
		ring(a);
		sched_advance(pair->sched, 30 * NSEC_PER_MSEC);
	}
	expect_all(10);
	assert_int_equal(count_packets(b, BTH_DC_DISCONNECT), 0);
}

/* The target changes with each request, and none overtakes another. */
static void targets_alternate(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 6; i++) {
		fill(a, 0x1000 * i, 600, i);
		post_srq(b, 0x10000 + 0x1000 * i, 600);
		prepare_to(i & 1 ? &second : &b->qp, HCA_SEND, 0x1000 * i, 600, 0);
	}
	ring(a);
	expect_all(6);
	assert_int_equal(count_packets(b, BTH_DC_CONNECT), 6);
	assert_int_equal(count_packets(b, BTH_DC_DISCONNECT), 5);
	for (unsigned int i = 0; i < 6; i++) {
		expect_wc(b, i, HCA_WC_RECV, HCA_OK);
		assert_ptr_equal(b->wc[i].qp, i & 1 ? &second : &b->qp);
		assert_memory_equal(data(b, 0x10000 + 0x1000 * i), data(a, 0x1000 * i), 600);
	}
}

static void the_path_is_part_of_the_target(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0);
	prepare_dc(HCA_WRITE, 0, 8, 0)->av.sl = 1;
	prepare_dc(HCA_WRITE, 0, 8, 0)->av.sl = 1;
	ring(a);
	expect_all(3);
	assert_int_equal(count_packets(b, BTH_DC_CONNECT), 2);
	assert_int_equal(a->logged[a->arrived - 1]->data[1] >> 4, 1); /* answered on the same SL */
}

static void with_a_global_route(void **state)
{
	struct hca_send_wr *wr = prepare_dc(HCA_READ, 0x1000, 600, 0);

	(void)state;
	fill(b, 0, 600, 3);
	wr->av.grh = true;
	wr->av.hop_limit = 1;
	put_be64(wr->av.dgid, fabric_port_attr(b->port)->gid_prefix);
	put_be64(wr->av.dgid + 8, fabric_port_attr(b->port)->guids[0]);
	ring(a);
	expect_all(1);
	assert_memory_equal(data(a, 0x1000), data(b, 0), 600);
	assert_int_equal(packet_at(a, 0)[1] & 3, LNH_GLOBAL);
}

static void work_that_stays_inside_needs_no_session(void **state)
{
	(void)state;
	prepare(a, HCA_NOP, 0, 0);
	prepare(a, HCA_LOCAL, 0, 0);
	ring(a);
	expect_all(2);
	assert_int_equal(b->arrived, 0);
}

/* Losses */

static unsigned int victim; /* the n-th packet that comes is lost */

static enum tap_action lose_one(struct side *side, const struct packet *packet)
{
	(void)packet;
	return side->arrived == victim ? TAP_DROP : TAP_PASS;
}

static enum tap_action lose_from(struct side *side, const struct packet *packet)
{
	(void)packet;
	return side->arrived >= victim ? TAP_DROP : TAP_PASS;
}

static enum tap_action lose_operation(struct side *side, const struct packet *packet)
{
	(void)side;
	return operation_of(packet) == victim ? TAP_DROP : TAP_PASS;
}

static enum tap_action lose_all(struct side *side, const struct packet *packet)
{
	(void)side;
	(void)packet;
	return TAP_DROP;
}

static void any_packet_may_be_lost(void **state)
{
	(void)state;
	b->tap = lose_one;
	for (victim = 1; victim < 9; victim++) {
		unsigned int done = a->wcs;

		b->arrived = 0;
		fill(a, 0, 600, victim);
		post_srq(b, 0x1000, 600);
		prepare_dc(HCA_SEND, 0, 600, 0);
		prepare_dc(HCA_FETCH_ADD, 0x2000, 8, 0x3000)->swap_add = 1;
		prepare_dc(HCA_WRITE, 0, 600, 0x4000);
		ring(a);
		sched_advance(pair->sched, NSEC_PER_SEC);
		assert_int_equal(a->wcs, done + 3);
		for (unsigned int i = done; i < a->wcs; i++)
			expect_wc(a, i, HCA_WC_SEND, HCA_OK);
		expect_wc(b, b->wcs - 1, HCA_WC_RECV, HCA_OK);
		assert_memory_equal(data(b, 0x1000), data(a, 0), 600);
		assert_memory_equal(data(b, 0x4000), data(a, 0), 600);
		assert_int_equal(*data(b, 0x3000), victim);
	}
	assert_int_equal(b->wcs, 8);
}

static void a_lost_connect_is_asked_for_at_once(void **state)
{
	uint64_t begin_ns = sched_now_ns(pair->sched);

	(void)state;
	victim = 1;
	b->tap = lose_one;
	a->qp.conn.timeout = 0; /* nothing would happen by itself */
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	expect_all(1);
	assert_true(sched_now_ns(pair->sched) - begin_ns < NSEC_PER_MSEC);
}

static void a_target_that_never_answers(void **state)
{
	(void)state;
	victim = BTH_DC_CONNECT;
	b->tap = lose_operation;
	prepare_dc(HCA_WRITE, 0, 8, 0);
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	end_of_time();
	assert_int_equal(a->wcs, 2);
	expect_wc(a, 0, HCA_WC_SEND, HCA_TRANSPORT_RETRY_EXCEEDED);
	assert_int_equal(a->wc[0].index, 0);
	expect_wc(a, 1, HCA_WC_SEND, HCA_FLUSHED);
	b->tap = NULL;
	expect_health();
}

/* What was executed isn't executed again for late packets, even if all of a session comes again. */
static void a_session_that_comes_again_late(void **state)
{
	struct packet *late[4];
	unsigned int count;

	(void)state;
	post_srq(b, 0x1000, 8);
	post_srq(b, 0x1000, 8);
	prepare_dc(HCA_SEND, 0, 8, 0);
	prepare_dc(HCA_FETCH_ADD, 0x2000, 8, 0x3000)->swap_add = 1;
	ring(a);
	sched_advance(pair->sched, 100 * NSEC_PER_MSEC);
	assert_int_equal(count_packets(b, BTH_DC_DISCONNECT), 1);
	count = b->arrived;
	assert_int_equal(count, 4);
	for (unsigned int i = 0; i < count; i++)
		late[i] = packet_clone(b->logged[i]);
	for (unsigned int i = 0; i < count; i++)
		hca_receive(&b->hca, late[i]);
	sched_run(pair->sched);
	assert_int_equal(*data(b, 0x3000), 1);
	assert_int_equal(b->wcs, 1);
	assert_int_equal(b->hca.counters.dropped_dc, 3);
}

/* A new target under the number of an old one, that the initiator has a session with. */

static void replace_target(void)
{
	uint32_t number = b->qp.num;
	struct hca_qp old = b->qp;

	b->hca.qps.reuses = true;
	assert_int_equal(hca_qp_destroy(&b->qp), 0);
	b->qp = old;
	create_target(&b->qp);
	assert_int_equal(b->qp.num, number);
}

static void a_new_target_is_connected_at_once(void **state)
{
	(void)state;
	a->qp.conn.timeout = 0; /* nothing would happen by itself */
	a->qp.conn.retry_count = 0;
	for (unsigned int i = 1; i <= 3; i++) {
		post_srq(b, 0x1000, 8);
		prepare_dc(HCA_FETCH_ADD, 0, 8, 0x3000)->swap_add = 1;
		prepare_dc(HCA_SEND, 0, 8, 0);
		ring(a);
		expect_all(2 * i);
		assert_int_equal(b->wcs, i);
		assert_int_equal(*data(b, 0x3000), i);
		replace_target();
	}
	assert_int_equal(count_packets(b, BTH_DC_CONNECT), 3);
}

static enum tap_action delay_all(struct side *side, const struct packet *packet)
{
	(void)side;
	(void)packet;
	return TAP_DELAY;
}

/* As much as can be has been sent before the first word of the new target. */
static void with_all_that_is_under_way(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	replace_target();
	a->tap = delay_all;
	for (uint32_t i = 0; i < 2 * WINDOW; i++) {
		fill(a, 8 * i, 8, i);
		prepare_dc(HCA_WRITE, 8 * i, 8, 0x1000 + 8 * i);
	}
	ring(a);
	sched_advance(pair->sched, NSEC_PER_MSEC);
	expect_all(1 + 2 * WINDOW);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 16 * WINDOW);
}

static void its_connect_may_be_lost(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	replace_target();
	victim = b->arrived + 2;
	b->tap = lose_one;
	fill(a, 0, 600, 1);
	prepare_dc(HCA_WRITE, 0, 600, 0x1000);
	prepare_dc(HCA_FETCH_ADD, 0x2000, 8, 0x3000)->swap_add = 1;
	ring(a);
	end_of_time();
	expect_all(3);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 600);
	assert_int_equal(*data(b, 0x3000), 1);
}

/* What the old one has part of isn't begun anew, or gone on with, at the new one. */
static void but_not_in_the_midst_of_a_message(void **state)
{
	(void)state;
	post_srq(b, 0x1000, 10000);
	post_srq(b, 0x1000, 10000);
	victim = 20; /* behind the first packet that asks for an acknowledge */
	b->tap = lose_from;
	prepare_dc(HCA_SEND, 0, 10000, 0);
	ring(a);
	replace_target();
	b->tap = NULL;
	end_of_time();
	assert_int_equal(a->wcs, 1);
	expect_wc(a, 0, HCA_WC_SEND, HCA_TRANSPORT_RETRY_EXCEEDED);
	assert_int_equal(b->wcs, 0);
	expect_health();
}

/* A target that asks for a connect that it has had by now executes nothing again. */
static void a_target_that_asks_late(void **state)
{
	const uint8_t nak[AETH_LEN] = { AETH_NAK | NAK_PSN_SEQUENCE };

	(void)state;
	prepare_dc(HCA_FETCH_ADD, 0, 8, 0x3000)->swap_add = 1;
	ring(a);
	a->tap = lose_all;
	for (unsigned int i = 0; i < 3; i++)
		prepare_dc(HCA_FETCH_ADD, 0, 8, 0x3000)->swap_add = 1;
	ring(a);
	a->tap = NULL;
	inject(a, BTH_TRANSPORT_DC, BTH_ACKNOWLEDGE, a->qp.connected->session.psn, nak,
	       sizeof(nak));
	expect_all(4);
	assert_int_equal(*data(b, 0x3000), 4);
	inject(a, BTH_TRANSPORT_DC, BTH_ACKNOWLEDGE, a->qp.connected->session.psn, nak,
	       sizeof(nak));
	expect_health();
}

/* Breaches end a session, not the target. */

static void refused_with(enum hca_status status)
{
	ring(a);
	end_of_time();
	assert_int_equal(a->wcs, 1);
	expect_wc(a, 0, HCA_WC_SEND, status);
	assert_int_equal(a->qp.state, HCA_QP_ERR);
	assert_int_equal(b->qp.state, HCA_QP_RTR);
	assert_int_equal(b->events, 0);
	expect_health();
}

static void a_wrong_key(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0)->dc_key++;
	refused_with(HCA_TRANSPORT_RETRY_EXCEEDED);
	/* the connect once, and each retry */
	assert_int_equal(hca_dct_key_violations(&b->qp), 1 + a->qp.conn.retry_count);
}

static void a_target_that_does_not_exist(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0)->dest_qpn = 0x14f;
	refused_with(HCA_TRANSPORT_RETRY_EXCEEDED);
}

static void another_partition(void **state)
{
	(void)state;
	b->qp.pkey_index = 1;
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	end_of_time();
	expect_wc(a, 0, HCA_WC_SEND, HCA_TRANSPORT_RETRY_EXCEEDED);
	b->qp.pkey_index = 0;
	expect_health();
}

static void a_wrong_rkey(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0)->rkey++;
	refused_with(HCA_REMOTE_ACCESS);
}

static void operations_that_are_not_allowed(void **state)
{
	(void)state;
	b->qp.conn.remote_access = HCA_REMOTE_WRITE;
	prepare_dc(HCA_READ, 0, 8, 0);
	refused_with(HCA_REMOTE_INVALID_REQUEST);
}

static void an_unaligned_atomic(void **state)
{
	(void)state;
	prepare_dc(HCA_FETCH_ADD, 0, 8, 4);
	refused_with(HCA_REMOTE_INVALID_REQUEST);
}

static void a_receive_that_is_too_short(void **state)
{
	(void)state;
	post_srq(b, 0, 4);
	prepare_dc(HCA_SEND, 0, 8, 0);
	refused_with(HCA_REMOTE_INVALID_REQUEST);
	assert_int_equal(b->wcs, 1);
	expect_wc(b, 0, HCA_WC_RECV, HCA_LOCAL_LENGTH);
	assert_ptr_equal(b->wc[0].qp, &b->qp);
}

static void a_receive_without_rights(void **state)
{
	(void)state;
	post_srq(b, 0, 8);
	put_be32(b->memory + SRQ_AT + 20, 0x7700);
	prepare_dc(HCA_SEND, 0, 8, 0);
	refused_with(HCA_REMOTE_OPERATION);
	expect_wc(b, 0, HCA_WC_RECV, HCA_LOCAL_PROTECTION);
}

static void more_reads_than_the_target_takes(void **state)
{
	(void)state;
	b->qp.conn.max_dest_rd_atomic = 1;
	prepare_dc(HCA_READ, 0, 600, 0);
	prepare_dc(HCA_READ, 0, 600, 0);
	ring(a);
	expect_wc(a, a->wcs - 1, HCA_WC_SEND, HCA_REMOTE_INVALID_REQUEST);
}

static void a_wrong_lkey_here(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0)->sge[0].lkey++;
	refused_with(HCA_LOCAL_PROTECTION);
}

static void a_lost_nak_is_given_again(void **state)
{
	(void)state;
	victim = 1; /* of those that come to the initiator; it answers the connect, too */
	a->tap = lose_one;
	prepare_dc(HCA_WRITE, 0, 8, 0)->rkey++;
	refused_with(HCA_REMOTE_ACCESS);
	assert_int_equal(packet_at(a, 0)[LRH_LEN + BTH_LEN], AETH_NAK | NAK_REMOTE_ACCESS);
	assert_memory_equal(packet_at(a, 1), packet_at(a, 0), LRH_LEN + BTH_LEN + AETH_LEN);
}

/* A completion queue without room is fatal to the session. */
static void a_completion_that_finds_no_room(void **state)
{
	(void)state;
	b->cq.overrun = true;
	post_srq(b, 0, 8);
	prepare_dc(HCA_SEND, 0, 8, 0);
	ring(a);
	end_of_time();
	expect_wc(a, 0, HCA_WC_SEND, HCA_REMOTE_OPERATION);
	assert_int_equal(b->qp.state, HCA_QP_RTR);
}

/* Waiting */

static void without_a_receive_it_is_waited_for(void **state)
{
	(void)state;
	prepare_dc(HCA_SEND, 0, 4, 0);
	ring(a);
	assert_int_equal(a->wcs, 0);
	post_srq(b, 0, 8);
	sched_advance(pair->sched, NSEC_PER_MSEC);
	expect_all(1);
}

static void but_not_for_ever(void **state)
{
	(void)state;
	prepare_dc(HCA_SEND, 0, 4, 0);
	refused_with(HCA_RNR_RETRY_EXCEEDED);
}

/* More sessions than there is room for: the initiator waits, as for a receive. */
static void no_room_for_a_connection(void **state)
{
	uint8_t rest[DCETH_LEN + DC_KEY_LEN];

	(void)state;
	put_be64(rest + DCETH_LEN, KEY);
	for (uint32_t i = 0; i < CONNECTIONS; i++) {
		put_be32(rest, i);
		put_be32(rest + 4, 0x99);
		inject(b, BTH_TRANSPORT_DC, BTH_DC_CONNECT, i, rest, sizeof(rest));
	}
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(a->wcs, 0);
	put_be32(rest, 2);
	inject(b, BTH_TRANSPORT_DC, BTH_DC_DISCONNECT, 3, rest, DCETH_LEN);
	sched_advance(pair->sched, 10 * NSEC_PER_MSEC);
	expect_all(1);
}

static void sessions_that_nobody_ends_are_forgotten(void **state)
{
	uint8_t rest[DCETH_LEN + DC_KEY_LEN];

	(void)state;
	put_be64(rest + DCETH_LEN, KEY);
	for (unsigned int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < CONNECTIONS; i++) {
			put_be32(rest, 100 * round + i);
			put_be32(rest + 4, 0x99);
			inject(b, BTH_TRANSPORT_DC, BTH_DC_CONNECT, 100 * round + i, rest,
			       sizeof(rest));
		}
		end_of_time();
	}
	expect_health();
	end_of_time();
	assert_false(timer_armed(&a->qp.connected->session.idle)); /* nothing is left to do */
}

/* Malice */

static void packets_that_make_no_sense(void **state)
{
	uint8_t rest[64] = { 0 };

	(void)state;
	put_be64(rest + DCETH_LEN, KEY);
	inject(b, BTH_TRANSPORT_DC, BTH_SEND_ONLY, 0, rest, DCETH_LEN - 4);
	inject(b, BTH_TRANSPORT_DC, BTH_ACKNOWLEDGE, 0, rest, 12);
	inject(b, BTH_TRANSPORT_RC, BTH_SEND_ONLY, 0, rest, 12);
	inject(b, BTH_TRANSPORT_DC, BTH_DC_CONNECT, 0, rest, DCETH_LEN + DC_KEY_LEN + 4);
	inject(b, BTH_TRANSPORT_DC, BTH_DC_DISCONNECT, 0, rest, DCETH_LEN);
	assert_int_equal(b->hca.counters.dropped_malformed, 3);
	assert_int_equal(b->hca.counters.dropped_dc, 2);
	for (unsigned int operation = 0; operation < 32; operation++)
		inject(b, BTH_TRANSPORT_DC, operation, 0, rest, DCETH_LEN);
	expect_health();
}

static void an_initiator_answers_nothing(void **state)
{
	uint8_t rest[64] = { 0 };

	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	for (unsigned int operation = 0; operation < 32; operation++)
		inject(a, BTH_TRANSPORT_DC, operation, 0, rest, sizeof(rest));
	assert_int_equal(a->qp.state, HCA_QP_RTS);
	expect_health();
}

/* The end of a target */

static void expect_drained(unsigned int events)
{
	assert_int_equal(b->events, events);
	if (events)
		expect_event(b, 0, HCA_EVENT_DCT_DRAINED);
}

static void a_target_without_sessions_drains_at_once(void **state)
{
	(void)state;
	hca_dct_drain(&b->qp);
	assert_true(hca_dct_draining(&b->qp));
	expect_drained(1);
	hca_dct_drain(&b->qp);
	expect_drained(1);
}

static void an_idle_session_does_not_hold_a_target_up(void **state)
{
	(void)state;
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	hca_dct_drain(&b->qp);
	expect_drained(1);
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	end_of_time();
	expect_wc(a, 1, HCA_WC_SEND, HCA_TRANSPORT_RETRY_EXCEEDED);
}

static void begin_message(void)
{
	uint8_t rest[DCETH_LEN + 256] = { 0 };

	put_be32(rest + 4, 0x99);
	put_be64(rest + DCETH_LEN, KEY);
	inject(b, BTH_TRANSPORT_DC, BTH_DC_CONNECT, 0, rest, DCETH_LEN + DC_KEY_LEN);
	inject(b, BTH_TRANSPORT_DC, BTH_SEND_FIRST, 1, rest, sizeof(rest));
}

static void a_message_under_way_is_finished(void **state)
{
	uint8_t rest[DCETH_LEN + 8] = { 0 };

	(void)state;
	post_srq(b, 0, 600);
	begin_message();
	hca_dct_drain(&b->qp);
	expect_drained(0);
	assert_false(hca_dct_drained(&b->qp));
	put_be32(rest + 4, 0x99);
	inject(b, BTH_TRANSPORT_DC, BTH_SEND_LAST, 2, rest, sizeof(rest));
	expect_drained(1);
	assert_true(hca_dct_drained(&b->qp));
	expect_wc(b, 0, HCA_WC_RECV, HCA_OK);
	assert_int_equal(b->wc[0].byte_len, 264);
}

static void or_cut_off_after_a_while(void **state)
{
	(void)state;
	post_srq(b, 0, 600);
	begin_message();
	hca_dct_drain(&b->qp);
	expect_drained(0);
	sched_advance(pair->sched, 200 * NSEC_PER_MSEC);
	expect_drained(1);
	assert_int_equal(b->wcs, 1);
	expect_wc(b, 0, HCA_WC_RECV, HCA_FLUSHED);
}

static void a_draining_target_takes_no_connects(void **state)
{
	(void)state;
	hca_dct_drain(&b->qp);
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	end_of_time();
	expect_wc(a, 0, HCA_WC_SEND, HCA_TRANSPORT_RETRY_EXCEEDED);
}

static void a_target_may_go_in_the_midst_of_everything(void **state)
{
	(void)state;
	a->tap = lose_all;
	prepare_to(&second, HCA_READ, 0, 10000, 0);
	ring(a);
	assert_int_equal(hca_qp_destroy(&second), 0);
	second.hca = NULL;
	end_of_time();
	a->tap = NULL;
	expect_wc(a, 0, HCA_WC_SEND, HCA_TRANSPORT_RETRY_EXCEEDED);
	expect_health();
}

/* A message that an initiator leaves unfinished gives its receive back. */
static void an_initiator_that_goes(void **state)
{
	uint8_t rest[DCETH_LEN] = { 0 };

	(void)state;
	post_srq(b, 0, 600);
	begin_message();
	put_be32(rest + 4, 0x99);
	inject(b, BTH_TRANSPORT_DC, BTH_DC_DISCONNECT, 5, rest, sizeof(rest));
	assert_int_equal(b->wcs, 1);
	expect_wc(b, 0, HCA_WC_RECV, HCA_FLUSHED);
	prepare_dc(HCA_WRITE, 0, 8, 0);
	ring(a);
	hca_qp_set_state(&a->qp, HCA_QP_RESET);
	sched_run(pair->sched);
	assert_int_equal(count_packets(b, BTH_DC_DISCONNECT), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(all_operations_work),
		CASE(one_session_serves_many_requests),
		CASE(an_idle_session_is_closed),
		CASE(a_session_in_use_stays_open),
		CASE(targets_alternate),
		CASE(the_path_is_part_of_the_target),
		CASE(with_a_global_route),
		CASE(work_that_stays_inside_needs_no_session),
		CASE(any_packet_may_be_lost),
		CASE(a_lost_connect_is_asked_for_at_once),
		CASE(a_target_that_never_answers),
		CASE(a_session_that_comes_again_late),
		CASE(a_new_target_is_connected_at_once),
		CASE(with_all_that_is_under_way),
		CASE(its_connect_may_be_lost),
		CASE(but_not_in_the_midst_of_a_message),
		CASE(a_target_that_asks_late),
		CASE(a_wrong_key),
		CASE(a_target_that_does_not_exist),
		CASE(another_partition),
		CASE(a_wrong_rkey),
		CASE(operations_that_are_not_allowed),
		CASE(an_unaligned_atomic),
		CASE(a_receive_that_is_too_short),
		CASE(a_receive_without_rights),
		CASE(more_reads_than_the_target_takes),
		CASE(a_wrong_lkey_here),
		CASE(a_lost_nak_is_given_again),
		CASE(a_completion_that_finds_no_room),
		CASE(without_a_receive_it_is_waited_for),
		CASE(but_not_for_ever),
		CASE(no_room_for_a_connection),
		CASE(sessions_that_nobody_ends_are_forgotten),
		CASE(packets_that_make_no_sense),
		CASE(an_initiator_answers_nothing),
		CASE(a_target_without_sessions_drains_at_once),
		CASE(an_idle_session_does_not_hold_a_target_up),
		CASE(a_message_under_way_is_finished),
		CASE(or_cut_off_after_a_while),
		CASE(a_draining_target_takes_no_connects),
		CASE(a_target_may_go_in_the_midst_of_everything),
		CASE(an_initiator_that_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
