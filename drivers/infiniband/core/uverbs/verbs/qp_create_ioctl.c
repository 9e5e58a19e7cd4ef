// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: creation by ioctl(). */

#include "qp.h"

#define RAW_PACKET_FLAGS (IB_UVERBS_QP_CREATE_SCATTER_FCS | IB_UVERBS_QP_CREATE_CVLAN_STRIPPING)
#define CREATE_FLAGS                                                                 \
	(RAW_PACKET_FLAGS | IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK |           \
	 IB_UVERBS_QP_CREATE_PCI_WRITE_END_PADDING)

/* Of a driver's own types the driver knows. */
static bool flags_suit_type(u32 flags, enum ib_qp_type type)
{
	switch (type) {
	case IB_QPT_DRIVER:
	case IB_QPT_RESERVED3 ... IB_QPT_RESERVED10:
	case IB_QPT_RAW_PACKET:
		return true;
	case IB_QPT_UD:
		return !(flags & RAW_PACKET_FLAGS);
	default:
		return !flags;
	}
}

static int get_flags(struct uverbs_attr_bundle *attrs, struct ib_qp_init_attr *init)
{
	u32 flags, source_qpn;
	int ret;

	ret = uverbs_get_flags32(&flags, attrs, UVERBS_ATTR_CREATE_QP_FLAGS,
				 CREATE_FLAGS | IB_UVERBS_QP_CREATE_SQ_SIG_ALL);
	if (ret)
		return ret;
	/* This one is no driver's; it saves an attribute. */
	init->sq_sig_type = flags & IB_UVERBS_QP_CREATE_SQ_SIG_ALL ? IB_SIGNAL_ALL_WR :
								     IB_SIGNAL_REQ_WR;
	init->create_flags = flags & CREATE_FLAGS;
	if (!flags_suit_type(init->create_flags, init->qp_type))
		return -EINVAL;

	if (!uverbs_attr_is_valid(attrs, UVERBS_ATTR_CREATE_QP_SOURCE_QPN))
		return 0;
	ret = uverbs_copy_from(&source_qpn, attrs, UVERBS_ATTR_CREATE_QP_SOURCE_QPN);
	return ret ?: uverbs_qp_set_source(init, source_qpn);
}

static int get_scalars(struct uverbs_attr_bundle *attrs, struct uverbs_qp_params *params)
{
	struct ib_uverbs_qp_cap cap;
	int ret;

	ret = uverbs_copy_from_or_zero(&cap, attrs, UVERBS_ATTR_CREATE_QP_CAP);
	if (!ret)
		ret = uverbs_copy_from(&params->user_handle, attrs,
				       UVERBS_ATTR_CREATE_QP_USER_HANDLE);
	if (!ret)
		ret = uverbs_get_const(&params->init.qp_type, attrs, UVERBS_ATTR_CREATE_QP_TYPE);
	if (ret)
		return ret;
	params->init.cap.max_send_wr = cap.max_send_wr;
	params->init.cap.max_recv_wr = cap.max_recv_wr;
	params->init.cap.max_send_sge = cap.max_send_sge;
	params->init.cap.max_recv_sge = cap.max_recv_sge;
	params->init.cap.max_inline_data = cap.max_inline_data;
	return 0;
}

static void *optional_object(struct uverbs_attr_bundle *attrs, u16 attr_id)
{
	void *object = uverbs_attr_get_obj(attrs, attr_id);

	return IS_ERR(object) ? NULL : object;
}

/* An XRC target's SRQ is named by each message that comes; one that is given here means nothing. */
static int get_target_objects(struct uverbs_attr_bundle *attrs, struct uverbs_qp_params *params)
{
	struct ib_srq *srq = optional_object(attrs, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE);
	struct ib_uobject *xrcd =
		uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE);

	if (uverbs_attr_is_valid(attrs, UVERBS_ATTR_CREATE_QP_PD_HANDLE) ||
	    uverbs_attr_is_valid(attrs, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE) ||
	    uverbs_attr_is_valid(attrs, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE) ||
	    uverbs_attr_is_valid(attrs, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE))
		return -EINVAL;
	if (IS_ERR(xrcd))
		return PTR_ERR(xrcd);
	if (srq && srq->srq_type != IB_SRQT_XRC)
		return -EINVAL;
	params->uxrcd = container_of(xrcd, struct ib_uxrcd_object, uobject);
	params->init.xrcd = xrcd->object;
	return 0;
}

static int get_objects(struct uverbs_attr_bundle *attrs, struct uverbs_qp_params *params)
{
	struct ib_qp_init_attr *init = &params->init;

	if (init->qp_type == IB_QPT_XRC_TGT)
		return get_target_objects(attrs, params);

	if (uverbs_attr_is_valid(attrs, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE))
		return -EINVAL;
	init->srq = optional_object(attrs, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE);
	if (init->srq && init->qp_type == IB_QPT_XRC_INI)
		return -EINVAL;
	params->pd = uverbs_attr_get_obj(attrs, UVERBS_ATTR_CREATE_QP_PD_HANDLE);
	if (IS_ERR(params->pd))
		return PTR_ERR(params->pd);

	init->rwq_ind_tbl = optional_object(attrs, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE);
	if (init->rwq_ind_tbl &&
	    uverbs_attr_is_valid(attrs, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE))
		return -EINVAL;
	if (uverbs_qp_sends(init))
		init->send_cq = uverbs_attr_get_obj(attrs, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE);
	if (IS_ERR(init->send_cq))
		return PTR_ERR(init->send_cq);
	if (uverbs_qp_has_recv_cq(init))
		init->recv_cq = uverbs_attr_get_obj(attrs, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
	return PTR_ERR_OR_ZERO(init->recv_cq);
}

static int respond(struct uverbs_attr_bundle *attrs, const struct ib_qp *qp,
		   const struct ib_qp_cap *cap)
{
	struct ib_uverbs_qp_cap resp = {
		.max_send_wr = cap->max_send_wr,
		.max_recv_wr = cap->max_recv_wr,
		.max_send_sge = cap->max_send_sge,
		.max_recv_sge = cap->max_recv_sge,
		.max_inline_data = cap->max_inline_data,
	};
	int ret;

	ret = uverbs_copy_to_struct_or_zero(attrs, UVERBS_ATTR_CREATE_QP_RESP_CAP, &resp,
					    sizeof(resp));
	if (ret)
		return ret;
	return uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &qp->qp_num,
			      sizeof(qp->qp_num));
}

int UVERBS_HANDLER(UVERBS_METHOD_QP_CREATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uqp_object *uqp =
		container_of(uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_QP_HANDLE),
			     struct ib_uqp_object, uevent.uobject);
	struct uverbs_qp_params params = {};
	int ret;

	ret = get_scalars(attrs, &params);
	if (!ret)
		ret = uverbs_qp_check_type(attrs, params.init.qp_type);
	if (!ret)
		ret = get_objects(attrs, &params);
	if (!ret)
		ret = get_flags(attrs, &params.init);
	if (!ret)
		ret = uverbs_qp_create(attrs, uqp, &params,
				       uverbs_async_file_get(attrs,
							     UVERBS_ATTR_CREATE_QP_EVENT_FD));
	if (ret)
		return ret;
	uverbs_finalize_uobj_create(attrs, UVERBS_ATTR_CREATE_QP_HANDLE);
	return respond(attrs, uqp->uevent.uobject.object, &params.init.cap);
}
