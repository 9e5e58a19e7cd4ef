// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Asynchronous events that concern a port or a device (IBTA 11.6.3). */

#include <linux/slab.h>
#include <linux/workqueue.h>

#include "device.h"

struct event_work {
	struct work_struct work;
	struct ib_event event;
};

/**
 * ib_register_event_handler - be told of a device's events
 * @handler: initialized with INIT_IB_EVENT_HANDLER(). Called in process context; it may sleep, but
 *	may not register or unregister handlers.
 *
 * Context: Sleeps.
 */
void ib_register_event_handler(struct ib_event_handler *handler)
{
	struct ib_device *device = handler->device;

	down_write(&device->event_handler_rwsem);
	list_add_tail(&handler->list, &device->event_handler_list);
	up_write(&device->event_handler_rwsem);
}
EXPORT_SYMBOL(ib_register_event_handler);

/**
 * ib_unregister_event_handler - be told no more
 * @handler: the handler, which doesn't run any more on return
 *
 * Context: Sleeps.
 */
void ib_unregister_event_handler(struct ib_event_handler *handler)
{
	struct ib_device *device = handler->device;

	down_write(&device->event_handler_rwsem);
	list_del(&handler->list);
	up_write(&device->event_handler_rwsem);
}
EXPORT_SYMBOL(ib_unregister_event_handler);

/**
 * rdma_call_event_handlers - tell a device's handlers of an event, in the order of registration
 * @event: the event
 *
 * Context: Sleeps.
 */
void rdma_call_event_handlers(struct ib_event *event)
{
	struct ib_device *device = event->device;
	struct ib_event_handler *handler;

	/* Held during the calls, so that who unregisters waits for them. */
	down_read(&device->event_handler_rwsem);
	list_for_each_entry(handler, &device->event_handler_list, list)
		handler->handler(handler, event);
	up_read(&device->event_handler_rwsem);
}

/*
 * Handlers look into the caches, so these come first; what they couldn't read, nobody is told of.
 * GID_CHANGE is for the caches alone: they tell of each GID that changes.
 */
static void handle_event(struct work_struct *work)
{
	struct event_work *event_work = container_of(work, struct event_work, work);
	struct ib_event *event = &event_work->event;

	if (!rdma_cache_refresh(event) && event->event != IB_EVENT_GID_CHANGE)
		rdma_call_event_handlers(event);
	kfree(event_work);
}

/**
 * ib_dispatch_event - tell all who are interested of an event
 * @event: the event, from a device that is registered (or about to be); copied
 *
 * Handled later, on ib_wq, where several may be handled at the same time: their order isn't kept.
 * Without memory the event is lost.
 *
 * Context: Any.
 */
void ib_dispatch_event(const struct ib_event *event)
{
	struct event_work *event_work = kmalloc(sizeof(*event_work), GFP_ATOMIC);

	if (!event_work)
		return;
	INIT_WORK(&event_work->work, handle_event);
	event_work->event = *event;
	queue_work(ib_wq, &event_work->work);
}
EXPORT_SYMBOL(ib_dispatch_event);
