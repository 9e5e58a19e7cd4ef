// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/kthread.h>
#include <linux/slab.h>

#include "file.h"

/* The numbers of poll(2). */
#define NOTHING		0x000
#define READABLE	0x041	/* POLLIN, POLLRDNORM */
#define IN_ERROR	0x008	/* POLLERR */

/* An object with events. */
struct source {
	struct list_head unread;
	u32 reported;
};

static struct uverbs_event_queue queue;
static struct source a, b;

static int set_up(struct kunit *test)
{
	uverbs_event_queue_init(&queue);
	INIT_LIST_HEAD(&a.unread);
	INIT_LIST_HEAD(&b.unread);
	a.reported = 0;
	b.reported = 0;
	return 0;
}

/* Closing twice is harmless, so each test ends without a leak. */
static void tear_down(struct kunit *test)
{
	uverbs_event_queue_close(&queue);
}

static void add(struct kunit *test, struct source *source, u64 element)
{
	struct uverbs_event *event = uverbs_event_new(element, IB_EVENT_COMM_EST, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, event);
	uverbs_event_queue_add(&queue, event, source ? &source->unread : NULL,
			       source ? &source->reported : NULL);
}

/* What read() does: the element, or a negative errno. */
static s64 take(bool nonblock)
{
	struct uverbs_event *event;
	s64 ret;

	spin_lock_irq(&queue.wait.lock);
	event = uverbs_event_queue_first(&queue, nonblock);
	if (!IS_ERR(event))
		uverbs_event_reported(event);
	spin_unlock_irq(&queue.wait.lock);

	if (IS_ERR(event))
		return PTR_ERR(event);
	ret = event->record.element;
	kfree(event);
	return ret;
}

static u32 poll_events(void)
{
	return (__force u32)uverbs_event_queue_poll(&queue);
}

/* Events of all objects are read in the order in which they came, and counted as they are read. */
static void order(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, take(true), -EAGAIN);
	KUNIT_EXPECT_EQ(test, poll_events(), NOTHING);

	add(test, &a, 1);
	add(test, &b, 2);
	add(test, NULL, 3);
	add(test, &a, 4);
	KUNIT_EXPECT_EQ(test, poll_events(), READABLE);
	KUNIT_EXPECT_EQ(test, a.reported + b.reported, 0U);

	KUNIT_EXPECT_EQ(test, take(true), 1);
	KUNIT_EXPECT_EQ(test, a.reported, 1U);
	KUNIT_EXPECT_EQ(test, take(true), 2);
	KUNIT_EXPECT_EQ(test, take(true), 3);
	KUNIT_EXPECT_EQ(test, take(true), 4);
	KUNIT_EXPECT_EQ(test, take(true), -EAGAIN);
	KUNIT_EXPECT_EQ(test, poll_events(), NOTHING);
	KUNIT_EXPECT_EQ(test, a.reported, 2U);
	KUNIT_EXPECT_EQ(test, b.reported, 1U);
	KUNIT_EXPECT_TRUE(test, list_empty(&a.unread) && list_empty(&b.unread));
}

/* A record that was looked at but couldn't be copied is still there. */
static void not_copied(struct kunit *test)
{
	struct uverbs_event *first;

	add(test, &a, 1);
	spin_lock_irq(&queue.wait.lock);
	first = uverbs_event_queue_first(&queue, true);
	spin_unlock_irq(&queue.wait.lock);
	KUNIT_ASSERT_FALSE(test, IS_ERR(first));
	KUNIT_EXPECT_EQ(test, first->record.element, 1ULL);
	KUNIT_EXPECT_EQ(test, first->record.event_type, (u32)IB_EVENT_COMM_EST);
	KUNIT_EXPECT_EQ(test, first->record.reserved, 0U);

	KUNIT_EXPECT_EQ(test, a.reported, 0U);
	KUNIT_EXPECT_EQ(test, take(true), 1);
	KUNIT_EXPECT_EQ(test, a.reported, 1U);
}

/* With the object go its unread records, but no others. */
static void forget(struct kunit *test)
{
	add(test, &a, 1);
	add(test, &b, 2);
	add(test, &a, 3);
	add(test, NULL, 4);
	KUNIT_EXPECT_EQ(test, take(true), 1);

	uverbs_event_queue_forget(&queue, &a.unread);
	KUNIT_EXPECT_EQ(test, a.reported, 1U);
	KUNIT_EXPECT_TRUE(test, list_empty(&a.unread));
	KUNIT_EXPECT_EQ(test, take(true), 2);
	KUNIT_EXPECT_EQ(test, take(true), 4);
	KUNIT_EXPECT_EQ(test, take(true), -EAGAIN);

	uverbs_event_queue_forget(&queue, &a.unread);
	uverbs_event_queue_forget(&queue, &b.unread);
}

/* A closed queue is empty and stays so, and the objects don't point into it. */
static void close_queue(struct kunit *test)
{
	add(test, &a, 1);
	add(test, NULL, 2);
	uverbs_event_queue_close(&queue);

	KUNIT_EXPECT_EQ(test, poll_events(), IN_ERROR);
	KUNIT_EXPECT_EQ(test, take(true), -EIO);
	KUNIT_EXPECT_EQ(test, take(false), -EIO);
	KUNIT_EXPECT_EQ(test, a.reported, 0U);
	KUNIT_EXPECT_TRUE(test, list_empty(&a.unread));

	add(test, &a, 3);
	KUNIT_EXPECT_EQ(test, take(true), -EIO);
	KUNIT_EXPECT_TRUE(test, list_empty(&a.unread));
	uverbs_event_queue_forget(&queue, &a.unread);
}

/* A reader that waits, as process. */
struct reader {
	struct task_struct *task;
	struct completion done;
	s64 got;
};

static int read_blocking(void *arg)
{
	struct reader *reader = arg;

	reader->got = take(false);
	complete(&reader->done);
	return 0;
}

static void start_reader(struct kunit *test, struct reader *reader)
{
	init_completion(&reader->done);
	reader->got = 0;
	reader->task = kthread_run(read_blocking, reader, "event_reader");
	KUNIT_ASSERT_FALSE(test, IS_ERR(reader->task));
	/* Just to give it the time to get there: it works in any order. */
	while (!waitqueue_active(&queue.wait))
		schedule_timeout_uninterruptible(1);
}

static bool ends(struct reader *reader)
{
	return wait_for_completion_timeout(&reader->done, 10 * HZ);
}

static void wakes_reader(struct kunit *test)
{
	struct reader reader;

	start_reader(test, &reader);
	KUNIT_EXPECT_FALSE(test, completion_done(&reader.done));
	add(test, &a, 7);
	KUNIT_EXPECT_TRUE(test, ends(&reader));
	KUNIT_EXPECT_EQ(test, reader.got, 7);
	KUNIT_EXPECT_EQ(test, a.reported, 1U);
}

static void close_wakes_reader(struct kunit *test)
{
	struct reader reader;

	start_reader(test, &reader);
	uverbs_event_queue_close(&queue);
	KUNIT_EXPECT_TRUE(test, ends(&reader));
	KUNIT_EXPECT_EQ(test, reader.got, -EIO);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(order),
	KUNIT_CASE(not_copied),
	KUNIT_CASE(forget),
	KUNIT_CASE(close_queue),
	KUNIT_CASE(wakes_reader),
	KUNIT_CASE(close_wakes_reader),
	{}
};

static struct kunit_suite suite = {
	.name = "uverbs_event_queue",
	.init = set_up,
	.exit = tear_down,
	.test_cases = cases,
};

kunit_test_suite(suite);
