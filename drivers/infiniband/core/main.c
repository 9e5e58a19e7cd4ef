// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The module: its parts are started in this order, each of them before what uses it. */

#include <linux/module.h>
#include <linux/net.h>
#include <rdma/rdma_netlink.h>

#include "core.h"

MODULE_DESCRIPTION("RDMA core: devices, clients, verbs objects");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_ALIAS_NET_PF_PROTO(PF_NETLINK, NETLINK_RDMA);
MODULE_ALIAS_RDMA_NETLINK(RDMA_NL_LS, 4);
MODULE_ALIAS_RDMA_NETLINK(RDMA_NL_NLDEV, 5);
/* No InfiniBand port works without, and not every driver asks for it by a symbol. */
MODULE_SOFTDEP("post: ib_mad");

static int __init core_init(void)
{
	int err;

	err = rdma_verbs_init();
	if (err)
		return err;
	err = rdma_addr_init();
	if (err)
		goto err_verbs;
	err = rdma_netlink_init();
	if (err)
		goto err_addr;
	err = rdma_device_init();
	if (err)
		goto err_netlink;
	err = rdma_cache_init();
	if (err)
		goto err_device;
	return 0;

err_device:
	rdma_device_exit();
err_netlink:
	rdma_netlink_exit();
err_addr:
	rdma_addr_exit();
err_verbs:
	rdma_verbs_exit();
	return err;
}

static void __exit core_exit(void)
{
	rdma_cache_exit();
	rdma_device_exit();
	rdma_netlink_exit();
	rdma_addr_exit();
	rdma_verbs_exit();
	/* Functions of ours free what readers may have had a look at. */
	rcu_barrier();
}

module_init(core_init);
module_exit(core_exit);
