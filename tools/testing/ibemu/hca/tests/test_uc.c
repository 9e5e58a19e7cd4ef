// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Unreliable connections: what is sent is done, and a message arrives as a whole or not at all. */
#include "pair.h"

static struct pair *pair;
static struct side *a, *b;

static int set_up(void **state)
{
	(void)state;
	pair = connected_pair(HCA_QP_UC);
	a = &pair->a;
	b = &pair->b;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	destroy_pair(pair);
	return 0;
}

static unsigned int lost;

static enum tap_action lose_one(struct side *side, const struct packet *packet)
{
	(void)packet;
	return side->arrived - 1 == lost ? TAP_DROP : TAP_PASS;
}

static void sends_and_writes_arrive(void **state)
{
	static const uint8_t head[] = {
		0x20, 0x40, 0xff, 0xff, 0x00, 0x00,
		0x01, 0x40, 0x00, 0xff, 0xff, 0xfe, /* UC send first */
	};

	(void)state;
	fill(a, 0, 600, 1);
	post_recv(b, 0x1000, 600);
	post_recv(b, 0, 0);
	prepare(a, HCA_SEND_IMM, 0, 600)->imm = 5;
	prepare_remote(a, HCA_WRITE, 0, 600, 0x2000);
	prepare_remote(a, HCA_WRITE_IMM, 0, 8, 0x3000)->imm = 6;
	ring(a);
	assert_memory_equal(packet_at(b, 0) + LRH_LEN, head, sizeof(head));
	assert_int_equal(a->arrived, 0);
	assert_int_equal(a->wcs, 3);
	expect_wc(b, 0, HCA_WC_RECV_IMM, HCA_OK);
	assert_int_equal(b->wc[0].byte_len, 600);
	expect_wc(b, 1, HCA_WC_WRITE_IMM, HCA_OK);
	assert_int_equal(b->wc[1].imm, 6);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 600);
	assert_memory_equal(data(b, 0x2000), data(a, 0), 600);
	assert_int_equal(sched_run(pair->sched), SCHED_IDLE);
	/* Of the bytes, immediate data and the RDMA header are 40. */
	assert_int_equal(b->hca.counters.traffic[HCA_TRAFFIC_UC].packets, 7);
	assert_int_equal(b->hca.counters.traffic[HCA_TRAFFIC_UC].bytes, 1208 + 40);
	assert_int_equal(b->hca.counters.received, 7);
}

/*
 * Of three sends, a packet of the second is lost: the third goes into the receive that waited for
 * it.
 */
static void a_gap_costs_one_message(void **state)
{
	for (lost = 3; lost < 6; lost++) {
		if (lost > 3)
			set_up(state);
		post_recv(b, 0x1000, 600);
		post_recv(b, 0x2000, 600);
		post_recv(b, 0x3000, 600);
		b->tap = lose_one;
		for (unsigned int i = 0; i < 3; i++) {
			fill(a, 0x1000 * i, 600, i);
			prepare(a, HCA_SEND, 0x1000 * i, 600);
		}
		ring(a);
		assert_int_equal(a->wcs, 3);
		assert_int_equal(b->wcs, 2);
		expect_wc(b, 1, HCA_WC_RECV, HCA_OK);
		assert_int_equal(b->wc[1].index, 1);
		assert_memory_equal(data(b, 0x2000), data(a, 0x2000), 600);
		if (lost < 5)
			tear_down(state);
	}
}

static void without_a_receive_a_message_is_dropped(void **state)
{
	(void)state;
	prepare(a, HCA_SEND, 0, 600);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_int_equal(b->hca.counters.dropped_no_wqe, 1);
	post_recv(b, 0x1000, 8);
	prepare(a, HCA_SEND, 0, 8);
	ring(a);
	expect_wc(b, 0, HCA_WC_RECV, HCA_OK);
}

static void what_breaks_rules_is_dropped(void **state)
{
	(void)state;
	prepare_remote(a, HCA_WRITE, 0, 8, 0)->rkey = 0;
	ring(a);
	inject(b, BTH_TRANSPORT_UC, BTH_READ_REQUEST, 0, data(a, 0), 16);
	inject(b, BTH_TRANSPORT_UC, BTH_SEND_LAST, 0, data(a, 0), 16);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_int_equal(b->qp.state, HCA_QP_RTS);
	assert_int_equal(b->events + b->wcs, 0);
}

static void a_receive_that_is_too_short_fails_here(void **state)
{
	(void)state;
	post_recv(b, 0, 299);
	prepare(a, HCA_SEND, 0, 300);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	expect_wc(b, 0, HCA_WC_RECV, HCA_LOCAL_LENGTH);
	assert_int_equal(b->qp.state, HCA_QP_ERR);
}

static void there_are_no_reads(void **state)
{
	(void)state;
	prepare_remote(a, HCA_READ, 0, 8, 0);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_LOCAL_QP_OPERATION);
	assert_int_equal(a->qp.state, HCA_QP_SQE);
}

/* Receiving goes on, sends are flushed, until software has put the queue right. */
static void an_error_stops_the_send_queue_only(void **state)
{
	(void)state;
	fill(b, 0, 8, 1);
	prepare_remote(a, HCA_WRITE, 0, 600, 0);
	prepare_remote(a, HCA_WRITE, 0, 100000, 0)->sge[0].lkey = 0;
	prepare_remote(a, HCA_WRITE, 0, 600, 0);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	expect_wc(a, 1, HCA_WC_SEND, HCA_LOCAL_PROTECTION);
	expect_wc(a, 2, HCA_WC_SEND, HCA_FLUSHED);
	prepare_remote(a, HCA_WRITE, 0, 600, 0);
	ring(a);
	expect_wc(a, 3, HCA_WC_SEND, HCA_FLUSHED);
	post_recv(a, 0x1000, 8);
	prepare(b, HCA_SEND, 0, 8);
	ring(b);
	expect_wc(a, 4, HCA_WC_RECV, HCA_OK);
	hca_qp_set_state(&a->qp, HCA_QP_RTS);
	fill(a, 0, 100000, 4);
	prepare_remote(a, HCA_WRITE, 0, 100000, 0x20000);
	ring(a);
	expect_wc(a, 5, HCA_WC_SEND, HCA_OK);
	assert_memory_equal(data(b, 0x20000), data(a, 0), 100000);
}

static void draining_is_immediate(void **state)
{
	(void)state;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	hca_qp_set_state(&a->qp, HCA_QP_SQD);
	expect_event(a, 0, HCA_EVENT_SQ_DRAINED);
}

/* A message of which packets came is taken by no completion, but its receive is given back. */
static void the_error_state_flushes_a_message_that_is_arriving(void **state)
{
	(void)state;
	post_recv(b, 0, 600);
	lost = 2;
	b->tap = lose_one;
	prepare(a, HCA_SEND, 0, 600);
	ring(a);
	hca_qp_set_state(&b->qp, HCA_QP_ERR);
	expect_wc(b, 0, HCA_WC_RECV, HCA_FLUSHED);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(sends_and_writes_arrive),
		CASE(a_gap_costs_one_message),
		CASE(without_a_receive_a_message_is_dropped),
		CASE(what_breaks_rules_is_dropped),
		CASE(a_receive_that_is_too_short_fails_here),
		CASE(there_are_no_reads),
		CASE(an_error_stops_the_send_queue_only),
		CASE(draining_is_immediate),
		CASE(the_error_state_flushes_a_message_that_is_arriving),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
