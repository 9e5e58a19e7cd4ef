// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The page size with which a device translates memory best. */

#include <linux/bitops.h>
#include <linux/overflow.h>

#include "umem.h"

/*
 * What stands in the way of large pages: no page can be larger than the lowest bit that is set
 * here.
 *
 * Where the device's addresses @iova are @pos, and memory that isn't where the piece before it
 * ended starts, a page has to start in both. At the first piece it's enough that both are as far
 * from the start of a page: what is before them isn't used. The same goes for the end of the last.
 */
static u64 obstacles(const struct sg_table *table, u64 pos)
{
	u64 found = 0, end = 0;
	struct scatterlist *sg;
	unsigned int i;

	for_each_sgtable_dma_sg(table, sg, i) {
		u64 start = sg_dma_address(sg);

		if (!i)
			found = start - pos;
		else if (start != end)
			found |= start | pos;
		pos += sg_dma_len(sg);
		end = start + sg_dma_len(sg);
	}
	return found;
}

/**
 * umem_page_size - the page size with which a device translates memory best
 * @table: DMA-mapped memory
 * @offset: where in its first entry the region starts
 * @length: the region's length, bytes
 * @iova: its address for the device
 * @sizes: what the device can do, a bit for each page size
 *
 * That is the largest with which the device's addresses and the memory's agree, but none larger
 * than the smallest that has all in one page.
 *
 * Context: Any.
 * Return: a bit of @sizes, or 0 if none will do.
 */
unsigned long umem_page_size(const struct sg_table *table, size_t offset, size_t length, u64 iova,
			     unsigned long sizes)
{
	unsigned long enough = 0;
	unsigned int bits;
	u64 last, limit;

	if (!length || check_add_overflow(iova, length - 1, &last))
		return 0;

	limit = obstacles(table, iova - offset);
	limit &= -limit;
	if (limit)
		sizes &= limit | (limit - 1);
	if (!sizes)
		return 0;

	bits = fls64(iova ^ last);
	if (bits < BITS_PER_LONG)
		enough = sizes & (~0UL << bits);
	return enough ? BIT(__ffs(enough)) : BIT(__fls(sizes));
}
