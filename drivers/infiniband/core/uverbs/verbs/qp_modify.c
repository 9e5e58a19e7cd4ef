// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs: how processes change them. Which transitions there are is a question to the driver;
 * here the ports that a request names must exist and agree with each other.
 */

#include <rdma/ib_mad.h>

#include "verbs.h"

/*
 * Going to RTR, a QP keeps the port it got on its way to INIT. In SQD it may move to another one,
 * and does so with its path even if the request doesn't name the port once more.
 */
static int check_path(const struct ib_qp *qp, struct ib_uverbs_modify_qp *cmd)
{
	u32 port_num = cmd->dest.port_num;

	if (!rdma_is_port_valid(qp->device, port_num))
		return -EINVAL;
	if (cmd->attr_mask & IB_QP_STATE && cmd->qp_state == IB_QPS_RTR)
		return port_num == qp->real_qp->port ? 0 : -EINVAL;
	if (cmd->attr_mask & IB_QP_PORT)
		return port_num == cmd->port_num ? 0 : -EINVAL;
	cmd->attr_mask |= IB_QP_PORT;
	cmd->port_num = port_num;
	return 0;
}

static bool alternate_path_is_valid(const struct ib_qp *qp, const struct ib_uverbs_modify_qp *cmd)
{
	return rdma_is_port_valid(qp->device, cmd->alt_port_num) &&
	       cmd->alt_port_num == cmd->alt_dest.port_num;
}

static int check(const struct ib_qp *qp, struct ib_uverbs_modify_qp *cmd)
{
	int ret;

	if (cmd->attr_mask & IB_QP_PORT && !rdma_is_port_valid(qp->device, cmd->port_num))
		return -EINVAL;
	if (cmd->attr_mask & IB_QP_AV) {
		ret = check_path(qp, cmd);
		if (ret)
			return ret;
	}
	if (cmd->attr_mask & IB_QP_ALT_PATH && !alternate_path_is_valid(qp, cmd))
		return -EINVAL;
	if (cmd->attr_mask & IB_QP_CUR_STATE && cmd->cur_qp_state > IB_QPS_ERR)
		return -EINVAL;
	if (cmd->attr_mask & IB_QP_STATE && cmd->qp_state > IB_QPS_ERR)
		return -EINVAL;
	/* Such keys are for managers (IBTA 10.2.5): the administrator decides who is one. */
	if (cmd->attr_mask & IB_QP_QKEY && cmd->qkey & IB_QP_SET_QKEY &&
	    !rdma_nl_get_privileged_qkey())
		return -EPERM;
	return 0;
}

static void get_dest(struct ib_device *device, struct rdma_ah_attr *attr,
		     const struct ib_uverbs_qp_dest *dest)
{
	attr->type = rdma_ah_find_type(device, dest->port_num);
	rdma_ah_set_port_num(attr, dest->port_num);
	rdma_ah_set_make_grd(attr, false);
	rdma_ah_set_dlid(attr, dest->dlid);
	rdma_ah_set_sl(attr, dest->sl);
	rdma_ah_set_path_bits(attr, dest->src_path_bits);
	rdma_ah_set_static_rate(attr, dest->static_rate);
	if (!dest->is_global)
		return;
	rdma_ah_set_grh(attr, NULL, dest->flow_label, dest->sgid_index, dest->hop_limit,
			dest->traffic_class);
	memcpy(attr->grh.dgid.raw, dest->dgid, sizeof(attr->grh.dgid));
}

