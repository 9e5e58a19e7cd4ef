// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Creation and destruction of shared receive queues (IBTA 11.2.7).
 */
#include "srq.h"

static int user_index(struct mlx5_ib_ucontext *context, u32 uidx, u32 *chosen)
{
	if (!context->cqe_version)
		return uidx == MLX5_IB_NO_UIDX ? 0 : -EINVAL;
	if (uidx >= MLX5_IB_NO_UIDX)
		return -EINVAL;
	*chosen = uidx;
	return 0;
}

static int copy_request(struct mlx5_ib_create_srq *ucmd, struct ib_udata *udata)
{
	int err;

	if (udata->inlen > sizeof(*ucmd) &&
	    !ib_is_udata_cleared(udata, sizeof(*ucmd), udata->inlen - sizeof(*ucmd)))
		return -EINVAL;
	err = ib_copy_from_udata(ucmd, udata, min(udata->inlen, sizeof(*ucmd)));
	if (err)
		return err;
	return ucmd->reserved0 || ucmd->reserved1 ? -EINVAL : 0;
}

static int page_user(struct mlx5_ib_srq *srq, struct mlx5_ib_srq_context *context)
{
	unsigned int page_offset;
	unsigned long page_size;

	if (mlx5_ib_srq_is_xrc(srq))
		page_size = mlx5_ib_umem_page_size(srq->umem,
						   __mlx5_bit_sz(xrc_srqc, log_page_size),
						   __mlx5_bit_sz(xrc_srqc, page_offset),
						   &page_offset);
	else
		page_size = mlx5_ib_umem_page_size(srq->umem, __mlx5_bit_sz(wq, log_wq_pg_sz),
						   __mlx5_bit_sz(wq, page_offset), &page_offset);
	if (!page_size)
		return -EINVAL;
	context->umem = srq->umem;
	context->log_page_size = ilog2(page_size) - MLX5_ADAPTER_PAGE_SHIFT;
	context->page_offset = page_offset;
	context->pages = ib_umem_num_dma_blocks(srq->umem, page_size);
	return 0;
}

static int user_memory(struct mlx5_ib_srq *srq, size_t bytes, struct mlx5_ib_srq_context *context,
		       struct ib_udata *udata)
{
	struct mlx5_ib_ucontext *ucontext = mlx5_ib_udata_context(udata);
	struct mlx5_ib_create_srq ucmd = {};
	int err;

	err = copy_request(&ucmd, udata);
	if (!err && mlx5_ib_srq_is_xrc(srq))
		err = user_index(ucontext, ucmd.uidx, &context->uidx);
	if (err)
		return err;
	srq->signature = ucmd.flags & MLX5_SRQ_FLAG_SIGNATURE;
	srq->umem = ib_umem_get(srq->ibsrq.device, ucmd.buf_addr, bytes, 0);
	if (IS_ERR(srq->umem))
		return PTR_ERR(srq->umem);
	err = page_user(srq, context);
	if (!err)
		err = mlx5_ib_db_map_user(ucontext, ucmd.db_addr, &srq->db);
	if (err)
		ib_umem_release(srq->umem);
	return err;
}

static int kernel_memory(struct mlx5_ib_srq *srq, size_t bytes,
			 struct mlx5_ib_srq_context *context)
{
	struct mlx5_core_dev *mdev = to_mdev(srq->ibsrq.device)->mdev;
	int err;

	if (bytes > INT_MAX)
		return -EINVAL;
	srq->wr_id = kvcalloc(srq->count, sizeof(*srq->wr_id), GFP_KERNEL);
	if (!srq->wr_id)
		return -ENOMEM;
	err = mlx5_db_alloc(mdev, &srq->db);
	if (err)
		goto free_wr_id;
	err = mlx5_frag_buf_alloc_node(mdev, bytes, &srq->buf, mdev->priv.numa_node);
	if (err)
		goto free_db;
	mlx5_init_fbc(srq->buf.frags, srq->shift, ilog2(srq->count), &srq->fbc);
	srq->tail = srq->count - 1;
	for (u32 i = 0; i < srq->count; i++)
		mlx5_ib_srq_entry(srq, i)->next_wqe_index = cpu_to_be16((i + 1) & (srq->count - 1));
	context->buf = &srq->buf;
	context->log_page_size = srq->buf.page_shift - MLX5_ADAPTER_PAGE_SHIFT;
	context->pages = srq->buf.npages;
	return 0;

free_db:
	mlx5_db_free(mdev, &srq->db);
free_wr_id:
	kvfree(srq->wr_id);
	return err;
}

