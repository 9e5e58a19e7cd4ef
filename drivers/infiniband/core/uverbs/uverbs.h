/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ib_uverbs, seen from inside: what its parts ask of each other. A part's own declarations stand in
 * a header of its own.
 *
 *   file/    the character device, open files, contexts, event files, mappings
 *   engine/  write() and ioctl(): from bytes to a call of a handler, and the tables behind it
 *   object/  user objects: handles, use locks, creation, destruction, end of a process or a device
 *   verbs/   the handlers, a file an object
 *   umem/    memory of a process for a device's use
 *
 * Who waits for whom, outermost first: a device's disassociate_srcu; a file's hw_destroy_rwsem; its
 * ucontext_lock or, to be held for writing, disassociation_lock; an object's use lock, which nobody
 * waits for; mmap_lock of a process; the file's umap_lock; spinlocks, which don't nest.
 */
#ifndef RDMA_UVERBS_H
#define RDMA_UVERBS_H

#include <linux/cdev.h>
#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/rwsem.h>
#include <linux/srcu.h>
#include <linux/xarray.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_std_types.h>

#define UVERBS_MODULE_NAME ib_uverbs
#include <rdma/uverbs_named_ioctl.h>

#include "../stock_contract.h"

struct uverbs_api;

/**
 * struct ib_uverbs_device - a /dev/infiniband/uverbsN
 * @refcount: one for the client's registration, one for each open file; see uverbs_device_put()
 * @unused: what removal waits for when the driver can't part from open files
 * @num_comp_vectors: that of the RDMA device
 * @dev: in class infiniband_verbs; others may hold on to it, even when this module has gone
 * @ib_dev: NULL once the device has been taken away; read under @disassociate_srcu
 * @devnum: N
 * @cdev: the character device
 * @xrcd_mutex: guards @xrcds, and is held while a domain is opened, closed, allocated, freed; it
 *	nests inside an object's creation or destruction and outside of the driver
 * @xrcds: XRC domains that are known by an inode, by the inode's address
 * @disassociate_srcu: held for reading by whoever calls the driver on behalf of an open file
 * @files_mutex: guards @files; nothing is locked inside it
 * @files: each open struct ib_uverbs_file
 * @uapi: what write() and ioctl() understand (the name is dictated by uobj_get_type())
 */
struct ib_uverbs_device {
	refcount_t refcount;
	struct completion unused;
	u32 num_comp_vectors;
	struct device *dev;
	struct ib_device __rcu *ib_dev;
	u32 devnum;
	struct cdev *cdev;
	struct mutex xrcd_mutex; /* see above */
	struct rb_root xrcds;
	struct srcu_struct disassociate_srcu;
	struct mutex files_mutex; /* see above */
	struct list_head files;
	struct uverbs_api *uapi;
};

/**
 * struct ib_uverbs_file - an open uverbsN, and all that a process has made through it
 * @ref: one for the open file, one for each event file and for each object
 * @device: that it belongs to, as long as it lives
 * @ucontext_lock: held while @ucontext is made, also by the driver, and while @default_async_file
 *	is chosen
 * @ucontext: published with release semantics; ib_uverbs_get_ucontext() reads it; it goes while
 *	@hw_destroy_rwsem is held for writing
 * @default_async_file: the context's first asynchronous event file, referenced; write() commands
 *	use it; published with release semantics, it stays as long as the file
 * @list: in the device's files
 * @hw_destroy_rwsem: held for reading from an object's allocation to its commit or abort and while
 *	one is destroyed; for writing while all go
 * @uobjects_lock: guards @uobjects against those who hold @hw_destroy_rwsem for reading
 * @uobjects: committed objects, the newest first
 * @umap_lock: guards @umaps; ib_core takes it too
 * @umaps: struct rdma_umap_priv of each mapping; ib_core adds to it
 * @disassociate_page: what writable mappings show once the device is gone
 * @objects: by handle: an object, or an entry that is reserved for one that isn't committed yet
 * @disassociation_lock: held for writing while all mappings are taken away; for reading while the
 *	driver makes one or a fork copies one, who have mmap_lock already and so can't wait for it
 *
 * ib_core reaches @umap_lock and @umaps by their offset (stock_contract.h), so what stands before
 * them is fixed.
 */
struct ib_uverbs_file {
	struct kref ref;
	struct ib_uverbs_device *device;
	struct mutex ucontext_lock; /* see above */
	struct ib_ucontext *ucontext;
	struct uverbs_async_file *default_async_file;
	struct list_head list;
	struct rw_semaphore hw_destroy_rwsem;
	spinlock_t uobjects_lock; /* see above */
	struct list_head uobjects;
	struct mutex umap_lock; /* see above */
	struct list_head umaps;
	struct page *disassociate_page;
	struct xarray objects;
	struct rw_semaphore disassociation_lock;
};

