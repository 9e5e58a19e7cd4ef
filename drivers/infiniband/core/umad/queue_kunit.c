// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "umad.h"

/* The numbers of poll(2). */
#define WRITABLE	0x104	/* POLLOUT, POLLWRNORM */
#define READABLE	0x041	/* POLLIN, POLLRDNORM */
#define HUNG_UP		0x018	/* POLLERR, POLLHUP */

static struct umad_queue queue;
static struct umad_packet a, b, c;

static u32 events(void)
{
	return (__force u32)umad_queue_events(&queue);
}

static int queue_set_up(struct kunit *test)
{
	umad_queue_init(&queue);
	return 0;
}

static void order(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, umad_queue_ready(&queue));
	KUNIT_EXPECT_EQ(test, PTR_ERR(umad_queue_take(&queue)), -EAGAIN);
	KUNIT_EXPECT_EQ(test, events(), WRITABLE);

	KUNIT_EXPECT_TRUE(test, umad_queue_add_received(&queue, &a));
	umad_queue_add_timed_out(&queue, &b);
	KUNIT_EXPECT_TRUE(test, umad_queue_add_received(&queue, &c));
	KUNIT_EXPECT_TRUE(test, umad_queue_ready(&queue));
	KUNIT_EXPECT_EQ(test, events(), WRITABLE | READABLE);

	KUNIT_EXPECT_PTR_EQ(test, umad_queue_take(&queue), &a);
	umad_queue_put_back(&queue, &a);
	KUNIT_EXPECT_PTR_EQ(test, umad_queue_take(&queue), &a);
	KUNIT_EXPECT_PTR_EQ(test, umad_queue_take(&queue), &b);
	KUNIT_EXPECT_PTR_EQ(test, umad_queue_take(&queue), &c);
	KUNIT_EXPECT_EQ(test, PTR_ERR(umad_queue_take(&queue)), -EAGAIN);
	KUNIT_EXPECT_EQ(test, queue.length, 0U);
}

static void bound(struct kunit *test)
{
	/* The packets themselves aren't needed for this. */
	queue.length = 199999;
	KUNIT_EXPECT_TRUE(test, umad_queue_add_received(&queue, &a));
	KUNIT_EXPECT_FALSE(test, umad_queue_add_received(&queue, &b));

	umad_queue_add_timed_out(&queue, &b);
	KUNIT_EXPECT_EQ(test, queue.length, 200001U);

	/* Over the bound, a packet that couldn't be read goes back all the same. */
	KUNIT_EXPECT_PTR_EQ(test, umad_queue_take(&queue), &a);
	KUNIT_EXPECT_FALSE(test, umad_queue_add_received(&queue, &c));
	umad_queue_put_back(&queue, &a);
	KUNIT_EXPECT_PTR_EQ(test, umad_queue_take(&queue), &a);

	KUNIT_EXPECT_PTR_EQ(test, umad_queue_take(&queue), &b);
	KUNIT_EXPECT_TRUE(test, umad_queue_add_received(&queue, &c));
}

static void unplug(struct kunit *test)
{
	umad_queue_add_timed_out(&queue, &a);
	umad_queue_kill(&queue);

	KUNIT_EXPECT_TRUE(test, umad_queue_ready(&queue));
	KUNIT_EXPECT_EQ(test, PTR_ERR(umad_queue_take(&queue)), -EIO);
	KUNIT_EXPECT_EQ(test, events(), HUNG_UP);
	/* What was there is freed by the close, not lost. */
	KUNIT_EXPECT_FALSE(test, list_empty(&queue.packets));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(order),
	KUNIT_CASE(bound),
	KUNIT_CASE(unplug),
	{}
};

static struct kunit_suite suite = {
	.name = "umad_queue",
	.init = queue_set_up,
	.test_cases = cases,
};

kunit_test_suite(suite);
