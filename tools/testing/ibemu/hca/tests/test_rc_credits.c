// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* End-to-end flow control: what acknowledges say of receives, and what a sender makes of it. */
#include "pair.h"

static struct pair *pair;
static struct side *a, *b;

static int set_up(void **state)
{
	(void)state;
	pair = connected_pair(HCA_QP_RC);
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

/* The other side's answer to a write. */
static uint8_t ask(void)
{
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	return packet_at(a, a->arrived - 1)[LRH_LEN + BTH_LEN];
}

static void counts_are_rounded_down(void **state)
{
	static const struct { uint32_t posted; uint8_t code; } cases[] = {
		{ 0, 0 }, { 1, 1 }, { 4, 4 }, { 5, 4 }, { 6, 5 }, { 100, 13 }, { 1023, 19 },
		{ 1024, 20 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		while (b->received_posted < cases[i].posted)
			post_recv(b, 0, 8);
		assert_int_equal(ask(), cases[i].code);
	}
}

static void answers_with_data_count_too(void **state)
{
	(void)state;
	post_recv(b, 0, 8);
	prepare_remote(a, HCA_READ, 0x1000, 8, 0);
	ring(a);
	assert_int_equal(packet_at(a, 0)[LRH_LEN + BTH_LEN], 1);
	post_recv(b, 0, 8);
	prepare_remote(a, HCA_FETCH_ADD, 0x1000, 8, 0);
	ring(a);
	assert_int_equal(packet_at(a, 1)[LRH_LEN + BTH_LEN], 2);
}

/* The receive of a message that is arriving is for that message. */
static void a_receive_in_use_counts(void **state)
{
	uint8_t payload[256] = { 0 };

	(void)state;
	post_recv(b, 0, 1000);
	inject(b, BTH_TRANSPORT_RC, BTH_SEND_FIRST, 0xfffffe, payload, sizeof(payload));
	assert_int_equal(packet_at(a, 0)[LRH_LEN + BTH_LEN], 1);
	inject(b, BTH_TRANSPORT_RC, BTH_SEND_LAST, 0xffffff, payload, 8);
	assert_int_equal(packet_at(a, 1)[LRH_LEN + BTH_LEN], 0);
}

static void shared_receives_have_no_limit(void **state)
{
	(void)state;
	create_srq(b);
	b->qp.has_rq = false;
	b->qp.srq = &b->srq;
	b->srq.users++;
	assert_int_equal(ask(), AETH_CREDITS_INVALID);
	for (unsigned int i = 0; i < 8; i++)
		prepare(a, HCA_SEND, 0, 8);
	ring(a);
	assert_int_equal(count_packets(b, BTH_SEND_ONLY), 8);
}

/* Three receives: three sends at once, and the next one asks. The others stay. */
static void sends_up_to_the_limit(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		post_recv(b, 0, 8);
	assert_int_equal(ask(), 3);
	for (unsigned int i = 0; i < 8; i++)
		prepare(a, HCA_SEND, 0, 8);
	ring(a);
	assert_int_equal(a->wcs, 1 + 3);
	assert_int_equal(count_packets(b, BTH_SEND_ONLY), 4);
	for (unsigned int i = 0; i < 5; i++)
		post_recv(b, 0, 8);
	sched_advance(pair->sched, NSEC_PER_MSEC);
	assert_int_equal(a->wcs, 1 + 8);
	for (unsigned int i = 0; i < a->wcs; i++)
		expect_wc(a, i, HCA_WC_SEND, HCA_OK);
}

static void a_long_message_beyond_the_limit(void **state)
{
	(void)state;
	assert_int_equal(ask(), 0);
	fill(a, 0, 600, 1);
	prepare(a, HCA_SEND, 0, 600);
	ring(a);
	assert_int_equal(count_packets(b, BTH_SEND_FIRST), 1);
	assert_int_equal(count_packets(b, BTH_SEND_MIDDLE), 0);
	post_recv(b, 0x1000, 600);
	sched_advance(pair->sched, NSEC_PER_MSEC);
	expect_wc(a, 1, HCA_WC_SEND, HCA_OK);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 600);
}

static void what_needs_no_receive_has_no_limit(void **state)
{
	(void)state;
	assert_int_equal(ask(), 0);
	for (unsigned int i = 0; i < 4; i++) {
		prepare_remote(a, HCA_WRITE, 0, 600, 0x1000);
		prepare_remote(a, HCA_READ, 0x2000, 600, 0x1000);
	}
	hca_qp_doorbell(&a->qp);
	sched_run(pair->sched);
	assert_int_equal(a->wcs, 9);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(counts_are_rounded_down),
		CASE(answers_with_data_count_too),
		CASE(a_receive_in_use_counts),
		CASE(shared_receives_have_no_limit),
		CASE(sends_up_to_the_limit),
		CASE(a_long_message_beyond_the_limit),
		CASE(what_needs_no_receive_has_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
