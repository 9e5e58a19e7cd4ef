/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Memory of a process for a device's use. Three kinds: pinned pages; pages that are looked up when
 * the device asks for them (on-demand paging); a piece of a dma-buf. A struct ib_umem heads each.
 */
#ifndef RDMA_UVERBS_UMEM_H
#define RDMA_UVERBS_UMEM_H

#include <linux/scatterlist.h>
#include <rdma/ib_umem.h>

/*
 * After so many pages others may have the CPU: some hundred microseconds, whatever the memory's
 * size.
 */
#define UMEM_PAGES_AT_ONCE 2048

/* What most memory needs no allocation for: buffers and doorbells of queues, huge pages. */
#define UMEM_FIRST_ENTRIES 2

/**
 * struct umem_page_list - a scatterlist that grows by pages
 * @first: its first entries
 * @next: the entry to use next; if it's the last that there is, it may have to be a link to more
 * @last: the entry used last, NULL in an empty list
 * @next_pfn: of the page that would continue it; no page's in an empty list
 * @room: entries from @next on that are there
 * @used: entries in use, links not counted
 * @max_length: that an entry may have, bytes in whole pages
 *
 * Entries beyond the first stand in allocations of SG_MAX_SINGLE_ALLOC, the last of which is a link
 * to the next allocation, and in a last allocation that may be smaller.
 */
struct umem_page_list {
	struct scatterlist *first;
	struct scatterlist *next;
	struct scatterlist *last;
	unsigned long next_pfn;
	unsigned int room;
	unsigned int used;
	unsigned int max_length;
};

void umem_page_list_init(struct umem_page_list *list, struct scatterlist *first,
			 unsigned int max_segment);
unsigned int umem_page_list_add(struct umem_page_list *list, struct page **pages, unsigned int n,
				unsigned long more);
void umem_page_list_end(struct umem_page_list *list, struct sg_table *table);
void umem_page_list_free(struct sg_table *table);

/* The entry behind one that is in use, or NULL. Inline, unlike sg_next(): it runs for each page. */
static inline struct scatterlist *umem_page_list_next(struct scatterlist *sg)
{
	if (sg_is_last(sg))
		return NULL;
	sg++;
	return sg_is_chain(sg) ? sg_chain_ptr(sg) : sg;
}

unsigned long umem_page_size(const struct sg_table *table, size_t offset, size_t length, u64 iova,
			     unsigned long sizes);

void umem_pinned_release(struct ib_umem *umem);

#endif
