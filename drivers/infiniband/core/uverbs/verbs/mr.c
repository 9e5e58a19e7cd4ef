// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Memory regions of users (IBTA 10.6): what all kinds of them have in common. */

#include "verbs.h"

/* The driver has registered @mr: @uobj becomes its handle. */
void uverbs_mr_created(struct ib_mr *mr, enum ib_mr_type type, struct ib_pd *pd,
		       struct ib_uobject *uobj)
{
	mr->device = pd->device;
	mr->pd = pd;
	mr->type = type;
	mr->dm = NULL;
	mr->sig_attrs = NULL;
	mr->uobject = uobj;
	atomic_inc(&pd->usecnt);

	uverbs_restrack_new(&mr->res, RDMA_RESTRACK_MR);
	rdma_restrack_add(&mr->res);
	uobj->object = mr;
}

/* What ioctl() methods that register memory answer. */
int uverbs_mr_keys(struct uverbs_attr_bundle *attrs, const struct ib_mr *mr, u16 lkey_id,
		   u16 rkey_id)
{
	int ret = uverbs_copy_to(attrs, lkey_id, &mr->lkey, sizeof(mr->lkey));

	return ret ?: uverbs_copy_to(attrs, rkey_id, &mr->rkey, sizeof(mr->rkey));
}

static int dereg_mr(struct uverbs_attr_bundle *attrs)
{
	return uverbs_destroy_by_handle(attrs, UVERBS_OBJECT_MR);
}

static int destroy_mr(struct ib_uobject *uobj, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	return ib_dereg_mr_user(uobj->object, &attrs->driver_udata);
}

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_MR_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_MR_HANDLE, UVERBS_OBJECT_MR,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_MR, UVERBS_TYPE_ALLOC_IDR(destroy_mr),
			    &UVERBS_METHOD(UVERBS_METHOD_MR_DESTROY));

const struct uapi_definition uverbs_def_mr[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_MR),
	UAPI_DEF_OBJ_NEEDS_FN(dereg_mr),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DEREG_MR, dereg_mr,
			     UVERBS_REQUEST(struct ib_uverbs_dereg_mr)),
	UAPI_DEF_METHOD_NEEDS_FN(dereg_mr),
	UAPI_DEF_CHAIN(uverbs_def_mr_reg),
	UAPI_DEF_CHAIN(uverbs_def_mr_rereg),
	UAPI_DEF_CHAIN(uverbs_def_mr_dm),
	UAPI_DEF_CHAIN(uverbs_def_mr_dmabuf),
	UAPI_DEF_CHAIN(uverbs_def_mr_advise),
	UAPI_DEF_CHAIN(uverbs_def_mr_query),
	{}
};
