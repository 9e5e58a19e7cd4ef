// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The write() forms of destroying. */

#include "verbs.h"

/* A command that consists of the handle of an object of kind @object_id. */
int uverbs_destroy_by_handle(struct uverbs_attr_bundle *attrs, u16 object_id)
{
	u32 handle;
	int ret = uverbs_request(attrs, &handle, sizeof(handle));

	return ret ?: uobj_perform_destroy(object_id, handle, attrs);
}

/*
 * Of a queue, the process learns how many of its asynchronous events were read: the library waits
 * until all of these are acknowledged.
 */
int uverbs_destroy_queue(struct uverbs_attr_bundle *attrs, u16 object_id, u32 handle,
			 u32 *events_reported)
{
	struct ib_uobject *uobj = uobj_get_destroy(object_id, handle, attrs);

	if (IS_ERR(uobj))
		return PTR_ERR(uobj);
	*events_reported = container_of(uobj, struct ib_uevent_object, uobject)->events_reported;
	uobj_put_destroy(uobj);
	return 0;
}
