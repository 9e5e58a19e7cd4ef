// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Scatter lists that needn't fall into pages: a list of keys, each with address and length.
 */
#include "mr.h"

/**
 * mlx5_ib_klm_list - describe a scatter list
 * @list: room for @max entries
 * @max: not 0
 * @sgl: mapped
 * @nents: its entries
 * @offset: bytes of the first entry to leave out
 * @lkey: the key of all memory
 * @length: becomes the bytes described
 *
 * Return: entries used.
 */
u32 mlx5_ib_klm_list(struct mlx5_klm *list, u32 max, struct scatterlist *sgl, int nents,
		     unsigned int offset, u32 lkey, u64 *length)
{
	struct scatterlist *sg;
	int i;

	*length = 0;
	for_each_sg(sgl, sg, min_t(u32, nents, max), i) {
		u32 bytes = sg_dma_len(sg) - offset;

		list[i] = (struct mlx5_klm) {
			.bcount = cpu_to_be32(bytes),
			.key = cpu_to_be32(lkey),
			.va = cpu_to_be64(sg_dma_address(sg) + offset),
		};
		*length += bytes;
		offset = 0;
	}
	return i;
}
