// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Work queues: receive queues without a QP, for receive-side scaling. */

#include "verbs.h"

static int destroy_wq(struct ib_uobject *uobject, enum rdma_remove_reason why,
		      struct uverbs_attr_bundle *attrs)
{
	struct ib_uwq_object *uwq = container_of(uobject, struct ib_uwq_object, uevent.uobject);
	int ret;

	ret = ib_destroy_wq_user(uobject->object, &attrs->driver_udata);
	if (ret)
		return ret;
	uverbs_uevent_release(&uwq->uevent);
	return 0;
}

static void init_wq(struct ib_wq *wq, struct ib_uwq_object *uwq, struct ib_pd *pd,
		    const struct ib_wq_init_attr *attr)
{
	wq->uobject = uwq;
	wq->device = pd->device;
	wq->pd = pd;
	wq->cq = attr->cq;
	wq->wq_type = attr->wq_type;
	wq->event_handler = attr->event_handler;
	wq->wq_context = attr->wq_context;
	atomic_set(&wq->usecnt, 0);
	atomic_inc(&pd->usecnt);
	atomic_inc(&attr->cq->usecnt);
}

/*
 * The caller holds @pd and the CQ in @attr for reading. The reference to @async_file is taken over.
 */
static int create_wq(struct uverbs_attr_bundle *attrs, struct ib_uwq_object *uwq,
		     struct ib_pd *pd, struct ib_wq_init_attr *attr, u64 user_handle,
		     struct uverbs_async_file *async_file)
{
	struct ib_wq *wq = ERR_PTR(-EINVAL);

	uwq->uevent.uobject.user_handle = user_handle;
	uverbs_uevent_init(&uwq->uevent, async_file);
	attr->event_handler = uverbs_wq_event_handler;
	if (attr->wq_type == IB_WQT_RQ)
		wq = pd->device->ops.create_wq(pd, attr, &attrs->driver_udata);
	if (IS_ERR(wq)) {
		uverbs_uevent_release(&uwq->uevent);
		return PTR_ERR(wq);
	}
	init_wq(wq, uwq, pd, attr);
	uwq->uevent.uobject.object = wq;
	return 0;
}

static int write_respond(struct uverbs_attr_bundle *attrs, const struct ib_uwq_object *uwq,
			 const struct ib_wq_init_attr *attr)
{
	const struct ib_wq *wq = uwq->uevent.uobject.object;
	struct ib_uverbs_ex_create_wq_resp resp = {
		.response_length = uverbs_response_length(attrs, sizeof(resp)),
		.wq_handle = uwq->uevent.uobject.id,
		.wqn = wq->wq_num,
		.max_wr = attr->max_wr,
		.max_sge = attr->max_sge,
	};

	return uverbs_response(attrs, &resp, sizeof(resp));
}

static int look_up_and_create(struct uverbs_attr_bundle *attrs, struct ib_uwq_object *uwq,
			      const struct ib_uverbs_ex_create_wq *cmd,
			      struct ib_wq_init_attr *attr)
{
	struct ib_pd *pd;
	int ret;

	ret = uverbs_look_up(pd, pd, UVERBS_OBJECT_PD, cmd->pd_handle, attrs);
	if (ret)
		return ret;
	ret = uverbs_look_up(attr->cq, cq, UVERBS_OBJECT_CQ, cmd->cq_handle, attrs);
	if (!ret) {
		ret = create_wq(attrs, uwq, pd, attr, cmd->user_handle,
				uverbs_default_async_file_get(attrs->ufile));
		uverbs_put_queue(attr->cq);
	}
	uobj_put_obj_read(pd);
	return ret;
}

