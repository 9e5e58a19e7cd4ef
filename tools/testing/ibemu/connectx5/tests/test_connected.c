/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The connected transports, from one device's work requests to the other's memory and completions.
 * The engine's own tests have the packets and their losses.
 */
#include "connectx5/tests/connect.h"

#define FAR 0x8000u /* data offset on the other side */

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

static void fill(struct guest *guest, uint32_t at, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		*data(guest, at + i) = (uint8_t)(i * 7 + (i >> 8));
}

static void a_send_arrives(void **state, unsigned int st)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to;
	struct wqe wqe = begin_wqe(0x0b, 0xaabbccdd);
	const uint8_t *cqe;

	connect_pair(bench, st, &from, &to);
	fill(a, 0, 5000);
	post_receive(&to, FAR, 6000);
	add_data(&wqe, &from, 0, 5000);
	post_and_run(&from, &wqe, bench);
	expect(a, 0, CQE_REQUEST, 0);
	assert_int_equal(get_be32(cqe_at(a, 0) + 32), 0x00abc0); /* user index */
	assert_int_equal(get_be32(cqe_at(a, 0) + 56), 0x0b000000 | from.qpn);
	expect(b, 0, CQE_RECEIVED_IMM, 0);
	cqe = cqe_at(b, 0);
	assert_int_equal(get_be32(cqe + 32), 0x00abc3);
	assert_int_equal(get_be32(cqe + 36), 0xaabbccdd);
	assert_int_equal(get_be32(cqe + 44), 5000);
	assert_int_equal(get_be32(cqe + 24), 3u << 24 | from.qpn); /* SL 3 */
	assert_memory_equal(data(b, FAR), data(a, 0), 5000);
	/* 5 packets, from PSN 0xfffffe on */
	assert_int_equal(get_be24(query(&from) + 121), 3);
	if (st == ST_RC)
		assert_int_equal(get_be24(query(&to) + 149), 3);
}

static void reliable_send(void **state)
{
	a_send_arrives(state, ST_RC);
}

static void unreliable_send(void **state)
{
	a_send_arrives(state, ST_UC);
}

static void a_write_arrives(void **state, unsigned int st)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to;
	uint32_t rkey = remote_key(b, false);
	struct wqe silent = begin_wqe(0x08, 0), told = begin_wqe(0x09, 0x01020304);

	connect_pair(bench, st, &from, &to);
	fill(a, 0, 3000);
	add_remote(&silent, bus(DATA_AT + FAR), rkey);
	add_data(&silent, &from, 0, 1000);
	add_data(&silent, &from, 1000, 2000);
	post_and_run(&from, &silent, bench);
	expect(a, 0, CQE_REQUEST, 0);
	assert_memory_equal(data(b, FAR), data(a, 0), 3000);
	assert_null(cqe_at(b, 0));
	post_receive(&to, 0, 0);
	add_remote(&told, bus(DATA_AT + FAR + 5000), rkey);
	add_data(&told, &from, 0, 10);
	post_and_run(&from, &told, bench);
	expect(b, 0, CQE_WRITTEN_IMM, 0);
	assert_int_equal(get_be32(cqe_at(b, 0) + 36), 0x01020304);
	assert_int_equal(get_be32(cqe_at(b, 0) + 44), 10);
	assert_memory_equal(data(b, FAR + 5000), data(a, 0), 10);
}

static void reliable_write(void **state)
{
	a_write_arrives(state, ST_RC);
}

static void unreliable_write(void **state)
{
	a_write_arrives(state, ST_UC);
}

static void a_read(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to;
	struct wqe wqe = begin_wqe(0x10, 0);

	connect_pair(bench, ST_RC, &from, &to);
	fill(b, FAR, 3000);
	add_remote(&wqe, bus(DATA_AT + FAR), remote_key(b, false));
	add_data(&wqe, &from, 0, 3000);
	post_and_run(&from, &wqe, bench);
	expect(a, 0, CQE_REQUEST, 0);
	assert_int_equal(get_be32(cqe_at(a, 0) + 44), 3000);
	assert_int_equal(cqe_at(a, 0)[56], 0x10);
	assert_memory_equal(data(a, 0), data(b, FAR), 3000);
}

