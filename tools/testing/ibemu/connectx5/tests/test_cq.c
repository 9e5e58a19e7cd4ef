/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Completion queues: wrapping, arming, moderation, overrun, resizing, wide entries. Completions are
 * made by empty sends.
 */
#include "connectx5/tests/bench.h"

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

/* Posts that many empty work requests, 8 at a time, and lets them complete. */
static void complete(struct bench *bench, struct queue_pair *qp, unsigned int count)
{
	while (count) {
		unsigned int some = count < 8 ? count : 8;

		for (unsigned int i = 0; i < some; i++) {
			uint8_t *wqe = send_block(qp, qp->sent);

			memset(wqe, 0, 64);
			put_be32(wqe + 4, qp->qpn << 8 | 1);
			wqe[11] = 0x08;
			qp->sent++;
		}
		ring(qp);
		sched_run(bench->sched);
		count -= some;
	}
}

static void set_consumer(struct guest *guest, uint32_t consumer)
{
	put_be32(guest->ram + RECORDS_AT, consumer);
}

static void ownership_alternates_round_by_round(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	for (uint32_t i = 0; i < 200; i++) {
		const uint8_t *cqe;

		assert_null(cqe_at(guest, i));
		complete(bench, &qp, 1);
		cqe = cqe_at(guest, i);
		assert_non_null(cqe);
		assert_int_equal(cqe[63] >> 4, 0);
		assert_int_equal(get_be16(cqe + 60), i);
		assert_int_equal(get_be32(cqe + 56), qp.qpn);
		assert_int_equal(get_be32(cqe + 32), 0x00abc0);
		set_consumer(guest, i + 1);
	}
}

static void one_event_an_arming(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	arm_eq(guest, guest->eqn, 0);
	complete(bench, &qp, 1);
	assert_null(eqe_at(guest, 0, 0));
	arm_cq(guest, guest->cqn, 1, false);
	assert_null(eqe_at(guest, 0, 0));
	complete(bench, &qp, 2);
	assert_int_equal(eqe_at(guest, 0, 0)[1], 0);
	assert_int_equal(get_be32(eqe_at(guest, 0, 0) + 56), guest->cqn);
	assert_null(eqe_at(guest, 0, 1));
	assert_int_equal(guest->raised[3], 1);
	arm_cq(guest, guest->cqn, 2, false); /* the third was never seen: at once */
	assert_non_null(eqe_at(guest, 0, 1));
	assert_int_equal(guest->raised[3], 1); /* the event queue isn't armed */
	arm_eq(guest, guest->eqn, 1);
	assert_int_equal(guest->raised[3], 2);
}

static void solicited_arming_waits_for_solicited_ones(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair from = create_qp(&bench->guest[1], ST_UD, 0, QKEY);
	struct queue_pair to = create_qp(guest, ST_UD, 0, QKEY);

	for (int i = 0; i < 3; i++)
		post_receive(&to, 0, 1000);
	arm_cq(guest, guest->cqn, 0, true);
	post_send(&from, 1, to.qpn, 0, 8);
	ring(&from);
	sched_run(bench->sched);
	assert_non_null(cqe_at(guest, 0));
	assert_null(eqe_at(guest, 0, 0));
	post_send(&from, 1, to.qpn, 0, 8)[11] |= 2;
	ring(&from);
	sched_run(bench->sched);
	assert_non_null(cqe_at(guest, 1));
	assert_non_null(eqe_at(guest, 0, 0));
	arm_cq(guest, guest->cqn, 2, true); /* nothing solicited from there on */
	assert_null(eqe_at(guest, 0, 1));
	arm_cq(guest, guest->cqn, 1, true);
	assert_non_null(eqe_at(guest, 0, 1));
}

static uint8_t moderate(struct guest *guest, uint32_t select, uint16_t count, uint16_t period_us)
{
	put_be32(guest->in + 8, guest->cqn);
	put_be32(guest->in + 12, select); /* 1: period, 2: count */
	put_be16(guest->in + 16 + 16, period_us);
	put_be16(guest->in + 16 + 18, count);
	return execute(guest, MODIFY_CQ, 0, 272);
}

/* The first event comes at once; the next one waits for 4 completions. */
static void events_wait_for_a_number_of_completions(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	sched_advance(bench->sched, NSEC_PER_SEC);
	assert_int_equal(moderate(guest, 3, 4, 1000), 0);
	arm_cq(guest, guest->cqn, 0, false);
	complete(bench, &qp, 1);
	assert_non_null(eqe_at(guest, 0, 0));
	arm_cq(guest, guest->cqn, 1, false);
	complete(bench, &qp, 3);
	assert_null(eqe_at(guest, 0, 1));
	complete(bench, &qp, 1);
	assert_non_null(eqe_at(guest, 0, 1));
	sched_advance(bench->sched, NSEC_PER_SEC); /* nothing waits any more */
	assert_null(eqe_at(guest, 0, 2));
}

