// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Creating completion queues (IBTA 11.2.6.1). */

#include <linux/slab.h>

#include "verbs.h"

static int check_attr(const struct ib_cq_init_attr *attr, struct uverbs_attr_bundle *attrs)
{
	if (!attr->cqe || attr->comp_vector >= attrs->ufile->device->num_comp_vectors)
		return -EINVAL;
	return 0;
}

static struct ib_cq *new_cq(struct ib_device *ib_dev, struct ib_ucq_object *ucq,
			    struct uverbs_comp_channel *channel)
{
	struct ib_cq *cq = rdma_zalloc_drv_obj(ib_dev, ib_cq);

	if (!cq)
		return NULL;
	cq->device = ib_dev;
	cq->uobject = ucq;
	cq->cq_context = channel;
	cq->comp_handler = uverbs_comp_handler;
	cq->event_handler = uverbs_cq_event_handler;
	uverbs_restrack_new(&cq->res, RDMA_RESTRACK_CQ);
	return cq;
}

static int create_in(struct ib_ucq_object *ucq, const struct ib_cq_init_attr *attr,
		     struct uverbs_comp_channel *channel, struct uverbs_attr_bundle *attrs)
{
	struct ib_device *ib_dev = attrs->context->device;
	struct ib_cq *cq = new_cq(ib_dev, ucq, channel);
	int ret;

	if (!cq)
		return -ENOMEM;
	ret = ib_dev->ops.create_cq(cq, attr, attrs);
	if (ret) {
		rdma_restrack_put(&cq->res);
		kfree(cq);
		return ret;
	}
	ucq->uevent.uobject.object = cq;
	rdma_restrack_add(&cq->res);
	return 0;
}

/*
 * Takes over the references to the event files, either of which may be NULL. All that an event
 * needs is there before the driver knows of the queue.
 */
static int create_cq(struct ib_ucq_object *ucq, u64 user_handle, const struct ib_cq_init_attr *attr,
		     struct uverbs_comp_channel *channel, struct uverbs_async_file *async_file,
		     struct uverbs_attr_bundle *attrs)
{
	int ret;

	ucq->uevent.uobject.user_handle = user_handle;
	uverbs_ucq_init(ucq, async_file);
	ret = create_in(ucq, attr, channel, attrs);
	if (ret)
		uverbs_ucq_release(ucq, channel);
	return ret;
}

static struct uverbs_comp_channel *channel_get(struct ib_uobject *uobj)
{
	uverbs_uobject_get(uobj);
	return container_of(uobj, struct uverbs_comp_channel, uobj);
}

/* NULL: the queue is going to be polled only. */
static struct uverbs_comp_channel *channel_get_by_fd(s32 fd, struct uverbs_attr_bundle *attrs)
{
	struct uverbs_comp_channel *channel;
	struct ib_uobject *uobj;

	if (fd < 0)
		return NULL;
	uobj = ufd_get_read(UVERBS_OBJECT_COMP_CHANNEL, fd, attrs);
	if (IS_ERR(uobj))
		return ERR_CAST(uobj);
	channel = channel_get(uobj);
	uobj_put_read(uobj);
	return channel;
}

static int create_by_request(struct ib_ucq_object *ucq,
			     const struct ib_uverbs_ex_create_cq *request,
			     const struct ib_cq_init_attr *attr, struct uverbs_attr_bundle *attrs)
{
	struct uverbs_comp_channel *channel = channel_get_by_fd(request->comp_channel, attrs);

	if (IS_ERR(channel))
		return PTR_ERR(channel);
	return create_cq(ucq, request->user_handle, attr, channel,
			 uverbs_default_async_file_get(attrs->ufile), attrs);
}

static int write_create_cq(const struct ib_uverbs_ex_create_cq *request,
			   struct uverbs_attr_bundle *attrs)
{
	struct ib_cq_init_attr attr = {
		.cqe = request->cqe,
		.comp_vector = request->comp_vector,
		.flags = request->flags,
	};
	struct ib_uverbs_ex_create_cq_resp response = {};
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	struct ib_cq *cq;
	int ret;

