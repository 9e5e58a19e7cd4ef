/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * User contexts: what one has made is out of reach for another, whichever command tries, and for
 * none is the driver's own.
 */
#include "connectx5/tests/connect.h"

#define EVERYBODY 0xffff
#define BAD_OP 0x2
#define BAD_RES 0x5

enum { CREATE_UCTX = 0xa04, DESTROY_UCTX = 0xa06, ALLOC_TRANSPORT_DOMAIN = 0x816 };

static struct bench *bench;
static struct guest *guest;
static uint16_t first, second; /* contexts */
static uint32_t shared_eqn;    /* the driver's, for everybody's completions */

static uint16_t create_uctx(void)
{
	assert_int_equal(execute(guest, CREATE_UCTX, 0, 64), 0);
	return get_be16(guest->out + 10);
}

static int set_up(void **state)
{
	(void)state;
	bench = bench_create_verbs();
	guest = &bench->guest[0];
	first = create_uctx();
	second = create_uctx();
	put_be16(guest->in + 2, EVERYBODY);
	shared_eqn = create_eq(guest, 1, 4, 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	bench_destroy(bench);
	return 0;
}

/* The same command in the name of a context. */
static uint8_t as(uint16_t uid, uint16_t opcode, uint32_t in_len)
{
	put_be16(guest->in + 2, uid);
	return execute(guest, opcode, 0, in_len);
}

static uint8_t on_as(uint16_t uid, uint16_t opcode, uint32_t num)
{
	put_be32(guest->in + 8, num);
	return as(uid, opcode, 16);
}

static uint32_t alloc_as(uint16_t uid, uint16_t opcode)
{
	assert_int_equal(as(uid, opcode, 16), 0);
	return get_be24(guest->out + 9);
}

static void contexts_have_numbers(void **state)
{
	(void)state;
	assert_int_not_equal(first, 0);
	assert_int_not_equal(first, second);
	put_be16(guest->in + 10, first);
	assert_int_equal(execute(guest, DESTROY_UCTX, 0, 16), 0);
	put_be16(guest->in + 10, first);
	assert_int_equal(execute(guest, DESTROY_UCTX, 0, 16), BAD_RES);
	assert_int_equal(as(first, ALLOC_PD, 16), BAD_RES);
	assert_int_equal(as((uint16_t)(second + 1), ALLOC_PD, 16), BAD_RES);
}

static void numbers_are_ones_own(void **state)
{
	static const uint16_t pairs[][2] = {
		{ ALLOC_PD, DEALLOC_PD }, { ALLOC_UAR, DEALLOC_UAR }, { ALLOC_XRCD, DEALLOC_XRCD },
		{ ALLOC_TRANSPORT_DOMAIN, ALLOC_TRANSPORT_DOMAIN + 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		uint32_t num = alloc_as(first, pairs[i][0]);

		assert_int_equal(on_as(second, pairs[i][1], num), BAD_RES);
		assert_int_equal(on_as(first, pairs[i][1], num), 0);
		num = alloc_as(first, pairs[i][0]);
		assert_int_equal(on(guest, pairs[i][1], num), 0); /* the driver may */
		assert_int_equal(on_as(first, pairs[i][1], num), BAD_RES);
	}
	assert_int_equal(on_as(first, DEALLOC_PD, guest->pd), BAD_RES);
}

static uint8_t create_mkey_as(uint16_t uid, uint32_t pd)
{
	guest->in[16] = 0x40;
	guest->in[16 + 2] = 0x82;
	put_be32(guest->in + 16 + 12, pd);
	put_be32(guest->in + 16 + 52, 4);
	return as(uid, CREATE_MKEY, 272);
}

static void keys_are_ones_own(void **state)
{
	uint32_t pd = alloc_as(first, ALLOC_PD), num;

	(void)state;
	assert_int_equal(create_mkey_as(second, pd), BAD_RES);
	assert_int_equal(create_mkey_as(first, guest->pd), BAD_RES);
	assert_int_equal(create_mkey_as(first, pd), 0);
	num = get_be24(guest->out + 9);
	assert_int_equal(on_as(second, QUERY_MKEY, num), BAD_RES);
	assert_int_equal(on_as(second, DESTROY_MKEY, num), BAD_RES);
	assert_int_equal(on_as(first, QUERY_MKEY, guest->lkey >> 8), BAD_RES);
	assert_int_equal(on_as(first, QUERY_MKEY, num), 0);
	assert_int_equal(on_as(first, DESTROY_MKEY, num), 0);
}

/* A queue pair of a context, with what it stands on; which: whose that is, one by one. */
static uint8_t create_qp_as(uint16_t uid, const uint32_t pds[2], const uint32_t cqs[2],
			    const uint32_t uars[2], unsigned int which)
{
	uint8_t *qpc = guest->in + 24;

	put_be32(qpc + 4, pds[which & 1]);
	qpc[9] = 3; /* no receive queue; the field for a shared one is anything */
	qpc[10] = 4 << 3;
	put_be32(qpc + 12, uars[which >> 1 & 1]);
	put_be32(qpc + 124, cqs[which >> 2 & 1]);
	put_be32(qpc + 156, cqs[which >> 3 & 1]);
	put_be32(qpc + 172, 3u << 24 | 0x777777);
	put_be64(qpc + 160, bus(RECORDS_AT + 40 * 64));
	put_pages(guest, 272, QP_AT + 9 * PAGE, 1);
	return as(uid, CREATE_QP, 280);
}

static uint8_t try_create_cq_as(uint16_t uid, uint32_t at, uint32_t uar, uint32_t eqn)
{
	put_be32(guest->in + 16 + 12, 6u << 24 | uar);
	put_be32(guest->in + 16 + 20, eqn);
	put_be64(guest->in + 16 + 56, bus(RECORDS_AT + 41 * 64));
	put_pages(guest, 272, at, 1);
	return as(uid, CREATE_CQ, 280);
}

static uint32_t create_cq_as(uint16_t uid, uint32_t at, uint32_t uar)
{
	assert_int_equal(try_create_cq_as(uid, at, uar, shared_eqn), 0);
	return get_be24(guest->out + 9);
}

static void events_go_to_what_is_shared(void **state)
{
	uint32_t uar = alloc_as(first, ALLOC_UAR), at = CQ_AT + 4 * PAGE;

	(void)state;
	assert_int_equal(try_create_cq_as(first, at, uar, guest->eqn), BAD_RES);
	assert_int_equal(try_create_cq_as(first, at, guest->uar, shared_eqn), BAD_RES);
	assert_int_equal(try_create_cq_as(first, at, uar, shared_eqn), 0);
}

/* Of all that a queue pair names, nothing may be another's. */
static void queue_pairs_stand_on_ones_own(void **state)
{
	uint32_t pds[2] = { alloc_as(first, ALLOC_PD), alloc_as(second, ALLOC_PD) };
	uint32_t uars[2] = { alloc_as(first, ALLOC_UAR), alloc_as(second, ALLOC_UAR) };
	uint32_t cqs[2] = { create_cq_as(first, CQ_AT + 4 * PAGE, uars[0]),
			    create_cq_as(second, CQ_AT + 5 * PAGE, uars[1]) };
	uint32_t qpn;

	(void)state;
	for (unsigned int which = 1; which < 16; which++)
		assert_int_equal(create_qp_as(first, pds, cqs, uars, which), BAD_RES);
	assert_int_equal(create_qp_as(first, pds, cqs, uars, 0), 0);
	qpn = get_be24(guest->out + 9);
	assert_int_equal(on_as(second, QUERY_QP, qpn), BAD_RES);
	put_be32(guest->in + 8, qpn);
	assert_int_equal(as(second, RST2INIT_QP, 272), BAD_RES);
	assert_int_equal(on_as(second, TO_ERR_QP, qpn), BAD_RES);
	assert_int_equal(on_as(second, DESTROY_QP, qpn), BAD_RES);
	put_be32(guest->in + 8, qpn);
	assert_int_equal(as(first, RST2INIT_QP, 272), 0);
	assert_int_equal(on_as(second, QUERY_CQ, cqs[0]), BAD_RES);
	assert_int_equal(on_as(first, DESTROY_QP, qpn), 0);
}

/* What isn't about one's own objects is the driver's business. */
static void commands_for_the_driver_alone(void **state)
{
	static const uint16_t opcodes[] = {
		MAD_IFC, CREATE_EQ, DESTROY_EQ, MANAGE_PAGES, SET_HCA_CAP, TEARDOWN_HCA,
		DISABLE_HCA, CREATE_UCTX, DESTROY_UCTX, PAGE_FAULT_RESUME, ACCESS_REG,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		assert_int_equal(as(first, opcodes[i], 512), BAD_OP);
	assert_int_equal(as(first, QUERY_HCA_CAP, 16), 0);
}

static void what_is_left_is_the_drivers(void **state)
{
	uint32_t pd = alloc_as(first, ALLOC_PD);

	(void)state;
	put_be16(guest->in + 10, first);
	assert_int_equal(execute(guest, DESTROY_UCTX, 0, 16), 0);
	for (unsigned int i = 0; i < 2000; i++) {
		uint16_t uid = create_uctx();

		assert_int_equal(on_as(uid, DEALLOC_PD, pd), BAD_RES);
		put_be16(guest->in + 10, uid);
		assert_int_equal(execute(guest, DESTROY_UCTX, 0, 16), 0);
	}
	assert_int_equal(on(guest, DEALLOC_PD, pd), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(contexts_have_numbers),
		bench_test(numbers_are_ones_own),
		bench_test(keys_are_ones_own),
		bench_test(events_go_to_what_is_shared),
		bench_test(queue_pairs_stand_on_ones_own),
		bench_test(commands_for_the_driver_alone),
		bench_test(what_is_left_is_the_drivers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
