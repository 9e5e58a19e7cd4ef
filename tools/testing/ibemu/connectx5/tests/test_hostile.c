/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Guests that write nonsense: each gets the error that hardware gives, and the device goes on. */
#include "connectx5/tests/bench.h"

enum { CQE_REQUEST = 0, CQE_RECEIVED = 2, CQE_REQUEST_ERROR = 13, CQE_RECEIVE_ERROR = 14 };
enum { LOCAL_QP_OPERATION = 2, LOCAL_PROTECTION = 4 };
enum { EV_CATASTROPHIC = 5 };

#define FAR 0x8000u

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

/* A datagram whose control segment's second word is replaced, and its opcode. */
static void bad_send(void **state, uint32_t segments, uint8_t opcode)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);
	uint8_t *wqe = post_send(&qp, 2, 0x99, 0, 8);

	wqe[3] = opcode;
	put_be32(wqe + 4, qp.qpn << 8 | segments);
	go(&qp, bench);
	expect(guest, 0, CQE_REQUEST_ERROR, LOCAL_QP_OPERATION);
	assert_int_equal(cqe_at(guest, 0)[56], opcode);
	assert_int_equal(qp_state(&qp), 4);
}

static void no_segments(void **state)
{
	bad_send(state, 0, 0x0a);
}

static void more_segments_than_posted(void **state)
{
	bad_send(state, 63, 0x0a);
}

static void no_address_vector(void **state)
{
	bad_send(state, 2, 0x0a);
}

static void an_operation_of_other_transports(void **state)
{
	bad_send(state, 5, 0x08); /* RDMA write */
}

static void an_operation_that_is_none(void **state)
{
	bad_send(state, 5, 0x7f);
}

static void inline_data_beyond_the_end(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	post_send(&qp, 2, 0x99, 0, 8);
	put_be32(send_block(&qp, 1), 0x80000000u | 500);
	go(&qp, bench);
	expect(guest, 0, CQE_REQUEST_ERROR, LOCAL_QP_OPERATION);
}

static void lengths_that_add_up_to_too_much(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);
	uint8_t *wqe = post_send(&qp, 2, 0x99, 0, 0x7fffffff), *data_segments = send_block(&qp, 1);

	put_data_segment(data_segments + 16, 0x7fffffff, guest->lkey, 0);
	put_data_segment(data_segments + 32, 3, guest->lkey, 0);
	put_be32(wqe + 4, qp.qpn << 8 | 7);
	go(&qp, bench);
	expect(guest, 0, CQE_REQUEST_ERROR, 1); /* local length: 2^32 + 1 isn't 1 */
}

static void a_producer_counter_that_cannot_be(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	qp.sent = 17; /* in a queue of 16 */
	go(&qp, bench);
	assert_null(cqe_at(guest, 0));
	assert_int_equal(eqe_at(guest, 0, 0)[1], EV_CATASTROPHIC);
	assert_int_equal(get_be32(eqe_at(guest, 0, 0) + 56), qp.qpn);
	assert_int_equal(qp_state(&qp), 6);
}

static void queues_that_are_nowhere(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0], *other = &bench->guest[1];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY),
			  from = create_qp(other, ST_UD, 0, QKEY);

	post_receive(&qp, FAR, 100);
	guest->gone = true;
	post_send(&from, 1, qp.qpn, 0, 8);
	go(&from, bench);
	go(&qp, bench);
	guest->gone = false;
	assert_int_equal(cqe_at(other, 0)[63] >> 4, CQE_REQUEST);
	assert_int_equal(qp_state(&qp), 6);
}

static void receives_counted_beyond_the_queue(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair from = create_qp(&bench->guest[1], ST_UD, 0, QKEY),
			  to = create_qp(guest, ST_UD, 0, QKEY);

	put_be32(guest->ram + to.record, 5000);
	post_send(&from, 1, to.qpn, 0, 8);
	go(&from, bench);
	assert_null(cqe_at(guest, 0));
	assert_int_equal(guest->dev.hca.counters.dropped_no_wqe, 1);
	assert_int_equal(on(guest, TO_ERR_QP, to.qpn), 0);
	sched_run(bench->sched); /* not 5000 completions */
	assert_null(cqe_at(guest, 0));
}