/* Until a driver has chosen, numbers in memory are big-endian. */
static void atomics(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to;
	uint32_t rkey = remote_key(b, false);
	struct wqe add = begin_wqe(0x12, 0), swap = begin_wqe(0x11, 0);

	connect_pair(bench, ST_RC, &from, &to);
	put_be64(data(b, FAR), 40);
	add_remote(&add, bus(DATA_AT + FAR), rkey);
	add_operands(&add, 2, 0);
	add_data(&add, &from, 0, 8);
	post_and_run(&from, &add, bench);
	expect(a, 0, CQE_REQUEST, 0);
	assert_int_equal(get_be32(cqe_at(a, 0) + 44), 8);
	assert_int_equal(get_be64(data(a, 0)), 40);
	assert_int_equal(get_be64(data(b, FAR)), 42);
	add_remote(&swap, bus(DATA_AT + FAR), rkey);
	add_operands(&swap, 0x1122334455667788, 42);
	add_data(&swap, &from, 8, 8);
	post_and_run(&from, &swap, bench);
	assert_int_equal(get_be64(data(a, 8)), 42);
	assert_int_equal(get_be64(data(b, FAR)), 0x1122334455667788);
}

static void atomics_in_the_hosts_byte_order(void **state)
{
	struct bench *bench = *state;
	struct guest *b = &bench->guest[1];
	struct queue_pair from, to;
	struct wqe add = begin_wqe(0x12, 0);

	assert_int_equal(execute(b, TEARDOWN_HCA, 0, 16), 0);
	b->in[16 + 8] = 0x80; /* a mode that isn't */
	assert_int_equal(execute(b, SET_HCA_CAP, 3 << 1, 272), 3);
	b->in[16 + 8] = 0x40;
	assert_int_equal(execute(b, SET_HCA_CAP, 3 << 1, 272), 0);
	assert_int_equal(execute(b, QUERY_HCA_CAP, 3 << 1 | 1, 16), 0);
	assert_int_equal(b->out[16 + 8], 0x42);           /* and it is supported */
	assert_int_equal(get_be16(b->out + 16 + 18), 3);  /* compare-and-swap, fetch-and-add */
	assert_int_equal(get_be16(b->out + 16 + 22), 8);  /* bytes */
	assert_int_equal(execute(b, INIT_HCA, 0, 32), 0);
	set_up_verbs(b);
	connect_pair(bench, ST_RC, &from, &to);
	*data(b, FAR) = 0xff;
	add_remote(&add, bus(DATA_AT + FAR), remote_key(b, false));
	add_operands(&add, 2, 0);
	add_data(&add, &from, 0, 8);
	post_and_run(&from, &add, bench);
	assert_memory_equal(data(b, FAR), "\x01\x01\0\0\0\0\0\0", 8);
	assert_int_equal(*data(&bench->guest[0], 7), 0xff);
}

/* A write to a queue pair that executes none, and one that the driver takes the right away from. */
static void rights_of_the_queue_pair(void **state)
{
	static const struct link_options all = { .rights = ALL_REMOTE, .pm_state = PM_MIGRATED };
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to;
	uint32_t rkey = remote_key(b, false);

	assert_int_equal(try_create_qp(a, &from, ST_RC, 0), 0);
	assert_int_equal(try_create_qp(b, &to, ST_RC, 0), 0);
	connect_with(&from, &to, &all);
	for (uint32_t i = 0; i < 3; i++) {
		struct wqe wqe = begin_wqe(0x08, 0);

		/* First without the option's bit, which changes nothing. */
		put_be32(b->in + 16, i == 2 ? 8 : 0);
		context_of(&to);
		assert_int_equal(execute(b, RTS2RTS_QP, 0, 272), 0);
		add_remote(&wqe, bus(DATA_AT + FAR), rkey);
		add_data(&wqe, &from, 0, 8);
		post_and_run(&from, &wqe, bench);
		expect(a, i, i == 2 ? CQE_REQUEST_ERROR : CQE_REQUEST,
		       i == 2 ? REMOTE_INVALID_REQUEST : 0);
	}
}