static int write_create_wq(struct uverbs_attr_bundle *attrs)
{
	struct ib_wq_init_attr attr = {};
	struct ib_uverbs_ex_create_wq cmd;
	struct ib_uwq_object *uwq;
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	if (cmd.comp_mask)
		return -EOPNOTSUPP;
	attr.wq_type = cmd.wq_type;
	attr.max_wr = cmd.max_wr;
	attr.max_sge = cmd.max_sge;
	attr.create_flags = cmd.create_flags;

	uobj = uobj_alloc(UVERBS_OBJECT_WQ, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	uwq = container_of(uobj, struct ib_uwq_object, uevent.uobject);
	ret = look_up_and_create(attrs, uwq, &cmd, &attr);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		return ret;
	}
	uobj_finalize_uobj_create(uobj, attrs);
	return write_respond(attrs, uwq, &attr);
}

static int get_attr(struct uverbs_attr_bundle *attrs, struct ib_wq_init_attr *attr,
		    u64 *user_handle)
{
	int ret;

	ret = uverbs_get_flags32(&attr->create_flags, attrs, UVERBS_ATTR_CREATE_WQ_FLAGS,
				 IB_UVERBS_WQ_FLAGS_CVLAN_STRIPPING |
				 IB_UVERBS_WQ_FLAGS_SCATTER_FCS |
				 IB_UVERBS_WQ_FLAGS_DELAY_DROP |
				 IB_UVERBS_WQ_FLAGS_PCI_WRITE_END_PADDING);
	if (!ret)
		ret = uverbs_copy_from(&attr->max_wr, attrs, UVERBS_ATTR_CREATE_WQ_MAX_WR);
	if (!ret)
		ret = uverbs_copy_from(&attr->max_sge, attrs, UVERBS_ATTR_CREATE_WQ_MAX_SGE);
	if (!ret)
		ret = uverbs_copy_from(user_handle, attrs, UVERBS_ATTR_CREATE_WQ_USER_HANDLE);
	if (!ret)
		ret = uverbs_get_const(&attr->wq_type, attrs, UVERBS_ATTR_CREATE_WQ_TYPE);
	if (ret)
		return ret;
	attr->cq = uverbs_attr_get_obj(attrs, UVERBS_ATTR_CREATE_WQ_CQ_HANDLE);
	return PTR_ERR_OR_ZERO(attr->cq);
}

static int respond(struct uverbs_attr_bundle *attrs, const struct ib_wq *wq,
		   const struct ib_wq_init_attr *attr)
{
	int ret;

	ret = uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR, &attr->max_wr,
			     sizeof(attr->max_wr));
	if (!ret)
		ret = uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE, &attr->max_sge,
				     sizeof(attr->max_sge));
	if (!ret)
		ret = uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM, &wq->wq_num,
				     sizeof(wq->wq_num));
	return ret;
}

static int UVERBS_HANDLER(UVERBS_METHOD_WQ_CREATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_WQ_HANDLE);
	struct ib_pd *pd = uverbs_attr_get_obj(attrs, UVERBS_ATTR_CREATE_WQ_PD_HANDLE);
	struct ib_wq_init_attr attr = {};
	u64 user_handle;
	int ret;

	ret = get_attr(attrs, &attr, &user_handle);
	if (!ret)
		ret = create_wq(attrs, container_of(uobj, struct ib_uwq_object, uevent.uobject),
				pd, &attr, user_handle,
				uverbs_async_file_get(attrs, UVERBS_ATTR_CREATE_WQ_EVENT_FD));
	if (ret)
		return ret;
	uverbs_finalize_uobj_create(attrs, UVERBS_ATTR_CREATE_WQ_HANDLE);
	return respond(attrs, uobj->object, &attr);
}

static int check_modification(const struct ib_uverbs_ex_modify_wq *cmd)
{
	if (!cmd->attr_mask || cmd->attr_mask & ~(IB_WQ_STATE | IB_WQ_CUR_STATE | IB_WQ_FLAGS))
		return -EINVAL;
	if (cmd->attr_mask & IB_WQ_CUR_STATE && cmd->curr_wq_state > IB_WQS_ERR)
		return -EINVAL;
	if (cmd->attr_mask & IB_WQ_STATE && cmd->wq_state > IB_WQS_ERR)
		return -EINVAL;
	return 0;
}

