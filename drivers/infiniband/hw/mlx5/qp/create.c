// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Creation of queue pairs: from what was asked for to the type and flags that the device knows, and
 * from there to the way that this type is made.
 */
#include "qp.h"

static int check_type(struct mlx5_ib_dev *dev, const struct ib_qp_init_attr *attr, bool user)
{
	switch (attr->qp_type) {
	case IB_QPT_RC:
	case IB_QPT_UC:
	case IB_QPT_UD:
		return 0;
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
		return MLX5_CAP_GEN(dev->mdev, xrc) ? 0 : -EOPNOTSUPP;
	case IB_QPT_DRIVER:
	case MLX5_IB_QPT_DCI:
	case MLX5_IB_QPT_DCT:
		return user && MLX5_CAP_GEN(dev->mdev, dct) ? 0 : -EOPNOTSUPP;
	case IB_QPT_SMI:
	case IB_QPT_GSI:
	case MLX5_IB_QPT_HW_GSI:
	case MLX5_IB_QPT_UMR:
		return user ? -EOPNOTSUPP : 0;
	default:
		return -EOPNOTSUPP;
	}
}

/* The driver's part of the request: at least what the oldest library sends, nothing unknown. */
static int copy_request(struct mlx5_ib_qp_params *params)
{
	const size_t oldest = offsetof(struct mlx5_ib_create_qp, ece_options);
	const size_t known = offsetof(struct mlx5_ib_create_qp, reserved);
	struct ib_udata *udata = params->udata;

	if (udata->inlen < oldest)
		return -EINVAL;
	if (udata->inlen > known && !ib_is_udata_cleared(udata, known, udata->inlen - known))
		return -EINVAL;
	return ib_copy_from_udata(&params->ucmd, udata, min(udata->inlen, known));
}

/* What IB_QPT_DRIVER stands for, or a reserved type that came as such. */
static int resolve_dc(struct mlx5_ib_qp *qp, u32 flags)
{
	switch (flags & (MLX5_QP_FLAG_TYPE_DCI | MLX5_QP_FLAG_TYPE_DCT)) {
	case 0:
		return qp->type == IB_QPT_DRIVER ? -EINVAL : 0;
	case MLX5_QP_FLAG_TYPE_DCI:
		if (qp->type != IB_QPT_DRIVER && qp->type != MLX5_IB_QPT_DCI)
			return -EINVAL;
		qp->type = MLX5_IB_QPT_DCI;
		return 0;
	case MLX5_QP_FLAG_TYPE_DCT:
		if (qp->type != IB_QPT_DRIVER && qp->type != MLX5_IB_QPT_DCT)
			return -EINVAL;
		qp->type = MLX5_IB_QPT_DCT;
		return 0;
	default:
		return -EINVAL;
	}
}

static int take_vendor_flags(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp, u32 flags)
{
	u32 allowed = MLX5_QP_FLAG_TYPE_DCI | MLX5_QP_FLAG_TYPE_DCT | MLX5_QP_FLAG_SIGNATURE |
		      MLX5_QP_FLAG_BFREG_INDEX | MLX5_QP_FLAG_UAR_PAGE_INDEX;
	int err = resolve_dc(qp, flags);

	if (err)
		return err;
	/*
	 * A wish only: completions carry no data, and the library is told so by none of its flags.
	 */
	flags &= ~(u32)(MLX5_QP_FLAG_SCATTER_CQE | MLX5_QP_FLAG_ALLOW_SCATTER_CQE);
	if (qp->type == MLX5_IB_QPT_DCI && MLX5_CAP_GEN(dev->mdev, log_max_dci_stream_channels))
		allowed |= MLX5_QP_FLAG_DCI_STREAM;
	if (qp->type == IB_QPT_RC && MLX5_CAP_GEN(dev->mdev, qp_packet_based))
		allowed |= MLX5_QP_FLAG_PACKET_BASED_CREDIT_MODE;
	if (flags & ~allowed)
		return -EINVAL;
	qp->vendor_flags = flags;
	return 0;
}

static int take_create_flags(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp, u32 flags)
{
	u32 allowed = 0;

	if (qp->type == MLX5_IB_QPT_DCT)
		return flags ? -EINVAL : 0;
	if (MLX5_CAP_GEN(dev->mdev, block_lb_mc))
		allowed |= IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
	if (MLX5_CAP_GEN(dev->mdev, cd))
		allowed |= IB_QP_CREATE_CROSS_CHANNEL | IB_QP_CREATE_MANAGED_SEND |
			   IB_QP_CREATE_MANAGED_RECV;
	if (MLX5_CAP_GEN(dev->mdev, end_pad))
		allowed |= IB_QP_CREATE_PCI_WRITE_END_PADDING;
	if (qp->type == IB_QPT_UD && !qp->ibqp.uobject)
		allowed |= MLX5_IB_QP_CREATE_SQPN_QP1;
	if (flags & ~allowed)
		return -EOPNOTSUPP;
	qp->flags = flags;
	return 0;
}

/* A process that understands newer completions numbers its queue pairs by itself; others can't. */
static int take_user_index(struct mlx5_ib_qp_params *params)
{
	u32 uidx = params->ucmd.uidx;

	if (!mlx5_ib_udata_context(params->udata)->cqe_version)
		return uidx == MLX5_IB_NO_UIDX ? 0 : -EINVAL;
	if (uidx >= MLX5_IB_NO_UIDX)
		return -EINVAL;
	params->uidx = uidx;
	return 0;
}

