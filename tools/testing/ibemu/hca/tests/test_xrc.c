// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Extended reliable connections: each request names the shared receive queue that it is for. */
#include "pair.h"

#define XRCD 3
#define SRQ_PD 9 /* not the queue pair's */

static struct pair *pair;
static struct side *a, *b;

static int set_up(void **state)
{
	(void)state;
	pair = create_pair(HCA_QP_XRC);
	a = &pair->a;
	b = &pair->b;
	create_srq(b);
	b->srq.cq = &b->cq;
	b->cq.users++;
	b->srq.pd = SRQ_PD;
	b->srq.xrcd = XRCD;
	b->mkey.pd = SRQ_PD;
	b->qp.xrcd = XRCD;
	connect_pair(pair);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	destroy_pair(pair);
	return 0;
}

static struct hca_send_wr *prepare_xrc(enum hca_opcode opcode, uint32_t at, uint32_t len,
				       uint32_t remote_at)
{
	struct hca_send_wr *wr = prepare_remote(a, opcode, at, len, remote_at);

	wr->srqn = b->srq.num;
	return wr;
}

static void all_operations_work(void **state)
{
	static const uint8_t send[] = {
		0xa4, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x40, 0x80, 0xff, 0xff, 0xfe,
		0x00, 0x00, 0x00, 0x01, /* XRCETH: SRQ 1 */
		0x01, 0x08, 0x0f, 0x16, /* what fill() makes of the seed */
	};
	static const uint8_t read[] = {
		0xac, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x40, 0x80, 0xff, 0xff, 0xff, 0x00,
		0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, /* RETH follows */
	};

	(void)state;
	fill(a, 0, 600, 1);
	fill(b, 0, 600, 2);
	post_srq(b, 0x1000, 600);
	post_srq(b, 0, 0);
	prepare_xrc(HCA_SEND, 0, 4, 0);
	prepare_xrc(HCA_READ, 0x2000, 600, 0);
	prepare_xrc(HCA_WRITE_IMM, 0, 600, 0x3000)->imm = 7;
	prepare_xrc(HCA_FETCH_ADD, 0x4000, 8, 0x4000)->swap_add = 1;
	ring(a);
	assert_int_equal(a->wcs, 4);
	for (unsigned int i = 0; i < 4; i++)
		expect_wc(a, i, HCA_WC_SEND, HCA_OK);
	assert_memory_equal(packet_at(b, 0) + LRH_LEN, send, sizeof(send));
	assert_memory_equal(packet_at(b, 1) + LRH_LEN, read, sizeof(read));
	assert_int_equal(packet_at(a, 0)[LRH_LEN] >> 5, BTH_TRANSPORT_XRC);
	assert_int_equal(b->wcs, 2);
	expect_wc(b, 0, HCA_WC_RECV, HCA_OK);
	assert_ptr_equal(b->wc[0].srq, &b->srq);
	assert_int_equal(b->wc[0].byte_len, 4);
	expect_wc(b, 1, HCA_WC_WRITE_IMM, HCA_OK);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 4);
	assert_memory_equal(data(a, 0x2000), data(b, 0), 600);
	assert_memory_equal(data(b, 0x3000), data(a, 0), 600);
	assert_int_equal(*data(b, 0x4000), 1);
	assert_int_equal(b->hca.counters.traffic[HCA_TRAFFIC_XRC].packets, 6);
	assert_int_equal(b->hca.counters.received, 6);
}

static void expect_refusal(void)
{
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_REMOTE_INVALID_REQUEST);
	expect_event(b, 0, HCA_EVENT_QP_REQUEST);
}

static void queues_that_do_not_exist(void **state)
{
	(void)state;
	prepare_xrc(HCA_SEND, 0, 4, 0)->srqn = 2;
	expect_refusal();
}

static void queues_of_another_domain(void **state)
{
	(void)state;
	b->srq.xrcd++;
	post_srq(b, 0, 8);
	prepare_xrc(HCA_SEND, 0, 4, 0);
	expect_refusal();
}

static void a_queue_that_goes_in_the_midst_of_a_message(void **state)
{
	uint8_t rest[XRCETH_LEN + 256] = { 0, 0, 0, 1 };

	(void)state;
	post_srq(b, 0, 600);
	inject(b, BTH_TRANSPORT_XRC, BTH_SEND_FIRST, 0xfffffe, rest, sizeof(rest));
	assert_int_equal(hca_srq_destroy(&b->srq), 0);
	b->srq.hca = NULL;
	inject(b, BTH_TRANSPORT_XRC, BTH_SEND_LAST, 0xffffff, rest, 8);
	assert_int_equal(b->qp.state, HCA_QP_ERR);
	assert_int_equal(b->wcs, 0);
}

static void without_a_receive_it_is_waited_for(void **state)
{
	(void)state;
	prepare_xrc(HCA_SEND, 0, 4, 0);
	ring(a);
	post_srq(b, 0, 8);
	sched_advance(pair->sched, NSEC_PER_MSEC);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(all_operations_work),
		CASE(queues_that_do_not_exist),
		CASE(queues_of_another_domain),
		CASE(a_queue_that_goes_in_the_midst_of_a_message),
		CASE(without_a_receive_it_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
