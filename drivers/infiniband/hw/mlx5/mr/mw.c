// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Memory windows of type 1 and 2B (IBTA 10.6.7): free keys, which a process binds by work requests
 * to parts of its regions.
 */
#include "mr.h"

/* Keys a window may consist of, if the process doesn't say. */
#define KLMS_DEFAULT 1

static int copy_request(struct mlx5_ib_alloc_mw *request, struct ib_udata *udata)
{
	int err = ib_copy_from_udata(request, udata, min(udata->inlen, sizeof(*request)));

	if (err)
		return err;
	if (request->comp_mask || request->reserved1 || request->reserved2)
		return -EOPNOTSUPP;
	if (udata->inlen > sizeof(*request) &&
	    !ib_is_udata_cleared(udata, sizeof(*request), udata->inlen - sizeof(*request)))
		return -EOPNOTSUPP;
	return 0;
}

static int answer(struct ib_udata *udata)
{
	struct {
		__u32 comp_mask;
		__u32 response_length;
	} response = {};

	response.response_length = min(udata->outlen, sizeof(response));
	if (!response.response_length)
		return 0;
	return ib_copy_to_udata(udata, &response, response.response_length);
}

static int create(struct mlx5_ib_mw *mw, u32 entries)
{
	const struct mlx5_ib_mkc values = {
		.pdn = to_mpd(mw->ibmw.pd)->pdn,
		.free = true,
	};
	u32 *in = kzalloc(MLX5_ST_SZ_BYTES(create_mkey_in), GFP_KERNEL);
	void *mkc;
	int err;

	if (!in)
		return -ENOMEM;
	mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);
	mlx5_ib_mkc_put(mkc, &values);
	mlx5_ib_mkc_put_list(mkc, MLX5_MKC_ACCESS_MODE_KLMS, entries);
	/* The other side may invalidate one of type 2. */
	MLX5_SET(mkc, mkc, en_rinval, mw->ibmw.type == IB_MW_TYPE_2);
	err = mlx5_ib_mkey_create(to_mdev(mw->ibmw.device), &mw->mkey, in,
				  MLX5_ST_SZ_BYTES(create_mkey_in));
	kfree(in);
	return err;
}

static int alloc_mw(struct ib_mw *ibmw, struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(ibmw->device);
	struct mlx5_ib_alloc_mw request = {};
	struct mlx5_ib_mw *mw = to_mmw(ibmw);
	int err;

	err = copy_request(&request, udata);
	if (err)
		return err;
	mw->mkey.type = MLX5_IB_MKEY_MW;
	mw->mkey.entries = round_up(request.num_klms ?: KLMS_DEFAULT,
				    MLX5_UMR_KLM_NUM_ENTRIES_ALIGNMENT);
	err = create(mw, mw->mkey.entries);
	if (err)
		return err;
	err = answer(udata);
	/* It may be bound to memory that is paged; a fault then names the window. */
	if (!err && MLX5_CAP_GEN(dev->mdev, pg))
		err = mlx5_ib_key_show(dev, &mw->mkey);
	if (err) {
		mlx5_ib_mkey_destroy(dev, &mw->mkey);
		return err;
	}
	ibmw->rkey = mw->mkey.key;
	return 0;
}

static int dealloc_mw(struct ib_mw *ibmw)
{
	struct mlx5_ib_dev *dev = to_mdev(ibmw->device);
	struct mlx5_ib_mw *mw = to_mmw(ibmw);

	mlx5_ib_key_hide(dev, &mw->mkey);
	return mlx5_ib_mkey_destroy(dev, &mw->mkey);
}

const struct ib_device_ops mlx5_ib_mw_ops = {
	.alloc_mw = alloc_mw,
	.dealloc_mw = dealloc_mw,

	INIT_RDMA_OBJ_SIZE(ib_mw, mlx5_ib_mw, ibmw),
};