/* States that aren't given are those the WQ is in. */
static int modify_wq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_modify_wq cmd;
	struct ib_wq_attr attr = {};
	struct ib_wq *wq;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (!ret)
		ret = check_modification(&cmd);
	if (ret)
		return ret;
	wq = uobj_get_obj_read(wq, UVERBS_OBJECT_WQ, cmd.wq_handle, attrs);
	if (IS_ERR(wq))
		return PTR_ERR(wq);

	attr.curr_wq_state = cmd.attr_mask & IB_WQ_CUR_STATE ? cmd.curr_wq_state : wq->state;
	attr.wq_state = cmd.attr_mask & IB_WQ_STATE ? cmd.wq_state : attr.curr_wq_state;
	if (cmd.attr_mask & IB_WQ_FLAGS) {
		attr.flags = cmd.flags;
		attr.flags_mask = cmd.flags_mask;
	}
	ret = wq->device->ops.modify_wq(wq, &attr, cmd.attr_mask, &attrs->driver_udata);
	uverbs_put_queue(wq);
	return ret;
}

static int write_destroy_wq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_destroy_wq_resp resp = {
		.response_length = uverbs_response_length(attrs, sizeof(resp)),
	};
	struct ib_uverbs_ex_destroy_wq cmd;
	int ret;

	ret = uverbs_request(attrs, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	if (cmd.comp_mask)
		return -EOPNOTSUPP;
	ret = uverbs_destroy_queue(attrs, UVERBS_OBJECT_WQ, cmd.wq_handle, &resp.events_reported);
	if (ret)
		return ret;
	return uverbs_response(attrs, &resp, sizeof(resp));
}

static int UVERBS_HANDLER(UVERBS_METHOD_WQ_DESTROY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_DESTROY_WQ_HANDLE);
	u32 events_reported =
		container_of(uobj, struct ib_uevent_object, uobject)->events_reported;

	return uverbs_copy_to(attrs, UVERBS_ATTR_DESTROY_WQ_RESP, &events_reported,
			      sizeof(events_reported));
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_WQ_CREATE,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_WQ_HANDLE, UVERBS_OBJECT_WQ,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_CREATE_WQ_TYPE, enum ib_wq_type,
						 UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_WQ_USER_HANDLE,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_WQ_MAX_WR, UVERBS_ATTR_TYPE(u32),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_WQ_MAX_SGE, UVERBS_ATTR_TYPE(u32),
					       UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_CREATE_WQ_FLAGS,
						 enum ib_uverbs_wq_flags, UA_MANDATORY),
			    UVERBS_ATTR_FD(UVERBS_ATTR_CREATE_WQ_EVENT_FD,
					   UVERBS_OBJECT_ASYNC_EVENT, UVERBS_ACCESS_READ,
					   UA_OPTIONAL),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_WQ_PD_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_WQ_CQ_HANDLE, UVERBS_OBJECT_CQ,
					    UVERBS_ACCESS_READ, UA_OPTIONAL),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM,
						UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
			    UVERBS_ATTR_UHW());

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_WQ_DESTROY,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_WQ_HANDLE, UVERBS_OBJECT_WQ,
					    UVERBS_ACCESS_DESTROY, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_DESTROY_WQ_RESP, UVERBS_ATTR_TYPE(u32),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_WQ,
			    UVERBS_TYPE_ALLOC_IDR_SZ(sizeof(struct ib_uwq_object), destroy_wq),
			    &UVERBS_METHOD(UVERBS_METHOD_WQ_CREATE),
			    &UVERBS_METHOD(UVERBS_METHOD_WQ_DESTROY));

const struct uapi_definition uverbs_def_wq[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_WQ, UAPI_DEF_OBJ_NEEDS_FN(create_wq)),
	UAPI_DEF_OBJ_NEEDS_FN(destroy_wq),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_CREATE_WQ, write_create_wq, UVERBS_EXTENSIBLE),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_MODIFY_WQ, modify_wq, UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(modify_wq),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_DESTROY_WQ, write_destroy_wq,
				UVERBS_EXTENSIBLE),
	{}
};
