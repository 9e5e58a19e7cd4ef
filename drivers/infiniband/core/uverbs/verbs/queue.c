// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What queues with asynchronous events have in common. */

#include "verbs.h"

/*
 * The write() commands that destroy. The library waits until the process has acknowledged as many
 * events as were read.
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
