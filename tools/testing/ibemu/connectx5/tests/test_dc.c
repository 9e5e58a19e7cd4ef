// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Dynamic connections: commands on targets, and what initiators write in their queues. The engine's
 * own tests have the packets.
 */
#include "connectx5/tests/dc.h"

#define FAR DC_RECEIVE_AT
#define EVENT_DRAINED 0x1c

enum { ACTIVE = 0, DRAINED = 2 };

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

static struct wqe begin_dc(uint8_t opcode, const struct target *target)
{
	struct wqe wqe = begin_wqe(opcode, 0x11223344);

	add_target(&wqe, 2, target);
	return wqe;
}

static void all_operations(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct target target = create_target(b);
	struct queue_pair from = create_initiator(a);
	uint32_t rkey = remote_key(b, false);
	struct wqe send = begin_dc(0x0b, &target), write = begin_dc(0x08, &target);
	struct wqe read = begin_dc(0x10, &target), add = begin_dc(0x12, &target);

	memset(data(a, 0), 0x5a, 1500);
	add_data(&send, &from, 0, 1500);
	add_remote(&write, bus(DATA_AT + 0x9000), rkey);
	add_data(&write, &from, 0, 100);
	add_remote(&read, bus(DATA_AT + 0x9000), rkey);
	add_data(&read, &from, 0x2000, 100);
	add_remote(&add, bus(DATA_AT + 0xa000), rkey);
	add_operands(&add, 1ull << 40, 0);
	add_data(&add, &from, 0x3000, 8);
	post_wqe(&from, &send);
	post_wqe(&from, &write);
	post_wqe(&from, &read);
	post_and_run(&from, &add, bench);
	for (uint32_t i = 0; i < 4; i++)
		expect(a, i, CQE_REQUEST, 0);
	expect(b, 0, CQE_RECEIVED_IMM, 0);
	assert_int_equal(get_be24(cqe_at(b, 0) + 25), from.qpn);
	assert_int_equal(get_be32(cqe_at(b, 0) + 32), 0xabcdef);
	assert_int_equal(get_be32(cqe_at(b, 0) + 36), 0x11223344);
	assert_int_equal(get_be32(cqe_at(b, 0) + 44), 1500);
	assert_int_equal(get_be24(cqe_at(b, 0) + 57), target.dctn);
	assert_int_equal(get_be16(cqe_at(b, 0) + 60), 0); /* the slot */
	assert_memory_equal(data(b, FAR), data(a, 0), 1500);
	assert_memory_equal(data(b, 0x9000), data(a, 0), 100);
	assert_memory_equal(data(a, 0x2000), data(a, 0), 100);
	assert_int_equal(get_be64(data(b, 0xa000)), 1ull << 40);
}

static void a_wrong_key(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct target target = create_target(b);
	struct queue_pair from = create_initiator(a);
	struct wqe wqe = begin_dc(0x0a, &target);

	put_be64(wqe.bytes + 16, DC_KEY + 1);
	add_data(&wqe, &from, 0, 8);
	post_and_run(&from, &wqe, bench);
	sched_advance(bench->sched, 10 * NSEC_PER_SEC);
	expect(a, 0, CQE_REQUEST_ERROR, 0x15);
	assert_int_equal(query(&from)[0] >> 4, 6);
	assert_int_equal(on(b, QUERY_DCT, target.dctn), 0);
	assert_int_equal(get_be32(b->out + 16 + 48), 8); /* once and 7 retries */
	assert_null(cqe_at(b, 0));
}

static void the_context_of_a_target(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[1];
	struct target target = create_target(guest);
	uint8_t dctc[64];

	target_context(guest, target.srqn);
	memcpy(dctc, guest->in + 16, sizeof(dctc));
	memset(guest->in, 0, sizeof(guest->in));
	assert_int_equal(on(guest, QUERY_DCT, target.dctn), 0);
	assert_memory_equal(guest->out + 16, dctc, sizeof(dctc));
}

static void a_target_is_no_queue_pair(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[1];
	struct target target = create_target(guest);
	struct queue_pair qp = create_initiator(guest);

	assert_int_equal(on(guest, QUERY_QP, target.dctn), 5);
	assert_int_equal(on(guest, TO_ERR_QP, target.dctn), 5);
	assert_int_equal(on(guest, DESTROY_QP, target.dctn), 5);
	put_be32(guest->in + 8, target.dctn);
	guest->in[16] = 0xff;
	assert_int_equal(execute(guest, ATTACH_TO_MCG, 0, 32), 5);
	assert_int_equal(on(guest, QUERY_DCT, qp.qpn), 5);
	assert_int_equal(on(guest, DRAIN_DCT, qp.qpn), 5);
	assert_int_equal(on(guest, DESTROY_DCT, qp.qpn), 5);
}

