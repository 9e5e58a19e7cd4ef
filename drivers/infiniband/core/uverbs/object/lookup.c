// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* From what a process calls an object to the object, and back. */

#include "object.h"

/* Any kind that has a handle is asked for by -ENOMSG, see uapi_get_object(). */
static struct ib_uobject *find(const struct uverbs_api_object *obj, struct ib_uverbs_file *ufile,
			       s64 id, enum rdma_lookup_mode mode)
{
	if (obj == ERR_PTR(-ENOMSG))
		return uverbs_handle_get(&ufile->objects, id);
	if (IS_ERR(obj))
		return ERR_PTR(-EINVAL);
	return obj->type_class->lookup_get(obj, ufile, id, mode);
}

static int check_and_use(struct ib_uobject *uobj, const struct uverbs_api_object *obj,
			 enum rdma_lookup_mode mode)
{
	if (!IS_ERR(obj) && uobj->uapi_object != obj)
		return -EINVAL;
	if (mode != UVERBS_LOOKUP_DESTROY && !uverbs_device_present(uobj->ufile))
		return -EIO;
	return uverbs_use(uobj, mode);
}

static void forget(struct ib_uobject *uobj, enum rdma_lookup_mode mode)
{
	uobj->uapi_object->type_class->lookup_put(uobj, mode);
	uverbs_uobject_put(uobj);
}

/**
 * rdma_lookup_get_uobject - find an object and take its use lock
 * @obj: what kind, from uapi_get_object(), whose error it may be
 * @ufile: whose object
 * @id: its handle or descriptor
 * @mode: what for
 * @attrs: the call, whose context is set to the object's; or NULL
 *
 * Context: Sleeps. In a section of disassociate_srcu.
 * Return: the object, or an ERR_PTR: -ENOENT or -EBADF if there's none, -EINVAL if it's of another
 * kind, -EIO if the device is gone, -EBUSY if it's in use.
 */
struct ib_uobject *rdma_lookup_get_uobject(const struct uverbs_api_object *obj,
					   struct ib_uverbs_file *ufile, s64 id,
					   enum rdma_lookup_mode mode,
					   struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj;
	int ret;

	uobj = find(obj, ufile, id, mode);
	if (IS_ERR(uobj))
		return uobj;

	ret = check_and_use(uobj, obj, mode);
	if (ret) {
		forget(uobj, mode);
		return ERR_PTR(ret);
	}
	if (attrs)
		attrs->context = uobj->context;
	return uobj;
}

/**
 * rdma_lookup_put_uobject - give back what rdma_lookup_get_uobject() returned
 * @uobj: the object
 * @mode: as it was looked up
 *
 * Context: Any that may sleep.
 */
void rdma_lookup_put_uobject(struct ib_uobject *uobj, enum rdma_lookup_mode mode)
{
	uverbs_unuse(uobj, mode);
	forget(uobj, mode);
}
