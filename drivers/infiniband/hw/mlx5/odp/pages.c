// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Bringing pages into a region's translation.
 */
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>

#include "odp.h"

u64 mlx5_ib_paging_access(struct ib_umem *umem, unsigned int how)
{
	if (!umem->writable || how & MLX5_IB_READ_ONLY)
		return ODP_READ_ALLOWED_BIT;
	return ODP_READ_ALLOWED_BIT | ODP_WRITE_ALLOWED_BIT;
}

/**
 * mlx5_ib_page_in_range - bring in a range of a region that has pages of its own
 * @mr: the region
 * @address: in the process
 * @length: bytes, all within the region
 * @how: enum mlx5_ib_paging
 *
 * Context: sleeps.
 * Return: pages of the CPU's that are there now, or a negative errno.
 */
int mlx5_ib_page_in_range(struct mlx5_ib_mr *mr, u64 address, u64 length, unsigned int how)
{
	struct ib_umem_odp *odp = to_ib_umem_odp(mr->umem);
	u64 first = (address - ib_umem_start(odp)) >> odp->page_shift;
	int pages, err = 0;

	pages = ib_umem_odp_map_dma_and_lock(odp, address, length,
					     mlx5_ib_paging_access(mr->umem, how),
					     !(how & MLX5_IB_SNAPSHOT));
	if (pages < 0)
		return pages;
	if (pages)
		err = mlx5_ib_umr_update_pages(mr, first, pages, true);
	mutex_unlock(&odp->umem_mutex);
	return err ?: pages << (odp->page_shift - PAGE_SHIFT);
}

static int page_in_explicit(struct mlx5_ib_mr *mr, u64 va, u64 length, unsigned int how)
{
	struct ib_umem_odp *odp = to_ib_umem_odp(mr->umem);
	u64 address;

	if (check_add_overflow(va - mr->ibmr.iova, (u64)odp->umem.address, &address))
		return -EFAULT;
	if (address >= ib_umem_end(odp) || ib_umem_end(odp) - address < length)
		return -EFAULT;
	return mlx5_ib_page_in_range(mr, address, length, how);
}

/* All of it has been taken away at once, and comes back at once. */
static int page_in_dmabuf(struct mlx5_ib_mr *mr, u64 va, u64 length)
{
	struct ib_umem_dmabuf *dmabuf = to_ib_umem_dmabuf(mr->umem);
	struct dma_resv *resv = dmabuf->attach->dmabuf->resv;
	u64 offset = va - mr->ibmr.iova;
	int err;

	if (offset >= mr->umem->length || mr->umem->length - offset < length)
		return -EFAULT;
	dma_resv_lock(resv, NULL);
	err = ib_umem_dmabuf_map_pages(dmabuf);
	if (!err && !ib_umem_find_best_pgsz(mr->umem, BIT(mr->page_shift), mr->ibmr.iova)) {
		ib_umem_dmabuf_unmap_pages(dmabuf);
		err = -EINVAL;
	}
	if (!err)
		err = mlx5_ib_umr_update_pages(mr, 0, 0, true);
	dma_resv_unlock(resv);
	return err ?: ib_umem_num_pages(mr->umem);
}

/**
 * mlx5_ib_page_in - bring in a range of a region
 * @mr: the region
 * @va: where, as its key has it
 * @length: bytes, not 0
 * @how: enum mlx5_ib_paging
 *
 * Context: sleeps.
 * Return: pages of the CPU's that are there now, or a negative errno: -EFAULT: it isn't all of the
 * region, or not all accessible; -EAGAIN: somebody else is at it.
 */
int mlx5_ib_page_in(struct mlx5_ib_mr *mr, u64 va, u64 length, unsigned int how)
{
	if (va < mr->ibmr.iova)
		return -EFAULT;
	if (mr->umem->is_dmabuf)
		return page_in_dmabuf(mr, va, length);
	if (mr->implicit)
		return mlx5_ib_implicit_page_in(mr, va, length, how);
	return page_in_explicit(mr, va, length, how);
}
