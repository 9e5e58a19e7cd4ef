// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Faults on memory that the device names itself: by the key and address of an RDMA operation, or,
 * on devices that find out by the page, of any access.
 */
#include "odp.h"

/* As far as it's fetched ahead for a device that can't tell how long an operation is. */
#define AHEAD_MAX SZ_4M

/*
 * The operation goes on as soon as its own pages are there. Where the device doesn't know its
 * length but for the packet's, what comes next is brought in afterwards.
 */
void mlx5_ib_fault_by_rdma(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault)
{
	u64 va = fault->va + fault->done;
	u32 left = fault->length - min(fault->done, fault->length);
	int err;

	err = mlx5_ib_fault_key(dev, fault->key, va, left ?: fault->packet);
	mlx5_ib_fault_resume(dev, fault, err && err != -EAGAIN);
	if (err) {
		mlx5_ib_dbg(dev, "fault of queue pair 0x%x, key 0x%x: %d\n", fault->number,
			    fault->key, err);
		return;
	}
	if (!left && fault->done)
		mlx5_ib_fault_key(dev, fault->key, va, min(fault->done, AHEAD_MAX));
}

/* Such an access may begin and end outside of the region, by parts of pages. */
static int page_in_around(struct mlx5_ib_mr *mr, u64 va, u64 length)
{
	u64 first = max(va, mr->ibmr.iova);
	u64 end = min(va + length, mr->ibmr.iova + mr->ibmr.length);

	return first < end ? mlx5_ib_page_in(mr, first, end - first, 0) : -EFAULT;
}

static int of_memory(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault)
{
	struct mlx5_ib_mkey *mkey = mlx5_ib_key_find(dev, fault->key);
	u64 around = (u64)fault->before + fault->length + fault->after;
	struct mlx5_ib_mr *mr;
	int pages = -EFAULT;

	if (IS_ERR_OR_NULL(mkey))
		return -EFAULT;
	if (mkey->type == MLX5_IB_MKEY_MR) {
		mr = container_of(mkey, struct mlx5_ib_mr, mkey);
		pages = page_in_around(mr, fault->va - fault->before, around);
		if (pages < 0)
			pages = page_in_around(mr, fault->va, fault->length);
		if (pages > 0)
			atomic64_add(pages, &mr->odp_counters.faults);
	}
	mlx5_ib_key_put(mkey);
	return min(pages, 0);
}

void mlx5_ib_fault_by_memory(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault)
{
	int err = of_memory(dev, fault);

	if (err)
		mlx5_ib_dbg(dev, "fault of key 0x%x at 0x%llx: %d\n", fault->key, fault->va, err);
	if (err || fault->last)
		mlx5_ib_fault_resume(dev, fault, err);
}
