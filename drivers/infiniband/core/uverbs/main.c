// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The module. */

#include <linux/module.h>
#include <rdma/rdma_netlink.h>

#include "file/file.h"

MODULE_DESCRIPTION("InfiniBand verbs for user programs");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_ALIAS_RDMA_CLIENT("uverbs");

static int __init uverbs_init(void)
{
	int err;

	err = uverbs_nodes_init();
	if (err)
		return err;
	err = ib_register_client(&uverbs_client);
	if (err)
		uverbs_nodes_exit();
	return err;
}

static void __exit uverbs_exit(void)
{
	ib_unregister_client(&uverbs_client);
	uverbs_nodes_exit();
}

module_init(uverbs_init);
module_exit(uverbs_exit);
