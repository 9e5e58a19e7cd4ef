// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: what they are like. */

#include "verbs.h"

static void fill_dest(struct ib_uverbs_qp_dest *dest, const struct rdma_ah_attr *attr)
{
	dest->dlid = rdma_ah_get_dlid(attr);
	dest->sl = rdma_ah_get_sl(attr);
	dest->src_path_bits = rdma_ah_get_path_bits(attr);
	dest->static_rate = rdma_ah_get_static_rate(attr);
	dest->port_num = rdma_ah_get_port_num(attr);
	if (!(rdma_ah_get_ah_flags(attr) & IB_AH_GRH))
		return;
	dest->is_global = 1;
	memcpy(dest->dgid, attr->grh.dgid.raw, sizeof(dest->dgid));
	dest->flow_label = attr->grh.flow_label;
	dest->sgid_index = attr->grh.sgid_index;
	dest->hop_limit = attr->grh.hop_limit;
	dest->traffic_class = attr->grh.traffic_class;
}

static void fill_attr(struct ib_uverbs_query_qp_resp *resp, const struct ib_qp_attr *attr)
{
	fill_dest(&resp->dest, &attr->ah_attr);
	fill_dest(&resp->alt_dest, &attr->alt_ah_attr);
	resp->qp_state = attr->qp_state;
	resp->cur_qp_state = attr->cur_qp_state;
	resp->sq_draining = attr->sq_draining;
	resp->qp_access_flags = attr->qp_access_flags;
	resp->qkey = attr->qkey;
	resp->path_mtu = attr->path_mtu;
	resp->path_mig_state = attr->path_mig_state;
	resp->dest_qp_num = attr->dest_qp_num;
	resp->rq_psn = attr->rq_psn;
	resp->sq_psn = attr->sq_psn;
	resp->port_num = attr->port_num;
	resp->pkey_index = attr->pkey_index;
	resp->timeout = attr->timeout;
	resp->alt_port_num = attr->alt_port_num;
	resp->alt_pkey_index = attr->alt_pkey_index;
	resp->alt_timeout = attr->alt_timeout;
	resp->retry_cnt = attr->retry_cnt;
	resp->rnr_retry = attr->rnr_retry;
	resp->min_rnr_timer = attr->min_rnr_timer;
	resp->max_rd_atomic = attr->max_rd_atomic;
	resp->max_dest_rd_atomic = attr->max_dest_rd_atomic;
}

static void fill_init_attr(struct ib_uverbs_query_qp_resp *resp,
			   const struct ib_qp_init_attr *init)
{
	resp->max_send_wr = init->cap.max_send_wr;
	resp->max_recv_wr = init->cap.max_recv_wr;
	resp->max_send_sge = init->cap.max_send_sge;
	resp->max_recv_sge = init->cap.max_recv_sge;
	resp->max_inline_data = init->cap.max_inline_data;
	resp->sq_sig_all = init->sq_sig_type == IB_SIGNAL_ALL_WR;
}

int uverbs_query_qp(struct uverbs_attr_bundle *attrs)
{
	/* What the driver doesn't know is zero, not what the stack held before. */
	struct ib_uverbs_query_qp_resp resp = {};
	struct ib_qp_init_attr init_attr = {};
	struct ib_qp_attr attr = {};
	struct ib_uverbs_query_qp cmd;
	struct ib_qp *qp;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	qp = uobj_get_obj_read(qp, UVERBS_OBJECT_QP, cmd.qp_handle, attrs);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	ret = ib_query_qp(qp, &attr, cmd.attr_mask, &init_attr);
	uverbs_put_queue(qp);
	if (ret)
		return ret;

	fill_attr(&resp, &attr);
	fill_init_attr(&resp, &init_attr);
	return uverbs_response(attrs, &resp, sizeof(resp));
}
