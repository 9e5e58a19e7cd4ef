// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ../selftest shows to be caught: each suite but the first has one fault.
 */
#include <kunit/test.h>
#include <linux/bug.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

/* ---- sound: what a suite may do ---- */

static void passes(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 6 * 7, 42);
}

static void skips(struct kunit *test)
{
	kunit_skip(test, "to show what a skip looks like");
}

/* A minute of virtual time is nothing. */
static void waits(struct kunit *test)
{
	unsigned long before = jiffies;

	ssleep(60);
	KUNIT_EXPECT_GE(test, jiffies - before, 60UL * HZ);
}

/* Two allocations, each undone if the other fails. */
static int allocate_two(void **one, void **other)
{
	*one = kmalloc(100, GFP_KERNEL);
	if (!*one)
		return -ENOMEM;
	*other = kmalloc(200, GFP_ATOMIC);
	if (!*other) {
		kfree(*one);
		return -ENOMEM;
	}
	return 0;
}

/* Each allocation fails once: see README.md. */
static void allocations_fail(struct kunit *test)
{
	int failed = 0, nth, left, ret;
	void *one, *other;

	for (nth = 1; nth < 100; nth++) {
		current->fail_nth = nth;
		ret = allocate_two(&one, &other);
		left = current->fail_nth;
		current->fail_nth = 0;
		if (ret) {
			KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
			failed++;
		} else {
			kfree(one);
			kfree(other);
		}
		if (left)
			break;
	}
	KUNIT_EXPECT_EQ(test, failed, 2);
}

static struct kunit_case sound_cases[] = {
	KUNIT_CASE(passes),
	KUNIT_CASE(skips),
	KUNIT_CASE(waits),
	KUNIT_CASE(allocations_fail),
	{}
};

static struct kunit_suite sound_suite = { .name = "sound", .test_cases = sound_cases };

/* ---- the faults ---- */

static void fails(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, 6 * 7, 41);
}

static noinline void use_after_free(struct kunit *test)
{
	char *freed = kmalloc(16, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, freed);
	OPTIMIZER_HIDE_VAR(freed);
	kfree(freed);
	OPTIMIZER_HIDE_VAR(freed);
	WRITE_ONCE(freed[3], 1);
}

static void leaks(struct kunit *test)
{
	void *lost = kmalloc(1000, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, lost);
}

static void inverts_locks(struct kunit *test)
{
	static DEFINE_MUTEX(a);
	static DEFINE_MUTEX(b);

	mutex_lock(&a);
	mutex_lock(&b);
	mutex_unlock(&b);
	mutex_unlock(&a);

	mutex_lock(&b);
	mutex_lock(&a);
	mutex_unlock(&a);
	mutex_unlock(&b);
}

static void sleeps_in_atomic(struct kunit *test)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
}

static void warns(struct kunit *test)
{
	WARN_ON(test);
}

static void panics(struct kunit *test)
{
	panic("on purpose");
}

static void hangs(struct kunit *test)
{
	for (;;)
		barrier();
}

#define FAULT(fault)								\
	static struct kunit_case fault##_cases[] = { KUNIT_CASE(fault), {} };	\
	static struct kunit_suite fault##_suite = { .name = #fault, .test_cases = fault##_cases }

FAULT(fails);
FAULT(use_after_free);
FAULT(leaks);
FAULT(inverts_locks);
FAULT(sleeps_in_atomic);
FAULT(warns);
FAULT(panics);
FAULT(hangs);

kunit_test_suites(&sound_suite, &fails_suite, &use_after_free_suite, &leaks_suite,
		  &inverts_locks_suite, &sleeps_in_atomic_suite, &warns_suite, &panics_suite,
		  &hangs_suite);

MODULE_DESCRIPTION("Faults that a run of KUnit suites must see");
MODULE_LICENSE("Dual BSD/GPL");
