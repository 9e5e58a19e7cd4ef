/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/loop.h"

static struct loop *loop;

static int set_up(void **state)
{
	(void)state;
	loop = loop_create();
	return loop ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	loop_destroy(loop);
	return 0;
}

/* A watch on an eventfd that counts its calls and then does something. */
struct counter {
	struct watch watch;
	int calls;
	void (*then)(struct counter *counter);
	struct counter *other;
};

static void count(void *ctx, uint32_t epoll_events)
{
	struct counter *counter = ctx;

	assert_true(epoll_events & EPOLLIN);
	counter->calls++;
	if (counter->then)
		counter->then(counter);
}

static void stop(struct counter *counter)
{
	(void)counter;
	loop_stop(loop);
}

static void stop_loop(void *ctx)
{
	(void)ctx;
	loop_stop(loop);
}

static struct counter *start(struct counter *counter, unsigned int signalled,
			     void (*then)(struct counter *))
{
	*counter = (struct counter){ .then = then };
	counter->watch = (struct watch){ .fd = eventfd(signalled, EFD_NONBLOCK),
					 .ready = count,
					 .ctx = counter };
	assert_int_equal(loop_watch(loop, &counter->watch, EPOLLIN), 0);
	return counter;
}

static void finish(struct counter *counter)
{
	loop_unwatch(loop, &counter->watch);
	close(counter->watch.fd);
}

static void a_ready_descriptor_is_reported_until_it_is_read(void **state)
{
	struct counter a;

	(void)state;
	start(&a, 1, stop);
	loop_run(loop);
	loop_run(loop);
	assert_int_equal(a.calls, 2);
	finish(&a);
}

static void timers_and_tasks_run(void **state)
{
	struct timer timer;
	struct task task;
	uint64_t start_ns = sched_now_ns(loop_sched(loop));

	(void)state;
	task_init(&task, stop_loop, NULL);
	task_post(loop_sched(loop), &task);
	loop_run(loop);
	timer_init(&timer, stop_loop, NULL);
	timer_arm(loop_sched(loop), &timer, start_ns + 2 * NSEC_PER_MSEC);
	loop_run(loop);
	assert_true(sched_now_ns(loop_sched(loop)) >= start_ns + 2 * NSEC_PER_MSEC);
}

/* Two are ready at once; whichever comes first takes the other one away. */
static void take_other_away(struct counter *counter)
{
	finish(counter->other);
	finish(counter);
	loop_stop(loop);
}

static void no_call_comes_after_unwatch(void **state)
{
	struct counter a, b;

	(void)state;
	start(&a, 1, take_other_away)->other = &b;
	start(&b, 1, take_other_away)->other = &a;
	loop_run(loop);
	assert_int_equal(a.calls + b.calls, 1);
}

static void the_events_can_be_changed(void **state)
{
	struct counter a, b;

	(void)state;
	start(&a, 1, stop);
	start(&b, 1, stop);
	assert_int_equal(loop_rewatch(loop, &a.watch, 0), 0);
	loop_run(loop);
	loop_run(loop);
	assert_int_equal(a.calls, 0);
	assert_int_equal(b.calls, 2);
	assert_int_equal(loop_rewatch(loop, &a.watch, EPOLLIN), 0);
	loop_run(loop);
	loop_run(loop);
	assert_true(a.calls > 0);
	finish(&a);
	finish(&b);
}

static void what_can_not_be_watched_is_refused(void **state)
{
	struct watch watch = { .fd = 12345 };

	(void)state;
	assert_int_equal(loop_watch(loop, &watch, EPOLLIN), -EBADF);
	assert_int_equal(loop_rewatch(loop, &watch, EPOLLIN), -EBADF);
}

static struct task endless;

static void post_again(void *ctx)
{
	(void)ctx;
	task_post(loop_sched(loop), &endless);
}

static void endless_work_does_not_keep_descriptors_waiting(void **state)
{
	struct counter a;

	(void)state;
	start(&a, 1, stop);
	task_init(&endless, post_again, NULL);
	task_post(loop_sched(loop), &endless);
	loop_run(loop);
	assert_int_equal(a.calls, 1);
	task_cancel(loop_sched(loop), &endless);
	finish(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_ready_descriptor_is_reported_until_it_is_read,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(timers_and_tasks_run, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_call_comes_after_unwatch, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_events_can_be_changed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_can_not_be_watched_is_refused, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(endless_work_does_not_keep_descriptors_waiting,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
