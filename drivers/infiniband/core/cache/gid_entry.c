// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The life of a GID: made, put into a slot, found and held by others, retired by the table, gone
 * when the last holder is.
 *
 * Two counts, because two things end at different times. With the last holder the slot becomes
 * free. The memory is freed later: lookups, which take no lock, may still look at it, and so may
 * those who read the netdev of a GID that was just retired.
 */

#include <linux/slab.h>

#include "cache.h"

static void memory_put(struct gid_entry *entry)
{
	if (refcount_dec_and_test(&entry->memory))
		kfree(entry);
}

static void entry_rcu(struct rcu_head *rcu)
{
	memory_put(container_of(rcu, struct gid_entry, rcu));
}

static void ndev_rcu(struct rcu_head *rcu)
{
	struct gid_entry *entry = container_of(rcu, struct gid_entry, ndev_rcu);

	netdev_put(entry->ndev, &entry->ndev_tracker);
	memory_put(entry);
}

/* Nobody holds the entry any more. Its slot may have another one by now. */
static void release(struct gid_entry *entry)
{
	struct ib_gid_table *table = entry->table;
	unsigned int slot = entry->attr.index;

	lockdep_assert_held(&table->lock);
	if (rcu_access_pointer(table->slots[slot]) == entry)
		RCU_INIT_POINTER(table->slots[slot], NULL);
	call_rcu(&entry->rcu, entry_rcu);
}

static void release_work(struct work_struct *work)
{
	struct gid_entry *entry = container_of(work, struct gid_entry, release_work);
	struct ib_gid_table *table = entry->table;

	mutex_lock(&table->lock);
	release(entry);
	mutex_unlock(&table->lock);
	kref_put(&table->kref, gid_table_free);
}

/**
 * gid_entry_alloc - make an entry that nobody can see yet
 * @table: where it's going to be
 * @attr: what it's going to say; the netdev, if there is one, is held by the caller
 *
 * Context: Sleeps.
 * Return: the entry, with the table as its holder, or NULL for want of memory.
 */
struct gid_entry *gid_entry_alloc(struct ib_gid_table *table, const struct ib_gid_attr *attr)
{
	struct gid_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	if (!entry)
		return NULL;

	entry->attr = *attr;
	entry->ndev = rcu_dereference_protected(attr->ndev, true);
	netdev_hold(entry->ndev, &entry->ndev_tracker, GFP_KERNEL);
	refcount_set(&entry->memory, entry->ndev ? 2 : 1);
	refcount_set(&entry->holders, 1);
	INIT_WORK(&entry->release_work, release_work);
	entry->valid = true;
	kref_get(&table->kref);
	entry->table = table;
	return entry;
}

/**
 * gid_entry_discard - free an entry that nobody ever saw
 * @entry: the entry
 *
 * Context: Any; the caller has the table's lock or another reference to the table.
 */
void gid_entry_discard(struct gid_entry *entry)
{
	netdev_put(entry->ndev, &entry->ndev_tracker);
	kref_put(&entry->table->kref, gid_table_free);
	kfree(entry);
}

/**
 * gid_entry_retire - let no lookup find an entry any more, and drop the table's hold on it
 * @entry: a valid entry
 *
 * Where software fills the table the slot stays taken until the last holder is gone.
 *
 * Context: Sleeps. The table's lock is held, and so is another reference to the table.
 */
void gid_entry_retire(struct gid_entry *entry)
{
	struct ib_gid_table *table = entry->table;
	unsigned int slot = entry->attr.index;

	lockdep_assert_held(&table->lock);
	WRITE_ONCE(entry->valid, false);
	if (table->ops)
		table->ops->remove(&entry->attr, &entry->context);
	else if (rcu_access_pointer(table->slots[slot]) == entry)
		RCU_INIT_POINTER(table->slots[slot], NULL);

	if (entry->ndev) {
		RCU_INIT_POINTER(entry->attr.ndev, NULL);
		call_rcu(&entry->ndev_rcu, ndev_rcu);
	}
	if (refcount_dec_and_test(&entry->holders)) {
		release(entry);
		kref_put(&table->kref, gid_table_free);
	}
}

/**
 * gid_entry_try_hold - become a holder of an entry that a lookup found
 * @entry: the entry, found within the present RCU read-side critical section
 *
 * Context: Any.
 * Return: false if the last holder is already gone.
 */
bool gid_entry_try_hold(struct gid_entry *entry)
{
	return refcount_inc_not_zero(&entry->holders);
}

/**
 * gid_entry_put - cease to be a holder
 * @entry: the entry
 *
 * Context: Any.
 */
void gid_entry_put(struct gid_entry *entry)
{
	if (refcount_dec_and_test(&entry->holders))
		queue_work(entry->table->wq, &entry->release_work);
}
