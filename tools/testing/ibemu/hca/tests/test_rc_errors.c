// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Reliable connections: each breach ends in the right completion or event on either side. */
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

/* The first send ends so, and its queue pair is in the error state. */
static void expect_failure(enum hca_status status)
{
	expect_wc(a, 0, HCA_WC_SEND, status);
	assert_int_equal(a->qp.state, HCA_QP_ERR);
}

static void expect_nak(unsigned int code)
{
	const uint8_t *last = packet_at(a, a->arrived - 1);

	assert_int_equal(last[LRH_LEN], BTH_ACKNOWLEDGE);
	assert_int_equal(last[LRH_LEN + BTH_LEN], AETH_NAK | code);
}

/* This side */

static void a_key_that_is_none(struct hca_sge *sge) { sge->lkey = 0x12345600; }
static void another_variant(struct hca_sge *sge) { sge->lkey ^= 1; }
static void before_the_region(struct hca_sge *sge) { sge->addr = data_addr(0) - 1; }
static void past_the_region(struct hca_sge *sge) { sge->addr = data_addr(DATA_LEN) - 299; }
static void around_the_address_space(struct hca_sge *sge) { sge->addr = UINT64_MAX - 10; }

static void sends_from_bad_memory_fail_here(void **state)
{
	static void (*const spoil[])(struct hca_sge *sge) = {
		a_key_that_is_none, another_variant, before_the_region, past_the_region,
		around_the_address_space,
	};

	for (size_t i = 0; i < sizeof(spoil) / sizeof(spoil[0]); i++) {
		if (i)
			set_up(state);
		connect_pair(pair);
		post_recv(b, 0, 300);
		spoil[i](&prepare(a, HCA_SEND, 0, 300)->sge[0]);
		ring(a);
		expect_failure(HCA_LOCAL_PROTECTION);
		assert_int_equal(b->wcs, 0);
		if (i < sizeof(spoil) / sizeof(spoil[0]) - 1)
			tear_down(state);
	}
}

static void rights_and_domains_count(void **state)
{
	struct hca_mkey foreign, unreadable, invalid;
	struct hca_mkey *keys[] = { &foreign, &unreadable, &invalid };

	for (unsigned int i = 0; i < 3; i++) {
		if (i)
			set_up(state);
		connect_pair(pair);
		make_mkey(a, keys[i], 0, 100, i == 1 ? HCA_LOCAL_WRITE : 0x1f);
		foreign.pd = PD + 1;
		invalid.free = true;
		if (i == 1) /* a read into it is fine, but not out of it */
			prepare_remote(a, HCA_READ, 0, 8, 0)->sge[0].lkey = key_of(keys[i]);
		prepare_remote(a, HCA_WRITE, 0, 8, 0)->sge[0].lkey = key_of(keys[i]);
		ring(a);
		expect_wc(a, i == 1, HCA_WC_SEND, HCA_LOCAL_PROTECTION);
		hca_mkey_destroy(&a->hca, keys[i]);
		if (i < 2)
			tear_down(state);
	}
}

static void a_failed_send_waits_for_those_before_it(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_WRITE, 0, 1000, 0)->signaled = true;
	prepare_remote(a, HCA_WRITE, 0, 1000, 0)->sge[0].lkey = 0;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	expect_wc(a, 1, HCA_WC_SEND, HCA_LOCAL_PROTECTION);
	expect_wc(a, 2, HCA_WC_SEND, HCA_FLUSHED);
	assert_int_equal(a->wcs, 3);
}

static void memory_that_ends_in_the_midst_of_a_message(void **state)
{
	struct hca_mkey mkey;

	(void)state;
	connect_pair(pair);
	make_mkey(a, &mkey, 0, 400, 0x1f);
	prepare_remote(a, HCA_WRITE, 0, 400, 0)->sge[0].lkey = key_of(&mkey);
	a->sends[0].sge[1] =
		(struct hca_sge){ .len = 1, .lkey = key_of(&mkey), .addr = data_addr(400) };
	a->sends[0].sge_count = 2;
	ring(a);
	assert_int_equal(b->arrived, 1);
	expect_failure(HCA_LOCAL_PROTECTION);
	hca_mkey_destroy(&a->hca, &mkey);
}

