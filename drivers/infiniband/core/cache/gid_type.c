// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Types of GIDs, their names, and the GID that is none.
 */

#include "cache.h"

union ib_gid zgid;
EXPORT_SYMBOL(zgid);

/* User space knows the first two, of which a port never has both, by one name. */
static const char * const names[] = {
	[IB_GID_TYPE_IB] = "IB/RoCE v1",
	[IB_GID_TYPE_ROCE] = "IB/RoCE v1",
	[IB_GID_TYPE_ROCE_UDP_ENCAP] = "RoCE v2",
};

static_assert(ARRAY_SIZE(names) == IB_GID_TYPE_SIZE);

/**
 * rdma_is_zero_gid - tell whether a GID is the zero GID, with which empty slots are marked
 * @gid: the GID
 *
 * Context: Any.
 * Return: true if it is.
 */
bool rdma_is_zero_gid(const union ib_gid *gid)
{
	return !memcmp(gid, &zgid, sizeof(*gid));
}
EXPORT_SYMBOL(rdma_is_zero_gid);

/**
 * ib_cache_gid_type_str - name of a type of GIDs, as in sysfs and configfs
 * @gid_type: the type
 *
 * Context: Any.
 * Return: a constant string, also for a type that there isn't.
 */
const char *ib_cache_gid_type_str(enum ib_gid_type gid_type)
{
	return gid_type < ARRAY_SIZE(names) ? names[gid_type] : "Invalid GID type";
}
EXPORT_SYMBOL(ib_cache_gid_type_str);

/**
 * ib_cache_gid_parse_type_str - type of GIDs that has a name
 * @buf: the name; a newline at its end is ignored
 *
 * Context: Any.
 * Return: an &enum ib_gid_type (of two with the same name the lower one), or -EINVAL.
 */
int ib_cache_gid_parse_type_str(const char *buf)
{
	size_t type, len = strlen(buf);

	if (len && buf[len - 1] == '\n')
		len--;
	for (type = 0; type < ARRAY_SIZE(names); type++)
		if (strlen(names[type]) == len && !memcmp(names[type], buf, len))
			return type;
	return -EINVAL;
}
EXPORT_SYMBOL(ib_cache_gid_parse_type_str);

/**
 * roce_gid_type_mask_support - types of GIDs that a port has
 * @device: the device
 * @port_num: a valid port number of it
 *
 * Context: Any.
 * Return: a mask with bit 1 << type of each &enum ib_gid_type.
 */
unsigned long roce_gid_type_mask_support(struct ib_device *device, u32 port_num)
{
	unsigned long types = 0;

	if (!rdma_protocol_roce(device, port_num))
		return BIT(IB_GID_TYPE_IB);
	if (rdma_protocol_roce_eth_encap(device, port_num))
		types |= BIT(IB_GID_TYPE_ROCE);
	if (rdma_protocol_roce_udp_encap(device, port_num))
		types |= BIT(IB_GID_TYPE_ROCE_UDP_ENCAP);
	return types;
}
EXPORT_SYMBOL(roce_gid_type_mask_support);
