// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Address handles (IBTA 11.2.2). On InfiniBand, libraries mostly make theirs by themselves. */

#include "verbs.h"

static void read_ah_attr(struct rdma_ah_attr *ah_attr, struct ib_device *ib_dev,
			 struct ib_uverbs_ah_attr *from)
{
	ah_attr->type = rdma_ah_find_type(ib_dev, from->port_num);
	rdma_ah_set_port_num(ah_attr, from->port_num);
	rdma_ah_set_make_grd(ah_attr, false);
	rdma_ah_set_dlid(ah_attr, from->dlid);
	rdma_ah_set_path_bits(ah_attr, from->src_path_bits);
	rdma_ah_set_sl(ah_attr, from->sl);
	rdma_ah_set_static_rate(ah_attr, from->static_rate);
	if (!from->is_global)
		return;
	rdma_ah_set_grh(ah_attr, NULL, from->grh.flow_label, from->grh.sgid_index,
			from->grh.hop_limit, from->grh.traffic_class);
	rdma_ah_set_dgid_raw(ah_attr, from->grh.dgid);
}

static struct ib_ah *create_ah_by_handle(struct ib_uverbs_create_ah *request,
					 struct ib_device *ib_dev, struct uverbs_attr_bundle *attrs)
{
	struct rdma_ah_attr ah_attr = {};
	struct ib_ah *ah;
	struct ib_pd *pd;

	if (!rdma_is_port_valid(ib_dev, request->attr.port_num))
		return ERR_PTR(-EINVAL);
	pd = uobj_get_obj_read(pd, UVERBS_OBJECT_PD, request->pd_handle, attrs);
	if (IS_ERR(pd))
		return ERR_CAST(pd);
	read_ah_attr(&ah_attr, ib_dev, &request->attr);
	ah = rdma_create_user_ah(pd, &ah_attr, &attrs->driver_udata);
	uobj_put_obj_read(pd);
	return ah;
}

static int create_ah(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_create_ah_resp response = {};
	struct ib_uverbs_create_ah request;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	struct ib_ah *ah;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	uobj = uobj_alloc(UVERBS_OBJECT_AH, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);

	ah = create_ah_by_handle(&request, ib_dev, attrs);
	if (IS_ERR(ah)) {
		uobj_alloc_abort(uobj, attrs);
		return PTR_ERR(ah);
	}
	ah->uobject = uobj;
	uobj->user_handle = request.user_handle;
	uobj->object = ah;
	uobj_finalize_uobj_create(uobj, attrs);

	response.ah_handle = uobj->id;
	return uverbs_response(attrs, &response, sizeof(response));
}

static int destroy_ah_by_handle(struct uverbs_attr_bundle *attrs)
{
	return uverbs_destroy_by_handle(attrs, UVERBS_OBJECT_AH);
}

static int destroy_ah(struct ib_uobject *uobj, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	return rdma_destroy_ah_user(uobj->object, RDMA_DESTROY_AH_SLEEPABLE, &attrs->driver_udata);
}

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_AH_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_AH_HANDLE, UVERBS_OBJECT_AH,
						    UVERBS_ACCESS_DESTROY, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_AH, UVERBS_TYPE_ALLOC_IDR(destroy_ah),
			    &UVERBS_METHOD(UVERBS_METHOD_AH_DESTROY));

const struct uapi_definition uverbs_def_ah[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_AH),
	UAPI_DEF_OBJ_NEEDS_FN(create_user_ah),
	UAPI_DEF_OBJ_NEEDS_FN(destroy_ah),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_CREATE_AH, create_ah,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_create_ah,
							   struct ib_uverbs_create_ah_resp)),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DESTROY_AH, destroy_ah_by_handle,
			     UVERBS_REQUEST(struct ib_uverbs_destroy_ah)),
	{}
};
