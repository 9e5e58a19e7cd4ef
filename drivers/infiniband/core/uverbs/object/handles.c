// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The handles of a file: numbers from 0 up, the lowest free one first. A handle is reserved before
 * its object exists, and finds nothing until the object is published.
 */

#include "object.h"

/**
 * uverbs_handle_reserve - take the lowest free handle
 * @handles: the file's
 * @id: returns it
 *
 * Return: 0 or a negative errno.
 */
int uverbs_handle_reserve(struct xarray *handles, int *id)
{
	u32 free;
	int ret;

	ret = xa_alloc(handles, &free, NULL, XA_LIMIT(0, INT_MAX), GFP_KERNEL);
	if (!ret)
		*id = free;
	return ret;
}

/**
 * uverbs_handle_publish - let a reserved handle find its object
 * @handles: the file's
 * @id: the handle
 * @uobj: the object, of which the handle takes over a reference
 *
 * It can't fail: the place is there.
 */
void uverbs_handle_publish(struct xarray *handles, int id, struct ib_uobject *uobj)
{
	WARN_ON(xa_is_err(xa_store(handles, id, uobj, GFP_KERNEL)));
}

/**
 * uverbs_handle_free - give a handle back, reserved or published
 * @handles: the file's
 * @id: the handle
 *
 * The reference that a published handle has becomes the caller's.
 */
void uverbs_handle_free(struct xarray *handles, int id)
{
	xa_erase(handles, id);
}

/**
 * uverbs_handle_get - find an object by its handle
 * @handles: the file's
 * @id: what the process calls its handle
 *
 * Return: the object, with a reference for the caller, or an ERR_PTR.
 */
struct ib_uobject *uverbs_handle_get(struct xarray *handles, s64 id)
{
	struct ib_uobject *uobj;

	if (id < 0)
		return ERR_PTR(-EINVAL);
	if (id > INT_MAX)
		return ERR_PTR(-ENOENT);

	rcu_read_lock();
	uobj = xa_load(handles, id);
	if (uobj && !kref_get_unless_zero(&uobj->ref))
		uobj = NULL;
	rcu_read_unlock();
	return uobj ?: ERR_PTR(-ENOENT);
}

/**
 * uverbs_handle_swap - give the handle of an object to the one that is to replace it
 * @handles: the file's
 * @committed: has a published handle, gets the reserved one, which is published
 * @reserved: has a reserved handle, gets that of @committed
 *
 * Until @reserved is published its new handle still finds @committed, which its use lock keeps from
 * being used: others see that it's busy, at no time that it isn't there.
 */
void uverbs_handle_swap(struct xarray *handles, struct ib_uobject *committed,
			struct ib_uobject *reserved)
{
	swap(committed->id, reserved->id);
	uverbs_handle_publish(handles, committed->id, committed);
}
