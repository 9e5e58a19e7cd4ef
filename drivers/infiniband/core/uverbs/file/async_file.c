// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Asynchronous event files: events of objects, of ports, of the device. A context can have several.
 * The first is what objects use that don't name one.
 *
 * When the device goes, the files stay: IB_EVENT_DEVICE_FATAL is how a process learns of it, and
 * the last that it learns. Only closing the file ends its queue.
 */

#include <linux/fs.h>
#include <linux/module.h>

#include "file.h"

static struct uverbs_async_file *to_async_file(struct ib_uobject *uobj)
{
	return container_of(uobj, struct uverbs_async_file, uobj);
}

static void port_event(struct ib_event_handler *handler, struct ib_event *ib_event)
{
	struct uverbs_async_file *async_file =
		container_of(handler, struct uverbs_async_file, event_handler);
	struct uverbs_event *event;

	event = uverbs_event_new(ib_event->element.port_num, ib_event->event, GFP_ATOMIC);
	if (event)
		uverbs_event_queue_add(&async_file->queue, event, NULL, NULL);
}

/**
 * uverbs_async_file_init - begin to deliver events
 * @async_file: a new object, whose context has been initialised
 *
 * It becomes its open file's default if that has none.
 *
 * Context: Sleeps. An object is being created.
 */
void uverbs_async_file_init(struct uverbs_async_file *async_file)
{
	struct ib_uverbs_file *file = async_file->uobj.ufile;

	uverbs_event_queue_init(&async_file->queue);

	mutex_lock(&file->ucontext_lock);
	if (!file->default_async_file) {
		uverbs_uobject_get(&async_file->uobj);
		/* Pairs with uverbs_default_async_file_get(). */
		smp_store_release(&file->default_async_file, async_file);
	}
	mutex_unlock(&file->ucontext_lock);

	INIT_IB_EVENT_HANDLER(&async_file->event_handler, async_file->uobj.context->device,
			      port_event);
	ib_register_event_handler(&async_file->event_handler);
}

/**
 * uverbs_default_async_file_get - the event file of objects that don't name one
 * @file: the open file
 *
 * Context: Any.
 * Return: the event file, referenced, or NULL; uverbs_uevent_init() takes either.
 */
struct uverbs_async_file *uverbs_default_async_file_get(struct ib_uverbs_file *file)
{
	struct uverbs_async_file *async_file;

	/* Pairs with uverbs_async_file_init(). */
	async_file = smp_load_acquire(&file->default_async_file);
	if (async_file)
		uverbs_uobject_get(&async_file->uobj);
	return async_file;
}

/**
 * uverbs_async_file_get - the event file that an attribute names, or else the default one
 * @attrs: the call
 * @attr_id: the attribute, of an asynchronous event file to be read
 *
 * Context: Any.
 * Return: the event file, referenced, or NULL; uverbs_uevent_init() takes either.
 */
struct uverbs_async_file *uverbs_async_file_get(struct uverbs_attr_bundle *attrs, u16 attr_id)
{
	struct ib_uobject *uobj = uverbs_attr_get_uobject(attrs, attr_id);

	if (IS_ERR(uobj))
		return uverbs_default_async_file_get(attrs->ufile);
	uverbs_uobject_get(uobj);
	return to_async_file(uobj);
}

static void async_file_destroy(struct ib_uobject *uobj, enum rdma_remove_reason why)
{
	struct uverbs_async_file *async_file = to_async_file(uobj);

	ib_unregister_event_handler(&async_file->event_handler);

	/* Nothing else tells the process, so it has to be told. */
	if (why == RDMA_REMOVE_DRIVER_REMOVE)
		uverbs_event_queue_add(&async_file->queue,
				       uverbs_event_new(0, IB_EVENT_DEVICE_FATAL,
							GFP_KERNEL | __GFP_NOFAIL),
				       NULL, NULL);
}

static ssize_t async_file_read(struct file *filp, char __user *buf, size_t count, loff_t *pos)
{
	struct uverbs_async_file *async_file = to_async_file(filp->private_data);

	return uverbs_event_read(&async_file->queue, filp, buf, count,
				 sizeof(struct ib_uverbs_async_event_desc));
}

static __poll_t async_file_poll(struct file *filp, struct poll_table_struct *wait)
{
	return uverbs_event_poll(&to_async_file(filp->private_data)->queue, filp, wait);
}

static int async_file_fasync(int fd, struct file *filp, int on)
{
	return fasync_helper(fd, filp, on, &to_async_file(filp->private_data)->queue.fasync);
}

static int async_file_release(struct inode *inode, struct file *filp)
{
	struct ib_uobject *uobj = filp->private_data;
	int ret;

	/* Its creation failed. */
	if (!uobj)
		return uverbs_uobject_fd_release(inode, filp);

	/* Objects may use it for longer. */
	uverbs_uobject_get(uobj);
	ret = uverbs_uobject_fd_release(inode, filp);
	uverbs_event_queue_close(&to_async_file(uobj)->queue);
	uverbs_uobject_put(uobj);
	return ret;
}

static const struct file_operations async_file_fops = {
	.owner = THIS_MODULE,
	.read = async_file_read,
	.poll = async_file_poll,
	.fasync = async_file_fasync,
	.release = async_file_release,
};

static int UVERBS_HANDLER(UVERBS_METHOD_ASYNC_EVENT_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);

	uverbs_async_file_init(to_async_file(uobj));
	uverbs_finalize_uobj_create(attrs, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_ASYNC_EVENT_ALLOC,
			    UVERBS_ATTR_FD(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE,
					   UVERBS_OBJECT_ASYNC_EVENT, UVERBS_ACCESS_NEW,
					   UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(UVERBS_OBJECT_ASYNC_EVENT,
			    UVERBS_TYPE_ALLOC_FD(sizeof(struct uverbs_async_file),
						 async_file_destroy, &async_file_fops,
						 "[infinibandevent]", O_RDONLY),
			    &UVERBS_METHOD(UVERBS_METHOD_ASYNC_EVENT_ALLOC));

const struct uapi_definition uverbs_def_async_event[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_ASYNC_EVENT),
	{}
};
