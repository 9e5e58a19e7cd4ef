// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * RoCE GIDs follow what happens to netdevs and their addresses. A notifier can't change GIDs: it
 * may not sleep, or holds RTNL. So it notes what happened, and that is applied to each port on an
 * ordered work queue. In that order all comes right in the end, even if a netdev changed again
 * meanwhile: the note of that change is yet to come.
 */

#include <linux/if_arp.h>
#include <linux/inetdevice.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <net/addrconf.h>
#include <net/bonding.h>

#include "cache.h"

struct roce_event;

/* Applies the event to a port. Returns whether the port's GIDs changed. */
typedef bool (*apply_fn)(const struct roce_port *port, const struct roce_event *event);

/**
 * struct roce_event - something that happened to a netdev
 * @work: on the queue
 * @apply: what is to be done
 * @ndev: the netdev, held
 * @ndev_tracker: of that reference
 * @upper: the netdev that was stacked on it, or no longer is, held; else NULL
 * @upper_tracker: of that reference
 * @gid: the address that it got or lost, else unused
 */
struct roce_event {
	struct work_struct work;
	apply_fn apply;
	struct net_device *ndev;
	netdevice_tracker ndev_tracker;
	struct net_device *upper;
	netdevice_tracker upper_tracker;
	union ib_gid gid;
};

static struct workqueue_struct *events_wq;

/* ---- what is to be done ---- */

static bool address_came(const struct roce_port *port, const struct roce_event *event)
{
	return roce_port_serves(port->ndev, event->ndev) &&
	       roce_add_gid(port, event->ndev, &event->gid);
}

static bool address_went(const struct roce_port *port, const struct roce_event *event)
{
	return roce_port_serves(port->ndev, event->ndev) &&
	       roce_remove_gid(port, event->ndev, &event->gid);
}

static bool ndev_came(const struct roce_port *port, const struct roce_event *event)
{
	return roce_add_all(port, event->ndev);
}

/* Whether the port once served it can't be told any more. */
static bool ndev_went(const struct roce_port *port, const struct roce_event *event)
{
	return roce_remove_all(port, event->ndev);
}

/* The adapter sends with the MAC address that it was told together with the GID. */
static bool mac_changed(const struct roce_port *port, const struct roce_event *event)
{
	bool changed = false;

	if (roce_port_serves(port->ndev, event->ndev))
		changed |= roce_remove_all(port, event->ndev);
	if (event->ndev->reg_state == NETREG_REGISTERED)
		changed |= roce_add_all(port, event->ndev);
	return changed;
}

static bool upper_linked(const struct roce_port *port, const struct roce_event *event)
{
	struct net_device *upper = event->upper;
	bool changed = false;

	if (netif_is_bond_master(upper) && roce_is_lower(port->ndev, upper)) {
		changed |= roce_remove_default(port, event->ndev);
		changed |= roce_add_default(port, upper);
	}
	if (roce_port_serves(port->ndev, upper))
		changed |= roce_with_uppers(port, upper, roce_add_addresses);
	return changed;
}

static bool is_below(const struct roce_port *port, struct net_device *ndev)
{
	return port->ndev == ndev || roce_is_lower(port->ndev, ndev);
}

static bool upper_unlinked(const struct roce_port *port, const struct roce_event *event)
{
	bool changed = false;

	if (is_below(port, event->ndev))
		changed |= roce_with_uppers(port, event->upper, roce_remove_all);
	if (roce_port_serves(port->ndev, event->ndev))
		changed |= roce_add_addresses(port, event->ndev);
	return changed;
}

/* The GIDs of a bond move to the port of the netdev that it uses now. */
static bool bond_failed_over(const struct roce_port *port, const struct roce_event *event)
{
	struct net_device *bond = event->ndev;
	bool changed = false;

	if (is_below(port, bond))
		changed |= roce_with_uppers(port, bond, roce_remove_all);
	if (netif_is_bond_master(bond) && roce_is_lower(port->ndev, bond))
		changed |= roce_add_default(port, bond);
	if (roce_port_serves(port->ndev, bond))
		changed |= roce_with_uppers(port, bond, roce_add_addresses);
	return changed;
}

/* ---- the queue ---- */

static void apply_to_port(struct ib_device *device, u32 port_num, struct net_device *ndev,
			  void *context)
{
	const struct roce_event *event = context;
	const struct roce_port port = {
		.device = device,
		.port_num = port_num,
		.ndev = ndev,
	};

	roce_changed(&port, event->apply(&port, event));
}

static void apply_work(struct work_struct *work)
{
	struct roce_event *event = container_of(work, struct roce_event, work);

	rdma_walk_all_roce_ports(apply_to_port, event);
	netdev_put(event->ndev, &event->ndev_tracker);
	netdev_put(event->upper, &event->upper_tracker);
	kfree(event);
}

static bool note(apply_fn apply, struct net_device *ndev, struct net_device *upper,
		 const union ib_gid *gid, gfp_t gfp)
{
	struct roce_event *event = kzalloc(sizeof(*event), gfp);

	if (!event)
		return false;
	INIT_WORK(&event->work, apply_work);
	event->apply = apply;
	event->ndev = ndev;
	netdev_hold(ndev, &event->ndev_tracker, gfp);
	event->upper = upper;
	netdev_hold(upper, &event->upper_tracker, gfp);
	if (gid)
		event->gid = *gid;
	return queue_work(events_wq, &event->work);
}

