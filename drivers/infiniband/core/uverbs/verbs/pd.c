// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Protection domains (IBTA 11.2.1.5). */

#include <linux/slab.h>

#include "verbs.h"

static struct ib_pd *create_pd(struct ib_device *ib_dev, struct ib_uobject *uobj,
			       struct ib_udata *udata)
{
	struct ib_pd *pd = rdma_zalloc_drv_obj(ib_dev, ib_pd);
	int ret;

	if (!pd)
		return ERR_PTR(-ENOMEM);
	pd->device = ib_dev;
	pd->uobject = uobj;
	uverbs_restrack_new(&pd->res, RDMA_RESTRACK_PD);

	ret = ib_dev->ops.alloc_pd(pd, udata);
	if (ret) {
		rdma_restrack_put(&pd->res);
		kfree(pd);
		return ERR_PTR(ret);
	}
	rdma_restrack_add(&pd->res);
	return pd;
}

static int alloc_pd(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_alloc_pd_resp response = {};
	struct ib_uverbs_alloc_pd request;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	struct ib_pd *pd;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	uobj = uobj_alloc(UVERBS_OBJECT_PD, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);

	pd = create_pd(ib_dev, uobj, &attrs->driver_udata);
	if (IS_ERR(pd)) {
		uobj_alloc_abort(uobj, attrs);
		return PTR_ERR(pd);
	}
	uobj->object = pd;
	uobj_finalize_uobj_create(uobj, attrs);

	response.pd_handle = uobj->id;
	return uverbs_response(attrs, &response, sizeof(response));
}

static int dealloc_pd(struct uverbs_attr_bundle *attrs)
{
	return uverbs_destroy_by_handle(attrs, UVERBS_OBJECT_PD);
}

static int destroy_pd(struct ib_uobject *uobj, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	struct ib_pd *pd = uobj->object;

	if (atomic_read(&pd->usecnt))
		return -EBUSY;
	return ib_dealloc_pd_user(pd, &attrs->driver_udata);
}

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_PD_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_PD_HANDLE, UVERBS_OBJECT_PD,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_PD, UVERBS_TYPE_ALLOC_IDR(destroy_pd),
			    &UVERBS_METHOD(UVERBS_METHOD_PD_DESTROY));

const struct uapi_definition uverbs_def_pd[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_PD),
	UAPI_DEF_OBJ_NEEDS_FN(dealloc_pd),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_ALLOC_PD, alloc_pd,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_alloc_pd,
							   struct ib_uverbs_alloc_pd_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(alloc_pd),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DEALLOC_PD, dealloc_pd,
			     UVERBS_REQUEST(struct ib_uverbs_dealloc_pd)),
	UAPI_DEF_METHOD_NEEDS_FN(dealloc_pd),
	{}
};
