// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The GID table of a port. Lookups go through the slots under RCU, without a lock; what they find
 * is complete, for an entry is put into its slot when nothing of it will change any more.
 */

#include <linux/slab.h>

#include "cache.h"

/**
 * gid_table_alloc - make an empty table
 * @size: number of slots
 * @reserved: so many first slots are for default GIDs
 * @ops: see struct ib_gid_table
 * @wq: flushed by the caller between gid_table_close() and gid_table_release()
 *
 * Context: Sleeps.
 * Return: the table, or NULL for want of memory.
 */
struct ib_gid_table *gid_table_alloc(unsigned int size, unsigned int reserved,
				     const struct gid_table_ops *ops, struct workqueue_struct *wq)
{
	struct ib_gid_table *table = kzalloc(struct_size(table, slots, size), GFP_KERNEL);

	if (!table)
		return NULL;

	kref_init(&table->kref);
	mutex_init(&table->refresh_lock);
	mutex_init(&table->lock);
	table->ops = ops;
	table->wq = wq;
	table->size = size;
	table->reserved = min(reserved, size);
	return table;
}

/**
 * gid_table_free - free a table to which nobody refers
 * @kref: its count
 */
void gid_table_free(struct kref *kref)
{
	struct ib_gid_table *table = container_of(kref, struct ib_gid_table, kref);

	mutex_destroy(&table->lock);
	mutex_destroy(&table->refresh_lock);
	kfree(table);
}

/**
 * gid_table_release - drop the port's reference to a closed table
 * @table: the table
 * @owner: who had it, for the message if somebody still holds a GID
 *
 * Such a GID, and with it the table, stay in memory until it's put.
 */
void gid_table_release(struct ib_gid_table *table, const char *owner)
{
	WARN(kref_read(&table->kref) != 1, "%s: %u GIDs are still held\n", owner,
	     kref_read(&table->kref) - 1);
	kref_put(&table->kref, gid_table_free);
}

static bool in_slots(const struct ib_gid_table *table, unsigned int slot, enum gid_slots slots)
{
	if (slots == GID_SLOTS_ALL)
		return true;
	return (slot < table->reserved) == (slots == GID_SLOTS_RESERVED);
}

static bool matches(const struct gid_entry *entry, const struct gid_match *match)
{
	const struct ib_gid_attr *attr = &entry->attr;

	if (match->type != GID_TYPE_ANY && attr->gid_type != match->type)
		return false;
	if (match->gid && memcmp(&attr->gid, match->gid, sizeof(attr->gid)))
		return false;
	if (match->ndev && rcu_access_pointer(attr->ndev) != match->ndev)
		return false;
	return in_slots(entry->table, attr->index, match->slots);
}

/* The valid entry of a slot. In a read-side critical section, or with the table's lock. */
static struct gid_entry *entry_at(struct ib_gid_table *table, unsigned int slot)
{
	struct gid_entry *entry = rcu_dereference_check(table->slots[slot],
							lockdep_is_held(&table->lock));

	return gid_entry_valid(entry) ? entry : NULL;
}

/**
 * gid_table_get - hold the GID of a slot
 * @table: the table
 * @index: the slot's number, as anybody may have made it up
 *
 * Context: Any.
 * Return: the attributes, for rdma_put_gid_attr(); -EINVAL: there's no such slot; -ENODATA: it's
 * empty.
 */
const struct ib_gid_attr *gid_table_get(struct ib_gid_table *table, int index)
{
	struct gid_entry *entry;

	if (index < 0 || index >= table->size)
		return ERR_PTR(-EINVAL);

	guard(rcu)();
	entry = entry_at(table, index);
	if (!entry || !gid_entry_try_hold(entry))
		return ERR_PTR(-ENODATA);
	return &entry->attr;
}

/**
 * gid_table_read - copy the GID of a slot
 * @table: the table
 * @index: the slot's number, as anybody may have made it up
 * @gid: where to
 *
 * Context: Any.
 * Return: 0; -EINVAL: there's no such slot; -ENOENT: it's empty.
 */
int gid_table_read(struct ib_gid_table *table, int index, union ib_gid *gid)
{
	struct gid_entry *entry;

	if (index < 0 || index >= table->size)
		return -EINVAL;

	guard(rcu)();
	entry = entry_at(table, index);
	if (!entry)
		return -ENOENT;
	*gid = entry->attr.gid;
	return 0;
}

/**
 * gid_table_find - hold the first GID that matches
 * @table: the table
 * @match: what's looked for
 *
 * Context: Any.
 * Return: the attributes, for rdma_put_gid_attr(), or -ENOENT.
 */
const struct ib_gid_attr *gid_table_find(struct ib_gid_table *table, const struct gid_match *match)
{
	struct gid_entry *entry;
	unsigned int slot;

	guard(rcu)();
	for (slot = 0; slot < table->size; slot++) {
		entry = entry_at(table, slot);
		if (entry && matches(entry, match) && gid_entry_try_hold(entry))
			return &entry->attr;
	}
	return ERR_PTR(-ENOENT);
}

/**
 * gid_table_find_if - hold the first entry with a GID of which a filter approves
 * @table: the table
 * @gid: the GID
 * @filter: called for each entry with this GID, in an RCU read-side critical section
 * @context: passed to @filter
 *
 * Context: Any.
 * Return: the attributes, for rdma_put_gid_attr(), or -ENOENT.
 */
