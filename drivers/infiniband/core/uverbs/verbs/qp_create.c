// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs: creation. Two write() commands and an ioctl() method ask for the same thing, parsed
 * in files of their own.
 */

#include <linux/capability.h>

#include "qp.h"

int uverbs_qp_check_type(struct uverbs_attr_bundle *attrs, enum ib_qp_type type)
{
	switch (type) {
	case IB_QPT_RC:
	case IB_QPT_UC:
	case IB_QPT_UD:
	case IB_QPT_XRC_INI:
	case IB_QPT_XRC_TGT:
	case IB_QPT_DRIVER:
		return 0;
	case IB_QPT_RAW_PACKET:
		return capable(CAP_NET_RAW) ? 0 : -EPERM;
	default:
		/* Of reserved ones, a driver says which it lets processes have. */
		return uverbs_api_has_qp_type(attrs->ufile->device->uapi, type) ? 0 : -EINVAL;
	}
}

/* What such a QP sends seems to come from another one. */
int uverbs_qp_set_source(struct ib_qp_init_attr *init, u32 source_qpn)
{
	if (!capable(CAP_NET_RAW))
		return -EPERM;
	init->create_flags |= IB_QP_CREATE_SOURCE_QPN;
	init->source_qpn = source_qpn;
	return 0;
}

static int check_receiving(struct ib_qp_init_attr *init)
{
	if (init->qp_type == IB_QPT_XRC_INI) {
		init->cap.max_recv_wr = 0;
		init->cap.max_recv_sge = 0;
	}
	if (init->rwq_ind_tbl &&
	    (init->cap.max_recv_wr || init->cap.max_recv_sge || init->srq))
		return -EINVAL;
	/* Those are named by messages to XRC targets. */
	if (init->srq && init->srq->srq_type == IB_SRQT_XRC)
		return -EINVAL;
	return 0;
}

static struct ib_device *device_of(const struct uverbs_qp_params *params)
{
	return params->uxrcd ? params->init.xrcd->device : params->pd->device;
}

/* Takes over the reference to @async_file. */
int uverbs_qp_create(struct uverbs_attr_bundle *attrs, struct ib_uqp_object *uqp,
		     struct uverbs_qp_params *params, struct uverbs_async_file *async_file)
{
	struct ib_qp *qp;
	int ret;

	/* From here on there may be events. */
	uqp->uevent.uobject.user_handle = params->user_handle;
	uverbs_uevent_init(&uqp->uevent, async_file);
	mutex_init(&uqp->mcast_lock);
	INIT_LIST_HEAD(&uqp->mcasts);

	ret = check_receiving(&params->init);
	if (ret)
		goto release_uevent;
	params->init.event_handler = uverbs_qp_event_handler;
	qp = ib_create_qp_user(device_of(params), params->pd, &params->init, &attrs->driver_udata,
			       uqp, KBUILD_MODNAME);
	if (IS_ERR(qp)) {
		ret = PTR_ERR(qp);
		goto release_uevent;
	}
	ib_qp_usecnt_inc(qp);

	uqp->uxrcd = params->uxrcd;
	if (uqp->uxrcd)
		atomic_inc(&uqp->uxrcd->refcnt);
	uqp->uevent.uobject.object = qp;
	return 0;

release_uevent:
	uverbs_uevent_release(&uqp->uevent);
	return ret;
}
