// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Shared receive queues: creation. Two write() commands, the second of which knows more kinds, and
 * an ioctl() method ask for the same thing.
 */

#include "verbs.h"

/*
 * What an SRQ shall be. Whoever fills it in holds @pd, @uxrcd and the CQ in @init for reading until
 * the SRQ has been created.
 */
struct srq_params {
	struct ib_srq_init_attr init;
	struct ib_pd *pd;
	struct ib_uxrcd_object *uxrcd; /* of an XRC one; the domain itself is in @init */
	u64 user_handle;
};

static int check_type(enum ib_srq_type type)
{
	switch (type) {
	case IB_SRQT_BASIC:
	case IB_SRQT_XRC:
	case IB_SRQT_TM:
		return 0;
	default:
		return -EINVAL;
	}
}

static void set_xrcd(struct srq_params *params, struct ib_uxrcd_object *uxrcd)
{
	params->uxrcd = uxrcd;
	params->init.ext.xrc.xrcd = uxrcd->uobject.object;
}

/* Takes over the reference to @async_file. */
static int create_srq(struct uverbs_attr_bundle *attrs, struct ib_usrq_object *usrq,
		      struct srq_params *params, struct uverbs_async_file *async_file)
{
	struct ib_srq *srq;

	/* From here on there may be events. */
	usrq->uevent.uobject.user_handle = params->user_handle;
	uverbs_uevent_init(&usrq->uevent, async_file);

	params->init.event_handler = uverbs_srq_event_handler;
	srq = ib_create_srq_user(params->pd, &params->init, usrq, &attrs->driver_udata);
	if (IS_ERR(srq)) {
		uverbs_uevent_release(&usrq->uevent);
		return PTR_ERR(srq);
	}
	usrq->uxrcd = params->uxrcd;
	if (usrq->uxrcd)
		atomic_inc(&usrq->uxrcd->refcnt);
	usrq->uevent.uobject.object = srq;
	return 0;
}

/* write() */

static int look_up_objects(struct uverbs_attr_bundle *attrs,
			   const struct ib_uverbs_create_xsrq *cmd, struct srq_params *params)
{
	struct ib_uxrcd_object *uxrcd;
	int ret = 0;

	if (params->init.srq_type == IB_SRQT_XRC) {
		uxrcd = uverbs_look_up_xrcd(attrs, cmd->xrcd_handle);
		if (!uxrcd)
			return -EINVAL;
		set_xrcd(params, uxrcd);
	}
	if (ib_srq_has_cq(params->init.srq_type))
		ret = uverbs_look_up(params->init.ext.cq, cq, UVERBS_OBJECT_CQ, cmd->cq_handle,
				     attrs);
	if (!ret)
		ret = uverbs_look_up(params->pd, pd, UVERBS_OBJECT_PD, cmd->pd_handle, attrs);
	return ret;
}

static void put_objects(struct srq_params *params)
{
	if (params->pd)
		uobj_put_obj_read(params->pd);
	if (params->init.ext.cq)
		uverbs_put_queue(params->init.ext.cq);
	if (params->uxrcd)
		uobj_put_read(&params->uxrcd->uobject);
}

static int write_respond(struct uverbs_attr_bundle *attrs, const struct ib_usrq_object *usrq,
			 const struct ib_srq_attr *attr)
{
	const struct ib_srq *srq = usrq->uevent.uobject.object;
	struct ib_uverbs_create_srq_resp resp = {
		.srq_handle = usrq->uevent.uobject.id,
		.max_wr = attr->max_wr,
		.max_sge = attr->max_sge,
		.srqn = usrq->uxrcd ? srq->ext.xrc.srq_num : 0,
	};

	return uverbs_response(attrs, &resp, sizeof(resp));
}

static int write_create_srq(struct uverbs_attr_bundle *attrs,
			    const struct ib_uverbs_create_xsrq *cmd)
{
	struct srq_params params = {
		.user_handle = cmd->user_handle,
		.init = {
			.srq_type = cmd->srq_type,
			.attr = {
				.max_wr = cmd->max_wr,
				.max_sge = cmd->max_sge,
				.srq_limit = cmd->srq_limit,
			},
		},
	};
	struct ib_usrq_object *usrq;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int ret;

	ret = check_type(cmd->srq_type);
	if (ret)
		return ret;
	if (cmd->srq_type == IB_SRQT_TM)
		params.init.ext.tag_matching.max_num_tags = cmd->max_num_tags;
	uobj = uobj_alloc(UVERBS_OBJECT_SRQ, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	usrq = container_of(uobj, struct ib_usrq_object, uevent.uobject);

	ret = look_up_objects(attrs, cmd, &params);
	if (!ret)
		ret = create_srq(attrs, usrq, &params,
				 uverbs_default_async_file_get(attrs->ufile));
	put_objects(&params);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		return ret;
	}
	uobj_finalize_uobj_create(uobj, attrs);
	return write_respond(attrs, usrq, &params.init.attr);
}

