// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Regions of pinned memory of a process (IBTA 11.2.8.2). The device keeps a list of its pages; the
 * larger the pages, the shorter the list.
 */
#include "mr.h"

/* All at once, for devices that take no translations by work requests. */
static int create_with_pages(struct mlx5_ib_mr *mr, u64 entries)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	size_t bytes = ALIGN(entries * sizeof(struct mlx5_mtt), MLX5_IB_LIST_BLOCK);
	int inlen = MLX5_ST_SZ_BYTES(create_mkey_in) + bytes;
	bool paging = MLX5_CAP_GEN(dev->mdev, pg);
	const struct mlx5_ib_mkc values = {
		.pdn = to_mpd(mr->ibmr.pd)->pdn,
		.access = mr->access,
		.relaxed = mlx5_ib_relaxed(dev, mr->access),
		.iova = mr->ibmr.iova,
		.length = mr->ibmr.length,
		.page_shift = mr->page_shift,
	};
	u32 *in = kvzalloc(inlen, GFP_KERNEL);
	void *mkc;
	int err;

	if (!in)
		return -ENOMEM;
	mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);
	mlx5_ib_mkc_put(mkc, &values);
	mlx5_ib_mkc_put_list(mkc, MLX5_MKC_ACCESS_MODE_MTT, entries);
	/* Where pages may be absent, the list says that these aren't. */
	MLX5_SET(create_mkey_in, in, pg_access, paging);
	MLX5_SET(create_mkey_in, in, translations_octword_actual_size,
		 MLX5_GET(mkc, mkc, translations_octword_size));
	mlx5_ib_umem_pages(mr->umem, BIT(mr->page_shift),
			   (__be64 *)MLX5_ADDR_OF(create_mkey_in, in, klm_pas_mtt),
			   paging ? MLX5_IB_ENTRY_READ | MLX5_IB_ENTRY_WRITE : 0);
	err = mlx5_ib_mkey_create(dev, &mr->mkey, in, inlen);
	kvfree(in);
	return err;
}

static struct mlx5_ib_mr *by_command(struct mlx5_ib_pd *pd, struct ib_umem *umem, u64 iova,
				     u32 page_shift, u32 access)
{
	u64 entries = ib_umem_num_dma_blocks(umem, BIT(page_shift));
	struct mlx5_ib_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	int err;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->ibmr.device = pd->ibpd.device;
	mr->ibmr.pd = &pd->ibpd;
	mr->access = access;
	mr->access_mode = MLX5_MKC_ACCESS_MODE_MTT;
	mr->mkey.entries = entries;
	mlx5_ib_region_describe(mr, umem, iova, page_shift);
	err = create_with_pages(mr, entries);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	mr->ibmr.lkey = mr->mkey.key;
	mr->ibmr.rkey = mr->mkey.key;
	return mr;
}

static struct mlx5_ib_mr *by_work_request(struct mlx5_ib_pd *pd, struct ib_umem *umem, u64 iova,
					  u32 page_shift, u32 access)
{
	u64 entries = ib_umem_num_dma_blocks(umem, BIT(page_shift));
	struct mlx5_ib_mr *mr = mlx5_ib_mr_alloc(pd, MLX5_MKC_ACCESS_MODE_MTT, entries, access);
	int err;

	if (IS_ERR(mr))
		return mr;
	mlx5_ib_region_describe(mr, umem, iova, page_shift);
	err = mlx5_ib_umr_enable_pages(mr, true);
	if (!err)
		return mr;
	mr->umem = NULL;
	/* A key that can't be destroyed stays; it's free. */
	if (mlx5_ib_mr_destroy(mr))
		kfree(mr);
	return ERR_PTR(err);
}

/* Return: the region, which owns @umem, or an errno: then the caller still does. */
struct ib_mr *mlx5_ib_region_of_umem(struct mlx5_ib_pd *pd, struct ib_umem *umem, u64 iova,
				     u32 access)
{
	struct mlx5_ib_dev *dev = to_mdev(pd->ibpd.device);
	unsigned long page_size = mlx5_ib_mkey_page_size(dev, umem, iova);
	struct mlx5_ib_mr *mr;

	if (!page_size)
		return ERR_PTR(-EINVAL);
	if (mlx5_ib_umr_can_enable(dev, ib_umem_num_dma_blocks(umem, page_size)))
		mr = by_work_request(pd, umem, iova, ilog2(page_size), access);
	else
		mr = by_command(pd, umem, iova, ilog2(page_size), access);
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	mlx5_ib_count_pages(dev, umem, 1);
	return &mr->ibmr;
}

struct ib_mr *mlx5_ib_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 iova, int access,
				  struct ib_udata *udata)
{
	struct ib_umem *umem;
	struct ib_mr *ibmr;

	if (access & IB_ACCESS_ON_DEMAND)
		return mlx5_ib_odp_reg(to_mpd(ibpd), start, length, iova, access, udata);
	umem = ib_umem_get(ibpd->device, start, length, access);
	if (IS_ERR(umem))
		return ERR_CAST(umem);
	ibmr = mlx5_ib_region_of_umem(to_mpd(ibpd), umem, iova, access);
	if (IS_ERR(ibmr))
		ib_umem_release(umem);
	return ibmr;
}
