// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * How large a shared receive queue becomes.
 */
#include <linux/log2.h>
#include "srq.h"

#define LEAST_ENTRY 32 /* the link, and one list entry */

/**
 * mlx5_ib_srq_size - a queue and its entries
 * @max_entries: that the device can have in one
 * @max_wqe: bytes of an entry that the device can have
 * @attr: what was asked for
 * @size: filled in: a power of 2 of entries, one more at least than was asked for, since one always
 *	stays free; each a power of 2 of bytes
 *
 * Return: 0, or -EINVAL: too much.
 */
int mlx5_ib_srq_size(u32 max_entries, u32 max_wqe, const struct ib_srq_attr *attr,
		     struct mlx5_ib_srq_size *size)
{
	const u32 link = sizeof(struct mlx5_wqe_srq_next_seg);
	const u32 segment = sizeof(struct mlx5_wqe_data_seg);
	u32 bytes;

	if (attr->max_wr >= max_entries || attr->max_sge > max_wqe / segment)
		return -EINVAL;
	bytes = max_t(u32, roundup_pow_of_two(link + attr->max_sge * segment), LEAST_ENTRY);
	size->count = roundup_pow_of_two(attr->max_wr + 1);
	size->shift = ilog2(bytes);
	size->room = (bytes - link) / segment;
	size->bytes = (size_t)size->count << size->shift;
	return 0;
}
