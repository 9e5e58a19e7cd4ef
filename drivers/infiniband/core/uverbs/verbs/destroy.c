// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The write() form of destroying objects that have nothing to answer. */

#include "verbs.h"

/* A command that consists of the handle of an object of kind @object_id. */
int uverbs_destroy_by_handle(struct uverbs_attr_bundle *attrs, u16 object_id)
{
	u32 handle;
	int ret = uverbs_request(attrs, &handle, sizeof(handle));

	return ret ?: uobj_perform_destroy(object_id, handle, attrs);
}
