// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Data that stands in the request itself.
 */
#include "wr.h"

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
	wqe->next = header + 1;
	wqe->bytes += sizeof(*header);
	for (i = 0; i < count; i++)
		mlx5_ib_wqe_copy(wqe, (void *)(uintptr_t)list[i].addr, list[i].length);
	wqe->bytes = ALIGN(wqe->bytes, MLX5_SEND_WQE_DS);
	wqe->next = mlx5_ib_wqe_at(wqe, wqe->bytes);
	return 0;
}
