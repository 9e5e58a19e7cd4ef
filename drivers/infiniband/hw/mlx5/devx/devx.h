/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Firmware commands and objects of a process's own: what the files of this folder ask of each
 * other.
 *
 * A process writes a command, byte for byte; the driver sees to it that it's one of those that it
 * may send, that it's about an object of its own, that memory in it is memory that the process has
 * registered, and that it's sent under the number of the process's context, by which the firmware
 * judges the rest.
 */
#ifndef RDMA_MLX5_DEVX_H
#define RDMA_MLX5_DEVX_H

#include <linux/rhashtable.h>

#include "../mlx5.h"

#define MLX5_IB_DEVX_MIN_IN MLX5_ST_SZ_BYTES(general_obj_in_cmd_hdr)
#define MLX5_IB_DEVX_MIN_OUT MLX5_ST_SZ_BYTES(general_obj_out_cmd_hdr)

/* field.c: fields whose place is data */

/**
 * struct mlx5_ib_devx_field - where a field of a command is
 * @at: its first bit
 * @bits: how many, all in one 32-bit word; 0: there is none
 */
struct mlx5_ib_devx_field {
	u16 at;
	u8 bits;
};

#define MLX5_IB_DEVX_FIELD(layout, field) \
	{ .at = __mlx5_bit_off(layout, field), .bits = __mlx5_bit_sz(layout, field) }

bool mlx5_ib_devx_field_fits(struct mlx5_ib_devx_field field, size_t len);
u32 mlx5_ib_devx_get(const void *command, struct mlx5_ib_devx_field field);
void mlx5_ib_devx_set(void *command, struct mlx5_ib_devx_field field, u32 value);

/* kind.c: what can be made */

/* Events that an object may have beside those of its type: they're told by a queue's number. */
enum mlx5_ib_devx_family {
	MLX5_IB_DEVX_QUEUE = BIT(0),
	MLX5_IB_DEVX_SRQ = BIT(1),
	MLX5_IB_DEVX_CQ = BIT(2),
	MLX5_IB_DEVX_DCT = BIT(3),
	MLX5_IB_DEVX_XRQ = BIT(4),
};

/**
 * struct mlx5_ib_devx_kind - a kind of object
 * @create: the command that makes one
 * @destroy: the command that undoes it
 * @named: the request, not the answer, has its number
 * @destroy_len: bytes of the command that undoes it
 * @number: where it is
 * @target: where it has to be in @destroy
 * @needs: a field of the request that has to be @needed
 * @needed: see there
 * @same: fields that @destroy has to have as the request had them; ends with one of no bits
 * @object_type: MLX5_OBJ_TYPE_*, as events name it; 0: they don't
 * @queue_type: MLX5_EVENT_QUEUE_TYPE_*, as events about queues name it
 * @families: such events
 */
struct mlx5_ib_devx_kind {
	u16 create;
	u16 destroy;
	bool named;
	u8 destroy_len;
	struct mlx5_ib_devx_field number;
	struct mlx5_ib_devx_field target;
	struct mlx5_ib_devx_field needs;
	u8 needed;
	const struct mlx5_ib_devx_field *same;
	u16 object_type;
	u8 queue_type;
	u8 families;
};

/* The longest of the commands that undo. */
#define MLX5_IB_DEVX_DESTROY_DWORDS MLX5_ST_SZ_DW(delete_fte_in)

const struct mlx5_ib_devx_kind *mlx5_ib_devx_kind(const void *in, size_t inlen, size_t outlen);
u32 mlx5_ib_devx_number(const struct mlx5_ib_devx_kind *kind, const void *in, const void *out);
void mlx5_ib_devx_destroy_command(const struct mlx5_ib_devx_kind *kind, const void *in, u32 number,
				  void *destroy);

/*
 * An object by what made it: numbers are unique only among those that one command makes, and
 * general objects only among those of a type.
 */
static inline u64 mlx5_ib_devx_id(u16 create, u16 type, u32 number)
{
	return (u64)type << 48 | (u64)create << 32 | number;
}

u64 mlx5_ib_devx_created_id(const struct mlx5_ib_devx_kind *kind, const void *in, u32 number);

/* about.c: which object a command is about; 0: it's none that modifies (queries) one */
u64 mlx5_ib_devx_modified_id(const void *in, size_t len);
u64 mlx5_ib_devx_queried_id(const void *in, size_t len);

/* general.c */
bool mlx5_ib_devx_is_general(const void *in);
bool mlx5_ib_devx_is_harmless(const void *in);

/* memory.c */
int mlx5_ib_devx_only_umem(void *in, size_t len, bool *indirect);

/* context.c */
int mlx5_ib_devx_uid_for(struct mlx5_ib_ucontext *context, const void *in);
bool mlx5_ib_devx_supported(struct ib_device *ibdev);

/* send.c */
struct mlx5_ib_ucontext *mlx5_ib_devx_context(const struct uverbs_attr_bundle *attrs);
int mlx5_ib_devx_prepare(struct uverbs_attr_bundle *attrs, void *in);
int mlx5_ib_devx_send(struct uverbs_attr_bundle *attrs, u16 in_attr, u16 out_attr);

/* owner.c */
bool mlx5_ib_devx_is_about(struct ib_uobject *uobj, u64 id);

/* object.c */

/**
 * struct mlx5_ib_devx_object - an object that a process has made
 * @dev: the adapter
 * @kind: see there
 * @id: by which commands are told to be about it
 * @range: numbers that are its own, beginning with its; 1 but for counters
 * @destroy: the command that undoes it
 * @subscriptions: to its events; under the lock of the device's table of them
 * @dying: the firmware has been asked to destroy it: an event of its number may be another's
 * @indirect: a key that names other keys
 * @mkey: for faults on it
 * @is_cq: the kernel knows of its completions; not so of those that go elsewhere
 * @cq: for those
 * @dct: for a DC target
 * @rcu: until nobody looks at @dying
 */
