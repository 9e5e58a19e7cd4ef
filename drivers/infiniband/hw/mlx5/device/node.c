// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The adapter as a node (IBTA 14.2.5.2 and .3): GUIDs, description, versions, and stock's files of
 * them in sysfs.
 */
#include <linux/mlx5/vport.h>
#include <linux/sysfs.h>
#include <rdma/ib_smi.h>
#include "device.h"

/* NodeInfo, as far as it's of use here. */
struct node_info {
	u8 versions_and_ports[4];
	__be64 system_image_guid;
	__be64 node_guid;
	__be64 port_guid;
	__be16 partition_cap;
	__be16 device_id;
	__be32 revision;
	__be32 port_vendor; /* 8 bits and 24 */
} __packed;

#define VENDOR_ID 0xffff

static int node_by_mad(struct mlx5_ib_dev *dev, struct mlx5_ib_node *node)
{
	const struct node_info *info;
	struct ib_smp reply;
	int err;

	err = mlx5_ib_get_smp(dev, 1, IB_SMP_ATTR_NODE_INFO, 0, &reply);
	if (err)
		return err;
	info = (const struct node_info *)reply.data;
	node->system_image_guid = info->system_image_guid;
	node->guid = info->node_guid;
	node->pkey_table_len = be16_to_cpu(info->partition_cap);
	node->vendor_id = be32_to_cpu(info->port_vendor) & VENDOR_ID;
	return 0;
}

static int node_by_command(struct mlx5_ib_dev *dev, struct mlx5_ib_node *node)
{
	u64 system_image_guid, guid;
	int err;

	err = mlx5_query_hca_vport_system_image_guid(dev->mdev, &system_image_guid);
	if (!err)
		err = mlx5_query_hca_vport_node_guid(dev->mdev, &guid);
	if (!err)
		err = mlx5_core_query_vendor_id(dev->mdev, &node->vendor_id);
	if (err)
		return err;
	node->system_image_guid = cpu_to_be64(system_image_guid);
	node->guid = cpu_to_be64(guid);
	node->pkey_table_len = mlx5_to_sw_pkey_sz(MLX5_CAP_GEN(dev->mdev, pkey_table_size));
	return 0;
}

/**
 * mlx5_ib_query_node - ask the adapter who it is
 * @dev: the adapter
 * @node: is filled in
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_query_node(struct mlx5_ib_dev *dev, struct mlx5_ib_node *node)
{
	return mlx5_ib_asks_by_mad(dev) ? node_by_mad(dev, node) : node_by_command(dev, node);
}

static int read_description(struct mlx5_ib_dev *dev, char *desc)
{
	struct ib_smp reply;
	int err;

	if (!mlx5_ib_asks_by_mad(dev))
		return mlx5_ib_cmd_read_node_desc(dev->mdev, desc);
	err = mlx5_ib_get_smp(dev, 1, IB_SMP_ATTR_NODE_DESC, 0, &reply);
	if (!err)
		memcpy(desc, reply.data, IB_DEVICE_NODE_DESC_MAX);
	return err;
}

/**
 * mlx5_ib_node_init - learn what doesn't change
 * @dev: the adapter; mlx5_ib_port_init() was first
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_node_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_node node;
	int err;

	err = mlx5_ib_query_node(dev, &node);
	if (!err)
		err = read_description(dev, dev->ib_dev.node_desc);
	if (err)
		return err;
	dev->ib_dev.node_guid = node.guid;
	dev->pkey_table_len = node.pkey_table_len;
	dev->mdev->rev_id = dev->mdev->pdev->revision;
	return 0;
}

/* The firmware tells the subnet manager of the new description, too. */
int mlx5_ib_modify_device(struct ib_device *ibdev, int mask, struct ib_device_modify *props)
{
	int err;

	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	if (!mask)
		return 0;
	err = mlx5_ib_cmd_write_node_desc(to_mdev(ibdev)->mdev, props->node_desc);
	if (!err)
		memcpy(ibdev->node_desc, props->node_desc, IB_DEVICE_NODE_DESC_MAX);
	return err;
}

void mlx5_ib_fw_string(struct ib_device *ibdev, char *str)
{
	struct mlx5_core_dev *mdev = to_mdev(ibdev)->mdev;

	snprintf(str, IB_FW_VERSION_NAME_MAX, "%d.%d.%04d", fw_rev_maj(mdev), fw_rev_min(mdev),
		 fw_rev_sub(mdev));
}

static struct mlx5_core_dev *mdev_of(struct device *device)
{
	return rdma_device_to_drv_device(device, struct mlx5_ib_dev, ib_dev)->mdev;
}

static ssize_t hw_rev_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%x\n", mdev_of(device)->rev_id);
}
static DEVICE_ATTR_RO(hw_rev);

static ssize_t hca_type_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "MT%d\n", mdev_of(device)->pdev->device);
}
static DEVICE_ATTR_RO(hca_type);

static ssize_t board_id_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%.*s\n", MLX5_BOARD_ID_LEN, mdev_of(device)->board_id);
}
static DEVICE_ATTR_RO(board_id);

static ssize_t fw_pages_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", mdev_of(device)->priv.fw_pages);
}
static DEVICE_ATTR_RO(fw_pages);

static ssize_t reg_pages_show(struct device *device, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&mdev_of(device)->priv.reg_pages));
}
static DEVICE_ATTR_RO(reg_pages);

static struct attribute *attributes[] = {
	&dev_attr_hw_rev.attr,
	&dev_attr_hca_type.attr,
	&dev_attr_board_id.attr,
	&dev_attr_fw_pages.attr,
	&dev_attr_reg_pages.attr,
	NULL
};

const struct attribute_group mlx5_ib_attr_group = {
	.attrs = attributes,
};
