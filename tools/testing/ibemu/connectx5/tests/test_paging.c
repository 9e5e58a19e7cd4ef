/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * On-demand paging: a key of guest 1 whose pages come and go, met by either side. Each fault is an
 * event; the driver (of guest 1) fills the list by a work request and has the queue pair go on.
 */
#include <endian.h>

#include "connectx5/tests/umr.h"

#define START 0x7f0000002000ull
#define PAGES 4u
#define READ 1u
#define WRITE 2u
#define HERE (READ | WRITE)

enum { OFFSET = 0x10 };
enum { SUB_WQE = 0, SUB_REMOTE = 1 };
/* Types of page faults. */
enum { OF_SEND = 1, OF_RECEIVE = 2, OF_READ = 3, REMOTE_READ = 4, REMOTE_WRITE = 6 };
enum { LOCAL_DMA = 31 << 2 };

static struct queue_pair umr; /* of guest 1: changes the list, as its driver does */
static uint32_t events;       /* page faults seen */

/* Page n of the key lies at data page 32 + n. */
static void put_page(uint8_t *p, unsigned int n, unsigned int flags)
{
	put_be64(p, flags ? bus(DATA_AT + (32 + n) * PAGE) | flags : 0);
}

static uint8_t *page(struct world *world, unsigned int n)
{
	return data(&world->bench->guest[1], (32 + n) * PAGE);
}

static uint32_t paged_key(struct guest *guest)
{
	guest->in[12] = 0x80; /* flags of pages say if they are there */
	guest->in[16 + 2] = 0x80 | LOCAL_DMA | 1;
	put_be32(guest->in + 16 + 4, 0xffffff09);
	put_be32(guest->in + 16 + 12, guest->pd);
	put_be64(guest->in + 16 + 16, START);
	put_be64(guest->in + 16 + 24, PAGES * PAGE);
	put_be32(guest->in + 16 + 52, PAGES / 2);
	guest->in[16 + 59] = 12;
	put_be32(guest->in + 96, PAGES / 2);
	assert_int_equal(execute(guest, CREATE_MKEY, 0, 272 + PAGES * 8), 0);
	return get_be24(guest->out + 9) << 8 | 0x09;
}

static int set_up(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	struct queue_pair other;

	assert_non_null(world);
	world->bench = bench_create_verbs();
	connect_pair(world->bench, ST_RC, &world->from, &world->to);
	assert_int_equal(try_create_qp(&world->bench->guest[1], &umr, ST_RC, 5), 0);
	assert_int_equal(try_create_qp(&world->bench->guest[0], &other, ST_RC, 6), 0);
	connect_with(&other, &umr, &(struct link_options){ .pm_state = PM_MIGRATED });
	world->region = paged_key(&world->bench->guest[1]);
	events = 0;
	*state = world;
	return 0;
}

/* Pages n and n + 1, n being even, are there, or not. */
static void set_pages(struct world *world, unsigned int n, unsigned int first, unsigned int second)
{
	struct wqe wqe = begin_change(world->region, INLINE | OFFSET, 0, 1);
	uint8_t *p = add_segments(&wqe, 1);

	put_be16(wqe.bytes + 16 + 6, (uint16_t)(n / 2));
	put_page(p, n, first);
	put_page(p + 8, n + 1, second);
	post_and_run(&umr, &wqe, world->bench);
	next(world, 1, CQE_REQUEST, 0);
}

/* Time for a few RNR timers of 10 us. */
static void wait_a_little(struct world *world)
{
	sched_run(world->bench->sched);
	sched_advance(world->bench->sched, NSEC_PER_MSEC);
}

/* The next page fault's data. */
static const uint8_t *fault(struct world *world, unsigned int sub_type, unsigned int type)
{
	struct guest *b = &world->bench->guest[1];
	const uint8_t *eqe = eqe_at(b, 0, events);

	while (eqe && eqe[1] != 0x0c)
		eqe = eqe_at(b, 0, ++events);
	assert_non_null(eqe);
	events++;
	assert_int_equal(eqe[3], sub_type);
	assert_int_equal(eqe[32 + 24], type);
	return eqe + 32;
}