static void what_a_target_holds(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[1];
	struct target target = create_target(guest);

	assert_int_equal(on(guest, DESTROY_CQ, guest->cqn), 9);
	assert_int_equal(on(guest, DESTROY_RMP, target.srqn), 9);
	assert_int_equal(on(guest, DEALLOC_PD, guest->pd), 9);
	assert_int_equal(on(guest, DESTROY_DCT, target.dctn), 0);
	assert_int_equal(on(guest, QUERY_DCT, target.dctn), 5);
	assert_int_equal(on(guest, DESTROY_RMP, target.srqn), 0);
	assert_int_equal(on(guest, DESTROY_CQ, guest->cqn), 0);
	assert_int_equal(on(guest, DESTROY_MKEY, guest->lkey >> 8), 0);
	assert_int_equal(on(guest, DEALLOC_PD, guest->pd), 0);
}

static void targets_that_can_not_be(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[1];
	uint32_t srqn = create_rmp(guest);

	put_be24(target_context(guest, srqn) + 9, 77);
	assert_int_equal(execute(guest, CREATE_DCT, 0, 128), 5);
	put_be24(target_context(guest, srqn) + 21, 77);
	assert_int_equal(execute(guest, CREATE_DCT, 0, 128), 5);
	put_be24(target_context(guest, srqn) + 25, 77);
	assert_int_equal(execute(guest, CREATE_DCT, 0, 128), 5);
	target_context(guest, srqn)[40] = 6;
	assert_int_equal(execute(guest, CREATE_DCT, 0, 128), 3);
	put_be16(target_context(guest, srqn) + 42, 5000);
	assert_int_equal(execute(guest, CREATE_DCT, 0, 128), 3);
	target_context(guest, srqn);
	assert_int_equal(execute(guest, CREATE_DCT, 0, 64), 0x50);
	/* nothing is left behind */
	assert_int_equal(on(guest, DESTROY_RMP, srqn), 0);
	assert_int_equal(on(guest, DESTROY_CQ, guest->cqn), 0);
}

static void draining(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[1];
	struct target target = create_target(guest);

	assert_int_equal(on(guest, QUERY_DCT, target.dctn), 0);
	assert_int_equal(guest->out[16] & 0xf, ACTIVE);
	assert_null(eqe_at(guest, 0, 0));
	assert_int_equal(on(guest, DRAIN_DCT, target.dctn), 0);
	assert_non_null(eqe_at(guest, 0, 0));
	assert_int_equal(eqe_at(guest, 0, 0)[1], EVENT_DRAINED);
	assert_int_equal(get_be32(eqe_at(guest, 0, 0) + 56), target.dctn);
	assert_int_equal(on(guest, QUERY_DCT, target.dctn), 0);
	assert_int_equal(guest->out[16] & 0xf, DRAINED);
	assert_int_equal(on(guest, DESTROY_DCT, target.dctn), 0);
}

static void a_reset_takes_targets_along(void **state)
{
	struct bench *bench = *state;
	struct guest *a = &bench->guest[0], *b = &bench->guest[1];
	struct target target = create_target(b);
	struct queue_pair from = create_initiator(a);
	struct wqe wqe = begin_dc(0x0a, &target);

	add_data(&wqe, &from, 0, 8);
	post_and_run(&from, &wqe, bench);
	expect(b, 0, CQE_RECEIVED, 0);
	cx5_reset(&b->dev);
	cx5_reset(&a->dev);
	sched_advance(bench->sched, 100 * NSEC_PER_SEC);
	assert_null(hca_qp_find(&b->dev.hca, target.dctn));
}

static void a_request_that_is_cut_off(void **state)
{
	struct bench *bench = *state;
	struct queue_pair from = create_initiator(&bench->guest[0]);
	struct wqe wqe = begin_wqe(0x0a, 0);

	add_segments(&wqe, 2); /* two thirds of an address vector */
	post_and_run(&from, &wqe, bench);
	expect(&bench->guest[0], 0, CQE_REQUEST_ERROR, LOCAL_QP_OPERATION);
}

/* What stock's driver looks at before it offers any of this. */
static void capabilities(void **state)
{
	struct guest *guest = &((struct bench *)*state)->guest[0];

	assert_int_equal(execute(guest, QUERY_HCA_CAP, 1, 16), 0);
	assert_int_equal(guest->out[16 + 538 / 8] >> 5 & 1, 1); /* dct */
	assert_int_equal(get_be16(guest->out + 16 + 720 / 8), 1024); /* max_wqe_sz_sq_dc */
	assert_int_equal(guest->out[16 + 37] & 0x3f, 4); /* log_max_ra_req_dc */
	assert_int_equal(guest->out[16 + 39] & 0x3f, 4); /* log_max_ra_res_dc */
	assert_int_equal(execute(guest, QUERY_HCA_CAP, 3 << 1 | 1, 16), 0);
	assert_int_equal(get_be16(guest->out + 16 + 208 / 8), 8); /* atomic_size_dc */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(all_operations),
		bench_test(a_wrong_key),
		bench_test(the_context_of_a_target),
		bench_test(a_target_is_no_queue_pair),
		bench_test(what_a_target_holds),
		bench_test(targets_that_can_not_be),
		bench_test(draining),
		bench_test(a_reset_takes_targets_along),
		bench_test(a_request_that_is_cut_off),
		bench_test(capabilities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
