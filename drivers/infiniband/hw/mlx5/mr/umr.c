// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Changes of keys by work requests: a free key becomes a region, a region gets other pages, other
 * rights, another protection domain, or is made free.
 */
#include "umr_list.h"

/* Without the upper half of the offset a list can't be longer. */
#define ENTRIES_NEAR BIT(16)

void mlx5_ib_umr_caps(struct mlx5_core_dev *mdev, struct mlx5_ib_umr_caps *caps)
{
	*caps = (struct mlx5_ib_umr_caps) {
		.atomic = MLX5_CAP_GEN(mdev, atomic) &&
			  !MLX5_CAP_GEN(mdev, umr_modify_atomic_disabled),
		.relaxed_write = MLX5_CAP_GEN(mdev, relaxed_ordering_write_umr),
		.relaxed_read = MLX5_CAP_GEN(mdev, relaxed_ordering_read_umr),
		.huge_pages = MLX5_CAP_GEN_2(mdev, umr_log_entity_size_5),
	};
}

/* Can a key get a translation of so many entries? Its page size has to be told, too. */
bool mlx5_ib_umr_can_enable(struct mlx5_ib_dev *dev, u64 entries)
{
	struct mlx5_core_dev *mdev = dev->mdev;

	return !MLX5_CAP_GEN(mdev, umr_modify_entity_size_disabled) &&
	       (entries < ENTRIES_NEAR || MLX5_CAP_GEN(mdev, umr_extended_translation_offset));
}

static void put_changes(struct mlx5_ib_dev *dev, struct mlx5_ib_umr_wqe *wqe, u32 changes, u8 flags)
{
	wqe->umr.flags = flags;
	wqe->umr.mkey_mask = cpu_to_be64(mlx5_ib_umr_mask(changes, &dev->umr->caps));
}

static void put_region(struct mlx5_ib_mr *mr, struct mlx5_ib_umr_wqe *wqe)
{
	const struct mlx5_ib_mkc values = {
		.pdn = to_mpd(mr->ibmr.pd)->pdn,
		.access = mr->access,
		.relaxed = mlx5_ib_relaxed(to_mdev(mr->ibmr.device), mr->access),
		.variant = mlx5_mkey_variant(mr->mkey.key),
		.whole = !mr->ibmr.length || mr->ibmr.length == U64_MAX,
		.iova = mr->ibmr.iova,
		.length = mr->ibmr.length,
		.page_shift = mr->page_shift,
	};

	mlx5_ib_mkc_put(wqe->mkc, &values);
}

static int enable(struct mlx5_ib_mr *mr, u64 count, mlx5_ib_fill *fill, void *context, bool reclaim)
{
	struct mlx5_ib_umr_wqe wqe = {};
	const struct mlx5_ib_umr_list what = {
		.request = &wqe,
		.end = count,
		.whole = true,
		.reclaim = reclaim,
		.fill = fill,
		.context = context,
	};

	put_region(mr, &wqe);
	put_changes(to_mdev(mr->ibmr.device), &wqe,
		    MLX5_IB_UMR_FREE | MLX5_IB_UMR_VARIANT | MLX5_IB_UMR_PD | MLX5_IB_UMR_ACCESS |
		    MLX5_IB_UMR_RANGE, MLX5_UMR_CHECK_NOT_FREE);
	return mlx5_ib_umr_send_list(mr, &what);
}

/**
 * mlx5_ib_umr_enable - give a free key a translation, after which the device takes it
 * @mr: the region, as it will be
 * @count: entries of the translation
 * @fill: writes them
 * @context: for @fill
 *
 * Context: may sleep, but doesn't wait for memory to be reclaimed.
 * Return: 0 or a negative errno; then the key is still free.
 */
int mlx5_ib_umr_enable(struct mlx5_ib_mr *mr, u64 count, mlx5_ib_fill *fill, void *context)
{
	return enable(mr, count, fill, context, false);
}

/**
 * mlx5_ib_umr_write - change a part of a translation
 * @mr: the region, whose key the device takes
 * @first: entry that changes
 * @count: of them
 * @total: entries of the translation
 * @fill: writes them, and neighbours as well
 * @context: for @fill
 *
 * Context: may sleep, but doesn't wait for memory to be reclaimed.
 * Return: 0 or a negative errno; then it's unknown how much was written.
 */
int mlx5_ib_umr_write(struct mlx5_ib_mr *mr, u64 first, u64 count, u64 total, mlx5_ib_fill *fill,
		      void *context)
{
	u32 per_block = MLX5_IB_LIST_BLOCK / mlx5_ib_entry_size(mr->access_mode);
	struct mlx5_ib_umr_wqe wqe = {};
	const struct mlx5_ib_umr_list what = {
		.request = &wqe,
		.first = round_down(first, per_block),
		.end = min(round_up(first + count, per_block), total),
		.fill = fill,
		.context = context,
	};

	if (first > total || count > total - first)
		return -EINVAL;
	put_region(mr, &wqe);
	put_changes(to_mdev(mr->ibmr.device), &wqe, 0, MLX5_UMR_CHECK_FREE);
	return mlx5_ib_umr_send_list(mr, &what);
}

static void fill_pinned(struct mlx5_ib_mr *mr, void *list, u64 first, u64 count, void *context)
{
	mlx5_ib_blocks_put(context, list, count, MLX5_IB_ENTRY_READ | MLX5_IB_ENTRY_WRITE);
}

