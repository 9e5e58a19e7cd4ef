// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/mutex.h>
#include <linux/prandom.h>
#include <rdma/ib_verbs.h>

#include "../stock_contract.h"

#define FIRST		3
#define LAST		40
#define NR_ENTRIES	64

struct entry {
	struct rdma_user_mmap_entry rdma;
	bool inserted;
};

static struct ib_device device;
static struct ib_ucontext ucontext;
static struct entry entries[NR_ENTRIES];
static struct rdma_user_mmap_entry *freed;

static void mmap_free(struct rdma_user_mmap_entry *entry)
{
	freed = entry;
}

static int mmap_set_up(struct kunit *test)
{
	/* As much of ib_uverbs' struct as is looked at. */
	void *ufile = kunit_kzalloc(test, UVERBS_FILE_UMAP_LOCK + sizeof(struct mutex),
				    GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ufile);
	mutex_init((struct mutex *)(ufile + UVERBS_FILE_UMAP_LOCK));
	memset(entries, 0, sizeof(entries));
	device.ops.mmap_free = mmap_free;
	ucontext.device = &device;
	ucontext.ufile = ufile;
	xa_init_flags(&ucontext.mmap_xa, XA_FLAGS_ALLOC);
	freed = NULL;
	return 0;
}

static void mmap_tear_down(struct kunit *test)
{
	xa_destroy(&ucontext.mmap_xa);
}

static int insert(int i, unsigned int npages)
{
	return rdma_user_mmap_entry_insert_range(&ucontext, &entries[i].rdma, npages * PAGE_SIZE,
						 FIRST, LAST);
}

/* What a search through all pages finds: the first @npages with nobody on them; 0 if none. */
static unsigned int slow_search(unsigned int npages)
{
	bool taken[LAST + 1] = {};
	unsigned int first, run;
	int i;

	for (i = 0; i < NR_ENTRIES; i++)
		if (entries[i].inserted)
			memset(&taken[entries[i].rdma.start_pgoff], true, entries[i].rdma.npages);
	for (first = FIRST; first + npages <= LAST + 1; first++) {
		for (run = 0; run < npages && !taken[first + run]; run++)
			;
		if (run == npages)
			return first;
	}
	return 0;
}

static void insert_random(struct kunit *test, int i, unsigned int npages)
{
	unsigned int first = slow_search(npages);

	KUNIT_ASSERT_EQ(test, insert(i, npages), first ? 0 : -ENOMEM);
	entries[i].inserted = first;
	if (first)
		KUNIT_ASSERT_EQ(test, entries[i].rdma.start_pgoff, (unsigned long)first);
}

static void remove(struct kunit *test, int i)
{
	rdma_user_mmap_entry_remove(&entries[i].rdma);
	KUNIT_ASSERT_PTR_EQ(test, freed, &entries[i].rdma);
	entries[i].inserted = false;
}

/* Each page that an entry doesn't start on leads to nothing. */
static void check_lookups(struct kunit *test)
{
	struct rdma_user_mmap_entry *found, *expected;
	unsigned long pgoff;
	int i;

	for (pgoff = 0; pgoff <= LAST + 1; pgoff++) {
		expected = NULL;
		for (i = 0; i < NR_ENTRIES; i++)
			if (entries[i].inserted && entries[i].rdma.start_pgoff == pgoff)
				expected = &entries[i].rdma;
		found = rdma_user_mmap_entry_get_pgoff(&ucontext, pgoff);
		KUNIT_ASSERT_PTR_EQ(test, found, expected);
		if (found)
			rdma_user_mmap_entry_put(found);
	}
}

static void random_order(struct kunit *test)
{
	struct rnd_state rnd;
	int round, i;

	prandom_seed_state(&rnd, 1);
	for (round = 0; round < 3000; round++) {
		i = prandom_u32_state(&rnd) % NR_ENTRIES;
		if (entries[i].inserted)
			remove(test, i);
		else
			insert_random(test, i, 1 + prandom_u32_state(&rnd) % 5);
		if (round % 10 == 0)
			check_lookups(test);
	}
	for (i = 0; i < NR_ENTRIES; i++)
		if (entries[i].inserted)
			remove(test, i);
	KUNIT_EXPECT_TRUE(test, xa_empty(&ucontext.mmap_xa));
}