static void but_not_longer_than_the_period(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	sched_advance(bench->sched, NSEC_PER_SEC);
	assert_int_equal(moderate(guest, 3, 100, 1000), 0);
	arm_cq(guest, guest->cqn, 0, false);
	complete(bench, &qp, 1);
	assert_non_null(eqe_at(guest, 0, 0));
	complete(bench, &qp, 1);
	arm_cq(guest, guest->cqn, 1, false); /* one is there already: it waits all the same */
	sched_advance(bench->sched, 900 * NSEC_PER_USEC);
	assert_null(eqe_at(guest, 0, 1));
	sched_advance(bench->sched, 100 * NSEC_PER_USEC);
	assert_non_null(eqe_at(guest, 0, 1));
	sched_advance(bench->sched, NSEC_PER_SEC);
	arm_cq(guest, guest->cqn, 2, false);
	complete(bench, &qp, 1);
	assert_non_null(eqe_at(guest, 0, 2)); /* the last event is long ago */
}

/* What is set decides at once about an event that waits. */
static void moderation_changes_under_way(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	arm_cq(guest, guest->cqn, 0, false);
	complete(bench, &qp, 1);
	assert_int_equal(moderate(guest, 3, 100, 4095), 0);
	arm_cq(guest, guest->cqn, 1, false);
	complete(bench, &qp, 2);
	assert_null(eqe_at(guest, 0, 1));
	assert_int_equal(moderate(guest, 2, 5, 0), 0);
	assert_null(eqe_at(guest, 0, 1));
	on(guest, QUERY_CQ, guest->cqn);
	assert_int_equal(get_be16(guest->out + 16 + 16), 4095);
	assert_int_equal(get_be16(guest->out + 16 + 18), 5);
	assert_int_equal(moderate(guest, 2, 0, 0), 0); /* off */
	assert_non_null(eqe_at(guest, 0, 1));
}

static void a_queue_goes_while_its_event_waits(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	arm_cq(guest, guest->cqn, 0, false);
	complete(bench, &qp, 1);
	assert_int_equal(moderate(guest, 3, 100, 4095), 0);
	arm_cq(guest, guest->cqn, 1, false);
	complete(bench, &qp, 1);
	assert_int_equal(on(guest, DESTROY_QP, qp.qpn), 0);
	assert_int_equal(on(guest, DESTROY_CQ, guest->cqn), 0);
	sched_advance(bench->sched, NSEC_PER_SEC);
	assert_null(eqe_at(guest, 0, 1));
}

static void an_overrun_is_an_event_and_the_end(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	complete(bench, &qp, 64);
	assert_null(eqe_at(guest, 0, 0));
	complete(bench, &qp, 1);
	assert_int_equal(eqe_at(guest, 0, 0)[1], 4); /* completion queue error */
	assert_int_equal(get_be32(eqe_at(guest, 0, 0) + 32), guest->cqn);
	assert_int_equal(eqe_at(guest, 0, 0)[43], 1);
	assert_int_equal(eqe_at(guest, 0, 1)[1], 5); /* its queue pair */
	assert_int_equal(get_be32(eqe_at(guest, 0, 1) + 56), qp.qpn);
	on(guest, QUERY_QP, qp.qpn);
	assert_int_equal(guest->out[24] >> 4, 6);
	on(guest, QUERY_CQ, guest->cqn);
	assert_int_equal(guest->out[16] >> 4, 9);
	assert_int_equal(cqe_at(guest, 0)[61], 0); /* the first one wasn't overwritten */
}

static void overruns_can_be_ignored(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	put_be32(guest->in + 8, guest->cqn);
	put_be32(guest->in + 12, 4); /* the overrun-ignore bit alone */
	guest->in[17] = 0x02;
	assert_int_equal(execute(guest, MODIFY_CQ, 0, 272), 0);
	complete(bench, &qp, 100);
	assert_null(eqe_at(guest, 0, 0));
	assert_int_equal(get_be16(cqe_at(guest, 99) + 60), 99);
}

static uint8_t resize(struct guest *guest, uint32_t at, unsigned int log_size)
{
	put_be32(guest->in + 8, guest->cqn);
	put_be32(guest->in + 16 + 12, log_size << 24);
	put_pages(guest, 272, at, 2);
	return execute(guest, MODIFY_CQ, 1, 272 + 16);
}

