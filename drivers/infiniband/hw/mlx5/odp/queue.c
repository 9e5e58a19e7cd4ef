// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Work requests, read from the queues of processes. The process may write there at any time: what
 * has been read once isn't read again.
 */
#include "odp.h"

/**
 * struct ring - a queue in a process's memory
 * @umem: where
 * @offset: of the queue in it
 * @size: bytes, a power of 2
 */
struct ring {
	struct ib_umem *umem;
	size_t offset;
	size_t size;
};

/* From @at on, which may be past the queue's end; what's behind that is at the beginning. */
static int read_ring(const struct ring *ring, size_t at, void *to, size_t length)
{
	size_t first;
	int err;

	if (!ring->umem || length > ring->size)
		return -EINVAL;
	at &= ring->size - 1;
	first = min(length, ring->size - at);
	err = ib_umem_copy_from(to, ring->umem, ring->offset + at, first);
	if (!err && first < length)
		err = ib_umem_copy_from(to + first, ring->umem, ring->offset, length - first);
	return err;
}

/**
 * mlx5_ib_read_send - read a send request
 * @qp: the queue pair
 * @index: of its first WQEBB
 * @wqe: MLX5_IB_SEND_WQE_MAX bytes
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_read_send(struct mlx5_ib_qp *qp, u16 index, void *wqe)
{
	const struct ring ring = {
		.umem = qp->umem,
		.offset = (size_t)qp->rq.count << qp->rq.shift,
		.size = (size_t)qp->sq.count << qp->sq.shift,
	};
	size_t at = (size_t)index << qp->sq.shift, length;
	int err;

	err = read_ring(&ring, at, wqe, MLX5_SEND_WQE_BB);
	if (err)
		return err;
	length = mlx5_ib_send_wqe_length(wqe);
	if (!length)
		return -EINVAL;
	if (length <= MLX5_SEND_WQE_BB)
		return 0;
	return read_ring(&ring, at + MLX5_SEND_WQE_BB, wqe + MLX5_SEND_WQE_BB,
			 length - MLX5_SEND_WQE_BB);
}

/**
 * mlx5_ib_read_receive - read a receive request
 * @qp: the queue pair
 * @index: of the request
 * @wqe: where to
 * @size: bytes there
 *
 * Return: bytes of it or a negative errno.
 */
int mlx5_ib_read_receive(struct mlx5_ib_qp *qp, u16 index, void *wqe, size_t size)
{
	const struct ring ring = {
		.umem = qp->umem,
		.size = (size_t)qp->rq.count << qp->rq.shift,
	};
	size_t stride = BIT(qp->rq.shift);

	if (stride > size)
		return -EINVAL;
	return read_ring(&ring, (size_t)index << qp->rq.shift, wqe, stride) ?: stride;
}

/**
 * mlx5_ib_read_shared - read a receive request of a shared queue
 * @srq: the queue
 * @index: of the request
 * @wqe: where to
 * @size: bytes there
 *
 * Return: bytes of it or a negative errno.
 */
int mlx5_ib_read_shared(struct mlx5_ib_srq *srq, u16 index, void *wqe, size_t size)
{
	const struct ring ring = {
		.umem = srq->umem,
		.size = (size_t)srq->count << srq->shift,
	};
	size_t stride = BIT(srq->shift);

	if (stride > size)
		return -EINVAL;
	return read_ring(&ring, (size_t)index << srq->shift, wqe, stride) ?: stride;
}