struct mlx5_ib_devx_object {
	struct mlx5_ib_dev *dev;
	const struct mlx5_ib_devx_kind *kind;
	u64 id;
	u32 range;
	u32 destroy[MLX5_IB_DEVX_DESTROY_DWORDS];
	struct list_head subscriptions;
	bool dying;
	bool indirect;
	struct mlx5_ib_mkey mkey;
	bool is_cq;
	struct mlx5_core_cq cq;
	struct mlx5_ib_dct dct;
	struct rcu_head rcu;
};

static inline u32 mlx5_ib_devx_object_number(const struct mlx5_ib_devx_object *object)
{
	return lower_32_bits(object->id);
}

/* make.c: making and destroying, as the kind of object needs it */
int mlx5_ib_devx_make(struct mlx5_ib_devx_object *object, void *in, int inlen, void *out,
		      int outlen);
int mlx5_ib_devx_unmake(struct mlx5_ib_devx_object *object);

/* event_key.c */
u64 mlx5_ib_devx_device_key(u8 type);
u64 mlx5_ib_devx_completion_key(u32 cqn);
bool mlx5_ib_devx_object_key(const struct mlx5_ib_devx_kind *kind, u64 id, u8 type, u64 *key);
u64 mlx5_ib_devx_eqe_key(u8 type, const struct mlx5_eqe *eqe);
bool mlx5_ib_devx_is_queue_event(u8 type);

/* event_file.c: a file that events are read from */

/**
 * struct mlx5_ib_devx_event_file - a file that events are read from
 * @uobj: what ib_uverbs sees
 * @devx: the table of subscriptions
 * @lock: guards @pending, @count, @overflow, @closed, and each subscription's place in @pending
 * @wait: readers
 * @pending: struct mlx5_ib_devx_event; if data are omitted, subscriptions
 * @count: of events in @pending
 * @omit_data: what's read is but who had an event
 * @overflow: events have been lost
 * @closed: no more come
 * @subscriptions: that lead here; under the lock of @devx
 */
struct mlx5_ib_devx_event_file {
	struct ib_uobject uobj;
	struct mlx5_ib_devx *devx;
	spinlock_t lock; /* see above */
	wait_queue_head_t wait;
	struct list_head pending;
	u32 count;
	bool omit_data;
	bool overflow;
	bool closed;
	struct list_head subscriptions;
};

struct mlx5_ib_devx_subscription;
void mlx5_ib_devx_deliver(struct mlx5_ib_devx_subscription *subscription,
			  const struct mlx5_eqe *eqe);
void mlx5_ib_devx_withdraw(struct mlx5_ib_devx_subscription *subscription);

/* subscription.c */

/**
 * struct mlx5_ib_devx_subscription - who wants to know of an event
 * @node: in the device's table
 * @key: the event and its object
 * @cookie: by which the process knows it
 * @file: where it goes to; a reference
 * @object: whose it is; NULL: the device's
 * @eventfd: to be signalled instead
 * @of_object: in the object's list
 * @of_file: in the file's list
 * @pending: in the file's pending list, where data are omitted
 * @withdrawn: it's being taken out; under the file's lock
 * @rcu: until nobody finds it in the table any more
 */
struct mlx5_ib_devx_subscription {
	struct rhlist_head node;
	u64 key;
	u64 cookie;
	struct mlx5_ib_devx_event_file *file;
	struct mlx5_ib_devx_object *object;
	struct eventfd_ctx *eventfd;
	struct list_head of_object;
	struct list_head of_file;
	struct list_head pending;
	bool withdrawn;
	struct rcu_head rcu;
};

/**
 * struct mlx5_ib_devx - events of an adapter, and who wants to know of them
 * @dev: the adapter
 * @events: all of its
 * @lock: guards the lists of subscriptions of objects and files; taken before a file's lock
 * @subscriptions: by key; read under RCU
 * @vars: numbers of virtio doorbells that processes have
 */
struct mlx5_ib_devx {
	struct mlx5_ib_dev *dev;
	struct mlx5_nb events;
	struct mutex lock; /* see above */
	struct rhltable subscriptions;
	struct ida vars;
};

int mlx5_ib_devx_table_init(struct mlx5_ib_devx *devx);
void mlx5_ib_devx_table_cleanup(struct mlx5_ib_devx *devx);
void mlx5_ib_devx_unsubscribe_object(struct mlx5_ib_devx_object *object);
void mlx5_ib_devx_unsubscribe_file(struct mlx5_ib_devx_event_file *file);
void mlx5_ib_devx_dispatch(struct mlx5_ib_devx *devx, u64 key, const struct mlx5_eqe *eqe);

/* events.c */
bool mlx5_ib_devx_event_allowed(struct mlx5_core_dev *mdev, u16 type, bool of_object);
int mlx5_ib_devx_events_init(struct mlx5_ib_devx *devx);
void mlx5_ib_devx_events_cleanup(struct mlx5_ib_devx *devx);

extern const struct uapi_definition mlx5_ib_devx_object_defs[];
extern const struct uapi_definition mlx5_ib_devx_other_defs[];
extern const struct uapi_definition mlx5_ib_devx_async_defs[];
extern const struct uapi_definition mlx5_ib_devx_event_file_defs[];
extern const struct uapi_definition mlx5_ib_devx_subscription_defs[];
extern const struct uapi_definition mlx5_ib_devx_umem_defs[];
extern const struct uapi_definition mlx5_ib_devx_pp_defs[];
extern const struct uapi_definition mlx5_ib_devx_var_defs[];

#endif
