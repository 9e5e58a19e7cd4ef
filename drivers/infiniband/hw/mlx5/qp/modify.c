// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Modification of queue pairs (IBTA 10.3.1, 11.2.5.2): is it allowed, what goes into the context,
 * which command, and what it means for the rings.
 */
#include "qp.h"

#define SPECIAL_LOG_MSG 8  /* management datagrams: 256 bytes */
#define DATAGRAM_LOG_MSG 12 /* others: the largest MTU */

/* One in this many packets asks for an acknowledgment, as a power of 2. */
#define LOG_ACK_REQ_FREQ 8

static int check_limits(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp,
			const struct ib_qp_attr *attr, int attr_mask)
{
	bool dc = qp->type == MLX5_IB_QPT_DCI;
	u32 out = 1 << (dc ? MLX5_CAP_GEN(dev->mdev, log_max_ra_req_dc) :
			     MLX5_CAP_GEN(dev->mdev, log_max_ra_req_qp));
	u32 in = 1 << (dc ? MLX5_CAP_GEN(dev->mdev, log_max_ra_res_dc) :
			    MLX5_CAP_GEN(dev->mdev, log_max_ra_res_qp));

	if (attr_mask & IB_QP_PORT && !rdma_is_port_valid(&dev->ib_dev, attr->port_num))
		return -EINVAL;
	if (attr_mask & IB_QP_PKEY_INDEX && attr->pkey_index >= dev->pkey_table_len)
		return -EINVAL;
	if (attr_mask & IB_QP_MAX_QP_RD_ATOMIC && attr->max_rd_atomic > out)
		return -EINVAL;
	if (attr_mask & IB_QP_MAX_DEST_RD_ATOMIC && attr->max_dest_rd_atomic > in)
		return -EINVAL;
	if (attr_mask & IB_QP_PATH_MTU &&
	    (attr->path_mtu < IB_MTU_256 || attr->path_mtu > IB_MTU_4096))
		return -EINVAL;
	return 0;
}

static bool states_ok(const struct mlx5_ib_qp *qp, enum ib_qp_state from, enum ib_qp_state to,
		      int attr_mask)
{
	switch (qp->type) {
	case MLX5_IB_QPT_UMR:
		return true;
	case MLX5_IB_QPT_DCI:
		return mlx5_ib_dci_modify_ok(from, to, attr_mask);
	case MLX5_IB_QPT_HW_GSI:
		return ib_modify_qp_is_ok(from, to, IB_QPT_GSI, attr_mask);
	default:
		return ib_modify_qp_is_ok(from, to, qp->type, attr_mask);
	}
}

static u8 migration_state(const struct ib_qp_attr *attr, int attr_mask)
{
	if (!(attr_mask & IB_QP_PATH_MIG_STATE))
		return MLX5_QP_PM_MIGRATED;
	switch (attr->path_mig_state) {
	case IB_MIG_REARM:
		return MLX5_QP_PM_REARM;
	case IB_MIG_ARMED:
		return MLX5_QP_PM_ARMED;
	default:
		return MLX5_QP_PM_MIGRATED;
	}
}

static void set_sizes(struct mlx5_ib_dev *dev, const struct mlx5_ib_qp *qp,
		      const struct ib_qp_attr *attr, int attr_mask, void *qpc)
{
	if (mlx5_ib_is_special(qp->type)) {
		MLX5_SET(qpc, qpc, mtu, IB_MTU_256);
		MLX5_SET(qpc, qpc, log_msg_max, SPECIAL_LOG_MSG);
	} else if (qp->type == IB_QPT_UD || qp->type == MLX5_IB_QPT_UMR) {
		MLX5_SET(qpc, qpc, mtu, IB_MTU_4096);
		MLX5_SET(qpc, qpc, log_msg_max, DATAGRAM_LOG_MSG);
	} else if (attr_mask & IB_QP_PATH_MTU) {
		MLX5_SET(qpc, qpc, mtu, attr->path_mtu);
		MLX5_SET(qpc, qpc, log_msg_max, MLX5_CAP_GEN(dev->mdev, log_max_msg));
	}
}

