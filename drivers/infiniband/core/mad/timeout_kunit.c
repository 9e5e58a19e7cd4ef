// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What is due when, for few and for very many. */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/vmalloc.h>

#include "mad.h"

#define MANY	100000

static void start(struct mad_timer_queue *queue, struct mad_timer *timer, unsigned long expires)
{
	mad_timer_init(timer);
	mad_timer_start(queue, timer, expires);
}

static void earliest_is_first(struct kunit *test)
{
	struct mad_timer_queue queue;
	struct mad_timer late, early, same;

	mad_timer_queue_init(&queue);
	mad_timer_init(&late);
	mad_timer_init(&early);
	mad_timer_init(&same);
	KUNIT_EXPECT_NULL(test, mad_timer_first(&queue));
	KUNIT_EXPECT_TRUE(test, mad_timer_start(&queue, &late, 200));
	KUNIT_EXPECT_TRUE(test, mad_timer_start(&queue, &early, 100));
	KUNIT_EXPECT_FALSE(test, mad_timer_start(&queue, &same, 100));
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_first(&queue), &early);
	mad_timer_stop(&queue, &early);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_first(&queue), &same);
	mad_timer_stop(&queue, &same);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_first(&queue), &late);
}

static void due_when_its_time_has_come(struct kunit *test)
{
	struct mad_timer_queue queue;
	struct mad_timer timer;

	mad_timer_queue_init(&queue);
	start(&queue, &timer, 100);
	KUNIT_EXPECT_NULL(test, mad_timer_due(&queue, 99));
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_due(&queue, 100), &timer);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_due(&queue, 101), &timer);
}

static void started_again_is_moved(struct kunit *test)
{
	struct mad_timer_queue queue;
	struct mad_timer a, b;

	mad_timer_queue_init(&queue);
	start(&queue, &a, 100);
	start(&queue, &b, 200);
	mad_timer_start(&queue, &a, 300);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_first(&queue), &b);
	mad_timer_stop(&queue, &b);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_first(&queue), &a);
	mad_timer_stop(&queue, &a);
	mad_timer_stop(&queue, &a);
	KUNIT_EXPECT_NULL(test, mad_timer_first(&queue));
}

/* The clock of the kernel starts shortly before it wraps. */
static void clock_wraps(struct kunit *test)
{
	struct mad_timer_queue queue;
	struct mad_timer before, after;

	mad_timer_queue_init(&queue);
	start(&queue, &after, 5);
	start(&queue, &before, -5UL);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_first(&queue), &before);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_due(&queue, -4UL), &before);
	mad_timer_stop(&queue, &before);
	KUNIT_EXPECT_NULL(test, mad_timer_due(&queue, -4UL));
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_due(&queue, 6), &after);
}

static struct mad_timer *many(struct kunit *test)
{
	struct mad_timer *timers = vmalloc(array_size(MANY, sizeof(*timers)));

	KUNIT_ASSERT_NOT_NULL(test, timers);
	return timers;
}

/* Takes what's due as expiry does: in batches, each as long as it's due now. */
static unsigned int drain(struct mad_timer_queue *queue, unsigned int *batches)
{
	struct mad_timer *timer;
	unsigned int taken = 0;
	int n;

	while (mad_timer_due(queue, jiffies)) {
		for (n = 0; n < MAD_BATCH; n++) {
			timer = mad_timer_due(queue, jiffies);
			if (!timer)
				break;
			mad_timer_stop(queue, timer);
			taken++;
		}
		++*batches;
	}
	return taken;
}

static void hundred_thousand_at_once(struct kunit *test)
{
	struct mad_timer *timers = many(test);
	struct mad_timer_queue queue;
	unsigned long expires = jiffies + HZ;
	unsigned int i, batches = 0, firsts = 0;

	mad_timer_queue_init(&queue);
	for (i = 0; i < MANY; i++) {
		mad_timer_init(&timers[i]);
		firsts += mad_timer_start(&queue, &timers[i], expires);
	}
	/* The clock of whoever expires them is set once, not a hundred thousand times. */
	KUNIT_EXPECT_EQ(test, firsts, 1);
	KUNIT_EXPECT_EQ(test, drain(&queue, &batches), 0);
	msleep(1100);
	KUNIT_EXPECT_PTR_EQ(test, mad_timer_first(&queue), &timers[0]);
	KUNIT_EXPECT_EQ(test, drain(&queue, &batches), MANY);
	KUNIT_EXPECT_EQ(test, batches, DIV_ROUND_UP(MANY, MAD_BATCH));
	KUNIT_EXPECT_NULL(test, mad_timer_first(&queue));
	vfree(timers);
}

/* Answers come in any order: those that are left expire in the order of their time. */
static void most_are_answered(struct kunit *test)
{
	struct mad_timer *timers = many(test);
	struct mad_timer_queue queue;
	struct mad_timer *timer;
	unsigned long last = 0;
	unsigned int i, left = 0;

	mad_timer_queue_init(&queue);
	for (i = 0; i < MANY; i++)
		start(&queue, &timers[i], (i * 7919UL) % MANY);
	for (i = 0; i < MANY; i++)
		if (i % 10)
			mad_timer_stop(&queue, &timers[(i * 31UL) % MANY]);
	while ((timer = mad_timer_first(&queue))) {
		KUNIT_EXPECT_GE(test, timer->expires, last);
		last = timer->expires;
		mad_timer_stop(&queue, timer);
		left++;
	}
	KUNIT_EXPECT_EQ(test, left, MANY / 10);
	vfree(timers);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(earliest_is_first),
	KUNIT_CASE(due_when_its_time_has_come),
	KUNIT_CASE(started_again_is_moved),
	KUNIT_CASE(clock_wraps),
	KUNIT_CASE(hundred_thousand_at_once),
	KUNIT_CASE(most_are_answered),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_timeout",
	.test_cases = cases,
};

kunit_test_suite(suite);
