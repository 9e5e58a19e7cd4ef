// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Address vectors, and whose the reference to their source GID is. An rdma_ah_attr that has
 * grh.sgid_attr set owns a reference to it; one with a GRH but without sgid_attr only names an
 * index of the GID table.
 */

#include <rdma/ib_cache.h>

#include "verbs.h"

/**
 * rdma_copy_ah_attr - copy an address vector
 * @dest: the copy, with a reference of its own; what it was is overwritten
 * @src: the original
 *
 * Context: Any.
 */
void rdma_copy_ah_attr(struct rdma_ah_attr *dest, const struct rdma_ah_attr *src)
{
	*dest = *src;
	if (dest->grh.sgid_attr)
		rdma_hold_gid_attr(dest->grh.sgid_attr);
}
EXPORT_SYMBOL(rdma_copy_ah_attr);

/**
 * rdma_replace_ah_attr - copy an address vector over another
 * @old: a valid or zeroed one. Its reference is dropped, and one to the new GID taken.
 * @new: the original
 *
 * Context: Any.
 */
void rdma_replace_ah_attr(struct rdma_ah_attr *old, const struct rdma_ah_attr *new)
{
	rdma_destroy_ah_attr(old);
	rdma_copy_ah_attr(old, new);
}
EXPORT_SYMBOL(rdma_replace_ah_attr);

/**
 * rdma_move_ah_attr - move an address vector over another
 * @dest: a valid or zeroed one. Its reference is dropped.
 * @src: loses its reference to @dest
 *
 * Context: Any.
 */
void rdma_move_ah_attr(struct rdma_ah_attr *dest, struct rdma_ah_attr *src)
{
	rdma_destroy_ah_attr(dest);
	*dest = *src;
	src->grh.sgid_attr = NULL;
}
EXPORT_SYMBOL(rdma_move_ah_attr);

/**
 * rdma_destroy_ah_attr - drop the reference of an address vector
 * @ah_attr: a valid or zeroed one; it may be destroyed again
 *
 * Context: Any.
 */
void rdma_destroy_ah_attr(struct rdma_ah_attr *ah_attr)
{
	if (!ah_attr->grh.sgid_attr)
		return;
	rdma_put_gid_attr(ah_attr->grh.sgid_attr);
	ah_attr->grh.sgid_attr = NULL;
}
EXPORT_SYMBOL(rdma_destroy_ah_attr);

/**
 * rdma_move_grh_sgid_attr - give an address vector a GRH
 * @attr: the address vector. Had it a source GID before, that reference isn't dropped.
 * @dgid: destination GID
 * @flow_label: flow label
 * @hop_limit: hop limit
 * @traffic_class: traffic class
 * @sgid_attr: source GID; the caller's reference becomes that of @attr
 *
 * Context: Any.
 */
void rdma_move_grh_sgid_attr(struct rdma_ah_attr *attr, union ib_gid *dgid, u32 flow_label,
			     u8 hop_limit, u8 traffic_class, const struct ib_gid_attr *sgid_attr)
{
	rdma_ah_set_grh(attr, dgid, flow_label, sgid_attr->index, hop_limit, traffic_class);
	attr->grh.sgid_attr = sgid_attr;
}
EXPORT_SYMBOL(rdma_move_grh_sgid_attr);

static bool valid(struct ib_device *device, const struct rdma_ah_attr *ah_attr)
{
	const struct ib_gid_attr *sgid_attr = ah_attr->grh.sgid_attr;
	bool grh = ah_attr->ah_flags & IB_AH_GRH;

	if (!rdma_is_port_valid(device, ah_attr->port_num))
		return false;
	if (!grh && (ah_attr->type == RDMA_AH_ATTR_TYPE_ROCE ||
		     rdma_is_grh_required(device, ah_attr->port_num)))
		return false;
	return !sgid_attr || (sgid_attr->index == ah_attr->grh.sgid_index &&
			      sgid_attr->port_num == ah_attr->port_num);
}

int rdma_ah_fill_sgid(struct ib_device *device, struct rdma_ah_attr *ah_attr, bool *filled)
{
	const struct ib_gid_attr *sgid_attr;

	*filled = false;
	if (!valid(device, ah_attr))
		return -EINVAL;
	if (!(ah_attr->ah_flags & IB_AH_GRH) || ah_attr->grh.sgid_attr)
		return 0;

	sgid_attr = rdma_get_gid_attr(device, ah_attr->port_num, ah_attr->grh.sgid_index);
	if (IS_ERR(sgid_attr))
		return PTR_ERR(sgid_attr);
	ah_attr->grh.sgid_attr = sgid_attr;
	*filled = true;
	return 0;
}

void rdma_ah_keep_sgid(const struct ib_gid_attr **kept, struct rdma_ah_attr *ah_attr, bool filled)
{
	const struct ib_gid_attr *old = *kept;

	*kept = ah_attr->ah_flags & IB_AH_GRH ? ah_attr->grh.sgid_attr : NULL;
	if (filled)
		ah_attr->grh.sgid_attr = NULL;
	else if (*kept)
		rdma_hold_gid_attr(*kept);
	if (old)
		rdma_put_gid_attr(old);
}