static void while_mapped(struct kunit *test)
{
	struct rdma_user_mmap_entry *entry = &entries[0].rdma;
	struct vm_area_struct vma = {
		.vm_start = 0x100000,
		.vm_end = 0x100000 + 2 * PAGE_SIZE,
		.vm_pgoff = FIRST,
	};

	KUNIT_ASSERT_EQ(test, insert(0, 2), 0);
	KUNIT_EXPECT_NULL(test, rdma_user_mmap_entry_get(&ucontext, &vma));	/* private */
	vm_flags_init(&vma, VM_SHARED);
	vma.vm_end -= PAGE_SIZE;
	KUNIT_EXPECT_NULL(test, rdma_user_mmap_entry_get(&ucontext, &vma));	/* too short */
	vma.vm_end += PAGE_SIZE;
	KUNIT_EXPECT_PTR_EQ(test, rdma_user_mmap_entry_get(&ucontext, &vma), entry);

	/* Taken back: nobody else can map it, nobody else gets its offset. */
	rdma_user_mmap_entry_remove(entry);
	KUNIT_EXPECT_NULL(test, freed);
	KUNIT_EXPECT_NULL(test, rdma_user_mmap_entry_get_pgoff(&ucontext, FIRST));
	KUNIT_ASSERT_EQ(test, insert(1, 1), 0);
	KUNIT_EXPECT_EQ(test, entries[1].rdma.start_pgoff, FIRST + 2UL);

	rdma_user_mmap_entry_put(entry);
	KUNIT_EXPECT_PTR_EQ(test, freed, entry);
	KUNIT_ASSERT_EQ(test, insert(2, 1), 0);
	KUNIT_EXPECT_EQ(test, entries[2].rdma.start_pgoff, (unsigned long)FIRST);
	rdma_user_mmap_entry_remove(&entries[1].rdma);
	rdma_user_mmap_entry_remove(&entries[2].rdma);
	rdma_user_mmap_entry_remove(NULL);
}

static void bad_arguments(struct kunit *test)
{
	struct rdma_user_mmap_entry *entry = &entries[0].rdma;

	KUNIT_EXPECT_EQ(test, rdma_user_mmap_entry_insert(&ucontext, NULL, PAGE_SIZE), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_user_mmap_entry_insert(&ucontext, entry, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_user_mmap_entry_insert(&ucontext, entry, SIZE_MAX), -ENOMEM);
	KUNIT_EXPECT_EQ(test, rdma_user_mmap_entry_insert_range(&ucontext, entry, 2 * PAGE_SIZE,
								U32_MAX, U32_MAX), -ENOMEM);
	KUNIT_EXPECT_EQ(test, rdma_user_mmap_entry_insert_range(&ucontext, entry, PAGE_SIZE - 1,
								U32_MAX, U32_MAX), 0);
	KUNIT_EXPECT_EQ(test, entry->npages, (size_t)1);
	KUNIT_EXPECT_PTR_EQ(test, rdma_user_mmap_entry_get_pgoff(&ucontext, U32_MAX), entry);
	KUNIT_EXPECT_NULL(test, rdma_user_mmap_entry_get_pgoff(&ucontext, 1UL << 32));
	rdma_user_mmap_entry_put(entry);
	rdma_user_mmap_entry_remove(entry);
}

/* An insertion that runs out of memory leaves nothing. */
static void allocations_fail(struct kunit *test)
{
	int nth, left, ret;

	for (nth = 1; nth < 100; nth++) {
		current->fail_nth = nth;
		ret = rdma_user_mmap_entry_insert_range(&ucontext, &entries[0].rdma,
							300 * PAGE_SIZE, 5000, 6000);
		left = current->fail_nth;
		current->fail_nth = 0;

		if (!ret)
			rdma_user_mmap_entry_remove(&entries[0].rdma);
		KUNIT_EXPECT_TRUE(test, !ret || ret == -ENOMEM);
		KUNIT_EXPECT_TRUE(test, xa_empty(&ucontext.mmap_xa));
		if (left)
			return;
	}
	KUNIT_FAIL(test, "there's no end of allocations");
}

static struct kunit_case mmap_entry_cases[] = {
	KUNIT_CASE(random_order),
	KUNIT_CASE(while_mapped),
	KUNIT_CASE(bad_arguments),
	KUNIT_CASE(allocations_fail),
	{}
};

static struct kunit_suite mmap_entry_suite = {
	.name = "verbs_mmap_entry",
	.init = mmap_set_up,
	.exit = mmap_tear_down,
	.test_cases = mmap_entry_cases,
};

kunit_test_suites(&mmap_entry_suite);
