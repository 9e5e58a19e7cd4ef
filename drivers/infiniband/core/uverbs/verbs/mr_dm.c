// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registering memory of the device (dm.c). Its addresses begin at zero. */

#include "verbs.h"

static int read_attr(struct ib_dm_mr_attr *attr, struct uverbs_attr_bundle *attrs)
{
	int ret;

	ret = uverbs_copy_from(&attr->offset, attrs, UVERBS_ATTR_REG_DM_MR_OFFSET);
	if (!ret)
		ret = uverbs_copy_from(&attr->length, attrs, UVERBS_ATTR_REG_DM_MR_LENGTH);
	if (!ret)
		ret = uverbs_get_flags32(&attr->access_flags, attrs,
					 UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS, IB_ACCESS_SUPPORTED);
	return ret;
}

static int check_attr(const struct ib_dm_mr_attr *attr, const struct ib_dm *dm)
{
	int ret;

	if (!(attr->access_flags & IB_ZERO_BASED))
		return -EINVAL;
	ret = ib_check_mr_access(dm->device, attr->access_flags);
	if (ret)
		return ret;
	if (attr->length > dm->length || attr->offset > dm->length - attr->length)
		return -EINVAL;
	return 0;
}

static int UVERBS_HANDLER(UVERBS_METHOD_DM_MR_REG)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, UVERBS_ATTR_REG_DM_MR_HANDLE);
	struct ib_dm *dm = uverbs_attr_get_obj(attrs, UVERBS_ATTR_REG_DM_MR_DM_HANDLE);
	struct ib_pd *pd = uverbs_attr_get_obj(attrs, UVERBS_ATTR_REG_DM_MR_PD_HANDLE);
	struct ib_dm_mr_attr attr = {};
	struct ib_mr *mr;
	int ret;

	if (!pd->device->ops.reg_dm_mr)
		return -EOPNOTSUPP;
	ret = read_attr(&attr, attrs);
	if (!ret)
		ret = check_attr(&attr, dm);
	if (ret)
		return ret;

	mr = pd->device->ops.reg_dm_mr(pd, dm, &attr, attrs);
	if (IS_ERR(mr))
		return PTR_ERR(mr);
	uverbs_mr_created(mr, IB_MR_TYPE_DM, pd, uobj);
	mr->dm = dm;
	atomic_inc(&dm->usecnt);
	uverbs_finalize_uobj_create(attrs, UVERBS_ATTR_REG_DM_MR_HANDLE);
	return uverbs_mr_keys(attrs, mr, UVERBS_ATTR_REG_DM_MR_RESP_LKEY,
			      UVERBS_ATTR_REG_DM_MR_RESP_RKEY);
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_DM_MR_REG,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_REG_DM_MR_HANDLE, UVERBS_OBJECT_MR,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_REG_DM_MR_PD_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_IDR(UVERBS_ATTR_REG_DM_MR_DM_HANDLE, UVERBS_OBJECT_DM,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_REG_DM_MR_OFFSET, UVERBS_ATTR_TYPE(u64),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(UVERBS_ATTR_REG_DM_MR_LENGTH, UVERBS_ATTR_TYPE(u64),
					       UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS,
						 enum ib_access_flags),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_REG_DM_MR_RESP_LKEY,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_REG_DM_MR_RESP_RKEY,
						UVERBS_ATTR_TYPE(u32), UA_MANDATORY));

ADD_UVERBS_METHODS(mr_dm_methods, UVERBS_OBJECT_MR, &UVERBS_METHOD(UVERBS_METHOD_DM_MR_REG));

const struct uapi_definition uverbs_def_mr_dm[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &mr_dm_methods),
	{}
};
