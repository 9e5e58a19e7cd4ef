// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a multicast group does: one thing after the other. A group's work takes the next that is to
 * be done, until there is nothing, or SA must be asked; SA's answer queues the work again.
 */

#include <linux/slab.h>
#include <rdma/ib_cache.h>

#include "multicast.h"

#define MCAST_NO_PKEY		0xffff
#define MCAST_LEAVE_RETRIES	3

static struct workqueue_struct *mcast_wq;	/* ordered: one callback at a time */
static struct ib_sa_client mcast_sa_client;

/* ---- groups of a port ---- */

static int compare(const void *mgid, const struct rb_node *node)
{
	return memcmp(mgid, &rb_entry(node, struct mcast_group, node)->rec.mgid,
		      sizeof(union ib_gid));
}

static bool before(struct rb_node *a, const struct rb_node *b)
{
	return compare(&rb_entry(a, struct mcast_group, node)->rec.mgid, b) < 0;
}

/* Caller holds the port's lock. */
struct mcast_group *mcast_group_find(struct mcast_port *port, const union ib_gid *mgid)
{
	return rb_entry_safe(rb_find(mgid, &port->groups, compare), struct mcast_group, node);
}

static void run(struct work_struct *work);

static struct mcast_group *alloc_group(struct mcast_port *port, const union ib_gid *mgid, gfp_t gfp)
{
	struct mcast_group *group = kzalloc(sizeof(*group), gfp);

	if (!group)
		return NULL;
	group->port = port;
	group->rec.mgid = *mgid;
	INIT_LIST_HEAD(&group->joining);
	INIT_LIST_HEAD(&group->active);
	group->pkey_index = MCAST_NO_PKEY;
	group->retries = MCAST_LEAVE_RETRIES;
	INIT_WORK(&group->work, run);
	return group;
}

/**
 * mcast_group_get - find a group, or begin one
 * @port: the port
 * @mgid: the group's GID; zero for a new group that SA will name
 * @gfp: how to allocate
 *
 * Return: the group, referenced, or NULL if there's no memory.
 */
struct mcast_group *mcast_group_get(struct mcast_port *port, const union ib_gid *mgid, gfp_t gfp)
{
	struct mcast_group *fresh = alloc_group(port, mgid, gfp);
	struct mcast_group *group = NULL;
	unsigned long flags;

	if (!fresh)
		return NULL;
	spin_lock_irqsave(&port->lock, flags);
	if (!rdma_is_zero_gid(mgid))
		group = mcast_group_find(port, mgid);
	if (!group) {
		group = fresh;
		rb_add(&group->node, &port->groups, before);
		refcount_inc(&port->refs);
	}
	group->refs++;
	spin_unlock_irqrestore(&port->lock, flags);
	if (group != fresh)
		kfree(fresh);
	return group;
}

void mcast_group_put(struct mcast_group *group)
{
	struct mcast_port *port = group->port;
	unsigned long flags;
	bool last;

	spin_lock_irqsave(&port->lock, flags);
	last = !--group->refs;
	if (last)
		rb_erase(&group->node, &port->groups);
	spin_unlock_irqrestore(&port->lock, flags);
	if (!last)
		return;
	kfree(group);
	if (refcount_dec_and_test(&port->refs))
		complete(&port->empty);
}

/* There is something to be done. Caller holds the port's lock. */
static void kick(struct mcast_group *group)
{
	if (group->busy)
		return;
	group->busy = true;
	group->refs++;
	queue_work(mcast_wq, &group->work);
}

/* ---- members ---- */

static void member_put(struct mcast_member *member)
{
	if (refcount_dec_and_test(&member->refs))
		complete(&member->idle);
}

/* Calls a member's callback, which may ask us to free it. The caller has a reference for it. */
static void notify(struct mcast_member *member, int status)
{
	struct ib_sa_multicast *multicast = &member->multicast;
	bool unwanted = multicast->callback(status, multicast);

	member_put(member);
	if (unwanted)
		ib_sa_free_multicast(multicast);
}

void mcast_group_join(struct mcast_member *member)
{
	struct mcast_group *group = member->group;
	unsigned long flags;

	spin_lock_irqsave(&group->port->lock, flags);
	list_add_tail(&member->node, &group->joining);
	kick(group);
	spin_unlock_irqrestore(&group->port->lock, flags);
}

/**
 * mcast_group_quit - be a member no more
 * @member: in whatever state
 *
 * Context: sleeps until its callback isn't under way. Drops its group.
 */
