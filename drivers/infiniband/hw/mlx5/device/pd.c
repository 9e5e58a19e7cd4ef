// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Protection domains (IBTA 11.2.1.5).
 */
#include "device.h"

int mlx5_ib_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	struct mlx5_core_dev *mdev = to_mdev(ibpd->device)->mdev;
	struct mlx5_ib_alloc_pd_resp resp = {};
	struct mlx5_ib_pd *pd = to_mpd(ibpd);
	int err;

	if (udata)
		pd->uid = mlx5_ib_udata_context(udata)->devx_uid;
	err = mlx5_ib_cmd_alloc_pd(mdev, pd->uid, &pd->pdn);
	if (err || !udata)
		return err;
	resp.pdn = pd->pdn;
	err = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (err)
		mlx5_ib_cmd_dealloc_pd(mdev, pd->uid, pd->pdn);
	return err;
}

int mlx5_ib_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	struct mlx5_ib_pd *pd = to_mpd(ibpd);

	return mlx5_ib_cmd_dealloc_pd(to_mdev(ibpd->device)->mdev, pd->uid, pd->pdn);
}
