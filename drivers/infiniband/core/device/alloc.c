// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The memory of devices, and their class. */

#include <linux/slab.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_counter.h>

#include "device.h"

#define CMD(name) BIT_ULL(IB_USER_VERBS_CMD_##name)

/*
 * What every driver has, as far as it has the operation. The commands that are missing are those of
 * the data path through the kernel; drivers which want them add them.
 */
#define DEFAULT_UVERBS_CMDS \
	(CMD(GET_CONTEXT) | CMD(QUERY_DEVICE) | CMD(QUERY_PORT) | CMD(CREATE_COMP_CHANNEL) | \
	 CMD(ALLOC_PD) | CMD(DEALLOC_PD) | CMD(OPEN_XRCD) | CMD(CLOSE_XRCD) | \
	 CMD(REG_MR) | CMD(REREG_MR) | CMD(DEREG_MR) | CMD(ALLOC_MW) | CMD(DEALLOC_MW) | \
	 CMD(CREATE_CQ) | CMD(RESIZE_CQ) | CMD(DESTROY_CQ) | \
	 CMD(CREATE_QP) | CMD(OPEN_QP) | CMD(QUERY_QP) | CMD(MODIFY_QP) | CMD(DESTROY_QP) | \
	 CMD(CREATE_SRQ) | CMD(CREATE_XSRQ) | CMD(QUERY_SRQ) | CMD(MODIFY_SRQ) | \
	 CMD(DESTROY_SRQ) | CMD(CREATE_AH) | CMD(DESTROY_AH) | \
	 CMD(ATTACH_MCAST) | CMD(DETACH_MCAST))

static void release_device(struct device *dev)
{
	struct ib_device *device = container_of(dev, struct ib_device, dev);

	WARN_ON(refcount_read(&device->refcount));
	rdma_hw_counters_free(device->hw_stats_data);
	if (device->port_data) {
		rdma_cache_release(device);
		rdma_counter_release(device);
		rdma_ports_free(device);
	}
	xa_destroy(&device->compat_devs);
	xa_destroy(&device->client_data);
	mutex_destroy(&device->subdev_lock);
	mutex_destroy(&device->unregistration_lock);
	mutex_destroy(&device->compat_devs_mutex);
	/* It may have been found in rdma_devices, or by its netdev. */
	kfree_rcu(device, rcu_head);
}

static int add_name(const struct device *dev, struct kobj_uevent_env *env)
{
	return add_uevent_var(env, "NAME=%s", dev_name(dev));
}

static const void *namespace_of(const struct device *dev)
{
	return read_pnet(&container_of(dev, struct ib_core_device, dev)->rdma_net);
}

struct class rdma_class = {
	.name = "infiniband",
	.dev_release = release_device,
	.dev_uevent = add_name,
	.ns_type = &net_ns_type_operations,
	.namespace = namespace_of,
};

/**
 * rdma_core_device_init - initialize what a device is in one namespace
 * @core: zeroed
 * @owner: the device
 * @net: the namespace
 * @groups: sysfs files of the device; may be filled in until it's added
 */
void rdma_core_device_init(struct ib_core_device *core, struct ib_device *owner, struct net *net,
			   const struct attribute_group **groups)
{
	/* Drivers and we go from one to the other by a cast. */
	static_assert(offsetof(struct ib_device, dev) == offsetof(struct ib_device, coredev.dev));

	core->dev.class = &rdma_class;
	core->dev.groups = groups;
	device_initialize(&core->dev);
	core->owner = owner;
	INIT_LIST_HEAD(&core->port_list);
	write_pnet(&core->rdma_net, net);
}

static void init_locks(struct ib_device *device)
{
	init_rwsem(&device->event_handler_rwsem);
	init_rwsem(&device->client_data_rwsem);
	mutex_init(&device->unregistration_lock);
	mutex_init(&device->compat_devs_mutex);
	mutex_init(&device->subdev_lock);
	spin_lock_init(&device->qp_open_list_lock);
	rwlock_init(&device->cache_lock);
}

/**
 * _ib_alloc_device - allocate a device
 * @size: of the driver's structure, which starts with struct ib_device
 *
 * The driver fills in what ib_register_device() asks for. To be freed with ib_dealloc_device().
 * Drivers call ib_alloc_device().
 *
 * Context: Sleeps.
 * Return: zeroed memory but for what is ours, or NULL.
 */
struct ib_device *_ib_alloc_device(size_t size)
{
	struct ib_device *device;

	if (WARN_ON(size < sizeof(*device)))
		return NULL;
	device = kzalloc(size, GFP_KERNEL);
	if (!device)
		return NULL;
	if (rdma_restrack_init(device)) {
		kfree(device);
		return NULL;
	}

	rdma_core_device_init(&device->coredev, device, &init_net, device->groups);
	init_locks(device);
	INIT_LIST_HEAD(&device->event_handler_list);
	INIT_LIST_HEAD(&device->subdev_list_head);
	INIT_LIST_HEAD(&device->subdev_list);
	/* Others lose the mark when NULL is stored, and clients may do that. */
	xa_init_flags(&device->client_data, XA_FLAGS_ALLOC);
	xa_init(&device->compat_devs);
	init_completion(&device->unreg_completion);
	INIT_WORK(&device->unregistration_work, rdma_unregister_work);
	rdma_cq_pools_init(device);
	device->uverbs_cmd_mask = DEFAULT_UVERBS_CMDS;
	return device;
}
EXPORT_SYMBOL(_ib_alloc_device);

/**
 * ib_dealloc_device - free a device
 * @device: the device, not registered
 *
 * The driver's dealloc_driver is called first, if there is one.
 *
 * Context: Sleeps.
 */
void ib_dealloc_device(struct ib_device *device)
{
	if (device->ops.dealloc_driver)
		device->ops.dealloc_driver(device);
	/* Not before: ib_unregister_driver() takes its absence for the end of the driver's part. */
	rdma_device_drop_name(device);
	rdma_netdevs_drop(device);

	WARN_ON(!xa_empty(&device->compat_devs));
	WARN_ON(!xa_empty(&device->client_data));
	WARN_ON(refcount_read(&device->refcount));
	rdma_restrack_clean(device);
	put_device(&device->dev);
}
EXPORT_SYMBOL(ib_dealloc_device);
