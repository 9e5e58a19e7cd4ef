/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * User objects. What the files of this part share.
 *
 * An object's memory lives as long as somebody holds a reference: the file's list and the handle
 * (or the open file, for an object that is a file) hold one each, and so does whoever has looked it
 * up. Its use lock is taken without ever waiting. Whether it's there for the hardware is another
 * matter: its member object is NULL once the driver is done with it.
 */
#ifndef RDMA_UVERBS_OBJECT_H
#define RDMA_UVERBS_OBJECT_H

#include "../uverbs.h"
#include "use.h"

/* handles.c */
int uverbs_handle_reserve(struct xarray *handles, int *id);
void uverbs_handle_publish(struct xarray *handles, int id, struct ib_uobject *uobj);
void uverbs_handle_free(struct xarray *handles, int id);
struct ib_uobject *uverbs_handle_get(struct xarray *handles, s64 id);
void uverbs_handle_swap(struct xarray *handles, struct ib_uobject *committed,
			struct ib_uobject *reserved);

/* create.c, for the classes */
struct ib_uobject *uverbs_uobject_alloc(const struct uverbs_api_object *obj,
					struct uverbs_attr_bundle *attrs);

/* destroy.c */
int uverbs_uobject_destroy(struct ib_uobject *uobj, enum rdma_remove_reason why,
			   struct uverbs_attr_bundle *attrs);

/* Whoever sees true in an SRCU section may use the device and its driver until the section ends. */
static inline bool uverbs_device_present(const struct ib_uverbs_file *ufile)
{
	return srcu_dereference(ufile->device->ib_dev, &ufile->device->disassociate_srcu);
}

#endif
