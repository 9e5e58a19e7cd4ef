// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: notices of devices that come and go, and of their network devices. `rdma monitor`. */

#include <linux/netdevice.h>

#include "netlink.h"

static const char *const names[] = {
	[RDMA_REGISTER_EVENT] = "register device",
	[RDMA_UNREGISTER_EVENT] = "unregister device",
	[RDMA_NETDEV_ATTACH_EVENT] = "netdev attach",
	[RDMA_NETDEV_DETACH_EVENT] = "netdev detach",
};

static bool is_about_port(enum rdma_nl_notify_event_type type)
{
	return type == RDMA_NETDEV_ATTACH_EVENT || type == RDMA_NETDEV_DETACH_EVENT;
}

static int fill(struct sk_buff *msg, struct ib_device *device, u32 port,
		const struct net_device *ndev, enum rdma_nl_notify_event_type type)
{
	int err = nldev_put_handle(msg, device);

	if (!err && is_about_port(type))
		err = nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, port);
	if (!err && ndev)
		err = nldev_put_netdev(msg, ndev);
	return err ?: nla_put_u8(msg, RDMA_NLDEV_ATTR_EVENT_TYPE, type);
}

static int notify(struct net *net, struct ib_device *device, u32 port,
		  const struct net_device *ndev, enum rdma_nl_notify_event_type type)
{
	struct sk_buff *msg = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	struct nlmsghdr *nlh;

	if (!msg)
		return -ENOMEM;
	nlh = nlmsg_put(msg, 0, 0, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_MONITOR), 0, 0);
	if (!nlh || fill(msg, device, port, ndev, type)) {
		nlmsg_free(msg);
		return -EMSGSIZE;
	}
	nlmsg_end(msg, nlh);
	return rdma_nl_multicast(net, msg, RDMA_NL_GROUP_NOTIFY, GFP_KERNEL);
}

/**
 * rdma_nl_notify - tell those who monitor devices
 * @device: the device
 * @port_num: the port, if the notice is about a network device
 * @type: what has happened
 *
 * They are in the namespace of the device. About a network device that's in another one they
 * aren't told: they couldn't see it.
 *
 * Context: Process, sleeps.
 */
void rdma_nl_notify(struct ib_device *device, u32 port_num, enum rdma_nl_notify_event_type type)
{
	struct net *net = read_pnet(&device->coredev.rdma_net);
	struct net_device *ndev = NULL;
	int err = 0;

	if (!netlink_has_listeners(rdma_net_of(net)->nl_sock, RDMA_NL_GROUP_NOTIFY))
		return;
	if (is_about_port(type))
		ndev = ib_device_get_netdev(device, port_num);
	if (!ndev || net_eq(dev_net(ndev), net))
		err = notify(net, device, port_num, ndev, type);
	if (err && err != -ESRCH)
		dev_warn_ratelimited(&device->dev, "No notice of %s to RDMA monitors: error %d\n",
				     names[type], err);
	dev_put(ndev);
}
