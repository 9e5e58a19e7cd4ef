// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Completion queues (IBTA 11.2.6): changing and destroying them. */

#include "verbs.h"

static int resize_cq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_resize_cq_resp response = {};
	struct ib_uverbs_resize_cq request;
	struct ib_cq *cq;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	ret = uverbs_look_up(cq, cq, UVERBS_OBJECT_CQ, request.cq_handle, attrs);
	if (ret)
		return ret;
	ret = cq->device->ops.resize_cq(cq, request.cqe, &attrs->driver_udata);
	response.cqe = cq->cqe;
	uverbs_put_queue(cq);
	return ret ?: uverbs_response(attrs, &response, sizeof(response));
}

static int modify_cq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_modify_cq request;
	struct ib_cq *cq;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	if (!request.attr_mask || request.reserved)
		return -EINVAL;
	if (request.attr_mask & ~IB_CQ_MODERATE)
		return -EOPNOTSUPP;
	ret = uverbs_look_up(cq, cq, UVERBS_OBJECT_CQ, request.cq_handle, attrs);
	if (ret)
		return ret;
	ret = rdma_set_cq_moderation(cq, request.attr.cq_count, request.attr.cq_period);
	uverbs_put_queue(cq);
	return ret;
}

static int destroy_cq(struct ib_uobject *uobj, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	struct ib_ucq_object *ucq = to_ucq(uobj);
	struct ib_cq *cq = uobj->object;
	struct uverbs_comp_channel *channel = cq->cq_context;
	int ret;

	ret = ib_destroy_cq_user(cq, &attrs->driver_udata);
	if (!ret)
		uverbs_ucq_release(ucq, channel);
	return ret;
}

/* A program that destroys the queue waits until it has acknowledged this many events. */
static struct ib_uverbs_destroy_cq_resp events_of(struct ib_uobject *uobj)
{
	const struct ib_ucq_object *ucq = to_ucq(uobj);

	return (struct ib_uverbs_destroy_cq_resp) {
		.comp_events_reported = ucq->comp_events_reported,
		.async_events_reported = ucq->uevent.events_reported,
	};
}

static int write_destroy_cq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_destroy_cq_resp response;
	struct ib_uverbs_destroy_cq request;
	struct ib_uobject *uobj;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	uobj = uobj_get_destroy(UVERBS_OBJECT_CQ, request.cq_handle, attrs);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	response = events_of(uobj);
	uobj_put_destroy(uobj);
	return uverbs_response(attrs, &response, sizeof(response));
}

static int UVERBS_HANDLER(UVERBS_METHOD_CQ_DESTROY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_destroy_cq_resp response =
		events_of(uverbs_attr_get_uobject(attrs, UVERBS_ATTR_DESTROY_CQ_HANDLE));

	return uverbs_copy_to(attrs, UVERBS_ATTR_DESTROY_CQ_RESP, &response, sizeof(response));
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_CQ_DESTROY,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_CQ_HANDLE, UVERBS_OBJECT_CQ,
					    UVERBS_ACCESS_DESTROY, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_DESTROY_CQ_RESP,
						UVERBS_ATTR_TYPE(struct ib_uverbs_destroy_cq_resp),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_CQ,
			    UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct ib_ucq_object), destroy_cq),
			    &UVERBS_METHOD(UVERBS_METHOD_CQ_DESTROY));

const struct uapi_definition uverbs_def_cq[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_CQ),
	UAPI_DEF_OBJ_NEEDS_FN(destroy_cq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_RESIZE_CQ, resize_cq,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_resize_cq,
							   struct ib_uverbs_resize_cq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(resize_cq),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_MODIFY_CQ, modify_cq, UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(modify_cq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DESTROY_CQ, write_destroy_cq,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_destroy_cq,
						     struct ib_uverbs_destroy_cq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(destroy_cq),
	UAPI_DEF_CHAIN(uverbs_def_cq_create),
	UAPI_DEF_CHAIN(uverbs_def_cq_poll),
	{}
};
