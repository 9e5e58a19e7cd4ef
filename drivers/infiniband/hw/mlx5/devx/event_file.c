// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Files that events are read from: whole events, each with the cookie of its subscription; or,
 * where data are omitted, the cookies alone, each once however often its event has come since it
 * was read.
 */
#include "devx.h"

/* Events that wait in a file whose reader doesn't keep up; more are lost, and it's told so. */
#define MAX_EVENTS 0x1000

/**
 * struct event - an event that hasn't been read
 * @list: in the file's
 * @record: as the process reads it
 */
struct event {
	struct list_head list;
	struct record {
		u64 cookie; /* of the subscription */
		struct mlx5_eqe eqe;
	} __packed record;
};

static_assert(offsetof(struct record, eqe) == sizeof(struct mlx5_ib_uapi_devx_async_event_hdr));

static void deliver_cookie(struct mlx5_ib_devx_subscription *subscription)
{
	struct mlx5_ib_devx_event_file *file = subscription->file;
	unsigned long flags;

	spin_lock_irqsave(&file->lock, flags);
	if (!file->closed && !subscription->withdrawn && list_empty(&subscription->pending))
		list_add_tail(&subscription->pending, &file->pending);
	spin_unlock_irqrestore(&file->lock, flags);
}

static void deliver_event(struct mlx5_ib_devx_subscription *subscription,
			  const struct mlx5_eqe *eqe)
{
	struct event *event = kzalloc(sizeof(*event), GFP_ATOMIC);
	struct mlx5_ib_devx_event_file *file = subscription->file;
	unsigned long flags;

	if (event) {
		event->record.cookie = subscription->cookie;
		event->record.eqe = *eqe;
	}
	spin_lock_irqsave(&file->lock, flags);
	if (!file->closed && !subscription->withdrawn) {
		if (event && file->count < MAX_EVENTS) {
			list_add_tail(&event->list, &file->pending);
			file->count++;
			event = NULL;
		} else {
			file->overflow = true;
		}
	}
	spin_unlock_irqrestore(&file->lock, flags);
	kfree(event);
}

/* Under RCU, perhaps in an interrupt. */
void mlx5_ib_devx_deliver(struct mlx5_ib_devx_subscription *subscription,
			  const struct mlx5_eqe *eqe)
{
	if (subscription->file->omit_data)
		deliver_cookie(subscription);
	else
		deliver_event(subscription, eqe);
	wake_up_interruptible(&subscription->file->wait);
}

/* Nothing of it comes any more. */
void mlx5_ib_devx_withdraw(struct mlx5_ib_devx_subscription *subscription)
{
	struct mlx5_ib_devx_event_file *file = subscription->file;

	spin_lock_irq(&file->lock);
	subscription->withdrawn = true;
	list_del_init(&subscription->pending);
	spin_unlock_irq(&file->lock);
}

/* What a read finds: 0, -EAGAIN: nothing yet, or why there's nothing. Under the file's lock. */
static int look(struct mlx5_ib_devx_event_file *file, size_t size, size_t count)
{
	if (file->overflow) {
		file->overflow = false;
		return -EOVERFLOW;
	}
	if (list_empty(&file->pending))
		return file->closed ? -EIO : -EAGAIN;
	return size > count ? -EINVAL : 0;
}

static int take_cookie(struct mlx5_ib_devx_event_file *file, size_t count, u64 *cookie)
{
	struct mlx5_ib_devx_subscription *subscription;
	int err;

	spin_lock_irq(&file->lock);
	err = look(file, sizeof(*cookie), count);
	if (!err) {
		subscription = list_first_entry(&file->pending, struct mlx5_ib_devx_subscription,
						pending);
		*cookie = subscription->cookie;
		list_del_init(&subscription->pending);
	}
	spin_unlock_irq(&file->lock);
	return err;
}

static ssize_t read_cookie(struct mlx5_ib_devx_event_file *file, char __user *buf, size_t count)
{
	u64 cookie;
	int err;

	err = take_cookie(file, count, &cookie);
	if (err)
		return err;
	return copy_to_user(buf, &cookie, sizeof(cookie)) ? -EFAULT : sizeof(cookie);
}

