// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* How all objects of a file end: with the file, or with the device. */

#include <linux/sched.h>

#include "object.h"

/**
 * uverbs_objects_init - prepare a file for objects
 * @file: the file
 */
void uverbs_objects_init(struct ib_uverbs_file *file)
{
	init_rwsem(&file->hw_destroy_rwsem);
	spin_lock_init(&file->uobjects_lock);
	INIT_LIST_HEAD(&file->uobjects);
	xa_init_flags(&file->objects, XA_FLAGS_ALLOC);
}

static bool destroy_one(struct ib_uobject *uobj, enum rdma_remove_reason why)
{
	struct uverbs_attr_bundle attrs = { .ufile = uobj->ufile, .context = uobj->context };
	bool done;

	/* There are no calls any more that could use it. */
	WARN_ON(uverbs_use(uobj, UVERBS_LOOKUP_WRITE));
	uverbs_uobject_get(uobj);
	done = !uverbs_uobject_destroy(uobj, why, &attrs);
	uverbs_unuse(uobj, UVERBS_LOOKUP_WRITE);
	uverbs_uobject_put(uobj);
	return done;
}

/* The newest first, as what was made later may be made of what was there before. */
static bool destroy_pass(struct ib_uverbs_file *file, enum rdma_remove_reason why)
{
	struct ib_uobject *uobj, *next;
	bool any = false;

	list_for_each_entry_safe(uobj, next, &file->uobjects, list) {
		any |= destroy_one(uobj, why);
		cond_resched();
	}
	return any;
}

/*
 * Until all are gone, or none goes in two passes: hardware may refuse once what it does the next
 * time.
 */
static void destroy_in_passes(struct ib_uverbs_file *file, enum rdma_remove_reason why)
{
	int futile = 0;

	while (!list_empty(&file->uobjects) && futile < 2)
		futile = destroy_pass(file, why) ? 0 : futile + 1;
}

/* The driver doesn't let go of them. The memory of hardware is lost, and ours is not. */
static void forget_all(struct ib_uverbs_file *file)
{
	struct ib_uobject *uobj;

	list_for_each_entry(uobj, &file->uobjects, list)
		uobj->object = NULL;
	destroy_pass(file, RDMA_REMOVE_DRIVER_FAILURE);
}

/**
 * uverbs_objects_destroy_all - destroy all objects of a file, and its context
 * @file: the file; no call on it is under way, nor can one begin that would use an object
 * @why: CLOSE or DRIVER_REMOVE
 *
 * An object that is in use by another is refused by its driver, so it takes several passes if the
 * order of creation wasn't that of dependence. Handles stay until uverbs_objects_cleanup(), so that
 * after removal of the device a process can still destroy what it had.
 *
 * Context: Sleeps. Takes hw_destroy_rwsem for writing.
 */
void uverbs_objects_destroy_all(struct ib_uverbs_file *file, enum rdma_remove_reason why)
{
	down_write(&file->hw_destroy_rwsem);
	if (file->ucontext) {
		destroy_in_passes(file, why);
		if (WARN_ON(!list_empty(&file->uobjects)))
			forget_all(file);
		uverbs_destroy_ucontext(file, why);
	}
	up_write(&file->hw_destroy_rwsem);
}

/**
 * uverbs_objects_cleanup - forget the handles that are left
 * @file: the file, which nobody has any more; its objects have been destroyed
 */
void uverbs_objects_cleanup(struct ib_uverbs_file *file)
{
	struct ib_uobject *uobj;
	unsigned long id;

	xa_for_each(&file->objects, id, uobj)
		uverbs_uobject_put(uobj);
	xa_destroy(&file->objects);
}
