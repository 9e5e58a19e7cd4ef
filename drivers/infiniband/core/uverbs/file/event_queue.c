// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What waits for the readers of an event file. Nothing here touches a device.
 *
 * An object knows its unread records, so that they go with it: a record names the object by a
 * number that the process chose, often an address, and the process may free what is there as soon
 * as the object is destroyed. What was read before that is counted: the process hasn't finished
 * with an object until it has seen to as many events as were read.
 *
 * One lock, that of the wait queue, so that an event costs a single locked section. It's held for a
 * record at a time, however many there are.
 */

#include <linux/poll.h>
#include <linux/slab.h>

#include "file.h"

/**
 * uverbs_event_queue_init - prepare an empty queue
 * @queue: the queue
 */
void uverbs_event_queue_init(struct uverbs_event_queue *queue)
{
	init_waitqueue_head(&queue->wait);
	queue->closed = false;
	INIT_LIST_HEAD(&queue->events);
	queue->fasync = NULL;
}

/**
 * uverbs_event_new - make a record
 * @element: what it is about, as the process knows it
 * @event_type: enum ib_event_type; no matter in a completion channel
 * @gfp: how to allocate
 *
 * Context: That of @gfp.
 * Return: the record, or NULL.
 */
struct uverbs_event *uverbs_event_new(u64 element, u32 event_type, gfp_t gfp)
{
	struct uverbs_event *event = kmalloc(sizeof(*event), gfp);

	if (!event)
		return NULL;
	event->record.element = element;
	event->record.event_type = event_type;
	event->record.reserved = 0;
	return event;
}

/**
 * uverbs_event_queue_add - append a record, wake the readers
 * @queue: the queue; if it has been closed, the record is freed
 * @event: from uverbs_event_new()
 * @unread: unread records of the object that the event is about, or NULL
 * @reported: the object's number of events that were read, or NULL
 *
 * Context: Any.
 */
void uverbs_event_queue_add(struct uverbs_event_queue *queue, struct uverbs_event *event,
			    struct list_head *unread, u32 *reported)
{
	unsigned long flags;
	bool closed;

	event->reported = reported;
	INIT_LIST_HEAD(&event->unread);

	spin_lock_irqsave(&queue->wait.lock, flags);
	closed = queue->closed;
	if (!closed) {
		list_add_tail(&event->queued, &queue->events);
		if (unread)
			list_add_tail(&event->unread, unread);
		wake_up_locked_poll(&queue->wait, EPOLLIN | EPOLLRDNORM);
	}
	spin_unlock_irqrestore(&queue->wait.lock, flags);

	if (closed)
		kfree(event);
	else
		kill_fasync(&queue->fasync, SIGIO, POLL_IN);
}

static bool readable(const struct uverbs_event_queue *queue)
{
	return queue->closed || !list_empty(&queue->events);
}

/**
 * uverbs_event_queue_first - the oldest record; wait for one
 * @queue: the queue
 * @nonblock: don't wait
 *
 * Context: Sleeps. The queue's lock is held; it's released to wait.
 * Return: the record, which stays in the queue; ERR_PTR of -EIO if the queue is closed, of -EAGAIN
 * if it is empty, of -ERESTARTSYS for a signal.
 */
struct uverbs_event *uverbs_event_queue_first(struct uverbs_event_queue *queue, bool nonblock)
{
	if (!readable(queue)) {
		if (nonblock)
			return ERR_PTR(-EAGAIN);
		if (wait_event_interruptible_locked_irq(queue->wait, readable(queue)))
			return ERR_PTR(-ERESTARTSYS);
	}
	return list_first_entry_or_null(&queue->events, struct uverbs_event, queued) ?:
	       ERR_PTR(-EIO);
}

static void unlink_event(struct uverbs_event *event)
{
	list_del(&event->queued);
	list_del(&event->unread);
}

/**
 * uverbs_event_reported - a record was read: count it, take it out
 * @event: from uverbs_event_queue_first(); it's the caller's to free
 *
 * Context: Atomic. The queue's lock has been held since the record was found.
 */
void uverbs_event_reported(struct uverbs_event *event)
{
	if (event->reported)
		++*event->reported;
	unlink_event(event);
}

/**
 * uverbs_event_queue_forget - the object of some records has been destroyed
 * @queue: the queue
 * @unread: the object's unread records; none are added any more
 *
 * Context: Sleeps.
 */
void uverbs_event_queue_forget(struct uverbs_event_queue *queue, struct list_head *unread)
{
	struct uverbs_event *event;

	do {
		spin_lock_irq(&queue->wait.lock);
		event = list_first_entry_or_null(unread, struct uverbs_event, unread);
		if (event)
			unlink_event(event);
		spin_unlock_irq(&queue->wait.lock);
		kfree(event);
	} while (event);
}

static struct uverbs_event *take_any(struct uverbs_event_queue *queue)
{
	struct uverbs_event *event;

	spin_lock_irq(&queue->wait.lock);
	event = list_first_entry_or_null(&queue->events, struct uverbs_event, queued);
	if (event)
		unlink_event(event);
	spin_unlock_irq(&queue->wait.lock);
	return event;
}

/**
 * uverbs_event_queue_close - no more events: free all, tell the readers
 * @queue: the queue
 *
 * Context: Sleeps.
 */
void uverbs_event_queue_close(struct uverbs_event_queue *queue)
{
	struct uverbs_event *event;

	spin_lock_irq(&queue->wait.lock);
	queue->closed = true;
	spin_unlock_irq(&queue->wait.lock);

	while ((event = take_any(queue)))
		kfree(event);

	wake_up_poll(&queue->wait, EPOLLERR);
	kill_fasync(&queue->fasync, SIGIO, POLL_IN);
}

/**
 * uverbs_event_queue_poll - what poll() says
 * @queue: the queue
 *
 * Context: Sleeps.
 * Return: readable, in error since it was closed, or neither.
 */
__poll_t uverbs_event_queue_poll(struct uverbs_event_queue *queue)
{
	__poll_t events = 0;

	spin_lock_irq(&queue->wait.lock);
	if (!list_empty(&queue->events))
		events = EPOLLIN | EPOLLRDNORM;
	else if (queue->closed)
		events = EPOLLERR;
	spin_unlock_irq(&queue->wait.lock);
	return events;
}
