// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The files of a device: /sys/class/infiniband/DEVICE. */

#include "device.h"

static ssize_t node_type_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned int node_type = rdma_device_to_ibdev(dev)->node_type;

	return sysfs_emit(buf, "%u: %s\n", node_type, rdma_node_type_text(node_type));
}
static DEVICE_ATTR_RO(node_type);

static ssize_t emit_guid(char *buf, __be64 guid)
{
	u64 value = be64_to_cpu(guid);

	return sysfs_emit(buf, "%04x:%04x:%04x:%04x\n", (u16)(value >> 48), (u16)(value >> 32),
			  (u16)(value >> 16), (u16)value);
}

static ssize_t node_guid_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return emit_guid(buf, rdma_device_to_ibdev(dev)->node_guid);
}
static DEVICE_ATTR_RO(node_guid);

static ssize_t sys_image_guid_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return emit_guid(buf, rdma_device_to_ibdev(dev)->attrs.sys_image_guid);
}
static DEVICE_ATTR_RO(sys_image_guid);

static ssize_t fw_ver_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	char version[IB_FW_VERSION_NAME_MAX] = {};

	ib_get_device_fw_str(rdma_device_to_ibdev(dev), version);
	return sysfs_emit(buf, "%s\n", version);
}
static DEVICE_ATTR_RO(fw_ver);

static ssize_t node_desc_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	/* As long as it is in a MAD, then there is no NUL. */
	return sysfs_emit(buf, "%.*s\n", IB_DEVICE_NODE_DESC_MAX,
			  rdma_device_to_ibdev(dev)->node_desc);
}

static ssize_t node_desc_store(struct device *dev, struct device_attribute *attr, const char *buf,
			       size_t count)
{
	struct ib_device_modify modify = {};
	int err;

	memcpy(modify.node_desc, buf, min_t(size_t, count, IB_DEVICE_NODE_DESC_MAX));
	err = ib_modify_device(rdma_device_to_ibdev(dev), IB_DEVICE_MODIFY_NODE_DESC, &modify);
	return err ?: count;
}
static DEVICE_ATTR_RW(node_desc);

static struct attribute *device_attrs[] = {
	&dev_attr_node_type.attr,
	&dev_attr_node_guid.attr,
	&dev_attr_sys_image_guid.attr,
	&dev_attr_fw_ver.attr,
	&dev_attr_node_desc.attr,
	NULL
};

const struct attribute_group rdma_device_attr_group = {
	.attrs = device_attrs,
};
