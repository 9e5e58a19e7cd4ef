// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What a command's specification says of an object: read, write, new or destroy. */

#include "object.h"

/**
 * uverbs_object_acquire - find or begin an object, as a command's specification has it
 * @object_id: what kind
 * @access: what the command does to it
 * @id: its handle or descriptor; of no meaning for a new one
 * @attrs: the call
 *
 * It isn't destroyed here: uverbs_object_destroy() does that once the whole call has been checked.
 *
 * Return: the object or an ERR_PTR.
 */
struct ib_uobject *uverbs_object_acquire(u16 object_id, enum uverbs_obj_access access, s64 id,
					 struct uverbs_attr_bundle *attrs)
{
	struct uverbs_api *api = attrs->ufile->device->uapi;
	const struct uverbs_api_object *obj = uapi_get_object(api, object_id);

	switch (access) {
	case UVERBS_ACCESS_READ:
		return rdma_lookup_get_uobject(obj, attrs->ufile, id, UVERBS_LOOKUP_READ, attrs);
	case UVERBS_ACCESS_WRITE:
		return rdma_lookup_get_uobject(obj, attrs->ufile, id, UVERBS_LOOKUP_WRITE, attrs);
	case UVERBS_ACCESS_NEW:
		return rdma_alloc_begin_uobject(obj, attrs);
	case UVERBS_ACCESS_DESTROY:
		return rdma_lookup_get_uobject(obj, attrs->ufile, id, UVERBS_LOOKUP_DESTROY, attrs);
	}
	return ERR_PTR(-EOPNOTSUPP);
}

/**
 * uverbs_object_release - the end of what uverbs_object_acquire() began
 * @uobj: the object
 * @access: as there
 * @hw_obj_valid: the driver's object is there; only for a new one
 * @commit: the call has succeeded; only for a new one
 * @attrs: the call
 */
void uverbs_object_release(struct ib_uobject *uobj, enum uverbs_obj_access access,
			   bool hw_obj_valid, bool commit, struct uverbs_attr_bundle *attrs)
{
	switch (access) {
	case UVERBS_ACCESS_READ:
		rdma_lookup_put_uobject(uobj, UVERBS_LOOKUP_READ);
		break;
	case UVERBS_ACCESS_WRITE:
		rdma_lookup_put_uobject(uobj, UVERBS_LOOKUP_WRITE);
		break;
	case UVERBS_ACCESS_NEW:
		if (commit)
			rdma_alloc_commit_uobject(uobj, attrs);
		else
			rdma_alloc_abort_uobject(uobj, attrs, hw_obj_valid);
		break;
	case UVERBS_ACCESS_DESTROY:
		rdma_lookup_put_uobject(uobj, UVERBS_LOOKUP_DESTROY);
		break;
	}
}