static void keys_without_the_right(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to;
	struct wqe wqe = begin_wqe(0x08, 0), later = begin_wqe(0x0a, 0);

	connect_pair(bench, ST_RC, &from, &to);
	add_remote(&wqe, bus(DATA_AT + FAR), b->lkey);
	add_data(&wqe, &from, 0, 8);
	add_data(&later, &from, 0, 8);
	post_wqe(&from, &wqe);
	post_and_run(&from, &later, bench);
	expect(a, 0, CQE_REQUEST_ERROR, REMOTE_ACCESS);
	expect(a, 1, CQE_REQUEST_ERROR, FLUSHED);
	assert_int_equal(query(&from)[0] >> 4, 6); /* the error state */
	assert_int_equal(query(&to)[0] >> 4, 6);
}

/* A shared receive queue of 4 slots of 64 bytes, of the domain; its user index is 0xd00d. */
static uint32_t create_xrc_srq(struct guest *guest, uint32_t xrcd)
{
	uint8_t *srqc = guest->in + 16;
	uint32_t at = QP_AT + 20 * PAGE;

	srqc[0] = 2;
	put_be32(srqc + 4, 2u << 24 | xrcd);
	put_be32(srqc + 8, guest->cqn);
	put_be32(srqc + 16, 0xd00d);
	put_be32(srqc + 24, guest->pd);
	put_be64(srqc + 40, bus(RECORDS_AT + 40 * 64));
	put_pages(guest, 272, at, 1);
	assert_int_equal(execute(guest, CREATE_XRC_SRQ, 0, 280), 0);
	put_be16(guest->ram + at + 2, 1);
	put_data_segment(guest->ram + at + 16, 2000, guest->lkey, bus(DATA_AT + FAR));
	put_data_segment(guest->ram + at + 32, 0, 0x100, 0);
	put_be32(guest->ram + RECORDS_AT + 40 * 64, 1);
	return get_be24(guest->out + 9);
}

static struct queue_pair create_xrc(struct guest *guest, uint32_t xrcd)
{
	struct queue_pair qp;

	put_be24(guest->in + 24 + 153, xrcd);
	assert_int_equal(try_create_qp(guest, &qp, ST_XRC, 0), 0);
	qp.at -= 16 * 64; /* there is no receive queue in front of the send queue */
	return qp;
}

static void extended_reliable_connection(void **state)
{
	static const struct link_options all = { .rights = ALL_REMOTE, .pm_state = PM_MIGRATED };
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	uint32_t xrcd = alloc(b, ALLOC_XRCD), srqn = create_xrc_srq(b, xrcd);
	struct queue_pair from = create_xrc(a, alloc(a, ALLOC_XRCD)), to = create_xrc(b, xrcd);
	struct wqe wqe = begin_wqe(0x0a, 0);

	connect_with(&from, &to, &all);
	fill(a, 0, 1500);
	put_be32(add_segments(&wqe, 1), srqn);
	add_data(&wqe, &from, 0, 1500);
	post_and_run(&from, &wqe, bench);
	expect(a, 0, CQE_REQUEST, 0);
	expect(b, 0, CQE_RECEIVED, 0);
	assert_int_equal(get_be32(cqe_at(b, 0) + 32), 0xd00d);
	assert_int_equal(get_be32(cqe_at(b, 0) + 44), 1500);
	assert_int_equal(get_be32(cqe_at(b, 0) + 56), to.qpn);
	assert_memory_equal(data(b, FAR), data(a, 0), 1500);
	assert_int_equal(on(b, DEALLOC_XRCD, xrcd), 9); /* in use */
	assert_int_equal(on(b, DESTROY_QP, to.qpn), 0);
	assert_int_equal(on(b, DESTROY_XRC_SRQ, srqn), 0);
	assert_int_equal(on(b, DEALLOC_XRCD, xrcd), 0);
}

static void a_domain_that_is_none(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[0];
	struct queue_pair qp;

	put_be24(guest->in + 24 + 153, 77);
	assert_int_equal(try_create_qp(guest, &qp, ST_XRC, 0), 5);
	assert_int_equal(on(guest, DEALLOC_PD, guest->pd), 9); /* the key's and not more: */
	assert_int_equal(on(guest, DESTROY_MKEY, guest->lkey >> 8), 0);
	assert_int_equal(on(guest, DEALLOC_PD, guest->pd), 0);
}