static void operations_that_cannot_be(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare(a, HCA_UNSUPPORTED, 0, 8);
	ring(a);
	expect_failure(HCA_LOCAL_QP_OPERATION);
}

static void malformed_work_requests(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare(a, HCA_SEND, 0, 8);
	a->sends[0].sge_count = 1000; /* as far as it was decoded, it isn't looked at */
	a->malformed = true;
	ring(a);
	expect_failure(HCA_LOCAL_QP_OPERATION);
}

static void lengths_that_cannot_be(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_FETCH_ADD, 0, 7, 0);
	ring(a);
	expect_failure(HCA_LOCAL_LENGTH);
}

static void messages_that_are_too_long(void **state)
{
	struct hca_send_wr *wr;

	(void)state;
	connect_pair(pair);
	wr = prepare_remote(a, HCA_WRITE, 0, HCA_MAX_MESSAGE, 0);
	wr->sge_count = 2;
	wr->sge[1] = (struct hca_sge){ .len = 1 };
	ring(a);
	expect_failure(HCA_LOCAL_LENGTH);
	assert_int_equal(b->arrived, 0);
}

static void a_local_operation_that_fails(void **state)
{
	(void)state;
	connect_pair(pair);
	a->local_status = HCA_MW_BIND;
	prepare(a, HCA_LOCAL, 0, 0);
	ring(a);
	expect_failure(HCA_MW_BIND);
}

static void a_queue_that_cannot_be_read_is_fatal(void **state)
{
	(void)state;
	connect_pair(pair);
	a->unreadable = true;
	ring(a);
	expect_event(a, 0, HCA_EVENT_QP_CATASTROPHIC);
	assert_int_equal(a->qp.state, HCA_QP_ERR);
}

static void a_full_completion_queue_is_fatal(void **state)
{
	(void)state;
	a->cq.ignore_overrun = false;
	connect_pair(pair);
	a->cq.producer = 1u << LOG_CQ;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	assert_int_equal(a->event[0].event, HCA_EVENT_CQ_OVERRUN);
	expect_event(a, 1, HCA_EVENT_QP_CATASTROPHIC);
	assert_int_equal(a->events, 2);
}

static void read_data_that_cannot_be_placed(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_READ, 0, 8, 0)->sge[0].lkey = 0;
	ring(a);
	expect_failure(HCA_LOCAL_PROTECTION);
	assert_int_equal(b->qp.state, HCA_QP_RTS);
}

/* The other side: sends */

static void a_receive_that_is_too_short(void **state)
{
	(void)state;
	connect_pair(pair);
	post_recv(b, 0, 299);
	post_recv(b, 0, 299);
	prepare(a, HCA_SEND, 0, 300);
	prepare(a, HCA_SEND, 0, 8);
	ring(a);
	expect_nak(NAK_INVALID_REQUEST);
	expect_failure(HCA_REMOTE_INVALID_REQUEST);
	expect_wc(a, 1, HCA_WC_SEND, HCA_FLUSHED);
	expect_wc(b, 0, HCA_WC_RECV, HCA_LOCAL_LENGTH);
	expect_wc(b, 1, HCA_WC_RECV, HCA_FLUSHED);
	assert_int_equal(b->qp.state, HCA_QP_ERR);
	assert_int_equal(b->wcs, 2);
	assert_int_equal(b->events, 0); /* a completion says it already */
}

