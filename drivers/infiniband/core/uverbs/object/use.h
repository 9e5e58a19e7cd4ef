/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The use lock of an object: usecnt is the number of those who read, or -1 while there is one who
 * writes. Nobody waits for it; who comes at the wrong time is told that the object is busy.
 */
#ifndef RDMA_UVERBS_USE_H
#define RDMA_UVERBS_USE_H

#include <rdma/uverbs_types.h>

#define UVERBS_WRITER (-1)

/**
 * uverbs_use - take the use lock
 * @uobj: the object
 * @mode: READ or WRITE; DESTROY takes nothing, as uverbs_object_destroy() will take it
 *
 * Return: 0 or -EBUSY.
 */
static inline int uverbs_use(struct ib_uobject *uobj, enum rdma_lookup_mode mode)
{
	bool ok = true;

	if (mode == UVERBS_LOOKUP_READ)
		ok = atomic_add_unless(&uobj->usecnt, 1, UVERBS_WRITER);
	else if (mode == UVERBS_LOOKUP_WRITE)
		ok = atomic_cmpxchg(&uobj->usecnt, 0, UVERBS_WRITER) == 0;
	return ok ? 0 : -EBUSY;
}

/**
 * uverbs_unuse - give the use lock back
 * @uobj: the object
 * @mode: as it was taken
 */
static inline void uverbs_unuse(struct ib_uobject *uobj, enum rdma_lookup_mode mode)
{
	if (mode == UVERBS_LOOKUP_READ)
		atomic_dec(&uobj->usecnt);
	else if (mode == UVERBS_LOOKUP_WRITE)
		atomic_set_release(&uobj->usecnt, 0);
}

#endif
