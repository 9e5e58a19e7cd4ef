// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Scatterlists that grow by pages, of which those that follow each other share an entry. That's
 * done here and not by the kernel's append tables because of what these cost, for each page and
 * in allocations for small lists.
 */

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "umem.h"

/**
 * umem_page_list_init - start an empty list
 * @list: the list
 * @first: UMEM_FIRST_ENTRIES zeroed entries, which live as long as the list
 * @max_segment: that an entry may have, bytes; but each has a page
 *
 * Context: Any.
 */
void umem_page_list_init(struct umem_page_list *list, struct scatterlist *first,
			 unsigned int max_segment)
{
	*list = (struct umem_page_list) {
		.first = first,
		.next = first,
		.next_pfn = ULONG_MAX,
		.room = UMEM_FIRST_ENTRIES,
		.max_length = max(ALIGN_DOWN(max_segment, PAGE_SIZE), PAGE_SIZE),
	};
}

/* As many entries as the pages need, or a few more. */
static unsigned int enough_entries(struct umem_page_list *list, struct page **pages,
				   unsigned int n)
{
	unsigned int i, entries = 1 + n / (list->max_length >> PAGE_SHIFT);

	for (i = 1; i < n; i++)
		entries += page_to_pfn(pages[i]) != page_to_pfn(pages[i - 1]) + 1;
	return entries;
}

/* Puts a link to @entries more in the place of the next entry. */
static bool make_room(struct umem_page_list *list, unsigned long entries)
{
	unsigned int n = min(entries, SG_MAX_SINGLE_ALLOC);
	struct scatterlist *more = kcalloc(n, sizeof(*more), GFP_KERNEL);

	if (!more)
		return false;
	__sg_chain(list->next, more);
	list->next = more;
	list->room = n;
	return true;
}

/* The next entry, for the first of @n pages; @more come after these. NULL when memory is out. */
static struct scatterlist *use_entry(struct umem_page_list *list, struct page **pages,
				     unsigned int n, unsigned long more)
{
	unsigned long entries;

	if (list->room == 1) {
		entries = enough_entries(list, pages, n) + more;
		if (entries > 1 && !make_room(list, entries))
			return NULL;
	}
	list->room--;
	list->used++;
	list->last = list->next++;
	return list->last;
}

/**
 * umem_page_list_add - add pages at a list's end
 * @list: the list
 * @pages: the pages, each of them whole
 * @n: their number, not 0
 * @more: how many are going to be added later, at most
 *
 * Context: Sleeps.
 * Return: how many were added; fewer than @n when memory is out.
 */
unsigned int umem_page_list_add(struct umem_page_list *list, struct page **pages, unsigned int n,
				unsigned long more)
{
	struct scatterlist *sg = list->last;
	unsigned long pfn;
	unsigned int i;

	for (i = 0; i < n; i++) {
		pfn = page_to_pfn(pages[i]);
		if (pfn == list->next_pfn && sg->length < list->max_length) {
			sg->length += PAGE_SIZE;
		} else {
			sg = use_entry(list, pages + i, n - i, more);
			if (!sg)
				break;
			sg_set_page(sg, pages[i], PAGE_SIZE, 0);
		}
		list->next_pfn = pfn + 1;
	}
	return i;
}

/**
 * umem_page_list_end - make a table of a list
 * @list: the list, nothing is added to it any more
 * @table: returns the table, which is umem_page_list_free()'s from now on
 *
 * Context: Any.
 */
void umem_page_list_end(struct umem_page_list *list, struct sg_table *table)
{
	sg_mark_end(list->last ? list->last : list->first);
	*table = (struct sg_table) {
		.sgl = list->first,
		.nents = list->used,
		.orig_nents = list->used,
	};
}

/**
 * umem_page_list_free - free a table's entries, other than the first
 * @table: what umem_page_list_end() returned
 *
 * Context: Sleeps.
 */
void umem_page_list_free(struct sg_table *table)
{
	struct scatterlist *entries = table->sgl, *next;
	unsigned int room = UMEM_FIRST_ENTRIES;
	unsigned int left = table->orig_nents;

	/* If it has a link, that's in its last place, and there's at least one entry behind it. */
	while (left >= room && sg_is_chain(&entries[room - 1])) {
		next = sg_chain_ptr(&entries[room - 1]);
		left -= room - 1;
		if (entries != table->sgl)
			kfree(entries);
		entries = next;
		room = SG_MAX_SINGLE_ALLOC;
		cond_resched();
	}
	if (entries != table->sgl)
		kfree(entries);
}
