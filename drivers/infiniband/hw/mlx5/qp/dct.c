// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * DC targets. One is but a command in memory until it becomes ready to receive: then the device
 * makes it and gives it its number, which the process gets as the answer to that modification.
 */
#include "qp.h"

static void *context_of(struct mlx5_ib_qp *qp)
{
	return MLX5_ADDR_OF(create_dct_in, qp->dct_in, dct_context_entry);
}

int mlx5_ib_dct_create(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params)
{
	const struct mlx5_ib_create_qp *ucmd = &params->ucmd;
	struct ib_qp_init_attr *attr = params->attr;
	void *dctc;

	qp->dct_in = kzalloc(MLX5_ST_SZ_BYTES(create_dct_in), GFP_KERNEL);
	if (!qp->dct_in)
		return -ENOMEM;
	MLX5_SET(create_dct_in, qp->dct_in, uid, qp->uid);
	dctc = context_of(qp);
	MLX5_SET(dctc, dctc, pd, to_mpd(qp->ibqp.pd)->pdn);
	MLX5_SET(dctc, dctc, srqn_xrqn, to_msrq(attr->srq)->srqn);
	MLX5_SET(dctc, dctc, cqn, to_mcq(attr->recv_cq)->mcq.cqn);
	MLX5_SET64(dctc, dctc, dc_access_key, ucmd->access_key);
	MLX5_SET(dctc, dctc, user_index, params->uidx);
	if (MLX5_CAP_GEN(to_mdev(qp->ibqp.device)->mdev, ece_support))
		MLX5_SET(dctc, dctc, ece, ucmd->ece_options);
	return 0;
}

static int to_init(struct mlx5_ib_qp *qp, const struct ib_qp_attr *attr)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	void *dctc = context_of(qp);
	int mode;

	if (!rdma_is_port_valid(&dev->ib_dev, attr->port_num) ||
	    attr->pkey_index >= dev->pkey_table_len)
		return -EINVAL;
	if (attr->qp_access_flags & IB_ACCESS_REMOTE_ATOMIC) {
		mode = mlx5_ib_atomic_mode(dev, true);
		if (mode < 0)
			return mode;
		MLX5_SET(dctc, dctc, atomic_mode, mode);
		MLX5_SET(dctc, dctc, rae, 1);
	}
	MLX5_SET(dctc, dctc, rre, !!(attr->qp_access_flags & IB_ACCESS_REMOTE_READ));
	MLX5_SET(dctc, dctc, rwe, !!(attr->qp_access_flags & IB_ACCESS_REMOTE_WRITE));
	MLX5_SET(dctc, dctc, pkey_index, attr->pkey_index);
	MLX5_SET(dctc, dctc, port, attr->port_num);
	MLX5_SET(dctc, dctc, counter_set_id, mlx5_ib_counter_set(dev));
	qp->port = attr->port_num;
	return 0;
}

static int unmake(struct mlx5_ib_qp *qp)
{
	return mlx5_ib_dct_remove(to_mdev(qp->ibqp.device), qp->uid, qp->qpn, &qp->dct);
}

static int make(struct mlx5_ib_qp *qp, u32 *ece)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	int err;

	err = mlx5_ib_cmd_create_dct(dev->mdev, qp->dct_in, &qp->qpn, ece);
	if (err)
		return err;
	err = mlx5_ib_dct_add(dev, qp->qpn, &qp->dct);
	if (err)
		mlx5_ib_cmd_destroy_dct(dev->mdev, qp->uid, qp->qpn);
	return err;
}

