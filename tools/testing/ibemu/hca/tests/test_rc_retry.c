// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Reliable connections when packets are lost, doubled or not welcome yet. */
#include "pair.h"

#define ACK_TIMEOUT_NS 4194304ull /* 4.096 us << 10 */
#define RNR_TIMER_NS 640000ull    /* code 12 */

static struct pair *pair;
static struct side *a, *b;

static int set_up(void **state)
{
	(void)state;
	pair = create_pair(HCA_QP_RC);
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

/* What the tap of a side does: packets number from .. from + count - 1 are lost. */
static unsigned int lost_from, lost_count;

static enum tap_action lose(struct side *side, const struct packet *packet)
{
	unsigned int number = side->arrived - 1;

	(void)packet;
	return number >= lost_from && number < lost_from + lost_count ? TAP_DROP : TAP_PASS;
}

static void lose_packets(struct side *side, unsigned int from, unsigned int count)
{
	lost_from = from;
	lost_count = count;
	side->tap = lose;
}

static enum tap_action twice(struct side *side, const struct packet *packet)
{
	(void)side;
	(void)packet;
	return TAP_TWICE;
}

static void expect_done(unsigned int count)
{
	assert_int_equal(a->wcs, count);
	for (unsigned int i = 0; i < count; i++)
		expect_wc(a, i, HCA_WC_SEND, HCA_OK);
	assert_int_equal(sched_run(pair->sched), SCHED_IDLE);
}

static void a_lost_request_is_sent_again_after_the_timeout(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(a, 0, 300, 1);
	post_recv(b, 0x1000, 300);
	lose_packets(b, 0, 2);
	prepare(a, HCA_SEND, 0, 300);
	ring(a);
	assert_int_equal(b->arrived, 2);
	sched_advance(pair->sched, ACK_TIMEOUT_NS - 1);
	assert_int_equal(b->arrived, 2);
	sched_advance(pair->sched, 1);
	assert_int_equal(b->arrived, 4);
	expect_packet(b, 2, BTH_SEND_FIRST, 0xfffffe);
	expect_packet(b, 3, BTH_SEND_LAST, 0xffffff);
	expect_done(1);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 300);
}

static void a_lost_acknowledge_is_given_again(void **state)
{
	(void)state;
	connect_pair(pair);
	post_recv(b, 0x1000, 300);
	post_recv(b, 0x2000, 300);
	lose_packets(a, 0, 1);
	prepare(a, HCA_SEND, 0, 300);
	ring(a);
	assert_int_equal(a->wcs, 0);
	sched_advance(pair->sched, ACK_TIMEOUT_NS);
	assert_int_equal(b->arrived, 4);
	expect_packet(a, 1, BTH_ACKNOWLEDGE, 0xffffff);
	assert_int_equal(get_be32(packet_at(a, 1) + 20), 0x01000001); /* still one message */
	expect_done(1);
	assert_int_equal(b->wcs, 1); /* received once */
}

static void retries_have_an_end(void **state)
{
	(void)state;
	connect_pair(pair);
	post_recv(a, 0, 8);
	lose_packets(b, 0, UINT32_MAX / 2);
	prepare_remote(a, HCA_WRITE, 0, 8, 0)->signaled = false;
	prepare_remote(a, HCA_WRITE, 0, 8, 0)->signaled = false;
	ring(a);
	sched_advance(pair->sched, 4 * ACK_TIMEOUT_NS - 1);
	assert_int_equal(b->arrived, 8); /* first time, and 3 retries */
	assert_int_equal(a->wcs, 0);
	prepare_remote(a, HCA_WRITE, 0, 8, 0)->signaled = false;
	sched_advance(pair->sched, 1);
	assert_int_equal(a->qp.state, HCA_QP_ERR);
	expect_wc(a, 0, HCA_WC_SEND, HCA_TRANSPORT_RETRY_EXCEEDED);
	for (uint16_t i = 1; i < 3; i++) {
		expect_wc(a, i, HCA_WC_SEND, HCA_FLUSHED);
		assert_int_equal(a->wc[i].index, i);
	}
	expect_wc(a, 3, HCA_WC_RECV, HCA_FLUSHED);
	assert_int_equal(a->wcs, 4);
	assert_int_equal(b->arrived, 8);
}

static enum tap_action lose_three_of_four(struct side *side, const struct packet *packet)
{
	(void)packet;
	return side->arrived % 4 ? TAP_DROP : TAP_PASS;
}

static void retries_count_anew_after_progress(void **state)
{
	(void)state;
	connect_pair(pair);
	b->tap = lose_three_of_four;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	sched_advance(pair->sched, 3 * ACK_TIMEOUT_NS);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	sched_advance(pair->sched, 3 * ACK_TIMEOUT_NS);
	expect_done(2);
	assert_int_equal(b->arrived, 8);
}

