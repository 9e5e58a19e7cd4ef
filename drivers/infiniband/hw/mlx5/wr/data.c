// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Where a request's data is: lists, and data that stands in the request itself. To the device a
 * length of 0 is 2 GiB, so entries without data are left out; a length's highest bit means inline
 * data, so no entry is as long.
 */
#include "wr.h"

static void fill(struct mlx5_wqe_data_seg *segment, const struct ib_sge *sge)
{
	segment->byte_count = cpu_to_be32(sge->length);
	segment->lkey = cpu_to_be32(sge->lkey);
	segment->addr = cpu_to_be64(sge->addr);
}

/**
 * mlx5_ib_wqe_list - append a list
 * @wqe: a send that's being written
 * @list: its entries
 * @count: of them
 *
 * Return: 0, or -EINVAL: an entry is too long.
 */
int mlx5_ib_wqe_list(struct mlx5_ib_wqe *wqe, const struct ib_sge *list, u32 count)
{
	for (const struct ib_sge *sge = list; sge < list + count; sge++) {
		if (unlikely(sge->length & MLX5_INLINE_SEG))
			return -EINVAL;
		if (likely(sge->length))
			fill(mlx5_ib_wqe_segment(wqe), sge);
	}
	return 0;
}

/**
 * mlx5_ib_wqe_inline - append data itself
 * @wqe: a send that's being written
 * @list: where it is in the kernel's memory
 * @count: entries
 * @max: bytes that there's room for
 *
 * Return: 0, or -ENOMEM: too much.
 */
int mlx5_ib_wqe_inline(struct mlx5_ib_wqe *wqe, const struct ib_sge *list, u32 count, u32 max)
{
	struct mlx5_wqe_inline_seg *header = mlx5_ib_wqe_at(wqe, wqe->bytes);
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < count; i++)
		bytes += list[i].length;
	if (unlikely(bytes > max))
		return -ENOMEM;
	if (!bytes)
		return 0;
	header->byte_count = cpu_to_be32(MLX5_INLINE_SEG | bytes);
	wqe->bytes += sizeof(*header);
	for (i = 0; i < count; i++)
		mlx5_ib_wqe_copy(wqe, (void *)(uintptr_t)list[i].addr, list[i].length);
	wqe->bytes = ALIGN(wqe->bytes, MLX5_SEND_WQE_DS);
	return 0;
}

/**
 * mlx5_ib_receive_list - write a receive
 * @entry: where
 * @room: entries of a list that it has
 * @list: where the data goes
 * @count: of entries in use, at most @room
 * @terminate: the key that ends a list which leaves room
 *
 * Return: 0, or -EINVAL: an entry is too long.
 */
int mlx5_ib_receive_list(struct mlx5_wqe_data_seg *entry, u32 room, const struct ib_sge *list,
			 u32 count, __be32 terminate)
{
	struct mlx5_wqe_data_seg *end = entry + room;

	for (const struct ib_sge *sge = list; sge < list + count; sge++) {
		if (unlikely(sge->length & MLX5_INLINE_SEG))
			return -EINVAL;
		if (likely(sge->length))
			fill(entry++, sge);
	}
	if (entry < end)
		*entry = (struct mlx5_wqe_data_seg) { .lkey = terminate };
	return 0;
}
