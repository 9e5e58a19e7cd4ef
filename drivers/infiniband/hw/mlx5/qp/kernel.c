// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queues of the kernel's own: one buffer for both, receive queue first, a doorbell record, and what
 * is remembered of each request until it completes.
 */
#include "qp.h"

static int size_up(struct mlx5_ib_qp *qp, struct ib_qp_init_attr *attr)
{
	struct mlx5_ib_qp_limits limits = mlx5_ib_qp_limits_of(to_mdev(qp->ibqp.device));
	struct mlx5_ib_queue_size rq = {}, sq;
	int err = 0;

	if (mlx5_ib_qp_has_rq(qp->type, attr->srq, &attr->cap))
		err = mlx5_ib_kernel_rq_size(&limits, &attr->cap, &rq);
	if (!err)
		err = mlx5_ib_kernel_sq_size(&limits, qp->type, &attr->cap, &sq, &qp->max_inline);
	if (err)
		return err;
	qp->rq.count = rq.count;
	qp->rq.shift = rq.shift;
	qp->rq.max_wr = rq.max_wr;
	qp->rq.max_sge = rq.max_sge;
	qp->sq.count = sq.count;
	qp->sq.shift = sq.shift;
	qp->sq.max_wr = sq.max_wr;
	qp->sq.max_sge = sq.max_sge;
	attr->cap.max_recv_wr = rq.max_wr;
	attr->cap.max_recv_sge = rq.max_sge;
	if (sq.count) {
		attr->cap.max_send_wr = sq.max_wr;
		attr->cap.max_send_sge = sq.max_sge;
		attr->cap.max_inline_data = qp->max_inline;
	}
	return 0;
}

static void place_rings(struct mlx5_ib_qp *qp)
{
	size_t sq_at = (size_t)qp->rq.count << qp->rq.shift;

	if (qp->rq.count)
		mlx5_init_fbc(qp->buf.frags, qp->rq.shift, ilog2(qp->rq.count), &qp->rq.fbc);
	if (qp->sq.count)
		mlx5_init_fbc_offset(qp->buf.frags + sq_at / PAGE_SIZE, qp->sq.shift,
				     ilog2(qp->sq.count), sq_at % PAGE_SIZE >> qp->sq.shift,
				     &qp->sq.fbc);
}

static int alloc_memories(struct mlx5_ib_qp *qp)
{
	qp->rq.wr_id = kvcalloc(qp->rq.count, sizeof(*qp->rq.wr_id), GFP_KERNEL);
	qp->sq.sent = kvcalloc(qp->sq.count, sizeof(*qp->sq.sent), GFP_KERNEL);
	return qp->rq.wr_id && qp->sq.sent ? 0 : -ENOMEM;
}

static void free_memories(struct mlx5_ib_qp *qp)
{
	kvfree(qp->rq.wr_id);
	kvfree(qp->sq.sent);
}

static u32 *command(struct mlx5_ib_qp *qp, int *inlen)
{
	u32 *in;
	void *qpc;

	*inlen = MLX5_ST_SZ_BYTES(create_qp_in) +
		 MLX5_FLD_SZ_BYTES(create_qp_in, pas[0]) * qp->buf.npages;
	in = kvzalloc(*inlen, GFP_KERNEL);
	if (!in)
		return NULL;
	mlx5_fill_page_frag_array(&qp->buf, (__be64 *)MLX5_ADDR_OF(create_qp_in, in, pas));
	qpc = MLX5_ADDR_OF(create_qp_in, in, qpc);
	MLX5_SET(qpc, qpc, uar_page, qp->bfreg->index);
	MLX5_SET(qpc, qpc, log_page_size, qp->buf.page_shift - MLX5_ADAPTER_PAGE_SHIFT);
	/* The kernel registers by work requests, and uses the key of all memory. */
	MLX5_SET(qpc, qpc, fre, 1);
	MLX5_SET(qpc, qpc, rlky, 1);
	if (qp->type == MLX5_IB_QPT_UMR)
		MLX5_SET(qpc, qpc, latency_sensitive, 1);
	return in;
}

/**
 * mlx5_ib_kernel_queues - the memory of a queue pair of the kernel
 * @qp: its rings become ready to be posted to
 * @params: of the creation; the capabilities are what they turned out to be
 * @in: the command that will create it, with its pages; the caller frees it by kvfree()
 * @inlen: bytes of it
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_kernel_queues(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, u32 **in,
			  int *inlen)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	struct mlx5_core_dev *mdev = dev->mdev;
	size_t size;
	int err;

	err = size_up(qp, params->attr);
	if (err)
		return err;
	size = ((size_t)qp->rq.count << qp->rq.shift) + ((size_t)qp->sq.count << qp->sq.shift);
	if (!size || size > INT_MAX)
		return -EINVAL;
	err = mlx5_frag_buf_alloc_node(mdev, size, &qp->buf, mdev->priv.numa_node);
	if (err)
		return err;
	place_rings(qp);
	qp->bfreg = &dev->bfreg;
	qp->bf_half = 1U << MLX5_CAP_GEN(mdev, log_bf_reg_size) >> 1;
	err = mlx5_db_alloc(mdev, &qp->db);
	if (err)
		goto free_buf;
	err = alloc_memories(qp);
	if (err)
		goto free_rings;
	*in = command(qp, inlen);
	if (*in)
		return 0;
	err = -ENOMEM;

free_rings:
	free_memories(qp);
	mlx5_db_free(mdev, &qp->db);
free_buf:
	mlx5_frag_buf_free(mdev, &qp->buf);
	return err;
}

void mlx5_ib_kernel_queues_free(struct mlx5_ib_qp *qp)
{
	struct mlx5_core_dev *mdev = to_mdev(qp->ibqp.device)->mdev;

	free_memories(qp);
	mlx5_db_free(mdev, &qp->db);
	mlx5_frag_buf_free(mdev, &qp->buf);
}
