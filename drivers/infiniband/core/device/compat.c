// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a shared device looks like in the other namespaces: a struct device of the same name, with
 * the same files but for counters.
 */

#include <linux/slab.h>

#include "device.h"

/**
 * struct compat_device - a device in a namespace that it isn't in itself
 * @core: its reference is that of ib_device.compat_devs
 * @groups: what the device has, without hw_counters
 */
struct compat_device {
	struct ib_core_device core;
	const struct attribute_group *groups[3];
};

static void release_compat(struct device *dev)
{
	kfree(container_of(dev, struct compat_device, core.dev));
}

static struct compat_device *alloc_compat(struct ib_device *device, struct net *net)
{
	struct compat_device *compat = kzalloc(sizeof(*compat), GFP_KERNEL);

	if (!compat)
		return NULL;
	compat->groups[0] = &rdma_device_attr_group;
	compat->groups[1] = device->ops.device_group;
	rdma_core_device_init(&compat->core, device, net, compat->groups);
	compat->core.dev.parent = device->dev.parent;
	compat->core.dev.release = release_compat;
	return compat;
}

static int add_to_sysfs(struct compat_device *compat, const char *name)
{
	int err;

	err = dev_set_name(&compat->core.dev, "%s", name);
	if (err)
		return err;
	err = device_add(&compat->core.dev);
	if (err)
		return err;
	err = rdma_sysfs_add_ports(&compat->core);
	if (err)
		device_del(&compat->core.dev);
	return err;
}

static int create_compat(struct ib_device *device, struct rdma_net *rnet)
{
	struct compat_device *compat = alloc_compat(device, read_pnet(&rnet->net));
	int err;

	if (!compat)
		return -ENOMEM;
	err = xa_insert(&device->compat_devs, rnet->id, compat, GFP_KERNEL);
	if (err)
		goto err_put;
	err = add_to_sysfs(compat, dev_name(&device->dev));
	if (err)
		goto err_erase;
	return 0;

err_erase:
	xa_erase(&device->compat_devs, rnet->id);
err_put:
	put_device(&compat->core.dev);
	return err;
}

/**
 * rdma_compat_add - show a device in a namespace
 * @device: the device
 * @rnet: the namespace; nothing happens if @device is in it, or there already, or isn't shared
 *
 * A new namespace and a device that's being registered may both ask for it.
 *
 * Context: Sleeps; rdma_devices_rwsem and rdma_nets_rwsem are held.
 * Return: 0 or a negative errno.
 */
int rdma_compat_add(struct ib_device *device, struct rdma_net *rnet)
{
	int err = 0;

	lockdep_assert_held(&rdma_nets_rwsem);
	if (!rdma_netns_shared() ||
	    net_eq(read_pnet(&rnet->net), read_pnet(&device->coredev.rdma_net)))
		return 0;
	mutex_lock(&device->compat_devs_mutex);
	if (!xa_load(&device->compat_devs, rnet->id))
		err = create_compat(device, rnet);
	mutex_unlock(&device->compat_devs_mutex);
	return err;
}

/**
 * rdma_compat_add_all - show a device in all namespaces
 * @device: the device
 *
 * Context: Sleeps; rdma_devices_rwsem is held.
 * Return: 0 or a negative errno.
 */
int rdma_compat_add_all(struct ib_device *device)
{
	struct rdma_net *rnet;
	unsigned long id;
	int err = 0;

	down_read(&rdma_nets_rwsem);
	xa_for_each(&rdma_nets, id, rnet) {
		err = rdma_compat_add(device, rnet);
		if (err)
			break;
	}
	up_read(&rdma_nets_rwsem);
	return err;
}

/**
 * rdma_compat_remove - hide a device from a namespace
 * @device: the device
 * @net_id: the namespace's rdma_net.id; nothing happens if @device isn't there
 *
 * Context: Sleeps.
 */
void rdma_compat_remove(struct ib_device *device, u32 net_id)
{
	struct compat_device *compat;

	mutex_lock(&device->compat_devs_mutex);
	compat = xa_erase(&device->compat_devs, net_id);
	mutex_unlock(&device->compat_devs_mutex);
	if (!compat)
		return;
	rdma_sysfs_remove_ports(&compat->core);
	device_unregister(&compat->core.dev);
}

/**
 * rdma_compat_remove_all - hide a device from all namespaces but its own
 * @device: the device, not registered any more
 *
 * Context: Sleeps.
 */
void rdma_compat_remove_all(struct ib_device *device)
{
	struct compat_device *compat;
	unsigned long net_id;

	xa_for_each(&device->compat_devs, net_id, compat)
		rdma_compat_remove(device, net_id);
}

/**
 * rdma_compat_rename - give a device's stand-ins its new name
 * @device: the device
 *
 * Context: Sleeps; rdma_devices_rwsem is held for writing.
 * Return: 0 or a negative errno.
 */
int rdma_compat_rename(struct ib_device *device)
{
	struct compat_device *compat;
	unsigned long net_id;
	int err = 0;

	mutex_lock(&device->compat_devs_mutex);
	xa_for_each(&device->compat_devs, net_id, compat) {
		err = device_rename(&compat->core.dev, dev_name(&device->dev));
		if (err) {
			dev_warn(&compat->core.dev, "can't be called %s: %d\n",
				 dev_name(&device->dev), err);
			break;
		}
	}
	mutex_unlock(&device->compat_devs_mutex);
	return err;
}
