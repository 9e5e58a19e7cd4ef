/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The character device and all that is a file: the part of ib_uverbs that processes meet first.
 * See Documentation/infiniband/user_verbs.rst.
 *
 * Objects and who keeps them alive:
 *
 *  ib_uverbs_device	the client from add to remove, and each ib_uverbs_file. The ib_device that
 *			it stands for goes with remove: its pointer is cleared, and its users are
 *			waited for. uverbsN, as the driver core knows it, may be there for longer
 *  ib_uverbs_file	see its ref
 *  event files		objects themselves, referenced by those whose events they deliver, and by
 *			struct file
 *  uverbs_event	the queue, from its event to the read() that takes it, or the end of its
 *			object or its queue
 *  rdma_umap_priv	its mapping; it is in the file's list until the memory has been taken away
 */
#ifndef RDMA_UVERBS_FILE_H
#define RDMA_UVERBS_FILE_H

#include "../uverbs.h"

/* ---- event_queue.c: what waits for readers, pure ---- */

/* A completion channel's record is the beginning of an asynchronous one. */
static_assert(offsetof(struct ib_uverbs_async_event_desc, element) ==
	      offsetof(struct ib_uverbs_comp_event_desc, cq_handle));
static_assert(sizeof(struct ib_uverbs_comp_event_desc) == 8);
static_assert(sizeof(struct ib_uverbs_async_event_desc) == 16);

/**
 * struct uverbs_event - an event that waits for its reader
 * @queued: in the queue's events
 * @unread: in the list of the object that it is about, or alone
 * @reported: that object's number of events that were read, or NULL
 * @record: what is read, of completion channels the first half
 */
struct uverbs_event {
	struct list_head queued;
	struct list_head unread;
	u32 *reported;
	struct ib_uverbs_async_event_desc record;
};

void uverbs_event_queue_init(struct uverbs_event_queue *queue);
struct uverbs_event *uverbs_event_new(u64 element, u32 event_type, gfp_t gfp);
void uverbs_event_queue_add(struct uverbs_event_queue *queue, struct uverbs_event *event,
			    struct list_head *unread, u32 *reported);
struct uverbs_event *uverbs_event_queue_first(struct uverbs_event_queue *queue, bool nonblock);
void uverbs_event_reported(struct uverbs_event *event);
void uverbs_event_queue_forget(struct uverbs_event_queue *queue, struct list_head *unread);
void uverbs_event_queue_close(struct uverbs_event_queue *queue);
__poll_t uverbs_event_queue_poll(struct uverbs_event_queue *queue);

/* ---- event_file.c: what both kinds of event files do ---- */

ssize_t uverbs_event_read(struct uverbs_event_queue *queue, struct file *filp, char __user *buf,
			  size_t count, size_t size);
__poll_t uverbs_event_poll(struct uverbs_event_queue *queue, struct file *filp,
			   struct poll_table_struct *wait);

/* ---- node.c: device numbers, device nodes ---- */

int uverbs_nodes_init(void);
void uverbs_nodes_exit(void);
int uverbs_node_create(struct ib_uverbs_device *device, struct device *parent,
		       const struct file_operations *fops);
void uverbs_node_destroy(struct ib_uverbs_device *device);
struct ib_uverbs_device *uverbs_node_get(dev_t devt);

/* ---- device.c ---- */

extern struct ib_client uverbs_client;

void uverbs_device_put(struct ib_uverbs_device *device);

/* ---- open.c ---- */

extern const struct file_operations uverbs_fops;
extern const struct file_operations uverbs_mmap_fops;

/* ---- mmap.c, zap.c ---- */

int uverbs_mmap(struct file *filp, struct vm_area_struct *vma);
struct rdma_user_mmap_entry *uverbs_umap_forget(struct rdma_umap_priv *priv);
void uverbs_zap_mappings(struct ib_uverbs_file *file);

#endif
