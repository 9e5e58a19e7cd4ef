// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Clients: the modules that are told of devices.
 *
 * Once its add has succeeded, a client is bound to the device: its entry in ib_device.client_data
 * is marked, and holds a reference to both. The entry is the client's data, which may be NULL.
 *
 * Clients are bound in the order of their registration, and unbound in the reverse order.
 *
 * Binding a pair happens once: ib_register_client() does it with rdma_devices_rwsem and
 * clients_rwsem held for writing, a device that becomes registered with both held for reading
 * throughout. Unregistration of either side first takes away its mark, for which it needs the same
 * lock for writing, so it never meets an add that runs. Two that unbind may meet: whoever clears
 * the mark calls remove, the other one waits for the references.
 */

#include <linux/kmod.h>
#include <linux/netdevice.h>

#include "device.h"

/*
 * By id. Ids rise in the order of registration; the mark means that it may be bound, and the client
 * stays in the array until it's bound nowhere.
 */
static DEFINE_XARRAY(clients);
#define CLIENT_REGISTERED XA_MARK_1

/* Guards the marks in clients, and clients_end. Inside rdma_devices_rwsem. */
static DECLARE_RWSEM(clients_rwsem);

/* All ids are below. Changed with clients_rwsem held for writing. */
static u32 clients_end;

/*
 * In ib_device.client_data. Cleared with client_data_rwsem held for writing, so that a client's
 * callback which runs with it held for reading is over before its remove.
 */
#define CLIENT_BOUND XA_MARK_1

static void client_put(struct ib_client *client)
{
	if (refcount_dec_and_test(&client->uses))
		complete(&client->uses_zero);
}

static void binding_put(struct ib_device *device, struct ib_client *client)
{
	xa_erase(&device->client_data, client->client_id);
	client_put(client);
	ib_device_put(device);
}

/* That a client doesn't want the device, for whatever reason, isn't an error. */
static int bind_client(struct ib_device *device, struct ib_client *client)
{
	int err;

	if (!device->kverbs_provider && !client->no_kverbs_req)
		return 0;
	/* There's room for ib_set_client_data() in add. */
	err = xa_err(xa_store(&device->client_data, client->client_id, NULL, GFP_KERNEL));
	if (err)
		return err;

	refcount_inc(&client->uses);
	refcount_inc(&device->refcount);
	if (client->add && client->add(device))
		binding_put(device, client);
	else
		xa_set_mark(&device->client_data, client->client_id, CLIENT_BOUND);
	return 0;
}

static bool take_mark(struct ib_device *device, u32 client_id, void **data)
{
	bool bound;

	down_write(&device->client_data_rwsem);
	bound = xa_get_mark(&device->client_data, client_id, CLIENT_BOUND);
	if (bound) {
		*data = xa_load(&device->client_data, client_id);
		xa_clear_mark(&device->client_data, client_id, CLIENT_BOUND);
	}
	up_write(&device->client_data_rwsem);
	return bound;
}

static void unbind_client(struct ib_device *device, u32 client_id)
{
	struct ib_client *client;
	void *data;

	if (!take_mark(device, client_id, &data))
		return;
	client = xa_load(&clients, client_id);
	/* No lock: it may call what it wants of us, and wait for those who do. */
	if (client->remove)
		client->remove(device, data);
	binding_put(device, client);
}

/**
 * rdma_clients_bind - tell all clients of a device
 * @device: the device; the caller has a reference
 *
 * Context: Sleeps; rdma_devices_rwsem is held for reading since the device is marked as registered.
 * Return: 0 or -ENOMEM; some clients may then be bound.
 */
int rdma_clients_bind(struct ib_device *device)
{
	struct ib_client *client;
	unsigned long id;
	int err = 0;

	down_read(&clients_rwsem);
	xa_for_each_marked(&clients, id, client, CLIENT_REGISTERED) {
		err = bind_client(device, client);
		if (err)
			break;
	}
	up_read(&clients_rwsem);
	return err;
}

/**
 * rdma_clients_unbind - take all clients off a device
 * @device: the device, not marked as registered
 *
 * For some of them ib_unregister_client() may still be at it on return.
 *
 * Context: Sleeps.
 */
