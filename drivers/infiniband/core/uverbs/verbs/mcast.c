// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Multicast groups that a process attaches its QPs to. A QP can't be destroyed while the driver
 * has it attached, so each attachment is remembered. Attaching twice is once.
 */

#include <linux/slab.h>

#include "verbs.h"

struct mcast {
	struct list_head list; /* in the QP's mcasts */
	union ib_gid gid;
	u16 lid;
};

static struct mcast *find(struct ib_uqp_object *uqp, const u8 *gid, u16 lid)
{
	struct mcast *mcast;

	list_for_each_entry(mcast, &uqp->mcasts, list)
		if (mcast->lid == lid && !memcmp(mcast->gid.raw, gid, sizeof(mcast->gid)))
			return mcast;
	return NULL;
}

static int attach(struct ib_qp *qp, const u8 *gid, u16 lid)
{
	struct mcast *mcast;
	int ret;

	if (find(qp->uobject, gid, lid))
		return 0;
	mcast = kmalloc(sizeof(*mcast), GFP_KERNEL_ACCOUNT);
	if (!mcast)
		return -ENOMEM;
	memcpy(mcast->gid.raw, gid, sizeof(mcast->gid));
	mcast->lid = lid;

	ret = ib_attach_mcast(qp, &mcast->gid, lid);
	if (ret)
		kfree(mcast);
	else
		list_add(&mcast->list, &qp->uobject->mcasts);
	return ret;
}

static int detach(struct ib_qp *qp, struct mcast *mcast)
{
	int ret;

	ret = ib_detach_mcast(qp, &mcast->gid, mcast->lid);
	if (ret)
		return ret;
	list_del(&mcast->list);
	kfree(mcast);
	return 0;
}

int uverbs_attach_mcast(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_attach_mcast cmd;
	struct ib_qp *qp;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	qp = uobj_get_obj_read(qp, UVERBS_OBJECT_QP, cmd.qp_handle, attrs);
	if (IS_ERR(qp))
		return PTR_ERR(qp);

	mutex_lock(&qp->uobject->mcast_lock);
	ret = attach(qp, cmd.gid, cmd.mlid);
	mutex_unlock(&qp->uobject->mcast_lock);
	uverbs_put_queue(qp);
	return ret;
}

int uverbs_detach_mcast(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_detach_mcast cmd;
	struct mcast *mcast;
	struct ib_qp *qp;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	qp = uobj_get_obj_read(qp, UVERBS_OBJECT_QP, cmd.qp_handle, attrs);
	if (IS_ERR(qp))
		return PTR_ERR(qp);

	mutex_lock(&qp->uobject->mcast_lock);
	mcast = find(qp->uobject, cmd.gid, cmd.mlid);
	ret = mcast ? detach(qp, mcast) : -EINVAL;
	mutex_unlock(&qp->uobject->mcast_lock);
	uverbs_put_queue(qp);
	return ret;
}

/* Nobody else uses the QP any more. What the driver refuses makes destroying the QP fail, too. */
void uverbs_detach_mcasts(struct ib_qp *qp, struct ib_uqp_object *uqp)
{
	struct mcast *mcast, *next;

	list_for_each_entry_safe(mcast, next, &uqp->mcasts, list)
		detach(qp, mcast);
}
