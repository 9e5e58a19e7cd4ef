// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From an object's allocation to its commit or abort. All the while hw_destroy_rwsem is held for
 * reading: an object that is neither there nor not there would be overlooked when all are
 * destroyed.
 */

#include <linux/slab.h>

#include "object.h"

static int find_context(struct uverbs_attr_bundle *attrs)
{
	struct ib_ucontext *context;

	if (attrs->context)
		return 0;
	context = ib_uverbs_get_ucontext_file(attrs->ufile);
	if (IS_ERR(context))
		return PTR_ERR(context);
	attrs->context = context;
	return 0;
}

/**
 * uverbs_uobject_alloc - make an object that nobody else knows
 * @obj: what kind
 * @attrs: the call; its context is filled in
 *
 * It's in use for writing until it's committed.
 *
 * Return: the object, with a reference for the caller, or an ERR_PTR.
 */
struct ib_uobject *uverbs_uobject_alloc(const struct uverbs_api_object *obj,
					struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj;
	int ret;

	ret = find_context(attrs);
	if (ret)
		return ERR_PTR(ret);
	uobj = kzalloc(obj->type_attrs->obj_size, GFP_KERNEL);
	if (!uobj)
		return ERR_PTR(-ENOMEM);

	uobj->ufile = attrs->ufile;
	uobj->context = attrs->context;
	uobj->uapi_object = obj;
	INIT_LIST_HEAD(&uobj->list);
	kref_init(&uobj->ref);
	WARN_ON(uverbs_use(uobj, UVERBS_LOOKUP_WRITE));
	return uobj;
}

/**
 * rdma_alloc_begin_uobject - begin to make an object
 * @obj: what kind, from uapi_get_object(), whose error it may be
 * @attrs: the call
 *
 * What follows is rdma_alloc_commit_uobject() or rdma_alloc_abort_uobject().
 *
 * Context: Sleeps. Takes hw_destroy_rwsem for reading, if it succeeds.
 * Return: the object, or an ERR_PTR: -EIO if all objects are being destroyed, -EINVAL if there's no
 * such kind or the file has no context.
 */
struct ib_uobject *rdma_alloc_begin_uobject(const struct uverbs_api_object *obj,
					    struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_file *ufile = attrs->ufile;
	struct ib_uobject *uobj;

	if (IS_ERR(obj))
		return ERR_PTR(-EINVAL);
	if (!down_read_trylock(&ufile->hw_destroy_rwsem))
		return ERR_PTR(-EIO);

	uobj = obj->type_class->alloc_begin(obj, attrs);
	if (IS_ERR(uobj))
		up_read(&ufile->hw_destroy_rwsem);
	return uobj;
}

/**
 * rdma_alloc_commit_uobject - let a new object be seen
 * @uobj: the object; the caller's reference is gone afterwards
 * @attrs: the call
 *
 * Nothing can fail here, and as soon as its handle is there another thread can destroy it.
 *
 * Context: Sleeps. Releases hw_destroy_rwsem.
 */
void rdma_alloc_commit_uobject(struct ib_uobject *uobj, struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_file *ufile = attrs->ufile;

	uverbs_uobject_get(uobj);
	spin_lock_irq(&ufile->uobjects_lock);
	list_add(&uobj->list, &ufile->uobjects);
	spin_unlock_irq(&ufile->uobjects_lock);

	uverbs_unuse(uobj, UVERBS_LOOKUP_WRITE);
	uobj->uapi_object->type_class->alloc_commit(uobj);
	up_read(&ufile->hw_destroy_rwsem);
}

/**
 * rdma_alloc_abort_uobject - give up a new object
 * @uobj: the object; the caller's reference is gone afterwards
 * @attrs: the call
 * @hw_obj_valid: the driver's object is there, and is to be destroyed as well
 *
 * If the driver doesn't let its object go, the new object is committed after all: so it's at least
 * among those that are destroyed in the end.
 *
 * Context: Sleeps. Releases hw_destroy_rwsem.
 */
void rdma_alloc_abort_uobject(struct ib_uobject *uobj, struct uverbs_attr_bundle *attrs,
			      bool hw_obj_valid)
{
	const struct uverbs_obj_type_class *class = uobj->uapi_object->type_class;
	struct ib_uverbs_file *ufile = attrs->ufile;

	if (hw_obj_valid && WARN_ON(class->destroy_hw(uobj, RDMA_REMOVE_ABORT, attrs))) {
		rdma_alloc_commit_uobject(uobj, attrs);
		return;
	}

	class->alloc_abort(uobj);
	uverbs_uobject_put(uobj);
	up_read(&ufile->hw_destroy_rwsem);
}

/**
 * rdma_assign_uobject - replace an object, whose handle stays
 * @to_uobj: the old one, in use for writing; it's destroyed
 * @new_uobj: the new one, not yet committed; gets the handle
 * @attrs: the call
 *
 * The caller then commits @new_uobj and after that, not before, puts @to_uobj by
 * uobj_put_destroy(). If the driver doesn't let the old one go, it stays, as another handle that
 * the process doesn't know.
 *
 * Context: Sleeps. hw_destroy_rwsem is held for reading, for @new_uobj.
 */
void rdma_assign_uobject(struct ib_uobject *to_uobj, struct ib_uobject *new_uobj,
			 struct uverbs_attr_bundle *attrs)
{
	const struct uverbs_obj_type_class *class = to_uobj->uapi_object->type_class;

	if (WARN_ON(to_uobj->uapi_object != new_uobj->uapi_object || !class->swap_uobjects))
		return;

	class->swap_uobjects(to_uobj, new_uobj);
	if (uverbs_uobject_destroy(to_uobj, RDMA_REMOVE_DESTROY, attrs))
		uverbs_unuse(to_uobj, UVERBS_LOOKUP_WRITE);
}