static int take_event(struct mlx5_ib_devx_event_file *file, size_t count, struct event **event)
{
	int err;

	spin_lock_irq(&file->lock);
	err = look(file, sizeof((*event)->record), count);
	if (!err) {
		*event = list_first_entry(&file->pending, struct event, list);
		list_del(&(*event)->list);
		file->count--;
	}
	spin_unlock_irq(&file->lock);
	return err;
}

static ssize_t read_event(struct mlx5_ib_devx_event_file *file, char __user *buf, size_t count)
{
	ssize_t size = sizeof(struct record);
	struct event *event;
	int err;

	err = take_event(file, count, &event);
	if (err)
		return err;
	if (copy_to_user(buf, &event->record, size))
		size = -EFAULT;
	kfree(event);
	return size;
}

static bool is_ready(struct mlx5_ib_devx_event_file *file)
{
	bool ready;

	spin_lock_irq(&file->lock);
	ready = file->closed || file->overflow || !list_empty(&file->pending);
	spin_unlock_irq(&file->lock);
	return ready;
}

static ssize_t read(struct file *filp, char __user *buf, size_t count, loff_t *pos)
{
	struct mlx5_ib_devx_event_file *file = filp->private_data;
	ssize_t size;

	for (;;) {
		size = file->omit_data ? read_cookie(file, buf, count) :
					 read_event(file, buf, count);
		if (size != -EAGAIN || filp->f_flags & O_NONBLOCK)
			return size;
		if (wait_event_interruptible(file->wait, is_ready(file)))
			return -ERESTARTSYS;
	}
}

static __poll_t poll(struct file *filp, struct poll_table_struct *table)
{
	struct mlx5_ib_devx_event_file *file = filp->private_data;
	__poll_t mask = 0;

	poll_wait(filp, &file->wait, table);
	if (is_ready(file))
		mask = EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(file->closed))
		mask |= EPOLLRDHUP;
	return mask;
}

static const struct file_operations event_fops = {
	.owner = THIS_MODULE,
	.read = read,
	.poll = poll,
	.release = uverbs_uobject_fd_release,
};

static int
UVERBS_HANDLER(MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobj =
		uverbs_attr_get_uobject(attrs, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE);
	struct mlx5_ib_devx_event_file *file =
		container_of(uobj, struct mlx5_ib_devx_event_file, uobj);
	u32 flags;
	int err;

	err = uverbs_get_flags32(&flags, attrs, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS,
				 MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA);
	if (err)
		return err;
	file->devx = to_mdev(uobj->context->device)->devx;
	file->omit_data = flags & MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA;
	spin_lock_init(&file->lock);
	init_waitqueue_head(&file->wait);
	INIT_LIST_HEAD(&file->pending);
	INIT_LIST_HEAD(&file->subscriptions);
	return 0;
}

static void close_file(struct ib_uobject *uobj, enum rdma_remove_reason why)
{
	struct mlx5_ib_devx_event_file *file =
		container_of(uobj, struct mlx5_ib_devx_event_file, uobj);
	struct event *event, *next;
	LIST_HEAD(unread);

	/* Takes those out of the pending list that are in it. */
	mlx5_ib_devx_unsubscribe_file(file);
	spin_lock_irq(&file->lock);
	WRITE_ONCE(file->closed, true);
	list_splice_init(&file->pending, &unread);
	spin_unlock_irq(&file->lock);
	wake_up_interruptible(&file->wait);
	list_for_each_entry_safe(event, next, &unread, list)
		kfree(event);
}

DECLARE_UVERBS_NAMED_METHOD(MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC,
			    UVERBS_ATTR_FD(MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE,
					   MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD, UVERBS_ACCESS_NEW,
					   UA_MANDATORY),
			    UVERBS_ATTR_FLAGS_IN(MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS,
						 enum mlx5_ib_uapi_devx_create_event_channel_flags,
						 UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD,
			    UVERBS_TYPE_ALLOC_FD(sizeof(struct mlx5_ib_devx_event_file),
						 close_file, &event_fops, "[devx_async_event]",
						 O_RDONLY),
			    &UVERBS_METHOD(MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC));

const struct uapi_definition mlx5_ib_devx_event_file_defs[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD,
				      UAPI_DEF_IS_OBJ_SUPPORTED(mlx5_ib_devx_supported)),
	{}
};
