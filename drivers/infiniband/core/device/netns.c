// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Network namespaces. Either all share all devices: then a device is in the first one, and a
 * stand-in (compat.c) is in each other one. Or each device is in one of them exclusively.
 */

#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "device.h"

unsigned int rdma_net_id;

/*
 * All namespaces but the first one, by rdma_net.id. One that is about to go away has its id still,
 * but is NULL. Kept as an array of our own: for_each_net() doesn't show a namespace while it's
 * being set up, so a device that is registered meanwhile would miss it.
 */
DEFINE_XARRAY_ALLOC(rdma_nets);

/* Guards what is in rdma_nets against going away, and the mode. */
DECLARE_RWSEM(rdma_nets_rwsem);

static bool netns_shared = true;
module_param_named(netns_mode, netns_shared, bool, 0444);
MODULE_PARM_DESC(netns_mode, "Share devices among network namespaces; default=1 (shared)");

/**
 * rdma_netns_shared - tell whether all namespaces share all devices
 *
 * Return: true if so; stable while there is a second namespace.
 */
bool rdma_netns_shared(void)
{
	return READ_ONCE(netns_shared);
}

/**
 * rdma_set_netns_shared - let namespaces share devices or not
 * @shared: whether they share
 *
 * There are no stand-ins to be made or removed, as there is but one namespace.
 *
 * Context: Sleeps.
 * Return: 0, or -EBUSY if there is more than one namespace.
 */
int rdma_set_netns_shared(bool shared)
{
	unsigned long id = 0;
	int err = 0;

	down_write(&rdma_nets_rwsem);
	if (netns_shared != shared && xa_find(&rdma_nets, &id, ULONG_MAX, XA_PRESENT))
		err = -EBUSY;
	else
		WRITE_ONCE(netns_shared, shared);
	up_write(&rdma_nets_rwsem);
	return err;
}

/**
 * rdma_dev_access_netns - tell whether a device can be used from a namespace
 * @device: the device
 * @net: the namespace
 *
 * Context: Any.
 * Return: true if so.
 */
bool rdma_dev_access_netns(const struct ib_device *device, const struct net *net)
{
	return rdma_netns_shared() || net_eq(read_pnet(&device->coredev.rdma_net), net);
}
EXPORT_SYMBOL(rdma_dev_access_netns);

/* The name is free there: it's unique among all namespaces. */
static int enter_net(struct ib_device *device, struct net *net)
{
	int err;

	write_pnet(&device->coredev.rdma_net, net);
	down_read(&rdma_devices_rwsem);
	err = device_rename(&device->dev, dev_name(&device->dev));
	up_read(&rdma_devices_rwsem);
	return err;
}

static int move_locked(struct ib_device *device, struct net *from, struct net *to)
{
	int err, enable_err;

	kobject_uevent(&device->dev.kobj, KOBJ_REMOVE);
	/* With all clients gone nobody has anything open that would be in the wrong namespace. */
	rdma_device_disable(device);
	err = enter_net(device, to);
	if (err) {
		ibdev_warn(device, "can't enter the network namespace: %d\n", err);
		write_pnet(&device->coredev.rdma_net, from);
	}

	/* On an error it stays as far as it got; the administrator may try again. */
	enable_err = rdma_device_enable_get(device);
	if (enable_err)
		ibdev_warn(device, "can't be used after its move: %d\n", enable_err);
	kobject_uevent(&device->dev.kobj, KOBJ_ADD);
	ib_device_put(device);
	return err ?: enable_err;
}

/* The caller has a reference to the struct device, but none that keeps it registered. */
static int move_device(struct ib_device *device, struct net *from, struct net *to)
{
	int err = -ENODEV;

	mutex_lock_nested(&device->unregistration_lock, device->parent ? SINGLE_DEPTH_NESTING : 0);
	if (refcount_read(&device->refcount) &&
	    net_eq(read_pnet(&device->coredev.rdma_net), from))
		err = move_locked(device, from, to);
	mutex_unlock(&device->unregistration_lock);
	return err;
}

