// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Device numbers, and the class infiniband_verbs with its devices, from which
 * /dev/infiniband/uverbsN are made.
 *
 * The first 32 devices have the fixed numbers that static /dev trees know: major 231, uverbsN at
 * 192 + N. All further ones are in a range whose major is allocated.
 */

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/srcu.h>
#include <linux/sysfs.h>
#include <linux/xarray.h>

#include "file.h"

#define MAX_DEVICES	8192	/* as many as ib_core can have ports */
#define FIXED_DEVICES	32
#define DYNAMIC_DEVICES	(MAX_DEVICES - FIXED_DEVICES)
#define FIXED_BASE	MKDEV(231, 192)

static dev_t dynamic_base;

/* Devices by number. One that is being removed keeps its number until its name is free again. */
static DEFINE_XARRAY_ALLOC(devices);

static dev_t node_devt(u32 devnum)
{
	return devnum < FIXED_DEVICES ? FIXED_BASE + devnum : dynamic_base + devnum - FIXED_DEVICES;
}

static u32 node_devnum(dev_t devt)
{
	if (MAJOR(devt) == MAJOR(FIXED_BASE))
		return devt - FIXED_BASE;
	return devt - dynamic_base + FIXED_DEVICES;
}

/**
 * uverbs_node_get - find the device of an inode
 * @devt: the inode's device number, one of ours
 *
 * Return: the device, for uverbs_device_put(), or NULL if it's being removed.
 */
struct ib_uverbs_device *uverbs_node_get(dev_t devt)
{
	struct ib_uverbs_device *device;

	xa_lock(&devices);
	device = xa_load(&devices, node_devnum(devt));
	if (device)
		refcount_inc(&device->refcount);
	xa_unlock(&devices);
	return device;
}

/* The name is ib_device's own copy: dev_name() is freed while a device is renamed. */
static ssize_t ibdev_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct ib_uverbs_device *device = dev_get_drvdata(dev);
	struct ib_device *ib_dev;
	ssize_t ret = -ENODEV;
	int key;

	key = srcu_read_lock(&device->disassociate_srcu);
	ib_dev = srcu_dereference(device->ib_dev, &device->disassociate_srcu);
	if (ib_dev)
		ret = sysfs_emit(buf, "%s\n", ib_dev->name);
	srcu_read_unlock(&device->disassociate_srcu, key);
	return ret;
}
static DEVICE_ATTR_RO(ibdev);

static ssize_t abi_version_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct ib_uverbs_device *device = dev_get_drvdata(dev);
	struct ib_device *ib_dev;
	ssize_t ret = -ENODEV;
	int key;

	key = srcu_read_lock(&device->disassociate_srcu);
	ib_dev = srcu_dereference(device->ib_dev, &device->disassociate_srcu);
	if (ib_dev)
		ret = sysfs_emit(buf, "%u\n", ib_dev->ops.uverbs_abi_ver);
	srcu_read_unlock(&device->disassociate_srcu, key);
	return ret;
}
static DEVICE_ATTR_RO(abi_version);

static struct attribute *node_attrs[] = {
	&dev_attr_ibdev.attr,
	&dev_attr_abi_version.attr,
	NULL
};
ATTRIBUTE_GROUPS(node);

static CLASS_ATTR_STRING(abi_version, 0444, __stringify(IB_USER_VERBS_ABI_VERSION));

static struct attribute *class_attrs[] = {
	&class_attr_abi_version.attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(class);

/* Any user may have RDMA; what needs privileges is checked command by command. */
static char *node_devnode(const struct device *dev, umode_t *mode)
{
	if (mode)
		*mode = 0666;
	return kasprintf(GFP_KERNEL, "infiniband/%s", dev_name(dev));
}

static const struct class node_class = {
	.name = "infiniband_verbs",
	.class_groups = class_groups,
	.dev_groups = node_groups,
	.devnode = node_devnode,
};

/* Either both are there or none. */
static int make_nodes(struct ib_uverbs_device *device, struct device *parent,
		      const struct file_operations *fops)
{
	dev_t devt = node_devt(device->devnum);
	int err = -ENOMEM;

	device->cdev = cdev_alloc();
	if (!device->cdev)
		return err;
	device->cdev->owner = fops->owner;
	device->cdev->ops = fops;
	err = cdev_add(device->cdev, devt, 1);
	if (err)
		goto err_cdev;
	device->dev = device_create(&node_class, parent, devt, device, "uverbs%u", device->devnum);
	if (IS_ERR(device->dev)) {
		err = PTR_ERR(device->dev);
		goto err_cdev;
	}
	return 0;

err_cdev:
	cdev_del(device->cdev);
	return err;
}

/**
 * uverbs_node_create - make uverbsN
 * @device: ours; can be opened from within this call on, even if it fails
 * @parent: the hardware
 * @fops: of its files
 *
 * Context: Sleeps.
 * Return: 0; -EBUSY if there are too many; -ENOMEM; what the driver core says.
 */
int uverbs_node_create(struct ib_uverbs_device *device, struct device *parent,
		       const struct file_operations *fops)
{
	int err;

	err = xa_alloc(&devices, &device->devnum, device, XA_LIMIT(0, MAX_DEVICES - 1), GFP_KERNEL);
	if (err)
		return err;
	err = make_nodes(device, parent, fops);
	if (err)
		xa_erase(&devices, device->devnum);
	return err;
}

/**
 * uverbs_node_destroy - remove uverbsN; it can't be opened any more
 * @device: ours
 *
 * Context: Sleeps, until readers of its attributes have finished.
 */
void uverbs_node_destroy(struct ib_uverbs_device *device)
{
	xa_store(&devices, device->devnum, NULL, 0);
	device_unregister(device->dev);
	cdev_del(device->cdev);
	xa_erase(&devices, device->devnum);
}

/**
 * uverbs_nodes_init - reserve device numbers, register the class
 *
 * Return: 0 or a negative errno; -EBUSY if somebody else has the numbers.
 */
int __init uverbs_nodes_init(void)
{
	int err;

	err = register_chrdev_region(FIXED_BASE, FIXED_DEVICES, node_class.name);
	if (err)
		return err;
	err = alloc_chrdev_region(&dynamic_base, 0, DYNAMIC_DEVICES, node_class.name);
	if (err)
		goto err_fixed;
	err = class_register(&node_class);
	if (err)
		goto err_dynamic;
	return 0;

err_dynamic:
	unregister_chrdev_region(dynamic_base, DYNAMIC_DEVICES);
err_fixed:
	unregister_chrdev_region(FIXED_BASE, FIXED_DEVICES);
	return err;
}

/**
 * uverbs_nodes_exit - undo uverbs_nodes_init()
 */
void uverbs_nodes_exit(void)
{
	class_unregister(&node_class);
	unregister_chrdev_region(dynamic_base, DYNAMIC_DEVICES);
	unregister_chrdev_region(FIXED_BASE, FIXED_DEVICES);
}