static void resizing_marks_the_old_buffer_and_counts(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);
	uint32_t at = CQ_AT + 4 * PAGE;

	complete(bench, &qp, 10);
	set_consumer(guest, 4);
	assert_int_equal(resize(guest, at, 2), 0x40); /* 6 outstanding, room for 4 */
	assert_int_equal(resize(guest, at, 8), 3);    /* 256 entries in 2 pages */
	assert_int_equal(resize(guest, at, 7), 0);
	assert_int_equal(cqe_at(guest, 10)[63] >> 4, 5);
	complete(bench, &qp, 1);
	assert_null(cqe_at(guest, 11));
	assert_int_equal(guest->ram[at + 11 * 64 + 63], 0x00); /* the 11th of 128, first round */
	assert_int_equal(get_be16(guest->ram + at + 11 * 64 + 60), 10);
	on(guest, QUERY_CQ, guest->cqn);
	assert_int_equal(guest->out[16 + 12], 7);
	assert_int_equal(get_be32(guest->out + 16 + 44), 12);
}

static void a_full_queue_survives_resizing(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	complete(bench, &qp, 64);
	assert_int_equal(resize(guest, CQ_AT + 4 * PAGE, 7), 0x40);
	assert_null(eqe_at(guest, 0, 0));
	set_consumer(guest, 1);
	assert_int_equal(resize(guest, CQ_AT + 4 * PAGE, 7), 0);
}

static void wide_entries_end_with_the_completion(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	uint32_t at = CQ_AT + 8 * PAGE;
	struct queue_pair qp;

	memset(guest->ram + at, 0xee, PAGE);
	assert_int_equal(try_create_cq(guest, at, 5, 1, 9, 1), 0);
	guest->cqn = get_be24(guest->out + 9);
	qp = create_qp(guest, ST_UD, 0, QKEY);
	complete(bench, &qp, 2);
	assert_int_equal(guest->ram[at + 63], 0xee);
	assert_int_equal(guest->ram[at + 127], 0x00);
	assert_int_equal(get_be16(guest->ram + at + 128 + 64 + 60), 1);
}

static void an_unmapped_queue_fails_like_an_overrun(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp;

	put_be64(guest->in + 272, 0x4000); /* not the guest's */
	put_be32(guest->in + 16 + 12, 6u << 24 | guest->uar);
	put_be32(guest->in + 16 + 20, guest->eqn);
	assert_int_equal(execute(guest, CREATE_CQ, 0, 280), 0);
	guest->cqn = get_be24(guest->out + 9);
	qp = create_qp(guest, ST_UD, 0, QKEY);
	complete(bench, &qp, 1);
	assert_int_equal(eqe_at(guest, 0, 0)[1], 4);
}

static void doorbells_on_the_wrong_page_are_ignored(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	uint32_t uar = guest->uar;
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);

	sched_run(bench->sched); /* it has seen that nothing is posted */
	guest->uar = alloc(guest, ALLOC_UAR);
	arm_cq(guest, guest->cqn, 0, false);
	complete(bench, &qp, 1);
	assert_null(cqe_at(guest, 0));
	assert_int_equal(guest->dev.counters.stray_writes, 2);
	guest->uar = uar;
	ring(&qp);
	sched_run(bench->sched);
	assert_non_null(cqe_at(guest, 0));
	assert_null(eqe_at(guest, 0, 0));
}

/* All of a work request may be written to the doorbell's page; it is executed once. */
static void blue_flame(void **state)
{
	struct bench *bench = *state;
	struct guest *guest = &bench->guest[0];
	struct queue_pair qp = create_qp(guest, ST_UD, 0, QKEY);
	uint8_t *wqe = send_block(&qp, 0);

	memset(wqe, 0, 64);
	put_be32(wqe + 4, qp.qpn << 8 | 1);
	wqe[11] = 0x08;
	put_be32(guest->ram + qp.record + 4, ++qp.sent);
	for (unsigned int at = 0; at < 64; at += 8)
		cx5_bar_write(&guest->dev, (uint64_t)guest->uar * PAGE + 0x900 + at, wqe + at, 8);
	sched_run(bench->sched);
	assert_non_null(cqe_at(guest, 0));
	assert_null(cqe_at(guest, 1));
	assert_int_equal(guest->dev.counters.blue_flame_writes, 7);
	assert_int_equal(guest->dev.counters.stray_writes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		bench_test(ownership_alternates_round_by_round),
		bench_test(one_event_an_arming),
		bench_test(solicited_arming_waits_for_solicited_ones),
		bench_test(events_wait_for_a_number_of_completions),
		bench_test(but_not_longer_than_the_period),
		bench_test(moderation_changes_under_way),
		bench_test(a_queue_goes_while_its_event_waits),
		bench_test(an_overrun_is_an_event_and_the_end),
		bench_test(overruns_can_be_ignored),
		bench_test(resizing_marks_the_old_buffer_and_counts),
		bench_test(a_full_queue_survives_resizing),
		bench_test(wide_entries_end_with_the_completion),
		bench_test(an_unmapped_queue_fails_like_an_overrun),
		bench_test(doorbells_on_the_wrong_page_are_ignored),
		bench_test(blue_flame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
