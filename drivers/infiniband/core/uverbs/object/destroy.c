// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* How one object ends. */

#include <linux/slab.h>

#include "object.h"

static void free_uobject(struct kref *ref)
{
	kfree_rcu(container_of(ref, struct ib_uobject, ref), rcu);
}

/**
 * uverbs_uobject_put - release a reference to an object's memory
 * @uobject: the object
 *
 * Source: linux/include/rdma/uverbs_types.h.
 * Context: Any.
 */
void uverbs_uobject_put(struct ib_uobject *uobject)
{
	kref_put(&uobject->ref, free_uobject);
}
EXPORT_SYMBOL(uverbs_uobject_put);

static void leave_list(struct ib_uobject *uobj)
{
	struct ib_uverbs_file *ufile = uobj->ufile;

	if (list_empty(&uobj->list))
		return;
	spin_lock_irq(&ufile->uobjects_lock);
	list_del_init(&uobj->list);
	spin_unlock_irq(&ufile->uobjects_lock);
	uverbs_uobject_put(uobj);
}

/**
 * uverbs_uobject_destroy - let the driver destroy its object
 * @uobj: the object, in use for writing; it may have been destroyed before
 * @why: the reason; but for DESTROY the handle stays, and finds what can only be destroyed
 * @attrs: the call, or what stands for one
 *
 * The caller has a reference. If the driver refuses, nothing has changed.
 *
 * Context: Sleeps. hw_destroy_rwsem is held.
 * Return: 0 or the driver's errno.
 */
int uverbs_uobject_destroy(struct ib_uobject *uobj, enum rdma_remove_reason why,
			   struct uverbs_attr_bundle *attrs)
{
	const struct uverbs_obj_type_class *class = uobj->uapi_object->type_class;
	int ret;

	lockdep_assert_held(&uobj->ufile->hw_destroy_rwsem);
	if (uobj->object) {
		ret = class->destroy_hw(uobj, why, attrs);
		if (ret)
			return ret;
		uobj->object = NULL;
	}

	uobj->context = NULL;
	if (why == RDMA_REMOVE_DESTROY)
		class->remove_handle(uobj);
	leave_list(uobj);
	return 0;
}

/**
 * uverbs_object_destroy - destroy an object on behalf of its process
 * @uobj: the object, looked up for destruction
 * @attrs: the call
 *
 * On success it stays in use for writing for ever: another thread may have looked it up before its
 * handle was taken away, and shall find it busy. The caller puts it as it would without success.
 *
 * Context: Sleeps.
 * Return: 0, -EBUSY if it's in use, or the driver's errno.
 */
int uverbs_object_destroy(struct ib_uobject *uobj, struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_file *ufile = attrs->ufile;
	int ret;

	down_read(&ufile->hw_destroy_rwsem);
	ret = uverbs_use(uobj, UVERBS_LOOKUP_WRITE);
	if (!ret) {
		ret = uverbs_uobject_destroy(uobj, RDMA_REMOVE_DESTROY, attrs);
		if (ret)
			uverbs_unuse(uobj, UVERBS_LOOKUP_WRITE);
	}
	up_read(&ufile->hw_destroy_rwsem);
	return ret;
}

/**
 * __uobj_get_destroy - find an object and destroy it
 * @obj: what kind
 * @id: its handle
 * @attrs: the call
 *
 * Context: Sleeps. In a section of disassociate_srcu.
 * Return: what is left of the object, to be put by uobj_put_destroy(), or an ERR_PTR.
 */
struct ib_uobject *__uobj_get_destroy(const struct uverbs_api_object *obj, u32 id,
				      struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj;
	int ret;

	uobj = rdma_lookup_get_uobject(obj, attrs->ufile, id, UVERBS_LOOKUP_DESTROY, attrs);
	if (IS_ERR(uobj))
		return uobj;

	ret = uverbs_object_destroy(uobj, attrs);
	if (ret) {
		uobj_put_destroy(uobj);
		return ERR_PTR(ret);
	}
	return uobj;
}

/**
 * __uobj_perform_destroy - find an object and destroy it, when nothing of it is needed any more
 * @obj: what kind
 * @id: its handle
 * @attrs: the call
 *
 * Context: Sleeps. In a section of disassociate_srcu.
 * Return: 0 or a negative errno.
 */
int __uobj_perform_destroy(const struct uverbs_api_object *obj, u32 id,
			   struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj = __uobj_get_destroy(obj, id, attrs);
	int ret = PTR_ERR_OR_ZERO(uobj);

	if (!ret)
		uobj_put_destroy(uobj);
	return ret;
}
