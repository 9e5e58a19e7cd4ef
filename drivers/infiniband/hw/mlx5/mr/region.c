// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory regions from the key's side: how one gets its key, and how it gives it back.
 */
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include <linux/sched/mm.h>
#include "mr.h"

/* Paged on demand. */
bool mlx5_ib_is_paged(const struct mlx5_ib_mr *mr)
{
	return mr->umem && mr->umem->is_odp;
}

/* Of a dma-buf whose exporter may move it. */
bool mlx5_ib_is_moving_dmabuf(const struct mlx5_ib_mr *mr)
{
	return mr->umem && mr->umem->is_dmabuf && !to_ib_umem_dmabuf(mr->umem)->pinned;
}

/* What sysfs tells of pages that are registered. */
void mlx5_ib_count_pages(struct mlx5_ib_dev *dev, struct ib_umem *umem, int sign)
{
	atomic_add(sign * (int)ib_umem_num_pages(umem), &dev->mdev->priv.reg_pages);
}

/* Of what memory the region is. */
void mlx5_ib_region_describe(struct mlx5_ib_mr *mr, struct ib_umem *umem, u64 iova, u32 page_shift)
{
	mr->umem = umem;
	mr->page_shift = page_shift;
	mr->ibmr.iova = iova;
	mr->ibmr.length = umem->length;
}

/**
 * mlx5_ib_mr_alloc - a region with a free key
 * @pd: the protection domain that it'll be in
 * @access_mode: of what kind the translation is
 * @entries: of it
 * @access: IB_ACCESS_*
 *
 * Return: the region, or an errno: -EOPNOTSUPP: this device takes no translation by work requests.
 */
struct mlx5_ib_mr *mlx5_ib_mr_alloc(struct mlx5_ib_pd *pd, u32 access_mode, u64 entries, u32 access)
{
	struct mlx5_ib_dev *dev = to_mdev(pd->ibpd.device);
	const struct mlx5_ib_bin_kind wanted = {
		.access_mode = access_mode,
		.access = mlx5_ib_fixed_access(dev, access),
		.entries = entries,
	};
	struct mlx5_ib_mr *mr;
	int err;

	if (!mlx5_ib_umr_can_enable(dev, entries))
		return ERR_PTR(-EOPNOTSUPP);
	err = mlx5_ib_umr_start(dev);
	if (err)
		return ERR_PTR(err);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	err = mlx5_ib_cache_take(dev, &wanted, mr);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	mr->access = access;
	mr->ibmr.device = &dev->ib_dev;
	mr->ibmr.pd = &pd->ibpd;
	mr->ibmr.lkey = mr->mkey.key;
	mr->ibmr.rkey = mr->mkey.key;
	return mr;
}

static struct dma_resv *resv_of(struct mlx5_ib_mr *mr)
{
	return to_ib_umem_dmabuf(mr->umem)->attach->dmabuf->resv;
}

/*
 * Memory that moves is told to the device by others as well, with its lock held, and perhaps
 * because memory is wanted: with the lock held none may be waited for. What to give to
 * unlock_memory().
 */
static unsigned int lock_memory(struct mlx5_ib_mr *mr)
{
	if (mlx5_ib_is_paged(mr))
		mutex_lock(&to_ib_umem_odp(mr->umem)->umem_mutex);
	else if (mlx5_ib_is_moving_dmabuf(mr))
		dma_resv_lock(resv_of(mr), NULL);
	return memalloc_noreclaim_save();
}

static void unlock_memory(struct mlx5_ib_mr *mr, unsigned int flags)
{
	memalloc_noreclaim_restore(flags);
	if (mlx5_ib_is_paged(mr))
		mutex_unlock(&to_ib_umem_odp(mr->umem)->umem_mutex);
	else if (mlx5_ib_is_moving_dmabuf(mr))
		dma_resv_unlock(resv_of(mr));
}

/* From now on whoever moves the memory needn't tell the device. With the lock held. */
static void part_from_memory(struct mlx5_ib_mr *mr)
{
	if (mlx5_ib_is_paged(mr))
		to_ib_umem_odp(mr->umem)->private = NULL;
	else if (mlx5_ib_is_moving_dmabuf(mr))
		to_ib_umem_dmabuf(mr->umem)->private = NULL;
}

/* No access any more, neither by the device nor to it. @waits: the key may go to its bin. */
static int stop(struct mlx5_ib_mr *mr, bool *waits)
{
	unsigned int flags = lock_memory(mr);
	int err = 0;

	*waits = mr->bin && !mlx5_ib_umr_revoke(mr);
	if (!*waits)
		err = mlx5_ib_mkey_destroy(to_mdev(mr->ibmr.device), &mr->mkey);
	if (!err)
		part_from_memory(mr);
	unlock_memory(mr, flags);
	return err;
}

static void release(struct mlx5_ib_mr *mr)
{
	if (!mr->umem) {
		mlx5_ib_free_fast_list(mr);
	} else {
		if (!mlx5_ib_is_paged(mr))
			mlx5_ib_count_pages(to_mdev(mr->ibmr.device), mr->umem, -1);
		ib_umem_release(mr->umem);
	}
	kfree(mr);
}

/**
 * mlx5_ib_mr_destroy - the device forgets a region, and so do we
 * @mr: the region; faults don't find it any more
 *
 * Context: may sleep.
 * Return: 0, or a negative errno: then it's still there, and this can be tried again.
 */
int mlx5_ib_mr_destroy(struct mlx5_ib_mr *mr)
{
	bool waits;
	int err;

	err = stop(mr, &waits);
	if (!err && waits && !mlx5_ib_cache_put(mr))
		err = mlx5_ib_mkey_destroy(to_mdev(mr->ibmr.device), &mr->mkey);
	if (!err)
		release(mr);
	return err;
}

/* The consumer's way to it. */
int mlx5_ib_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	struct mlx5_ib_mr *mr = to_mmr(ibmr);
	int err = 0;

	if (mlx5_ib_is_paged(mr))
		err = mlx5_ib_odp_dereg(mr);
	else if (mlx5_ib_is_moving_dmabuf(mr))
		mlx5_ib_key_hide(to_mdev(ibmr->device), &mr->mkey);
	return err ?: mlx5_ib_mr_destroy(mr);
}
