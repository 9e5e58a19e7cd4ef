/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Membership in multicast groups. SA knows a port as a member of a group or not; here many can be
 * members of the same group, and SA hears of the first that joins and the last that leaves. IBTA
 * volume 1, chapters 15.2.5.17 and 15.4.
 *
 * Objects and who keeps them alive:
 *
 *  mcast_port	from the client's add to its remove, which waits for the last group.
 *  mcast_group	referenced by its members and while it's busy; all under mcast_port.lock.
 *  mcast_member  the user's until ib_sa_free_multicast(), which waits for a callback under way.
 */
#ifndef RDMA_MAD_MULTICAST_H
#define RDMA_MAD_MULTICAST_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "sa.h"

/* ---- multicast_rules.c, pure ---- */

/* How many members there are of each kind: full, non-member, send-only of both. */
struct mcast_counts {
	unsigned int members[NUM_JOIN_MEMBERSHIP_TYPES];
};

void mcast_count(struct mcast_counts *counts, u8 join_state, int change);
u8 mcast_unused(const struct mcast_counts *counts, u8 join_state);
int mcast_check_record(const struct ib_sa_mcmember_rec *group,
		       const struct ib_sa_mcmember_rec *wanted, ib_sa_comp_mask mask);

/* ---- multicast.c ---- */

/**
 * struct mcast_port - the groups of a port
 * @device: its device
 * @port_num: its number
 * @lock: guards @groups and all that's in them
 * @groups: of struct mcast_group, by MGID
 * @refs: one for each group, and one until the device goes
 * @empty: @refs is 0
 */
struct mcast_port {
	struct ib_device *device;
	u32 port_num;
	spinlock_t lock; /* see above */
	struct rb_root groups;
	refcount_t refs;
	struct completion empty;
};

/**
 * struct mcast_member - a membership
 * @multicast: what its user sees
 * @client: counted as its user
 * @group: referenced
 * @node: in mcast_group.joining or mcast_group.active; empty if it failed
 * @active: it's a member, and counted as one
 * @refs: one until it's freed, one while its callback is under way
 * @idle: @refs is 0
 */
struct mcast_member {
	struct ib_sa_multicast multicast;
	struct ib_sa_client *client;
	struct mcast_group *group;
	struct list_head node;
	bool active;
	refcount_t refs;
	struct completion idle;
};

/* ---- multicast_group.c ---- */

/**
 * enum mcast_event - what has happened to a group that its members must be told of
 * @MCAST_EVENT_NONE: nothing
 * @MCAST_EVENT_PKEY: the table of P_Keys has changed: its own, maybe
 * @MCAST_EVENT_RESET: SA doesn't know of the port's memberships any more
 */
enum mcast_event {
	MCAST_EVENT_NONE,
	MCAST_EVENT_PKEY,
	MCAST_EVENT_RESET,
};

/**
 * struct mcast_group - a multicast group that the port is, or becomes, a member of
 * @port: its port
 * @node: in mcast_port.groups
 * @refs: see the top of this file
 * @rec: what SA says; @rec.join_state: as what SA knows the port
 * @counts: of @active
 * @joining: of struct mcast_member, in the order of their coming
 * @active: of struct mcast_member
 * @asked_for: the member for which SA is being asked; it may be freed meanwhile
 * @busy: @work is queued or running, or SA is being asked
 * @event: what is to be told to members
 * @pkey_index: of @rec.pkey, or MCAST_NO_PKEY
 * @leaving: as what the port is to leave
 * @retries: how often leaving may be tried again
 * @work: goes on with whatever is to be done
 */
struct mcast_group {
	struct mcast_port *port;
	struct rb_node node;
	unsigned int refs;
	struct ib_sa_mcmember_rec rec;
	struct mcast_counts counts;
	struct list_head joining;
	struct list_head active;
	struct mcast_member *asked_for;
	bool busy;
	enum mcast_event event;
	u16 pkey_index;
	u8 leaving;
	int retries;
	struct work_struct work;
};

struct mcast_group *mcast_group_get(struct mcast_port *port, const union ib_gid *mgid, gfp_t gfp);
void mcast_group_put(struct mcast_group *group);
struct mcast_group *mcast_group_find(struct mcast_port *port, const union ib_gid *mgid);
void mcast_group_join(struct mcast_member *member);
void mcast_group_quit(struct mcast_member *member);
void mcast_groups_event(struct mcast_port *port, enum mcast_event event);
int mcast_groups_init(void);
void mcast_groups_exit(void);

#endif