static int may_move(struct ib_device *device, const struct net *to, const struct sk_buff *requester)
{
	if (!netlink_ns_capable(requester, to->user_ns, CAP_NET_ADMIN))
		return -EPERM;
	/* All clients are taken off the device, and can't wait for programs to close it. */
	if (!device->ops.disassociate_ucontext || rdma_netns_shared())
		return -EOPNOTSUPP;
	/* They'd be lost. */
	if (rdma_has_sub_devices(device))
		return -EBUSY;
	return 0;
}

/**
 * rdma_device_set_net_put - move a device to another namespace
 * @device: the device; the caller's reference is put
 * @ns_fd: file descriptor of the namespace
 * @requester: the message that asks for it
 *
 * Context: Sleeps.
 * Return: 0; -EPERM without CAP_NET_ADMIN over that namespace; -EOPNOTSUPP if devices are shared,
 * or if programs can't be disconnected from this one; -EBUSY if it has sub devices; -ENODEV if it
 * is gone, or somewhere else, by now.
 */
int rdma_device_set_net_put(struct ib_device *device, u32 ns_fd, const struct sk_buff *requester)
{
	struct net *from = read_pnet(&device->coredev.rdma_net);
	struct net *to = get_net_ns_by_fd(ns_fd);
	int err;

	if (IS_ERR(to)) {
		ib_device_put(device);
		return PTR_ERR(to);
	}
	err = may_move(device, to, requester);
	get_device(&device->dev);
	ib_device_put(device);
	if (!err)
		err = move_device(device, from, to);
	put_device(&device->dev);
	put_net(to);
	return err;
}

static void hide_net(struct rdma_net *rnet)
{
	down_write(&rdma_nets_rwsem);
	/* Its id stays taken until nothing of it is left. That needs no memory. */
	WARN_ON(xa_err(xa_store(&rdma_nets, rnet->id, NULL, GFP_KERNEL)));
	up_write(&rdma_nets_rwsem);
}

static void __net_exit exit_net(struct net *net)
{
	struct rdma_net *rnet = rdma_net_of(net);
	struct ib_device *device;
	unsigned long index;

	if (!net_eq(net, &init_net)) {
		hide_net(rnet);
		for (index = 0; (device = rdma_device_next_named(&index)); index++) {
			rdma_compat_remove(device, rnet->id);
			/* If it is in this one, it goes where it came from. */
			move_device(device, net, &init_net);
			put_device(&device->dev);
		}
		xa_erase(&rdma_nets, rnet->id);
	}
	rdma_netlink_net_exit(rnet);
}

static int show_devices(struct rdma_net *rnet)
{
	struct ib_device *device;
	unsigned long index;
	int err = 0;

	down_read(&rdma_devices_rwsem);
	down_read(&rdma_nets_rwsem);
	rdma_for_each_registered(device, index) {
		err = rdma_compat_add(device, rnet);
		if (err)
			break;
	}
	up_read(&rdma_nets_rwsem);
	up_read(&rdma_devices_rwsem);
	return err;
}

static int __net_init init_net_devices(struct net *net)
{
	struct rdma_net *rnet = rdma_net_of(net);
	int err;

	write_pnet(&rnet->net, net);
	err = rdma_netlink_net_init(rnet);
	if (err || net_eq(net, &init_net))
		return err;

	err = xa_alloc(&rdma_nets, &rnet->id, rnet, xa_limit_32b, GFP_KERNEL);
	if (err) {
		rdma_netlink_net_exit(rnet);
		return err;
	}
	err = show_devices(rnet);
	if (err)
		exit_net(net);
	return err;
}

static struct pernet_operations net_ops = {
	.init = init_net_devices,
	.exit = exit_net,
	.id = &rdma_net_id,
	.size = sizeof(struct rdma_net),
};

int rdma_netns_init(void)
{
	return register_pernet_device(&net_ops);
}

void rdma_netns_exit(void)
{
	unregister_pernet_device(&net_ops);
}