	ret = check_attr(&attr, attrs);
	if (ret)
		return ret;
	uobj = uobj_alloc(UVERBS_OBJECT_CQ, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	ret = create_by_request(to_ucq(uobj), request, &attr, attrs);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		return ret;
	}
	uobj_finalize_uobj_create(uobj, attrs);

	cq = uobj->object;
	response.base.cq_handle = uobj->id;
	response.base.cqe = cq->cqe;
	response.response_length = uverbs_response_length(attrs, sizeof(response));
	return uverbs_response(attrs, &response, sizeof(response));
}

static int legacy_create_cq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_create_cq extended = {};
	struct ib_uverbs_create_cq request;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	extended.user_handle = request.user_handle;
	extended.cqe = request.cqe;
	extended.comp_vector = request.comp_vector;
	extended.comp_channel = request.comp_channel;
	return write_create_cq(&extended, attrs);
}

static int extended_create_cq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_ex_create_cq request;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	if (request.comp_mask || request.reserved)
		return -EINVAL;
	return write_create_cq(&request, attrs);
}

static int read_attr(struct ib_cq_init_attr *attr, u64 *user_handle,
		     struct uverbs_attr_bundle *attrs)
{
	int ret;

	ret = uverbs_copy_from(&attr->cqe, attrs, UVERBS_ATTR_CREATE_CQ_CQE);
	if (!ret)
		ret = uverbs_copy_from(&attr->comp_vector, attrs,
				       UVERBS_ATTR_CREATE_CQ_COMP_VECTOR);
	if (!ret)
		ret = uverbs_copy_from(user_handle, attrs, UVERBS_ATTR_CREATE_CQ_USER_HANDLE);
	if (!ret)
		ret = uverbs_get_flags32(&attr->flags, attrs, UVERBS_ATTR_CREATE_CQ_FLAGS,
					 IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION |
					 IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN);
	return ret ?: check_attr(attr, attrs);
}

static int UVERBS_HANDLER(UVERBS_METHOD_CQ_CREATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_CQ_HANDLE);
	struct ib_uobject *channel =
		uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL);
	struct ib_cq_init_attr attr = {};
	u64 user_handle;
	struct ib_cq *cq;
	int ret;

	if (!attrs->context->device->ops.create_cq)
		return -EOPNOTSUPP;
	ret = read_attr(&attr, &user_handle, attrs);
	if (!ret)
		ret = create_cq(to_ucq(uobj), user_handle, &attr,
				IS_ERR(channel) ? NULL : channel_get(channel),
				uverbs_async_file_get(attrs, UVERBS_ATTR_CREATE_CQ_EVENT_FD),
				attrs);
	if (ret)
		return ret;
	uverbs_finalize_uobj_create(attrs, UVERBS_ATTR_CREATE_CQ_HANDLE);

	cq = uobj->object;
	return uverbs_copy_to(attrs, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &cq->cqe, sizeof(cq->cqe));
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_CQ_CREATE,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_CQ_HANDLE, UVERBS_OBJECT_CQ,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_FD(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL,
					   UVERBS_OBJECT_COMP_CHANNEL, UVERBS_ACCESS_READ,
					   UA_OPTIONAL),
			    UVERBS_ATTR_FD(UVERBS_ATTR_CREATE_CQ_EVENT_FD,
					   UVERBS_OBJECT_ASYNC_EVENT, UVERBS_ACCESS_READ,
					   UA_OPTIONAL),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_CQ_CQE, UVERBS_ATTR_TYPE(u32),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR,
					       UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_CREATE_CQ_USER_HANDLE,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_CREATE_CQ_FLAGS,
						 enum ib_uverbs_ex_create_cq_flags),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_CREATE_CQ_RESP_CQE,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_UHW());

ADD_UVERBS_METHODS(cq_create_methods, UVERBS_OBJECT_CQ, &UVERBS_METHOD(UVERBS_METHOD_CQ_CREATE));

const struct uapi_definition uverbs_def_cq_create[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_CQ, &cq_create_methods),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_CREATE_CQ, legacy_create_cq,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_create_cq,
							   struct ib_uverbs_create_cq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(create_cq),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_CREATE_CQ, extended_create_cq,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(create_cq),
	{}
};