static void no_fault(struct world *world)
{
	struct guest *b = &world->bench->guest[1];

	for (const uint8_t *eqe; (eqe = eqe_at(b, 0, events)); events++)
		assert_int_not_equal(eqe[1], 0x0c);
}

static void resume(struct world *world, unsigned int type, bool error)
{
	struct guest *b = &world->bench->guest[1];

	put_be32(b->in + 8, (error ? 1u << 31 : 0) | type << 24 | world->to.qpn);
	put_be32(b->in + 12, world->to.qpn);
	assert_int_equal(execute(b, PAGE_FAULT_RESUME, 0, 16), 0);
	wait_a_little(world);
}

/* What guest 0 asks for at an address of the key; it has 4 KiB of its own at data offset 0. */
static void ask(struct world *world, uint8_t opcode, uint64_t va, uint32_t len)
{
	struct wqe wqe = begin_wqe(opcode, 0);

	for (uint32_t i = 0; i < len; i++)
		data(&world->bench->guest[0], 0)[i] = (uint8_t)(i * 7 + 1);
	add_remote(&wqe, va, world->region);
	if (opcode == 0x12)
		add_operands(&wqe, 5, 0);
	add_data(&wqe, &world->from, 0, len);
	post_wqe(&world->from, &wqe);
	ring(&world->from);
	wait_a_little(world);
}

static void not_yet(struct world *world, unsigned int guest)
{
	assert_null(cqe_at(&world->bench->guest[guest], world->next[guest]));
}

static void a_write_waits(void **state)
{
	struct world *world = *state;
	const uint8_t *event;

	ask(world, 0x08, START + 16, 8);
	not_yet(world, 0);
	event = fault(world, SUB_REMOTE, REMOTE_WRITE);
	assert_int_equal(get_be32(event), 0);
	assert_int_equal(get_be32(event + 4), world->region);
	assert_int_equal(get_be16(event + 10), 8);
	assert_int_equal(get_be32(event + 12), 8);
	assert_int_equal(get_be64(event + 16), START + 16);
	assert_int_equal(get_be24(event + 25), world->to.qpn);
	set_pages(world, 0, HERE, 0);
	not_yet(world, 0);
	resume(world, REMOTE_WRITE, false);
	next(world, 0, CQE_REQUEST, 0);
	assert_memory_equal(page(world, 0) + 16, data(&world->bench->guest[0], 0), 8);
	no_fault(world);
}

/* The first page takes its part of the message, once. */
static void a_write_stops_half_way(void **state)
{
	struct world *world = *state;
	const uint8_t *event;

	set_pages(world, 0, HERE, 0);
	ask(world, 0x08, START + PAGE - 2048, 4096);
	event = fault(world, SUB_REMOTE, REMOTE_WRITE);
	assert_int_equal(get_be32(event), 2048);
	assert_int_equal(get_be64(event + 16), START + PAGE - 2048);
	set_pages(world, 0, HERE, HERE);
	resume(world, REMOTE_WRITE, false);
	next(world, 0, CQE_REQUEST, 0);
	assert_memory_equal(page(world, 1), data(&world->bench->guest[0], 2048), 2048);
}

static void a_read_waits(void **state)
{
	struct world *world = *state;
	const uint8_t *event;

	memset(page(world, 1), 0x5a, 8);
	ask(world, 0x10, START + PAGE, 8);
	not_yet(world, 0);
	event = fault(world, SUB_REMOTE, REMOTE_READ);
	assert_int_equal(get_be64(event + 16), START + PAGE);
	set_pages(world, 0, 0, READ);
	resume(world, REMOTE_READ, false);
	next(world, 0, CQE_REQUEST, 0);
	assert_memory_equal(data(&world->bench->guest[0], 0), page(world, 1), 8);
	no_fault(world);
}

static void an_atomic_waits(void **state)
{
	struct world *world = *state;

	memcpy(page(world, 0), &(uint64_t){ htobe64(37) }, 8);
	ask(world, 0x12, START, 8);
	not_yet(world, 0);
	fault(world, SUB_REMOTE, REMOTE_WRITE);
	set_pages(world, 0, HERE, 0);
	resume(world, REMOTE_WRITE, false);
	next(world, 0, CQE_REQUEST, 0);
	assert_int_equal(get_be64(page(world, 0)), 42);
}

