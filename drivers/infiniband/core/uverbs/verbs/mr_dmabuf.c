// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registering memory that another device exports as a dma-buf. */

#include "verbs.h"

#define DMABUF_ACCESS                                                                              \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_WRITE |                  \
	 IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_RELAXED_ORDERING)

struct dmabuf_range {
	u64 offset;
	u64 length;
	u64 iova;
	u32 fd;
	u32 access_flags;
};

static int read_range(struct dmabuf_range *range, struct uverbs_attr_bundle *attrs)
{
	int ret;

	ret = uverbs_copy_from(&range->offset, attrs, UVERBS_ATTR_REG_DMABUF_MR_OFFSET);
	if (!ret)
		ret = uverbs_copy_from(&range->length, attrs, UVERBS_ATTR_REG_DMABUF_MR_LENGTH);
	if (!ret)
		ret = uverbs_copy_from(&range->iova, attrs, UVERBS_ATTR_REG_DMABUF_MR_IOVA);
	if (!ret && !uverbs_mr_range_ok(range->offset, range->length, range->iova))
		ret = -EINVAL;
	if (!ret)
		ret = uverbs_copy_from(&range->fd, attrs, UVERBS_ATTR_REG_DMABUF_MR_FD);
	if (!ret)
		ret = uverbs_get_flags32(&range->access_flags, attrs,
					 UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, DMABUF_ACCESS);
	return ret;
}

static int UVERBS_HANDLER(UVERBS_METHOD_REG_DMABUF_MR)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_REG_DMABUF_MR_HANDLE);
	struct ib_pd *pd = uverbs_attr_get_obj(attrs, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE);
	struct dmabuf_range range;
	struct ib_mr *mr;
	int ret;

	if (!pd->device->ops.reg_user_mr_dmabuf)
		return -EOPNOTSUPP;
	ret = read_range(&range, attrs);
	if (!ret)
		ret = ib_check_mr_access(pd->device, range.access_flags);
	if (ret)
		return ret;

	mr = pd->device->ops.reg_user_mr_dmabuf(pd, range.offset, range.length, range.iova,
						range.fd, range.access_flags, attrs);
	if (IS_ERR(mr))
		return PTR_ERR(mr);
	mr->iova = range.iova;
	mr->length = range.length;
	uverbs_mr_created(mr, IB_MR_TYPE_USER, pd, uobj);
	uverbs_finalize_uobj_create(attrs, UVERBS_ATTR_REG_DMABUF_MR_HANDLE);
	return uverbs_mr_keys(attrs, mr, UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY,
			      UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY);
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_REG_DMABUF_MR,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_REG_DMABUF_MR_HANDLE, UVERBS_OBJECT_MR,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_REG_DMABUF_MR_OFFSET,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_REG_DMABUF_MR_LENGTH,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_REG_DMABUF_MR_IOVA,
					       UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_REG_DMABUF_MR_FD, UVERBS_ATTR_TYPE(u32),
					       UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS,
						 enum ib_access_flags),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

ADD_UVERBS_METHODS(mr_dmabuf_methods, UVERBS_OBJECT_MR,
		   &UVERBS_METHOD(UVERBS_METHOD_REG_DMABUF_MR));

const struct uapi_definition uverbs_def_mr_dmabuf[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &mr_dmabuf_methods),
	{}
};
