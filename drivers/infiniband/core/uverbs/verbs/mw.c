// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory windows (IBTA 10.6.7.2). They are bound by work requests. */

#include <linux/slab.h>

#include "verbs.h"

static struct ib_mw *create_mw(struct ib_pd *pd, enum ib_mw_type type, struct ib_uobject *uobj,
			       struct ib_udata *udata)
{
	struct ib_mw *mw;
	int ret;

	if (type != IB_MW_TYPE_1 && type != IB_MW_TYPE_2)
		return ERR_PTR(-EINVAL);
	mw = rdma_zalloc_drv_obj(pd->device, ib_mw);
	if (!mw)
		return ERR_PTR(-ENOMEM);
	mw->device = pd->device;
	mw->pd = pd;
	mw->uobject = uobj;
	mw->type = type;

	ret = pd->device->ops.alloc_mw(mw, udata);
	if (ret) {
		kfree(mw);
		return ERR_PTR(ret);
	}
	atomic_inc(&pd->usecnt);
	return mw;
}

static struct ib_mw *create_mw_by_handle(const struct ib_uverbs_alloc_mw *request,
					 struct ib_uobject *uobj, struct uverbs_attr_bundle *attrs)
{
	struct ib_pd *pd = uobj_get_obj_read(pd, UVERBS_OBJECT_PD, request->pd_handle, attrs);
	struct ib_mw *mw;

	if (IS_ERR(pd))
		return ERR_CAST(pd);
	mw = create_mw(pd, request->mw_type, uobj, &attrs->driver_udata);
	uobj_put_obj_read(pd);
	return mw;
}

static int alloc_mw(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_alloc_mw_resp response = {};
	struct ib_uverbs_alloc_mw request;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	struct ib_mw *mw;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	uobj = uobj_alloc(UVERBS_OBJECT_MW, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);

	mw = create_mw_by_handle(&request, uobj, attrs);
	if (IS_ERR(mw)) {
		uobj_alloc_abort(uobj, attrs);
		return PTR_ERR(mw);
	}
	uobj->object = mw;
	uobj_finalize_uobj_create(uobj, attrs);

	response.mw_handle = uobj->id;
	response.rkey = mw->rkey;
	return uverbs_response(attrs, &response, sizeof(response));
}

static int dealloc_mw(struct uverbs_attr_bundle *attrs)
{
	return uverbs_destroy_by_handle(attrs, UVERBS_OBJECT_MW);
}

static int destroy_mw(struct ib_uobject *uobj, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	struct ib_mw *mw = uobj->object;
	struct ib_pd *pd = mw->pd;
	int ret;

	ret = mw->device->ops.dealloc_mw(mw);
	if (ret)
		return ret;
	atomic_dec(&pd->usecnt);
	kfree(mw);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_MW_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_MW_HANDLE, UVERBS_OBJECT_MW,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_MW, UVERBS_TYPE_ALLOC_IDR(destroy_mw),
			    &UVERBS_METHOD(UVERBS_METHOD_MW_DESTROY));

const struct uapi_definition uverbs_def_mw[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_MW),
	UAPI_DEF_OBJ_NEEDS_FN(dealloc_mw),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_ALLOC_MW, alloc_mw,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_alloc_mw,
							   struct ib_uverbs_alloc_mw_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(alloc_mw),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DEALLOC_MW, dealloc_mw,
			     UVERBS_REQUEST(struct ib_uverbs_dealloc_mw)),
	UAPI_DEF_METHOD_NEEDS_FN(dealloc_mw),
	{}
};
