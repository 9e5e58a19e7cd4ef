// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Shared receive queues: their commands, and their end. */

#include "verbs.h"

static int destroy_srq(struct ib_uobject *uobject, enum rdma_remove_reason why,
		       struct uverbs_attr_bundle *attrs)
{
	struct ib_usrq_object *usrq =
		container_of(uobject, struct ib_usrq_object, uevent.uobject);
	int ret;

	ret = ib_destroy_srq_user(uobject->object, &attrs->driver_udata);
	if (ret)
		return ret;
	if (usrq->uxrcd)
		atomic_dec(&usrq->uxrcd->refcnt);
	uverbs_uevent_release(&usrq->uevent);
	return 0;
}

static int write_destroy_srq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_destroy_srq_resp resp = {};
	struct ib_uverbs_destroy_srq cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (!ret)
		ret = uverbs_destroy_queue(attrs, UVERBS_OBJECT_SRQ, cmd.srq_handle,
					   &resp.events_reported);
	if (ret)
		return ret;
	return uverbs_response(attrs, &resp, sizeof(resp));
}

static int UVERBS_HANDLER(UVERBS_METHOD_SRQ_DESTROY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_DESTROY_SRQ_HANDLE);
	struct ib_uverbs_destroy_srq_resp resp = {
		.events_reported =
			container_of(uobj, struct ib_uevent_object, uobject)->events_reported,
	};

	return uverbs_copy_to(attrs, UVERBS_ATTR_DESTROY_SRQ_RESP, &resp, sizeof(resp));
}

static int modify_srq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_modify_srq cmd;
	struct ib_srq_attr attr = {};
	struct ib_srq *srq;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	srq = uobj_get_obj_read(srq, UVERBS_OBJECT_SRQ, cmd.srq_handle, attrs);
	if (IS_ERR(srq))
		return PTR_ERR(srq);
	attr.max_wr = cmd.max_wr;
	attr.srq_limit = cmd.srq_limit;
	ret = srq->device->ops.modify_srq(srq, &attr, cmd.attr_mask, &attrs->driver_udata);
	uverbs_put_queue(srq);
	return ret;
}

static int query_srq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_query_srq_resp resp = {};
	struct ib_uverbs_query_srq cmd;
	struct ib_srq_attr attr = {};
	struct ib_srq *srq;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	srq = uobj_get_obj_read(srq, UVERBS_OBJECT_SRQ, cmd.srq_handle, attrs);
	if (IS_ERR(srq))
		return PTR_ERR(srq);
	ret = ib_query_srq(srq, &attr);
	uverbs_put_queue(srq);
	if (ret)
		return ret;
	resp.max_wr = attr.max_wr;
	resp.max_sge = attr.max_sge;
	resp.srq_limit = attr.srq_limit;
	return uverbs_response(attrs, &resp, sizeof(resp));
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_SRQ_CREATE,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_SRQ_HANDLE, UVERBS_OBJECT_SRQ,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_CREATE_SRQ_TYPE,
						 enum ib_uverbs_srq_type, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_SRQ_USER_HANDLE,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_SRQ_MAX_WR, UVERBS_ATTR_TYPE(u32),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_SRQ_MAX_SGE,
					       UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_SRQ_LIMIT, UVERBS_ATTR_TYPE(u32),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS,
					       UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
			    UVERBS_ATTR_FD(UVERBS_ATTR_CREATE_SRQ_EVENT_FD,
					   UVERBS_OBJECT_ASYNC_EVENT, UVERBS_ACCESS_READ,
					   UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_SRQ_PD_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE, UVERBS_OBJECT_XRCD,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE, UVERBS_OBJECT_CQ,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM,
						UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
			    UVERBS_ATTR_UHW());

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_SRQ_DESTROY,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_SRQ_HANDLE, UVERBS_OBJECT_SRQ,
					    UVERBS_ACCESS_DESTROY, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_DESTROY_SRQ_RESP,
						UVERBS_ATTR_TYPE(struct ib_uverbs_destroy_srq_resp),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_SRQ,
			    UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct ib_usrq_object), destroy_srq),
			    &UVERBS_METHOD(UVERBS_METHOD_SRQ_CREATE),
			    &UVERBS_METHOD(UVERBS_METHOD_SRQ_DESTROY));

const struct uapi_definition uverbs_def_srq[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_SRQ, UAPI_DEF_OBJ_NEEDS_FN(destroy_srq)),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_CREATE_SRQ, uverbs_create_srq,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_create_srq,
							   struct ib_uverbs_create_srq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(create_srq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_CREATE_XSRQ, uverbs_create_xsrq,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_create_xsrq,
							   struct ib_uverbs_create_srq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(create_srq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_MODIFY_SRQ, modify_srq,
			     UVERBS_UDATA_REQUEST(struct ib_uverbs_modify_srq)),
	UAPI_DEF_METHOD_NEEDS_FN(modify_srq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_QUERY_SRQ, query_srq,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_query_srq,
						     struct ib_uverbs_query_srq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(query_srq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DESTROY_SRQ, write_destroy_srq,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_destroy_srq,
						     struct ib_uverbs_destroy_srq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(destroy_srq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_POST_SRQ_RECV, uverbs_post_srq_recv,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_post_srq_recv,
						     struct ib_uverbs_post_srq_recv_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(post_srq_recv),
	{}
};
