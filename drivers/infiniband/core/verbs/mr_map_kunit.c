// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ib_sg_to_pages() over random scatterlists, against two obvious things: how far a mapping can go,
 * decided byte by byte; and that each byte of the MR is the byte of the list that it should be.
 */

#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/scatterlist.h>
#include <rdma/ib_verbs.h>

#define PAGE_BYTES	16
#define NR_ENTRIES	6
#define MAX_PAGES	8

struct list {
	struct ib_mr mr;
	struct scatterlist sg[NR_ENTRIES];
	int nents;
	u64 pages[MAX_PAGES];
	int nr_pages, max_pages;
};

static struct list list;

static int set_page(struct ib_mr *mr, u64 addr)
{
	struct list *l = container_of(mr, struct list, mr);

	if (l->nr_pages == l->max_pages)
		return -ENOSPC;
	l->pages[l->nr_pages++] = addr;
	return 0;
}

static void add(u64 addr, unsigned int len)
{
	struct scatterlist *sg = &list.sg[list.nents++];

	sg_dma_address(sg) = addr;
	sg_dma_len(sg) = len;
}

static int list_set_up(struct kunit *test)
{
	memset(&list, 0, sizeof(list));
	sg_init_table(list.sg, NR_ENTRIES);
	list.mr.page_size = PAGE_BYTES;
	list.max_pages = MAX_PAGES;
	return 0;
}

/* How far it goes: entries, bytes of the next one, and bytes in all. */
struct extent {
	int nents;
	unsigned int offset;
	u64 length;
};

/* Whether an entry may start at @addr behind one that ends at @end. */
static bool fits(u64 end, u64 addr)
{
	return end == addr || (end % PAGE_BYTES == 0 && addr % PAGE_BYTES == 0);
}

static struct extent slow_extent(unsigned int offset)
{
	struct extent extent = { .offset = offset };
	bool any = false;
	u64 prev = 0;
	int pages = 0;

	for (; extent.nents < list.nents; extent.nents++, extent.offset = 0) {
		struct scatterlist *sg = &list.sg[extent.nents];

		for (; extent.offset < sg_dma_len(sg); extent.offset++) {
			u64 addr = sg_dma_address(sg) + extent.offset;

			if (any && !fits(prev + 1, addr))
				return extent;
			if (!any || addr / PAGE_BYTES != prev / PAGE_BYTES || addr != prev + 1) {
				if (pages == list.max_pages)
					return extent;
				pages++;
			}
			any = true;
			prev = addr;
			extent.length++;
		}
	}
	return extent;
}

/* The address of the n-th byte of the list from @offset on. */
static u64 list_byte(u64 n, unsigned int offset)
{
	int i = 0;

	n += offset;
	while (n >= sg_dma_len(&list.sg[i]))
		n -= sg_dma_len(&list.sg[i++]);
	return sg_dma_address(&list.sg[i]) + n;
}

static u64 mr_byte(u64 n)
{
	u64 at = list.mr.iova % PAGE_BYTES + n;

	return list.pages[at / PAGE_BYTES] + at % PAGE_BYTES;
}

static void check(struct kunit *test, unsigned int offset)
{
	struct extent extent = slow_extent(offset);
	unsigned int rest = offset;
	u64 n;

	KUNIT_ASSERT_EQ(test, ib_sg_to_pages(&list.mr, list.sg, list.nents, &rest, set_page),
			extent.nents);
	KUNIT_ASSERT_EQ(test, rest, extent.offset);
	KUNIT_ASSERT_EQ(test, list.mr.length, extent.length);
	for (n = 0; n < extent.length; n++)
		KUNIT_ASSERT_EQ(test, mr_byte(n), list_byte(n, offset));
}

/* An entry that continues the last, or is aligned, more often than not. */
static void add_random(struct rnd_state *rnd, u64 *end)
{
	u64 addr = prandom_u32_state(rnd) % 1000;
	unsigned int len = 1 + prandom_u32_state(rnd) % 40;

	switch (prandom_u32_state(rnd) % 4) {
	case 0:
		addr = *end;
		break;
	case 1:
		addr = round_down(addr, PAGE_BYTES);
		len = round_up(len, PAGE_BYTES);
		break;
	case 2:
		addr = *end;
		len = round_up(addr + len, PAGE_BYTES) - addr;
		break;
	}
	add(addr, len);
	*end = addr + len;
}

static void random_lists(struct kunit *test)
{
	struct rnd_state rnd;
	int round, nents;
	u64 end = 0;

	prandom_seed_state(&rnd, 1);
	for (round = 0; round < 20000; round++) {
		list_set_up(test);
		list.max_pages = 1 + prandom_u32_state(&rnd) % MAX_PAGES;
		for (nents = 1 + prandom_u32_state(&rnd) % NR_ENTRIES; nents; nents--)
			add_random(&rnd, &end);
		check(test, prandom_u32_state(&rnd) % sg_dma_len(list.sg));
	}
}

static void an_empty_entry(struct kunit *test)
{
	add(5, 0);
	add(40, 8);
	check(test, 0);
	KUNIT_EXPECT_EQ(test, list.mr.iova, 40ULL);
	KUNIT_EXPECT_EQ(test, list.nr_pages, 1);
}

static void offset_at_the_end(struct kunit *test)
{
	add(32, 16);
	add(100, 8);
	check(test, 16);
	KUNIT_EXPECT_EQ(test, list.mr.iova, 100ULL);
}

static void high_addresses(struct kunit *test)
{
	u64 top = ~0ULL - 0xff;

	add(top, 32);
	add(top + 32, 64);
	check(test, 0);
}

static void errors(struct kunit *test)
{
	unsigned int offset = 17;

	add(32, 16);
	KUNIT_EXPECT_EQ(test, ib_sg_to_pages(&list.mr, list.sg, 0, NULL, set_page), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_sg_to_pages(&list.mr, list.sg, -1, NULL, set_page), -EINVAL);
	KUNIT_EXPECT_EQ(test, ib_sg_to_pages(&list.mr, list.sg, 1, &offset, set_page), -EINVAL);
	list.max_pages = 0;
	KUNIT_EXPECT_EQ(test, ib_sg_to_pages(&list.mr, list.sg, 1, NULL, set_page), -ENOSPC);
}

static struct kunit_case mr_map_cases[] = {
	KUNIT_CASE(random_lists),
	KUNIT_CASE(an_empty_entry),
	KUNIT_CASE(offset_at_the_end),
	KUNIT_CASE(high_addresses),
	KUNIT_CASE(errors),
	{}
};

static struct kunit_suite mr_map_suite = {
	.name = "verbs_mr_map",
	.init = list_set_up,
	.test_cases = mr_map_cases,
};

kunit_test_suites(&mr_map_suite);
