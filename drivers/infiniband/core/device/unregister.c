// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The ways in which a device is unregistered. */

#include <linux/workqueue.h>

#include "device.h"

/* Unregistration takes long, and many may be unregistered at a time. */
static struct workqueue_struct *unregister_wq;

int rdma_unregister_init(void)
{
	unregister_wq = alloc_workqueue("ib-unreg-wq", WQ_UNBOUND, WQ_UNBOUND_MAX_ACTIVE);
	return unregister_wq ? 0 : -ENOMEM;
}

void rdma_unregister_exit(void)
{
	destroy_workqueue(unregister_wq);
}

/**
 * rdma_device_dealloc_by_caller - stands for dealloc_driver when it mustn't be called
 * @device: the device
 */
void rdma_device_dealloc_by_caller(struct ib_device *device)
{
}

static bool is_ours_to_free(const struct ib_device *device)
{
	return device->ops.dealloc_driver &&
	       device->ops.dealloc_driver != rdma_device_dealloc_by_caller;
}

static void take_down(struct ib_device *device)
{
	rdma_device_disable(device);
	rdma_nl_notify(device, 0, RDMA_UNREGISTER_EVENT);
	rdma_netdevs_drop(device);
	rdma_sysfs_remove_ports(&device->coredev);
	device_del(&device->dev);
	rdma_cgroup_unregister(device);
	rdma_cache_cleanup(device);
	if (is_ours_to_free(device))
		ib_dealloc_device(device);
}

/**
 * rdma_unregister - unregister a device, or wait until others have done so
 * @device: the device; the caller has a reference to its struct device
 *
 * Context: Sleeps.
 */
void rdma_unregister(struct ib_device *device)
{
	/* A parent holds its own while its sub devices are unregistered. */
	mutex_lock_nested(&device->unregistration_lock, device->parent ? SINGLE_DEPTH_NESTING : 0);
	if (refcount_read(&device->refcount))
		take_down(device);
	mutex_unlock(&device->unregistration_lock);
}

static void unregister_and_put(struct ib_device *device)
{
	rdma_unregister(device);
	put_device(&device->dev);
}

/**
 * ib_unregister_device - hide a device from clients and user space
 * @device: the device. On return nobody uses it any more; with a dealloc_driver it's freed, too.
 *
 * Context: Sleeps, with no lock held that a client may want. RTNL may not be held.
 */
void ib_unregister_device(struct ib_device *device)
{
	get_device(&device->dev);
	unregister_and_put(device);
}
EXPORT_SYMBOL(ib_unregister_device);

/**
 * ib_unregister_device_and_put - the same for a device that the caller holds
 * @device: with a dealloc_driver, and a reference of ib_device_try_get() or the like, which is put.
 *	Several threads that have one each may do that.
 *
 * Context: As ib_unregister_device().
 */
void ib_unregister_device_and_put(struct ib_device *device)
{
	WARN_ON(!device->ops.dealloc_driver);
	get_device(&device->dev);
	ib_device_put(device);
	unregister_and_put(device);
}
EXPORT_SYMBOL(ib_unregister_device_and_put);

void rdma_unregister_work(struct work_struct *work)
{
	unregister_and_put(container_of(work, struct ib_device, unregistration_work));
}

/**
 * ib_unregister_device_queued - unregister a device soon
 * @device: with a dealloc_driver, registered at this moment. Before its driver goes, it has to call
 *	ib_unregister_driver().
 *
 * Context: Any, with any locks held.
 */
void ib_unregister_device_queued(struct ib_device *device)
{
	WARN_ON(!refcount_read(&device->refcount));
	WARN_ON(!device->ops.dealloc_driver);
	get_device(&device->dev);
	if (!queue_work(unregister_wq, &device->unregistration_work))
		put_device(&device->dev);
}
EXPORT_SYMBOL(ib_unregister_device_queued);

/**
 * ib_unregister_driver - unregister all devices of a driver
 * @driver_id: the driver. All its devices have a dealloc_driver, and it makes no new ones.
 *
 * On return they are all gone, also those that others have unregistered, and nothing calls the
 * driver.
 *
 * Context: As ib_unregister_device().
 */
void ib_unregister_driver(enum rdma_driver_id driver_id)
{
	struct ib_device *device;
	unsigned long index;

	for (index = 0; (device = rdma_device_next_named(&index)); index++) {
		if (device->ops.driver_id == driver_id) {
			WARN_ON(!device->ops.dealloc_driver);
			rdma_unregister(device);
		}
		put_device(&device->dev);
	}
}
EXPORT_SYMBOL(ib_unregister_driver);
