// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Regions of a dma-buf, memory of another device. Its exporter may move it: the device is told
 * first that there are no pages, and asks for them by page faults. A device that can't do that has
 * them pinned.
 */
#include <linux/dma-buf.h>
#include <linux/dma-resv.h>
#include "mr.h"

/* With the lock of the dma-buf held. */
static void move_notify(struct dma_buf_attachment *attach)
{
	struct ib_umem_dmabuf *dmabuf = attach->importer_priv;
	struct mlx5_ib_mr *mr = dmabuf->private;
	int err;

	if (!mr || !dmabuf->sgt)
		return;
	err = mlx5_ib_umr_update_pages(mr, 0, 0, false);
	if (err)
		mlx5_ib_warn(to_mdev(mr->ibmr.device), "key 0x%x keeps pages of a dma-buf: %d\n",
			     mr->mkey.key, err);
	ib_umem_dmabuf_unmap_pages(dmabuf);
}

static const struct dma_buf_attach_ops attach_ops = {
	.allow_peer2peer = true,
	.move_notify = move_notify,
};

static struct ib_umem_dmabuf *get(struct mlx5_ib_dev *dev, u64 offset, u64 length, int fd,
				  int access)
{
	if (MLX5_CAP_GEN(dev->mdev, pg))
		return ib_umem_dmabuf_get(&dev->ib_dev, offset, length, fd, access, &attach_ops);
	return ib_umem_dmabuf_get_pinned(&dev->ib_dev, offset, length, fd, access);
}

/* Wherever it moves to, pages of this size will describe it, if they do now. */
static int map_and_enable(struct mlx5_ib_mr *mr)
{
	struct ib_umem_dmabuf *dmabuf = to_ib_umem_dmabuf(mr->umem);
	int err = 0;

	dma_resv_lock(dmabuf->attach->dmabuf->resv, NULL);
	if (!dmabuf->pinned)
		err = ib_umem_dmabuf_map_pages(dmabuf);
	if (!err && !ib_umem_find_best_pgsz(mr->umem, PAGE_SIZE, mr->ibmr.iova))
		err = -EINVAL;
	if (!err)
		err = mlx5_ib_umr_enable_pages(mr, true);
	dma_resv_unlock(dmabuf->attach->dmabuf->resv);
	return err;
}

static int start(struct mlx5_ib_mr *mr)
{
	struct ib_umem_dmabuf *dmabuf = to_ib_umem_dmabuf(mr->umem);
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	int err;

	dmabuf->private = mr;
	if (!dmabuf->pinned) {
		err = mlx5_ib_odp_start(dev);
		if (!err)
			err = mlx5_ib_key_show(dev, &mr->mkey);
		if (err)
			return err;
	}
	err = map_and_enable(mr);
	if (err)
		mlx5_ib_key_hide(dev, &mr->mkey);
	return err;
}

static struct ib_mr *register_umem(struct mlx5_ib_pd *pd, struct ib_umem *umem, u64 iova,
				   int access)
{
	struct mlx5_ib_mr *mr;
	int err;

	umem->iova = iova;
	mr = mlx5_ib_mr_alloc(pd, MLX5_MKC_ACCESS_MODE_MTT,
			      ib_umem_num_dma_blocks(umem, PAGE_SIZE), access);
	if (IS_ERR(mr)) {
		ib_umem_release(umem);
		return ERR_CAST(mr);
	}
	mlx5_ib_region_describe(mr, umem, iova, PAGE_SHIFT);
	mlx5_ib_count_pages(to_mdev(mr->ibmr.device), umem, 1);
	err = start(mr);
	if (!err)
		return &mr->ibmr;
	/* With a key that can't be taken from the device its memory has to stay. */
	WARN_ON_ONCE(mlx5_ib_mr_destroy(mr));
	return ERR_PTR(err);
}

static int check_flags(struct uverbs_attr_bundle *attrs)
{
	u32 flags = 0;
	int err = 0;

	if (uverbs_attr_is_valid(attrs, MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS))
		err = uverbs_get_flags32(&flags, attrs, MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS,
					 MLX5_IB_UAPI_REG_DMABUF_ACCESS_DATA_DIRECT);
	if (err)
		return err;
	return flags ? -EOPNOTSUPP : 0;
}

struct ib_mr *mlx5_ib_reg_dmabuf(struct ib_pd *ibpd, u64 offset, u64 length, u64 iova, int fd,
				 int access, struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_dev *dev = to_mdev(ibpd->device);
	struct ib_umem_dmabuf *dmabuf;
	int err;

	err = check_flags(attrs);
	if (err)
		return ERR_PTR(err);
	dmabuf = get(dev, offset, length, fd, access);
	if (IS_ERR(dmabuf))
		return ERR_CAST(dmabuf);
	return register_umem(to_mpd(ibpd), &dmabuf->umem, iova, access);
}

ADD_UVERBS_ATTRIBUTES_SIMPLE(mlx5_ib_reg_dmabuf_mr, UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR,
			     UVERBS_ATTR_FLAGS_IN(MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS,
						  enum mlx5_ib_uapi_reg_dmabuf_flags,
						  UA_OPTIONAL));

const struct uapi_definition mlx5_ib_mr_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &mlx5_ib_reg_dmabuf_mr),
	{}
};