static void an_inline_receive(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair from = create_qp(&bench->guest[1], ST_UD, 0, QKEY),
			  to = create_qp(guest, ST_UD, 0, QKEY);

	post_receive(&to, FAR, 0x80000000u | 100);
	post_send(&from, 1, to.qpn, 0, 8);
	go(&from, bench);
	expect(guest, 0, CQE_RECEIVE_ERROR, LOCAL_QP_OPERATION);
}

/* A shared receive queue of 4 slots of 64 bytes in a page; its record is number 40. */
static uint32_t create_srq(struct guest *guest, uint32_t at, unsigned int log_size,
			   unsigned int log_stride)
{
	uint8_t *srqc = guest->in + 16;
	uint32_t xrcd = alloc(guest, ALLOC_XRCD);

	srqc[0] = (uint8_t)log_size;
	put_be32(srqc + 4, log_stride << 24 | xrcd);
	put_be32(srqc + 8, guest->cqn);
	put_be32(srqc + 24, guest->pd);
	put_be64(srqc + 40, bus(RECORDS_AT + 40 * 64));
	put_pages(guest, 272, at, 1);
	if (execute(guest, CREATE_XRC_SRQ, 0, 280))
		return 0;
	return get_be24(guest->out + 9);
}

static struct queue_pair create_qp_with_srq(struct guest *guest, uint32_t srqn)
{
	struct queue_pair qp;

	put_be32(guest->in + 24 + 172, 1u << 24 | srqn);
	qp = create_qp(guest, ST_UD, 0, QKEY);
	return qp;
}

static void links_that_go_in_circles(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	uint32_t at = QP_AT + 20 * PAGE, srqn = create_srq(guest, at, 2, 2);
	struct queue_pair from = create_qp(&bench->guest[1], ST_UD, 0, QKEY),
			  to = create_qp_with_srq(guest, srqn);

	put_be16(guest->ram + at + 2, 0xffff); /* the slot after 0 is 3, and after that 3 again */
	put_be16(guest->ram + at + 3 * 64 + 2, 3);
	put_data_segment(guest->ram + at + 16, 100, guest->lkey, bus(DATA_AT + FAR));
	put_data_segment(guest->ram + at + 32, 0, 0x100, 0);
	put_data_segment(guest->ram + at + 3 * 64 + 16, 100, guest->lkey, bus(DATA_AT + FAR));
	put_data_segment(guest->ram + at + 3 * 64 + 32, 0, 0x100, 0);
	put_be32(guest->ram + RECORDS_AT + 40 * 64, 3);
	for (int i = 0; i < 4; i++)
		post_send(&from, 1, to.qpn, 0, 8);
	go(&from, bench);
	for (uint32_t i = 0; i < 3; i++) {
		expect(guest, i, CQE_RECEIVED, 0);
		assert_int_equal(get_be16(cqe_at(guest, i) + 60), i ? 3 : 0);
	}
	assert_null(cqe_at(guest, 3));
	assert_int_equal(guest->dev.hca.counters.dropped_no_wqe, 1);
}