void rdma_clients_unbind(struct ib_device *device)
{
	u32 id;

	down_read(&clients_rwsem);
	id = clients_end;
	up_read(&clients_rwsem);
	while (id--)
		unbind_client(device, id);
}

static int add_client(struct ib_client *client)
{
	int err;

	client->client_id = clients_end;
	err = xa_insert(&clients, client->client_id, client, GFP_KERNEL);
	if (err)
		return err;
	xa_set_mark(&clients, client->client_id, CLIENT_REGISTERED);
	clients_end++;
	return 0;
}

/* The ids above all that are in use are used again, or they'd grow with each reload of a module. */
static void erase_client(struct ib_client *client)
{
	down_write(&clients_rwsem);
	xa_erase(&clients, client->client_id);
	while (clients_end && !xa_load(&clients, clients_end - 1))
		clients_end--;
	up_write(&clients_rwsem);
}

static int bind_all_devices(struct ib_client *client)
{
	struct ib_device *device;
	unsigned long index;

	rdma_for_each_registered(device, index) {
		int err = bind_client(device, client);

		if (err)
			return err;
	}
	return 0;
}

/**
 * ib_register_client - be told of devices
 * @client: stays until ib_unregister_client()
 *
 * Its add is called for each registered device, now and in future.
 *
 * Context: Sleeps. The client's add may neither register nor unregister a client or a device.
 * Return: 0 or -ENOMEM.
 */
int ib_register_client(struct ib_client *client)
{
	int err;

	refcount_set(&client->uses, 1);
	init_completion(&client->uses_zero);

	down_write(&rdma_devices_rwsem);
	down_write(&clients_rwsem);
	err = add_client(client);
	if (err)
		goto out_unlock;
	err = bind_all_devices(client);
	up_write(&clients_rwsem);
	up_write(&rdma_devices_rwsem);
	if (err)
		ib_unregister_client(client);
	return err;

out_unlock:
	up_write(&clients_rwsem);
	up_write(&rdma_devices_rwsem);
	return err;
}
EXPORT_SYMBOL(ib_register_client);

/**
 * ib_unregister_client - be told no more
 * @client: the client. Its remove is called for each device that it's bound to. On return none of
 *	its functions runs, or will.
 *
 * Context: Sleeps, with no lock held that a client or a driver may want.
 */
void ib_unregister_client(struct ib_client *client)
{
	struct ib_device *device;
	unsigned long index;

	down_write(&clients_rwsem);
	xa_clear_mark(&clients, client->client_id, CLIENT_REGISTERED);
	up_write(&clients_rwsem);

	for (index = 0; (device = rdma_device_next_get(&index)); index++) {
		unbind_client(device, client->client_id);
		ib_device_put(device);
	}
	client_put(client);
	/* Others, who unregister a device, may be at it. */
	wait_for_completion(&client->uses_zero);
	erase_client(client);
}
EXPORT_SYMBOL(ib_unregister_client);

/**
 * ib_set_client_data - keep a client's data of a device
 * @device: the device
 * @client: the client, from its add to its remove
 * @data: for ib_get_client_data(), and an argument of some of the client's functions
 *
 * Context: Sleeps.
 */
void ib_set_client_data(struct ib_device *device, struct ib_client *client, void *data)
{
	void *old;

	if (WARN_ON(IS_ERR(data)))
		data = NULL;
	old = xa_store(&device->client_data, client->client_id, data, GFP_KERNEL);
	WARN_ON(xa_is_err(old));
}
EXPORT_SYMBOL(ib_set_client_data);

/* With client_data_rwsem held: the next bound client, which stays so until that is let go. */
static struct ib_client *next_bound(struct ib_device *device, u32 *id)
{
	for (; *id < READ_ONCE(clients_end); ++*id)
		if (xa_get_mark(&device->client_data, *id, CLIENT_BOUND))
			return xa_load(&clients, *id);
	return NULL;
}

/**
 * rdma_clients_renamed - tell a device's clients of its new name
 * @device: the device
 *
 * Context: Sleeps; rdma_devices_rwsem is held.
 */
