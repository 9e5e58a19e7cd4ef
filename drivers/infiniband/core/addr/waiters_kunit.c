// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "addr.h"

struct counted {
	struct addr_wait wait;
	unsigned int woken;
	const void *news;
};

static struct addr_waiters waiters;
static struct counted a, b, c;

static void count(struct addr_wait *wait, const void *news)
{
	struct counted *counted = container_of(wait, struct counted, wait);

	counted->woken++;
	counted->news = news;
}

static int set_up(struct kunit *test)
{
	spin_lock_init(&waiters.lock);
	waiters.waits = RB_ROOT;
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	memset(&c, 0, sizeof(c));
	return 0;
}

static void begin(struct counted *counted, unsigned long key)
{
	addr_wait_begin(&waiters, &counted->wait, key, count);
}

static void nobody(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 1, NULL), 0U);
	begin(&a, 2);
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 1, NULL), 0U);
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 3, NULL), 0U);
	KUNIT_EXPECT_EQ(test, a.woken, 0U);
}

static void only_those_and_once(struct kunit *test)
{
	begin(&a, 5);
	begin(&b, 7);
	begin(&c, 5);
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 5, &a), 2U);
	KUNIT_EXPECT_EQ(test, a.woken, 1U);
	KUNIT_EXPECT_EQ(test, b.woken, 0U);
	KUNIT_EXPECT_EQ(test, c.woken, 1U);
	KUNIT_EXPECT_PTR_EQ(test, c.news, (const void *)&a);

	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 5, NULL), 0U);
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 7, NULL), 1U);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&waiters.waits));
}

static void ended(struct kunit *test)
{
	addr_wait_end(&a.wait);

	begin(&a, 5);
	begin(&b, 5);
	addr_wait_end(&a.wait);
	addr_wait_end(&a.wait);
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 5, NULL), 1U);
	KUNIT_EXPECT_EQ(test, a.woken, 0U);
	KUNIT_EXPECT_EQ(test, b.woken, 1U);

	addr_wait_end(&b.wait);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&waiters.waits));
}

static void begun_again(struct kunit *test)
{
	begin(&a, 5);
	addr_wake(&waiters, 5, NULL);
	begin(&a, ULONG_MAX);
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, 5, NULL), 0U);
	KUNIT_EXPECT_EQ(test, addr_wake(&waiters, ULONG_MAX, NULL), 1U);
	KUNIT_EXPECT_EQ(test, a.woken, 2U);
}

#define MANY	1000

/* The keys in an order that isn't theirs; each with three waits. */
static void many(struct kunit *test)
{
	struct counted *counted = kunit_kcalloc(test, 3 * MANY, sizeof(*counted), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, counted);
	for (i = 0; i < 3 * MANY; i++)
		begin(&counted[i], i * 7 % MANY);
	for (i = 0; i < MANY; i++)
		KUNIT_EXPECT_EQ(test, addr_wake(&waiters, i * 3 % MANY, NULL), 3U);
	for (i = 0; i < 3 * MANY; i++)
		KUNIT_EXPECT_EQ(test, counted[i].woken, 1U);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nobody),
	KUNIT_CASE(only_those_and_once),
	KUNIT_CASE(ended),
	KUNIT_CASE(begun_again),
	KUNIT_CASE(many),
	{}
};

static struct kunit_suite suite = {
	.name = "addr_waiters",
	.init = set_up,
	.test_cases = cases,
};

kunit_test_suite(suite);