static void no_timeout_means_to_wait_for_ever(void **state)
{
	(void)state;
	a->qp.conn.timeout = 0;
	connect_pair(pair);
	lose_packets(b, 0, 1);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(sched_run(pair->sched), SCHED_IDLE);
	assert_int_equal(a->wcs, 0);
}

static void a_gap_is_reported_once_and_closed_at_once(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(a, 0, 1200, 1);
	post_recv(b, 0x1000, 1200);
	lose_packets(b, 1, 1);
	prepare(a, HCA_SEND, 0, 1200);
	ring(a);
	assert_int_equal(b->arrived, 5 + 4);
	assert_int_equal(a->arrived, 2);
	expect_packet(a, 0, BTH_ACKNOWLEDGE, 0xffffff);
	assert_int_equal(packet_at(a, 0)[20], 0x60); /* NAK: PSN sequence error */
	expect_packet(b, 5, BTH_SEND_MIDDLE, 0xffffff);
	expect_done(1);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 1200);
}

static void a_lost_read_request_shows_by_what_follows(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(b, 0, 600, 1);
	lose_packets(b, 0, 1);
	prepare_remote(a, HCA_READ, 0x1000, 600, 0);
	prepare_remote(a, HCA_WRITE, 0x1000, 8, 0x2000);
	ring(a);
	expect_packet(a, 0, BTH_ACKNOWLEDGE, 0xfffffe);
	assert_int_equal(packet_at(a, 0)[20], 0x60);
	expect_done(2);
	assert_memory_equal(data(a, 0x1000), data(b, 0), 600);
}

static void a_read_goes_on_where_a_response_is_missing(void **state)
{
	static const uint8_t request[] = {
		0x80, 0xff, 0xff, 0xff, /* AckReq, PSN of the second packet */
		0x00, 0x00, 0x00, 0x00, 0x00, 0x50, 0x01, 0x00,
		0x00, 0x00, 0x10, 0x5a, 0x00, 0x00, 0x03, 0x00,
	};

	(void)state;
	connect_pair(pair);
	fill(b, 0, 1024, 1);
	lose_packets(a, 1, 1);
	prepare_remote(a, HCA_READ, 0x1000, 1024, 0);
	ring(a);
	assert_int_equal(b->arrived, 2); /* asked for once more, and only once */
	assert_memory_equal(packet_at(b, 1) + LRH_LEN + 8, request, sizeof(request));
	expect_packet(a, 4, BTH_READ_RESPONSE_FIRST, 0xffffff);
	expect_packet(a, 5, BTH_READ_RESPONSE_MIDDLE, 0);
	expect_packet(a, 6, BTH_READ_RESPONSE_LAST, 1);
	expect_done(1);
	assert_memory_equal(data(a, 0x1000), data(b, 0), 1024);
}

static void the_last_response_of_a_read_is_missed_after_the_timeout(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(b, 0, 600, 1);
	lose_packets(a, 2, 1);
	prepare_remote(a, HCA_READ, 0x1000, 600, 0);
	ring(a);
	assert_int_equal(a->wcs, 0);
	sched_advance(pair->sched, ACK_TIMEOUT_NS);
	assert_int_equal(get_be32(packet_at(b, 1) + LRH_LEN + BTH_LEN + 12),
			 88); /* only the rest */
	expect_packet(a, 3, BTH_READ_RESPONSE_ONLY, 0);
	expect_done(1);
	assert_memory_equal(data(a, 0x1000), data(b, 0), 600);
}

static void an_acknowledge_behind_a_read_shows_that_its_response_is_lost(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(b, 0, 8, 1);
	lose_packets(a, 0, 1);
	prepare_remote(a, HCA_READ, 0x1000, 8, 0);
	prepare_remote(a, HCA_WRITE, 0, 8, 0x2000);
	ring(a);
	expect_packet(a, 1, BTH_ACKNOWLEDGE, 0xffffff);
	expect_done(2);
	assert_memory_equal(data(a, 0x1000), data(b, 0), 8);
}

static void an_atomic_is_executed_once(void **state)
{
	(void)state;
	connect_pair(pair);
	*data(b, 0) = 41;
	lose_packets(a, 0, 1);
	prepare_remote(a, HCA_FETCH_ADD, 8, 8, 0)->swap_add = 1;
	ring(a);
	*data(b, 0) += 10; /* what is there now isn't what is answered */
	sched_advance(pair->sched, ACK_TIMEOUT_NS);
	assert_int_equal(b->arrived, 2);
	expect_done(1);
	assert_int_equal(*data(a, 8), 41);
	assert_int_equal(*data(b, 0), 52);
}

