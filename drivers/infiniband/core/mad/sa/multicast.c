// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Ports that can be members of multicast groups, and who makes them. */

#include <linux/export.h>
#include <linux/slab.h>

#include "multicast.h"

/**
 * struct mcast_device - the ports of a device
 * @handler: of its events
 * @first: number of its first port
 * @count: how many they are
 * @ports: those without multicast have no device
 */
struct mcast_device {
	struct ib_event_handler handler;
	u32 first;
	u32 count;
	struct mcast_port ports[] __counted_by(count);
};

static struct mcast_port *port_at(struct mcast_device *mcast_device, u32 port_num)
{
	u32 i = port_num - mcast_device->first;

	if (i >= mcast_device->count || !mcast_device->ports[i].device)
		return NULL;
	return &mcast_device->ports[i];
}

static void handle_event(struct ib_event_handler *handler, struct ib_event *event)
{
	struct mcast_device *mcast_device = container_of(handler, struct mcast_device, handler);
	enum mcast_event what;
	struct mcast_port *port;

	switch (event->event) {
	case IB_EVENT_PORT_ERR:
	case IB_EVENT_LID_CHANGE:
	case IB_EVENT_CLIENT_REREGISTER:
		what = MCAST_EVENT_RESET;
		break;
	case IB_EVENT_PKEY_CHANGE:
		what = MCAST_EVENT_PKEY;
		break;
	default:
		return;
	}
	port = port_at(mcast_device, event->element.port_num);
	if (port)
		mcast_groups_event(port, what);
}

static void init_port(struct mcast_port *port, struct ib_device *device, u32 port_num)
{
	port->device = device;
	port->port_num = port_num;
	spin_lock_init(&port->lock);
	port->groups = RB_ROOT;
	refcount_set(&port->refs, 1);
	init_completion(&port->empty);
}

static struct ib_client mcast_client;

static int add_device(struct ib_device *device)
{
	u32 first = rdma_start_port(device), last = rdma_end_port(device), port_num;
	struct mcast_device *mcast_device;
	bool any = false;

	mcast_device = kzalloc(struct_size(mcast_device, ports, last - first + 1), GFP_KERNEL);
	if (!mcast_device)
		return -ENOMEM;
	mcast_device->count = last - first + 1;
	mcast_device->first = first;
	for (port_num = first; port_num <= last; port_num++) {
		if (!rdma_cap_ib_mcast(device, port_num))
			continue;
		init_port(&mcast_device->ports[port_num - first], device, port_num);
		any = true;
	}
	if (!any) {
		kfree(mcast_device);
		return -EOPNOTSUPP;
	}

	ib_set_client_data(device, &mcast_client, mcast_device);
	INIT_IB_EVENT_HANDLER(&mcast_device->handler, device, handle_event);
	ib_register_event_handler(&mcast_device->handler);
	return 0;
}

/* Members are gone, or go soon: their users are clients that were removed earlier. */
static void remove_device(struct ib_device *device, void *client_data)
{
	struct mcast_device *mcast_device = client_data;
	struct mcast_port *port;
	u32 i;

	ib_unregister_event_handler(&mcast_device->handler);
	for (i = 0; i < mcast_device->count; i++) {
		port = &mcast_device->ports[i];
		if (!port->device)
			continue;
		if (refcount_dec_and_test(&port->refs))
			complete(&port->empty);
		wait_for_completion(&port->empty);
	}
	kfree(mcast_device);
}

static struct ib_client mcast_client = {
	.name = "ib_multicast",
	.add = add_device,
	.remove = remove_device,
};

static struct mcast_port *find_port(struct ib_device *device, u32 port_num)
{
	struct mcast_device *mcast_device = ib_get_client_data(device, &mcast_client);

	return mcast_device ? port_at(mcast_device, port_num) : NULL;
}

