// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Resizing a completion queue (IBTA 11.2.8.3) with completions in it. The device marks in the old
 * buffer where it went over to the new one; what stands before the mark is copied.
 */
#include "cq.h"

/* The new buffer, whichever way it comes to its pages. */
struct resize {
	struct mlx5_ib_cq_buf *buf;
	u32 count;
	u32 cqe_size;
	unsigned int page_shift;
	unsigned int page_offset;
	size_t pages;
};

static int new_user_buf(struct mlx5_ib_cq *cq, struct resize *resize, struct ib_udata *udata)
{
	struct mlx5_ib_resize_cq ucmd = {};
	unsigned long page_size;
	struct ib_umem *umem;
	int err;

	err = ib_copy_from_udata(&ucmd, udata, min(udata->inlen, sizeof(ucmd)));
	if (err)
		return err;
	if (ucmd.reserved0 || ucmd.reserved1 || ucmd.cqe_size != cq->buf.cqe_size)
		return -EINVAL;
	umem = ib_umem_get(cq->ibcq.device, ucmd.buf_addr, (size_t)resize->count * ucmd.cqe_size,
			   IB_ACCESS_LOCAL_WRITE);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	/* Unlike other queues, one of these begins with a page. */
	page_size = mlx5_ib_umem_page_size(umem, __mlx5_bit_sz(cqc, log_page_size), 0,
					   &resize->page_offset);
	if (!page_size) {
		ib_umem_release(umem);
		return -EINVAL;
	}
	resize->page_shift = ilog2(page_size);
	resize->pages = ib_umem_num_dma_blocks(umem, page_size);
	resize->buf->umem = umem;
	resize->buf->count = resize->count;
	resize->buf->cqe_size = ucmd.cqe_size;
	return 0;
}

static int new_kernel_buf(struct mlx5_ib_cq *cq, struct resize *resize)
{
	int err = mlx5_ib_cq_buf_alloc(to_mdev(cq->ibcq.device), resize->buf, resize->count,
				       cq->buf.cqe_size);

	if (err)
		return err;
	resize->page_shift = resize->buf->frag_buf.page_shift;
	resize->pages = resize->buf->frag_buf.npages;
	return 0;
}

static void free_buf(struct mlx5_ib_cq *cq, struct mlx5_ib_cq_buf *buf)
{
	if (buf->umem)
		ib_umem_release(buf->umem);
	else
		mlx5_ib_cq_buf_free(to_mdev(cq->ibcq.device), buf);
}

static int tell_device(struct mlx5_ib_cq *cq, const struct resize *resize)
{
	const u32 fields = MLX5_MODIFY_CQ_MASK_LOG_SIZE | MLX5_MODIFY_CQ_MASK_PG_OFFSET |
			   MLX5_MODIFY_CQ_MASK_PG_SIZE;
	int inlen = MLX5_ST_SZ_BYTES(modify_cq_in) +
		    MLX5_FLD_SZ_BYTES(modify_cq_in, pas[0]) * resize->pages;
	struct mlx5_core_dev *mdev = to_mdev(cq->ibcq.device)->mdev;
	u32 *in = kvzalloc(inlen, GFP_KERNEL);
	__be64 *pas;
	void *cqc;
	int err;

	if (!in)
		return -ENOMEM;
	pas = (__be64 *)MLX5_ADDR_OF(modify_cq_in, in, pas);
	if (resize->buf->umem)
		mlx5_ib_umem_pages(resize->buf->umem, BIT(resize->page_shift), pas, 0);
	else
		mlx5_fill_page_frag_array(&resize->buf->frag_buf, pas);
	MLX5_SET(modify_cq_in, in, op_mod, MLX5_CQ_OPMOD_RESIZE);
	MLX5_SET(modify_cq_in, in, cqn, cq->mcq.cqn);
	MLX5_SET(modify_cq_in, in, modify_field_select_resize_field_select
				   .resize_field_select.resize_field_select, fields);
	cqc = MLX5_ADDR_OF(modify_cq_in, in, cq_context);
	MLX5_SET(cqc, cqc, log_page_size, resize->page_shift - MLX5_ADAPTER_PAGE_SHIFT);
	MLX5_SET(cqc, cqc, page_offset, resize->page_offset);
	MLX5_SET(cqc, cqc, cqe_sz,
		 cqe_sz_to_mlx_sz(resize->buf->cqe_size, cq->private_flags & CQ_PAD_128));
	MLX5_SET(cqc, cqc, log_cq_size, ilog2(resize->count));
	err = mlx5_core_modify_cq(mdev, &cq->mcq, in, inlen);
	kvfree(in);
	return err;
}