static void a_receive_into_memory_that_is_none(void **state)
{
	(void)state;
	connect_pair(pair);
	post_recv(b, 0, 8);
	put_be32(recv_wqe(b, 0) + 20, 0);
	prepare(a, HCA_SEND, 0, 8);
	ring(a);
	expect_nak(NAK_REMOTE_OPERATION);
	expect_failure(HCA_REMOTE_OPERATION);
	expect_wc(b, 0, HCA_WC_RECV, HCA_LOCAL_PROTECTION);
}

static void a_malformed_receive(void **state)
{
	(void)state;
	connect_pair(pair);
	post_recv(b, 0, 8);
	put_be32(recv_wqe(b, 0), 1000);
	prepare(a, HCA_SEND, 0, 8);
	ring(a);
	expect_failure(HCA_REMOTE_OPERATION);
	expect_wc(b, 0, HCA_WC_RECV, HCA_LOCAL_QP_OPERATION);
}

static void a_receive_queue_that_cannot_be_read(void **state)
{
	(void)state;
	connect_pair(pair);
	post_recv(b, 0, 8);
	b->qp.buf.pages[0] = MEMORY_BASE + MEMORY_LEN;
	prepare(a, HCA_SEND, 0, 8);
	ring(a);
	expect_failure(HCA_REMOTE_OPERATION);
	expect_event(b, 0, HCA_EVENT_QP_CATASTROPHIC);
}

static void a_shared_queue_tells_of_the_last_receive(void **state)
{
	(void)state;
	assert_int_equal(hca_qp_destroy(&b->qp), 0);
	create_srq(b);
	create_qp(b, HCA_QP_RC, &b->srq);
	a->qp.conn.dest_qpn = b->qp.num;
	b->qp.conn.dest_qpn = a->qp.num;
	connect_pair(pair);
	post_srq(b, 0, 600);
	prepare(a, HCA_SEND, 0, 300);
	prepare(a, HCA_SEND, 0, 600);
	ring(a);
	post_srq(b, 0, 600);
	inject(b, BTH_TRANSPORT_RC, BTH_SEND_FIRST, 0, data(a, 0),
	       256); /* it has taken the second one */
	hca_qp_set_state(&b->qp, HCA_QP_ERR);
	expect_wc(b, 1, HCA_WC_RECV, HCA_FLUSHED);
	expect_event(b, 0, HCA_EVENT_LAST_WQE_REACHED);
	assert_int_equal(b->wcs, 2);
}

/* The other side: remote access */

static void a_remote_key(struct hca_send_wr *wr) { wr->rkey += 0x100; }
static void a_remote_variant(struct hca_send_wr *wr) { wr->rkey ^= 0x80; }
static void a_remote_address_before(struct hca_send_wr *wr) { wr->remote_addr = data_addr(0) - 8; }
static void a_remote_address_behind(struct hca_send_wr *wr)
{
	wr->remote_addr = data_addr(DATA_LEN);
}

static void a_remote_address_around(struct hca_send_wr *wr) { wr->remote_addr = ~7ull; }

static void remote_memory_that_is_none(void **state)
{
	static void (*const spoil[])(struct hca_send_wr *wr) = {
		a_remote_key, a_remote_variant, a_remote_address_before, a_remote_address_behind,
		a_remote_address_around,
	};
	static const enum hca_opcode opcodes[] = { HCA_WRITE, HCA_READ, HCA_FETCH_ADD,
						   HCA_COMPARE_SWAP };

	for (unsigned int i = 0; i < 20; i++) {
		if (i)
			set_up(state);
		connect_pair(pair);
		spoil[i / 4](prepare_remote(a, opcodes[i % 4], 0, 8, 0x100));
		ring(a);
		expect_nak(NAK_REMOTE_ACCESS);
		expect_failure(HCA_REMOTE_ACCESS);
		expect_event(b, 0, HCA_EVENT_QP_ACCESS);
		assert_int_equal(b->events, 1);
		assert_int_equal(b->qp.state, HCA_QP_ERR);
		if (i < 19)
			tear_down(state);
	}
}