void mcast_group_quit(struct mcast_member *member)
{
	struct mcast_group *group = member->group;

	spin_lock_irq(&group->port->lock);
	if (member->active)
		mcast_count(&group->counts, member->multicast.rec.join_state, -1);
	list_del_init(&member->node);
	if (group->asked_for == member)
		group->asked_for = NULL;
	kick(group);
	spin_unlock_irq(&group->port->lock);
	mcast_group_put(group);

	member_put(member);
	wait_for_completion(&member->idle);
}

/* ---- asking SA ---- */

/* The name of a new group, and all else that SA decides. Caller holds the port's lock. */
static void update_record(struct mcast_group *group, const struct ib_sa_mcmember_rec *rec)
{
	bool renamed = memcmp(&rec->mgid, &group->rec.mgid, sizeof(rec->mgid));

	if (renamed)
		rb_erase(&group->node, &group->port->groups);
	group->rec = *rec;
	if (renamed)
		rb_add(&group->node, &group->port->groups, before);
}

static u16 find_pkey(struct mcast_group *group, __be16 pkey)
{
	u16 index;

	if (ib_find_pkey(group->port->device, group->port->port_num, be16_to_cpu(pkey), &index))
		return MCAST_NO_PKEY;
	return index;
}

/* Takes the member that SA was asked for off the list, if it's still there. */
static struct mcast_member *take_asked_for(struct mcast_group *group)
{
	struct mcast_member *member;

	spin_lock_irq(&group->port->lock);
	member = group->asked_for;
	group->asked_for = NULL;
	if (member) {
		list_del_init(&member->node);
		refcount_inc(&member->refs);
	}
	spin_unlock_irq(&group->port->lock);
	return member;
}

static void fail_join(struct mcast_group *group, int status)
{
	struct mcast_member *member = take_asked_for(group);

	if (member)
		notify(member, status);
}

/* With success, the work finds the member at the head of the list and a group that fits. */
static void joined(int status, struct ib_sa_mcmember_rec *rec, void *context)
{
	struct mcast_group *group = context;
	u16 pkey_index;

	if (status) {
		fail_join(group, status);
	} else {
		pkey_index = find_pkey(group, rec->pkey);
		spin_lock_irq(&group->port->lock);
		group->asked_for = NULL;
		if (group->event == MCAST_EVENT_NONE && group->pkey_index == MCAST_NO_PKEY)
			group->pkey_index = pkey_index;
		update_record(group, rec);
		spin_unlock_irq(&group->port->lock);
	}
	queue_work(mcast_wq, &group->work);
}

/* Returns whether SA is being asked. */
static bool ask_to_join(struct mcast_group *group, const struct ib_sa_mcmember_rec *rec,
			ib_sa_comp_mask mask)
{
	int ret;

	ret = sa_mcmember_query(&mcast_sa_client, group->port->device, group->port->port_num,
				IB_MGMT_METHOD_SET, rec, mask, joined, group);
	if (ret)
		fail_join(group, ret);
	return !ret;
}

static void left(int status, struct ib_sa_mcmember_rec *rec, void *context);

static int ask_to_leave(struct mcast_group *group)
{
	struct ib_sa_mcmember_rec rec;

	spin_lock_irq(&group->port->lock);
	rec = group->rec;
	rec.join_state = group->leaving;
	spin_unlock_irq(&group->port->lock);
	return sa_mcmember_query(&mcast_sa_client, group->port->device, group->port->port_num,
				 IB_SA_METHOD_DELETE, &rec,
				 IB_SA_MCMEMBER_REC_MGID | IB_SA_MCMEMBER_REC_PORT_GID |
				 IB_SA_MCMEMBER_REC_JOIN_STATE, left, group);
}

/* A leave that fails in the end is forgotten: SA notices by itself, some day. */
static void left(int status, struct ib_sa_mcmember_rec *rec, void *context)
{
	struct mcast_group *group = context;

	if (status && group->retries > 0) {
		group->retries--;
		if (!ask_to_leave(group))
			return;
	}
	queue_work(mcast_wq, &group->work);
}

/* ---- the work ---- */

static struct mcast_member *take_active(struct mcast_group *group)
{
	struct mcast_member *member;

	spin_lock_irq(&group->port->lock);
	member = list_first_entry_or_null(&group->active, struct mcast_member, node);
	if (member) {
		list_del_init(&member->node);
		mcast_count(&group->counts, member->multicast.rec.join_state, -1);
		member->active = false;
		refcount_inc(&member->refs);
	}
	spin_unlock_irq(&group->port->lock);
	return member;
}

/* Members must join again. SA isn't told that they left: it doesn't know of them. */
static void handle_event(struct mcast_group *group, enum mcast_event event)
{
	struct mcast_member *member;

	if (event == MCAST_EVENT_PKEY && group->pkey_index != MCAST_NO_PKEY &&
	    find_pkey(group, group->rec.pkey) == group->pkey_index)
		return;

	while ((member = take_active(group)))
		notify(member, -ENETRESET);
	spin_lock_irq(&group->port->lock);
	group->rec.join_state = 0;
	group->pkey_index = MCAST_NO_PKEY;
	spin_unlock_irq(&group->port->lock);
}