static int to_rtr(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, struct ib_udata *udata)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(&attr->ah_attr);
	struct mlx5_ib_modify_qp_resp resp = {};
	void *dctc = context_of(qp);
	int err;

	if (udata->outlen < offsetofend(typeof(resp), dctn) ||
	    attr->path_mtu < IB_MTU_256 || attr->path_mtu > IB_MTU_4096)
		return -EINVAL;
	MLX5_SET(dctc, dctc, min_rnr_nak, attr->min_rnr_timer);
	MLX5_SET(dctc, dctc, mtu, attr->path_mtu);
	MLX5_SET(dctc, dctc, tclass, grh->traffic_class);
	MLX5_SET(dctc, dctc, flow_label, grh->flow_label);
	MLX5_SET(dctc, dctc, my_addr_index, grh->sgid_index);
	MLX5_SET(dctc, dctc, hop_limit, grh->hop_limit);
	err = make(qp, &resp.ece_options);
	if (err)
		return err;
	resp.dctn = qp->qpn;
	resp.response_length = udata->outlen < sizeof(resp) ? offsetofend(typeof(resp), dctn) :
							      sizeof(resp);
	err = ib_copy_to_udata(udata, &resp, resp.response_length);
	/*
	 * Without its number it's of no use. A device that refuses to take it back keeps it for us.
	 */
	if (err && unmake(qp))
		qp->state = IB_QPS_RTR;
	return err;
}

int mlx5_ib_dct_modify(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask,
		       const struct mlx5_ib_modify_qp *ucmd, struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(qp->ibqp.device);
	int err;

	if (!(attr_mask & IB_QP_STATE) || !udata)
		return -EINVAL;
	mutex_lock(&qp->mutex);
	if (!mlx5_ib_dct_modify_ok(qp->state, attr->qp_state, attr_mask)) {
		err = -EINVAL;
		goto out;
	}
	if (ucmd->ece_options && MLX5_CAP_GEN(dev->mdev, ece_support))
		MLX5_SET(dctc, context_of(qp), ece, ucmd->ece_options);
	err = attr->qp_state == IB_QPS_INIT ? to_init(qp, attr) : to_rtr(qp, attr, udata);
	if (!err)
		qp->state = attr->qp_state;
out:
	mutex_unlock(&qp->mutex);
	return err;
}

static void tell(struct mlx5_ib_qp *qp, const void *dctc, struct ib_qp_attr *attr)
{
	struct ib_global_route *grh = &attr->ah_attr.grh;

	attr->qp_state = IB_QPS_RTR;
	attr->cur_qp_state = IB_QPS_RTR;
	attr->port_num = qp->port;
	if (MLX5_GET(dctc, dctc, rre))
		attr->qp_access_flags |= IB_ACCESS_REMOTE_READ;
	if (MLX5_GET(dctc, dctc, rwe))
		attr->qp_access_flags |= IB_ACCESS_REMOTE_WRITE;
	if (MLX5_GET(dctc, dctc, rae))
		attr->qp_access_flags |= IB_ACCESS_REMOTE_ATOMIC;
	attr->min_rnr_timer = MLX5_GET(dctc, dctc, min_rnr_nak);
	attr->path_mtu = MLX5_GET(dctc, dctc, mtu);
	attr->pkey_index = MLX5_GET(dctc, dctc, pkey_index);
	grh->traffic_class = MLX5_GET(dctc, dctc, tclass);
	grh->flow_label = MLX5_GET(dctc, dctc, flow_label);
	grh->sgid_index = MLX5_GET(dctc, dctc, my_addr_index);
	grh->hop_limit = MLX5_GET(dctc, dctc, hop_limit);
}

int mlx5_ib_dct_query(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask,
		      struct ib_qp_init_attr *init_attr)
{
	u32 *out = kzalloc(MLX5_ST_SZ_BYTES(query_dct_out), GFP_KERNEL);
	int err = -EINVAL;

	if (!out)
		return -ENOMEM;
	memset(attr, 0, sizeof(*attr));
	memset(init_attr, 0, sizeof(*init_attr));
	mutex_lock(&qp->mutex);
	if (mlx5_ib_dct_query_ok(qp->state, attr_mask))
		err = mlx5_ib_cmd_query_dct(to_mdev(qp->ibqp.device)->mdev, qp->qpn, out);
	if (!err)
		tell(qp, MLX5_ADDR_OF(query_dct_out, out, dct_context_entry), attr);
	mutex_unlock(&qp->mutex);
	kfree(out);
	return err;
}

int mlx5_ib_dct_destroy(struct mlx5_ib_qp *qp)
{
	int err = qp->state == IB_QPS_RTR ? unmake(qp) : 0;

	if (!err)
		kfree(qp->dct_in);
	return err;
}
