// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Reliable connections when all goes well: data, packets byte by byte, order and limits. */
#include "pair.h"

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

static void expect_data(struct side *side, uint32_t at, struct side *from, uint32_t from_at,
			uint32_t len)
{
	assert_memory_equal(data(side, at), data(from, from_at), len);
}

static void a_send_and_its_acknowledge(void **state)
{
	static const uint8_t send[] = {
		0x00, 0x02, 0x00, 0x02,
		0x00, 0x08, 0x00, 0x01, /* LRH: VL 0, LNH 2, DLID 2, 8 words, SLID 1 */
		0x04, 0xf0, 0xff, 0xff,
		0x00, 0x00, 0x01, 0x40, /* BTH: send only, SE, M, 3 pad bytes, P_Key, QP 0x140 */
		0x80, 0xff, 0xff, 0xfe, /* AckReq, PSN */
		'h',  'e',  'l',  'l',
		'o',  0x00, 0x00, 0x00,
	};
	static const uint8_t
		acknowledge[] = {
			0x00, 0x02, 0x00, 0x01, 0x00, 0x07, 0x00, 0x02, 0x11,
			0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x40, 0x00, 0xff,
			0xff, 0xfe, 0x00, 0x00, 0x00, 0x01, /* AETH: no receive is left, MSN 1 */
		};

	(void)state;
	connect_pair(pair);
	memcpy(data(a, 0), "hello", 5);
	post_recv(b, 0x1000, 16);
	prepare(a, HCA_SEND, 0, 5)->solicited = true;
	ring(a);
	assert_int_equal(b->arrived, 1);
	assert_int_equal(b->logged[0]->len, sizeof(send));
	assert_memory_equal(packet_at(b, 0), send, sizeof(send));
	assert_int_equal(a->arrived, 1);
	assert_int_equal(a->logged[0]->len, sizeof(acknowledge));
	assert_memory_equal(packet_at(a, 0), acknowledge, sizeof(acknowledge));
	expect_data(b, 0x1000, a, 0, 5);
	expect_wc(b, 0, HCA_WC_RECV, HCA_OK);
	assert_int_equal(b->wc[0].byte_len, 5);
	assert_int_equal(b->wc[0].src_qpn, 0x40);
	assert_true(b->wc[0].solicited);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_int_equal(a->wc[0].index, 0);
	assert_int_equal(b->hca.counters.traffic[HCA_TRAFFIC_RC].packets, 1);
	assert_int_equal(b->hca.counters.traffic[HCA_TRAFFIC_RC].bytes, 5); /* no padding */
	assert_int_equal(a->hca.counters.traffic[HCA_TRAFFIC_RC].packets, 1);
}

static void a_long_send_is_cut_into_packets_whose_psns_wrap(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(a, 0, 1000, 1);
	post_recv(b, 0x1000, 1000);
	prepare(a, HCA_SEND, 0, 1000);
	ring(a);
	assert_int_equal(b->arrived, 4);
	expect_packet(b, 0, BTH_SEND_FIRST, 0xfffffe);
	expect_packet(b, 1, BTH_SEND_MIDDLE, 0xffffff);
	expect_packet(b, 2, BTH_SEND_MIDDLE, 0);
	expect_packet(b, 3, BTH_SEND_LAST, 1);
	assert_int_equal(b->logged[0]->len, 8 + 12 + 256);
	assert_int_equal(b->logged[3]->len, 8 + 12 + 232);
	assert_int_equal(packet_at(b, 0)[16] >> 7, 0); /* AckReq: only the last one */
	assert_int_equal(packet_at(b, 3)[16] >> 7, 1);
	expect_data(b, 0x1000, a, 0, 1000);
	expect_wc(b, 0, HCA_WC_RECV, HCA_OK);
	assert_int_equal(b->wc[0].byte_len, 1000);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_int_equal(a->arrived, 1);
	expect_packet(a, 0, BTH_ACKNOWLEDGE, 1);
}

