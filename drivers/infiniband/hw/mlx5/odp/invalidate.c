// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Taking pages out of a region's translation before the kernel takes them from the process.
 */
#include "odp.h"

static u64 page_of(struct ib_umem_odp *odp, u64 address)
{
	return (address - ib_umem_start(odp)) >> odp->page_shift;
}

/* A device that's alive does as it's told; one that isn't accesses nothing. */
static void take_out(struct mlx5_ib_mr *mr, u64 first, u64 count)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	int err;

	err = mlx5_ib_umr_update_pages(mr, first, count, false);
	if (err)
		mlx5_ib_warn(dev, "key 0x%x keeps %llu pages: %d\n", mr->mkey.key, count, err);
}

static void invalidate(struct ib_umem_odp *odp, struct mlx5_ib_mr *mr, u64 start, u64 end)
{
	u64 at = page_of(odp, start), behind = page_of(odp, end - 1) + 1;
	int before = odp->npages;
	u64 count;

	while ((count = mlx5_ib_next_run(odp->dma_list, &at, behind))) {
		take_out(mr, at, count);
		at += count;
	}
	ib_umem_odp_unmap_dma_pages(odp, start, end);
	atomic64_add(before - odp->npages, &mr->odp_counters.invalidations);
}

/*
 * The kernel waits until the device has forgotten the pages, perhaps in want of memory: nothing
 * here may wait for any.
 */
static bool notified(struct mmu_interval_notifier *notifier, const struct mmu_notifier_range *range,
		     unsigned long sequence)
{
	struct ib_umem_odp *odp = container_of(notifier, struct ib_umem_odp, notifier);
	struct mlx5_ib_mr *mr;
	u64 start, end;

	if (!mmu_notifier_range_blockable(range))
		return false;
	mutex_lock(&odp->umem_mutex);
	mmu_interval_set_seq(notifier, sequence);
	mr = odp->private;
	start = max_t(u64, ib_umem_start(odp), range->start);
	end = min_t(u64, ib_umem_end(odp), range->end);
	/* Until the first page has come there may be no region; at its end there's none. */
	if (odp->npages && mr && start < end) {
		invalidate(odp, mr, start, end);
		if (!odp->npages && mr->parent)
			mlx5_ib_child_unused(mr);
	}
	mutex_unlock(&odp->umem_mutex);
	return true;
}

const struct mmu_interval_notifier_ops mlx5_ib_odp_notifier = {
	.invalidate = notified,
};
