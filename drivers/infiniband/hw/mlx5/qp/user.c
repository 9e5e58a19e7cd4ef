// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queues that a process has laid out in its own memory: all numbers are the process's, and have to
 * agree with each other before the device hears of them.
 */
#include "qp.h"

#define NO_BFREG (-1)

static int size_up(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, size_t *size)
{
	struct mlx5_ib_qp_limits limits = mlx5_ib_qp_limits_of(to_mdev(qp->ibqp.device));
	const struct mlx5_ib_create_qp *ucmd = &params->ucmd;
	struct ib_qp_cap *cap = &params->attr->cap;
	struct mlx5_ib_queue_size rq = {}, sq;
	int err;

	if (mlx5_ib_qp_has_rq(qp->type, params->attr->srq, cap)) {
		err = mlx5_ib_user_rq_size(&limits, cap, ucmd->rq_wqe_count, ucmd->rq_wqe_shift,
					   qp->vendor_flags & MLX5_QP_FLAG_SIGNATURE, &rq);
	} else {
		cap->max_recv_wr = 0;
		cap->max_recv_sge = 0;
		err = ucmd->rq_wqe_count || ucmd->rq_wqe_shift ? -EINVAL : 0;
	}
	if (!err)
		err = mlx5_ib_user_sq_size(&limits, ucmd->sq_wqe_count, &sq);
	if (!err)
		err = mlx5_ib_qp_buf_size(&rq, &sq, size);
	if (err)
		return err;
	qp->rq.count = rq.count;
	qp->rq.shift = rq.shift;
	qp->rq.max_sge = rq.max_sge;
	qp->sq.count = sq.count;
	qp->sq.shift = sq.shift;
	return 0;
}

/* A doorbell page that the process names, or one of those that its context was given. */
static int choose_uar(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, u32 *uar_index)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_udata_context(params->udata);
	u32 named = params->ucmd.bfreg_index;

	qp->bfregn = NO_BFREG;
	params->resp.bfreg_index = BIT(31); /* none: libmlx5's mark */
	switch (qp->vendor_flags & (MLX5_QP_FLAG_UAR_PAGE_INDEX | MLX5_QP_FLAG_BFREG_INDEX)) {
	case MLX5_QP_FLAG_UAR_PAGE_INDEX:
		*uar_index = named;
		return 0;
	case MLX5_QP_FLAG_BFREG_INDEX:
		return mlx5_ib_bfreg_uar(context, named, uar_index);
	case 0:
		if (qp->flags & IB_QP_CREATE_CROSS_CHANNEL)
			return -EINVAL;
		qp->bfregn = mlx5_ib_bfreg_alloc(context, uar_index, &params->resp.bfreg_index);
		return min(qp->bfregn, 0);
	default:
		return -EINVAL;
	}
}

static u32 *command(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, u32 uar_index,
		    int *inlen)
{
	unsigned int page_offset = 0;
	unsigned long page_size = 0;
	size_t pages = 0;
	void *qpc;
	u32 *in;

	if (qp->umem) {
		page_size = mlx5_ib_umem_page_size(qp->umem, __mlx5_bit_sz(qpc, log_page_size),
						   __mlx5_bit_sz(qpc, page_offset), &page_offset);
		if (!page_size)
			return ERR_PTR(-EINVAL);
		pages = ib_umem_num_dma_blocks(qp->umem, page_size);
	}
	*inlen = MLX5_ST_SZ_BYTES(create_qp_in) + MLX5_FLD_SZ_BYTES(create_qp_in, pas[0]) * pages;
	in = kvzalloc(*inlen, GFP_KERNEL);
	if (!in)
		return ERR_PTR(-ENOMEM);
	MLX5_SET(create_qp_in, in, uid, qp->uid);
	if (MLX5_CAP_GEN(to_mdev(qp->ibqp.device)->mdev, ece_support))
		MLX5_SET(create_qp_in, in, ece, params->ucmd.ece_options);
	qpc = MLX5_ADDR_OF(create_qp_in, in, qpc);
	MLX5_SET(qpc, qpc, uar_page, uar_index);
	if (!qp->umem)
		return in;
	mlx5_ib_umem_pages(qp->umem, page_size, (__be64 *)MLX5_ADDR_OF(create_qp_in, in, pas), 0);
	MLX5_SET(qpc, qpc, log_page_size, ilog2(page_size) - MLX5_ADAPTER_PAGE_SHIFT);
	MLX5_SET(qpc, qpc, page_offset, page_offset);
	return in;
}

static void set_vendor_flags(struct mlx5_ib_qp *qp, const struct mlx5_ib_create_qp *ucmd, void *qpc)
{
	if (qp->vendor_flags & MLX5_QP_FLAG_SIGNATURE)
		MLX5_SET(qpc, qpc, wq_signature, 1);
	if (qp->vendor_flags & MLX5_QP_FLAG_PACKET_BASED_CREDIT_MODE)
		MLX5_SET(qpc, qpc, req_e2e_credit_mode, 1);
	if (qp->vendor_flags & MLX5_QP_FLAG_DCI_STREAM) {
		MLX5_SET(qpc, qpc, log_num_dci_stream_channels,
			 ucmd->dci_streams.log_num_concurent);
		MLX5_SET(qpc, qpc, log_num_dci_errored_streams, ucmd->dci_streams.log_num_errored);
	}
}

/**
 * mlx5_ib_user_queues - the memory of a process's queue pair
 * @qp: with its flags
 * @params: of the creation; @resp tells the doorbell
 * @in: the command that will create it, with its pages; the caller frees it by kvfree()
 * @inlen: bytes of it
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_user_queues(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, u32 **in,
			int *inlen)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_udata_context(params->udata);
	struct mlx5_ib_create_qp *ucmd = &params->ucmd;
	u32 uar_index;
	size_t size;
	int err;

	err = size_up(qp, params, &size);
	if (!err)
		err = choose_uar(qp, params, &uar_index);
	if (err)
		return err;
	if (ucmd->buf_addr && size) {
		qp->umem = ib_umem_get(qp->ibqp.device, ucmd->buf_addr, size, 0);
		if (IS_ERR(qp->umem)) {
			err = PTR_ERR(qp->umem);
			goto free_bfreg;
		}
	}
	*in = command(qp, params, uar_index, inlen);
	if (IS_ERR(*in)) {
		err = PTR_ERR(*in);
		goto release_umem;
	}
	set_vendor_flags(qp, ucmd, MLX5_ADDR_OF(create_qp_in, *in, qpc));
	err = mlx5_ib_db_map_user(context, ucmd->db_addr, &qp->db);
	if (!err)
		return 0;
	kvfree(*in);
release_umem:
	ib_umem_release(qp->umem);
free_bfreg:
	if (qp->bfregn != NO_BFREG)
		mlx5_ib_bfreg_free(context, qp->bfregn);
	return err;
}

void mlx5_ib_user_queues_free(struct mlx5_ib_qp *qp, struct ib_udata *udata)
{
	struct mlx5_ib_ucontext *context = mlx5_ib_udata_context(udata);

	mlx5_ib_db_unmap_user(context, &qp->db);
	ib_umem_release(qp->umem);
	/* One that the process named by itself isn't the context's to give back. */
	if (qp->bfregn != NO_BFREG)
		mlx5_ib_bfreg_free(context, qp->bfregn);
}