static void remote_rights_that_a_key_lacks(void **state)
{
	static const struct {
		enum hca_opcode opcode;
		uint8_t right;
	} cases[] = {
		{ HCA_WRITE, HCA_REMOTE_WRITE }, { HCA_READ, HCA_REMOTE_READ },
		{ HCA_FETCH_ADD, HCA_REMOTE_ATOMIC }, { HCA_COMPARE_SWAP, HCA_REMOTE_ATOMIC },
	};

	for (unsigned int i = 0; i < 4; i++) {
		if (i)
			set_up(state);
		connect_pair(pair);
		b->mkey.access &= (uint8_t)~cases[i].right;
		prepare_remote(a, cases[i].opcode, 0, 8, 0);
		ring(a);
		expect_failure(HCA_REMOTE_ACCESS);
		if (i < 3)
			tear_down(state);
	}
}

static void remote_rights_that_a_queue_pair_lacks(void **state)
{
	static const struct {
		enum hca_opcode opcode;
		uint8_t right;
	} cases[] = {
		{ HCA_WRITE, HCA_REMOTE_WRITE },
		{ HCA_READ, HCA_REMOTE_READ },
		{ HCA_FETCH_ADD, HCA_REMOTE_ATOMIC },
	};

	for (unsigned int i = 0; i < 3; i++) {
		if (i)
			set_up(state);
		b->qp.conn.remote_access &= (uint8_t)~cases[i].right;
		connect_pair(pair);
		prepare_remote(a, cases[i].opcode, 0, 8, 0);
		ring(a);
		expect_nak(NAK_INVALID_REQUEST);
		expect_failure(HCA_REMOTE_INVALID_REQUEST);
		expect_event(b, 0, HCA_EVENT_QP_REQUEST);
		if (i < 2)
			tear_down(state);
	}
}

static void another_domains_key(void **state)
{
	(void)state;
	connect_pair(pair);
	b->mkey.pd = PD + 1;
	prepare_remote(a, HCA_WRITE, 0, 8, 0);
	ring(a);
	expect_failure(HCA_REMOTE_ACCESS);
}

static void an_atomic_that_is_not_aligned(void **state)
{
	(void)state;
	connect_pair(pair);
	prepare_remote(a, HCA_FETCH_ADD, 0, 8, 4);
	ring(a);
	expect_failure(HCA_REMOTE_INVALID_REQUEST);
	expect_event(b, 0, HCA_EVENT_QP_REQUEST);
}

static void a_write_with_immediate_to_memory_that_is_none(void **state)
{
	(void)state;
	connect_pair(pair);
	post_recv(b, 0, 0);
	prepare_remote(a, HCA_WRITE_IMM, 0, 8, 0)->rkey = 0;
	ring(a);
	expect_failure(HCA_REMOTE_ACCESS);
	expect_wc(b, 0, HCA_WC_RECV, HCA_LOCAL_ACCESS);
	assert_int_equal(b->events, 0);
}

static void more_reads_than_the_other_side_takes(void **state)
{
	(void)state;
	b->qp.conn.max_dest_rd_atomic = 1;
	connect_pair(pair);
	prepare_remote(a, HCA_READ, 0, 0x2800, 0);
	prepare_remote(a, HCA_READ, 0, 8, 0);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK); /* the first is still answered */
	expect_wc(a, 1, HCA_WC_SEND, HCA_REMOTE_INVALID_REQUEST);
	expect_event(b, 0, HCA_EVENT_QP_REQUEST);
}

static void no_reads_at_all(void **state)
{
	(void)state;
	b->qp.conn.max_dest_rd_atomic = 0;
	connect_pair(pair);
	prepare_remote(a, HCA_READ, 0, 8, 0);
	ring(a);
	expect_failure(HCA_REMOTE_INVALID_REQUEST);
}

static enum tap_action revoke(struct side *side, const struct packet *packet)
{
	(void)packet;
	side->pair->b.mkey.free = true;
	return TAP_PASS;
}