static void a_page_may_be_for_reading_only(void **state)
{
	struct world *world = *state;

	set_pages(world, 0, READ, 0);
	ask(world, 0x10, START, 8);
	next(world, 0, CQE_REQUEST, 0);
	no_fault(world);
	ask(world, 0x08, START, 8);
	not_yet(world, 0);
	fault(world, SUB_REMOTE, REMOTE_WRITE);
}

/* A send of guest 0 for a receive in the key's second page. */
static void send_to_it(struct world *world)
{
	struct wqe wqe = begin_wqe(0x0a, 0);
	uint8_t *receive = world->to.guest->ram + world->to.at;

	post_receive(&world->to, 0, 3000);
	put_data_segment(receive, 3000, world->region, START + PAGE - 1000);
	memset(data(&world->bench->guest[0], 0), 0x77, 3000);
	add_data(&wqe, &world->from, 0, 3000);
	post_wqe(&world->from, &wqe);
	ring(&world->from);
	wait_a_little(world);
}

static void a_receive_waits(void **state)
{
	struct world *world = *state;
	const uint8_t *event;

	set_pages(world, 0, HERE, 0);
	send_to_it(world);
	not_yet(world, 0);
	not_yet(world, 1);
	event = fault(world, SUB_WQE, OF_RECEIVE);
	assert_int_equal(get_be32(event), 0);
	assert_int_equal(get_be16(event + 6), 0);
	assert_int_equal(get_be24(event + 25), world->to.qpn);
	set_pages(world, 0, HERE, HERE);
	resume(world, OF_RECEIVE, false);
	next(world, 0, CQE_REQUEST, 0);
	next(world, 1, CQE_RECEIVED, 0);
	assert_int_equal(page(world, 0)[PAGE - 1], 0x77);
	assert_int_equal(page(world, 1)[1999], 0x77);
}

/* Guest 1 sends, or reads, with its own memory in the key. */
static void use_it(struct world *world, uint8_t opcode, uint32_t rkey)
{
	struct wqe wqe = begin_wqe(opcode, 0);

	post_receive(&world->from, 0, 3000);
	if (opcode == 0x10)
		add_remote(&wqe, bus(DATA_AT), rkey);
	put_data_segment(add_segments(&wqe, 1), 3000, world->region, START);
	post_wqe(&world->to, &wqe);
	ring(&world->to);
	wait_a_little(world);
}

static void a_send_waits(void **state)
{
	struct world *world = *state;
	const uint8_t *event;

	use_it(world, 0x0a, 0);
	not_yet(world, 0);
	event = fault(world, SUB_WQE, OF_SEND);
	assert_int_equal(get_be16(event + 6), 0);
	memset(page(world, 0), 0x33, 3000);
	set_pages(world, 0, READ, 0);
	resume(world, OF_SEND, false);
	next(world, 0, CQE_RECEIVED, 0);
	next(world, 1, CQE_REQUEST, 0);
	assert_int_equal(data(&world->bench->guest[0], 2999)[0], 0x33);
	no_fault(world);
}

/* However long it takes: no retries are counted meanwhile. */
static void a_response_waits(void **state)
{
	struct world *world = *state;

	memset(data(&world->bench->guest[0], 0), 0x44, 3000);
	use_it(world, 0x10, remote_key(&world->bench->guest[0], false));
	fault(world, SUB_WQE, OF_READ);
	sched_advance(world->bench->sched, 60 * NSEC_PER_SEC);
	not_yet(world, 1);
	no_fault(world);
	set_pages(world, 0, HERE, 0);
	resume(world, OF_READ, false);
	next(world, 1, CQE_REQUEST, 0);
	assert_int_equal(page(world, 0)[2999], 0x44);
}

/* The other side tries and tries; that is one fault. A page that has gone again is another. */
static void faults_are_told_once(void **state)
{
	struct world *world = *state;

	ask(world, 0x08, START, 8);
	fault(world, SUB_REMOTE, REMOTE_WRITE);
	sched_advance(world->bench->sched, NSEC_PER_SEC);
	no_fault(world);
	resume(world, REMOTE_WRITE, false);
	not_yet(world, 0);
	fault(world, SUB_REMOTE, REMOTE_WRITE);
}

