// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Creation and destruction of completion queues (IBTA 11.2.8).
 */
#include "cq.h"

static void completed(struct mlx5_core_cq *mcq, struct mlx5_eqe *eqe)
{
	struct ib_cq *ibcq = &container_of(mcq, struct mlx5_ib_cq, mcq)->ibcq;

	ibcq->comp_handler(ibcq, ibcq->cq_context);
}

static void failed(struct mlx5_core_cq *mcq, enum mlx5_event type)
{
	struct ib_cq *ibcq = &container_of(mcq, struct mlx5_ib_cq, mcq)->ibcq;
	struct ib_event event = {
		.device = ibcq->device,
		.event = IB_EVENT_CQ_ERR,
		.element.cq = ibcq,
	};

	if (type == MLX5_EVENT_TYPE_CQ_ERROR && ibcq->event_handler)
		ibcq->event_handler(&event, ibcq->cq_context);
}

/* One more than was asked for, so that a full queue differs from an empty one; a power of 2. */
int mlx5_ib_cq_entries(struct mlx5_ib_dev *dev, int asked, u32 *count)
{
	u32 max = 1U << MLX5_CAP_GEN(dev->mdev, log_max_cq_sz);

	if (asked < 0 || asked >= max)
		return -EINVAL;
	*count = roundup_pow_of_two((u32)asked + 1);
	return 0;
}

static int kernel_memory(struct mlx5_ib_cq *cq, struct mlx5_ib_cq_params *params)
{
	struct mlx5_ib_dev *dev = to_mdev(cq->ibcq.device);
	struct mlx5_frag_buf *buf = &cq->buf.frag_buf;
	void *cqc;
	int err;

	params->cqe_size = cache_line_size() == 128 ? 128 : 64;
	params->uar_index = dev->mdev->priv.bfreg.up->index;
	err = mlx5_db_alloc(dev->mdev, &cq->db);
	if (err)
		return err;
	err = mlx5_ib_cq_buf_alloc(dev, &cq->buf, params->count, params->cqe_size);
	if (err)
		goto free_db;
	cq->mcq.set_ci_db = cq->db.db;
	cq->mcq.arm_db = cq->db.db + 1;
	cq->mcq.cqe_sz = params->cqe_size;
	params->inlen = MLX5_ST_SZ_BYTES(create_cq_in) +
			MLX5_FLD_SZ_BYTES(create_cq_in, pas[0]) * buf->npages;
	params->in = kvzalloc(params->inlen, GFP_KERNEL);
	if (!params->in) {
		err = -ENOMEM;
		goto free_buf;
	}
	mlx5_fill_page_frag_array(buf, (__be64 *)MLX5_ADDR_OF(create_cq_in, params->in, pas));
	cqc = MLX5_ADDR_OF(create_cq_in, params->in, cq_context);
	MLX5_SET(cqc, cqc, log_page_size, buf->page_shift - MLX5_ADAPTER_PAGE_SHIFT);
	return 0;

free_buf:
	mlx5_ib_cq_buf_free(dev, &cq->buf);
free_db:
	mlx5_db_free(dev->mdev, &cq->db);
	return err;
}

static void free_memory(struct mlx5_ib_cq *cq, struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(cq->ibcq.device);

	if (udata) {
		mlx5_ib_cq_user_memory_free(cq, udata);
		return;
	}
	mlx5_ib_cq_buf_free(dev, &cq->buf);
	mlx5_db_free(dev->mdev, &cq->db);
}

static int create_on_device(struct mlx5_ib_cq *cq, struct mlx5_ib_cq_params *params, int vector)
{
	struct mlx5_ib_dev *dev = to_mdev(cq->ibcq.device);
	void *cqc = MLX5_ADDR_OF(create_cq_in, params->in, cq_context);
	u32 out[MLX5_ST_SZ_DW(create_cq_out)];
	int eqn, err;

	err = mlx5_comp_eqn_get(dev->mdev, vector, &eqn);
	if (err)
		return err;
	MLX5_SET(cqc, cqc, cqe_sz,
		 cqe_sz_to_mlx_sz(params->cqe_size, cq->private_flags & CQ_PAD_128));
	MLX5_SET(cqc, cqc, log_cq_size, ilog2(params->count));
	MLX5_SET(cqc, cqc, uar_page, params->uar_index);
	MLX5_SET(cqc, cqc, c_eqn_or_apu_element, eqn);
	MLX5_SET64(cqc, cqc, dbr_addr, cq->db.dma);
	if (cq->create_flags & IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN)
		MLX5_SET(cqc, cqc, oi, 1);
	return mlx5_core_create_cq(dev->mdev, &cq->mcq, params->in, params->inlen, out,
				   sizeof(out));
}

static void init(struct mlx5_ib_cq *cq, bool user)
{
	spin_lock_init(&cq->lock);
	mutex_init(&cq->resize_mutex);
	INIT_LIST_HEAD(&cq->send_qps);
	INIT_LIST_HEAD(&cq->recv_qps);
	mlx5_ib_cq_software_init(cq);
	/* A process's handler wakes it up: rather not in the interrupt. */
	cq->mcq.comp = user ? mlx5_add_cq_to_tasklet : completed;
	cq->mcq.tasklet_ctx.comp = completed;
	cq->mcq.event = failed;
}

int mlx5_ib_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
		      struct uverbs_attr_bundle *attrs)
{
	const u32 known = IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION |
			  IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN;
	struct ib_udata *udata = attrs ? &attrs->driver_udata : NULL;
	struct mlx5_ib_dev *dev = to_mdev(ibcq->device);
	struct mlx5_ib_cq_params params = {};
	struct mlx5_ib_cq *cq = to_mcq(ibcq);
	int err;

	err = mlx5_ib_cq_entries(dev, attr->cqe, &params.count);
	if (err)
		return err;
	if (attr->flags & ~known)
		return -EOPNOTSUPP;
	cq->create_flags = attr->flags;
	init(cq, udata);
	if (udata)
		err = mlx5_ib_cq_user_memory(cq, &params, attrs);
	else
		err = kernel_memory(cq, &params);
	if (err)
		return err;
	err = create_on_device(cq, &params, attr->comp_vector);
	kvfree(params.in);
	if (err)
		goto free_memory;
	ibcq->cqe = params.count - 1;
	if (udata)
		err = ib_copy_to_udata(udata, &cq->mcq.cqn, sizeof(u32));
	if (!err)
		return 0;
	mlx5_core_destroy_cq(dev->mdev, &cq->mcq);
free_memory:
	free_memory(cq, udata);
	return err;
}

int mlx5_ib_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	struct mlx5_ib_cq *cq = to_mcq(ibcq);
	int err;

	err = mlx5_core_destroy_cq(to_mdev(ibcq->device)->mdev, &cq->mcq);
	if (err)
		return err;
	if (cq->had_software)
		cancel_work_sync(&cq->notify_work);
	free_memory(cq, udata);
	return 0;
}