static void lists_are_gathered_and_scattered(void **state)
{
	struct hca_send_wr *wr;
	uint8_t *wqe;

	(void)state;
	connect_pair(pair);
	fill(a, 0, 0x1000, 3);
	wqe = recv_wqe(b, 0);
	post_recv(b, 0x2000, 100);
	put_be32(wqe, 3);
	put_be32(wqe + 32, 300);
	put_be32(wqe + 36, key_of(&b->mkey));
	put_be64(wqe + 40, data_addr(0x3000));
	put_be32(wqe + 48, 200);
	put_be32(wqe + 52, key_of(&b->mkey));
	put_be64(wqe + 56, data_addr(0x4000));
	wr = prepare(a, HCA_SEND, 0x10, 7);
	wr->sge_count = 4;
	wr->sge[1] = (struct hca_sge){ .len = 0, .lkey = 0xdead };
	wr->sge[2] = (struct hca_sge){ .len = 5, .inline_data = wr->wqe + 40 };
	memcpy(wr->wqe + 40, "12345", 5);
	wr->sge[3] =
		(struct hca_sge){ .len = 500, .lkey = key_of(&a->mkey), .addr = data_addr(0x100) };
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_int_equal(b->wc[0].byte_len, 512);
	expect_data(b, 0x2000, a, 0x10, 7);
	assert_memory_equal(data(b, 0x2007), "12345", 5);
	expect_data(b, 0x200c, a, 0x100, 88);
	expect_data(b, 0x3000, a, 0x100 + 88, 300);
	expect_data(b, 0x4000, a, 0x100 + 388, 112);
}

static void immediate_data_stands_in_the_last_packet(void **state)
{
	static const uint8_t tail[] = { 0x80, 0xff, 0xff, 0xfe, 0x12, 0x34, 0x56, 0x78 };

	(void)state;
	connect_pair(pair);
	post_recv(b, 0x1000, 0);
	post_recv(b, 0x1000, 300);
	prepare(a, HCA_SEND_IMM, 0, 0)->imm = 0x12345678;
	prepare(a, HCA_SEND_IMM, 0, 300)->imm = 0x9abcdef0;
	ring(a);
	expect_packet(b, 0, BTH_SEND_ONLY_IMM, 0xfffffe);
	assert_int_equal(b->logged[0]->len, 24);
	assert_memory_equal(packet_at(b, 0) + 16, tail, sizeof(tail));
	expect_packet(b, 1, BTH_SEND_FIRST, 0xffffff);
	expect_packet(b, 2, BTH_SEND_LAST_IMM, 0);
	assert_int_equal(get_be32(packet_at(b, 2) + 20), 0x9abcdef0);
	expect_wc(b, 0, HCA_WC_RECV_IMM, HCA_OK);
	assert_int_equal(b->wc[0].imm, 0x12345678);
	assert_int_equal(b->wc[0].byte_len, 0);
	assert_int_equal(b->wc[1].imm, 0x9abcdef0);
	assert_int_equal(b->wc[1].byte_len, 300);
}

static void a_write_needs_no_receive(void **state)
{
	static const uint8_t head[] = {
		0x06, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x40, 0x00, 0xff, 0xff, 0xfe,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x50, 0x20, 0x01, /* RETH: address */
		0x00, 0x00, 0x10, 0x5a, 0x00, 0x00, 0x02, 0x58, /* R_Key 0x10:5a, 600 bytes */
	};

	(void)state;
	connect_pair(pair);
	fill(a, 0, 600, 9);
	prepare_remote(a, HCA_WRITE, 0, 600, 0x2001);
	ring(a);
	expect_packet(b, 0, BTH_WRITE_FIRST, 0xfffffe);
	expect_packet(b, 1, BTH_WRITE_MIDDLE, 0xffffff);
	expect_packet(b, 2, BTH_WRITE_LAST, 0);
	assert_memory_equal(packet_at(b, 0) + LRH_LEN, head, sizeof(head));
	assert_int_equal(b->logged[1]->len, 8 + 12 + 256);
	expect_data(b, 0x2001, a, 0, 600);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_int_equal(b->wcs, 0);
}

static void a_write_with_immediate_takes_a_receive(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(a, 0, 600, 5);
	post_recv(b, 0, 0);
	post_recv(b, 0, 0);
	prepare_remote(a, HCA_WRITE_IMM, 0, 600, 0x2000)->imm = 77;
	prepare_remote(a, HCA_WRITE_IMM, 0, 8, 0x3000)->imm = 78;
	ring(a);
	expect_packet(b, 2, BTH_WRITE_LAST_IMM, 0);
	expect_packet(b, 3, BTH_WRITE_ONLY_IMM, 1);
	expect_data(b, 0x2000, a, 0, 600);
	expect_data(b, 0x3000, a, 0, 8);
	expect_wc(b, 0, HCA_WC_WRITE_IMM, HCA_OK);
	assert_int_equal(b->wc[0].imm, 77);
	assert_int_equal(b->wc[0].byte_len, 600);
	assert_int_equal(b->wc[1].imm, 78);
	assert_int_equal(b->wc[1].byte_len, 8);
}