/**
 * ib_sa_join_multicast - become a member of a multicast group
 * @client: who
 * @device: which port becomes a member
 * @port_num: which port becomes a member
 * @rec: the group; with an MGID of zero, a new one
 * @comp_mask: which components of @rec count
 * @gfp_mask: how to allocate
 * @callback: called from process context: with status 0 when it's a member (what the group is
 *	stands in its rec), with a negative errno when it isn't: -EINVAL for another group than was
 *	wanted, -ETIMEDOUT, -EIO; and with -ENETRESET when it's a member no more, and must join
 *	anew. If it returns non-zero, the membership is freed. It may run before this returns
 * @context: for @callback
 *
 * Context: any, as @gfp_mask allows.
 *
 * Return: the membership, freed with ib_sa_free_multicast() whatever comes of it; ERR_PTR(-ENODEV)
 * or ERR_PTR(-ENOMEM).
 */
struct ib_sa_multicast *ib_sa_join_multicast(struct ib_sa_client *client,
					     struct ib_device *device, u32 port_num,
					     struct ib_sa_mcmember_rec *rec,
					     ib_sa_comp_mask comp_mask, gfp_t gfp_mask,
					     int (*callback)(int status,
							     struct ib_sa_multicast *multicast),
					     void *context)
{
	struct mcast_port *port = find_port(device, port_num);
	struct mcast_member *member;

	if (!port)
		return ERR_PTR(-ENODEV);
	member = kzalloc(sizeof(*member), gfp_mask);
	if (!member)
		return ERR_PTR(-ENOMEM);
	member->group = mcast_group_get(port, &rec->mgid, gfp_mask);
	if (!member->group) {
		kfree(member);
		return ERR_PTR(-ENOMEM);
	}

	member->multicast.rec = *rec;
	member->multicast.comp_mask = comp_mask;
	member->multicast.callback = callback;
	member->multicast.context = context;
	refcount_set(&member->refs, 1);
	init_completion(&member->idle);
	sa_client_get(client);
	member->client = client;
	mcast_group_join(member);
	return &member->multicast;
}
EXPORT_SYMBOL(ib_sa_join_multicast);

/**
 * ib_sa_free_multicast - be a member no more
 * @multicast: the membership
 *
 * SA hears of it when the last member goes.
 *
 * Context: sleeps until the callback isn't running; not from the callback.
 */
void ib_sa_free_multicast(struct ib_sa_multicast *multicast)
{
	struct mcast_member *member = container_of(multicast, struct mcast_member, multicast);

	mcast_group_quit(member);
	sa_client_put(member->client);
	kfree(member);
}
EXPORT_SYMBOL(ib_sa_free_multicast);

/**
 * ib_sa_get_mcmember_rec - look up a group that the port is a member of
 * @device: the port's device
 * @port_num: the port
 * @mgid: the group's GID
 * @rec: set to what SA says of it
 *
 * Context: any.
 *
 * Return: 0, -ENODEV or -EADDRNOTAVAIL.
 */
int ib_sa_get_mcmember_rec(struct ib_device *device, u32 port_num, union ib_gid *mgid,
			   struct ib_sa_mcmember_rec *rec)
{
	struct mcast_port *port = find_port(device, port_num);
	struct mcast_group *group;
	unsigned long flags;

	if (!port)
		return -ENODEV;
	spin_lock_irqsave(&port->lock, flags);
	group = mcast_group_find(port, mgid);
	if (group)
		*rec = group->rec;
	spin_unlock_irqrestore(&port->lock, flags);
	return group ? 0 : -EADDRNOTAVAIL;
}
EXPORT_SYMBOL(ib_sa_get_mcmember_rec);

int __init mcast_init(void)
{
	int ret;

	ret = mcast_groups_init();
	if (ret)
		return ret;
	ret = ib_register_client(&mcast_client);
	if (ret)
		mcast_groups_exit();
	return ret;
}

void mcast_exit(void)
{
	ib_unregister_client(&mcast_client);
	mcast_groups_exit();
}
