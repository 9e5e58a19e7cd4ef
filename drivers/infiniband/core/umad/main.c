// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The module and its two clients: "umad" makes the devices, "issm" only answers for them. */

#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/rdma_netlink.h>

#include "umad.h"

MODULE_DESCRIPTION("InfiniBand management datagrams for user programs");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_ALIAS_RDMA_CLIENT("umad");
MODULE_ALIAS_RDMA_CLIENT("issm");

static void device_free(struct umad_device *device)
{
	u32 i;

	for (i = 0; i < device->count; i++)
		if (device->ports[i])
			umad_port_remove(device->ports[i]);
	kfree(device);
}

static int add_ports(struct ib_device *ib_dev, struct umad_device *device)
{
	int err = -EOPNOTSUPP;	/* unless a port has MADs */
	u32 port_num;

	rdma_for_each_port(ib_dev, port_num) {
		struct umad_port *port;

		if (!rdma_cap_ib_mad(ib_dev, port_num))
			continue;
		port = umad_port_create(ib_dev, port_num);
		if (IS_ERR(port))
			return PTR_ERR(port);
		device->ports[port_num - rdma_start_port(ib_dev)] = port;
		err = 0;
	}
	return err;
}

static struct ib_client umad_client;

static int umad_add(struct ib_device *ib_dev)
{
	u32 count = rdma_end_port(ib_dev) - rdma_start_port(ib_dev) + 1;
	struct umad_device *device;
	int err;

	device = kzalloc(struct_size(device, ports, count), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	device->count = count;
	err = add_ports(ib_dev, device);
	if (err) {
		device_free(device);
		return err;
	}
	ib_set_client_data(ib_dev, &umad_client, device);
	return 0;
}

static void umad_remove(struct ib_device *ib_dev, void *client_data)
{
	device_free(client_data);
}

static struct ib_client umad_client = {
	.name = "umad",
	.add = umad_add,
	.remove = umad_remove,
	.get_nl_info = umad_get_nl_info,
};

/*
 * Registered after umad_client, so that ib_core takes it off a device before that: the data it
 * borrows is there as long as this client can be asked.
 */
static int issm_get_nl_info(struct ib_device *ib_dev, void *client_data,
			    struct ib_client_nl_info *info)
{
	return umad_issm_get_nl_info(ib_dev, ib_get_client_data(ib_dev, &umad_client), info);
}

static struct ib_client issm_client = {
	.name = "issm",
	.get_nl_info = issm_get_nl_info,
};

static int __init umad_init(void)
{
	int err;

	err = umad_nodes_init();
	if (err)
		return err;
	err = ib_register_client(&umad_client);
	if (err)
		goto err_nodes;
	err = ib_register_client(&issm_client);
	if (err)
		goto err_umad;
	return 0;

err_umad:
	ib_unregister_client(&umad_client);
err_nodes:
	umad_nodes_exit();
	return err;
}

static void __exit umad_exit(void)
{
	ib_unregister_client(&issm_client);
	ib_unregister_client(&umad_client);
	umad_nodes_exit();
}

module_init(umad_init);
module_exit(umad_exit);
