// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Attributes that many messages have. All return 0 or -EMSGSIZE. */

#include <linux/netdevice.h>
#include <linux/sched.h>

#include "netlink.h"

int nldev_put_u64(struct sk_buff *msg, int attr, u64 value)
{
	return nla_put_u64_64bit(msg, attr, value, RDMA_NLDEV_ATTR_PAD);
}

int nldev_put_handle(struct sk_buff *msg, const struct ib_device *device)
{
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_DEV_INDEX, device->index) ?:
	       nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_NAME, dev_name(&device->dev));
}

int nldev_put_netdev(struct sk_buff *msg, const struct net_device *ndev)
{
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_NDEV_INDEX, ndev->ifindex) ?:
	       nla_put_string(msg, RDMA_NLDEV_ATTR_NDEV_NAME, ndev->name);
}

/* Whom a resource belongs to. A process that has ended, or that the asker can't see, has no id. */
int nldev_put_owner(struct sk_buff *msg, const struct rdma_restrack_entry *res)
{
	pid_t pid;

	if (rdma_is_kernel_res(res))
		return nla_put_string(msg, RDMA_NLDEV_ATTR_RES_KERN_NAME, res->kern_name);
	pid = task_pid_vnr(res->task);
	return pid ? nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_PID, pid) : 0;
}