static int set_paths(struct mlx5_ib_dev *dev, const struct mlx5_ib_qp *qp,
		     const struct ib_qp_attr *attr, int attr_mask, void *qpc)
{
	void *primary = MLX5_ADDR_OF(qpc, qpc, primary_address_path);
	void *alternate = MLX5_ADDR_OF(qpc, qpc, secondary_address_path);
	u32 port = attr_mask & IB_QP_PORT ? attr->port_num : qp->port;
	int err = 0;

	if (attr_mask & IB_QP_PORT || mlx5_ib_is_special(qp->type))
		MLX5_SET(ads, primary, vhca_port_num, port);
	if (attr_mask & IB_QP_PKEY_INDEX)
		MLX5_SET(ads, primary, pkey_index, attr->pkey_index);
	if (attr_mask & IB_QP_TIMEOUT)
		MLX5_SET(ads, primary, ack_timeout, attr->timeout);
	if (attr_mask & IB_QP_AV)
		err = mlx5_ib_set_path(dev, &attr->ah_attr, port, primary);
	if (err || !(attr_mask & IB_QP_ALT_PATH))
		return err;
	if (attr->alt_pkey_index >= dev->pkey_table_len)
		return -EINVAL;
	MLX5_SET(ads, alternate, pkey_index, attr->alt_pkey_index);
	MLX5_SET(ads, alternate, ack_timeout, attr->alt_timeout);
	return mlx5_ib_set_path(dev, &attr->alt_ah_attr, attr->alt_port_num, alternate);
}

/* How the device does atomics: as the specification says, if it does all of these. */
int mlx5_ib_atomic_mode(struct mlx5_ib_dev *dev, bool dct)
{
	u32 sizes = dct ? MLX5_CAP_ATOMIC(dev->mdev, atomic_size_dc) :
			  MLX5_CAP_ATOMIC(dev->mdev, atomic_size_qp);
	u32 operations = MLX5_CAP_ATOMIC(dev->mdev, atomic_operations);
	const u32 extended = MLX5_ATOMIC_OPS_EXTENDED_CMP_SWAP |
			     MLX5_ATOMIC_OPS_EXTENDED_FETCH_ADD;
	const u32 standard = MLX5_ATOMIC_OPS_CMP_SWAP | MLX5_ATOMIC_OPS_FETCH_ADD;

	if (!MLX5_CAP_GEN(dev->mdev, atomic))
		return -EOPNOTSUPP;
	/* The mode of extended ones is log2 of the longest; it goes up to 256 bytes. */
	if (operations & extended && sizes & 0x1ff)
		return max_t(int, __fls(sizes & 0x1ff), 3);
	if ((operations & standard) == standard)
		return MLX5_ATOMIC_MODE_IB_COMP;
	return -EOPNOTSUPP;
}

static int set_access(struct mlx5_ib_dev *dev, const struct mlx5_ib_qp *qp,
		      const struct ib_qp_attr *attr, int attr_mask, void *qpc)
{
	u32 access = attr_mask & IB_QP_ACCESS_FLAGS ? attr->qp_access_flags : qp->atomic_read_en;
	u32 depth = attr_mask & IB_QP_MAX_DEST_RD_ATOMIC ? attr->max_dest_rd_atomic :
							   qp->resp_depth;
	int mode;

	if (!depth)
		access &= IB_ACCESS_REMOTE_WRITE;
	MLX5_SET(qpc, qpc, rre, !!(access & IB_ACCESS_REMOTE_READ));
	MLX5_SET(qpc, qpc, rwe, !!(access & IB_ACCESS_REMOTE_WRITE));
	if (!(access & IB_ACCESS_REMOTE_ATOMIC))
		return 0;
	mode = mlx5_ib_atomic_mode(dev, false);
	if (mode < 0)
		return mode;
	MLX5_SET(qpc, qpc, rae, 1);
	MLX5_SET(qpc, qpc, atomic_mode, mode);
	return 0;
}