const struct ib_gid_attr *gid_table_find_if(struct ib_gid_table *table, const union ib_gid *gid,
					    gid_filter filter, void *context)
{
	const struct gid_match match = { .gid = gid, .type = GID_TYPE_ANY };
	struct gid_entry *entry;
	unsigned int slot;

	guard(rcu)();
	for (slot = 0; slot < table->size; slot++) {
		entry = entry_at(table, slot);
		if (!entry || !matches(entry, &match) || !filter(gid, &entry->attr, context))
			continue;
		if (gid_entry_try_hold(entry))
			return &entry->attr;
	}
	return ERR_PTR(-ENOENT);
}

/* The slot's present entry says just what the new one would say. */
static bool same(const struct gid_entry *entry, const struct ib_gid_attr *attr)
{
	const struct gid_match match = {
		.gid = &attr->gid,
		.type = attr->gid_type,
	};

	return matches(entry, &match) &&
	       rcu_access_pointer(entry->attr.ndev) == rcu_access_pointer(attr->ndev);
}

static int set_locked(struct ib_gid_table *table, const struct ib_gid_attr *attr)
{
	struct gid_entry *old = entry_at(table, attr->index);
	struct gid_entry *new = NULL;
	bool empty = rdma_is_zero_gid(&attr->gid);

	if (table->closed)
		return -ENODEV;
	if (old ? same(old, attr) : empty)
		return 0;
	if (!empty) {
		new = gid_entry_alloc(table, attr);
		if (!new)
			return -ENOMEM;
	}

	rcu_assign_pointer(table->slots[attr->index], new);
	if (old)
		gid_entry_retire(old);
	return 0;
}

/**
 * gid_table_set - put a GID that the adapter has into its slot
 * @table: a table that the adapter fills
 * @attr: the GID with its index, which is less than the table's size; a zero GID empties the slot
 *
 * What was there is replaced in one step, so that at no time a lookup finds neither; if the GID is
 * the same, nothing changes for those who hold it.
 *
 * Context: Sleeps.
 * Return: 0; -ENOMEM; -ENODEV: the table is closed.
 */
int gid_table_set(struct ib_gid_table *table, const struct ib_gid_attr *attr)
{
	guard(mutex)(&table->lock);
	return set_locked(table, attr);
}

/* Returns the number of a free slot; -EEXIST: an entry matches; -ENOSPC. */
static int choose_slot(struct ib_gid_table *table, const struct gid_match *match,
		       enum gid_slots slots)
{
	struct gid_entry *entry;
	unsigned int slot;
	int chosen = -ENOSPC;

	for (slot = 0; slot < table->size; slot++) {
		entry = entry_at(table, slot);
		if (entry && matches(entry, match))
			return -EEXIST;
		if (chosen < 0 && !rcu_access_pointer(table->slots[slot]) &&
		    in_slots(table, slot, slots))
			chosen = slot;
	}
	return chosen;
}

static int add_locked(struct ib_gid_table *table, struct ib_gid_attr *attr, enum gid_slots slots)
{
	const struct gid_match others = {
		.gid = slots == GID_SLOTS_RESERVED ? NULL : &attr->gid,
		.type = attr->gid_type,
		.ndev = rcu_access_pointer(attr->ndev),
		.slots = slots == GID_SLOTS_RESERVED ? GID_SLOTS_RESERVED : GID_SLOTS_ALL,
	};
	struct gid_entry *entry;
	int slot, ret;

	if (table->closed)
		return -ENODEV;
	slot = choose_slot(table, &others, slots);
	if (slot < 0)
		return slot;

	attr->index = slot;
	entry = gid_entry_alloc(table, attr);
	if (!entry)
		return -ENOMEM;
	ret = table->ops->add(&entry->attr, &entry->context);
	if (ret) {
		gid_entry_discard(entry);
		return ret;
	}
	rcu_assign_pointer(table->slots[slot], entry);
	return 0;
}

/**
 * gid_table_add - find a slot for a GID of a netdev
 * @table: a table that software fills
 * @attr: the GID; its index is set
 * @slots: GID_SLOTS_RESERVED: as the netdev's default GID, of which there is one of each type;
 *	GID_SLOTS_OTHER: as one of its addresses
 *
 * Context: Sleeps.
 * Return: 0; -EEXIST: it's there already; -EINVAL: a zero GID; -ENOSPC; -ENOMEM; -ENODEV: the
 * table is closed; or what the adapter said.
 */
int gid_table_add(struct ib_gid_table *table, struct ib_gid_attr *attr, enum gid_slots slots)
{
	if (rdma_is_zero_gid(&attr->gid))
		return -EINVAL;

	guard(mutex)(&table->lock);
	return add_locked(table, attr, slots);
}

static unsigned int remove_locked(struct ib_gid_table *table, const struct gid_match *match)
{
	struct gid_entry *entry;
	unsigned int slot, removed = 0;

	for (slot = 0; slot < table->size; slot++) {
		entry = entry_at(table, slot);
		if (!entry || !matches(entry, match))
			continue;
		gid_entry_retire(entry);
		removed++;
	}
	return removed;
}

/**
 * gid_table_remove - remove all GIDs that match
 * @table: the table
 * @match: which ones
 *
 * Context: Sleeps.
 * Return: how many.
 */
unsigned int gid_table_remove(struct ib_gid_table *table, const struct gid_match *match)
{
	guard(mutex)(&table->lock);
	return remove_locked(table, match);
}

/**
 * gid_table_close - remove all GIDs, and let none be added any more
 * @table: the table
 *
 * Context: Sleeps.
 */
void gid_table_close(struct ib_gid_table *table)
{
	const struct gid_match all = { .type = GID_TYPE_ANY };

	guard(mutex)(&table->lock);
	table->closed = true;
	remove_locked(table, &all);
}