static void a_key_that_goes_while_it_is_read(void **state)
{
	(void)state;
	connect_pair(pair);
	a->tap = revoke;
	prepare_remote(a, HCA_READ, 0, 0x10000, 0);
	prepare_remote(a, HCA_READ, 0, 8, 0);
	ring(a);
	expect_nak(NAK_REMOTE_ACCESS);
	expect_failure(HCA_REMOTE_ACCESS);
	expect_event(b, 0, HCA_EVENT_QP_ACCESS);
	expect_wc(a, 1, HCA_WC_SEND, HCA_FLUSHED);
}

static void what_was_accepted_is_answered_before_a_breach(void **state)
{
	(void)state;
	connect_pair(pair);
	fill(b, 0, 0x4000, 1);
	prepare_remote(a, HCA_READ, 0, 0x4000, 0);
	prepare_remote(a, HCA_WRITE, 0, 8, 0)->rkey = 0;
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	expect_wc(a, 1, HCA_WC_SEND, HCA_REMOTE_ACCESS);
	assert_memory_equal(data(a, 0), data(b, 0), 0x4000);
}

/* Packets that no requester sends */

static void requests_that_make_no_sense(void **state)
{
	static const struct {
		uint8_t operation;
		uint16_t len;
	} cases[] = {
		{ BTH_SEND_MIDDLE, 256 },
		{ BTH_SEND_LAST, 8 },
		{ BTH_WRITE_MIDDLE, 256 },
		{ BTH_WRITE_LAST_IMM, 8 },
		{ BTH_SEND_FIRST, 255 },
		{ BTH_SEND_FIRST, 260 },
		{ BTH_SEND_ONLY, 257 },
		{ BTH_SEND_ONLY_IMM, 3 },
		{ BTH_WRITE_ONLY, 15 },
		{ BTH_WRITE_FIRST, 16 },
		{ BTH_READ_REQUEST, 15 },
		{ BTH_READ_REQUEST, 20 },
		{ BTH_COMPARE_SWAP, 27 },
		{ BTH_FETCH_ADD, 32 },
		{ 21, 0 },
		{ 31, 8 },
		{ BTH_SEND_LAST_INVALIDATE, 8 },
	};
	static const uint8_t zeros[512];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (i)
			set_up(state);
		connect_pair(pair);
		post_recv(b, 0, 4096);
		inject(b, BTH_TRANSPORT_RC, cases[i].operation, 0xfffffe, zeros, cases[i].len);
		expect_nak(NAK_INVALID_REQUEST);
		assert_int_equal(b->qp.state, HCA_QP_ERR);
		expect_event(b, 0, HCA_EVENT_QP_REQUEST);
		expect_wc(b, 0, HCA_WC_RECV, HCA_FLUSHED);
		if (i < sizeof(cases) / sizeof(cases[0]) - 1)
			tear_down(state);
	}
}

static void a_message_that_another_interrupts(void **state)
{
	static const uint8_t intruders[] = { BTH_SEND_FIRST, BTH_WRITE_MIDDLE, BTH_SEND_ONLY,
					 BTH_READ_REQUEST };
	static const uint8_t zeros[256];

	for (size_t i = 0; i < sizeof(intruders); i++) {
		if (i)
			set_up(state);
		connect_pair(pair);
		post_recv(b, 0, 4096);
		inject(b, BTH_TRANSPORT_RC, BTH_SEND_FIRST, 0xfffffe, zeros, 256);
		inject(b, BTH_TRANSPORT_RC, intruders[i], 0xffffff, zeros,
		       intruders[i] == BTH_READ_REQUEST ? 16 : 256);
		expect_nak(NAK_INVALID_REQUEST);
		expect_wc(b, 0, HCA_WC_RECV, HCA_FLUSHED);
		if (i < sizeof(intruders) - 1)
			tear_down(state);
	}
}