static void limits_come_once(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	uint32_t at = QP_AT + 20 * PAGE, srqn = create_srq(guest, at, 2, 2);
	struct queue_pair from = create_qp(&bench->guest[1], ST_UD, 0, QKEY),
			  to = create_qp_with_srq(guest, srqn);

	for (uint32_t i = 0; i < 4; i++) {
		put_be16(guest->ram + at + i * 64 + 2, (uint16_t)(i + 1));
		put_data_segment(guest->ram + at + i * 64 + 16, 100, guest->lkey,
				 bus(DATA_AT + FAR));
		put_data_segment(guest->ram + at + i * 64 + 32, 0, 0x100, 0);
	}
	put_be32(guest->ram + RECORDS_AT + 40 * 64, 4);
	put_be16(guest->in + 14, 3);
	put_be32(guest->in + 8, srqn);
	assert_int_equal(execute(guest, ARM_XRC_SRQ, 1, 16), 0);
	on(guest, QUERY_XRC_SRQ, srqn);
	assert_int_equal(get_be16(guest->out + 16 + 28), 3);
	for (int i = 0; i < 3; i++) {
		post_send(&from, 1, to.qpn, 0, 8);
		go(&from, bench);
		assert_true(!eqe_at(guest, 0, 0) == (i < 1));
	}
	assert_int_equal(eqe_at(guest, 0, 0)[1], 0x14);
	assert_int_equal(get_be32(eqe_at(guest, 0, 0) + 56), srqn);
	assert_null(eqe_at(guest, 0, 1));
	assert_int_equal(on(guest, TO_ERR_QP, to.qpn), 0);
	assert_int_equal(eqe_at(guest, 0, 1)[1], 0x13); /* last work request reached */
	assert_int_equal(on(guest, DESTROY_XRC_SRQ, srqn), 9);
	assert_int_equal(on(guest, DESTROY_QP, to.qpn), 0);
	assert_int_equal(on(guest, DESTROY_XRC_SRQ, srqn), 0);
}

static void absurd_sizes(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[0];

	assert_int_equal(create_srq(guest, QP_AT, 15, 7), 0);
	assert_int_equal(create_srq(guest, QP_AT, 12, 5),
			 0); /* 4096 slots of 512 bytes in a page */
	put_be32(guest->in + 16 + 24, 31u << 24); /* log_page_size: 2^43 bytes */
	put_be32(guest->in + 16 + 12, 6u << 24 | guest->uar);
	put_be32(guest->in + 16 + 20, guest->eqn);
	assert_int_equal(execute(guest, CREATE_CQ, 0, 280), 3);
	put_be32(guest->in + 16 + 12, 31u << 24 | guest->uar);
	assert_int_equal(execute(guest, CREATE_EQ, 0, 280), 3);
	put_be32(guest->in + 16 + 12, 6u << 24 | guest->uar);
	put_be32(guest->in + 16 + 20, CX5_VECTORS);
	put_pages(guest, 272, EQ_AT, 1);
	assert_int_equal(execute(guest, CREATE_EQ, 0, 280), 3);
	put_be32(guest->in + 12, 0xffffffff);
	assert_int_equal(execute(guest, MANAGE_PAGES, 1, 32), 0x50);
}

static void wild_doorbells(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	uint8_t ones[64];

	memset(ones, 0xff, sizeof(ones));
	for (uint64_t offset = 0; offset < 0x3000; offset += 4)
		for (size_t len = 1; len <= 8; len++)
			cx5_bar_write(&guest->dev, (uint64_t)guest->uar * PAGE + offset, ones, len);
	cx5_bar_write(&guest->dev, CX5_BAR0_SIZE - 64, ones, 64);
	cx5_bar_write(&guest->dev, 1, ones, 64);
	cx5_bar_write(&guest->dev, 0x2000, ones, 64);
	sched_run(bench->sched);
	create_qp(guest, ST_UD, 0, QKEY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(no_segments),
		bench_test(more_segments_than_posted),
		bench_test(no_address_vector),
		bench_test(an_operation_of_other_transports),
		bench_test(an_operation_that_is_none),
		bench_test(inline_data_beyond_the_end),
		bench_test(lengths_that_add_up_to_too_much),
		bench_test(a_producer_counter_that_cannot_be),
		bench_test(queues_that_are_nowhere),
		bench_test(receives_counted_beyond_the_queue),
		bench_test(an_inline_receive),
		bench_test(links_that_go_in_circles),
		bench_test(limits_come_once),
		bench_test(absurd_sizes),
		bench_test(wild_doorbells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