static void what_comes_twice_is_executed_once(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(a, 0, 600, 3);
	fill(b, 0x8000, 600, 4);
	for (unsigned int i = 0; i < 4; i++)
		post_recv(b, 0x1000 * i, 600);
	a->tap = twice;
	b->tap = twice;
	prepare(a, HCA_SEND, 0, 600);
	prepare_remote(a, HCA_FETCH_ADD, 0x2000, 8, 0x9000)->swap_add = 1;
	prepare_remote(a, HCA_READ, 0x3000, 600, 0x8000);
	prepare_remote(a, HCA_WRITE_IMM, 0, 600, 0x4000);
	ring(a);
	expect_done(4);
	assert_int_equal(b->wcs, 2);
	assert_int_equal(*data(b, 0x9000), 1);
	assert_memory_equal(data(b, 0), data(a, 0), 600);
	assert_memory_equal(data(b, 0x4000), data(a, 0), 600);
	assert_memory_equal(data(a, 0x3000), data(b, 0x8000), 600);
}

static void a_receiver_that_is_not_ready_is_waited_for(void **state)
{
	static const uint8_t nak[] = { 0x2c, 0x00, 0x00, 0x00 }; /* RNR NAK, timer 12, MSN 0 */

	(void)state;
	connect_pair(pair);
	fill(a, 0, 300, 1);
	prepare(a, HCA_SEND, 0, 300);
	prepare(a, HCA_SEND, 0, 300);
	ring(a);
	assert_int_equal(a->arrived, 1); /* what follows isn't answered at all */
	expect_packet(a, 0, BTH_ACKNOWLEDGE, 0xfffffe);
	assert_memory_equal(packet_at(a, 0) + LRH_LEN + BTH_LEN, nak, sizeof(nak));
	post_recv(b, 0x1000, 300);
	post_recv(b, 0x2000, 300);
	sched_advance(pair->sched, RNR_TIMER_NS - 1);
	assert_int_equal(b->arrived, 4);
	sched_advance(pair->sched, 1);
	assert_int_equal(b->arrived, 8);
	expect_packet(b, 4, BTH_SEND_FIRST, 0xfffffe);
	expect_done(2);
	assert_memory_equal(data(b, 0x2000), data(a, 0), 300);
}

static void patience_with_a_receiver_has_an_end(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare(a, HCA_SEND, 0, 8);
	ring(a);
	sched_advance(pair->sched, 3 * RNR_TIMER_NS - 1);
	assert_int_equal(b->arrived, 3);
	assert_int_equal(a->wcs, 0);
	sched_advance(pair->sched, 1);
	assert_int_equal(b->arrived, 4);
	expect_wc(a, 0, HCA_WC_SEND, HCA_RNR_RETRY_EXCEEDED);
	assert_int_equal(a->qp.state, HCA_QP_ERR);
	assert_int_equal(b->qp.state, HCA_QP_RTS);
}

static void or_none(void **state)
{
	(void)state;
	a->qp.conn.rnr_retry = 7;
	connect_pair(pair);
	prepare(a, HCA_SEND, 0, 8);
	ring(a);
	sched_advance(pair->sched, 1000 * RNR_TIMER_NS);
	assert_int_equal(b->arrived, 1001);
	post_recv(b, 0, 8);
	sched_advance(pair->sched, RNR_TIMER_NS);
	expect_done(1);
}

static void rnr_timers_are_those_of_the_table(void **state)
{
	static const struct {
		uint8_t code;
		uint64_t ns;
	} timers[] = {
		{ 0, 655360000 }, { 1, 10000 }, { 5, 60000 }, { 14, 1280000 }, { 31, 491520000 },
	};

	(void)state;
	a->qp.conn.rnr_retry = 7;
	connect_pair(pair);
	for (unsigned int i = 0; i < 5; i++) {
		unsigned int arrived = b->arrived;

		b->qp.conn.min_rnr_timer = timers[i].code;
		prepare(a, HCA_SEND, 0, 8);
		ring(a);
		post_recv(b, 0, 8);
		sched_advance(pair->sched, timers[i].ns - 1);
		assert_int_equal(b->arrived, arrived + 1);
		sched_advance(pair->sched, 1);
		assert_int_equal(b->arrived, arrived + 2);
		expect_done(i + 1);
	}
}

static void a_write_waits_for_a_receive_at_its_end(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(a, 0, 600, 1);
	prepare_remote(a, HCA_WRITE_IMM, 0, 600, 0x1000);
	ring(a);
	expect_packet(a, 0, BTH_ACKNOWLEDGE, 0);
	assert_int_equal(packet_at(a, 0)[20], 0x2c);
	post_recv(b, 0, 0);
	sched_advance(pair->sched, RNR_TIMER_NS);
	assert_int_equal(b->arrived, 4); /* only the last packet again */
	expect_packet(b, 3, BTH_WRITE_LAST_IMM, 0);
	expect_done(1);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 600);
}

