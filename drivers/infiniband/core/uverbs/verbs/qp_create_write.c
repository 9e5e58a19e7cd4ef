// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: creation by write(), by the first command and by its extension. */

#include "qp.h"

#define CREATE_FLAGS                                                             \
	(IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK | IB_QP_CREATE_CROSS_CHANNEL |    \
	 IB_QP_CREATE_MANAGED_SEND | IB_QP_CREATE_MANAGED_RECV |                 \
	 IB_QP_CREATE_SCATTER_FCS | IB_QP_CREATE_CVLAN_STRIPPING |               \
	 IB_QP_CREATE_SOURCE_QPN | IB_QP_CREATE_PCI_WRITE_END_PADDING)

static int get_flags(const struct ib_uverbs_ex_create_qp *cmd, struct ib_qp_init_attr *init)
{
	if (cmd->create_flags & ~CREATE_FLAGS)
		return -EINVAL;
	init->create_flags = cmd->create_flags;
	if (!(init->create_flags & IB_QP_CREATE_SOURCE_QPN))
		return 0;
	return uverbs_qp_set_source(init, cmd->source_qpn);
}

static int look_up_target_objects(struct uverbs_attr_bundle *attrs,
				  const struct ib_uverbs_ex_create_qp *cmd,
				  struct uverbs_qp_params *params)
{
	/* It belongs to its domain, as others do to a PD. */
	params->uxrcd = uverbs_look_up_xrcd(attrs, cmd->pd_handle);
	if (!params->uxrcd)
		return -EINVAL;
	params->init.xrcd = params->uxrcd->uobject.object;
	return 0;
}

static int look_up_objects(struct uverbs_attr_bundle *attrs,
			   const struct ib_uverbs_ex_create_qp *cmd,
			   struct uverbs_qp_params *params)
{
	bool has_table = cmd->comp_mask & IB_UVERBS_CREATE_QP_MASK_IND_TABLE;
	struct ib_qp_init_attr *init = &params->init;
	int ret = 0;

	if (cmd->qp_type == IB_QPT_XRC_TGT)
		return has_table ? -EINVAL : look_up_target_objects(attrs, cmd, params);

	if (has_table)
		ret = uverbs_look_up(init->rwq_ind_tbl, rwq_ind_table, UVERBS_OBJECT_RWQ_IND_TBL,
				     cmd->rwq_ind_tbl_handle, attrs);
	if (!ret && cmd->is_srq && cmd->qp_type != IB_QPT_XRC_INI)
		ret = uverbs_look_up(init->srq, srq, UVERBS_OBJECT_SRQ, cmd->srq_handle, attrs);
	if (!ret && uverbs_qp_has_recv_cq(init))
		ret = uverbs_look_up(init->recv_cq, cq, UVERBS_OBJECT_CQ, cmd->recv_cq_handle,
				     attrs);
	if (!ret && uverbs_qp_sends(init))
		ret = uverbs_look_up(init->send_cq, cq, UVERBS_OBJECT_CQ, cmd->send_cq_handle,
				     attrs);
	if (!ret)
		ret = uverbs_look_up(params->pd, pd, UVERBS_OBJECT_PD, cmd->pd_handle, attrs);
	return ret;
}

static void put_objects(struct uverbs_qp_params *params)
{
	struct ib_qp_init_attr *init = &params->init;

	if (params->uxrcd)
		uobj_put_read(&params->uxrcd->uobject);
	if (params->pd)
		uobj_put_obj_read(params->pd);
	if (init->send_cq)
		uverbs_put_queue(init->send_cq);
	if (init->recv_cq)
		uverbs_put_queue(init->recv_cq);
	if (init->srq)
		uverbs_put_queue(init->srq);
	if (init->rwq_ind_tbl)
		uobj_put_obj_read(init->rwq_ind_tbl);
}

static int respond(struct uverbs_attr_bundle *attrs, const struct ib_uqp_object *uqp,
		   const struct ib_qp_cap *cap)
{
	const struct ib_qp *qp = uqp->uevent.uobject.object;
	/* The first command's response is the beginning of its extension's. */
	struct ib_uverbs_ex_create_qp_resp resp = {
		.base = {
			.qp_handle = uqp->uevent.uobject.id,
			.qpn = qp->qp_num,
			.max_send_wr = cap->max_send_wr,
			.max_recv_wr = cap->max_recv_wr,
			.max_send_sge = cap->max_send_sge,
			.max_recv_sge = cap->max_recv_sge,
			.max_inline_data = cap->max_inline_data,
		},
		.response_length = uverbs_response_length(attrs, sizeof(resp)),
	};

	return uverbs_response(attrs, &resp, sizeof(resp));
}

static int create_qp(struct uverbs_attr_bundle *attrs, const struct ib_uverbs_ex_create_qp *cmd)
{
	struct uverbs_qp_params params = {
		.user_handle = cmd->user_handle,
		.init = {
			.qp_type = cmd->qp_type,
			.sq_sig_type = cmd->sq_sig_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR,
			.cap = {
				.max_send_wr = cmd->max_send_wr,
				.max_recv_wr = cmd->max_recv_wr,
				.max_send_sge = cmd->max_send_sge,
				.max_recv_sge = cmd->max_recv_sge,
				.max_inline_data = cmd->max_inline_data,
			},
		},
	};
	struct ib_uqp_object *uqp;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int ret;

	ret = uverbs_qp_check_type(attrs, cmd->qp_type);
	if (ret)
		return ret;
	uobj = uobj_alloc(UVERBS_OBJECT_QP, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	uqp = container_of(uobj, struct ib_uqp_object, uevent.uobject);

	ret = look_up_objects(attrs, cmd, &params);
	if (!ret)
		ret = get_flags(cmd, &params.init);
	if (!ret)
		ret = uverbs_qp_create(attrs, uqp, &params,
				       uverbs_default_async_file_get(attrs->ufile));
	put_objects(&params);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		return ret;
	}
	uobj_finalize_uobj_create(uobj, attrs);
	return respond(attrs, uqp, &params.init.cap);
}

int uverbs_create_qp(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_create_qp cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	return create_qp(attrs, &(const struct ib_uverbs_ex_create_qp){
		.user_handle = cmd.user_handle,
		.pd_handle = cmd.pd_handle,
		.send_cq_handle = cmd.send_cq_handle,
		.recv_cq_handle = cmd.recv_cq_handle,
		.srq_handle = cmd.srq_handle,
		.max_send_wr = cmd.max_send_wr,
		.max_recv_wr = cmd.max_recv_wr,
		.max_send_sge = cmd.max_send_sge,
		.max_recv_sge = cmd.max_recv_sge,
		.max_inline_data = cmd.max_inline_data,
		.sq_sig_all = cmd.sq_sig_all,
		.qp_type = cmd.qp_type,
		.is_srq = cmd.is_srq,
	});
}

int uverbs_create_qp_ex(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_create_qp cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	if (cmd.comp_mask & ~IB_UVERBS_CREATE_QP_SUP_COMP_MASK || cmd.reserved)
		return -EINVAL;
	return create_qp(attrs, &cmd);
}