static void set_plain(const struct ib_qp_attr *attr, int attr_mask, void *qpc)
{
	if (attr_mask & IB_QP_DEST_QPN)
		MLX5_SET(qpc, qpc, remote_qpn, attr->dest_qp_num);
	if (attr_mask & IB_QP_RNR_RETRY)
		MLX5_SET(qpc, qpc, rnr_retry, attr->rnr_retry);
	if (attr_mask & IB_QP_RETRY_CNT)
		MLX5_SET(qpc, qpc, retry_count, attr->retry_cnt);
	if (attr_mask & IB_QP_MAX_QP_RD_ATOMIC && attr->max_rd_atomic)
		MLX5_SET(qpc, qpc, log_sra_max, fls(attr->max_rd_atomic - 1));
	if (attr_mask & IB_QP_MAX_DEST_RD_ATOMIC && attr->max_dest_rd_atomic)
		MLX5_SET(qpc, qpc, log_rra_max, fls(attr->max_dest_rd_atomic - 1));
	if (attr_mask & IB_QP_SQ_PSN)
		MLX5_SET(qpc, qpc, next_send_psn, attr->sq_psn);
	if (attr_mask & IB_QP_RQ_PSN)
		MLX5_SET(qpc, qpc, next_rcv_psn, attr->rq_psn);
	if (attr_mask & IB_QP_MIN_RNR_TIMER)
		MLX5_SET(qpc, qpc, min_rnr_nak, attr->min_rnr_timer);
	if (attr_mask & IB_QP_QKEY)
		MLX5_SET(qpc, qpc, q_key, attr->qkey);
}

static void name_queues(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp, void *qpc)
{
	struct mlx5_ib_cq *send_cq, *recv_cq;

	mlx5_ib_qp_cqs(qp, &send_cq, &recv_cq);
	MLX5_SET(qpc, qpc, pd, to_mpd(qp->ibqp.pd ?: dev->placeholders.pd)->pdn);
	if (send_cq)
		MLX5_SET(qpc, qpc, cqn_snd, send_cq->mcq.cqn);
	if (recv_cq)
		MLX5_SET(qpc, qpc, cqn_rcv, recv_cq->mcq.cqn);
}

static int fill(struct mlx5_ib_dev *dev, struct mlx5_ib_qp *qp, const struct ib_qp_attr *attr,
		int attr_mask, const struct mlx5_ib_transition *transition, void *qpc)
{
	int err;

	MLX5_SET(qpc, qpc, st, mlx5_ib_service_type(qp->type));
	MLX5_SET(qpc, qpc, pm_state, migration_state(attr, attr_mask));
	MLX5_SET(qpc, qpc, log_ack_req_freq, LOG_ACK_REQ_FREQ);
	set_sizes(dev, qp, attr, attr_mask, qpc);
	set_plain(attr, attr_mask, qpc);
	name_queues(dev, qp, qpc);
	if (qp->flags & MLX5_IB_QP_CREATE_SQPN_QP1)
		MLX5_SET(qpc, qpc, deth_sqpn, 1);
	if (transition->opcode == MLX5_CMD_OP_RST2INIT_QP) {
		MLX5_SET64(qpc, qpc, dbr_addr, qp->db.dma);
		MLX5_SET(qpc, qpc, rlky, !qp->ibqp.uobject);
		MLX5_SET(qpc, qpc, counter_set_id, mlx5_ib_counter_set(dev));
	}
	err = set_paths(dev, qp, attr, attr_mask, qpc);
	if (!err && attr_mask & (IB_QP_ACCESS_FLAGS | IB_QP_MAX_DEST_RD_ATOMIC))
		err = set_access(dev, qp, attr, attr_mask, qpc);
	return err;
}

static void remember(struct mlx5_ib_qp *qp, const struct ib_qp_attr *attr, int attr_mask,
		     enum ib_qp_state state)
{
	qp->state = state;
	if (attr_mask & IB_QP_ACCESS_FLAGS)
		qp->atomic_read_en = attr->qp_access_flags;
	if (attr_mask & IB_QP_MAX_DEST_RD_ATOMIC)
		qp->resp_depth = attr->max_dest_rd_atomic;
	if (attr_mask & IB_QP_PORT)
		WRITE_ONCE(qp->port, attr->port_num);
	if (attr_mask & IB_QP_ALT_PATH)
		WRITE_ONCE(qp->alt_port, attr->alt_port_num);
}

