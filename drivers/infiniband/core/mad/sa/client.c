// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Ports from which SA can be asked, and who asks. */

#include <linux/export.h>
#include <linux/slab.h>

#include "sa.h"

/**
 * struct sa_device - the ports of a device
 * @handler: of its events
 * @first: number of its first port
 * @count: how many they are
 * @ports: those without SA have no agent
 */
struct sa_device {
	struct ib_event_handler handler;
	u32 first;
	u32 count;
	struct sa_port ports[] __counted_by(count);
};

static void update(struct work_struct *work)
{
	sa_sm_ah_update(container_of(work, struct sa_port, update));
}

static bool concerns_sm(enum ib_event_type event)
{
	switch (event) {
	case IB_EVENT_PORT_ERR:
	case IB_EVENT_PORT_ACTIVE:
	case IB_EVENT_LID_CHANGE:
	case IB_EVENT_PKEY_CHANGE:
	case IB_EVENT_SM_CHANGE:
	case IB_EVENT_CLIENT_REREGISTER:
		return true;
	default:
		return false;
	}
}

static struct sa_port *port_at(struct sa_device *sa_device, u32 port_num)
{
	u32 i = port_num - sa_device->first;

	return i < sa_device->count && sa_device->ports[i].agent ? &sa_device->ports[i] : NULL;
}

static void handle_event(struct ib_event_handler *handler, struct ib_event *event)
{
	struct sa_device *sa_device = container_of(handler, struct sa_device, handler);
	struct sa_port *port;

	if (!concerns_sm(event->event))
		return;
	port = port_at(sa_device, event->element.port_num);
	if (!port)
		return;
	sa_sm_ah_forget(port);
	queue_work(ib_wq, &port->update);
}

static int open_port(struct ib_device *device, struct sa_port *port, u32 port_num)
{
	struct ib_mad_agent *agent;

	spin_lock_init(&port->lock);
	INIT_WORK(&port->update, update);
	port->port_num = port_num;
	agent = ib_register_mad_agent(device, port_num, IB_QPT_GSI, NULL, 0, sa_query_sent,
				      sa_query_answered, port, 0);
	if (IS_ERR(agent))
		return PTR_ERR(agent);
	port->agent = agent;
	return 0;
}

/* Ends all queries of the port. Context: sleeps. */
static void close_port(struct sa_port *port)
{
	cancel_work_sync(&port->update);
	sa_ls_cancel_port(port);
	ib_unregister_mad_agent(port->agent);
	sa_sm_ah_forget(port);
}

static void close_ports(struct sa_device *sa_device)
{
	u32 i;

	for (i = 0; i < sa_device->count; i++)
		if (sa_device->ports[i].agent)
			close_port(&sa_device->ports[i]);
	kfree(sa_device);
}

static int open_ports(struct ib_device *device, struct sa_device *sa_device)
{
	int opened = 0, ret;
	u32 i;

	for (i = 0; i < sa_device->count; i++) {
		if (!rdma_cap_ib_sa(device, sa_device->first + i))
			continue;
		ret = open_port(device, &sa_device->ports[i], sa_device->first + i);
		if (ret)
			return ret;
		opened++;
	}
	return opened ? 0 : -EOPNOTSUPP;
}

static struct ib_client sa_client;

/* Events are heard before the port is looked at: none is missed in between. */
static int add_device(struct ib_device *device)
{
	u32 count = rdma_end_port(device) - rdma_start_port(device) + 1;
	struct sa_device *sa_device;
	int ret;
	u32 i;

	sa_device = kzalloc(struct_size(sa_device, ports, count), GFP_KERNEL);
	if (!sa_device)
		return -ENOMEM;
	sa_device->count = count;
	sa_device->first = rdma_start_port(device);
	ret = open_ports(device, sa_device);
	if (ret) {
		close_ports(sa_device);
		return ret;
	}

	ib_set_client_data(device, &sa_client, sa_device);
	INIT_IB_EVENT_HANDLER(&sa_device->handler, device, handle_event);
	ib_register_event_handler(&sa_device->handler);
	for (i = 0; i < count; i++)
		if (sa_device->ports[i].agent)
			sa_sm_ah_update(&sa_device->ports[i]);
	return 0;
}

static void remove_device(struct ib_device *device, void *client_data)
{
	struct sa_device *sa_device = client_data;

	ib_unregister_event_handler(&sa_device->handler);
	close_ports(sa_device);
}

static struct ib_client sa_client = {
	.name = "sa",
	.add = add_device,
	.remove = remove_device,
};

int __init sa_init(void)
{
	int ret;

	sa_queries_init();
	ret = sa_ls_init();
	if (ret)
		return ret;
	ret = ib_register_client(&sa_client);
	if (ret)
		sa_ls_exit();
	return ret;
}

void sa_exit(void)
{
	ib_unregister_client(&sa_client);
	sa_ls_exit();
}

/**
 * sa_port_find - find a port from which SA can be asked
 * @device: the device; the caller is a client that was added after us and isn't removed yet
 * @port_num: any number
 *
 * Return: the port, or NULL.
 */
struct sa_port *sa_port_find(struct ib_device *device, u32 port_num)
{
	struct sa_device *sa_device = ib_get_client_data(device, &sa_client);

	return sa_device ? port_at(sa_device, port_num) : NULL;
}

/**
 * ib_sa_register_client - become one who asks SA
 * @client: the client's memory
 *
 * Context: any.
 */
void ib_sa_register_client(struct ib_sa_client *client)
{
	atomic_set(&client->users, 1);
	init_completion(&client->comp);
}
EXPORT_SYMBOL(ib_sa_register_client);

/**
 * ib_sa_unregister_client - ask no more
 * @client: as it was registered
 *
 * Waits until all its queries have ended and all its multicast memberships are freed; the client
 * cancels and frees them before.
 *
 * Context: sleeps; not from a callback.
 */
void ib_sa_unregister_client(struct ib_sa_client *client)
{
	sa_client_put(client);
	wait_for_completion(&client->comp);
}
EXPORT_SYMBOL(ib_sa_unregister_client);