static enum tap_action lose_sl_0(struct side *side, const struct packet *packet)
{
	(void)side;
	return packet->data[1] >> 4 ? TAP_PASS : TAP_DROP;
}

static void a_dead_path_is_left_for_the_alternate_one(void **state)
{
	(void)state;
	for (struct side *side = a; side; side = side == a ? b : NULL) {
		side->qp.conn.alternate = side->qp.conn.path;
		side->qp.conn.alternate.sl = 1;
		side->qp.conn.migration = HCA_REARM;
	}
	connect_pair(pair);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(packet_at(b, 0)[LRH_LEN + 1] & 0x40, 0); /* not migrated */
	assert_int_equal(a->qp.conn.migration, HCA_ARMED);
	assert_int_equal(b->qp.conn.migration, HCA_ARMED);
	b->tap = lose_sl_0;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	sched_advance(pair->sched, 4 * ACK_TIMEOUT_NS);
	expect_done(2);
	assert_int_equal(b->arrived, 6);
	assert_int_equal(packet_at(b, 5)[LRH_LEN + 1] & 0x40, 0x40);
	assert_int_equal(packet_at(a, 1)[1] >> 4, 1); /* the other side follows */
	expect_event(a, 0, HCA_EVENT_PATH_MIGRATED);
	expect_event(b, 0, HCA_EVENT_PATH_MIGRATED);
	assert_int_equal(a->events, 1);
}

/* One that the other side goes but that isn't the alternate one here. */
static void a_migration_along_the_wrong_path_is_refused(void **state)
{
	(void)state;
	b->qp.conn.alternate = b->qp.conn.path;
	b->qp.conn.alternate.dlid = 99;
	b->qp.conn.migration = HCA_ARMED;
	connect_pair(pair);
	for (unsigned int i = 0; i < 3; i++)
		prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(a->wcs, 3);
	assert_int_equal(b->qp.conn.migration, HCA_ARMED);
	assert_int_equal(b->events, 1);
	expect_event(b, 0, HCA_EVENT_PATH_REFUSED);
}

static void stale_responses_are_ignored(void **state)
{
	static const uint8_t acknowledge[] = { 0x1f, 0, 0, 1 }, access_nak[] = { 0x62, 0, 0, 1 };

	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	inject(a, BTH_TRANSPORT_RC, BTH_ACKNOWLEDGE, 0xfffffe, access_nak, 4); /* done already */
	inject(a, BTH_TRANSPORT_RC, BTH_ACKNOWLEDGE, 0xffffff, access_nak, 4); /* not sent yet */
	inject(a, BTH_TRANSPORT_RC, BTH_READ_RESPONSE_ONLY, 0x7fffff, acknowledge, 4);
	lose_packets(b, 1, 1);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	inject(a, BTH_TRANSPORT_RC, BTH_ACKNOWLEDGE, 0, acknowledge, 4);
	assert_int_equal(a->wcs, 1);
	sched_advance(pair->sched, ACK_TIMEOUT_NS);
	expect_done(2);
}

static void a_long_message_keeps_within_the_window(void **state)
{
	(void)state;
	connect_pair(pair);
	lose_packets(b, 0, UINT32_MAX / 2);
	prepare_remote(a, HCA_WRITE, 0, 0x100000, 0);
	ring(a);
	assert_int_equal(b->arrived, WINDOW);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_lost_request_is_sent_again_after_the_timeout),
		CASE(a_lost_acknowledge_is_given_again),
		CASE(retries_have_an_end),
		CASE(retries_count_anew_after_progress),
		CASE(no_timeout_means_to_wait_for_ever),
		CASE(a_gap_is_reported_once_and_closed_at_once),
		CASE(a_lost_read_request_shows_by_what_follows),
		CASE(a_read_goes_on_where_a_response_is_missing),
		CASE(the_last_response_of_a_read_is_missed_after_the_timeout),
		CASE(an_acknowledge_behind_a_read_shows_that_its_response_is_lost),
		CASE(an_atomic_is_executed_once),
		CASE(what_comes_twice_is_executed_once),
		CASE(a_receiver_that_is_not_ready_is_waited_for),
		CASE(patience_with_a_receiver_has_an_end),
		CASE(or_none),
		CASE(rnr_timers_are_those_of_the_table),
		CASE(a_write_waits_for_a_receive_at_its_end),
		CASE(a_dead_path_is_left_for_the_alternate_one),
		CASE(a_migration_along_the_wrong_path_is_refused),
		CASE(stale_responses_are_ignored),
		CASE(a_long_message_keeps_within_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
