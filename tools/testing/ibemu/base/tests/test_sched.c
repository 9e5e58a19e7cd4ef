/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sched.h"

/* What ran, as a string of the names of tasks and timers. */
static struct sched *sched;
static char trace[4096];

static int set_up(void **state)
{
	(void)state;
	sched = sched_create_virtual();
	trace[0] = '\0';
	return sched ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	sched_destroy(sched);
	return 0;
}

static void note(void *name)
{
	strncat(trace, name, 1);
}

static void virtual_clock_stands_still(void **state)
{
	(void)state;
	assert_int_equal(sched_now_ns(sched), NSEC_PER_SEC);
	assert_int_equal(sched_run(sched), SCHED_IDLE);
	sched_advance(sched, 5);
	assert_int_equal(sched_now_ns(sched), NSEC_PER_SEC + 5);
	sched_advance(sched, UINT64_MAX);
	assert_int_equal(sched_now_ns(sched), SCHED_IDLE - 1);
}

static void tasks_run_in_the_order_of_posting_and_once(void **state)
{
	struct task a, b, c;

	(void)state;
	task_init(&a, note, "a");
	task_init(&b, note, "b");
	task_init(&c, note, "c");
	task_post(sched, &c);
	task_post(sched, &a);
	task_post(sched, &c);
	task_post(sched, &b);
	sched_run(sched);
	assert_string_equal(trace, "cab");
	sched_run(sched);
	assert_string_equal(trace, "cab");
}

static void a_cancelled_task_does_not_run(void **state)
{
	struct task a, b, c;

	(void)state;
	task_init(&a, note, "a");
	task_init(&b, note, "b");
	task_init(&c, note, "c");
	task_post(sched, &a);
	task_post(sched, &b);
	task_post(sched, &c);
	task_cancel(sched, &c); /* the last one: the queue's end must follow */
	task_cancel(sched, &a);
	task_cancel(sched, &a);
	task_post(sched, &c);
	sched_run(sched);
	assert_string_equal(trace, "bc");
}

static struct task repeating;
static int repetitions;

static void repeat(void *ctx)
{
	note(ctx);
	if (--repetitions)
		task_post(sched, &repeating);
}

static void a_task_may_post_itself(void **state)
{
	struct task other;

	(void)state;
	task_init(&repeating, repeat, "r");
	task_init(&other, note, "o");
	repetitions = 3;
	task_post(sched, &repeating);
	task_post(sched, &other);
	sched_run(sched);
	assert_string_equal(trace, "rorr");
}

static void timers_fire_in_the_order_of_deadlines(void **state)
{
	struct timer a, b, c;

	(void)state;
	timer_init(&a, note, "a");
	timer_init(&b, note, "b");
	timer_init(&c, note, "c");
	timer_arm(sched, &a, NSEC_PER_SEC + 30);
	timer_arm(sched, &b, NSEC_PER_SEC + 10);
	timer_arm(sched, &c, NSEC_PER_SEC + 20);
	assert_true(timer_armed(&b));
	assert_int_equal(sched_run(sched), NSEC_PER_SEC + 10);
	sched_advance(sched, 9);
	assert_string_equal(trace, "");
	sched_advance(sched, 1);
	assert_string_equal(trace, "b");
	assert_false(timer_armed(&b));
	sched_advance(sched, 100);
	assert_string_equal(trace, "bca");
	assert_int_equal(sched_run(sched), SCHED_IDLE);
}

static void equal_deadlines_fire_in_the_order_of_arming(void **state)
{
	struct timer timers[26];
	char names[27] = "zyxwvutsrqponmlkjihgfedcba";

	(void)state;
	for (int i = 0; i < 26; i++) {
		timer_init(&timers[i], note, &names[i]);
		timer_arm(sched, &timers[i], NSEC_PER_SEC + 7);
	}
	sched_advance(sched, 7);
	assert_string_equal(trace, names);
}

static void a_timer_is_moved_by_arming_it_again(void **state)
{
	struct timer a, b;

	(void)state;
	timer_init(&a, note, "a");
	timer_init(&b, note, "b");
	timer_arm(sched, &a, NSEC_PER_SEC + 10);
	timer_arm(sched, &b, NSEC_PER_SEC + 20);
	timer_arm(sched, &a, NSEC_PER_SEC + 30); /* later */
	sched_advance(sched, 20);
	assert_string_equal(trace, "b");
	timer_arm(sched, &a, 1); /* already past */
	sched_run(sched);
	assert_string_equal(trace, "ba");
}