static void a_write_is_refused(void **state)
{
	struct world *world = *state;

	ask(world, 0x08, START, 8);
	resume(world, REMOTE_WRITE, true);
	next(world, 0, CQE_REQUEST_ERROR, REMOTE_ACCESS);
	assert_int_equal(query(&world->to)[0] >> 4, 6);
}

static void a_read_is_refused(void **state)
{
	struct world *world = *state;

	ask(world, 0x10, START, 8);
	resume(world, REMOTE_READ, true);
	next(world, 0, CQE_REQUEST_ERROR, REMOTE_ACCESS);
}

static void a_receive_is_refused(void **state)
{
	struct world *world = *state;

	send_to_it(world);
	resume(world, OF_RECEIVE, true);
	next(world, 0, CQE_REQUEST_ERROR, REMOTE_OPERATION);
	next(world, 1, CQE_RECEIVE_ERROR, LOCAL_PROTECTION);
}

static void a_send_is_refused(void **state)
{
	struct world *world = *state;

	use_it(world, 0x0a, 0);
	resume(world, OF_SEND, true);
	next(world, 1, CQE_REQUEST_ERROR, LOCAL_PROTECTION);
}

/* Who waits can be ended; what the driver says then comes too late. */
static void ended_while_it_waits(void **state)
{
	struct world *world = *state;
	struct guest *b = &world->bench->guest[1];

	use_it(world, 0x0a, 0);
	assert_int_equal(on(b, TO_ERR_QP, world->to.qpn), 0);
	sched_run(world->bench->sched);
	next(world, 1, CQE_REQUEST_ERROR, FLUSHED);
	resume(world, OF_SEND, false);
	not_yet(world, 1);
	assert_int_equal(on(b, TO_RST_QP, world->to.qpn), 0);
	resume(world, OF_SEND, false);
	assert_int_equal(on(b, DESTROY_QP, world->to.qpn), 0);
	put_be32(b->in + 12, world->to.qpn);
	assert_int_equal(execute(b, PAGE_FAULT_RESUME, 0, 16), 5);
}

/* Behind a key of blocks, the null key stands for whatever isn't there. */
static void nothing_behind_a_block(void **state)
{
	struct world *world = *state;
	struct guest *b = &world->bench->guest[1];
	struct wqe wqe;
	uint32_t key;

	assert_int_equal(execute(b, 0x203, 0, 16), 0);
	key = get_be32(b->out + 16);
	assert_int_not_equal(key, 0);
	b->in[16 + 2] = LOCAL_DMA | 3;
	put_be32(b->in + 16 + 4, 0xffffff0a);
	put_be32(b->in + 16 + 12, 0x80000000u | b->pd); /* of any length */
	put_be32(b->in + 16 + 52, 1);
	b->in[16 + 59] = 30;
	put_be32(b->in + 96, 1);
	put_data_segment(b->in + 272, 1u << 30, key, 0);
	assert_int_equal(execute(b, CREATE_MKEY, 0, 272 + 16), 0);
	key = get_be24(b->out + 9) << 8 | 0x0a;
	wqe = begin_wqe(0x08, 0);
	add_remote(&wqe, 0x1234, key);
	add_data(&wqe, &world->from, 0, 8);
	post_and_run(&world->from, &wqe, world->bench);
	not_yet(world, 0);
	assert_int_equal(get_be64(fault(world, SUB_REMOTE, REMOTE_WRITE) + 16), 0x1234);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(a_write_waits),
		bench_test(a_write_stops_half_way),
		bench_test(a_read_waits),
		bench_test(an_atomic_waits),
		bench_test(a_page_may_be_for_reading_only),
		bench_test(a_receive_waits),
		bench_test(a_send_waits),
		bench_test(a_response_waits),
		bench_test(faults_are_told_once),
		bench_test(a_write_is_refused),
		bench_test(a_read_is_refused),
		bench_test(a_receive_is_refused),
		bench_test(a_send_is_refused),
		bench_test(ended_while_it_waits),
		bench_test(nothing_behind_a_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
