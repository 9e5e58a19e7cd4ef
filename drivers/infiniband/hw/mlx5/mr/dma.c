// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The key of all memory, by bus addresses: for the kernel.
 */
#include "mr.h"

static int create(struct mlx5_ib_dev *dev, u32 pdn, u32 access, struct mlx5_ib_mkey *mkey)
{
	const struct mlx5_ib_mkc values = {
		.pdn = pdn,
		.access = access,
		.relaxed = mlx5_ib_relaxed(dev, IB_ACCESS_RELAXED_ORDERING),
		.whole = true,
	};
	u32 *in = kzalloc(MLX5_ST_SZ_BYTES(create_mkey_in), GFP_KERNEL);
	void *mkc;
	int err;

	if (!in)
		return -ENOMEM;
	mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);
	mlx5_ib_mkc_put(mkc, &values);
	BUILD_BUG_ON(MLX5_MKC_ACCESS_MODE_PA); /* so it's there already */
	if (MLX5_CAP_GEN(dev->mdev, ats))
		MLX5_SET(mkc, mkc, ma_translation_mode, 1);
	err = mlx5_ib_mkey_create(dev, mkey, in, MLX5_ST_SZ_BYTES(create_mkey_in));
	kfree(in);
	return err;
}

struct ib_mr *mlx5_ib_get_dma_mr(struct ib_pd *ibpd, int access)
{
	struct mlx5_ib_mr *mr = kzalloc(sizeof(*mr), GFP_KERNEL);
	int err;

	if (!mr)
		return ERR_PTR(-ENOMEM);
	err = create(to_mdev(ibpd->device), to_mpd(ibpd)->pdn, access, &mr->mkey);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	mr->ibmr.device = ibpd->device;
	mr->access = access;
	mr->ibmr.lkey = mr->mkey.key;
	mr->ibmr.rkey = mr->mkey.key;
	return &mr->ibmr;
}
