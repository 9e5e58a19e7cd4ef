// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Looking at tracked resources. */

#include <linux/err.h>
#include <linux/export.h>

#include "netlink.h"

/**
 * rdma_restrack_count - how many resources of a kind there are
 * @device: the device
 * @type: the kind
 * @details: count those that only the driver knows the purpose of, too
 *
 * Context: Any but hard interrupt.
 *
 * Return: their number.
 */
int rdma_restrack_count(struct ib_device *device, enum rdma_restrack_type type, bool details)
{
	struct rdma_restrack_root *root = &device->res[type];
	u32 count;

	xa_lock(&root->xa);
	count = details ? root->live : root->live - root->live_details;
	xa_unlock(&root->xa);
	return count;
}
EXPORT_SYMBOL(rdma_restrack_count);

/* Under the lock of its xa. */
static bool get_live(struct rdma_restrack_entry *res)
{
	return rdma_restrack_is_tracked(res) && rdma_restrack_get(res);
}

/**
 * rdma_restrack_get_byid - the resource of a kind that has an id
 * @device: the device
 * @type: the kind
 * @id: the id
 *
 * Context: Any but hard interrupt.
 *
 * Return: the entry, referenced; ERR_PTR(-ENOENT).
 */
struct rdma_restrack_entry *rdma_restrack_get_byid(struct ib_device *device,
						   enum rdma_restrack_type type, u32 id)
{
	struct rdma_restrack_root *root = &device->res[type];
	struct rdma_restrack_entry *res;

	xa_lock(&root->xa);
	res = xa_load(&root->xa, id);
	if (!res || !get_live(res))
		res = ERR_PTR(-ENOENT);
	xa_unlock(&root->xa);
	return res;
}
EXPORT_SYMBOL(rdma_restrack_get_byid);

/**
 * rdma_restrack_get_next - walk over the resources of a kind
 * @device: the device
 * @type: the kind
 * @id: entries from this id on are looked at; set to that of the one found
 * @details: don't leave out those that only the driver knows the purpose of
 *
 * A walk costs the same wherever it begins, so one may be broken off and gone on with later.
 *
 * Context: Any but hard interrupt.
 *
 * Return: the entry, referenced, or NULL.
 */
struct rdma_restrack_entry *rdma_restrack_get_next(struct ib_device *device,
						   enum rdma_restrack_type type,
						   unsigned long *id, bool details)
{
	struct rdma_restrack_root *root = &device->res[type];
	struct rdma_restrack_entry *res;

	xa_lock(&root->xa);
	res = xa_find(&root->xa, id, U32_MAX, XA_PRESENT);
	while (res && ((!details && rdma_restrack_is_detail(res)) || !get_live(res)))
		res = xa_find_after(&root->xa, id, U32_MAX, XA_PRESENT);
	xa_unlock(&root->xa);
	return res;
}
