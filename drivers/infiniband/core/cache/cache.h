/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What ib_core remembers of each port, so that nobody has to ask an adapter, or sleep, for it:
 *
 *  gid_entry.c	a GID, immutable while anybody can see it, and who holds it
 *  gid_table.c	the slots of a port's GIDs: lookups, additions, removals
 *  gid_query.c	the exports that look into the tables of a device
 *  gid_l2.c	what a GID says of the link layer below RoCE
 *  gid_default.c	the GID that a MAC address makes
 *  gid_type.c	names of the types of GIDs, and which types a port has
 *  pkey_table.c	P_Keys of a port, immutable; matching
 *  pkey.c	the exports that look into them
 *  port_attr.c	LMC, state and subnet prefix
 *  refresh.c	reads all that from the adapter again, at registration and after events
 *  setup.c	makes, empties and frees all that
 *
 *  roce_relation.c  which netdevs belong to the port of which other netdev
 *  roce_addresses.c its addresses
 *  roce_uppers.c    and what's stacked on it
 *  roce_gid.c	     which GIDs a netdev gives, and their way into the table
 *  roce_events.c    what happens to netdevs and addresses, in the order in which it happens
 *  roce_scan.c	     all netdevs that there are
 *
 * Readers take no lock, but for the one that guards port_attr.c's few bytes: GIDs and P_Keys are
 * never written in place, but replaced as a whole and freed after a grace period.
 *
 * Locks, outermost first:
 *
 *	ib_gid_table.refresh_lock
 *	RTNL			taken by drivers' query_port, and by roce_scan.c
 *	ib_gid_table.lock
 *
 * The event handlers of clients are called with none of them held.
 */
#ifndef CORE_CACHE_H
#define CORE_CACHE_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#include "../core.h"

/* ---- gid_entry.c ---- */

/**
 * struct gid_entry - a GID in a slot of a table
 * @attr: what its holders see; only @attr.ndev changes, to NULL, once
 * @table: holds a reference
 * @holders: the table as long as the entry is valid; each holder of @attr. When the last one is
 *	gone the slot is free.
 * @memory: the holders together; the reference to the netdev
 * @valid: lookups find it. Cleared once, with the table's lock held.
 * @context: of the driver's add_gid
 * @ndev: the netdev referenced, NULL without one; dropped a grace period after @attr.ndev is NULL
 * @ndev_tracker: of that reference
 * @release_work: frees the slot, if the last holder went where one can't sleep
 * @rcu: frees the entry
 * @ndev_rcu: drops the netdev
 */
struct gid_entry {
	struct ib_gid_attr attr;
	struct ib_gid_table *table;
	refcount_t holders;
	refcount_t memory;
	bool valid;
	void *context;
	struct net_device *ndev;
	netdevice_tracker ndev_tracker;
	struct work_struct release_work;
	struct rcu_head rcu;
	struct rcu_head ndev_rcu;
};

static inline struct gid_entry *gid_entry_of(const struct ib_gid_attr *attr)
{
	return container_of(attr, struct gid_entry, attr);
}

static inline bool gid_entry_valid(const struct gid_entry *entry)
{
	return entry && READ_ONCE(entry->valid);
}

struct gid_entry *gid_entry_alloc(struct ib_gid_table *table, const struct ib_gid_attr *attr);
void gid_entry_discard(struct gid_entry *entry);
void gid_entry_retire(struct gid_entry *entry);
bool gid_entry_try_hold(struct gid_entry *entry);
void gid_entry_put(struct gid_entry *entry);

/* ---- gid_default.c ---- */

void gid_default(struct net_device *ndev, union ib_gid *gid);

/* ---- gid_table.c ---- */

/**
 * struct gid_table_ops - how a RoCE adapter learns which GIDs it has
 * @add: before the GID is found by anybody; an error keeps it out of the table
 * @remove: when no lookup finds it any more
 *
 * Both sleep, and are called with the table's lock held.
 */
struct gid_table_ops {
	int (*add)(const struct ib_gid_attr *attr, void **context);
	void (*remove)(const struct ib_gid_attr *attr, void **context);
};

/**
 * struct ib_gid_table - the GIDs of a port
 * @kref: the port's reference, until the device is released; one for each entry
 * @refresh_lock: makes refreshes of the port follow one another, so that what was read last from
 *	the adapter stays; guards nothing of the table itself
 * @lock: for changes of @slots and of the entries in them; lookups need it not
 * @ops: software fills the table (RoCE); NULL if the adapter does. In the first case a slot isn't
 *	used again as long as anybody holds what it had, for the adapter knows GIDs by their slots
 * @wq: where entries are released whose last holder couldn't sleep
 * @closed: nothing may be added any more
 * @reserved: so many first slots are for default GIDs
 * @size: number of slots
 * @slots: NULL or the entry there, valid or not
 */
struct ib_gid_table {
	struct kref kref;
	struct mutex refresh_lock;	/* orders refreshes */
	struct mutex lock;		/* guards changes */
	const struct gid_table_ops *ops;
	struct workqueue_struct *wq;
	bool closed;
	unsigned int reserved;
	unsigned int size;
	struct gid_entry __rcu *slots[] __counted_by(size);
};

enum gid_slots {
	GID_SLOTS_ALL,
	GID_SLOTS_RESERVED,
	GID_SLOTS_OTHER,
};

#define GID_TYPE_ANY	(-1)

