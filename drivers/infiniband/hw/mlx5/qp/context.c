// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The context with which a queue pair is created (mlx5_ifc_qpc_bits), but for its memory, which is
 * a process's or the kernel's.
 */
#include "qp.h"

int mlx5_ib_service_type(enum ib_qp_type type)
{
	switch (type) {
	case IB_QPT_RC:
		return MLX5_QP_ST_RC;
	case IB_QPT_UC:
		return MLX5_QP_ST_UC;
	case IB_QPT_UD:
		return MLX5_QP_ST_UD;
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
		return MLX5_QP_ST_XRC;
	case IB_QPT_SMI:
		return MLX5_QP_ST_QP0;
	case MLX5_IB_QPT_HW_GSI:
		return MLX5_QP_ST_QP1;
	case MLX5_IB_QPT_DCI:
		return MLX5_QP_ST_DCI;
	case MLX5_IB_QPT_UMR:
		return MLX5_QP_ST_REG_UMR;
	default:
		return -EINVAL;
	}
}

static u8 receive_queue_type(const struct mlx5_ib_qp *qp, const struct ib_qp_init_attr *attr)
{
	if (attr->srq || qp->type == IB_QPT_XRC_TGT || qp->type == IB_QPT_XRC_INI ||
	    qp->type == MLX5_IB_QPT_DCI)
		return MLX5_SRQ_RQ;
	return qp->rq.count ? MLX5_NON_ZERO_RQ : MLX5_ZERO_LEN_RQ;
}

/*
 * The device wants a PD, queues and a domain named whether or not the queue pair uses them: what
 * isn't there is one of the driver's.
 */
static void name_others(struct mlx5_ib_qp *qp, const struct ib_qp_init_attr *attr, void *qpc)
{
	struct mlx5_ib_placeholders *none = &to_mdev(qp->ibqp.device)->placeholders;
	struct ib_pd *pd = qp->ibqp.pd ?: none->pd;
	struct ib_srq *srq = attr->srq ?: none->srq;
	u32 xrcdn = attr->srq ? none->xrcdn_tgt : none->xrcdn_ini;
	struct ib_cq *send_cq = attr->send_cq, *recv_cq = attr->recv_cq;

	if (qp->type == IB_QPT_XRC_TGT || qp->type == IB_QPT_XRC_INI) {
		srq = none->xrc_srq;
		recv_cq = none->cq;
	}
	if (qp->type == IB_QPT_XRC_TGT) {
		pd = none->pd;
		send_cq = none->cq;
		xrcdn = to_mxrcd(attr->xrcd)->xrcdn;
	}
	if (qp->type != MLX5_IB_QPT_UMR)
		MLX5_SET(qpc, qpc, pd, to_mpd(pd)->pdn);
	MLX5_SET(qpc, qpc, xrcd, xrcdn);
	MLX5_SET(qpc, qpc, srqn_rmpn_xrqn, to_msrq(srq)->srqn);
	if (send_cq)
		MLX5_SET(qpc, qpc, cqn_snd, to_mcq(send_cq)->mcq.cqn);
	if (recv_cq)
		MLX5_SET(qpc, qpc, cqn_rcv, to_mcq(recv_cq)->mcq.cqn);
}

static void describe_queues(struct mlx5_ib_qp *qp, const struct ib_qp_init_attr *attr, void *qpc)
{
	MLX5_SET(qpc, qpc, rq_type, receive_queue_type(qp, attr));
	if (qp->rq.count) {
		/* in units of 16 bytes */
		MLX5_SET(qpc, qpc, log_rq_stride, qp->rq.shift - 4);
		MLX5_SET(qpc, qpc, log_rq_size, ilog2(qp->rq.count));
	}
	if (qp->sq.count)
		MLX5_SET(qpc, qpc, log_sq_size, ilog2(qp->sq.count));
	else
		MLX5_SET(qpc, qpc, no_sq, 1);
	MLX5_SET64(qpc, qpc, dbr_addr, qp->db.dma);
}

static void set_create_flags(u32 flags, void *qpc)
{
	MLX5_SET(qpc, qpc, cd_slave_receive, !!(flags & IB_QP_CREATE_MANAGED_RECV));
	MLX5_SET(qpc, qpc, cd_slave_send, !!(flags & IB_QP_CREATE_MANAGED_SEND));
	MLX5_SET(qpc, qpc, cd_master, !!(flags & IB_QP_CREATE_CROSS_CHANNEL));
	MLX5_SET(qpc, qpc, block_lb_mc, !!(flags & IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK));
	MLX5_SET(qpc, qpc, deth_sqpn, !!(flags & MLX5_IB_QP_CREATE_SQPN_QP1));
	MLX5_SET(qpc, qpc, ulp_stateless_offload_mode, !!(flags & IB_QP_CREATE_IPOIB_UD_LSO));
	if (flags & IB_QP_CREATE_PCI_WRITE_END_PADDING)
		MLX5_SET(qpc, qpc, end_padding_mode, MLX5_WQ_END_PAD_MODE_ALIGN);
}

/**
 * mlx5_ib_qp_fill_context - all that doesn't depend on whose memory it is
 * @qp: with its rings' sizes and its doorbell record
 * @params: of the creation
 * @qpc: zeroed but for what the caller has set
 *
 * Return: 0, or -EINVAL: the device has no such queue pairs.
 */
int mlx5_ib_qp_fill_context(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, void *qpc)
{
	struct mlx5_core_dev *mdev = to_mdev(qp->ibqp.device)->mdev;
	int service = mlx5_ib_service_type(qp->type);

	if (service < 0)
		return service;
	MLX5_SET(qpc, qpc, st, service);
	MLX5_SET(qpc, qpc, pm_state, MLX5_QP_PM_MIGRATED);
	name_others(qp, params->attr, qpc);
	describe_queues(qp, params->attr, qpc);
	if (MLX5_CAP_GEN(mdev, cqe_version))
		MLX5_SET(qpc, qpc, user_index, params->uidx);
	set_create_flags(qp->flags, qpc);
	return 0;
}
