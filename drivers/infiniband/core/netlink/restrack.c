// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Resource tracking: each verbs object of a device, by kind and id, for `rdma resource` to show.
 *
 * The entry is a part of the object that it stands for. It's referenced by its owner from
 * rdma_restrack_new() on, and by whoever is looking at it; its owner may free the object once
 * deletion has returned, which waits for the others.
 */

#include <linux/export.h>
#include <linux/slab.h>

#include "netlink.h"
#include "rdma_id.h"

#define FROM_ENTRY(type) ((int)offsetof(type, device) - (int)offsetof(type, res))

/* How far behind its entry an object of each kind has the pointer to its device. */
static const int device_from_entry[RDMA_RESTRACK_MAX] = {
	[RDMA_RESTRACK_PD] = FROM_ENTRY(struct ib_pd),
	[RDMA_RESTRACK_CQ] = FROM_ENTRY(struct ib_cq),
	[RDMA_RESTRACK_QP] = FROM_ENTRY(struct ib_qp),
	[RDMA_RESTRACK_CM_ID] = STOCK_RDMA_ID_DEVICE - (int)RDMA_ID_RES,
	[RDMA_RESTRACK_MR] = FROM_ENTRY(struct ib_mr),
	[RDMA_RESTRACK_CTX] = FROM_ENTRY(struct ib_ucontext),
	[RDMA_RESTRACK_COUNTER] = FROM_ENTRY(struct rdma_counter),
	[RDMA_RESTRACK_SRQ] = FROM_ENTRY(struct ib_srq),
};

int rdma_restrack_init(struct ib_device *device)
{
	int type;

	device->res = kcalloc(RDMA_RESTRACK_MAX, sizeof(*device->res), GFP_KERNEL);
	if (!device->res)
		return -ENOMEM;
	for (type = 0; type < RDMA_RESTRACK_MAX; type++)
		xa_init_flags(&device->res[type].xa, XA_FLAGS_ALLOC);
	return 0;
}

void rdma_restrack_clean(struct ib_device *device)
{
	int type;

	for (type = 0; type < RDMA_RESTRACK_MAX; type++) {
		struct xarray *xa = &device->res[type].xa;

		WARN(!xa_empty(xa), "%s: resources of kind %d are left\n",
		     dev_name(&device->dev), type);
		xa_destroy(xa);
	}
	kfree(device->res);
	device->res = NULL;
}

/* Whoever made the entry has said of which kind it is, and has set the object's device. */
static struct rdma_restrack_root *root_of(const struct rdma_restrack_entry *res)
{
	struct ib_device *device;

	device = *(struct ib_device *const *)((const void *)res + device_from_entry[res->type]);
	return &device->res[res->type];
}

static void count_in(struct rdma_restrack_root *root, const struct rdma_restrack_entry *res)
{
	root->live++;
	root->live_details += rdma_restrack_is_detail(res);
}

static void count_out(struct rdma_restrack_root *root, const struct rdma_restrack_entry *res)
{
	root->live--;
	root->live_details -= rdma_restrack_is_detail(res);
}

static void drop_task(struct rdma_restrack_entry *res)
{
	if (res->task)
		put_task_struct(res->task);
	res->task = NULL;
}

static void set_task(struct rdma_restrack_entry *res, struct task_struct *task)
{
	get_task_struct(task);
	drop_task(res);
	res->task = task;
	res->user = true;
}

/**
 * rdma_restrack_new - begin the life of an entry
 * @res: zeroed, but for no_track
 * @type: the kind of object that it is a part of
 *
 * The caller owns the only reference. An object that couldn't be made gives it back with
 * rdma_restrack_put().
 *
 * Context: Any.
 */
void rdma_restrack_new(struct rdma_restrack_entry *res, enum rdma_restrack_type type)
{
	kref_init(&res->kref);
	init_completion(&res->comp);
	res->type = type;
}
EXPORT_SYMBOL(rdma_restrack_new);

/**
 * rdma_restrack_set_name - say whom an object belongs to
 * @res: the entry
 * @caller: the kernel module, a string that outlives the entry; NULL for the current task
 *
 * Context: Process, for a task. May be called again: uverbs contexts do when they are opened.
 */
void rdma_restrack_set_name(struct rdma_restrack_entry *res, const char *caller)
{
	if (caller)
		res->kern_name = caller;
	else
		set_task(res, current);
}
EXPORT_SYMBOL(rdma_restrack_set_name);