static_assert(offsetof(struct ib_uverbs_file, umap_lock) == UVERBS_FILE_UMAP_LOCK);
static_assert(offsetof(struct ib_uverbs_file, umaps) == UVERBS_FILE_UMAPS);

/* Event files: queues of records that a process reads. */

/**
 * struct uverbs_event_queue - what an event file's readers wait at
 * @wait: readers and pollers; wait.lock guards all below but @fasync, and the lists of unread
 *	records that objects keep, with the numbers of those that were read; taken in interrupts
 * @closed: nothing comes any more; readers of the empty queue get EIO
 * @events: struct uverbs_event, the oldest first
 * @fasync: who gets SIGIO
 */
struct uverbs_event_queue {
	wait_queue_head_t wait;
	bool closed;
	struct list_head events;
	struct fasync_struct *fasync;
};

struct uverbs_async_file {
	struct ib_uobject uobj;
	struct uverbs_event_queue queue;
	struct ib_event_handler event_handler; /* of port and device events */
};

struct uverbs_comp_channel {
	struct ib_uobject uobj;
	struct uverbs_event_queue queue;
};

/*
 * User objects with events. @async_file, of which each holds a reference, is NULL where nobody
 * listens; @unread are its records that wait there, @events_reported those that were read.
 */
struct ib_uevent_object {
	struct ib_uobject uobject;
	struct uverbs_async_file *async_file;
	struct list_head unread;
	u32 events_reported;
};

struct ib_uwq_object {
	struct ib_uevent_object uevent;
};

/* @refcnt: shared receive queues and target queue pairs that were made through this handle. */
struct ib_uxrcd_object {
	struct ib_uobject uobject;
	atomic_t refcnt;
};

/* @mcast_lock guards @mcasts, the groups that it's attached to, and is held over driver calls. */
struct ib_uqp_object {
	struct ib_uevent_object uevent;
	struct mutex mcast_lock; /* see above */
	struct list_head mcasts;
	struct ib_uxrcd_object *uxrcd;
};

struct ib_usrq_object {
	struct ib_uevent_object uevent;
	struct ib_uxrcd_object *uxrcd;
};

/* The channel that @comp_unread wait in is the completion queue's cq_context. */
struct ib_ucq_object {
	struct ib_uevent_object uevent;
	struct list_head comp_unread;
	u32 comp_events_reported;
};

STOCK_OFFSET(struct ib_ucq_object, uevent.uobject, STOCK_UCQ_OBJECT_UOBJECT);

/* file/, for all */

/*
 * A context is allocated, in attrs->context; then initialised: charged, made known to the driver
 * and published as the file's. Initialising either does all that or nothing; a context that it
 * refused, or that it wasn't asked for, is freed, and attrs->context is NULL again.
 */
int uverbs_alloc_ucontext(struct uverbs_attr_bundle *attrs);
int uverbs_init_ucontext(struct uverbs_attr_bundle *attrs);
void uverbs_free_ucontext(struct uverbs_attr_bundle *attrs);
void uverbs_destroy_ucontext(struct ib_uverbs_file *file, enum rdma_remove_reason why);
void uverbs_file_put(struct ib_uverbs_file *file);

struct uverbs_async_file *uverbs_default_async_file_get(struct ib_uverbs_file *file);
struct uverbs_async_file *uverbs_async_file_get(struct uverbs_attr_bundle *attrs, u16 attr_id);
void uverbs_async_file_init(struct uverbs_async_file *async_file);
void uverbs_uevent_init(struct ib_uevent_object *uevent, struct uverbs_async_file *async_file);
void uverbs_uevent_release(struct ib_uevent_object *uevent);
void uverbs_ucq_init(struct ib_ucq_object *ucq, struct uverbs_async_file *async_file);
void uverbs_ucq_release(struct ib_ucq_object *ucq, struct uverbs_comp_channel *channel);

void uverbs_comp_handler(struct ib_cq *cq, void *channel);
void uverbs_cq_event_handler(struct ib_event *event, void *context);
void uverbs_qp_event_handler(struct ib_event *event, void *context);
void uverbs_srq_event_handler(struct ib_event *event, void *context);
void uverbs_wq_event_handler(struct ib_event *event, void *context);

/* engine/, for file/ */

ssize_t uverbs_write(struct file *filp, const char __user *buf, size_t count, loff_t *pos);
long uverbs_ioctl(struct file *filp, unsigned int cmd, unsigned long arg);
struct uverbs_api *uverbs_api_alloc(struct ib_device *ib_dev);
void uverbs_api_disassociate_handlers(struct uverbs_api *api);
void uverbs_api_disassociate_objects(struct uverbs_api *api);
void uverbs_api_free(struct uverbs_api *api);

