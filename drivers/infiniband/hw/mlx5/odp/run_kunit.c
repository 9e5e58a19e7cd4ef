// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include <linux/prandom.h>
#include "odp.h"

#define PAGES 2048
#define GAP 64

static dma_addr_t pages[PAGES];

/* Every page that's there is in one run, and no run could have been one with the next. */
static void check(struct kunit *test, u64 from, u64 end)
{
	u64 at = from, done = from, behind = from, count;

	while ((count = mlx5_ib_next_run(pages, &at, end))) {
		KUNIT_ASSERT_LE(test, at + count, end);
		KUNIT_EXPECT_NE(test, pages[at], 0);
		KUNIT_EXPECT_NE(test, pages[at + count - 1], 0);
		if (behind != from)
			KUNIT_EXPECT_GE(test, at - behind, GAP);
		for (; done < at; done++)
			KUNIT_ASSERT_EQ(test, pages[done], 0);
		at += count;
		behind = at;
		done = at;
	}
	for (; done < end; done++)
		KUNIT_ASSERT_EQ(test, pages[done], 0);
}

static void any_pattern(struct kunit *test)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, 3);
	for (u32 rare = 1; rare < 400; rare = rare * 2 + 1) {
		for (u32 i = 0; i < PAGES; i++)
			pages[i] = prandom_u32_state(&rnd) % rare ? 0 : i + 1;
		check(test, 0, PAGES);
		check(test, 100, PAGES - 100);
		check(test, 1000, 1001);
	}
}

static void none(struct kunit *test)
{
	u64 at = 0;

	memset(pages, 0, sizeof(pages));
	KUNIT_EXPECT_EQ(test, mlx5_ib_next_run(pages, &at, PAGES), 0);
	at = PAGES;
	KUNIT_EXPECT_EQ(test, mlx5_ib_next_run(pages, &at, PAGES), 0);
}

static struct kunit_case run_cases[] = {
	KUNIT_CASE(any_pattern),
	KUNIT_CASE(none),
	{}
};

static struct kunit_suite run_suite = {
	.name = "mlx5-odp-run",
	.test_cases = run_cases,
};

kunit_test_suite(run_suite);
