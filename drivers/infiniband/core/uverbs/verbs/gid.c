// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A device's GIDs, from ib_core's cache. */

#include <rdma/ib_cache.h>

#include "verbs.h"

/* Userspace's own idea of an entry's size decides how much of each is told, or what follows it. */
static int answer_table(struct uverbs_attr_bundle *attrs, const struct ib_uverbs_gid_entry *entries,
			ssize_t count, size_t user_size)
{
	size_t size = min(user_size, sizeof(*entries));
	u8 *table = uverbs_kcalloc(attrs, count, user_size);
	u64 num_entries = count;
	ssize_t i;
	int ret;

	if (IS_ERR(table))
		return PTR_ERR(table);
	for (i = 0; i < count; i++)
		memcpy(table + i * user_size, &entries[i], size);
	ret = uverbs_copy_to(attrs, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, table,
			     count * user_size);
	return ret ?: uverbs_copy_to(attrs, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES,
				     &num_entries, sizeof(num_entries));
}

static int read_entry_size(size_t *size, struct uverbs_attr_bundle *attrs)
{
	u32 flags;
	int ret;

	ret = uverbs_get_flags32(&flags, attrs, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0);
	if (!ret)
		ret = uverbs_get_const(size, attrs, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE);
	if (!ret && !*size)
		ret = -EINVAL;
	return ret;
}

static int UVERBS_HANDLER(UVERBS_METHOD_QUERY_GID_TABLE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_gid_entry *entries;
	struct ib_ucontext *ucontext;
	size_t user_size;
	ssize_t count;
	int ret, max;

	ret = read_entry_size(&user_size, attrs);
	if (ret)
		return ret;
	max = uverbs_attr_ptr_get_array_size(attrs, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES,
					     user_size);
	if (max <= 0)
		return max ?: -EINVAL;
	ucontext = ib_uverbs_get_ucontext(attrs);
	if (IS_ERR(ucontext))
		return PTR_ERR(ucontext);
	entries = uverbs_kcalloc(attrs, max, sizeof(*entries));
	if (IS_ERR(entries))
		return PTR_ERR(entries);
	count = rdma_query_gid_table(ucontext->device, entries, max);
	if (count < 0)
		return -EINVAL;
	return answer_table(attrs, entries, count, user_size);
}

/* There may be no network device, or it may have gone. */
static int read_ifindex(u32 *ifindex, const struct ib_gid_attr *gid_attr)
{
	struct net_device *ndev;
	int ret;

	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(gid_attr);
	ret = PTR_ERR_OR_ZERO(ndev);
	*ifindex = ret ? 0 : ndev->ifindex;
	rcu_read_unlock();
	return ret == -ENODEV ? 0 : ret;
}

static int read_entry(struct ib_uverbs_gid_entry *entry, struct ib_device *ib_dev, u32 port_num,
		      u32 index)
{
	const struct ib_gid_attr *gid_attr = rdma_get_gid_attr(ib_dev, port_num, index);
	int ret;

	if (IS_ERR(gid_attr))
		return PTR_ERR(gid_attr);
	memcpy(entry->gid, gid_attr->gid.raw, sizeof(entry->gid));
	entry->gid_index = gid_attr->index;
	entry->gid_type = gid_attr->gid_type;
	entry->port_num = gid_attr->port_num;
	ret = read_ifindex(&entry->netdev_ifindex, gid_attr);
	rdma_put_gid_attr(gid_attr);
	return ret;
}

static int UVERBS_HANDLER(UVERBS_METHOD_QUERY_GID_ENTRY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_gid_entry entry = {};
	struct ib_ucontext *ucontext;
	u32 flags, port_num, index;
	int ret;

	ret = uverbs_get_flags32(&flags, attrs, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, 0);
	if (!ret)
		ret = uverbs_get_const(&port_num, attrs, UVERBS_ATTR_QUERY_GID_ENTRY_PORT);
	if (!ret)
		ret = uverbs_get_const(&index, attrs, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX);
	if (ret)
		return ret;
	ucontext = ib_uverbs_get_ucontext(attrs);
	if (IS_ERR(ucontext))
		return PTR_ERR(ucontext);
	if (!rdma_is_port_valid(ucontext->device, port_num))
		return -EINVAL;
	ret = read_entry(&entry, ucontext->device, port_num, index);
	return ret ?: uverbs_copy_to_struct_or_zero(attrs, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY,
						    &entry, sizeof(entry));
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_QUERY_GID_TABLE,
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES,
						UVERBS_ATTR_TYPE(u64), UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES,
						UVERBS_ATTR_MIN_SIZE(0), UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, u64,
						 UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, u32,
						 UA_OPTIONAL));

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_QUERY_GID_ENTRY,
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY,
						UVERBS_ATTR_STRUCT(struct ib_uverbs_gid_entry,
								   netdev_ifindex),
						UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_QUERY_GID_ENTRY_PORT, u32,
						 UA_MANDATORY),
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, u32,
						 UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, u32,
						 UA_MANDATORY));

DECLARE_UVERBS_GLOBAL_METHODS(UVERBS_OBJECT_DEVICE, &UVERBS_METHOD(UVERBS_METHOD_QUERY_GID_TABLE),
			      &UVERBS_METHOD(UVERBS_METHOD_QUERY_GID_ENTRY));

const struct uapi_definition uverbs_def_gid[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_DEVICE),
	{}
};