static void free_memory(struct mlx5_ib_srq *srq, struct ib_udata *udata)
{
	struct mlx5_core_dev *mdev = to_mdev(srq->ibsrq.device)->mdev;

	if (udata) {
		mlx5_ib_db_unmap_user(mlx5_ib_udata_context(udata), &srq->db);
		ib_umem_release(srq->umem);
		return;
	}
	mlx5_frag_buf_free(mdev, &srq->buf);
	mlx5_db_free(mdev, &srq->db);
	kvfree(srq->wr_id);
}

static int create_on_device(struct mlx5_ib_srq *srq, const struct mlx5_ib_srq_context *context)
{
	struct mlx5_ib_dev *dev = to_mdev(srq->ibsrq.device);
	int err = mlx5_ib_cmd_create_srq(dev->mdev, srq, context);

	if (err)
		return err;
	err = mlx5_ib_number_add(&dev->srqs, srq->srqn, &srq->numbered);
	if (err)
		mlx5_ib_cmd_destroy_srq(dev->mdev, srq);
	return err;
}

/* @keep: if the device refuses, all is left as it was. */
static int destroy(struct mlx5_ib_srq *srq, struct ib_udata *udata, bool keep)
{
	struct mlx5_ib_dev *dev = to_mdev(srq->ibsrq.device);
	int err;

	err = mlx5_ib_cmd_destroy_srq(dev->mdev, srq);
	if (err && keep && !mlx5_ib_number_is_lost(&srq->numbered))
		return err;
	mlx5_ib_number_remove(&dev->srqs, srq->srqn, &srq->numbered);
	mlx5_ib_number_wait(&srq->numbered);
	free_memory(srq, udata);
	return 0;
}

static void name_others(struct mlx5_ib_srq *srq, const struct ib_srq_init_attr *attr,
			struct mlx5_ib_srq_context *context)
{
	struct mlx5_ib_placeholders *none = &to_mdev(srq->ibsrq.device)->placeholders;

	context->pdn = to_mpd(srq->ibsrq.pd)->pdn;
	context->uidx = MLX5_IB_NO_UIDX;
	if (!mlx5_ib_srq_is_xrc(srq))
		return;
	context->xrcdn = attr->ext.xrc.xrcd ? to_mxrcd(attr->ext.xrc.xrcd)->xrcdn :
					      none->xrcdn_tgt;
	context->cqn = to_mcq(attr->ext.cq ?: none->cq)->mcq.cqn;
}

static int tell_number(struct mlx5_ib_srq *srq, struct ib_udata *udata)
{
	struct mlx5_ib_create_srq_resp resp = { .srqn = srq->srqn };

	srq->ibsrq.ext.xrc.srq_num = srq->srqn;
	return udata ? ib_copy_to_udata(udata, &resp, min(udata->outlen, sizeof(resp))) : 0;
}

int mlx5_ib_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *attr, struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(ibsrq->device);
	struct mlx5_ib_srq *srq = to_msrq(ibsrq);
	struct mlx5_ib_srq_context context = {};
	struct mlx5_ib_srq_size size;
	int err;

	if (attr->srq_type != IB_SRQT_BASIC && attr->srq_type != IB_SRQT_XRC)
		return -EOPNOTSUPP;
	err = mlx5_ib_srq_size(1U << MLX5_CAP_GEN(dev->mdev, log_max_srq_sz),
			       MLX5_CAP_GEN(dev->mdev, max_wqe_sz_rq), &attr->attr, &size);
	if (!err)
		err = mlx5_ib_placeholder_cq(dev);
	if (err)
		return err;
	spin_lock_init(&srq->lock);
	mutex_init(&srq->mutex);
	srq->count = size.count;
	srq->shift = size.shift;
	srq->room = size.room;
	srq->max_sge = attr->attr.max_sge;
	/* An XRC queue is for all processes of its domain. */
	if (udata && attr->srq_type != IB_SRQT_XRC)
		srq->uid = to_mpd(ibsrq->pd)->uid;
	name_others(srq, attr, &context);
	if (udata)
		err = user_memory(srq, size.bytes, &context, udata);
	else
		err = kernel_memory(srq, size.bytes, &context);
	if (err)
		return err;
	err = create_on_device(srq, &context);
	if (err) {
		free_memory(srq, udata);
		return err;
	}
	attr->attr.max_wr = srq->count - 1;
	err = tell_number(srq, udata);
	/* One that a process has never heard of goes, whatever the device says. */
	if (err)
		destroy(srq, udata, false);
	return err;
}

int mlx5_ib_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata)
{
	return destroy(to_msrq(ibsrq), udata, true);
}
