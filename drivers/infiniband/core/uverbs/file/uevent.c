// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Events of user objects: from the driver's interrupt to the queue of an event file. They are told
 * apart by the object's user_handle. What there is no memory for is lost, as nobody can be told.
 */

#include <rdma/ib_verbs.h>

#include "file.h"

/**
 * uverbs_uevent_init - prepare an object for its asynchronous events
 * @uevent: the new object
 * @async_file: where they go, or NULL; the caller's reference is @uevent's now
 *
 * uverbs_uevent_release() undoes it, also for an object that the driver refuses.
 */
void uverbs_uevent_init(struct ib_uevent_object *uevent, struct uverbs_async_file *async_file)
{
	uevent->async_file = async_file;
	INIT_LIST_HEAD(&uevent->unread);
	uevent->events_reported = 0;
}

/**
 * uverbs_uevent_release - no more asynchronous events, unread ones are forgotten
 * @uevent: the object, which the driver has destroyed; events_reported is final afterwards
 *
 * Context: Sleeps.
 */
void uverbs_uevent_release(struct ib_uevent_object *uevent)
{
	if (!uevent->async_file)
		return;
	uverbs_event_queue_forget(&uevent->async_file->queue, &uevent->unread);
	uverbs_uobject_put(&uevent->async_file->uobj);
}

/**
 * uverbs_ucq_init - prepare a completion queue for its events
 * @ucq: the new object
 * @async_file: where the asynchronous ones go; as with uverbs_uevent_init()
 *
 * uverbs_ucq_release() undoes it, also for one that the driver refuses.
 */
void uverbs_ucq_init(struct ib_ucq_object *ucq, struct uverbs_async_file *async_file)
{
	INIT_LIST_HEAD(&ucq->comp_unread);
	ucq->comp_events_reported = 0;
	uverbs_uevent_init(&ucq->uevent, async_file);
}

/**
 * uverbs_ucq_release - no more events, unread ones are forgotten
 * @ucq: the object, whose completion queue the driver has destroyed; both numbers of reported
 *	events are final afterwards
 * @channel: its completion channel, whose reference is dropped, or NULL
 *
 * Context: Sleeps.
 */
void uverbs_ucq_release(struct ib_ucq_object *ucq, struct uverbs_comp_channel *channel)
{
	if (channel) {
		uverbs_event_queue_forget(&channel->queue, &ucq->comp_unread);
		uverbs_uobject_put(&channel->uobj);
	}
	uverbs_uevent_release(&ucq->uevent);
}

/**
 * uverbs_comp_handler - comp_handler of completion queues of processes
 * @cq: the completion queue
 * @channel: its cq_context: its completion channel, or NULL
 *
 * Context: Any.
 */
void uverbs_comp_handler(struct ib_cq *cq, void *channel)
{
	struct uverbs_comp_channel *comp_channel = channel;
	struct ib_ucq_object *ucq = cq->uobject;
	struct uverbs_event *event;

	if (!comp_channel)
		return;
	event = uverbs_event_new(ucq->uevent.uobject.user_handle, 0, GFP_ATOMIC);
	if (event)
		uverbs_event_queue_add(&comp_channel->queue, event, &ucq->comp_unread,
				       &ucq->comp_events_reported);
}

static void async_event(struct ib_uevent_object *uevent, enum ib_event_type event_type)
{
	struct uverbs_event *event;

	if (!uevent->async_file)
		return;
	event = uverbs_event_new(uevent->uobject.user_handle, event_type, GFP_ATOMIC);
	if (event)
		uverbs_event_queue_add(&uevent->async_file->queue, event, &uevent->unread,
				       &uevent->events_reported);
}

/**
 * uverbs_cq_event_handler - event_handler of completion queues of processes
 * @event: what happened
 * @context: unused
 *
 * Context: Any.
 */
void uverbs_cq_event_handler(struct ib_event *event, void *context)
{
	async_event(&event->element.cq->uobject->uevent, event->event);
}

/**
 * uverbs_qp_event_handler - event_handler of queue pairs of processes
 * @event: what happened
 * @context: unused
 *
 * A handle on an XRC target queue pair gets events before it has its object, and they are nobody's.
 *
 * Context: Any.
 */
void uverbs_qp_event_handler(struct ib_event *event, void *context)
{
	struct ib_uqp_object *uqp = event->element.qp->uobject;

	if (uqp)
		async_event(&uqp->uevent, event->event);
}

/**
 * uverbs_srq_event_handler - event_handler of shared receive queues of processes
 * @event: what happened
 * @context: unused
 *
 * Context: Any.
 */
void uverbs_srq_event_handler(struct ib_event *event, void *context)
{
	async_event(&event->element.srq->uobject->uevent, event->event);
}

/**
 * uverbs_wq_event_handler - event_handler of work queues of processes
 * @event: what happened
 * @context: unused
 *
 * Context: Any.
 */
void uverbs_wq_event_handler(struct ib_event *event, void *context)
{
	async_event(&event->element.wq->uobject->uevent, event->event);
}
