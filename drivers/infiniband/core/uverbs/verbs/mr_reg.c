// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registering memory of the process (IBTA 11.2.8.3, "register memory region"). */

#include <linux/overflow.h>

#include "verbs.h"

/*
 * @start of a process's memory is to be known to the device as @hca_va. They are the same within a
 * page, as pages are what devices translate.
 */
bool uverbs_mr_range_ok(u64 start, u64 length, u64 hca_va)
{
	u64 end;

	return !check_add_overflow(start, length, &end) && !((start ^ hca_va) & ~PAGE_MASK);
}

static struct ib_mr *reg_mr_in(struct ib_pd *pd, const struct ib_uverbs_reg_mr *request,
			       struct ib_uobject *uobj, struct ib_udata *udata)
{
	struct ib_mr *mr;

	mr = pd->device->ops.reg_user_mr(pd, request->start, request->length, request->hca_va,
					 request->access_flags, udata);
	if (IS_ERR(mr))
		return mr;
	mr->iova = request->hca_va;
	mr->length = request->length;
	uverbs_mr_created(mr, IB_MR_TYPE_USER, pd, uobj);
	return mr;
}

static struct ib_mr *reg_mr_by_handle(const struct ib_uverbs_reg_mr *request,
				      struct ib_device *ib_dev, struct ib_uobject *uobj,
				      struct uverbs_attr_bundle *attrs)
{
	struct ib_mr *mr;
	struct ib_pd *pd;
	int ret;

	ret = ib_check_mr_access(ib_dev, request->access_flags);
	if (ret)
		return ERR_PTR(ret);
	ret = uverbs_look_up(pd, pd, UVERBS_OBJECT_PD, request->pd_handle, attrs);
	if (ret)
		return ERR_PTR(ret);
	mr = reg_mr_in(pd, request, uobj, &attrs->driver_udata);
	uobj_put_obj_read(pd);
	return mr;
}

static int reg_mr(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_reg_mr_resp response = {};
	struct ib_uverbs_reg_mr request;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	struct ib_mr *mr;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	if (!uverbs_mr_range_ok(request.start, request.length, request.hca_va))
		return -EINVAL;
	uobj = uobj_alloc(UVERBS_OBJECT_MR, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);

	mr = reg_mr_by_handle(&request, ib_dev, uobj, attrs);
	if (IS_ERR(mr)) {
		uobj_alloc_abort(uobj, attrs);
		return PTR_ERR(mr);
	}
	uobj_finalize_uobj_create(uobj, attrs);

	response.mr_handle = uobj->id;
	response.lkey = mr->lkey;
	response.rkey = mr->rkey;
	return uverbs_response(attrs, &response, sizeof(response));
}

const struct uapi_definition uverbs_def_mr_reg[] = {
	DECLARE_UVERBS_OBJECT(UVERBS_OBJECT_MR),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_REG_MR, reg_mr,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_reg_mr,
							   struct ib_uverbs_reg_mr_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(reg_user_mr),
	{}
};