static void a_write_whose_length_does_not_fit_its_header(void **state)
{
	uint8_t rest[RETH_LEN + 256];
	const struct reth reth = { .va = data_addr(0), .rkey = key_of(&b->mkey), .len = 300 };

	(void)state;
	connect_pair(pair);
	memset(rest, 0, sizeof(rest));
	reth_encode(rest, &reth);
	inject(b, BTH_TRANSPORT_RC, BTH_WRITE_FIRST, 0xfffffe, rest, sizeof(rest));
	assert_int_equal(b->qp.state, HCA_QP_RTS);
	inject(b, BTH_TRANSPORT_RC, BTH_WRITE_LAST, 0xffffff, rest, 45);
	expect_nak(NAK_INVALID_REQUEST);
	expect_event(b, 0, HCA_EVENT_QP_REQUEST);
}

static enum tap_action lose_all(struct side *side, const struct packet *packet)
{
	(void)side;
	(void)packet;
	return TAP_DROP;
}

static void responses_that_make_no_sense(void **state)
{
	static const struct {
		enum hca_opcode request;
		uint8_t operation;
		uint16_t len;
		uint8_t syndrome;
	} cases[] = {
		{ HCA_WRITE, BTH_READ_RESPONSE_ONLY, 4, 0x1f },
		{ HCA_WRITE, BTH_ATOMIC_ACKNOWLEDGE, 12, 0x1f },
		{ HCA_READ, BTH_READ_RESPONSE_FIRST, 4 + 256, 0x1f },
		{ HCA_READ, BTH_READ_RESPONSE_ONLY, 4 + 9, 0x1f },
		{ HCA_READ, BTH_READ_RESPONSE_MIDDLE, 8, 0x1f },
		{ HCA_READ, BTH_ATOMIC_ACKNOWLEDGE, 12, 0x1f },
		{ HCA_FETCH_ADD, BTH_READ_RESPONSE_ONLY, 12, 0x1f },
		{ HCA_FETCH_ADD, BTH_ATOMIC_ACKNOWLEDGE, 8, 0x1f },
		{ HCA_WRITE, BTH_ACKNOWLEDGE, 3, 0x1f },
		{ HCA_WRITE, BTH_ACKNOWLEDGE, 4, 0x7f },
		{ HCA_WRITE, BTH_ACKNOWLEDGE, 4, 0x40 },
	};
	uint8_t rest[512] = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (i)
			set_up(state);
		connect_pair(pair);
		a->tap = lose_all;
		prepare_remote(a, cases[i].request, 0, 8, 0);
		ring(a);
		rest[0] = cases[i].syndrome;
		inject(a, BTH_TRANSPORT_RC, cases[i].operation, 0xfffffe, rest, cases[i].len);
		expect_failure(HCA_BAD_RESPONSE);
		if (i < sizeof(cases) / sizeof(cases[0]) - 1)
			tear_down(state);
	}
}

static void strangers_are_not_heard(void **state)
{
	static const uint8_t zeros[8];

	(void)state;
	connect_pair(pair);
	inject(b, BTH_TRANSPORT_UC, BTH_SEND_MIDDLE, 0xfffffe, zeros, 8); /* another service */
	a->qp.conn.path.dlid = 2;
	b->qp.conn.path.dlid = 3; /* not who sends */
	inject(b, BTH_TRANSPORT_RC, BTH_SEND_MIDDLE, 0xfffffe, zeros, 8);
	b->qp.conn.path.dlid = 1;
	b->qp.conn.path.grh = true; /* it would come with a GRH */
	inject(b, BTH_TRANSPORT_RC, BTH_SEND_MIDDLE, 0xfffffe, zeros, 8);
	b->qp.conn.path.grh = false;
	b->qp.pkey_index = 5; /* an entry without a key */
	inject(b, BTH_TRANSPORT_RC, BTH_SEND_MIDDLE, 0xfffffe, zeros, 8);
	assert_int_equal(b->hca.counters.dropped_malformed, 3);
	assert_int_equal(b->hca.counters.dropped_pkey, 1);
	assert_int_equal(b->qp.state, HCA_QP_RTS);
	assert_int_equal(a->arrived, 0);
}

