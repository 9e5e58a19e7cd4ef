// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* All devices that have a name, and how they are found. */

#include <linux/idr.h>
#include <linux/rcupdate.h>

#include "device.h"

/*
 * By index. A device is in it from the start of ib_register_device() to ib_dealloc_device(), so
 * that ib_unregister_driver() finds, and waits for, those whose unregistration somebody else has
 * begun. What is found needs ib_device_try_get() to be used.
 */
DEFINE_XARRAY_ALLOC(rdma_devices);
DECLARE_RWSEM(rdma_devices_rwsem);

static struct ib_device *find_by_name(const char *name)
{
	struct ib_device *device;
	unsigned long index;

	xa_for_each(&rdma_devices, index, device)
		if (!strcmp(dev_name(&device->dev), name))
			return device;
	return NULL;
}

static int note_number(struct ida *used, const char *pattern, const char *name)
{
	int number = rdma_name_number(pattern, name);

	if (number < 0)
		return 0;
	number = ida_alloc_range(used, number, number, GFP_KERNEL);
	return min(number, 0);
}

/* The lowest number for which no device has the name. */
static int free_number(const char *pattern)
{
	struct ib_device *device;
	unsigned long index;
	DEFINE_IDA(used);
	int err = 0;

	xa_for_each(&rdma_devices, index, device) {
		err = note_number(&used, pattern, dev_name(&device->dev));
		if (err)
			break;
	}
	if (!err)
		err = ida_alloc_max(&used, INT_MAX - 1, GFP_KERNEL);
	ida_destroy(&used);
	return err;
}

static int fill_in_name(struct ib_device *device, const char *pattern)
{
	int number = rdma_name_check_pattern(pattern);

	if (number)
		return number;
	number = free_number(pattern);
	if (number < 0)
		return number;
	return dev_set_name(&device->dev, pattern, number);
}

static int set_name(struct ib_device *device, const char *name)
{
	if (strchr(name, '%'))
		return fill_in_name(device, name);
	if (find_by_name(name))
		return -ENFILE;
	return dev_set_name(&device->dev, "%s", name);
}

/**
 * rdma_device_assign_name - give a device a name and an index
 * @device: the device
 * @name: its name, or a pattern with one "%d" for the lowest number that's free
 *
 * Undone by rdma_device_drop_name().
 *
 * Return: 0; -ENFILE if the name is taken; -EINVAL for a bad pattern; -ENOMEM.
 */
int rdma_device_assign_name(struct ib_device *device, const char *name)
{
	static u32 next_index;
	int err;

	down_write(&rdma_devices_rwsem);
	err = set_name(device, name);
	if (err)
		goto out;
	strscpy(device->name, dev_name(&device->dev), sizeof(device->name));
	/* Cyclic: programs that keep an index shall not find another device under it. */
	err = xa_alloc_cyclic(&rdma_devices, &device->index, device, xa_limit_31b, &next_index,
			      GFP_KERNEL);
out:
	up_write(&rdma_devices_rwsem);
	return min(err, 0);
}

/**
 * rdma_device_is_named - tell whether a device has a name and an index
 * @device: the device
 *
 * Return: true from rdma_device_assign_name() to rdma_device_drop_name().
 */
bool rdma_device_is_named(struct ib_device *device)
{
	return xa_load(&rdma_devices, device->index) == device;
}

/**
 * rdma_device_drop_name - make the name and the index of a device free
 * @device: the device, with a name or not. None of its driver's functions will be called any more.
 */
void rdma_device_drop_name(struct ib_device *device)
{
	down_write(&rdma_devices_rwsem);
	if (rdma_device_is_named(device))
		xa_erase(&rdma_devices, device->index);
	up_write(&rdma_devices_rwsem);
}

/**
 * rdma_device_is_registered - tell whether a device can be found by others
 * @device: the device
 *
 * Return: true if so; stable only while rdma_devices_rwsem is held.
 */
bool rdma_device_is_registered(struct ib_device *device)
{
	return rdma_device_is_named(device) &&
	       xa_get_mark(&rdma_devices, device->index, RDMA_DEVICE_REGISTERED);
}

/**
 * rdma_device_next_get - the next registered device
 * @index: where to start; set to the index of the one that is returned
 *
 * Context: Any.
 * Return: the device, to be put with ib_device_put(), or NULL.
 */
struct ib_device *rdma_device_next_get(unsigned long *index)
{
	struct ib_device *device;

	/* Devices are freed after a grace period only. */
	rcu_read_lock();
	xa_for_each_start(&rdma_devices, *index, device, *index)
		if (ib_device_try_get(device))
			break;
	rcu_read_unlock();
	return device;
}

/**
 * rdma_device_next_named - the next device with a name, registered or not
 * @index: where to start; set to the index of the one that is returned
 *
 * Context: Sleeps.
 * Return: the device, to be put with put_device(), or NULL.
 */
struct ib_device *rdma_device_next_named(unsigned long *index)
{
	struct ib_device *device;

	down_read(&rdma_devices_rwsem);
	device = xa_find(&rdma_devices, index, ULONG_MAX, XA_PRESENT);
	/* Its driver has a reference until it has no name. */
	if (device)
		get_device(&device->dev);
	up_read(&rdma_devices_rwsem);
	return device;
}

