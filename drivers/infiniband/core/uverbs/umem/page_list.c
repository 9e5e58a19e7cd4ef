// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Scatterlists that grow by pages, of which those that follow each other share an entry. That's
 * done here and not by the kernel's append tables because of what it costs: a page is looked at
 * twice, by its frame number alone, and small lists need no memory of their own.
 */

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "umem.h"

/**
 * umem_page_list_init - start an empty list
 * @list: the list
 * @first: UMEM_FIRST_ENTRIES zeroed entries, which live as long as the list
 * @max_segment: that an entry may have, bytes; at least a page
 *
 * Context: Any.
 */
void umem_page_list_init(struct umem_page_list *list, struct scatterlist *first,
			 unsigned int max_segment)
{
	*list = (struct umem_page_list) {
		.first = first,
		.next = first,
		.room = UMEM_FIRST_ENTRIES,
		.max_pages = max_segment >> PAGE_SHIFT,
	};
}

/* How many of the pages follow the first one without a gap, itself included. */
static unsigned int run_length(struct page **pages, unsigned int n)
{
	unsigned long pfn = page_to_pfn(pages[0]);
	unsigned int i = 1;

	while (i < n && page_to_pfn(pages[i]) == pfn + i)
		i++;
	return i;
}

static unsigned int count_runs(struct umem_page_list *list, struct page **pages, unsigned int n)
{
	unsigned int i, runs = 0;

	for (i = 0; i < n; runs++)
		i += run_length(pages + i, min(n - i, list->max_pages));
	return runs;
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
		entries = count_runs(list, pages, n) + more;
		if (entries > 1 && !make_room(list, entries))
			return NULL;
	}
	list->room--;
	list->used++;
	list->last = list->next++;
	return list->last;
}

/* How many of the pages the last entry can take. */
static unsigned int continue_last(struct umem_page_list *list, struct page **pages, unsigned int n)
{
	unsigned int has, i;

	if (!list->last)
		return 0;
	has = list->last->length >> PAGE_SHIFT;
	if (page_to_pfn(sg_page(list->last)) + has != page_to_pfn(pages[0]) ||
	    has >= list->max_pages)
		return 0;

	i = run_length(pages, min(n, list->max_pages - has));
	list->last->length += i << PAGE_SHIFT;
	return i;
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
	unsigned int i = continue_last(list, pages, n);
	struct scatterlist *sg;
	unsigned int run;

	while (i < n) {
		sg = use_entry(list, pages + i, n - i, more);
		if (!sg)
			break;
		run = run_length(pages + i, min(n - i, list->max_pages));
		sg_set_page(sg, pages[i], run << PAGE_SHIFT, 0);
		i += run;
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
	if (list->last)
		sg_mark_end(list->last);
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
