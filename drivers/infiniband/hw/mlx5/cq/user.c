// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completion queues in a process's memory.
 */
#include "cq.h"

static int copy_request(struct mlx5_ib_create_cq *ucmd, struct ib_udata *udata)
{
	const u32 known = MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD |
			  MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX |
			  MLX5_IB_CREATE_CQ_FLAGS_REAL_TIME_TS;
	int err;

	if (udata->inlen < offsetof(struct mlx5_ib_create_cq, flags))
		return -EINVAL;
	err = ib_copy_from_udata(ucmd, udata, min(udata->inlen, sizeof(*ucmd)));
	if (err)
		return err;
	if (ucmd->flags & ~known || ucmd->reserved0 || ucmd->reserved1 ||
	    (ucmd->cqe_size != 64 && ucmd->cqe_size != 128))
		return -EINVAL;
	return 0;
}

/*
 * The page of the device where it'll be armed: named by the process, or the first of its context.
 */
static int choose_uar(const struct mlx5_ib_create_cq *ucmd, struct uverbs_attr_bundle *attrs,
		      u32 *uar_index)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_udata_context(&attrs->driver_udata);

	if (uverbs_attr_is_valid(attrs, MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX))
		return uverbs_copy_from(uar_index, attrs, MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX);
	if (ucmd->flags & MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX) {
		*uar_index = ucmd->uar_page_index;
		return 0;
	}
	return mlx5_ib_first_uar(context, uar_index);
}

static int set_compression(struct mlx5_ib_dev *dev, const struct mlx5_ib_create_cq *ucmd, void *cqc)
{
	u8 format;

	if (ucmd->cqe_comp_en != 1)
		return 0;
	if (!(ucmd->cqe_size == 64 ? MLX5_CAP_GEN(dev->mdev, cqe_compression) :
				     MLX5_CAP_GEN(dev->mdev, cqe_compression_128)))
		return -EOPNOTSUPP;
	switch (ucmd->cqe_comp_res_format) {
	case MLX5_IB_CQE_RES_FORMAT_HASH:
		format = 0;
		break;
	case MLX5_IB_CQE_RES_FORMAT_CSUM:
		format = 1;
		break;
	case MLX5_IB_CQE_RES_FORMAT_CSUM_STRIDX:
		if (!MLX5_CAP_GEN(dev->mdev, mini_cqe_resp_stride_index))
			return -EOPNOTSUPP;
		format = 3;
		break;
	default:
		return -EINVAL;
	}
	MLX5_SET(cqc, cqc, cqe_comp_en, 1);
	MLX5_SET(cqc, cqc, mini_cqe_res_format, format);
	return 0;
}

static int set_flags(struct mlx5_ib_cq *cq, const struct mlx5_ib_create_cq *ucmd)
{
	struct mlx5_ib_dev *dev = to_mdev(cq->ibcq.device);

	/* Real time is for devices that keep it, which are Ethernet's. */
	if (ucmd->flags & MLX5_IB_CREATE_CQ_FLAGS_REAL_TIME_TS)
		return -EOPNOTSUPP;
	if (!(ucmd->flags & MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD))
		return 0;
	if (ucmd->cqe_size != 128 || !MLX5_CAP_GEN(dev->mdev, cqe_128_always))
		return -EOPNOTSUPP;
	cq->private_flags |= CQ_PAD_128;
	return 0;
}

/* Pins the buffer and makes the command that names its pages. */
static int pin(struct mlx5_ib_cq *cq, const struct mlx5_ib_create_cq *ucmd,
	       struct mlx5_ib_cq_params *params)
{
	unsigned int page_offset;
	unsigned long page_size;
	struct ib_umem *umem;
	void *cqc;

	umem = ib_umem_get(cq->ibcq.device, ucmd->buf_addr,
			   (size_t)params->count * ucmd->cqe_size, IB_ACCESS_LOCAL_WRITE);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	/* Unlike other queues, one of these begins with a page. */
	page_size = mlx5_ib_umem_page_size(umem, __mlx5_bit_sz(cqc, log_page_size), 0,
					   &page_offset);
	if (!page_size) {
		ib_umem_release(umem);
		return -EINVAL;
	}
	params->inlen = MLX5_ST_SZ_BYTES(create_cq_in) +
			MLX5_FLD_SZ_BYTES(create_cq_in, pas[0]) *
			ib_umem_num_dma_blocks(umem, page_size);
	params->in = kvzalloc(params->inlen, GFP_KERNEL);
	if (!params->in) {
		ib_umem_release(umem);
		return -ENOMEM;
	}
	mlx5_ib_umem_pages(umem, page_size, (__be64 *)MLX5_ADDR_OF(create_cq_in, params->in, pas),
			   0);
	cqc = MLX5_ADDR_OF(create_cq_in, params->in, cq_context);
	MLX5_SET(cqc, cqc, log_page_size, ilog2(page_size) - MLX5_ADAPTER_PAGE_SHIFT);
	MLX5_SET(cqc, cqc, page_offset, page_offset);
	cq->buf.umem = umem;
	return 0;
}

/**
 * mlx5_ib_cq_user_memory - the memory of a process's queue
 * @cq: gets its buffer and doorbell record
 * @params: count is set; the rest is filled in
 * @attrs: of the call
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_cq_user_memory(struct mlx5_ib_cq *cq, struct mlx5_ib_cq_params *params,
			   struct uverbs_attr_bundle *attrs)
{
	struct ib_udata *udata = &attrs->driver_udata;
	struct mlx5_ib_ucontext *context = mlx5_ib_udata_context(udata);
	struct mlx5_ib_create_cq ucmd = {};
	int err;

	err = copy_request(&ucmd, udata);
	if (!err)
		err = set_flags(cq, &ucmd);
	if (!err)
		err = choose_uar(&ucmd, attrs, &params->uar_index);
	if (!err)
		err = pin(cq, &ucmd, params);
	if (err)
		return err;
	params->cqe_size = ucmd.cqe_size;
	cq->buf.cqe_size = ucmd.cqe_size;
	cq->buf.count = params->count;
	MLX5_SET(create_cq_in, params->in, uid, context->devx_uid);
	err = set_compression(to_mdev(cq->ibcq.device), &ucmd,
			      MLX5_ADDR_OF(create_cq_in, params->in, cq_context));
	if (!err)
		err = mlx5_ib_db_map_user(context, ucmd.db_addr, &cq->db);
	if (!err)
		return 0;
	kvfree(params->in);
	ib_umem_release(cq->buf.umem);
	return err;
}

void mlx5_ib_cq_user_memory_free(struct mlx5_ib_cq *cq, struct ib_udata *udata)
{
	mlx5_ib_db_unmap_user(mlx5_ib_udata_context(udata), &cq->db);
	ib_umem_release(cq->buf.umem);
}
