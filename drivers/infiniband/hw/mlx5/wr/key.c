// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Requests that change a memory key: fast registration and local invalidation (IBTA 10.6.5). The
 * control segment names the key. Here follow which of its fields change, the fields, and the
 * translation: the entries themselves if they're few, else where they are.
 */
#include <linux/log2.h>
#include "wr.h"

/* Translations are read in units of as many bytes, and as many may stand in the request. */
#define UNIT MLX5_UMR_FLEX_ALIGNMENT

static u32 translation_bytes(const struct mlx5_ib_mr *mr)
{
	return ALIGN(mr->mkey.entries * mr->list_entry_size, UNIT);
}

/* @bytes: of the translation */
static void append_changes(struct mlx5_ib_wqe *wqe, u32 bytes, int access)
{
	struct mlx5_wqe_umr_ctrl_seg *changes = mlx5_ib_wqe_piece(wqe, sizeof(*changes));
	u64 mask = MLX5_MKEY_MASK_LEN | MLX5_MKEY_MASK_PAGE_SIZE | MLX5_MKEY_MASK_START_ADDR |
		   MLX5_MKEY_MASK_EN_RINVAL | MLX5_MKEY_MASK_KEY | MLX5_MKEY_MASK_LR |
		   MLX5_MKEY_MASK_LW | MLX5_MKEY_MASK_RR | MLX5_MKEY_MASK_RW |
		   MLX5_MKEY_MASK_SMALL_FENCE | MLX5_MKEY_MASK_FREE;

	if (access & IB_ACCESS_REMOTE_ATOMIC)
		mask |= MLX5_MKEY_MASK_A;
	*changes = (struct mlx5_wqe_umr_ctrl_seg) {
		.flags = MLX5_UMR_CHECK_NOT_FREE | (bytes <= UNIT ? MLX5_UMR_INLINE : 0),
		.xlt_octowords = cpu_to_be16(bytes / MLX5_SEND_WQE_DS),
		.mkey_mask = cpu_to_be64(mask),
	};
	mlx5_ib_wqe_append(wqe, changes, sizeof(*changes));
}

static u8 permissions(int access)
{
	u8 granted = MLX5_PERM_UMR_EN | MLX5_PERM_LOCAL_READ;

	if (access & IB_ACCESS_LOCAL_WRITE)
		granted |= MLX5_PERM_LOCAL_WRITE;
	if (access & IB_ACCESS_REMOTE_READ)
		granted |= MLX5_PERM_REMOTE_READ;
	if (access & IB_ACCESS_REMOTE_WRITE)
		granted |= MLX5_PERM_REMOTE_WRITE;
	if (access & IB_ACCESS_REMOTE_ATOMIC)
		granted |= MLX5_PERM_ATOMIC;
	return granted;
}

/* @bytes: of the translation */
static void append_fields(struct mlx5_ib_wqe *wqe, u32 bytes, const struct ib_reg_wr *wr)
{
	struct mlx5_mkey_seg *fields = mlx5_ib_wqe_piece(wqe, sizeof(*fields));
	const struct mlx5_ib_mr *mr = to_mmr(wr->mr);

	*fields = (struct mlx5_mkey_seg) {
		.flags = permissions(wr->access) | mr->access_mode,
		/* Not bound to a queue pair. */
		.qpn_mkey7_0 = cpu_to_be32(0xffffff00 | (wr->key & 0xff)),
		.flags_pd = cpu_to_be32(MLX5_MKEY_REMOTE_INVAL),
		.start_addr = cpu_to_be64(mr->ibmr.iova),
		.len = cpu_to_be64(mr->ibmr.length),
		.xlt_oct_size = cpu_to_be32(bytes / MLX5_SEND_WQE_DS),
		.log2_page_size = mr->access_mode == MLX5_MKC_ACCESS_MODE_MTT ?
				  ilog2(mr->ibmr.page_size) : 0,
	};
	mlx5_ib_wqe_append(wqe, fields, sizeof(*fields));
}

/**
 * mlx5_ib_wqe_register - append a fast registration
 * @wqe: a send that's being written
 * @wr: the request; its region's list of entries is filled up to a multiple of 64 bytes
 * @dma_lkey: the key by which the device reads the list
 */
void mlx5_ib_wqe_register(struct mlx5_ib_wqe *wqe, const struct ib_reg_wr *wr, u32 dma_lkey)
{
	const struct mlx5_ib_mr *mr = to_mmr(wr->mr);
	u32 bytes = translation_bytes(mr);
	struct mlx5_wqe_data_seg *segment;

	append_changes(wqe, bytes, wr->access);
	append_fields(wqe, bytes, wr);
	if (bytes <= UNIT) {
		mlx5_ib_wqe_copy(wqe, mr->list, bytes);
		return;
	}
	segment = mlx5_ib_wqe_segment(wqe);
	segment->byte_count = cpu_to_be32(bytes);
	segment->lkey = cpu_to_be32(dma_lkey);
	segment->addr = cpu_to_be64(mr->list_dma);
}

/**
 * mlx5_ib_wqe_invalidate - append a local invalidation
 * @wqe: a send that's being written
 */
void mlx5_ib_wqe_invalidate(struct mlx5_ib_wqe *wqe)
{
	struct mlx5_wqe_umr_ctrl_seg *changes = mlx5_ib_wqe_piece(wqe, sizeof(*changes));
	struct mlx5_mkey_seg *fields;

	*changes = (struct mlx5_wqe_umr_ctrl_seg) {
		.flags = MLX5_UMR_INLINE,
		.mkey_mask = cpu_to_be64(MLX5_MKEY_MASK_FREE),
	};
	mlx5_ib_wqe_append(wqe, changes, sizeof(*changes));
	fields = mlx5_ib_wqe_piece(wqe, sizeof(*fields));
	*fields = (struct mlx5_mkey_seg) { .status = MLX5_MKEY_STATUS_FREE };
	mlx5_ib_wqe_append(wqe, fields, sizeof(*fields));
}