/**
 * rdma_restrack_parent_name - an object belongs to whom another one belongs to
 * @dst: the entry
 * @parent: that of the other object
 *
 * Context: Any.
 */
void rdma_restrack_parent_name(struct rdma_restrack_entry *dst,
			       const struct rdma_restrack_entry *parent)
{
	if (rdma_is_kernel_res(parent))
		dst->kern_name = parent->kern_name;
	else
		set_task(dst, parent->task);
}
EXPORT_SYMBOL(rdma_restrack_parent_name);

/*
 * Hardware may give a number again as soon as its object is destroyed, while that one's deletion
 * is yet to be committed. So an entry that is hidden makes room.
 */
static int replace_hidden(struct rdma_restrack_root *root, struct rdma_restrack_entry *res, u32 id)
{
	if (rdma_restrack_is_tracked(xa_load(&root->xa, id)))
		return -EBUSY;
	return xa_err(__xa_store(&root->xa, id, res, 0));
}

static int insert_at(struct rdma_restrack_root *root, struct rdma_restrack_entry *res, u32 id)
{
	int err;

	xa_lock(&root->xa);
	err = __xa_insert(&root->xa, id, res, GFP_KERNEL);
	if (err == -EBUSY)
		err = replace_hidden(root, res, id);
	if (!err) {
		res->id = id;
		count_in(root, res);
	}
	xa_unlock(&root->xa);
	return err;
}

/*
 * Each port has a QP 0 and a QP 1: they are told apart by the port, above the 24 bits of a
 * number.
 */
static u32 qp_id(const struct ib_qp *qp)
{
	WARN_ONCE(qp->qp_num >> 24 || qp->port >> 8, "QP number 0x%x, port %u\n", qp->qp_num,
		  qp->port);
	if (qp->qp_type == IB_QPT_SMI || qp->qp_type == IB_QPT_GSI)
		return qp->qp_num | qp->port << 24;
	return qp->qp_num;
}

static u32 number_of(const struct rdma_restrack_entry *res)
{
	if (res->type == RDMA_RESTRACK_QP)
		return qp_id(container_of(res, struct ib_qp, res));
	return container_of(res, struct rdma_counter, res)->id;
}

static int insert_anywhere(struct rdma_restrack_root *root, struct rdma_restrack_entry *res)
{
	int err;

	xa_lock(&root->xa);
	err = __xa_alloc_cyclic(&root->xa, &res->id, res, xa_limit_32b, &root->next_id,
				GFP_KERNEL);
	if (err >= 0)
		count_in(root, res);
	xa_unlock(&root->xa);
	return err < 0 ? err : 0;
}

static int insert(struct rdma_restrack_entry *res)
{
	struct rdma_restrack_root *root = root_of(res);

	if (res->type == RDMA_RESTRACK_QP || res->type == RDMA_RESTRACK_COUNTER)
		return insert_at(root, res, number_of(res));
	return insert_anywhere(root, res);
}

/**
 * rdma_restrack_add - let an object be found
 * @res: its entry; the object is complete
 *
 * QPs are found by their number, counters by theirs, all else by an id of ours. One that can't
 * be tracked (no memory; two QPs of one number) goes untracked: that's no reason to fail its
 * creation.
 *
 * Context: Process, may sleep.
 */
void rdma_restrack_add(struct rdma_restrack_entry *res)
{
	if (!rdma_restrack_is_tracked(res) || !insert(res))
		res->valid = true;
}
EXPORT_SYMBOL(rdma_restrack_add);

/**
 * rdma_restrack_get - reference an entry
 * @res: the entry
 *
 * Context: Any.
 *
 * Return: 0 if its deletion has come too far for that.
 */
int __must_check rdma_restrack_get(struct rdma_restrack_entry *res)
{
	return kref_get_unless_zero(&res->kref);
}
EXPORT_SYMBOL(rdma_restrack_get);

/* An entry that never was added has nobody to delete it: its last reference does. */
static void release(struct kref *kref)
{
	struct rdma_restrack_entry *res = container_of(kref, struct rdma_restrack_entry, kref);

	if (!res->valid)
		drop_task(res);
	complete(&res->comp);
}

/**
 * rdma_restrack_put - give a reference back
 * @res: the entry
 *
 * Context: Any.
 *
 * Return: 1 if it was the last one.
 */