static struct ib_device *put_unless_in(struct ib_device *device, const struct net *net)
{
	if (rdma_dev_access_netns(device, net))
		return device;
	ib_device_put(device);
	return NULL;
}

/**
 * rdma_device_get_next - the next device of a namespace
 * @net: the namespace
 * @index: where to start; set to the index of the one that is returned
 *
 * Context: Any.
 * Return: a registered device that is visible from @net, to be put with ib_device_put(), or NULL.
 */
struct ib_device *rdma_device_get_next(const struct net *net, u32 *index)
{
	unsigned long next = *index;
	struct ib_device *device;

	while ((device = rdma_device_next_get(&next))) {
		*index = next;
		if (put_unless_in(device, net))
			return device;
		next++;
	}
	return NULL;
}

/**
 * rdma_device_get_by_index - find a device by its index
 * @net: the namespace that it must be visible from
 * @index: the index
 *
 * Context: Any.
 * Return: a registered device, to be put with ib_device_put(), or NULL.
 */
struct ib_device *rdma_device_get_by_index(const struct net *net, u32 index)
{
	struct ib_device *device;

	rcu_read_lock();
	device = xa_load(&rdma_devices, index);
	if (device && !ib_device_try_get(device))
		device = NULL;
	rcu_read_unlock();
	/* While it's registered it stays in its namespace. */
	return device ? put_unless_in(device, net) : NULL;
}

static bool is_of_driver(const struct ib_device *device, enum rdma_driver_id driver_id)
{
	return driver_id == RDMA_DRIVER_UNKNOWN || device->ops.driver_id == driver_id;
}

/**
 * ib_device_get_by_name - find a device by its name
 * @name: the name
 * @driver_id: the driver that it must be of; RDMA_DRIVER_UNKNOWN: any
 *
 * Context: May sleep.
 * Return: a registered device, to be put with ib_device_put(), or NULL.
 */
struct ib_device *ib_device_get_by_name(const char *name, enum rdma_driver_id driver_id)
{
	struct ib_device *device;

	down_read(&rdma_devices_rwsem);
	device = find_by_name(name);
	if (device && (!is_of_driver(device, driver_id) || !ib_device_try_get(device)))
		device = NULL;
	up_read(&rdma_devices_rwsem);
	return device;
}
EXPORT_SYMBOL(ib_device_get_by_name);

/**
 * ib_device_put - let go of a registered device
 * @device: the device
 *
 * Whoever unregisters it may go on then. Nothing is freed here.
 *
 * Context: Any.
 */
void ib_device_put(struct ib_device *device)
{
	if (refcount_dec_and_test(&device->refcount))
		complete(&device->unreg_completion);
}
EXPORT_SYMBOL(ib_device_put);

static int rename_locked(struct ib_device *device, const char *name)
{
	int err;

	if (find_by_name(name))
		return -EEXIST;
	err = device_rename(&device->dev, name);
	if (err)
		return err;
	strscpy(device->name, name, sizeof(device->name));
	return rdma_compat_rename(device);
}

/**
 * rdma_device_rename - give a registered device another name
 * @device: the device, referenced
 * @name: the name
 *
 * Clients are told, also if the name could not be changed in all namespaces.
 *
 * Context: May sleep.
 * Return: 0, also if that is its name already; -EEXIST; an errno of the driver core.
 */
int rdma_device_rename(struct ib_device *device, const char *name)
{
	int err = 0;

	down_write(&rdma_devices_rwsem);
	if (!strcmp(name, dev_name(&device->dev)))
		goto out;
	err = rename_locked(device, name);
	if (strcmp(name, dev_name(&device->dev)))
		goto out;

	/* Names stay as they are while clients look at them. */
	downgrade_write(&rdma_devices_rwsem);
	rdma_clients_renamed(device);
	up_read(&rdma_devices_rwsem);
	return err;
out:
	up_write(&rdma_devices_rwsem);
	return err;
}

/**
 * rdma_device_set_dim - let the device's kernel CQs moderate their interrupts by themselves
 * @device: the device, referenced
 * @enable: true if so; for CQs that are created from now on
 *
 * Return: 0.
 */
int rdma_device_set_dim(struct ib_device *device, bool enable)
{
	device->use_cq_dim = enable;
	return 0;
}

/**
 * rdma_enable_gid_updates - let the GIDs of a device follow its netdevs
 * @device: a named device
 *
 * From before it is registered: what happens to the netdevs in between isn't lost.
 *
 * Context: Sleeps, takes rdma_devices_rwsem.
 */
void rdma_enable_gid_updates(struct ib_device *device)
{
	down_write(&rdma_devices_rwsem);
	xa_set_mark(&rdma_devices, device->index, RDMA_DEVICE_GID_UPDATES);
	up_write(&rdma_devices_rwsem);
}

/**
 * rdma_disable_gid_updates - end that
 * @device: the device. No rdma_walk_all_roce_ports() shows it any more.
 *
 * Context: Sleeps, takes rdma_devices_rwsem.
 */
void rdma_disable_gid_updates(struct ib_device *device)
{
	down_write(&rdma_devices_rwsem);
	xa_clear_mark(&rdma_devices, device->index, RDMA_DEVICE_GID_UPDATES);
	up_write(&rdma_devices_rwsem);
}