/* ---- the notifiers ---- */

/*
 * There must be memory: a netdev that is unregistered would wait for the references of its GIDs,
 * which nobody would remove. Allocations of this size don't fail outside of tests anyway.
 */
static void note_ndev(apply_fn apply, struct net_device *ndev, struct net_device *upper)
{
	note(apply, ndev, upper, NULL, GFP_KERNEL | __GFP_NOFAIL);
}

static void note_upper(struct net_device *ndev, const struct netdev_notifier_changeupper_info *info)
{
	note_ndev(info->linking ? upper_linked : upper_unlinked, ndev, info->upper_dev);
}

static int ndev_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct net_device *ndev = netdev_notifier_info_to_dev(info);

	if (ndev->type != ARPHRD_ETHER)
		return NOTIFY_DONE;

	switch (event) {
	case NETDEV_REGISTER:
	case NETDEV_UP:
		note_ndev(ndev_came, ndev, NULL);
		break;
	case NETDEV_UNREGISTER:
		/* It's repeated while references are waited for. */
		if (ndev->reg_state < NETREG_UNREGISTERED)
			note_ndev(ndev_went, ndev, NULL);
		break;
	case NETDEV_CHANGEADDR:
		note_ndev(mac_changed, ndev, NULL);
		break;
	case NETDEV_CHANGEUPPER:
		note_upper(ndev, info);
		break;
	case NETDEV_BONDING_FAILOVER:
		note_ndev(bond_failed_over, ndev, NULL);
		break;
	}
	return NOTIFY_DONE;
}

static int address_event(unsigned long event, struct net_device *ndev, const union ib_gid *gid,
			 gfp_t gfp)
{
	bool noted = true;

	if (ndev->type != ARPHRD_ETHER)
		return NOTIFY_DONE;

	if (event == NETDEV_UP)
		noted = note(address_came, ndev, NULL, gid, gfp);
	else if (event == NETDEV_DOWN)
		noted = note(address_went, ndev, NULL, gid, gfp);
	if (!noted)
		net_warn_ratelimited("%s: RDMA misses a change of address %pI6c\n",
				     netdev_name(ndev), gid->raw);
	return NOTIFY_DONE;
}

static int ipv4_event(struct notifier_block *nb, unsigned long event, void *info)
{
	const struct in_ifaddr *ifa = info;
	union ib_gid gid;

	ipv6_addr_set_v4mapped(ifa->ifa_address, (struct in6_addr *)&gid);
	return address_event(event, ifa->ifa_dev->dev, &gid, GFP_KERNEL);
}

static int ipv6_event(struct notifier_block *nb, unsigned long event, void *info)
{
	const struct inet6_ifaddr *ifa = info;
	union ib_gid gid;

	memcpy(&gid, &ifa->addr, sizeof(gid));
	return address_event(event, ifa->idev->dev, &gid, GFP_ATOMIC);
}

static struct notifier_block ndev_notifier = { .notifier_call = ndev_event };
static struct notifier_block ipv4_notifier = { .notifier_call = ipv4_event };
static struct notifier_block ipv6_notifier = { .notifier_call = ipv6_event };

static int register_ipv6(void)
{
	return IS_ENABLED(CONFIG_IPV6) ? register_inet6addr_notifier(&ipv6_notifier) : 0;
}

static void unregister_ipv6(void)
{
	if (IS_ENABLED(CONFIG_IPV6))
		unregister_inet6addr_notifier(&ipv6_notifier);
}

/**
 * roce_events_init - begin to follow netdevs
 *
 * The notifier of netdevs is told of all that there are when registered, so it comes last: what
 * happens to their addresses meanwhile isn't missed.
 *
 * Context: Sleeps; RTNL isn't held.
 * Return: 0 or a negative errno.
 */
int roce_events_init(void)
{
	int ret;

	events_wq = alloc_ordered_workqueue("rdma-roce-gid", 0);
	if (!events_wq)
		return -ENOMEM;
	ret = register_inetaddr_notifier(&ipv4_notifier);
	if (ret)
		goto err_wq;
	ret = register_ipv6();
	if (ret)
		goto err_ipv4;
	ret = register_netdevice_notifier(&ndev_notifier);
	if (ret)
		goto err_ipv6;
	return 0;

err_ipv6:
	unregister_ipv6();
err_ipv4:
	unregister_inetaddr_notifier(&ipv4_notifier);
err_wq:
	destroy_workqueue(events_wq);
	return ret;
}

/**
 * roce_events_exit - no longer follow netdevs
 *
 * Context: Sleeps; RTNL isn't held; no device is registered.
 */
void roce_events_exit(void)
{
	unregister_netdevice_notifier(&ndev_notifier);
	unregister_ipv6();
	unregister_inetaddr_notifier(&ipv4_notifier);
	destroy_workqueue(events_wq);
}