void rdma_clients_renamed(struct ib_device *device)
{
	struct ib_client *client;
	u32 id;

	down_read(&device->client_data_rwsem);
	for (id = 0; (client = next_bound(device, &id)); id++)
		if (client->rename)
			client->rename(device, xa_load(&device->client_data, id));
	up_read(&device->client_data_rwsem);
}

/**
 * ib_get_net_dev_by_params - find the netdev that a connection request is for
 * @device: the device that it came in on
 * @port_num: the port
 * @pkey: its P_Key
 * @gid: its destination
 * @addr: the IP address that it names
 *
 * Context: Sleeps.
 * Return: the first netdev that a client (that is IPoIB) knows, to be put with dev_put(), or NULL.
 * On ports that aren't InfiniBand's there is none.
 */
struct net_device *ib_get_net_dev_by_params(struct ib_device *device, u32 port_num, u16 pkey,
					    const union ib_gid *gid, const struct sockaddr *addr)
{
	struct net_device *ndev = NULL;
	struct ib_client *client;
	u32 id;

	if (!rdma_protocol_ib(device, port_num))
		return NULL;
	down_read(&device->client_data_rwsem);
	for (id = 0; (client = next_bound(device, &id)); id++) {
		if (client->get_net_dev_by_params)
			ndev = client->get_net_dev_by_params(device, port_num, pkey, gid, addr,
							     xa_load(&device->client_data, id));
		if (ndev)
			break;
	}
	up_read(&device->client_data_rwsem);
	return ndev;
}
EXPORT_SYMBOL(ib_get_net_dev_by_params);

/*
 * What a client said of its character device. It stays only while the caller's lock is held, so it
 * is referenced here. -ENOENT is ours, for no such client.
 */
static int checked_info(struct ib_client_nl_info *info, int err)
{
	if (WARN_ON(err == -ENOENT || (!err && !info->cdev)))
		return -EINVAL;
	if (!err)
		get_device(info->cdev);
	return err;
}

static int device_nl_info(struct ib_device *device, const char *name,
			  struct ib_client_nl_info *info)
{
	struct ib_client *client;
	int err = -ENOENT;
	u32 id;

	down_read(&device->client_data_rwsem);
	for (id = 0; (client = next_bound(device, &id)); id++) {
		if (strcmp(client->name, name))
			continue;
		err = -EOPNOTSUPP;
		if (client->get_nl_info)
			err = checked_info(info,
					   client->get_nl_info(device,
							       xa_load(&device->client_data, id),
							       info));
		break;
	}
	up_read(&device->client_data_rwsem);
	return err;
}

static int global_nl_info(const char *name, struct ib_client_nl_info *info)
{
	struct ib_client *client;
	int err = -ENOENT;
	unsigned long id;

	down_read(&clients_rwsem);
	xa_for_each_marked(&clients, id, client, CLIENT_REGISTERED) {
		if (strcmp(client->name, name))
			continue;
		err = -EOPNOTSUPP;
		if (client->get_global_nl_info)
			err = checked_info(info, client->get_global_nl_info(info));
		break;
	}
	up_read(&clients_rwsem);
	return err;
}

static int nl_info(struct ib_device *device, const char *name, struct ib_client_nl_info *info)
{
	return device ? device_nl_info(device, name, info) : global_nl_info(name, info);
}

/**
 * rdma_client_nl_info - ask a client for its character device
 * @device: the device, referenced; or NULL to ask for what the client has but once
 * @name: the client's name; module rdma-client-NAME is loaded if nobody has it
 * @info: nl_msg and port are the question, the rest is the answer; its cdev must be put
 *
 * Context: Sleeps.
 * Return: 0; -EOPNOTSUPP if there is no such client, or it has none; an errno of the client;
 * -EINVAL if the client is wrong.
 */
int rdma_client_nl_info(struct ib_device *device, const char *name, struct ib_client_nl_info *info)
{
	int err = nl_info(device, name, info);

	if (err == -ENOENT && IS_ENABLED(CONFIG_MODULES)) {
		request_module("rdma-client-%s", name);
		err = nl_info(device, name, info);
	}
	return err == -ENOENT ? -EOPNOTSUPP : err;
}

/**
 * rdma_clients_empty - tell whether all clients are gone
 *
 * Return: true if so.
 */
bool rdma_clients_empty(void)
{
	return xa_empty(&clients);
}
