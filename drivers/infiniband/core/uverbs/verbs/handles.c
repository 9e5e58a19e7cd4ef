// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The handles of a file's objects of one kind. */

#include "verbs.h"

/* As many as there's room for. */
static u32 list_handles(struct ib_uverbs_file *file, const struct uverbs_api_object *kind,
			u32 *handles, u32 max)
{
	struct ib_uobject *uobj;
	u32 count = 0;

	spin_lock_irq(&file->uobjects_lock);
	list_for_each_entry(uobj, &file->uobjects, list) {
		if (count == max)
			break;
		if (uobj->uapi_object == kind)
			handles[count++] = uobj->id;
	}
	spin_unlock_irq(&file->uobjects_lock);
	return count;
}

static int UVERBS_HANDLER(UVERBS_METHOD_INFO_HANDLES)(struct uverbs_attr_bundle *attrs)
{
	const struct uverbs_api_object *kind;
	u32 *handles, count;
	u16 object_id;
	int ret, max;

	max = uverbs_attr_ptr_get_array_size(attrs, UVERBS_ATTR_INFO_HANDLES_LIST,
					     sizeof(*handles));
	if (max <= 0)
		return -EINVAL;
	ret = uverbs_get_const(&object_id, attrs, UVERBS_ATTR_INFO_OBJECT_ID);
	if (ret)
		return ret;
	kind = uapi_get_object(attrs->ufile->device->uapi, object_id);
	if (IS_ERR(kind))
		return PTR_ERR(kind);
	handles = uverbs_kcalloc(attrs, max, sizeof(*handles));
	if (IS_ERR(handles))
		return PTR_ERR(handles);

	count = list_handles(attrs->ufile, kind, handles, max);
	ret = uverbs_copy_to(attrs, UVERBS_ATTR_INFO_HANDLES_LIST, handles,
			     count * sizeof(*handles));
	return ret ?: uverbs_copy_to(attrs, UVERBS_ATTR_INFO_TOTAL_HANDLES, &count, sizeof(count));
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_INFO_HANDLES,
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_INFO_OBJECT_ID,
						 enum uverbs_default_objects, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_INFO_TOTAL_HANDLES,
						UVERBS_ATTR_TYPE(u32), UA_OPTIONAL),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_INFO_HANDLES_LIST,
						UVERBS_ATTR_MIN_SIZE(sizeof(u32)), UA_OPTIONAL));

DECLARE_UVERBS_GLOBAL_METHODS(UVERBS_OBJECT_DEVICE, &UVERBS_METHOD(UVERBS_METHOD_INFO_HANDLES));

const struct uapi_definition uverbs_def_handles[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_DEVICE),
	{}
};
