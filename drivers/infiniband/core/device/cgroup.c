// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the rdma control group limits: objects, for each device. */

#include <linux/cgroup_rdma.h>

#include "device.h"

/**
 * rdma_cgroup_register - make a device known to the rdma control group
 * @device: the device, before user space can have objects of it
 *
 * It's known under ib_device.name: that of the struct device is freed when it changes.
 */
void rdma_cgroup_register(struct ib_device *device)
{
	device->cg_device.name = device->name;
	rdmacg_register_device(&device->cg_device);
}

/**
 * rdma_cgroup_unregister - undo that
 * @device: the device, when no objects are left
 */
void rdma_cgroup_unregister(struct ib_device *device)
{
	rdmacg_unregister_device(&device->cg_device);
}

/**
 * ib_rdmacg_try_charge - account an object to the current process's control group
 * @cg_obj: of the object; remembers the control group
 * @device: the device
 * @resource: kind of object
 *
 * Context: Sleeps.
 * Return: 0, -EAGAIN if it would exceed the limit, -ENOMEM.
 */
int ib_rdmacg_try_charge(struct ib_rdmacg_object *cg_obj, struct ib_device *device,
			 enum rdmacg_resource_type resource)
{
	return rdmacg_try_charge(&cg_obj->cg, &device->cg_device, resource);
}
EXPORT_SYMBOL(ib_rdmacg_try_charge);

/**
 * ib_rdmacg_uncharge - undo that
 * @cg_obj: of the object
 * @device: the device
 * @resource: kind of object
 *
 * Context: Sleeps.
 */
void ib_rdmacg_uncharge(struct ib_rdmacg_object *cg_obj, struct ib_device *device,
			enum rdmacg_resource_type resource)
{
	rdmacg_uncharge(cg_obj->cg, &device->cg_device, resource);
}
EXPORT_SYMBOL(ib_rdmacg_uncharge);
