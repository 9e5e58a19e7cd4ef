// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Queue pairs: their commands, and their end. */

#include "verbs.h"

/*
 * Attachments to multicast groups aren't objects: a process that destroys its QP has to detach it
 * first, but nobody else does that for one that just goes.
 */
static int destroy_qp(struct ib_uobject *uobject, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	struct ib_uqp_object *uqp =
		container_of(uobject, struct ib_uqp_object, uevent.uobject);
	struct ib_qp *qp = uobject->object;
	int ret;

	if (why != RDMA_REMOVE_DESTROY)
		uverbs_detach_mcasts(qp, uqp);
	else if (!list_empty(&uqp->mcasts))
		return -EBUSY;

	ret = ib_destroy_qp_user(qp, &attrs->driver_udata);
	if (ret)
		return ret;
	if (uqp->uxrcd)
		atomic_dec(&uqp->uxrcd->refcnt);
	uverbs_uevent_release(&uqp->uevent);
	return 0;
}

static int write_destroy_qp(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_destroy_qp_resp resp = {};
	struct ib_uverbs_destroy_qp cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (!ret)
		ret = uverbs_destroy_queue(attrs, UVERBS_OBJECT_QP, cmd.qp_handle,
					   &resp.events_reported);
	if (ret)
		return ret;
	return uverbs_response(attrs, &resp, sizeof(resp));
}

static int UVERBS_HANDLER(UVERBS_METHOD_QP_DESTROY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_DESTROY_QP_HANDLE);
	struct ib_uverbs_destroy_qp_resp resp = {
		.events_reported =
			container_of(uobj, struct ib_uevent_object, uobject)->events_reported,
	};

	return uverbs_copy_to(attrs, UVERBS_ATTR_DESTROY_QP_RESP, &resp, sizeof(resp));
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_QP_CREATE,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_QP_HANDLE, UVERBS_OBJECT_QP,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_CREATE_QP_TYPE, enum ib_uverbs_qp_type,
						 UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_QP_USER_HANDLE,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_QP_CAP,
					       UVERBS_ATTR_STRUCT(struct ib_uverbs_qp_cap,
								  max_inline_data),
					       UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_CREATE_QP_FLAGS,
						 enum ib_uverbs_qp_create_flags, UA_OPTIONAL),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_QP_SOURCE_QPN,
					       UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
			    UVERBS_ATTR_FD(UVERBS_ATTR_CREATE_QP_EVENT_FD,
					   UVERBS_OBJECT_ASYNC_EVENT, UVERBS_ACCESS_READ,
					   UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_QP_PD_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE, UVERBS_OBJECT_XRCD,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, UVERBS_OBJECT_CQ,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, UVERBS_OBJECT_CQ,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, UVERBS_OBJECT_SRQ,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE,
					    UVERBS_OBJECT_RWQ_IND_TBL, UVERBS_ACCESS_READ,
					    UA_OPTIONAL),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_QP_RESP_CAP,
						UVERBS_ATTR_STRUCT(struct ib_uverbs_qp_cap,
								   max_inline_data),
						UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_UHW());

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_QP_DESTROY,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_QP_HANDLE, UVERBS_OBJECT_QP,
					    UVERBS_ACCESS_DESTROY, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_DESTROY_QP_RESP,
						UVERBS_ATTR_TYPE(struct ib_uverbs_destroy_qp_resp),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_QP,
			    UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct ib_uqp_object), destroy_qp),
			    &UVERBS_METHOD(UVERBS_METHOD_QP_CREATE),
			    &UVERBS_METHOD(UVERBS_METHOD_QP_DESTROY));

const struct uapi_definition uverbs_def_qp[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_QP, UAPI_DEF_OBJ_NEEDS_FN(destroy_qp)),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_CREATE_QP, uverbs_create_qp,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_create_qp,
							   struct ib_uverbs_create_qp_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(create_qp),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_CREATE_QP, uverbs_create_qp_ex,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(create_qp),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_QUERY_QP, uverbs_query_qp,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_query_qp,
						     struct ib_uverbs_query_qp_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(query_qp),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_MODIFY_QP, uverbs_modify_qp,
			     UVERBS_REQUEST(struct ib_uverbs_modify_qp)),
	UAPI_DEF_METHOD_NEEDS_FN(modify_qp),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_MODIFY_QP, uverbs_modify_qp_ex,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(modify_qp),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DESTROY_QP, write_destroy_qp,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_destroy_qp,
						     struct ib_uverbs_destroy_qp_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(destroy_qp),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_POST_SEND, uverbs_post_send,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_post_send,
						     struct ib_uverbs_post_send_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(post_send),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_POST_RECV, uverbs_post_recv,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_post_recv,
						     struct ib_uverbs_post_recv_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(post_recv),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_ATTACH_MCAST, uverbs_attach_mcast,
			     UVERBS_REQUEST(struct ib_uverbs_attach_mcast)),
	UAPI_DEF_METHOD_NEEDS_FN(attach_mcast),
	UAPI_DEF_METHOD_NEEDS_FN(detach_mcast),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_DETACH_MCAST, uverbs_detach_mcast,
			     UVERBS_REQUEST(struct ib_uverbs_detach_mcast)),
	UAPI_DEF_METHOD_NEEDS_FN(detach_mcast),
	{}
};
