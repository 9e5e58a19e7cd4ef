// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Scatter lists as the device has them described: a list of blocks of one size, aligned to it, and
 * an offset into the first.
 */
#include "mr.h"

/* Parts of a page, in which the offset of a queue's beginning counts. */
#define PAGE_PARTS 64

static void look_at(struct mlx5_ib_blocks *blocks, u64 skip)
{
	u64 address = sg_dma_address(blocks->sg);

	blocks->at = ALIGN_DOWN(address + skip, blocks->size);
	blocks->end = address + sg_dma_len(blocks->sg);
}

/**
 * mlx5_ib_blocks_start - begin a walk
 * @blocks: the walk
 * @sg: first entry of a mapped list
 * @skip: bytes of it to leave out, fewer than it has
 * @size: of a block; all entries but the first begin, and all but the last end at a multiple of it
 */
void mlx5_ib_blocks_start(struct mlx5_ib_blocks *blocks, struct scatterlist *sg, u64 skip, u64 size)
{
	blocks->sg = sg;
	blocks->size = size;
	look_at(blocks, skip);
}

/**
 * mlx5_ib_blocks_put - write addresses of the next blocks
 * @blocks: the walk
 * @list: where to
 * @count: how many; where the list ends before, zeros follow
 * @flags: low bits of each
 */
void mlx5_ib_blocks_put(struct mlx5_ib_blocks *blocks, __be64 *list, u64 count, u64 flags)
{
	for (; count && blocks->sg; count--, list++, blocks->at += blocks->size) {
		while (blocks->at >= blocks->end) {
			blocks->sg = sg_next(blocks->sg);
			if (!blocks->sg)
				goto ended;
			look_at(blocks, 0);
		}
		*list = cpu_to_be64(blocks->at | flags);
	}
ended:
	memset(list, 0, count * sizeof(*list));
}

/**
 * mlx5_ib_page_sizes - page sizes that a field of a context can tell
 * @log_bits: of the field
 * @smallest: log2 of the size that 0 stands for
 *
 * Return: a set of powers of 2. None is smaller than the device's own pages, whatever the field
 * says.
 */
unsigned long mlx5_ib_page_sizes(unsigned int log_bits, unsigned int smallest)
{
	unsigned int largest = min_t(unsigned int, smallest + BIT(log_bits) - 1, BITS_PER_LONG - 1);

	return GENMASK(largest, max_t(unsigned int, smallest, MLX5_ADAPTER_PAGE_SHIFT));
}

/**
 * mlx5_ib_quantize - the largest page size that can tell where in a page a queue begins
 * @sizes: that the context can tell
 * @size: of @sizes, the largest that fits the memory
 * @address: where it begins
 * @offset_bits: that the context has for the offset
 * @page_offset: becomes it
 *
 * Return: the size, or 0: there's none.
 */
unsigned long mlx5_ib_quantize(unsigned long sizes, unsigned long size, u64 address,
			       unsigned int offset_bits, unsigned int *page_offset)
{
	for (; size & sizes; size /= 2) {
		u64 offset = address & (size - 1);
		u64 part = size / PAGE_PARTS;

		if (!(offset & (part - 1)) && offset / part < BIT(offset_bits)) {
			*page_offset = offset / part;
			return size;
		}
	}
	return 0;
}
