// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: settings of the whole system. `rdma system`. */

#include <linux/capability.h>
#include <linux/export.h>

#include "netlink.h"

/*
 * May programs without privilege use controlled Q_Keys (IBTA 3.5.3), those with the top bit set?
 */
static bool everybody_may_control_qkeys;

/**
 * rdma_nl_get_privileged_qkey - may the current process use a controlled Q_Key
 *
 * Context: Process.
 *
 * Return: true if it may.
 */
bool rdma_nl_get_privileged_qkey(void)
{
	return READ_ONCE(everybody_may_control_qkeys) || capable(CAP_NET_RAW);
}
EXPORT_SYMBOL(rdma_nl_get_privileged_qkey);

/*
 * There is a monitor, and pinned pages of a process that forks are copied for the child (a
 * property of Linux since 5.12), so that libibverbs needs no madvise().
 */
int nldev_sys_get(struct nldev_request *request)
{
	struct sk_buff *msg = request->reply;

	return nla_put_u8(msg, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, rdma_netns_shared()) ?:
	       nla_put_u8(msg, RDMA_NLDEV_SYS_ATTR_PRIVILEGED_QKEY_MODE,
			  READ_ONCE(everybody_may_control_qkeys)) ?:
	       nla_put_u8(msg, RDMA_NLDEV_SYS_ATTR_MONITOR_MODE, 1) ?:
	       nla_put_u8(msg, RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, 1);
}

static int set_qkey_mode(u8 value)
{
	if (value > 1)
		return -EINVAL;
	WRITE_ONCE(everybody_may_control_qkeys, value);
	return 0;
}

int nldev_sys_set(struct nldev_request *request)
{
	const struct nlattr *netns = request->tb[RDMA_NLDEV_SYS_ATTR_NETNS_MODE];
	const struct nlattr *qkey = request->tb[RDMA_NLDEV_SYS_ATTR_PRIVILEGED_QKEY_MODE];

	if (netns)
		return nla_get_u8(netns) > 1 ? -EINVAL : rdma_set_netns_shared(nla_get_u8(netns));
	return qkey ? set_qkey_mode(nla_get_u8(qkey)) : -EINVAL;
}
