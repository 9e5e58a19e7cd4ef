// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Tables of a port in sysfs: gids, pkeys, gid_attrs/ndevs and types, a file for each index. */

#include <linux/netdevice.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>

#include "device.h"

typedef ssize_t (*port_show_fn)(struct ib_device *device, u32 port_num,
				struct ib_port_attribute *attr, char *buf);

static unsigned int index_of(struct ib_port_attribute *attr)
{
	return container_of(attr, struct rdma_port_table_entry, attr)->index;
}

static void table_free(struct rdma_port_table *table)
{
	if (!table)
		return;
	kvfree(table->group.attrs);
	kvfree(table);
}

static void init_entry(struct rdma_port_table_entry *entry, unsigned int index, port_show_fn show)
{
	snprintf(entry->name, sizeof(entry->name), "%u", index);
	entry->index = index;
	sysfs_attr_init(&entry->attr.attr);
	entry->attr.attr.name = entry->name;
	entry->attr.attr.mode = 0444;
	entry->attr.show = show;
}

static struct rdma_port_table *table_create(const char *name, unsigned int count, port_show_fn show)
{
	struct rdma_port_table *table = kvzalloc(struct_size(table, entries, count), GFP_KERNEL);
	unsigned int i;

	if (!table)
		return NULL;
	table->group.name = name;
	table->group.attrs = kvcalloc(count + 1, sizeof(*table->group.attrs), GFP_KERNEL);
	if (!table->group.attrs) {
		table_free(table);
		return NULL;
	}
	for (i = 0; i < count; i++) {
		init_entry(&table->entries[i], i, show);
		table->group.attrs[i] = &table->entries[i].attr.attr;
	}
	return table;
}

/* Programs read the table to its end: an empty slot is no error, but the zero GID. */
static ssize_t show_gid(struct ib_device *device, u32 port_num, struct ib_port_attribute *attr,
			char *buf)
{
	union ib_gid gid;

	if (rdma_query_gid(device, port_num, index_of(attr), &gid))
		memset(&gid, 0, sizeof(gid));
	return sysfs_emit(buf, "%pI6\n", gid.raw);
}

static ssize_t show_pkey(struct ib_device *device, u32 port_num, struct ib_port_attribute *attr,
			 char *buf)
{
	u16 pkey;
	int err = ib_query_pkey(device, port_num, index_of(attr), &pkey);

	return err ?: sysfs_emit(buf, "0x%04x\n", pkey);
}

/**
 * rdma_port_tables_create - prepare the folders "gids" and, if there are any, "pkeys"
 * @port: the port; they are put in its groups
 * @attr: how long they are
 *
 * Return: 0 or -ENOMEM; in any case rdma_port_tables_free() has to follow.
 */
int rdma_port_tables_create(struct ib_port *port, const struct ib_port_attr *attr)
{
	const struct attribute_group **group = port->groups;

	port->gids = table_create("gids", attr->gid_tbl_len, show_gid);
	if (!port->gids)
		return -ENOMEM;
	*group++ = &port->gids->group;
	if (!attr->pkey_tbl_len)
		return 0;
	port->pkeys = table_create("pkeys", attr->pkey_tbl_len, show_pkey);
	if (!port->pkeys)
		return -ENOMEM;
	*group = &port->pkeys->group;
	return 0;
}

/**
 * rdma_port_tables_free - free them
 * @port: the port, without files
 */
void rdma_port_tables_free(struct ib_port *port)
{
	table_free(port->gids);
	table_free(port->pkeys);
}

/*
 * What follows is read by libibverbs, which takes -EINVAL for a slot that's empty, or of a GID
 * without a netdev, and any other error for one that matters.
 */
static ssize_t show_ndev(struct ib_device *device, u32 port_num, struct ib_port_attribute *attr,
			 char *buf)
{
	const struct ib_gid_attr *gid_attr = rdma_get_gid_attr(device, port_num, index_of(attr));
	struct net_device *ndev;
	ssize_t len = -EINVAL;

	if (IS_ERR(gid_attr))
		return -EINVAL;
	rcu_read_lock();
	ndev = rcu_dereference(gid_attr->ndev);
	if (ndev)
		len = sysfs_emit(buf, "%s\n", ndev->name);
	rcu_read_unlock();
	rdma_put_gid_attr(gid_attr);
	return len;
}

static ssize_t show_type(struct ib_device *device, u32 port_num, struct ib_port_attribute *attr,
			 char *buf)
{
	const struct ib_gid_attr *gid_attr = rdma_get_gid_attr(device, port_num, index_of(attr));
	ssize_t len;

	if (IS_ERR(gid_attr))
		return -EINVAL;
	len = sysfs_emit(buf, "%s\n", ib_cache_gid_type_str(gid_attr->gid_type));
	rdma_put_gid_attr(gid_attr);
	return len;
}

static ssize_t show_in_folder(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct ib_port_attribute *port_attr = container_of(attr, struct ib_port_attribute, attr);
	struct ib_port *port = container_of(kobj->parent, struct ib_port, kobj);

	return port_attr->show(port->device, port->port_num, port_attr, buf);
}

static const struct sysfs_ops folder_sysfs_ops = {
	.show = show_in_folder,
};

static void release_folder(struct kobject *kobj)
{
	struct rdma_gid_folder *folder = container_of(kobj, struct rdma_gid_folder, kobj);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(folder->tables); i++)
		table_free(folder->tables[i]);
	kfree(folder);
}

static const struct kobj_type folder_type = {
	.sysfs_ops = &folder_sysfs_ops,
	.release = release_folder,
};

static struct rdma_gid_folder *create_folder(unsigned int count)
{
	struct rdma_gid_folder *folder = kzalloc(sizeof(*folder), GFP_KERNEL);
	unsigned int i;

	if (!folder)
		return NULL;
	kobject_init(&folder->kobj, &folder_type);
	folder->tables[0] = table_create("ndevs", count, show_ndev);
	folder->tables[1] = table_create("types", count, show_type);
	for (i = 0; i < ARRAY_SIZE(folder->tables); i++) {
		if (!folder->tables[i]) {
			kobject_put(&folder->kobj);
			return NULL;
		}
		folder->groups[i] = &folder->tables[i]->group;
	}
	return folder;
}

/**
 * rdma_gid_folder_add - make the folder gid_attrs of a port
 * @port: the port, which has a folder itself. Groups don't have groups, hence a kobject.
 * @attr: how many GIDs there are
 *
 * Return: 0 or a negative errno.
 */
int rdma_gid_folder_add(struct ib_port *port, const struct ib_port_attr *attr)
{
	struct rdma_gid_folder *folder = create_folder(attr->gid_tbl_len);
	int err;

	if (!folder)
		return -ENOMEM;
	err = kobject_add(&folder->kobj, &port->kobj, "gid_attrs");
	if (err)
		goto err_put;
	err = sysfs_create_groups(&folder->kobj, folder->groups);
	if (err)
		goto err_del;
	port->gid_attrs = folder;
	return 0;

err_del:
	kobject_del(&folder->kobj);
err_put:
	kobject_put(&folder->kobj);
	return err;
}

/**
 * rdma_gid_folder_remove - remove it
 * @port: the port
 */
void rdma_gid_folder_remove(struct ib_port *port)
{
	kobject_del(&port->gid_attrs->kobj);
	kobject_put(&port->gid_attrs->kobj);
}
