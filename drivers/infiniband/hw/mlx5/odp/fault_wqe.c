// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Faults on memory that a work request names: of the requester in its own request, of the responder
 * in the receive that the message goes to. The device says where the request is, and how many bytes
 * it has dealt with; all that follows is brought in.
 */
#include "odp.h"

/* Segments that the device is done with are left alone. */
static int page_in(struct mlx5_ib_dev *dev, struct mlx5_ib_segments *segments, u64 done)
{
	struct mlx5_ib_segment segment;
	u64 skip;
	int err;

	while (mlx5_ib_next_segment(segments, &segment)) {
		skip = min(done, segment.length);
		done -= skip;
		if (segment.is_inline || skip == segment.length)
			continue;
		err = mlx5_ib_fault_key(dev, segment.key, segment.va + skip,
					segment.length - skip);
		if (err)
			return err;
	}
	return 0;
}

static int of_requester(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault,
			struct mlx5_ib_qp *qp, void *wqe)
{
	struct mlx5_ib_segments segments;
	int err;

	err = mlx5_ib_read_send(qp, fault->index, wqe);
	if (!err)
		err = mlx5_ib_send_segments(qp->type, wqe, &segments);
	return err ?: page_in(dev, &segments, fault->done);
}

/* @skip: bytes that stand before its scatter list. */
static int of_receive(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault, const void *wqe,
		      int length, size_t skip)
{
	struct mlx5_ib_segments segments = {
		.at = wqe + skip,
		.end = wqe + length,
		.terminate = dev->keys.terminate,
	};

	if (length < 0)
		return length;
	if (skip > length)
		return -EINVAL;
	return page_in(dev, &segments, fault->done);
}

static int of_qp(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault, void *wqe)
{
	struct mlx5_ib_qp *qp = mlx5_ib_qp_get(dev, fault->number);
	size_t signature;
	int err;

	if (!qp)
		return -ENOENT;
	if (fault->type & MLX5_PFAULT_REQUESTOR) {
		err = of_requester(dev, fault, qp, wqe);
	} else {
		signature = qp->vendor_flags & MLX5_QP_FLAG_SIGNATURE ? MLX5_WQE_DS_UNITS : 0;
		err = of_receive(dev, fault, wqe,
				 mlx5_ib_read_receive(qp, fault->index, wqe, PAGE_SIZE),
				 signature);
	}
	mlx5_ib_qp_put(qp);
	return err;
}

static int of_srq(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault, void *wqe)
{
	struct mlx5_ib_srq *srq = mlx5_ib_srq_get(dev, fault->number);
	int err;

	if (!srq)
		return -ENOENT;
	err = of_receive(dev, fault, wqe, mlx5_ib_read_shared(srq, fault->index, wqe, PAGE_SIZE),
			 sizeof(struct mlx5_wqe_srq_next_seg));
	mlx5_ib_srq_put(srq);
	return err;
}

void mlx5_ib_fault_by_wqe(struct mlx5_ib_dev *dev, struct mlx5_ib_fault *fault)
{
	void *wqe = kzalloc(PAGE_SIZE, GFP_KERNEL);
	int err = -ENOMEM;

	if (wqe && fault->type == MLX5_WQE_PF_TYPE_RMP)
		err = of_srq(dev, fault, wqe);
	else if (wqe)
		err = of_qp(dev, fault, wqe);
	kfree(wqe);
	if (err)
		mlx5_ib_dbg(dev, "fault of queue 0x%x, request %u: %d\n", fault->number,
			    fault->index, err);
	mlx5_ib_fault_resume(dev, fault, err && err != -EAGAIN);
}
