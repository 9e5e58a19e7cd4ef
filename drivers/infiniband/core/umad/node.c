// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Device numbers, and the class infiniband_mad with its devices, from which
 * /dev/infiniband/umadN and issmN are made.
 *
 * The first 64 ports have the fixed numbers that static /dev trees know: major 231, umadN at N,
 * issmN at 64 + N. All further ports are in a range whose major is allocated, umad first, then
 * issm.
 */

#include <linux/cdev.h>
#include <linux/module.h>
#include <linux/sysfs.h>

#include "umad.h"

#define FIXED_PORTS	64
#define DYNAMIC_PORTS	(UMAD_MAX_PORTS - FIXED_PORTS)
#define FIXED_BASE	MKDEV(231, 0)

MODULE_ALIAS_CHARDEV_MAJOR(231);

static dev_t dynamic_base;

static dev_t node_devt(u32 number, bool issm)
{
	if (number < FIXED_PORTS)
		return FIXED_BASE + number + (issm ? FIXED_PORTS : 0);
	return dynamic_base + number - FIXED_PORTS + (issm ? DYNAMIC_PORTS : 0);
}

/**
 * umad_node_port_number - the inverse: the N of a device number
 * @devt: of an umadN or issmN
 *
 * Return: the port's number.
 */
u32 umad_node_port_number(dev_t devt)
{
	if (MAJOR(devt) == MAJOR(FIXED_BASE))
		return MINOR(devt) % FIXED_PORTS;
	return FIXED_PORTS + (devt - dynamic_base) % DYNAMIC_PORTS;
}

/*
 * ibdev and port are removed, and their readers waited for, before the port and its ib_device
 * go. The name is ib_device's own copy: dev_name() is freed while a device is renamed.
 */
static ssize_t ibdev_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct umad_port *port = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%s\n", port->ib_dev->name);
}
static DEVICE_ATTR_RO(ibdev);

static ssize_t port_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct umad_port *port = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", port->port_num);
}
static DEVICE_ATTR_RO(port);

static struct attribute *node_attrs[] = {
	&dev_attr_ibdev.attr,
	&dev_attr_port.attr,
	NULL
};
ATTRIBUTE_GROUPS(node);

static ssize_t recv_dropped_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct umad_port *port = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%lld\n", atomic64_read(&port->dropped));
}
static DEVICE_ATTR_RO(recv_dropped);

static struct attribute *umad_attrs[] = {
	&dev_attr_recv_dropped.attr,
	NULL
};
ATTRIBUTE_GROUPS(umad);

static CLASS_ATTR_STRING(abi_version, 0444, __stringify(IB_USER_MAD_ABI_VERSION));

static struct attribute *class_attrs[] = {
	&class_attr_abi_version.attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(class);

static char *node_devnode(const struct device *dev, umode_t *mode)
{
	return kasprintf(GFP_KERNEL, "infiniband/%s", dev_name(dev));
}

static const struct class node_class = {
	.name = "infiniband_mad",
	.class_groups = class_groups,
	.dev_groups = node_groups,
	.devnode = node_devnode,
};

/**
 * umad_node_create - make umadN or issmN
 * @node: filled in on success, else left empty
 * @port: has been published already, since the node can be opened at once
 * @issm: make issmN
 *
 * Context: may sleep.
 * Return: 0 or a negative errno of the driver core.
 */
int umad_node_create(struct umad_node *node, struct umad_port *port, bool issm)
{
	dev_t devt = node_devt(port->number, issm);
	struct cdev *cdev;
	struct device *dev;
	int err;

	cdev = cdev_alloc();
	if (!cdev)
		return -ENOMEM;
	cdev->owner = THIS_MODULE;
	cdev->ops = issm ? &umad_issm_fops : &umad_fops;
	err = cdev_add(cdev, devt, 1);
	if (err)
		goto err_cdev;

	dev = device_create_with_groups(&node_class, port->ib_dev->dev.parent, devt, port,
					issm ? NULL : umad_groups, "%s%u",
					issm ? "issm" : "umad", port->number);
	if (IS_ERR(dev)) {
		err = PTR_ERR(dev);
		goto err_cdev;
	}

	node->cdev = cdev;
	node->dev = dev;
	return 0;

err_cdev:
	cdev_del(cdev);
	return err;
}

/**
 * umad_node_destroy - remove the node, wait for readers of its attributes
 * @node: may be empty; is so afterwards
 *
 * Context: may sleep.
 */
void umad_node_destroy(struct umad_node *node)
{
	if (!node->cdev)
		return;
	device_unregister(node->dev);
	cdev_del(node->cdev);
	node->dev = NULL;
	node->cdev = NULL;
}

/**
 * umad_nodes_init - reserve device numbers, register the class
 *
 * Return: 0 or a negative errno; -EBUSY if somebody else has the major number.
 */
int __init umad_nodes_init(void)
{
	int err;

	err = register_chrdev_region(FIXED_BASE, 2 * FIXED_PORTS, node_class.name);
	if (err)
		return err;
	err = alloc_chrdev_region(&dynamic_base, 0, 2 * DYNAMIC_PORTS, node_class.name);
	if (err)
		goto err_fixed;
	err = class_register(&node_class);
	if (err)
		goto err_dynamic;
	return 0;

err_dynamic:
	unregister_chrdev_region(dynamic_base, 2 * DYNAMIC_PORTS);
err_fixed:
	unregister_chrdev_region(FIXED_BASE, 2 * FIXED_PORTS);
	return err;
}

/**
 * umad_nodes_exit - undo umad_nodes_init()
 */
void umad_nodes_exit(void)
{
	class_unregister(&node_class);
	unregister_chrdev_region(dynamic_base, 2 * DYNAMIC_PORTS);
	unregister_chrdev_region(FIXED_BASE, 2 * FIXED_PORTS);
}