/* Lets the member in if the group is what it wants to join. Caller holds the port's lock. */
static int admit(struct mcast_group *group, struct mcast_member *member)
{
	struct ib_sa_multicast *multicast = &member->multicast;
	u8 join_state = multicast->rec.join_state;
	int ret;

	ret = mcast_check_record(&group->rec, &multicast->rec, multicast->comp_mask);
	if (ret) {
		list_del_init(&member->node);
		return ret;
	}
	mcast_count(&group->counts, join_state, 1);
	multicast->rec = group->rec;
	multicast->rec.join_state = join_state;
	member->active = true;
	list_move(&member->node, &group->active);
	return 0;
}

enum mcast_task {
	MCAST_REST,		/* until something happens */
	MCAST_TELL_EVENT,
	MCAST_TELL_MEMBER,	/* what has become of its wish to join */
	MCAST_ASK_TO_JOIN,
	MCAST_ASK_TO_LEAVE,
};

/* What is to be done next, and what that needs once the lock is dropped. */
struct mcast_plan {
	enum mcast_task task;
	enum mcast_event event;
	struct mcast_member *member;
	int status;
	struct ib_sa_mcmember_rec rec;
	ib_sa_comp_mask mask;
};

static void plan_join(struct mcast_group *group, struct mcast_member *member,
		      struct mcast_plan *plan)
{
	u8 join_state = member->multicast.rec.join_state;

	if ((group->rec.join_state & join_state) == join_state) {
		plan->task = MCAST_TELL_MEMBER;
		plan->status = admit(group, member);
		plan->member = member;
		refcount_inc(&member->refs);
		return;
	}
	plan->task = MCAST_ASK_TO_JOIN;
	plan->rec = member->multicast.rec;
	plan->mask = member->multicast.comp_mask;
	group->asked_for = member;
}

/* Events go first: what they void needn't be done. Caller holds the port's lock. */
static void plan_next(struct mcast_group *group, struct mcast_plan *plan)
{
	u8 leaving = mcast_unused(&group->counts, group->rec.join_state);
	struct mcast_member *member;

	member = list_first_entry_or_null(&group->joining, struct mcast_member, node);
	if (group->event != MCAST_EVENT_NONE) {
		plan->task = MCAST_TELL_EVENT;
		plan->event = group->event;
		group->event = MCAST_EVENT_NONE;
	} else if (member) {
		plan_join(group, member, plan);
	} else if (leaving) {
		plan->task = MCAST_ASK_TO_LEAVE;
		group->rec.join_state &= ~leaving;
		group->leaving = leaving;
	} else {
		plan->task = MCAST_REST;
		group->busy = false;
	}
}

/* Does the next thing. Returns false when there's nothing more to do before something happens. */
static bool step(struct mcast_group *group)
{
	struct mcast_plan plan = {};

	spin_lock_irq(&group->port->lock);
	plan_next(group, &plan);
	spin_unlock_irq(&group->port->lock);

	switch (plan.task) {
	case MCAST_TELL_EVENT:
		handle_event(group, plan.event);
		return true;
	case MCAST_TELL_MEMBER:
		notify(plan.member, plan.status);
		return true;
	case MCAST_ASK_TO_JOIN:
		return !ask_to_join(group, &plan.rec, plan.mask);
	case MCAST_ASK_TO_LEAVE:
		return ask_to_leave(group);
	case MCAST_REST:
		break;
	}
	mcast_group_put(group);
	return false;
}

static void run(struct work_struct *work)
{
	struct mcast_group *group = container_of(work, struct mcast_group, work);

	while (step(group))
		;
}

/* Something has happened to all groups of a port. Context: any. */
void mcast_groups_event(struct mcast_port *port, enum mcast_event event)
{
	struct mcast_group *group;
	struct rb_node *node;
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	for (node = rb_first(&port->groups); node; node = rb_next(node)) {
		group = rb_entry(node, struct mcast_group, node);
		group->event = max(group->event, event);
		kick(group);
	}
	spin_unlock_irqrestore(&port->lock, flags);
}

int __init mcast_groups_init(void)
{
	mcast_wq = alloc_ordered_workqueue("ib_mcast", WQ_MEM_RECLAIM);
	if (!mcast_wq)
		return -ENOMEM;
	ib_sa_register_client(&mcast_sa_client);
	return 0;
}

void mcast_groups_exit(void)
{
	ib_sa_unregister_client(&mcast_sa_client);
	destroy_workqueue(mcast_wq);
}