/* What the mask doesn't name stays zero, whatever the request has there. */
static void get_attr(const struct ib_qp *qp, struct ib_qp_attr *attr,
		     const struct ib_uverbs_ex_modify_qp *cmd)
{
	u32 mask = cmd->base.attr_mask;

#define GET(bit, member) (mask & (bit) ? cmd->base.member : 0)
	attr->qp_state = GET(IB_QP_STATE, qp_state);
	attr->cur_qp_state = GET(IB_QP_CUR_STATE, cur_qp_state);
	attr->en_sqd_async_notify = GET(IB_QP_EN_SQD_ASYNC_NOTIFY, en_sqd_async_notify);
	attr->qp_access_flags = GET(IB_QP_ACCESS_FLAGS, qp_access_flags);
	attr->pkey_index = GET(IB_QP_PKEY_INDEX, pkey_index);
	attr->port_num = GET(IB_QP_PORT, port_num);
	attr->qkey = GET(IB_QP_QKEY, qkey);
	attr->path_mtu = GET(IB_QP_PATH_MTU, path_mtu);
	attr->timeout = GET(IB_QP_TIMEOUT, timeout);
	attr->retry_cnt = GET(IB_QP_RETRY_CNT, retry_cnt);
	attr->rnr_retry = GET(IB_QP_RNR_RETRY, rnr_retry);
	attr->rq_psn = GET(IB_QP_RQ_PSN, rq_psn);
	attr->max_rd_atomic = GET(IB_QP_MAX_QP_RD_ATOMIC, max_rd_atomic);
	attr->min_rnr_timer = GET(IB_QP_MIN_RNR_TIMER, min_rnr_timer);
	attr->sq_psn = GET(IB_QP_SQ_PSN, sq_psn);
	attr->max_dest_rd_atomic = GET(IB_QP_MAX_DEST_RD_ATOMIC, max_dest_rd_atomic);
	attr->path_mig_state = GET(IB_QP_PATH_MIG_STATE, path_mig_state);
	attr->dest_qp_num = GET(IB_QP_DEST_QPN, dest_qp_num);
	attr->alt_port_num = GET(IB_QP_ALT_PATH, alt_port_num);
	attr->alt_pkey_index = GET(IB_QP_ALT_PATH, alt_pkey_index);
	attr->alt_timeout = GET(IB_QP_ALT_PATH, alt_timeout);
#undef GET
	if (mask & IB_QP_RATE_LIMIT)
		attr->rate_limit = cmd->rate_limit;
	if (mask & IB_QP_AV)
		get_dest(qp->device, &attr->ah_attr, &cmd->base.dest);
	if (mask & IB_QP_ALT_PATH)
		get_dest(qp->device, &attr->alt_ah_attr, &cmd->base.alt_dest);
}

/* Programs set up either end of an XRC connection as they do an RC one. */
static u32 without_other_end(enum ib_qp_type type, u32 mask)
{
	switch (type) {
	case IB_QPT_XRC_INI:
		return mask & ~(IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER);
	case IB_QPT_XRC_TGT:
		return mask & ~(IB_QP_MAX_QP_RD_ATOMIC | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY);
	default:
		return mask;
	}
}

static int modify_qp(struct uverbs_attr_bundle *attrs, struct ib_uverbs_ex_modify_qp *cmd,
		     u32 known_mask)
{
	struct ib_qp_attr attr = {};
	struct ib_qp *qp;
	int ret;

	if (cmd->base.attr_mask & ~known_mask)
		return -EOPNOTSUPP;
	qp = uobj_get_obj_read(qp, UVERBS_OBJECT_QP, cmd->base.qp_handle, attrs);
	if (IS_ERR(qp))
		return PTR_ERR(qp);

	ret = check(qp, &cmd->base);
	if (!ret) {
		get_attr(qp, &attr, cmd);
		ret = ib_modify_qp_with_udata(qp, &attr,
					      without_other_end(qp->qp_type, cmd->base.attr_mask),
					      &attrs->driver_udata);
	}
	uverbs_put_queue(qp);
	return ret;
}

int uverbs_modify_qp(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_modify_qp cmd = {};
	int ret;

	ret = uverbs_request(attrs, &cmd.base, sizeof(cmd.base));
	return ret ?: modify_qp(attrs, &cmd, IB_QP_ATTR_STANDARD_BITS);
}

int uverbs_modify_qp_ex(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_modify_qp_resp resp = {
		.response_length = uverbs_response_length(attrs, sizeof(resp)),
	};
	struct ib_uverbs_ex_modify_qp cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (!ret)
		ret = modify_qp(attrs, &cmd, IB_QP_ATTR_STANDARD_BITS | IB_QP_RATE_LIMIT);
	if (ret)
		return ret;
	return uverbs_response(attrs, &resp, sizeof(resp));
}
