// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The link-layer address of a route's first hop, as ARP and neighbour discovery find it out.
 */

#include <net/netevent.h>

#include "addr.h"

/* The key is the neighbour's place in memory, which is only compared. */
static struct addr_waiters waiters = { .lock = __SPIN_LOCK_UNLOCKED(waiters.lock) };

static unsigned long key_of(const struct neighbour *neighbour)
{
	return (unsigned long)neighbour;
}

/*
 * Nothing more happens to a neighbour that has left its table, and another may come into the same
 * memory: whoever waits for it has to look for the route again.
 */
static bool is_settled(const struct neighbour *neighbour)
{
	return READ_ONCE(neighbour->nud_state) & NUD_VALID || READ_ONCE(neighbour->dead);
}

static int neighbour_event(struct notifier_block *nb, unsigned long event, void *info)
{
	const struct neighbour *neighbour = info;

	if (event == NETEVENT_NEIGH_UPDATE && is_settled(neighbour))
		addr_wake(&waiters, key_of(neighbour), NULL);
	return NOTIFY_DONE;
}

static struct notifier_block neighbour_notifier = { .notifier_call = neighbour_event };

/**
 * addr_neighbour_init - begin to follow neighbours
 *
 * Context: Sleeps.
 * Return: 0 or a negative errno.
 */
int addr_neighbour_init(void)
{
	return register_netevent_notifier(&neighbour_notifier);
}

/**
 * addr_neighbour_exit - no longer follow neighbours
 *
 * Context: Sleeps.
 */
void addr_neighbour_exit(void)
{
	unregister_netevent_notifier(&neighbour_notifier);
}

static bool copy_link_addr(struct neighbour *neighbour, const struct net_device *ndev,
			   u8 *link_addr)
{
	bool valid;

	read_lock_bh(&neighbour->lock);
	valid = neighbour->nud_state & NUD_VALID;
	if (valid)
		neigh_ha_snapshot(link_addr, neighbour, ndev);
	read_unlock_bh(&neighbour->lock);
	return valid;
}

/**
 * addr_neighbour_find - link-layer address of a route's first hop
 * @dst: the route
 * @ip: IP address of the destination
 * @link_addr: where to, MAX_ADDR_LEN bytes
 * @unknown: with -ENODATA: the neighbour that is being asked, referenced, or NULL for want of
 *	memory
 *
 * Context: Process.
 * Return: 0; -ENODATA: the address isn't known yet, and has been asked for.
 */
int addr_neighbour_find(struct dst_entry *dst, const void *ip, u8 *link_addr,
			struct neighbour **unknown)
{
	struct neighbour *neighbour = dst_neigh_lookup(dst, ip);

	if (neighbour && copy_link_addr(neighbour, dst->dev, link_addr)) {
		neigh_release(neighbour);
		return 0;
	}
	if (neighbour)
		neigh_event_send(neighbour, NULL);
	*unknown = neighbour;
	return -ENODATA;
}

/**
 * addr_neighbour_wait - wait until another attempt may find a neighbour's address
 * @wait: a wait that is over, or never was
 * @neighbour: the neighbour, referenced by the caller meanwhile
 * @wake: see addr_wait_begin()
 *
 * Context: Process.
 */
void addr_neighbour_wait(struct addr_wait *wait, struct neighbour *neighbour, addr_wake_fn wake)
{
	addr_wait_begin(&waiters, wait, key_of(neighbour), wake);
	/* What was waited for may have happened before. */
	if (is_settled(neighbour))
		addr_wake(&waiters, key_of(neighbour), NULL);
}