static void a_cancelled_timer_does_not_fire(void **state)
{
	struct timer a, b;

	(void)state;
	timer_init(&a, note, "a");
	timer_init(&b, note, "b");
	timer_cancel(sched, &a);
	timer_arm(sched, &a, NSEC_PER_SEC + 1);
	timer_arm(sched, &b, NSEC_PER_SEC + 2);
	timer_cancel(sched, &a);
	assert_false(timer_armed(&a));
	sched_advance(sched, 10);
	assert_string_equal(trace, "b");
}

static void tasks_come_before_timers_that_are_due(void **state)
{
	struct timer timer;
	struct task task;

	(void)state;
	timer_init(&timer, note, "t");
	task_init(&task, note, "k");
	timer_arm(sched, &timer, NSEC_PER_SEC);
	task_post(sched, &task);
	sched_run(sched);
	assert_string_equal(trace, "kt");
}

/* The clock shows each deadline while its timer runs. */
static uint64_t seen_ns[3];
static int seen;
static struct timer ticking;

static void tick(void *ctx)
{
	(void)ctx;
	seen_ns[seen++] = sched_now_ns(sched);
	if (seen < 3)
		timer_arm(sched, &ticking, sched_now_ns(sched) + 100);
}

static void advance_stops_at_each_deadline(void **state)
{
	(void)state;
	seen = 0;
	timer_init(&ticking, tick, NULL);
	timer_arm(sched, &ticking, NSEC_PER_SEC + 100);
	sched_advance(sched, 1000);
	assert_int_equal(seen, 3);
	assert_int_equal(seen_ns[0], NSEC_PER_SEC + 100);
	assert_int_equal(seen_ns[1], NSEC_PER_SEC + 200);
	assert_int_equal(seen_ns[2], NSEC_PER_SEC + 300);
}

/*
 * Against a slow reference: deadlines of a few thousand timers, armed, moved and cancelled at
 * random, come sorted.
 */
#define MANY 3000
static struct timer many[MANY];
static uint64_t last_fired_ns;
static int fired;

static void fire_in_order(void *ctx)
{
	struct timer *timer = ctx;

	assert_true(timer->deadline_ns >= last_fired_ns);
	last_fired_ns = timer->deadline_ns;
	fired++;
}

static void the_heap_keeps_its_order_under_random_use(void **state)
{
	int armed = 0;

	(void)state;
	srand(1);
	fired = 0;
	last_fired_ns = 0;
	for (int i = 0; i < MANY; i++)
		timer_init(&many[i], fire_in_order, &many[i]);
	for (int i = 0; i < 10 * MANY; i++) {
		struct timer *timer = &many[rand() % MANY];

		if (rand() % 3)
			timer_arm(sched, timer, NSEC_PER_SEC + (uint64_t)(rand() % 100000));
		else
			timer_cancel(sched, timer);
	}
	for (int i = 0; i < MANY; i++)
		armed += timer_armed(&many[i]);
	assert_true(armed > MANY / 2);
	sched_advance(sched, 100000);
	assert_int_equal(fired, armed);
}

static void destroying_forgets_what_is_armed_and_queued(void **state)
{
	struct sched *other = sched_create_virtual();
	struct timer timer;
	struct task task;

	(void)state;
	timer_init(&timer, note, "t");
	task_init(&task, note, "k");
	timer_arm(other, &timer, 1);
	task_post(other, &task);
	sched_destroy(other);
	assert_false(timer_armed(&timer));
	assert_false(task.queued);
	assert_string_equal(trace, "");
	sched_destroy(NULL);
}

static struct sched *real;
static struct task endless;
static int endless_runs;

static void post_again(void *ctx)
{
	(void)ctx;
	endless_runs++;
	task_post(real, &endless);
}

static void a_real_time_scheduler_returns_from_endless_work(void **state)
{
	uint64_t before_ns, next_ns;

	(void)state;
	real = sched_create();
	task_init(&endless, post_again, NULL);
	task_post(real, &endless);
	before_ns = sched_now_ns(real);
	next_ns = sched_run(real);
	assert_true(before_ns > 0);
	assert_true(next_ns >= before_ns && next_ns <= sched_now_ns(real));
	assert_int_equal(endless_runs, 256);
	sched_destroy(real);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(virtual_clock_stands_still, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tasks_run_in_the_order_of_posting_and_once, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_cancelled_task_does_not_run, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_task_may_post_itself, set_up, tear_down),
		cmocka_unit_test_setup_teardown(timers_fire_in_the_order_of_deadlines, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(equal_deadlines_fire_in_the_order_of_arming, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_timer_is_moved_by_arming_it_again, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_cancelled_timer_does_not_fire, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tasks_come_before_timers_that_are_due, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(advance_stops_at_each_deadline, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_heap_keeps_its_order_under_random_use, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(destroying_forgets_what_is_armed_and_queued, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_real_time_scheduler_returns_from_endless_work,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