/* engine/, for object/ and verbs/ */

const struct uverbs_api_object *uapi_get_object(struct uverbs_api *uapi, u16 object_id);
bool uverbs_api_has_qp_type(const struct uverbs_api *api, enum ib_qp_type type);
int uverbs_invoke_write(struct uverbs_attr_bundle *attrs);
struct ib_udata *uverbs_cleared_udata(struct uverbs_attr_bundle *attrs);

/**
 * struct uverbs_request_iter - reads a request with arrays behind its fixed part
 * @next: where the unread rest begins
 * @end: where it ends
 */
struct uverbs_request_iter {
	const u8 __user *next;
	const u8 __user *end;
};

int uverbs_request(struct uverbs_attr_bundle *attrs, void *request, size_t size);
int uverbs_request_begin(struct uverbs_attr_bundle *attrs, struct uverbs_request_iter *iter,
			 void *request, size_t size);
int uverbs_request_next(struct uverbs_request_iter *iter, void *to, size_t size);
const void __user *uverbs_request_skip(struct uverbs_request_iter *iter, size_t size);
int uverbs_request_end(struct uverbs_request_iter *iter);
int uverbs_response(struct uverbs_attr_bundle *attrs, const void *response, size_t size);
u32 uverbs_response_length(struct uverbs_attr_bundle *attrs, size_t size);

/* object/, for engine/, file/ and verbs/; more stands in <rdma/uverbs_types.h> */

struct ib_uobject *uverbs_object_acquire(u16 object_id, enum uverbs_obj_access access, s64 id,
					 struct uverbs_attr_bundle *attrs);
void uverbs_object_release(struct ib_uobject *uobj, enum uverbs_obj_access access,
			   bool hw_obj_valid, bool commit, struct uverbs_attr_bundle *attrs);
int uverbs_object_destroy(struct ib_uobject *uobj, struct uverbs_attr_bundle *attrs);
void uverbs_objects_init(struct ib_uverbs_file *file);
void uverbs_objects_destroy_all(struct ib_uverbs_file *file, enum rdma_remove_reason why);
void uverbs_objects_cleanup(struct ib_uverbs_file *file);

/* verbs/ and file/, for engine/: what there is, object by object */

/*
 * The sizes of a write() command: the fourth argument of DECLARE_UVERBS_WRITE(). The _UDATA ones
 * are for commands whose driver may be given data behind the request, and answer behind the
 * response. The response, if there is one, is named by the request's first 8 bytes.
 */
#define UVERBS_REQUEST(request) .write.req_size = sizeof(request)
#define UVERBS_REQUEST_RESPONSE(request, response)                                 \
	.write.has_resp = 1, .write.resp_size = sizeof(response), UVERBS_REQUEST(request)
#define UVERBS_UDATA_REQUEST(request) .write.has_udata = 1, UVERBS_REQUEST(request)
#define UVERBS_UDATA_REQUEST_RESPONSE(request, response)                           \
	.write.has_udata = 1, UVERBS_REQUEST_RESPONSE(request, response)

/* That of DECLARE_UVERBS_WRITE_EX(): handlers make do with structures of any length. */
#define UVERBS_EXTENSIBLE .write.has_udata = 1, .write.has_resp = 1

extern const struct uapi_definition uverbs_def_device[];
extern const struct uapi_definition uverbs_def_pd[];
extern const struct uapi_definition uverbs_def_comp_channel[];
extern const struct uapi_definition uverbs_def_cq[];
extern const struct uapi_definition uverbs_def_qp[];
extern const struct uapi_definition uverbs_def_srq[];
extern const struct uapi_definition uverbs_def_ah[];
extern const struct uapi_definition uverbs_def_mr[];
extern const struct uapi_definition uverbs_def_mw[];
extern const struct uapi_definition uverbs_def_flow[];
extern const struct uapi_definition uverbs_def_xrcd[];
extern const struct uapi_definition uverbs_def_rwq_ind_tbl[];
extern const struct uapi_definition uverbs_def_wq[];
extern const struct uapi_definition uverbs_def_flow_action[];
extern const struct uapi_definition uverbs_def_dm[];
extern const struct uapi_definition uverbs_def_counters[];
extern const struct uapi_definition uverbs_def_async_event[];

/* verbs/, for each other: what destroying a queue pair or a receive queue undoes first */

void uverbs_detach_mcasts(struct ib_qp *qp, struct ib_uqp_object *uqp);

#endif
