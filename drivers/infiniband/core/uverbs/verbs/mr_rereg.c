// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Changing a memory region (IBTA 11.2.8.7, "reregister memory region"): its translation, its
 * access rights, its protection domain. A driver changes it in place, or makes another one, which
 * takes over the handle. Nobody else has the region meanwhile: whoever comes second gets EBUSY.
 */

#include "verbs.h"

/**
 * struct rereg - a command
 * @request: as it came; a protection domain that is no other one isn't asked for any more
 * @response: the region's keys
 * @uobj: the region's object, in use for writing
 * @replaced: @uobj has been destroyed, another object has its handle
 */
struct rereg {
	struct ib_uverbs_rereg_mr request;
	struct ib_uverbs_rereg_mr_resp response;
	struct ib_uobject *uobj;
	bool replaced;
};

static int check_request(const struct ib_uverbs_rereg_mr *request)
{
	if (!request->flags)
		return -EINVAL;
	if (request->flags & ~IB_MR_REREG_SUPPORTED)
		return -EOPNOTSUPP;
	if ((request->flags & IB_MR_REREG_TRANS) &&
	    !uverbs_mr_range_ok(request->start, request->length, request->hca_va))
		return -EINVAL;
	return 0;
}

static int check_mr(const struct ib_mr *mr, const struct ib_uverbs_rereg_mr *request)
{
	if (mr->dm)
		return -EINVAL;
	if (request->flags & IB_MR_REREG_ACCESS)
		return ib_check_mr_access(mr->device, request->access_flags);
	return 0;
}

static void answer(struct rereg *rereg, const struct ib_mr *mr)
{
	rereg->response.lkey = mr->lkey;
	rereg->response.rkey = mr->rkey;
}

/*
 * The region was changed in place. Some drivers have set mr->pd by themselves, so it no longer
 * tells what it was. Resource tracking reads it without our lock.
 */
static void changed(struct rereg *rereg, struct ib_mr *mr, struct ib_pd *old_pd, struct ib_pd *pd)
{
	if (pd != old_pd) {
		atomic_inc(&pd->usecnt);
		WRITE_ONCE(mr->pd, pd);
		rdma_restrack_sync(&mr->res);
		atomic_dec(&old_pd->usecnt);
	}
	if (rereg->request.flags & IB_MR_REREG_TRANS) {
		mr->iova = rereg->request.hca_va;
		mr->length = rereg->request.length;
	}
	answer(rereg, mr);
}

/* @successor, in @spare from now on, takes over the handle of the region, which is destroyed. */
static void replace(struct rereg *rereg, struct ib_uobject *spare, struct ib_mr *successor,
		    struct ib_pd *pd, struct uverbs_attr_bundle *attrs)
{
	const struct ib_mr *mr = rereg->uobj->object;
	bool moved = rereg->request.flags & IB_MR_REREG_TRANS;

	successor->iova = moved ? rereg->request.hca_va : mr->iova;
	successor->length = moved ? rereg->request.length : mr->length;
	uverbs_mr_created(successor, IB_MR_TYPE_USER, pd, spare);
	answer(rereg, successor);

	rdma_assign_uobject(rereg->uobj, spare, attrs);
	rdma_alloc_commit_uobject(spare, attrs);
	rereg->replaced = true;
}

/* A spare object stands ready for what the driver may make: afterwards nothing can be undone. */
static int rereg_in(struct rereg *rereg, struct ib_pd *pd, struct uverbs_attr_bundle *attrs)
{
	const struct ib_uverbs_rereg_mr *request = &rereg->request;
	struct ib_mr *mr = rereg->uobj->object, *successor;
	struct ib_pd *old_pd = mr->pd;
	struct ib_device *ib_dev;
	struct ib_uobject *spare;

	spare = uobj_alloc(UVERBS_OBJECT_MR, attrs, &ib_dev);
	if (IS_ERR(spare))
		return PTR_ERR(spare);
	successor = ib_dev->ops.rereg_user_mr(mr, request->flags, request->start, request->length,
					      request->hca_va, request->access_flags, pd,
					      &attrs->driver_udata);
	if (!IS_ERR_OR_NULL(successor)) {
		replace(rereg, spare, successor, pd, attrs);
		return 0;
	}
	if (!successor)
		changed(rereg, mr, old_pd, pd);
	uobj_alloc_abort(spare, attrs);
	return PTR_ERR_OR_ZERO(successor);
}

static int rereg_by_handles(struct rereg *rereg, struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_rereg_mr *request = &rereg->request;
	struct ib_mr *mr = rereg->uobj->object;
	struct ib_pd *pd;
	int ret;

	ret = check_mr(mr, request);
	if (ret)
		return ret;
	if (!(request->flags & IB_MR_REREG_PD))
		return rereg_in(rereg, mr->pd, attrs);

	ret = uverbs_look_up(pd, pd, UVERBS_OBJECT_PD, request->pd_handle, attrs);
	if (ret)
		return ret;
	if (pd == mr->pd)
		request->flags &= ~IB_MR_REREG_PD;
	ret = rereg_in(rereg, pd, attrs);
	uobj_put_obj_read(pd);
	return ret;
}

static int rereg_mr(struct uverbs_attr_bundle *attrs)
{
	struct rereg rereg = {};
	int ret;

	ret = uverbs_request(attrs, &rereg.request, sizeof(rereg.request));
	if (!ret)
		ret = check_request(&rereg.request);
	if (ret)
		return ret;
	rereg.uobj = uobj_get_write(UVERBS_OBJECT_MR, rereg.request.mr_handle, attrs);
	if (IS_ERR(rereg.uobj))
		return PTR_ERR(rereg.uobj);

	ret = rereg_by_handles(&rereg, attrs);
	if (rereg.replaced)
		uobj_put_destroy(rereg.uobj);
	else
		uobj_put_write(rereg.uobj);
	return ret ?: uverbs_response(attrs, &rereg.response, sizeof(rereg.response));
}

const struct uapi_definition uverbs_def_mr_rereg[] = {
	DECLARE_UVERBS_OBJECT(UVERBS_OBJECT_MR),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_REREG_MR, rereg_mr,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_rereg_mr,
							   struct ib_uverbs_rereg_mr_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(rereg_user_mr),
	{}
};