static void a_read_is_answered_with_packets(void **state)
{
	static const uint8_t request[] = {
		0x0c, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x40, 0x80, 0xff, 0xff, 0xfe, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x50, 0x20, 0x03, 0x00, 0x00, 0x10, 0x5a, 0x00, 0x00, 0x02, 0x59,
	};
	static const uint8_t first[] = {
		0x0d, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x40,
		0x00, 0xff, 0xff, 0xfe, 0x00, 0x00, 0x00, 0x01,
	};
	static const uint8_t last[] = {
		0x0f, 0x70, 0xff, 0xff, 0x00, 0x00, 0x00, 0x40,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
	};

	(void)state;
	connect_pair(pair);
	fill(b, 0x2003, 601, 4);
	prepare_remote(a, HCA_READ, 0x100, 601, 0x2003);
	ring(a);
	assert_int_equal(b->arrived, 1);
	assert_int_equal(b->logged[0]->len, LRH_LEN + sizeof(request));
	assert_memory_equal(packet_at(b, 0) + LRH_LEN, request, sizeof(request));
	assert_int_equal(a->arrived, 3);
	assert_memory_equal(packet_at(a, 0) + LRH_LEN, first, sizeof(first));
	assert_int_equal(a->logged[0]->len, LRH_LEN + sizeof(first) + 256);
	expect_packet(a, 1, BTH_READ_RESPONSE_MIDDLE, 0xffffff);
	assert_int_equal(a->logged[1]->len, 8 + 12 + 256); /* without AETH */
	assert_memory_equal(packet_at(a, 2) + LRH_LEN, last, sizeof(last));
	assert_int_equal(a->logged[2]->len, LRH_LEN + sizeof(last) + 92);
	expect_data(a, 0x100, b, 0x2003, 601);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_int_equal(a->wc[0].byte_len, 601);
	assert_int_equal(a->qp.connected->requester.una, 1);
}

static void a_short_read_is_answered_with_one(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(b, 0, 256, 4);
	prepare_remote(a, HCA_READ, 0x100, 256, 0);
	prepare_remote(a, HCA_READ, 0x300, 0, 0x100)->rkey = 0; /* no bytes, no key */
	ring(a);
	expect_packet(a, 0, BTH_READ_RESPONSE_ONLY, 0xfffffe);
	expect_packet(a, 1, BTH_READ_RESPONSE_ONLY, 0xffffff);
	expect_data(a, 0x100, b, 0, 256);
	assert_int_equal(a->wcs, 2);
	expect_wc(a, 1, HCA_WC_SEND, HCA_OK);
}

static void atomics_on_little_endian_memory(void **state)
{
	static const uint8_t
		request[] = {
			0x13, 0x40, 0xff, 0xff, 0x00, 0x00, 0x01, 0x40, 0x80,
			0xff, 0xff, 0xfe, 0x00, 0x00, 0x00, 0x00, 0x00, 0x50,
			0x10, 0x08, 0x00, 0x00, 0x10, 0x5a, /* AtomicETH: address, R_Key */
			0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, /* swap */
			0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, /* compare */
		};
	static const uint8_t
		response[] = {
			0x12, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x40,
			0x00, 0xff, 0xff, 0xfe, 0x00, 0x00, 0x00, 0x01,
			0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x02, /* AETH, AtomicAckETH */
		};
	static const uint8_t before[8] = { 0x02, 0x01 };
	static const uint8_t after[8] = { 0x89, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11 };
	struct hca_send_wr *wr;

	(void)state;
	connect_pair(pair);
	memcpy(data(b, 0x1008), before, 8);
	wr = prepare_remote(a, HCA_COMPARE_SWAP, 0, 8, 0x1008);
	wr->swap_add = 0x1122334455667788;
	wr->compare = 0x0102;
	prepare_remote(a, HCA_FETCH_ADD, 8, 8, 0x1008)->swap_add = 1;
	prepare_remote(a, HCA_COMPARE_SWAP, 16, 8, 0x1008)->compare = 5; /* doesn't match */
	ring(a);
	assert_memory_equal(packet_at(b, 0) + LRH_LEN, request, sizeof(request));
	assert_int_equal(b->logged[0]->len, LRH_LEN + sizeof(request));
	assert_memory_equal(packet_at(a, 0) + LRH_LEN, response, sizeof(response));
	assert_int_equal(a->logged[0]->len, LRH_LEN + sizeof(response));
	assert_memory_equal(data(a, 0), before, 8);
	assert_int_equal(get_be64(data(a, 8)),
			 0x8877665544332211); /* little-endian 0x1122334455667788 */
	assert_memory_equal(data(a, 16), after, 8);
	assert_memory_equal(data(b, 0x1008), after, 8);
	assert_int_equal(a->wcs, 3);
	assert_int_equal(a->wc[2].byte_len, 8);
}

