// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Registration of memory that's paged on demand.
 */
#include "odp.h"

/* With the pages that are there at the moment. */
static int start(struct mlx5_ib_mr *mr)
{
	struct ib_umem_odp *odp = to_ib_umem_odp(mr->umem);
	int pages, err;

	odp->private = mr;
	pages = ib_umem_odp_map_dma_and_lock(odp, odp->umem.address, odp->umem.length,
					     mlx5_ib_paging_access(mr->umem, MLX5_IB_SNAPSHOT),
					     false);
	if (pages < 0)
		return pages;
	err = mlx5_ib_umr_enable_pages(mr, true);
	mutex_unlock(&odp->umem_mutex);
	if (!err)
		err = mlx5_ib_key_show(to_mdev(mr->ibmr.device), &mr->mkey);
	return err;
}

static struct mlx5_ib_mr *explicit_reg(struct mlx5_ib_pd *pd, struct ib_umem_odp *odp, u64 iova,
				       u32 access)
{
	struct mlx5_ib_mr *mr;
	int err;

	mr = mlx5_ib_mr_alloc(pd, MLX5_MKC_ACCESS_MODE_MTT, ib_umem_odp_num_pages(odp), access);
	if (IS_ERR(mr)) {
		ib_umem_odp_release(odp);
		return mr;
	}
	mr->umem = &odp->umem;
	mr->page_shift = odp->page_shift;
	mr->ibmr.iova = iova;
	mr->ibmr.length = odp->umem.length;
	mr->mkey.type = MLX5_IB_MKEY_MR;
	err = start(mr);
	if (!err)
		return mr;
	WARN_ON_ONCE(mlx5_ib_mr_destroy(mr));
	return ERR_PTR(err);
}

static struct mlx5_ib_mr *reg_range(struct mlx5_ib_pd *pd, u64 start, u64 length, u64 iova,
				    u32 access)
{
	struct ib_umem_odp *odp;

	if (length > SIZE_MAX || start > ULONG_MAX)
		return ERR_PTR(-EINVAL);
	odp = ib_umem_odp_get(pd->ibpd.device, start, length, access, &mlx5_ib_odp_notifier);
	if (IS_ERR(odp))
		return ERR_CAST(odp);
	/* An address lies as far into a page of the device's as it does for the process. */
	if ((start ^ iova) & (BIT(odp->page_shift) - 1)) {
		ib_umem_odp_release(odp);
		return ERR_PTR(-EINVAL);
	}
	return explicit_reg(pd, odp, iova, access);
}

/**
 * mlx5_ib_odp_reg - register memory of the calling process that's paged on demand
 * @pd: protection domain
 * @start: its address
 * @length: bytes; 0 and U64_MAX: all memory
 * @iova: its address for the device
 * @access: IB_ACCESS_*
 * @udata: of the call
 *
 * Return: the region or an errno.
 */
struct ib_mr *mlx5_ib_odp_reg(struct mlx5_ib_pd *pd, u64 start, u64 length, u64 iova, u32 access,
			      struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(pd->ibpd.device);
	bool implicit = !start && length == U64_MAX;
	struct mlx5_ib_mr *mr;
	int err;

	if (!udata || (implicit && (iova || !mlx5_ib_odp_implicit_supported(dev))))
		return ERR_PTR(-EINVAL);
	err = mlx5_ib_odp_start(dev);
	if (err)
		return ERR_PTR(err);
	mr = implicit ? mlx5_ib_implicit_reg(pd, access) :
			reg_range(pd, start, length, iova, access);
	return IS_ERR(mr) ? ERR_CAST(mr) : &mr->ibmr;
}

/* Retryable: what's been done already isn't done again. */
int mlx5_ib_odp_dereg(struct mlx5_ib_mr *mr)
{
	mlx5_ib_key_hide(to_mdev(mr->ibmr.device), &mr->mkey);
	return mr->implicit ? mlx5_ib_children_destroy(mr) : 0;
}