int uverbs_create_srq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_create_srq cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	return write_create_srq(attrs, &(const struct ib_uverbs_create_xsrq){
		.srq_type = IB_SRQT_BASIC,
		.user_handle = cmd.user_handle,
		.pd_handle = cmd.pd_handle,
		.max_wr = cmd.max_wr,
		.max_sge = cmd.max_sge,
		.srq_limit = cmd.srq_limit,
	});
}

int uverbs_create_xsrq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_create_xsrq cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	return ret ?: write_create_srq(attrs, &cmd);
}

/* ioctl() */

static int get_scalars(struct uverbs_attr_bundle *attrs, struct srq_params *params)
{
	struct ib_srq_attr *attr = &params->init.attr;
	int ret;

	ret = uverbs_copy_from(&attr->max_wr, attrs, UVERBS_ATTR_CREATE_SRQ_MAX_WR);
	if (!ret)
		ret = uverbs_copy_from(&attr->max_sge, attrs, UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
	if (!ret)
		ret = uverbs_copy_from(&attr->srq_limit, attrs, UVERBS_ATTR_CREATE_SRQ_LIMIT);
	if (!ret)
		ret = uverbs_copy_from(&params->user_handle, attrs,
				       UVERBS_ATTR_CREATE_SRQ_USER_HANDLE);
	if (!ret)
		ret = uverbs_get_const(&params->init.srq_type, attrs,
				       UVERBS_ATTR_CREATE_SRQ_TYPE);
	if (ret)
		return ret;
	return check_type(params->init.srq_type);
}

/* What a kind of SRQ has beside others must be given. */
static int get_extension(struct uverbs_attr_bundle *attrs, struct srq_params *params)
{
	struct ib_srq_init_attr *init = &params->init;
	struct ib_uobject *xrcd;

	if (ib_srq_has_cq(init->srq_type)) {
		init->ext.cq = uverbs_attr_get_obj(attrs, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE);
		if (IS_ERR(init->ext.cq))
			return PTR_ERR(init->ext.cq);
	}
	if (init->srq_type == IB_SRQT_TM)
		return uverbs_copy_from(&init->ext.tag_matching.max_num_tags, attrs,
					UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS);
	if (init->srq_type == IB_SRQT_XRC) {
		xrcd = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE);
		if (IS_ERR(xrcd))
			return PTR_ERR(xrcd);
		set_xrcd(params, container_of(xrcd, struct ib_uxrcd_object, uobject));
	}
	return 0;
}

static int respond(struct uverbs_attr_bundle *attrs, const struct ib_usrq_object *usrq,
		   const struct ib_srq_attr *attr)
{
	const struct ib_srq *srq = usrq->uevent.uobject.object;
	int ret;

	ret = uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &attr->max_wr,
			     sizeof(attr->max_wr));
	if (!ret)
		ret = uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &attr->max_sge,
				     sizeof(attr->max_sge));
	if (!ret && usrq->uxrcd)
		ret = uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM,
				     &srq->ext.xrc.srq_num, sizeof(srq->ext.xrc.srq_num));
	return ret;
}

int UVERBS_HANDLER(UVERBS_METHOD_SRQ_CREATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_usrq_object *usrq =
		container_of(uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_SRQ_HANDLE),
			     struct ib_usrq_object, uevent.uobject);
	struct srq_params params = {
		.pd = uverbs_attr_get_obj(attrs, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE),
	};
	int ret;

	ret = get_scalars(attrs, &params);
	if (!ret)
		ret = get_extension(attrs, &params);
	if (!ret)
		ret = create_srq(attrs, usrq, &params,
				 uverbs_async_file_get(attrs, UVERBS_ATTR_CREATE_SRQ_EVENT_FD));
	if (ret)
		return ret;
	uverbs_finalize_uobj_create(attrs, UVERBS_ATTR_CREATE_SRQ_HANDLE);
	return respond(attrs, usrq, &params.init.attr);
}
