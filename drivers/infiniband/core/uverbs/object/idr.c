// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The class of objects that a process knows by a handle: nearly all. */

#include "object.h"

static void uncharge(struct ib_uobject *uobj)
{
	ib_rdmacg_uncharge(&uobj->cg_obj, uobj->context->device, RDMACG_RESOURCE_HCA_OBJECT);
}

static struct ib_uobject *idr_alloc_begin(const struct uverbs_api_object *obj,
					  struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = uverbs_uobject_alloc(obj, attrs);
	int ret;

	if (IS_ERR(uobj))
		return uobj;

	ret = uverbs_handle_reserve(&uobj->ufile->objects, &uobj->id);
	if (ret)
		goto put;
	ret = ib_rdmacg_try_charge(&uobj->cg_obj, uobj->context->device,
				   RDMACG_RESOURCE_HCA_OBJECT);
	if (ret)
		goto free_handle;
	return uobj;

free_handle:
	uverbs_handle_free(&uobj->ufile->objects, uobj->id);
put:
	uverbs_uobject_put(uobj);
	return ERR_PTR(ret);
}

static void idr_alloc_commit(struct ib_uobject *uobj)
{
	uverbs_handle_publish(&uobj->ufile->objects, uobj->id, uobj);
}

static void idr_alloc_abort(struct ib_uobject *uobj)
{
	uncharge(uobj);
	uverbs_handle_free(&uobj->ufile->objects, uobj->id);
}

static struct ib_uobject *idr_lookup_get(const struct uverbs_api_object *obj,
					 struct ib_uverbs_file *ufile, s64 id,
					 enum rdma_lookup_mode mode)
{
	return uverbs_handle_get(&ufile->objects, id);
}

static void idr_lookup_put(struct ib_uobject *uobj, enum rdma_lookup_mode mode)
{
}

/* An aborted object is uncharged with its handle. */
static int idr_destroy_hw(struct ib_uobject *uobj, enum rdma_remove_reason why,
			  struct uverbs_attr_bundle *attrs)
{
	const struct uverbs_obj_idr_type *type =
		container_of(uobj->uapi_object->type_attrs, struct uverbs_obj_idr_type, type);
	int ret;

	ret = type->destroy_object(uobj, why, attrs);
	if (!ret && why != RDMA_REMOVE_ABORT)
		uncharge(uobj);
	return ret;
}

static void idr_remove_handle(struct ib_uobject *uobj)
{
	uverbs_handle_free(&uobj->ufile->objects, uobj->id);
	uverbs_uobject_put(uobj);
}

static void idr_swap_uobjects(struct ib_uobject *committed, struct ib_uobject *reserved)
{
	uverbs_handle_swap(&committed->ufile->objects, committed, reserved);
}

/**
 * DOC: uverbs_idr_class - objects that a process knows by a handle
 *
 * For UVERBS_TYPE_ALLOC_IDR() alone. Source: linux/include/rdma/uverbs_types.h.
 */
const struct uverbs_obj_type_class uverbs_idr_class = {
	.alloc_begin = idr_alloc_begin,
	.alloc_commit = idr_alloc_commit,
	.alloc_abort = idr_alloc_abort,
	.lookup_get = idr_lookup_get,
	.lookup_put = idr_lookup_put,
	.destroy_hw = idr_destroy_hw,
	.remove_handle = idr_remove_handle,
	.swap_uobjects = idr_swap_uobjects,
};
EXPORT_SYMBOL(uverbs_idr_class);