static int check_queues(const struct mlx5_ib_qp *qp, const struct ib_qp_init_attr *attr)
{
	if (qp->type == MLX5_IB_QPT_DCT && (!attr->srq || !attr->recv_cq))
		return -EINVAL;
	if (qp->type == MLX5_IB_QPT_DCI && (attr->cap.max_recv_wr || attr->cap.max_recv_sge))
		return -EINVAL;
	return 0;
}

static int understand(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	int err = 0;

	if (params->attr->rwq_ind_tbl)
		return -EOPNOTSUPP;
	err = check_type(dev, params->attr, params->udata);
	if (err)
		return err;
	qp->type = params->attr->qp_type;
	if (params->udata) {
		err = copy_request(params);
		if (!err)
			err = take_vendor_flags(dev, qp, params->ucmd.flags);
		if (!err)
			err = take_user_index(params);
	}
	if (!err)
		err = take_create_flags(dev, qp, params->attr->create_flags);
	return err ?: check_queues(qp, params->attr);
}

/* The queue pair of which the device knows all now: it can be found, and flushed if it dies. */
static void list_queue_pair(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp)
{
	struct mlx5_ib_cq *send_cq, *recv_cq;
	unsigned long flags;

	if (!mlx5_ib_qp_has_kernel_queues(qp))
		return;
	mlx5_ib_qp_cqs(qp, &send_cq, &recv_cq);
	spin_lock_irqsave(&dev->kernel_qps_lock, flags);
	mlx5_ib_lock_cqs(send_cq, recv_cq);
	list_add_tail(&qp->kernel_list, &dev->kernel_qps);
	if (send_cq)
		list_add_tail(&qp->send_list, &send_cq->send_qps);
	if (recv_cq)
		list_add_tail(&qp->recv_list, &recv_cq->recv_qps);
	mlx5_ib_unlock_cqs(send_cq, recv_cq);
	spin_unlock_irqrestore(&dev->kernel_qps_lock, flags);
}

static int create_on_device(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, u32 *in,
			    int inlen)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	int err;

	err = mlx5_ib_qp_fill_context(qp, params, MLX5_ADDR_OF(create_qp_in, in, qpc));
	if (err)
		return err;
	err = mlx5_ib_cmd_create_qp(dev->mdev, in, inlen, &qp->qpn, &params->resp.ece_options);
	if (err)
		return err;
	err = mlx5_ib_number_add(&dev->qps, qp->qpn, &qp->numbered);
	if (err) {
		mlx5_ib_cmd_destroy_qp(dev->mdev, qp->uid, qp->qpn);
		return err;
	}
	list_queue_pair(dev, qp);
	return 0;
}

/* An XRC target has no queues. */
static int create_xrc_target(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params)
{
	int inlen = MLX5_ST_SZ_BYTES(create_qp_in), err;
	u32 *in = kvzalloc(inlen, GFP_KERNEL);

	if (!in)
		return -ENOMEM;
	err = create_on_device(qp, params, in, inlen);
	kvfree(in);
	return err;
}

static int create_with_queues(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params)
{
	int inlen, err;
	u32 *in;

	if (params->udata)
		err = mlx5_ib_user_queues(qp, params, &in, &inlen);
	else
		err = mlx5_ib_kernel_queues(qp, params, &in, &inlen);
	if (err)
		return err;
	err = create_on_device(qp, params, in, inlen);
	kvfree(in);
	if (err && params->udata)
		mlx5_ib_user_queues_free(qp, params->udata);
	else if (err)
		mlx5_ib_kernel_queues_free(qp);
	return err;
}

static int create_as_its_type(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params)
{
	switch (qp->type) {
	case IB_QPT_GSI:
		return mlx5_ib_gsi_create(qp, params->attr);
	case MLX5_IB_QPT_DCT:
		rdma_restrack_no_track(&qp->ibqp.res);
		return mlx5_ib_dct_create(qp, params);
	case IB_QPT_XRC_TGT:
		return create_xrc_target(qp, params);
	case MLX5_IB_QPT_HW_GSI:
		rdma_restrack_no_track(&qp->ibqp.res);
		fallthrough;
	default:
		return create_with_queues(qp, params);
	}
}

static u32 visible_number(const struct mlx5_ib_qp *qp)
{
	switch (qp->type) {
	case IB_QPT_SMI:
		return 0;
	case IB_QPT_GSI:
	case MLX5_IB_QPT_HW_GSI:
		return 1;
	default:
		return qp->qpn;
	}
}

int mlx5_ib_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct mlx5_ib_qp *qp = to_mqp(ibqp);
	struct mlx5_ib_dev *dev = to_mdev(ibqp->device);
	struct mlx5_ib_qp_params params = {
		.attr = attr,
		.udata = udata,
		.uidx = MLX5_IB_NO_UIDX,
	};
	int err;

	mutex_init(&qp->mutex);
	spin_lock_init(&qp->sq.lock);
	spin_lock_init(&qp->rq.lock);
	err = understand(qp, &params);
	if (!err)
		err = mlx5_ib_placeholder_srqs(dev);
	if (err)
		return err;
	qp->signal_all = attr->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->port = mlx5_ib_is_special(qp->type) ? attr->port_num : 0;
	/* An initiator's receive queue is the driver's, out of any context's reach. */
	if (udata && qp->type != IB_QPT_XRC_INI)
		qp->uid = to_mpd(ibqp->pd)->uid;
	err = create_as_its_type(qp, &params);
	if (err)
		return err;
	ibqp->qp_num = visible_number(qp);
	if (!udata)
		return 0;
	err = ib_copy_to_udata(udata, &params.resp, min(udata->outlen, sizeof(params.resp)));
	if (err)
		mlx5_ib_qp_abandon(qp, udata);
	return err;
}