int rdma_restrack_put(struct rdma_restrack_entry *res)
{
	return kref_put(&res->kref, release);
}
EXPORT_SYMBOL(rdma_restrack_put);

static void drain(struct rdma_restrack_entry *res)
{
	rdma_restrack_put(res);
	wait_for_completion(&res->comp);
}

static void revive(struct rdma_restrack_entry *res)
{
	reinit_completion(&res->comp);
	kref_init(&res->kref);
}

/* Nobody new comes while we wait for those who are there. */
static void hide(struct rdma_restrack_entry *res)
{
	struct rdma_restrack_root *root = root_of(res);

	if (!rdma_restrack_is_tracked(res))
		return;
	xa_lock(&root->xa);
	rdma_restrack_no_track(res);
	count_out(root, res);
	xa_unlock(&root->xa);
}

/* What hasn't got its place any more, or never had one, isn't tracked. */
static void show(struct rdma_restrack_entry *res)
{
	struct rdma_restrack_root *root = root_of(res);

	xa_lock(&root->xa);
	if (xa_load(&root->xa, res->id) == res) {
		res->no_track = false;
		count_in(root, res);
	}
	xa_unlock(&root->xa);
}

/* Another object may have got our number since we were hidden: replace_hidden(). */
static void erase_hidden(struct rdma_restrack_entry *res)
{
	xa_cmpxchg(&root_of(res)->xa, res->id, res, NULL, 0);
}

static void erase(struct rdma_restrack_entry *res)
{
	struct rdma_restrack_root *root = root_of(res);

	if (!rdma_restrack_is_tracked(res))
		return;
	xa_lock(&root->xa);
	__xa_erase(&root->xa, res->id);
	count_out(root, res);
	xa_unlock(&root->xa);
}

/**
 * rdma_restrack_begin_del - an object is about to be destroyed
 * @res: its entry
 *
 * On return nobody is looking at the object, and nobody can. Either rdma_restrack_commit_del() or
 * rdma_restrack_abort_del() must follow.
 *
 * Context: Process, sleeps until everybody who is looking at the object is done.
 */
void rdma_restrack_begin_del(struct rdma_restrack_entry *res)
{
	if (!res->valid)
		return;
	hide(res);
	drain(res);
}
EXPORT_SYMBOL(rdma_restrack_begin_del);

/**
 * rdma_restrack_abort_del - an object couldn't be destroyed, and can be found again
 * @res: its entry, after rdma_restrack_begin_del()
 *
 * Context: Any but hard interrupt.
 */
void rdma_restrack_abort_del(struct rdma_restrack_entry *res)
{
	if (!res->valid)
		return;
	revive(res);
	show(res);
}
EXPORT_SYMBOL(rdma_restrack_abort_del);

/**
 * rdma_restrack_commit_del - an object was destroyed, and may be freed
 * @res: its entry, after rdma_restrack_begin_del()
 *
 * Context: Any but hard interrupt.
 */
void rdma_restrack_commit_del(struct rdma_restrack_entry *res)
{
	if (res->valid)
		erase_hidden(res);
	res->valid = false;
	drop_task(res);
}
EXPORT_SYMBOL(rdma_restrack_commit_del);

/**
 * rdma_restrack_del - an object is no longer tracked
 * @res: its entry, added or not
 *
 * For objects whose destruction can't fail. On return nobody is looking at the object.
 *
 * Context: Process, sleeps until everybody who is looking at the object is done.
 */
void rdma_restrack_del(struct rdma_restrack_entry *res)
{
	if (res->valid) {
		erase(res);
		drain(res);
	}
	res->valid = false;
	drop_task(res);
}
EXPORT_SYMBOL(rdma_restrack_del);

/**
 * rdma_restrack_sync - wait until nobody sees an object as it was
 * @res: its entry, not being deleted
 *
 * For what changes without a lock, such as the PD of an MR: whoever was looking at the object when
 * this was called is done on return.
 *
 * Context: Process, sleeps.
 */
void rdma_restrack_sync(struct rdma_restrack_entry *res)
{
	if (!res->valid || !rdma_restrack_is_tracked(res))
		return;
	rdma_restrack_begin_del(res);
	rdma_restrack_abort_del(res);
}
EXPORT_SYMBOL(rdma_restrack_sync);