static void atomics_on_big_endian_memory(void **state)
{
	(void)state;
	connect_pair(pair);
	a->hca.big_endian_atomics = true;
	b->hca.big_endian_atomics = true;
	put_be64(data(b, 0), 0xff);
	prepare_remote(a, HCA_FETCH_ADD, 8, 8, 0)->swap_add = 1;
	ring(a);
	assert_int_equal(get_be64(data(b, 0)), 0x100);
	assert_int_equal(get_be64(data(a, 8)), 0xff);
}

static void a_global_route_is_in_each_packet(void **state)
{
	uint8_t expected[GRH_LEN] = { 0x65, 0x5a, 0xbc, 0xde, 0x00, 16, 0x1b, 63 };

	(void)state;
	for (struct side *side = a; side; side = side == a ? b : NULL) {
		struct hca_av *path = &side->qp.conn.path;

		path->grh = true;
		path->traffic_class = 0x55;
		path->flow_label = 0xabcde;
		path->hop_limit = 63;
		path->sl = 2;
		assert_true(hca_gid_at(side == a ? &b->hca : &a->hca, 0, path->dgid));
	}
	connect_pair(pair);
	prepare_remote(a, HCA_WRITE, 0, 0, 0);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	expected[5] = BTH_LEN + RETH_LEN + ICRC_LEN;
	memcpy(expected + 8, b->qp.conn.path.dgid, 16); /* a's GID */
	memcpy(expected + 24, a->qp.conn.path.dgid, 16);
	assert_int_equal(packet_at(b, 0)[1], 0x23); /* SL 2, LNH 3 */
	assert_memory_equal(packet_at(b, 0) + LRH_LEN, expected, GRH_LEN);
	assert_int_equal(a->logged[0]->len, LRH_LEN + GRH_LEN + BTH_LEN + AETH_LEN);
}

static void unsignaled_sends_do_not_complete(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_WRITE, 0, 8, 0)->signaled = false;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(a->wcs, 1);
	assert_int_equal(a->wc[0].index, 1);
}

static void acknowledges_are_coalesced(void **state)
{
	(void)state;
	connect_pair(pair);
	for (int i = 0; i < 40; i++)
		prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(a->wcs, 40);
	assert_int_equal(b->arrived, 40);
	assert_true(a->arrived < 20);
}

static void reads_are_limited_on_both_sides(void **state)
{
	unsigned int most = 0;

	(void)state;
	a->qp.conn.max_rd_atomic = 2;
	b->qp.conn.max_dest_rd_atomic = 2;
	connect_pair(pair);
	fill(b, 0, 0x10000, 6);
	for (uint32_t i = 0; i < 16; i++)
		prepare_remote(a, HCA_READ, i * 0x1000, 0x1000, i * 0x1000);
	hca_qp_doorbell(&a->qp);
	for (unsigned int i = 0; i < 10; i++) {
		sched_run(pair->sched);
		if (a->qp.connected->requester.responses > most)
			most = a->qp.connected->requester.responses;
	}
	assert_true(most <= 2);
	assert_int_equal(a->wcs, 16);
	assert_int_equal(a->qp.state, HCA_QP_RTS);
	expect_data(a, 0, b, 0, 0x10000);
}

static enum tap_action lose_all(struct side *side, const struct packet *packet)
{
	(void)side;
	(void)packet;
	return TAP_DROP;
}

