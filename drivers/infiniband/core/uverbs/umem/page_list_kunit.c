// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/sched.h>

#include "umem.h"

#define MAX_PAGES 1000

/* Nobody looks into the pages, so they needn't be there. */
struct list_test {
	struct page *pages[MAX_PAGES];
	struct scatterlist first[UMEM_FIRST_ENTRIES];
	struct umem_page_list list;
	struct sg_table table;
	unsigned int added;
};

static u32 below(struct rnd_state *rnd, u32 bound)
{
	return prandom_u32_state(rnd) % bound;
}

static int list_test_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct list_test), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

/* One page in @gap_in has a gap before it; 1: no two follow each other. */
static void make_pages(struct list_test *t, struct rnd_state *rnd, unsigned int n, u32 gap_in)
{
	unsigned long pfn = 1000;
	unsigned int i;

	for (i = 0; i < n; i++) {
		pfn += below(rnd, gap_in) ? 1 : 2;
		t->pages[i] = pfn_to_page(pfn);
	}
}

/* Adds the pages, at most @at_once at a time, of which it's told beforehand how many there are. */
static void build(struct list_test *t, unsigned int n, unsigned int at_once, unsigned int max_pages)
{
	unsigned int batch, got;

	memset(t->first, 0, sizeof(t->first));
	t->added = 0;
	umem_page_list_init(&t->list, t->first, max_pages << PAGE_SHIFT);
	while (t->added < n) {
		batch = min(at_once, n - t->added);
		got = umem_page_list_add(&t->list, t->pages + t->added, batch,
					 n - t->added - batch);
		t->added += got;
		if (got < batch)
			break;
	}
	umem_page_list_end(&t->list, &t->table);
}

/*
 * As many entries as there are gaps and full entries, no link among them, and all pages in their
 * order.
 */
static void check(struct kunit *test, unsigned int max_pages)
{
	struct list_test *t = test->priv;
	unsigned int i, n, entries = 0, page = 0, since = 0;
	struct scatterlist *sg;

	for (i = 0; i < t->added; i++) {
		if (!i || since == max_pages ||
		    page_to_pfn(t->pages[i]) != page_to_pfn(t->pages[i - 1]) + 1) {
			entries++;
			since = 0;
		}
		since++;
	}
	KUNIT_ASSERT_EQ(test, t->table.orig_nents, entries);
	KUNIT_ASSERT_EQ(test, t->table.nents, entries);

	for_each_sgtable_sg(&t->table, sg, i) {
		KUNIT_ASSERT_NOT_NULL(test, sg);
		KUNIT_ASSERT_EQ(test, sg->offset, 0);
		KUNIT_ASSERT_EQ(test, sg_is_last(sg), i == entries - 1);
		for (n = 0; n < sg->length >> PAGE_SHIFT; n++, page++)
			KUNIT_ASSERT_EQ(test, page_to_pfn(sg_page(sg)) + n,
					page_to_pfn(t->pages[page]));
	}
	KUNIT_EXPECT_EQ(test, page, t->added);
}

static void random_lists(struct kunit *test)
{
	struct list_test *t = test->priv;
	unsigned int n, at_once, max_pages;
	struct rnd_state rnd;
	int round;

	prandom_seed_state(&rnd, 1);
	for (round = 0; round < 3000; round++) {
		n = 1 + below(&rnd, below(&rnd, 2) ? 8 : MAX_PAGES);
		make_pages(t, &rnd, n, 1 + below(&rnd, below(&rnd, 2) ? 3 : 300));
		at_once = 1 + below(&rnd, below(&rnd, 2) ? 5 : MAX_PAGES);
		max_pages = below(&rnd, 2) ? 1 + below(&rnd, 4) : 0xfffff;
		build(t, n, at_once, max_pages);
		KUNIT_ASSERT_EQ(test, t->added, n);
		check(test, max_pages);
		umem_page_list_free(&t->table);
	}
}

/* Each number of entries around those at which another allocation, or a link, is needed. */
static void all_lengths(struct kunit *test)
{
	struct list_test *t = test->priv;
	struct rnd_state rnd;
	unsigned int n;

	prandom_seed_state(&rnd, 2);
	make_pages(t, &rnd, MAX_PAGES, 1);
	for (n = 1; n < UMEM_FIRST_ENTRIES + 3 * SG_MAX_SINGLE_ALLOC; n++) {
		build(t, n, n, 1);
		KUNIT_ASSERT_EQ(test, t->added, n);
		check(test, 1);
		umem_page_list_free(&t->table);
	}
}

/* What is in one piece or two needs no memory. */
static void few_entries(struct kunit *test)
{
	struct list_test *t = test->priv;
	unsigned int i;
	int left;

	for (i = 0; i < 600; i++)
		t->pages[i] = pfn_to_page(5000 + i + i / 300);
	current->fail_nth = 1;
	build(t, 600, 600, 0xfffff);
	left = current->fail_nth;
	current->fail_nth = 0;
	KUNIT_EXPECT_EQ(test, left, 1);
	KUNIT_EXPECT_EQ(test, t->table.nents, 2);
	check(test, 0xfffff);
	umem_page_list_free(&t->table);
}

/* When memory is out, what was added so far is there. */
static void allocations_fail(struct kunit *test)
{
	struct list_test *t = test->priv;
	struct rnd_state rnd;
	int nth, left;

	prandom_seed_state(&rnd, 3);
	make_pages(t, &rnd, MAX_PAGES, 1);
	for (nth = 1; nth < 100; nth++) {
		current->fail_nth = nth;
		build(t, MAX_PAGES, 300, 1);
		left = current->fail_nth;
		current->fail_nth = 0;

		check(test, 1);
		umem_page_list_free(&t->table);
		if (left) {
			KUNIT_EXPECT_EQ(test, t->added, MAX_PAGES);
			KUNIT_EXPECT_GT(test, nth, 5);
			return;
		}
	}
	KUNIT_FAIL(test, "there's no end of allocations");
}

static void nothing_added(struct kunit *test)
{
	struct list_test *t = test->priv;

	build(t, 0, 1, 1);
	KUNIT_EXPECT_EQ(test, t->table.orig_nents, 0);
	umem_page_list_free(&t->table);
}

static struct kunit_case page_list_cases[] = {
	KUNIT_CASE(random_lists),
	KUNIT_CASE(all_lengths),
	KUNIT_CASE(few_entries),
	KUNIT_CASE(allocations_fail),
	KUNIT_CASE(nothing_added),
	{}
};

static struct kunit_suite page_list_suite = {
	.name = "umem_page_list",
	.init = list_test_init,
	.test_cases = page_list_cases,
};

kunit_test_suites(&page_list_suite);
