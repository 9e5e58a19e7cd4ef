// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Registration of a device by its driver. */

#include <rdma/rdma_counter.h>

#include "device.h"

/* Without one of these a device has no kernel verbs, and clients that need them don't see it. */
static bool has_kernel_verbs(const struct ib_device_ops *ops)
{
	return ops->query_device && ops->query_port && ops->get_port_immutable &&
	       ops->alloc_pd && ops->dealloc_pd &&
	       ops->create_qp && ops->modify_qp && ops->destroy_qp &&
	       ops->post_send && ops->post_recv &&
	       ops->create_cq && ops->destroy_cq && ops->poll_cq && ops->req_notify_cq &&
	       ops->get_dma_mr && ops->reg_user_mr && ops->dereg_mr;
}

static int query_attributes(struct ib_device *device)
{
	struct ib_udata no_udata = {};

	memset(&device->attrs, 0, sizeof(device->attrs));
	return device->ops.query_device(device, &device->attrs, &no_udata);
}

/* What of it is allocated is freed by ib_dealloc_device(). */
static int ask_driver(struct ib_device *device)
{
	int err;

	device->kverbs_provider = has_kernel_verbs(&device->ops);
	err = rdma_ports_set_up(device);
	if (err) {
		ibdev_warn(device, "can't set up the ports: %d\n", err);
		return err;
	}
	err = query_attributes(device);
	if (err)
		ibdev_warn(device, "can't query the device: %d\n", err);
	return err;
}

/* The files of the device itself; the driver core makes them when the device is added. */
static int choose_groups(struct ib_device *device)
{
	struct hw_stats_device_data *hw_stats;
	unsigned int count = 0;

	device->groups[count++] = &rdma_device_attr_group;
	if (device->ops.device_group)
		device->groups[count++] = device->ops.device_group;

	hw_stats = rdma_hw_counters_create(device, 0);
	if (IS_ERR(hw_stats))
		return PTR_ERR(hw_stats);
	if (hw_stats) {
		device->hw_stats_data = hw_stats;
		device->groups[count] = &hw_stats->group;
	}
	return 0;
}

static int add_to_sysfs(struct ib_device *device)
{
	int err;

	/* udev and others are told when all is there that they'll look for. */
	dev_set_uevent_suppress(&device->dev, true);
	err = device_add(&device->dev);
	if (err)
		goto err_uevents;
	err = rdma_sysfs_add_ports(&device->coredev);
	if (err)
		goto err_device;
	return 0;

err_device:
	device_del(&device->dev);
err_uevents:
	dev_set_uevent_suppress(&device->dev, false);
	return err;
}

static void announce_netdevs(struct ib_device *device)
{
	u32 port_num;

	rdma_for_each_port(device, port_num) {
		struct net_device *ndev = ib_device_get_netdev(device, port_num);

		if (!ndev)
			continue;
		rdma_nl_notify(device, port_num, RDMA_NETDEV_ATTACH_EVENT);
		dev_put(ndev);
	}
}

static void announce(struct ib_device *device)
{
	dev_set_uevent_suppress(&device->dev, false);
	/* All shall tell the same name. */
	down_read(&rdma_devices_rwsem);
	kobject_uevent(&device->dev.kobj, KOBJ_ADD);
	rdma_nl_notify(device, 0, RDMA_REGISTER_EVENT);
	announce_netdevs(device);
	up_read(&rdma_devices_rwsem);
}

/*
 * The driver frees the device after an error, so nobody else may: while we hold the reference,
 * others who unregister it wait, and will then find that it's not theirs to free.
 */
static void back_out(struct ib_device *device)
{
	void (*dealloc_driver)(struct ib_device *device) = device->ops.dealloc_driver;

	device->ops.dealloc_driver = rdma_device_dealloc_by_caller;
	ib_device_put(device);
	rdma_unregister(device);
	device->ops.dealloc_driver = dealloc_driver;
	dev_set_uevent_suppress(&device->dev, false);
}

/**
 * ib_register_device - show a device to clients and user space
 * @device: filled in by the driver: operations, parent, node type and GUID, ports ...
 * @name: its name; with one "%d" in it, the lowest free number is filled in
 * @dma_device: does the device's DMA; NULL if the driver gets virtual addresses
 *
 * With a dealloc_driver and a concurrent unregistration, @device may be gone on return.
 *
 * Context: Sleeps; takes the locks that device.h lists. RTNL may not be held.
 * Return: 0; -ENFILE if the name is taken; -EINVAL for a bad name or an impossible device; -ENOMEM;
 * an errno of the driver. On an error the driver has to call ib_dealloc_device().
 */
int ib_register_device(struct ib_device *device, const char *name, struct device *dma_device)
{
	int err;

	err = rdma_device_assign_name(device, name);
	if (err)
		return err;

	WARN_ON(dma_device && !dma_device->dma_parms);
	device->dma_device = dma_device;
	err = ask_driver(device);
	if (err)
		return err;

	err = rdma_cache_setup(device);
	if (err) {
		ibdev_warn(device, "can't read GIDs and P_Keys: %d\n", err);
		return err;
	}
	err = choose_groups(device);
	if (err)
		goto err_cache;
	rdma_cgroup_register(device);
	rdma_counter_init(device);
	err = add_to_sysfs(device);
	if (err)
		goto err_cgroup;

	err = rdma_device_enable_get(device);
	if (err) {
		back_out(device);
		return err;
	}
	announce(device);
	ib_device_put(device);
	return 0;

err_cgroup:
	rdma_cgroup_unregister(device);
err_cache:
	rdma_cache_cleanup(device);
	return err;
}
EXPORT_SYMBOL(ib_register_device);