/**
 * struct gid_match - the entries that are looked for
 * @gid: with this GID; NULL: with any
 * @type: with this type; GID_TYPE_ANY
 * @ndev: of this netdev; NULL: of any or none
 * @slots: and in these slots
 */
struct gid_match {
	const union ib_gid *gid;
	int type;
	const struct net_device *ndev;
	enum gid_slots slots;
};

typedef bool (*gid_filter)(const union ib_gid *gid, const struct ib_gid_attr *attr, void *context);

struct ib_gid_table *gid_table_alloc(unsigned int size, unsigned int reserved,
				     const struct gid_table_ops *ops, struct workqueue_struct *wq);
void gid_table_free(struct kref *kref);
void gid_table_release(struct ib_gid_table *table, const char *owner);

const struct ib_gid_attr *gid_table_get(struct ib_gid_table *table, int index);
int gid_table_read(struct ib_gid_table *table, int index, union ib_gid *gid);
const struct ib_gid_attr *gid_table_find(struct ib_gid_table *table, const struct gid_match *match);
const struct ib_gid_attr *gid_table_find_if(struct ib_gid_table *table, const union ib_gid *gid,
					    gid_filter filter, void *context);

int gid_table_set(struct ib_gid_table *table, const struct ib_gid_attr *attr);
int gid_table_add(struct ib_gid_table *table, struct ib_gid_attr *attr, enum gid_slots slots);
unsigned int gid_table_remove(struct ib_gid_table *table, const struct gid_match *match);
void gid_table_close(struct ib_gid_table *table);

static inline struct ib_gid_table *gid_table_of(struct ib_device *device, u32 port_num)
{
	return device->port_data[port_num].cache.gid;
}

/* ---- pkey_table.c ---- */

#define PKEY_FULL_MEMBER	0x8000
#define PKEY_BASE_MASK		0x7fff

/**
 * struct ib_pkey_cache - the P_Keys of a port, never changed once others can see them
 * @rcu: frees it
 * @length: number of @keys
 * @keys: by index; 0 where the table of the port has none
 */
struct ib_pkey_cache {
	struct rcu_head rcu;
	unsigned int length;
	u16 keys[] __counted_by(length);
};

struct ib_pkey_cache *pkey_table_alloc(unsigned int length);
int pkey_table_find(const struct ib_pkey_cache *table, u16 pkey);
int pkey_table_find_exact(const struct ib_pkey_cache *table, u16 pkey);

/* ---- pkey.c ---- */

void pkey_cache_replace(struct ib_device *device, u32 port_num, struct ib_pkey_cache *table);

/* ---- port_attr.c ---- */

void port_attr_store(struct ib_device *device, u32 port_num, const struct ib_port_attr *attr);

/* ---- refresh.c ---- */

#define REFRESH_ATTR	BIT(0)
#define REFRESH_PKEYS	BIT(1)
#define REFRESH_GIDS	BIT(2)
#define REFRESH_ALL	(REFRESH_ATTR | REFRESH_PKEYS | REFRESH_GIDS)

int cache_refresh_port(struct ib_device *device, u32 port_num, unsigned int what);

/* ---- roce_relation.c: all three for netdevs that the caller holds ---- */

bool roce_is_lower(struct net_device *ndev, struct net_device *upper);
bool roce_port_serves(struct net_device *port_ndev, struct net_device *ndev);
bool roce_port_defaults_to(struct net_device *port_ndev, struct net_device *ndev);

/* ---- roce_gid.c ---- */

/**
 * struct roce_port - a port whose GIDs are to follow the netdevs
 * @device: the port's device
 * @port_num: the port's number
 * @ndev: the netdev that the port sends and receives through, held; NULL: there's none, but maybe
 *	GIDs of one that it had
 */
struct roce_port {
	struct ib_device *device;
	u32 port_num;
	struct net_device *ndev;
};

/* They return whether they changed the table; the caller passes that on to roce_changed(). */
bool roce_add_gid(const struct roce_port *port, struct net_device *ndev, const union ib_gid *gid);
bool roce_add_default(const struct roce_port *port, struct net_device *ndev);
bool roce_add_addresses(const struct roce_port *port, struct net_device *ndev);
bool roce_add_all(const struct roce_port *port, struct net_device *ndev);
bool roce_remove_gid(const struct roce_port *port, struct net_device *ndev,
		     const union ib_gid *gid);
bool roce_remove_default(const struct roce_port *port, struct net_device *ndev);
bool roce_remove_all(const struct roce_port *port, struct net_device *ndev);

void roce_changed(const struct roce_port *port, bool changed);

extern const struct gid_table_ops roce_table_ops;

/* ---- roce_addresses.c ---- */

/**
 * struct roce_addresses - the addresses of a netdev at one moment, as GIDs
 * @count: number of @gids
 * @gids: freed by roce_addresses_free()
 */
struct roce_addresses {
	unsigned int count;
	union ib_gid *gids;
};

int roce_addresses_read(struct net_device *ndev, struct roce_addresses *addresses);
void roce_addresses_free(struct roce_addresses *addresses);

/* ---- roce_uppers.c ---- */

typedef bool (*roce_ndev_fn)(const struct roce_port *port, struct net_device *ndev);

bool roce_with_uppers(const struct roce_port *port, struct net_device *ndev, roce_ndev_fn fn);

/* ---- roce_events.c ---- */

int roce_events_init(void);
void roce_events_exit(void);

#endif
