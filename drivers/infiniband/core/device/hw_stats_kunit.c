// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/jiffies.h>
#include <linux/sched.h>

#include "device.h"

static const struct rdma_stat_desc descs[70];

static void starts_with_nothing(struct kunit *test)
{
	struct rdma_hw_stats *stats = rdma_alloc_hw_stats_struct(descs, 70, 1000);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, stats);
	KUNIT_EXPECT_PTR_EQ(test, stats->descs, &descs[0]);
	KUNIT_EXPECT_EQ(test, stats->num_counters, 70);
	KUNIT_EXPECT_EQ(test, stats->lifespan, HZ);
	for (i = 0; i < 70; i++) {
		KUNIT_EXPECT_EQ(test, stats->value[i], 0ULL);
		KUNIT_EXPECT_FALSE(test, test_bit(i, stats->is_disabled));
	}
	rdma_free_hw_stats_struct(stats);
}

static void freed_if_there(struct kunit *test)
{
	rdma_free_hw_stats_struct(NULL);
}

static void allocations_fail(struct kunit *test)
{
	struct rdma_hw_stats *stats;
	int nth, left;

	for (nth = 1; nth < 10; nth++) {
		current->fail_nth = nth;
		stats = rdma_alloc_hw_stats_struct(descs, 70, 10);
		left = current->fail_nth;
		current->fail_nth = 0;
		rdma_free_hw_stats_struct(stats);
		if (left) {
			KUNIT_EXPECT_NOT_NULL(test, stats);
			return;
		}
	}
	KUNIT_FAIL(test, "there's no end of allocations");
}

static struct kunit_case cases[] = {
	KUNIT_CASE(starts_with_nothing),
	KUNIT_CASE(freed_if_there),
	KUNIT_CASE(allocations_fail),
	{}
};

static struct kunit_suite suite = {
	.name = "core_hw_stats",
	.test_cases = cases,
};

kunit_test_suite(suite);
