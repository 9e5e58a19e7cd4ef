// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the device knows of a queue pair, in ib_core's terms (IBTA 11.2.5.3).
 */
#include "qp.h"

static enum ib_qp_state state_of(u8 state)
{
	switch (state) {
	case MLX5_QP_STATE_RST:
		return IB_QPS_RESET;
	case MLX5_QP_STATE_INIT:
		return IB_QPS_INIT;
	case MLX5_QP_STATE_RTR:
		return IB_QPS_RTR;
	case MLX5_QP_STATE_RTS:
		return IB_QPS_RTS;
	case MLX5_QP_STATE_SQ_DRAINING:
	case MLX5_QP_STATE_SQD:
		return IB_QPS_SQD;
	case MLX5_QP_STATE_SQER:
		return IB_QPS_SQE;
	default:
		return IB_QPS_ERR;
	}
}

static enum ib_mig_state migration_of(u8 state)
{
	switch (state) {
	case MLX5_QP_PM_ARMED:
		return IB_MIG_ARMED;
	case MLX5_QP_PM_REARM:
		return IB_MIG_REARM;
	default:
		return IB_MIG_MIGRATED;
	}
}

static bool is_connected(enum ib_qp_type type)
{
	return type == IB_QPT_RC || type == IB_QPT_UC || type == IB_QPT_XRC_INI ||
	       type == IB_QPT_XRC_TGT;
}

static void tell_paths(struct mlx5_ib_qp *qp, const void *qpc, struct ib_qp_attr *attr)
{
	const void *primary = MLX5_ADDR_OF(qpc, qpc, primary_address_path);
	const void *alternate = MLX5_ADDR_OF(qpc, qpc, secondary_address_path);

	attr->pkey_index = MLX5_GET(ads, primary, pkey_index);
	attr->port_num = MLX5_GET(ads, primary, vhca_port_num);
	attr->timeout = MLX5_GET(ads, primary, ack_timeout);
	attr->alt_timeout = MLX5_GET(ads, alternate, ack_timeout);
	if (!is_connected(qp->type))
		return;
	mlx5_ib_get_path(primary, &attr->ah_attr);
	mlx5_ib_get_path(alternate, &attr->alt_ah_attr);
	attr->alt_pkey_index = MLX5_GET(ads, alternate, pkey_index);
	attr->alt_port_num = MLX5_GET(ads, alternate, vhca_port_num);
}

static void tell_context(const void *qpc, struct ib_qp_attr *attr)
{
	attr->sq_draining = MLX5_GET(qpc, qpc, state) == MLX5_QP_STATE_SQ_DRAINING;
	attr->path_mtu = MLX5_GET(qpc, qpc, mtu);
	attr->path_mig_state = migration_of(MLX5_GET(qpc, qpc, pm_state));
	attr->qkey = MLX5_GET(qpc, qpc, q_key);
	attr->rq_psn = MLX5_GET(qpc, qpc, next_rcv_psn);
	attr->sq_psn = MLX5_GET(qpc, qpc, next_send_psn);
	attr->dest_qp_num = MLX5_GET(qpc, qpc, remote_qpn);
	if (MLX5_GET(qpc, qpc, rre))
		attr->qp_access_flags |= IB_ACCESS_REMOTE_READ;
	if (MLX5_GET(qpc, qpc, rwe))
		attr->qp_access_flags |= IB_ACCESS_REMOTE_WRITE;
	if (MLX5_GET(qpc, qpc, rae))
		attr->qp_access_flags |= IB_ACCESS_REMOTE_ATOMIC;
	attr->max_rd_atomic = 1 << MLX5_GET(qpc, qpc, log_sra_max);
	attr->max_dest_rd_atomic = 1 << MLX5_GET(qpc, qpc, log_rra_max);
	attr->min_rnr_timer = MLX5_GET(qpc, qpc, min_rnr_nak);
	attr->retry_cnt = MLX5_GET(qpc, qpc, retry_count);
	attr->rnr_retry = MLX5_GET(qpc, qpc, rnr_retry);
}

/* The send queue of a process is its own affair: the kernel hasn't been told of its requests. */
static void tell_capacity(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr,
			  struct ib_qp_init_attr *init_attr)
{
	attr->cap.max_recv_wr = qp->rq.count;
	attr->cap.max_recv_sge = qp->rq.max_sge;
	attr->cap.max_inline_data = qp->max_inline;
	if (!qp->ibqp.uobject) {
		attr->cap.max_send_wr = qp->sq.max_wr;
		attr->cap.max_send_sge = qp->sq.max_sge;
		init_attr->qp_context = qp->ibqp.qp_context;
	}
	init_attr->qp_type = qp->type;
	init_attr->send_cq = qp->ibqp.send_cq;
	init_attr->recv_cq = qp->ibqp.recv_cq;
	init_attr->srq = qp->ibqp.srq;
	init_attr->cap = attr->cap;
	init_attr->create_flags = qp->flags;
	init_attr->sq_sig_type = qp->signal_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR;
}

int mlx5_ib_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int attr_mask,
		     struct ib_qp_init_attr *init_attr)
{
	struct mlx5_ib_qp *qp = to_mqp(ibqp);
	const void *qpc;
	u32 *out;
	int err;

	if (qp->type == IB_QPT_GSI)
		return mlx5_ib_gsi_query(qp, attr, attr_mask, init_attr);
	if (qp->type == MLX5_IB_QPT_DCT)
		return mlx5_ib_dct_query(qp, attr, attr_mask, init_attr);
	out = kzalloc(MLX5_ST_SZ_BYTES(query_qp_out), GFP_KERNEL);
	if (!out)
		return -ENOMEM;
	memset(attr, 0, sizeof(*attr));
	memset(init_attr, 0, sizeof(*init_attr));
	mutex_lock(&qp->mutex);
	err = mlx5_ib_cmd_query_qp(to_mdev(ibqp->device)->mdev, qp->qpn, out);
	if (!err) {
		qpc = MLX5_ADDR_OF(query_qp_out, out, qpc);
		qp->state = state_of(MLX5_GET(qpc, qpc, state));
		attr->qp_state = qp->state;
		attr->cur_qp_state = qp->state;
		tell_context(qpc, attr);
		tell_paths(qp, qpc, attr);
		tell_capacity(qp, attr, init_attr);
	}
	mutex_unlock(&qp->mutex);
	kfree(out);
	return err;
}
