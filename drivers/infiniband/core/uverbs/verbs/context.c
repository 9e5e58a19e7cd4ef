// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A file's context, without which there are no objects. It comes once and stays until the end. */

#include "verbs.h"

static const u64 core_support = IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS;

/* Both attributes are optional. */
static int answer(struct uverbs_attr_bundle *attrs, u16 num_comp_vectors_id, u16 core_support_id)
{
	u32 num_comp_vectors = attrs->ufile->device->num_comp_vectors;
	int ret;

	ret = uverbs_copy_to(attrs, num_comp_vectors_id, &num_comp_vectors,
			     sizeof(num_comp_vectors));
	if (IS_UVERBS_COPY_ERR(ret))
		return ret;
	ret = uverbs_copy_to(attrs, core_support_id, &core_support, sizeof(core_support));
	return IS_UVERBS_COPY_ERR(ret) ? ret : 0;
}

/* The answer goes first, since a context can't be taken back. */
static int UVERBS_HANDLER(UVERBS_METHOD_GET_CONTEXT)(struct uverbs_attr_bundle *attrs)
{
	int ret;

	ret = answer(attrs, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS,
		     UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT);
	if (!ret)
		ret = uverbs_alloc_ucontext(attrs);
	if (ret)
		return ret;
	ret = uverbs_init_ucontext(attrs);
	if (ret)
		uverbs_free_ucontext(attrs);
	return ret;
}

/* With the context comes its first asynchronous event file. The answer goes first here, too. */
static int init_with_async_file(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_get_context_resp response = {
		.num_comp_vectors = attrs->ufile->device->num_comp_vectors,
	};
	struct ib_device *ib_dev;
	struct ib_uobject *uobj;
	int ret;

	uobj = uobj_alloc(UVERBS_OBJECT_ASYNC_EVENT, attrs, &ib_dev);
	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	response.async_fd = uobj->id;
	ret = uverbs_response(attrs, &response, sizeof(response));
	if (!ret)
		ret = uverbs_init_ucontext(attrs);
	if (ret) {
		uobj_alloc_abort(uobj, attrs);
		return ret;
	}
	uverbs_async_file_init(container_of(uobj, struct uverbs_async_file, uobj));
	rdma_alloc_commit_uobject(uobj, attrs);
	return 0;
}

static int write_get_context(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_get_context request;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (!ret)
		ret = uverbs_alloc_ucontext(attrs);
	if (ret)
		return ret;
	ret = init_with_async_file(attrs);
	if (ret)
		uverbs_free_ucontext(attrs);
	return ret;
}

static int UVERBS_HANDLER(UVERBS_METHOD_QUERY_CONTEXT)(struct uverbs_attr_bundle *attrs)
{
	struct ib_ucontext *ucontext = ib_uverbs_get_ucontext(attrs);
	int ret;

	if (IS_ERR(ucontext))
		return PTR_ERR(ucontext);
	if (!ucontext->device->ops.query_ucontext)
		return -EOPNOTSUPP;
	ret = answer(attrs, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS,
		     UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT);
	return ret ?: ucontext->device->ops.query_ucontext(ucontext, attrs);
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_GET_CONTEXT,
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS,
						UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT,
						UVERBS_ATTR_TYPE(u64), UA_OPTIONAL),
			    UVERBS_ATTR_UHW());

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_QUERY_CONTEXT,
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS,
						UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT,
						UVERBS_ATTR_TYPE(u64), UA_OPTIONAL));

DECLARE_UVERBS_GLOBAL_METHODS(UVERBS_OBJECT_DEVICE, &UVERBS_METHOD(UVERBS_METHOD_GET_CONTEXT),
			      &UVERBS_METHOD(UVERBS_METHOD_QUERY_CONTEXT));

const struct uapi_definition uverbs_def_context[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_DEVICE),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_GET_CONTEXT, write_get_context,
			     UVERBS_UDATA_REQUEST_RESPONSE(struct ib_uverbs_get_context,
							   struct ib_uverbs_get_context_resp)),
	{}
};