static void a_fenced_send_waits_for_reads_before_it(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(b, 0, 8, 8);
	post_recv(b, 0x1000, 8);
	post_recv(b, 0x1100, 8);
	a->tap = lose_all;
	prepare_remote(a, HCA_READ, 0, 8, 0);
	prepare(a, HCA_SEND, 0, 8);
	prepare(a, HCA_SEND, 0, 8)->fence = true; /* sends what the read brings */
	ring(a);
	assert_int_equal(b->arrived, 2);
	a->tap = NULL;
	sched_advance(pair->sched, NSEC_PER_SEC);
	assert_int_equal(a->wcs, 3);
	expect_data(b, 0x1100, b, 0, 8);
}

static void local_operations_keep_their_place(void **state)
{
	(void)state;
	connect_pair(pair);
	a->tap = lose_all;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	prepare(a, HCA_LOCAL, 0, 0);
	prepare(a, HCA_NOP, 0, 0);
	ring(a);
	assert_int_equal(a->locals, 1);
	assert_int_equal(a->wcs, 0);
	a->tap = NULL;
	sched_advance(pair->sched, NSEC_PER_SEC);
	assert_int_equal(a->wcs, 3);
	for (uint16_t i = 0; i < 3; i++)
		assert_int_equal(a->wc[i].index, i);
	assert_int_equal(b->arrived, 2);
}

static void receives_come_from_a_shared_queue(void **state)
{
	(void)state;
	assert_int_equal(hca_qp_destroy(&b->qp), 0);
	create_srq(b);
	create_qp(b, HCA_QP_RC, &b->srq);
	a->qp.conn.dest_qpn = b->qp.num;
	b->qp.conn.dest_qpn = a->qp.num;
	connect_pair(pair);
	fill(a, 0, 600, 2);
	post_srq(b, 0x1000, 600);
	post_srq(b, 0x2000, 600);
	hca_srq_arm(&b->srq, 1);
	prepare(a, HCA_SEND, 0, 600);
	ring(a);
	expect_data(b, 0x1000, a, 0, 600);
	assert_ptr_equal(b->wc[0].srq, &b->srq);
	assert_int_equal(b->events, 0);
	prepare(a, HCA_SEND, 0, 600);
	ring(a);
	assert_int_equal(b->wcs, 2);
	assert_int_equal(b->events, 1);
	assert_int_equal(b->event[0].event, HCA_EVENT_SRQ_LIMIT);
	assert_int_equal(b->event[0].number, b->srq.num);
}

static void the_first_packet_establishes_communication(void **state)
{
	(void)state;
	connect_qp(&a->qp);
	hca_qp_set_state(&b->qp, HCA_QP_INIT);
	hca_qp_set_state(&b->qp, HCA_QP_RTR);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(a->wcs, 2);
	assert_int_equal(b->events, 1);
	expect_event(b, 0, HCA_EVENT_COMM_EST);
}

static void draining_finishes_what_was_started(void **state)
{
	(void)state;
	connect_pair(pair);
	a->tap = lose_all;
	prepare_remote(a, HCA_WRITE, 0, 600, 0);
	ring(a);
	hca_qp_set_state(&a->qp, HCA_QP_SQD);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(a->events, 0);
	a->tap = NULL;
	sched_advance(pair->sched, NSEC_PER_SEC);
	assert_int_equal(a->wcs, 1);
	assert_int_equal(a->events, 1);
	expect_event(a, 0, HCA_EVENT_SQ_DRAINED);
	hca_qp_set_state(&a->qp, HCA_QP_RTS);
	sched_run(pair->sched);
	assert_int_equal(a->wcs, 2);
	hca_qp_set_state(&a->qp, HCA_QP_SQD); /* with nothing under way */
	assert_int_equal(a->events, 2);
}

static void an_idle_queue_pair_arms_no_timer(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_WRITE, 0, 600, 0);
	prepare_remote(a, HCA_READ, 0, 600, 0);
	ring(a);
	assert_int_equal(a->wcs, 2);
	assert_int_equal(sched_run(pair->sched), SCHED_IDLE);
}