/* The primary path leads nowhere: after all retries the alternate one is taken. */
static void path_migration(void **state)
{
	static const struct link_options options = { .rights = ALL_REMOTE,
						     .pm_state = PM_ARMED,
						     .dlid = 99,
						     .alternate_dlid = 2 };
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct queue_pair from, to;
	struct wqe wqe = begin_wqe(0x0a, 0);

	assert_int_equal(try_create_qp(a, &from, ST_RC, 0), 0);
	assert_int_equal(try_create_qp(b, &to, ST_RC, 0), 0);
	connect_with(&from, &to, &options);
	assert_int_equal(query(&from)[2] >> 3 & 3, PM_ARMED);
	assert_int_equal(get_be16(query(&from) + 24 + 6), 99);
	post_receive(&to, FAR, 100);
	add_data(&wqe, &from, 0, 8);
	post_and_run(&from, &wqe, bench);
	sched_advance(bench->sched, 60 * NSEC_PER_SEC);
	expect(a, 0, CQE_REQUEST, 0);
	expect(b, 0, CQE_RECEIVED, 0);
	assert_int_equal(eqe_at(a, 0, 0)[1], 0x01);
	assert_int_equal(query(&from)[2] >> 3 & 3, PM_MIGRATED);
	assert_int_equal(get_be16(query(&from) + 24 + 6), 2);
	assert_int_equal(query(&to)[2] >> 3 & 3, PM_MIGRATED);
}

/* Work requests that are cut off, or that ask for what can't be. */
static void refuse(void **state, struct wqe *wqe)
{
	struct bench *bench = *state;
	struct queue_pair from, to;

	connect_pair(bench, ST_RC, &from, &to);
	post_and_run(&from, wqe, bench);
	expect(&bench->guest[0], 0, CQE_REQUEST_ERROR, LOCAL_QP_OPERATION);
	assert_int_equal(query(&from)[0] >> 4, 6);
}

static void no_remote_address(void **state)
{
	struct wqe wqe = begin_wqe(0x08, 0);

	refuse(state, &wqe);
}

static void no_operands(void **state)
{
	struct wqe wqe = begin_wqe(0x11, 0);

	add_remote(&wqe, bus(DATA_AT), 0);
	refuse(state, &wqe);
}

static void inline_data_for_a_response(void **state)
{
	struct wqe wqe = begin_wqe(0x10, 0);

	add_remote(&wqe, bus(DATA_AT), remote_key(&((struct bench *)*state)->guest[1], false));
	put_be32(add_segments(&wqe, 1), 0x80000000u | 8);
	refuse(state, &wqe);
}

static void reads_over_unreliable_connections(void **state)
{
	struct bench *bench = *state;
	struct queue_pair from, to;
	struct wqe wqe = begin_wqe(0x10, 0);

	connect_pair(bench, ST_UC, &from, &to);
	add_remote(&wqe, bus(DATA_AT), remote_key(&bench->guest[1], false));
	add_data(&wqe, &from, 0, 8);
	post_and_run(&from, &wqe, bench);
	expect(&bench->guest[0], 0, CQE_REQUEST_ERROR, LOCAL_QP_OPERATION);
}

/* Datagrams have a PSN of their own to begin with, and nobody counts. */
static void datagrams_keep_theirs(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[0];
	struct queue_pair qp;

	assert_int_equal(try_create_qp(guest, &qp, ST_UD, 0), 0);
	assert_int_equal(modify(&qp, RST2INIT_QP, 0, QKEY, 0), 0);
	assert_int_equal(modify(&qp, INIT2RTR_QP, 0, 0, 0), 0);
	put_be24(context_of(&qp) + 121, 0x123456);
	assert_int_equal(execute(guest, RTR2RTS_QP, 0, 272), 0);
	assert_int_equal(get_be24(query(&qp) + 121), 0x123456);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(reliable_send),
		bench_test(unreliable_send),
		bench_test(reliable_write),
		bench_test(unreliable_write),
		bench_test(a_read),
		bench_test(atomics),
		bench_test(atomics_in_the_hosts_byte_order),
		bench_test(rights_of_the_queue_pair),
		bench_test(keys_without_the_right),
		bench_test(extended_reliable_connection),
		bench_test(a_domain_that_is_none),
		bench_test(path_migration),
		bench_test(datagrams_keep_theirs),
		bench_test(no_remote_address),
		bench_test(no_operands),
		bench_test(inline_data_for_a_response),
		bench_test(reads_over_unreliable_connections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
