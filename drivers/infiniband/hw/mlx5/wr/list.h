/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Entries of lists, as sends and all kinds of receives have them. To the device a length of 0 is
 * 2 GiB, so entries without data are left out; a length's highest bit means inline data, so no
 * entry is as long.
 */
#ifndef RDMA_MLX5_LIST_H
#define RDMA_MLX5_LIST_H

#include "../mlx5.h"

static inline void mlx5_ib_fill_entry(struct mlx5_wqe_data_seg *entry, const struct ib_sge *sge)
{
	entry->byte_count = cpu_to_be32(sge->length);
	entry->lkey = cpu_to_be32(sge->lkey);
	entry->addr = cpu_to_be64(sge->addr);
}

/*
 * Writes a receive. @room: entries that it has; @count: of them in use, at most @room; @terminate:
 * the key that ends a list which leaves room. -EINVAL: an entry is too long.
 */
static inline int mlx5_ib_receive_list(struct mlx5_wqe_data_seg *entry, u32 room,
				       const struct ib_sge *list, u32 count, __be32 terminate)
{
	struct mlx5_wqe_data_seg *end = entry + room;

	for (const struct ib_sge *sge = list; sge < list + count; sge++) {
		if (unlikely(sge->length & MLX5_INLINE_SEG))
			return -EINVAL;
		if (likely(sge->length))
			mlx5_ib_fill_entry(entry++, sge);
	}
	if (entry < end)
		*entry = (struct mlx5_wqe_data_seg) { .lkey = terminate };
	return 0;
}

#endif
