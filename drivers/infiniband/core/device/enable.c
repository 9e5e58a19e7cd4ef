// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* From a named device to a registered one, and back. */

#include "device.h"

static int enable(struct ib_device *device)
{
	int err = 0;

	if (device->ops.enable_driver)
		err = device->ops.enable_driver(device);
	if (!err)
		err = rdma_clients_bind(device);
	if (!err)
		err = rdma_compat_add_all(device);
	return err;
}

/**
 * rdma_device_enable_get - show a device to everybody
 * @device: complete, with a name
 *
 * The caller gets a reference, also if there is an error: until it's put, nobody can unregister the
 * device to the end.
 *
 * Context: Sleeps.
 * Return: 0; -ENOMEM; an errno of the driver. On an error, rdma_device_disable() has to follow.
 */
int rdma_device_enable_get(struct ib_device *device)
{
	int err;

	/* The registry's, put by rdma_device_disable(), and the caller's. */
	refcount_set(&device->refcount, 2);
	down_write(&rdma_devices_rwsem);
	xa_set_mark(&rdma_devices, device->index, RDMA_DEVICE_REGISTERED);
	/* Nobody takes the mark away before all clients have had their say. */
	downgrade_write(&rdma_devices_rwsem);
	err = enable(device);
	up_read(&rdma_devices_rwsem);
	return err;
}

/**
 * rdma_device_disable - hide a device from everybody
 * @device: the device, registered; the caller has no reference, but unregistration_lock. On return
 *	nobody uses it, and nobody can begin to.
 *
 * Context: Sleeps until the last user is gone.
 */
void rdma_device_disable(struct ib_device *device)
{
	WARN_ON(!refcount_read(&device->refcount));

	down_write(&rdma_devices_rwsem);
	xa_clear_mark(&rdma_devices, device->index, RDMA_DEVICE_REGISTERED);
	up_write(&rdma_devices_rwsem);

	rdma_sub_devices_remove(device);
	rdma_clients_unbind(device);
	rdma_cq_pools_destroy(device);
	ib_device_put(device);
	wait_for_completion(&device->unreg_completion);
	/* Not earlier: a new namespace takes any device that is registered. */
	rdma_compat_remove_all(device);
}
