// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The operations of a device, put together from several tables. */

#include <linux/export.h>
#include <linux/bug.h>
#include <linux/stddef.h>

#include "device.h"

#define OPS typeof_member(struct ib_device, ops)

/*
 * From device_group on, the structure has pointers and sizes only, each as long as a word, of which
 * zero means "not set". So they can be merged without being named.
 */
#define FIRST_WORD offsetof(OPS, device_group)

static_assert(sizeof(size_t) == sizeof(void *));
static_assert(FIRST_WORD % sizeof(void *) == 0);
static_assert(offsetof(OPS, size_ib_xrcd) + sizeof(size_t) == sizeof(OPS));

static void merge_words(void *to, const void *from)
{
	const uintptr_t *from_word = from + FIRST_WORD;
	uintptr_t *to_word = to + FIRST_WORD;
	size_t i;

	for (i = 0; i < (sizeof(OPS) - FIRST_WORD) / sizeof(*to_word); i++)
		if (from_word[i] && !to_word[i])
			to_word[i] = from_word[i];
}

/**
 * ib_set_device_ops - give a device operations
 * @device: the device
 * @ops: what it can do; what isn't set in it stays as it is
 *
 * Can be called several times: an operation (and size of an object, and sysfs group) stays what the
 * first table with it said, and only uverbs_abi_ver is what the last one said. Drivers add tables
 * even when the device is registered, for what nobody can have asked for before.
 *
 * Context: Any; the caller serializes.
 */
void ib_set_device_ops(struct ib_device *device, const struct ib_device_ops *ops)
{
	typeof(device->ops) *to = &device->ops;

	if (ops->driver_id != RDMA_DRIVER_UNKNOWN) {
		WARN_ON(to->driver_id != RDMA_DRIVER_UNKNOWN && to->driver_id != ops->driver_id);
		to->driver_id = ops->driver_id;
	}
	if (ops->owner) {
		WARN_ON(to->owner && to->owner != ops->owner);
		to->owner = ops->owner;
	}
	if (ops->uverbs_abi_ver)
		to->uverbs_abi_ver = ops->uverbs_abi_ver;
	to->uverbs_no_driver_id_binding |= ops->uverbs_no_driver_id_binding;
	merge_words(to, ops);
}
EXPORT_SYMBOL(ib_set_device_ops);