/* A queue pair of the kernel begins anew: nothing posted, nothing left to be polled. */
static void begin_anew(struct mlx5_ib_qp *qp)
{
	struct mlx5_ib_cq *send_cq, *recv_cq;

	if (!mlx5_ib_qp_has_kernel_queues(qp))
		return;
	mlx5_ib_qp_cqs(qp, &send_cq, &recv_cq);
	if (recv_cq)
		mlx5_ib_cq_clean(recv_cq, qp->qpn, qp->ibqp.srq ? to_msrq(qp->ibqp.srq) : NULL);
	if (send_cq && send_cq != recv_cq)
		mlx5_ib_cq_clean(send_cq, qp->qpn, NULL);
	qp->rq.head = 0;
	qp->rq.tail = 0;
	qp->sq.head = 0;
	qp->sq.tail = 0;
	qp->sq.next = 0;
	qp->sq.oldest = 0;
	qp->next_fence = 0;
	qp->db.db[MLX5_RCV_DBR] = 0;
	qp->db.db[MLX5_SND_DBR] = 0;
}

/* With @qp->mutex held. @ece: what was asked for, then what was agreed upon. */
static int change(struct mlx5_ib_qp *qp, const struct ib_qp_attr *attr, int attr_mask, u32 *ece)
{
	enum ib_qp_state from = attr_mask & IB_QP_CUR_STATE ? attr->cur_qp_state : qp->state;
	enum ib_qp_state to = attr_mask & IB_QP_STATE ? attr->qp_state : from;
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	struct mlx5_ib_transition transition;
	void *qpc;
	int err;

	if (!states_ok(qp, from, to, attr_mask))
		return -EINVAL;
	err = check_limits(dev, qp, attr, attr_mask);
	if (err || (from == IB_QPS_RESET && to == IB_QPS_RESET))
		return err;
	err = mlx5_ib_qp_transition(qp->type, from, to, attr_mask, &transition);
	if (err)
		return err;
	qpc = kzalloc(MLX5_ST_SZ_BYTES(qpc), GFP_KERNEL);
	if (!qpc)
		return -ENOMEM;
	err = fill(dev, qp, attr, attr_mask, &transition, qpc);
	if (!err)
		err = mlx5_ib_cmd_modify_qp(dev->mdev, qp->uid, qp->qpn, &transition, qpc, ece);
	kfree(qpc);
	if (err)
		return err;
	remember(qp, attr, attr_mask, to);
	if (to == IB_QPS_RESET)
		begin_anew(qp);
	return 0;
}

/* The driver's part of the request, which may be missing. */
static int copy_request(struct mlx5_ib_modify_qp *ucmd, struct ib_udata *udata)
{
	int err;

	if (!udata || !udata->inlen)
		return 0;
	if (udata->inlen < offsetofend(typeof(*ucmd), ece_options))
		return -EINVAL;
	if (udata->inlen > sizeof(*ucmd) &&
	    !ib_is_udata_cleared(udata, sizeof(*ucmd), udata->inlen - sizeof(*ucmd)))
		return -EOPNOTSUPP;
	err = ib_copy_from_udata(ucmd, udata, min(udata->inlen, sizeof(*ucmd)));
	if (err)
		return err;
	return ucmd->comp_mask || ucmd->burst_info.reserved ? -EOPNOTSUPP : 0;
}

static int respond(struct ib_udata *udata, u32 ece)
{
	struct mlx5_ib_modify_qp_resp resp = {
		.response_length = sizeof(resp),
		.ece_options = ece,
	};

	if (!udata || udata->outlen < sizeof(resp))
		return 0;
	return ib_copy_to_udata(udata, &resp, sizeof(resp));
}

int mlx5_ib_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int attr_mask,
		      struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(ibqp->device);
	struct mlx5_ib_qp *qp = to_mqp(ibqp);
	struct mlx5_ib_modify_qp ucmd = {};
	u32 ece;
	int err;

	/* Rates are for raw packets. */
	if (attr_mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	err = copy_request(&ucmd, udata);
	if (err)
		return err;
	if (qp->type == IB_QPT_GSI)
		return mlx5_ib_gsi_modify(qp, attr, attr_mask);
	if (qp->type == MLX5_IB_QPT_DCT)
		return mlx5_ib_dct_modify(qp, attr, attr_mask, &ucmd, udata);
	ece = MLX5_CAP_GEN(dev->mdev, ece_support) ? ucmd.ece_options : 0;
	mutex_lock(&qp->mutex);
	err = change(qp, attr, attr_mask, &ece);
	mutex_unlock(&qp->mutex);
	return err ?: respond(udata, ece);
}