static void both_directions_at_once(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(a, 0, 0x8000, 1);
	fill(b, 0, 0x8000, 2);
	for (unsigned int i = 0; i < 20; i++) {
		prepare_remote(a, HCA_WRITE, 0, 0x8000, 0x10000);
		prepare_remote(b, HCA_WRITE, 0, 0x8000, 0x10000);
		prepare_remote(a, HCA_READ, 0x20000, 0x8000, 0);
		prepare_remote(b, HCA_READ, 0x20000, 0x8000, 0);
	}
	hca_qp_doorbell(&a->qp);
	ring(b);
	assert_int_equal(a->wcs, 40);
	assert_int_equal(b->wcs, 40);
	expect_data(b, 0x10000, a, 0, 0x8000);
	expect_data(a, 0x10000, b, 0, 0x8000);
	expect_data(a, 0x20000, b, 0, 0x8000);
	expect_data(b, 0x20000, a, 0, 0x8000);
}

static void a_queue_pair_can_talk_to_its_neighbour(void **state)
{
	(void)state;
	b->qp.conn.path.dlid = 1;
	connect_pair(pair);
	a->qp.conn.path.dlid = 1;
	a->qp.conn.dest_qpn = a->qp.num; /* to itself, over the port's loopback */
	a->qp.conn.rq_psn = a->qp.conn.sq_psn;
	hca_qp_set_state(&a->qp, HCA_QP_RESET);
	connect_qp(&a->qp);
	fill(a, 0, 600, 5);
	post_recv(a, 0x1000, 600);
	prepare(a, HCA_SEND, 0, 600);
	a->posted = 1;
	ring(a);
	assert_int_equal(a->wcs, 2);
	expect_data(a, 0x1000, a, 0, 600);
}

static void a_send_can_invalidate_a_key(void **state)
{
	struct hca_mkey mkey;

	(void)state;
	connect_pair(pair);
	make_mkey(b, &mkey, 0, 100, HCA_REMOTE_WRITE);
	mkey.revocable = true;
	post_recv(b, 0x1000, 300);
	post_recv(b, 0x1000, 300);
	prepare(a, HCA_SEND_INVALIDATE, 0, 300)->imm = key_of(&mkey);
	ring(a);
	expect_packet(b, 1, BTH_SEND_LAST_INVALIDATE, 0xffffff);
	expect_wc(b, 0, HCA_WC_RECV_INVALIDATE, HCA_OK);
	assert_int_equal(b->wc[0].imm, key_of(&mkey));
	assert_true(mkey.free);
	prepare(a, HCA_SEND_INVALIDATE, 0, 8)->imm = key_of(&b->mkey); /* not one that may be */
	ring(a);
	expect_packet(b, 2, BTH_SEND_ONLY_INVALIDATE, 0);
	expect_wc(a, 1, HCA_WC_SEND, HCA_REMOTE_ACCESS);
	assert_false(b->mkey.free);
	hca_mkey_destroy(&b->hca, &mkey);
}

static void the_psns_can_be_asked_for(void **state)
{
	uint32_t send_psn, receive_psn;

	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_WRITE, 0, 600, 0);
	ring(a);
	hca_qp_psns(&a->qp, &send_psn, &receive_psn);
	assert_int_equal(send_psn, 1);
	assert_int_equal(receive_psn, 0x100);
	hca_qp_psns(&b->qp, &send_psn, &receive_psn);
	assert_int_equal(send_psn, 0x100);
	assert_int_equal(receive_psn, 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_send_and_its_acknowledge),
		CASE(a_long_send_is_cut_into_packets_whose_psns_wrap),
		CASE(lists_are_gathered_and_scattered),
		CASE(immediate_data_stands_in_the_last_packet),
		CASE(a_write_needs_no_receive),
		CASE(a_write_with_immediate_takes_a_receive),
		CASE(a_read_is_answered_with_packets),
		CASE(a_short_read_is_answered_with_one),
		CASE(atomics_on_little_endian_memory),
		CASE(atomics_on_big_endian_memory),
		CASE(a_global_route_is_in_each_packet),
		CASE(unsignaled_sends_do_not_complete),
		CASE(acknowledges_are_coalesced),
		CASE(reads_are_limited_on_both_sides),
		CASE(a_fenced_send_waits_for_reads_before_it),
		CASE(local_operations_keep_their_place),
		CASE(receives_come_from_a_shared_queue),
		CASE(the_first_packet_establishes_communication),
		CASE(draining_finishes_what_was_started),
		CASE(an_idle_queue_pair_arms_no_timer),
		CASE(both_directions_at_once),
		CASE(a_queue_pair_can_talk_to_its_neighbour),
		CASE(a_send_can_invalidate_a_key),
		CASE(the_psns_can_be_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