static_assert(MLX5_IB_ENTRY_READ == ODP_READ_ALLOWED_BIT);
static_assert(MLX5_IB_ENTRY_WRITE == ODP_WRITE_ALLOWED_BIT);

/* What isn't mapped is 0 there as well. */
static void fill_paged(struct mlx5_ib_mr *mr, void *list, u64 first, u64 count, void *context)
{
	const dma_addr_t *mapped = to_ib_umem_odp(mr->umem)->dma_list + first;
	__be64 *entries = list;

	for (u64 i = 0; i < count; i++)
		entries[i] = cpu_to_be64(mapped[i]);
}

static void fill_nothing(struct mlx5_ib_mr *mr, void *list, u64 first, u64 count, void *context)
{
	memset(list, 0, count * mlx5_ib_entry_size(mr->access_mode));
}

/* How the entries of a region's umem are written; @blocks: the walk over it, where it takes one. */
static mlx5_ib_fill *fill_of(struct mlx5_ib_mr *mr, bool present, struct mlx5_ib_blocks *blocks)
{
	if (!present)
		return fill_nothing;
	if (mr->umem->is_odp)
		return fill_paged;
	mlx5_ib_umem_walk(mr->umem, BIT(mr->page_shift), blocks);
	return fill_pinned;
}

static u64 entries_of(struct mlx5_ib_mr *mr)
{
	return mr->umem->is_odp ? ib_umem_odp_num_pages(to_ib_umem_odp(mr->umem)) :
				  ib_umem_num_dma_blocks(mr->umem, BIT(mr->page_shift));
}

/**
 * mlx5_ib_umr_enable_pages - give a free key the pages of its umem, after which the device takes it
 * @mr: the region, as it will be
 * @present: false: no page is there yet
 *
 * Context: may sleep; with the lock of the umem held, if it's one that moves.
 * Return: 0 or a negative errno; then the key is still free.
 */
int mlx5_ib_umr_enable_pages(struct mlx5_ib_mr *mr, bool present)
{
	bool moves = mr->umem->is_odp || mr->umem->is_dmabuf;
	struct mlx5_ib_blocks blocks;

	return enable(mr, entries_of(mr), fill_of(mr, present, &blocks), &blocks, !moves);
}

/**
 * mlx5_ib_umr_update_pages - tell the device what has become of pages
 * @mr: the region, whose key the device takes
 * @first: page
 * @count: of them, or 0: all; only what's paged on demand is told of by parts
 * @present: false: none of them is there
 *
 * Context: may sleep, but doesn't wait for memory to be reclaimed; with the lock of the umem held.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_umr_update_pages(struct mlx5_ib_mr *mr, u64 first, u64 count, bool present)
{
	u64 total = entries_of(mr);
	struct mlx5_ib_blocks blocks;

	if (!count || !mr->umem->is_odp) {
		first = 0;
		count = total;
	}
	return mlx5_ib_umr_write(mr, first, count, total, fill_of(mr, present, &blocks), &blocks);
}

/* The key is free afterwards, and what was under way through it is over. */
int mlx5_ib_umr_revoke(struct mlx5_ib_mr *mr)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	const struct mlx5_ib_mkc values = {
		.pdn = to_mpd(dev->umr->pd)->pdn,
		.variant = mlx5_mkey_variant(mr->mkey.key),
		.free = true,
	};
	struct mlx5_ib_umr_wqe wqe = {};

	mlx5_ib_mkc_put(wqe.mkc, &values);
	put_changes(dev, &wqe, MLX5_IB_UMR_FREE | MLX5_IB_UMR_PD, 0);
	mlx5_ib_umr_put_inline(&wqe, 0);
	return mlx5_ib_umr_run(dev, mr->mkey.key, &wqe);
}

/* Undoes it: the key has kept its translation and its rights. */
int mlx5_ib_umr_restore(struct mlx5_ib_mr *mr)
{
	struct mlx5_ib_umr_wqe wqe = {};

	put_region(mr, &wqe);
	put_changes(to_mdev(mr->ibmr.device), &wqe, MLX5_IB_UMR_FREE | MLX5_IB_UMR_PD,
		    MLX5_UMR_CHECK_NOT_FREE);
	mlx5_ib_umr_put_inline(&wqe, 0);
	return mlx5_ib_umr_run(to_mdev(mr->ibmr.device), mr->mkey.key, &wqe);
}

/* Another protection domain and other rights; the latter have to be some that can be changed. */
int mlx5_ib_umr_change(struct mlx5_ib_mr *mr, struct mlx5_ib_pd *pd, u32 access)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	const struct mlx5_ib_mkc values = {
		.pdn = pd->pdn,
		.access = access,
		.relaxed = mlx5_ib_relaxed(dev, access),
		.variant = mlx5_mkey_variant(mr->mkey.key),
	};
	struct mlx5_ib_umr_wqe wqe = {};

	mlx5_ib_mkc_put(wqe.mkc, &values);
	put_changes(dev, &wqe, MLX5_IB_UMR_PD | MLX5_IB_UMR_ACCESS, MLX5_UMR_CHECK_FREE);
	mlx5_ib_umr_put_inline(&wqe, 0);
	return mlx5_ib_umr_run(dev, mr->mkey.key, &wqe);
}
