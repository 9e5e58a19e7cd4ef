// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From pinned memory of a process to page size and page list.
 */
#include "mr.h"

/* Of addresses that can be told by an offset in 64ths of a page; what's below is too fine. */
#define OFFSET_BITS GENMASK_ULL(31, 6)

/**
 * mlx5_ib_umem_page_size - the page size for a queue in a process's memory
 * @umem: the memory
 * @log_bits: that the context has for the size, of which 0 stands for 4 KiB
 * @offset_bits: that it has for where in the first page the queue begins, in 64ths of the page;
 *	none: it begins with a page
 * @page_offset: becomes that
 *
 * Return: the largest there is, or 0: none will do.
 */
unsigned long mlx5_ib_umem_page_size(struct ib_umem *umem, unsigned int log_bits,
				     unsigned int offset_bits, unsigned int *page_offset)
{
	unsigned long sizes = mlx5_ib_page_sizes(log_bits, MLX5_ADAPTER_PAGE_SHIFT);
	unsigned long size = ib_umem_find_best_pgoff(umem, sizes, offset_bits ? OFFSET_BITS : 0);
	u64 address = sg_dma_address(umem->sgt_append.sgt.sgl) + ib_umem_offset(umem);

	return mlx5_ib_quantize(sizes, size, address, offset_bits, page_offset);
}

/* For a region there's no offset: where it begins in its first page is where its iova does. */
unsigned long mlx5_ib_mkey_page_size(struct mlx5_ib_dev *dev, struct ib_umem *umem, u64 iova)
{
	unsigned int log_bits = MLX5_CAP_GEN_2(dev->mdev, umr_log_entity_size_5) ? 6 : 5;

	return ib_umem_find_best_pgsz(umem, mlx5_ib_page_sizes(log_bits, 0), iova);
}

void mlx5_ib_umem_walk(struct ib_umem *umem, unsigned long page_size, struct mlx5_ib_blocks *blocks)
{
	mlx5_ib_blocks_start(blocks, umem->sgt_append.sgt.sgl, ib_umem_offset(umem), page_size);
}

/**
 * mlx5_ib_umem_pages - the page list for a command
 * @umem: the memory, whose page size has been found
 * @page_size: a size that fits it
 * @pas: room for ib_umem_num_dma_blocks()
 * @access: low bits of each
 */
void mlx5_ib_umem_pages(struct ib_umem *umem, unsigned long page_size, __be64 *pas, u64 access)
{
	struct mlx5_ib_blocks blocks;

	mlx5_ib_umem_walk(umem, page_size, &blocks);
	mlx5_ib_blocks_put(&blocks, pas, ib_umem_num_dma_blocks(umem, page_size), access);
}
