// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Counters, which flows feed: one that nothing feeds can't be read. */

#include <linux/slab.h>

#include "verbs.h"

static struct ib_counters *create_counters(struct ib_device *ib_dev, struct ib_uobject *uobj,
					   struct uverbs_attr_bundle *attrs)
{
	struct ib_counters *counters = rdma_zalloc_drv_obj(ib_dev, ib_counters);
	int ret;

	if (!counters)
		return ERR_PTR(-ENOMEM);
	counters->uobject = uobj;
	counters->device = ib_dev;
	ret = ib_dev->ops.create_counters(counters, attrs);
	if (ret) {
		kfree(counters);
		return ERR_PTR(ret);
	}
	return counters;
}

static int UVERBS_HANDLER(UVERBS_METHOD_COUNTERS_CREATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, UVERBS_ATTR_CREATE_COUNTERS_HANDLE);
	struct ib_counters *counters;

	if (!attrs->context->device->ops.create_counters)
		return -EOPNOTSUPP;
	counters = create_counters(attrs->context->device, uobj, attrs);
	if (IS_ERR(counters))
		return PTR_ERR(counters);
	uobj->object = counters;
	return 0;
}

static int UVERBS_HANDLER(UVERBS_METHOD_COUNTERS_READ)(struct uverbs_attr_bundle *attrs)
{
	struct ib_counters *counters = uverbs_attr_get_obj(attrs, UVERBS_ATTR_READ_COUNTERS_HANDLE);
	struct ib_counters_read_attr read = {};
	int length, ret;

	if (!counters->device->ops.read_counters)
		return -EOPNOTSUPP;
	if (!atomic_read(&counters->usecnt))
		return -EINVAL;
	ret = uverbs_get_flags32(&read.flags, attrs, UVERBS_ATTR_READ_COUNTERS_FLAGS,
				 IB_UVERBS_READ_COUNTERS_PREFER_CACHED);
	if (ret)
		return ret;

	length = uverbs_attr_get_len(attrs, UVERBS_ATTR_READ_COUNTERS_BUFF);
	if (length < 0)
		return length;
	read.ncounters = length / sizeof(u64);
	read.counters_buff = uverbs_kcalloc(attrs, read.ncounters, sizeof(u64));
	if (IS_ERR(read.counters_buff))
		return PTR_ERR(read.counters_buff);
	ret = counters->device->ops.read_counters(counters, &read, attrs);
	if (ret)
		return ret;
	return uverbs_copy_to(attrs, UVERBS_ATTR_READ_COUNTERS_BUFF, read.counters_buff,
			      read.ncounters * sizeof(u64));
}

static int destroy_counters(struct ib_uobject *uobj, enum rdma_remove_reason why,
			    struct uverbs_attr_bundle *attrs)
{
	struct ib_counters *counters = uobj->object;
	int ret;

	if (atomic_read(&counters->usecnt))
		return -EBUSY;
	ret = counters->device->ops.destroy_counters(counters);
	if (!ret)
		kfree(counters);
	return ret;
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_COUNTERS_CREATE,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_CREATE_COUNTERS_HANDLE,
					    UVERBS_OBJECT_COUNTERS, UVERBS_ACCESS_NEW,
					    UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_COUNTERS_READ,
			    UVERBS_ATTR_IDR(UVERBS_ATTR_READ_COUNTERS_HANDLE,
					    UVERBS_OBJECT_COUNTERS, UVERBS_ACCESS_READ,
					    UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_READ_COUNTERS_FLAGS,
						 enum ib_uverbs_read_counters_flags),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_READ_COUNTERS_BUFF,
						UVERBS_ATTR_MIN_SIZE(0), UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD_DESTROY(UVERBS_METHOD_COUNTERS_DESTROY,
				    UVERBS_ATTR_IDR(UVERBS_ATTR_DESTROY_COUNTERS_HANDLE,
						    UVERBS_OBJECT_COUNTERS, UVERBS_ACCESS_DESTROY,
						    UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_COUNTERS, UVERBS_TYPE_ALLOC_IDR(destroy_counters),
			    &UVERBS_METHOD(UVERBS_METHOD_COUNTERS_CREATE),
			    &UVERBS_METHOD(UVERBS_METHOD_COUNTERS_READ),
			    &UVERBS_METHOD(UVERBS_METHOD_COUNTERS_DESTROY));

const struct uapi_definition uverbs_def_counters[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_COUNTERS),
	UAPI_DEF_OBJ_NEEDS_FN(destroy_counters),
	{}
};
