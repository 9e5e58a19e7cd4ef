// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Ports, and the devices that have them.
 *
 * A port is complete, repliers and all, before its QPs receive: a MAD that comes while it opens
 * finds what it needs. When it closes, reception is over before anything is taken away.
 */

#include <linux/slab.h>
#include <rdma/ib_cache.h>

#include "mad.h"

/**
 * struct mad_device - the ports of a device
 * @first: number of its first port
 * @count: how many they are
 * @ports: NULL for those without MADs
 */
struct mad_device {
	u32 first;
	u32 count;
	struct mad_port *ports[] __counted_by(count);
};

static struct mad_port *alloc_port(struct ib_device *device, u32 port_num)
{
	struct mad_port *port = kzalloc(sizeof(*port), GFP_KERNEL);
	int i;

	if (!port)
		return NULL;
	port->device = device;
	port->port_num = port_num;
	mad_registry_init(&port->registry);
	for (i = 0; i < ARRAY_SIZE(port->qps); i++)
		mad_qp_init(&port->qps[i], port);
	refcount_set(&port->receivers, 1);
	init_completion(&port->quiet);
	return port;
}

static int create_cq(struct mad_port *port)
{
	int entries = mad_send_queue_size + mad_recv_queue_size;

	if (rdma_cap_ib_smi(port->device, port->port_num))
		entries *= 2;
	port->cq = ib_alloc_cq(port->device, port, entries, 0, IB_POLL_UNBOUND_WORKQUEUE);
	return PTR_ERR_OR_ZERO(port->cq);
}

static int create_qps(struct mad_port *port)
{
	int ret = 0;

	if (rdma_cap_ib_smi(port->device, port->port_num))
		ret = mad_qp_create(&port->qps[0], IB_QPT_SMI);
	if (!ret && rdma_cap_ib_cm(port->device, port->port_num))
		ret = mad_qp_create(&port->qps[1], IB_QPT_GSI);
	return ret;
}

static int start_qps(struct mad_port *port)
{
	u16 pkey_index;
	int i, ret;

	if (ib_find_pkey(port->device, port->port_num, IB_DEFAULT_PKEY_FULL, &pkey_index))
		pkey_index = 0;
	for (i = 0; i < ARRAY_SIZE(port->qps); i++) {
		if (!port->qps[i].qp)
			continue;
		ret = mad_qp_start(&port->qps[i], pkey_index);
		if (ret)
			return ret;
	}
	return 0;
}

/* Returns when no receive completion is under way, nor will be. */
static void stop_receiving(struct mad_port *port)
{
	if (refcount_dec_and_test(&port->receivers))
		complete(&port->quiet);
	wait_for_completion(&port->quiet);
}

/* The CQ's worker is gone before the buffers that it would look at. */
static void destroy_qps(struct mad_port *port)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(port->qps); i++)
		if (port->qps[i].qp)
			mad_qp_stop(&port->qps[i]);
	for (i = 0; i < ARRAY_SIZE(port->qps); i++)
		if (port->qps[i].qp)
			mad_qp_destroy(&port->qps[i]);
	ib_free_cq(port->cq);
	for (i = 0; i < ARRAY_SIZE(port->qps); i++)
		mad_qp_free_receives(&port->qps[i]);
}

/**
 * mad_port_open - begin to send and receive MADs on a port
 * @device: the device
 * @port_num: a port that has MADs
 *
 * Context: sleeps.
 *
 * Return: the port or ERR_PTR().
 */
struct mad_port *mad_port_open(struct ib_device *device, u32 port_num)
{
	struct mad_port *port;
	int ret;

	port = alloc_port(device, port_num);
	if (!port)
		return ERR_PTR(-ENOMEM);
	port->pd = ib_alloc_pd(device, 0);
	ret = PTR_ERR_OR_ZERO(port->pd);
	if (ret)
		goto free;
	ret = create_cq(port);
	if (ret)
		goto free_pd;
	port->wq = alloc_ordered_workqueue("ib_mad%u", WQ_MEM_RECLAIM, port_num);
	if (!port->wq) {
		ret = -ENOMEM;
		goto free_cq;
	}
	ret = create_qps(port);
	if (!ret)
		ret = start_qps(port);
	if (!ret)
		return port;

	ibdev_err(device, "port %u: no management datagrams: %d\n", port_num, ret);
	mad_port_close(port);
	return ERR_PTR(ret);
free_cq:
	ib_free_cq(port->cq);
free_pd:
	ib_dealloc_pd(port->pd);
free:
	kfree(port);
	return ERR_PTR(ret);
}

/* Ends it. No agent is left but the port's own. Context: sleeps. */
void mad_port_close(struct mad_port *port)
{
	stop_receiving(port);
	destroy_qps(port);
	destroy_workqueue(port->wq);
	ib_dealloc_pd(port->pd);
	kfree(port);
}

/* ---- devices ---- */

static void close_ports(struct mad_device *mad_device)
{
	u32 i;

	for (i = 0; i < mad_device->count; i++)
		if (mad_device->ports[i])
			mad_port_close(mad_device->ports[i]);
	kfree(mad_device);
}

static int open_ports(struct ib_device *device, struct mad_device *mad_device)
{
	int opened = 0;
	u32 i;

	for (i = 0; i < mad_device->count; i++) {
		struct mad_port *port;

		if (!rdma_cap_ib_mad(device, mad_device->first + i))
			continue;
		port = mad_port_open(device, mad_device->first + i);
		if (IS_ERR(port))
			return PTR_ERR(port);
		mad_device->ports[i] = port;
		opened++;
	}
	return opened ? 0 : -EOPNOTSUPP;
}

/* All ports or none: clients that come later take it for granted. A switch isn't for us. */
static int add_device(struct ib_device *device)
{
	u32 count = rdma_end_port(device) - rdma_start_port(device) + 1;
	struct mad_device *mad_device;
	int ret;

	if (rdma_cap_ib_switch(device))
		return -EOPNOTSUPP;
	mad_device = kzalloc(struct_size(mad_device, ports, count), GFP_KERNEL);
	if (!mad_device)
		return -ENOMEM;
	mad_device->count = count;
	mad_device->first = rdma_start_port(device);
	ret = open_ports(device, mad_device);
	if (ret)
		close_ports(mad_device);
	else
		ib_set_client_data(device, &mad_client, mad_device);
	return ret;
}

static void remove_device(struct ib_device *device, void *client_data)
{
	close_ports(client_data);
}

struct ib_client mad_client = {
	.name = "mad",
	.add = add_device,
	.remove = remove_device,
};

/**
 * mad_port_find - find an open port
 * @device: the device; the caller is a client that was added after us and isn't removed yet
 * @port_num: any number
 *
 * Return: the port, or NULL.
 */
struct mad_port *mad_port_find(struct ib_device *device, u32 port_num)
{
	struct mad_device *mad_device = ib_get_client_data(device, &mad_client);
	u32 i;

	if (!mad_device)
		return NULL;
	i = port_num - mad_device->first;
	return i < mad_device->count ? mad_device->ports[i] : NULL;
}
