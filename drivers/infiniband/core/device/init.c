// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the registry needs from the module's start to its end. */

#include <linux/workqueue.h>

#include "device.h"

struct workqueue_struct *ib_wq;
EXPORT_SYMBOL_GPL(ib_wq);

/**
 * rdma_device_init - let there be devices
 *
 * From here on user space can send netlink messages.
 *
 * Return: 0 or a negative errno.
 */
int rdma_device_init(void)
{
	int err = -ENOMEM;

	ib_wq = alloc_workqueue("infiniband", 0, 0);
	if (!ib_wq)
		return err;
	err = rdma_unregister_init();
	if (err)
		goto err_ib_wq;
	rdma_pma_group_init();
	err = class_register(&rdma_class);
	if (err)
		goto err_unregister;
	err = rdma_netns_init();
	if (err)
		goto err_class;
	return 0;

err_class:
	class_unregister(&rdma_class);
err_unregister:
	rdma_unregister_exit();
err_ib_wq:
	destroy_workqueue(ib_wq);
	return err;
}

/**
 * rdma_device_exit - undo that
 *
 * All drivers and clients are gone: they use our symbols, so that the module can't be unloaded
 * before.
 */
void rdma_device_exit(void)
{
	rdma_netns_exit();
	class_unregister(&rdma_class);
	rdma_unregister_exit();
	destroy_workqueue(ib_wq);
	WARN_ON(!rdma_clients_empty());
	WARN_ON(!xa_empty(&rdma_devices));
}
