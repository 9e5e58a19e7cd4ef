// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Work requests that change a key.
 */
#include "mr.h"

/**
 * mlx5_ib_umr_mask - which fields of a key change
 * @changes: MLX5_IB_UMR_*
 * @caps: what this device lets change
 *
 * Return: MLX5_MKEY_MASK_*.
 */
u64 mlx5_ib_umr_mask(u32 changes, const struct mlx5_ib_umr_caps *caps)
{
	u64 mask = 0;

	if (changes & MLX5_IB_UMR_FREE)
		mask |= MLX5_MKEY_MASK_FREE;
	if (changes & MLX5_IB_UMR_VARIANT)
		mask |= MLX5_MKEY_MASK_KEY;
	if (changes & MLX5_IB_UMR_PD)
		mask |= MLX5_MKEY_MASK_PD;
	if (changes & MLX5_IB_UMR_ACCESS)
		mask |= MLX5_MKEY_MASK_LR | MLX5_MKEY_MASK_LW | MLX5_MKEY_MASK_RR |
			MLX5_MKEY_MASK_RW |
			(caps->atomic ? MLX5_MKEY_MASK_A : 0) |
			(caps->relaxed_write ? MLX5_MKEY_MASK_RELAXED_ORDERING_WRITE : 0) |
			(caps->relaxed_read ? MLX5_MKEY_MASK_RELAXED_ORDERING_READ : 0);
	if (changes & MLX5_IB_UMR_RANGE)
		mask |= MLX5_MKEY_MASK_LEN | MLX5_MKEY_MASK_START_ADDR |
			MLX5_MKEY_MASK_PAGE_SIZE |
			(caps->huge_pages ? MLX5_MKEY_MASK_PAGE_SIZE_5 : 0);
	return mask;
}

/**
 * mlx5_ib_umr_put_list - say which part of the translation changes
 * @wqe: the work request
 * @offset: where the new entries begin, bytes, a multiple of a block
 * @whole: they are the first ones of a translation that has no others yet
 * @bytes: of them, a multiple of a block
 */
void mlx5_ib_umr_put_list(struct mlx5_ib_umr_wqe *wqe, u64 offset, bool whole, u32 bytes)
{
	u64 octwords = offset / MLX5_IB_OCTWORD;

	wqe->umr.xlt_octowords = cpu_to_be16(bytes / MLX5_IB_OCTWORD);
	wqe->data.byte_count = cpu_to_be32(bytes);
	if (whole && !offset)
		return;
	wqe->umr.flags |= MLX5_UMR_TRANSLATION_OFFSET_EN;
	wqe->umr.xlt_offset = cpu_to_be16(octwords & U16_MAX);
	wqe->umr.xlt_offset_47_16 = cpu_to_be32(octwords >> 16);
}

/**
 * mlx5_ib_umr_put_inline - say that the work request has the whole translation, or none
 * @wqe: the work request
 * @bytes: of the list, which are all that the translation has; 0 or a block
 */
void mlx5_ib_umr_put_inline(struct mlx5_ib_umr_wqe *wqe, u32 bytes)
{
	wqe->umr.flags |= MLX5_UMR_INLINE;
	wqe->umr.xlt_octowords = cpu_to_be16(bytes / MLX5_IB_OCTWORD);
}

/**
 * mlx5_ib_umr_length - how much of a work request is posted
 * @wqe: the work request
 *
 * Return: bytes.
 */
size_t mlx5_ib_umr_length(const struct mlx5_ib_umr_wqe *wqe)
{
	size_t list = wqe->umr.flags & MLX5_UMR_INLINE ?
		      be16_to_cpu(wqe->umr.xlt_octowords) * MLX5_IB_OCTWORD : sizeof(wqe->data);

	return offsetof(struct mlx5_ib_umr_wqe, list) + list;
}
