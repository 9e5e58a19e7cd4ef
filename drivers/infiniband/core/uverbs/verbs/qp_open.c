// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: opening an XRC target QP that another process, or this one, has created. */

#include "verbs.h"

static int open_qp(struct uverbs_attr_bundle *attrs, struct ib_uqp_object *uqp,
		   const struct ib_uverbs_open_qp *cmd)
{
	struct ib_qp_open_attr attr = {
		.event_handler = uverbs_qp_event_handler,
		.qp_num = cmd->qpn,
		.qp_type = cmd->qp_type,
	};
	struct ib_uxrcd_object *uxrcd;
	struct ib_qp *qp;

	uxrcd = uverbs_look_up_xrcd(attrs, cmd->pd_handle);
	if (!uxrcd)
		return -EINVAL;
	qp = ib_open_qp(uxrcd->uobject.object, &attr);
	if (!IS_ERR(qp)) {
		atomic_inc(&uxrcd->refcnt);
		uqp->uxrcd = uxrcd;
		uqp->uevent.uobject.object = qp;
		qp->uobject = uqp;
	}
	uobj_put_read(&uxrcd->uobject);
	return PTR_ERR_OR_ZERO(qp);
}

/* Its events are for the creator alone, so nobody listens here. */
static void init_uqp(struct ib_uqp_object *uqp, u64 user_handle)
{
	uqp->uevent.uobject.user_handle = user_handle;
	uverbs_uevent_init(&uqp->uevent, NULL);
	mutex_init(&uqp->mcast_lock);
	INIT_LIST_HEAD(&uqp->mcasts);
}

int uverbs_open_qp(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_create_qp_resp resp = {};
	struct ib_uverbs_open_qp cmd;
	struct ib_uqp_object *uqp;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	uobj = uobj_alloc(UVERBS_OBJECT_QP, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);

	uqp = container_of(uobj, struct ib_uqp_object, uevent.uobject);
	init_uqp(uqp, cmd.user_handle);
	ret = open_qp(attrs, uqp, &cmd);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		return ret;
	}
	uobj_finalize_uobj_create(uobj, attrs);
	resp.qp_handle = uobj->id;
	resp.qpn = cmd.qpn;
	return uverbs_response(attrs, &resp, sizeof(resp));
}