/*
 * The mark counts as an entry, so what was before it stands one place further on in the new buffer,
 * and the entry that follows the mark where the device expects it. With the CQ's lock held.
 */
static void copy_entries(struct mlx5_ib_cq *cq, struct mlx5_ib_cq_buf *to)
{
	size_t before = to->cqe_size - sizeof(struct mlx5_cqe64);
	struct mlx5_cqe64 *from, *copy;
	u32 num;

	for (num = cq->mcq.cons_index; (from = mlx5_ib_cqe_written(&cq->buf, num)); num++) {
		if (from->op_own >> 4 == MLX5_CQE_RESIZE_CQ)
			break;
		copy = mlx5_ib_cqe_at(to, num + 1);
		memcpy((void *)copy - before, (void *)from - before, to->cqe_size);
		copy->op_own &= ~MLX5_CQE_OWNER_MASK;
		if ((num + 1) & to->count)
			copy->op_own |= MLX5_CQE_OWNER_MASK;
	}
	if (!from)
		mlx5_ib_warn(to_mdev(cq->ibcq.device), "CQ %#x: resized without a mark\n",
			     cq->mcq.cqn);
	cq->mcq.cons_index++;
}

/* Polling has come to the mark: nothing is left in the old buffer. With the CQ's lock held. */
void mlx5_ib_cq_use_next_buf(struct mlx5_ib_cq *cq)
{
	struct mlx5_ib_cq_buf *next = cq->next_buf;

	if (!next)
		return;
	swap(cq->buf, *next);
	cq->next_buf = NULL;
}

static void go_over(struct mlx5_ib_cq *cq, struct mlx5_ib_cq_buf *buf)
{
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	if (cq->next_buf) {
		dma_rmb();
		copy_entries(cq, buf);
		mlx5_ib_cq_use_next_buf(cq);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
}

/* With resize_mutex held. */
static int resize_to(struct mlx5_ib_cq *cq, struct resize *resize, struct ib_udata *udata)
{
	unsigned long flags;
	int err;

	err = udata ? new_user_buf(cq, resize, udata) : new_kernel_buf(cq, resize);
	if (err)
		return err;
	if (!udata) {
		spin_lock_irqsave(&cq->lock, flags);
		cq->next_buf = resize->buf;
		spin_unlock_irqrestore(&cq->lock, flags);
	}
	err = tell_device(cq, resize);
	if (err) {
		spin_lock_irqsave(&cq->lock, flags);
		cq->next_buf = NULL;
		spin_unlock_irqrestore(&cq->lock, flags);
	} else if (udata) {
		swap(cq->buf, *resize->buf);
	} else {
		go_over(cq, resize->buf);
	}
	if (!err)
		cq->ibcq.cqe = resize->count - 1;
	/* The old one if all went well, else the new one. */
	free_buf(cq, resize->buf);
	return err;
}

int mlx5_ib_resize_cq(struct ib_cq *ibcq, int entries, struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(ibcq->device);
	struct mlx5_ib_cq *cq = to_mcq(ibcq);
	struct mlx5_ib_cq_buf buf = {};
	struct resize resize = { .buf = &buf };
	int err;

	if (!MLX5_CAP_GEN(dev->mdev, cq_resize))
		return -ENOSYS;
	if (entries < 1)
		return -EINVAL;
	err = mlx5_ib_cq_entries(dev, entries, &resize.count);
	if (err)
		return err;
	mutex_lock(&cq->resize_mutex);
	if (resize.count != ibcq->cqe + 1)
		err = resize_to(cq, &resize, udata);
	mutex_unlock(&cq->resize_mutex);
	return err;
}

/**
 * mlx5_ib_modify_cq - how many completions, or how much time, until the next event
 * @ibcq: the queue
 * @count: completions
 * @period: microseconds
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_modify_cq(struct ib_cq *ibcq, u16 count, u16 period)
{
	struct mlx5_core_dev *mdev = to_mdev(ibcq->device)->mdev;

	if (!MLX5_CAP_GEN(mdev, cq_moderation))
		return -EOPNOTSUPP;
	if (period > MLX5_MAX_CQ_PERIOD)
		return -EINVAL;
	return mlx5_core_modify_cq_moderation(mdev, &to_mcq(ibcq)->mcq, period, count);
}