static void the_error_state_flushes_in_order(void **state)
{
	(void)state;
	connect_pair(pair);
	a->tap = lose_all;
	post_recv(a, 0, 8);
	for (unsigned int i = 0; i < 100; i++)
		prepare_remote(a, HCA_WRITE, 0, 8, 0)->signaled = i % 2;
	ring(a);
	hca_qp_set_state(&a->qp, HCA_QP_ERR);
	ring(a);
	assert_int_equal(a->wcs, 101);
	for (uint16_t i = 0; i < 100; i++) {
		expect_wc(a, i, HCA_WC_SEND, HCA_FLUSHED);
		assert_int_equal(a->wc[i].index, i);
	}
	expect_wc(a, 100, HCA_WC_RECV, HCA_FLUSHED);
	hca_qp_set_state(&a->qp, HCA_QP_RESET);
	assert_int_equal(sched_run(pair->sched), SCHED_IDLE);
}

static void a_reset_forgets_all(void **state)
{
	(void)state;
	connect_pair(pair);
	a->tap = lose_all;
	prepare_remote(a, HCA_WRITE, 0, 1000, 0);
	prepare_remote(a, HCA_READ, 0, 1000, 0);
	ring(a);
	hca_qp_set_state(&a->qp, HCA_QP_RESET);
	hca_qp_set_state(&b->qp, HCA_QP_RESET);
	assert_int_equal(sched_run(pair->sched), SCHED_IDLE);
	assert_int_equal(a->wcs, 0);
	a->tap = NULL;
	a->posted = 0;
	connect_pair(pair);
	fill(a, 0, 1000, 3);
	prepare_remote(a, HCA_WRITE, 0, 1000, 0x1000);
	ring(a);
	expect_wc(a, 0, HCA_WC_SEND, HCA_OK);
	assert_memory_equal(data(b, 0x1000), data(a, 0), 1000);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(sends_from_bad_memory_fail_here),
		CASE(rights_and_domains_count),
		CASE(a_failed_send_waits_for_those_before_it),
		CASE(memory_that_ends_in_the_midst_of_a_message),
		CASE(operations_that_cannot_be),
		CASE(malformed_work_requests),
		CASE(lengths_that_cannot_be),
		CASE(messages_that_are_too_long),
		CASE(a_local_operation_that_fails),
		CASE(a_queue_that_cannot_be_read_is_fatal),
		CASE(a_full_completion_queue_is_fatal),
		CASE(read_data_that_cannot_be_placed),
		CASE(a_receive_that_is_too_short),
		CASE(a_receive_into_memory_that_is_none),
		CASE(a_malformed_receive),
		CASE(a_receive_queue_that_cannot_be_read),
		CASE(a_shared_queue_tells_of_the_last_receive),
		CASE(remote_memory_that_is_none),
		CASE(remote_rights_that_a_key_lacks),
		CASE(remote_rights_that_a_queue_pair_lacks),
		CASE(another_domains_key),
		CASE(an_atomic_that_is_not_aligned),
		CASE(a_write_with_immediate_to_memory_that_is_none),
		CASE(more_reads_than_the_other_side_takes),
		CASE(no_reads_at_all),
		CASE(a_key_that_goes_while_it_is_read),
		CASE(what_was_accepted_is_answered_before_a_breach),
		CASE(requests_that_make_no_sense),
		CASE(a_message_that_another_interrupts),
		CASE(a_write_whose_length_does_not_fit_its_header),
		CASE(responses_that_make_no_sense),
		CASE(strangers_are_not_heard),
		CASE(the_error_state_flushes_in_order),
		CASE(a_reset_forgets_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
