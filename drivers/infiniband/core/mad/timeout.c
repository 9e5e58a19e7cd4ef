// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What is due when. An agent can have very many sends outstanding, so nothing here walks a list:
 * starting and stopping cost the logarithm of how many there are, looking what's first nothing.
 */

#include <linux/jiffies.h>

#include "mad.h"

void mad_timer_queue_init(struct mad_timer_queue *queue)
{
	queue->root = RB_ROOT_CACHED;
}

void mad_timer_init(struct mad_timer *timer)
{
	RB_CLEAR_NODE(&timer->node);
}

static bool earlier(struct rb_node *a, const struct rb_node *b)
{
	return time_before(rb_entry(a, struct mad_timer, node)->expires,
			   rb_entry(b, struct mad_timer, node)->expires);
}

/**
 * mad_timer_start - put a timer into a queue, or move it there
 * @queue: the queue
 * @timer: the timer
 * @expires: when it's due, jiffies
 *
 * Return: whether it's the first now, so that who waits for the first must look again.
 */
bool mad_timer_start(struct mad_timer_queue *queue, struct mad_timer *timer, unsigned long expires)
{
	mad_timer_stop(queue, timer);
	timer->expires = expires;
	rb_add_cached(&timer->node, &queue->root, earlier);
	return rb_first_cached(&queue->root) == &timer->node;
}

void mad_timer_stop(struct mad_timer_queue *queue, struct mad_timer *timer)
{
	if (RB_EMPTY_NODE(&timer->node))
		return;
	rb_erase_cached(&timer->node, &queue->root);
	RB_CLEAR_NODE(&timer->node);
}

struct mad_timer *mad_timer_first(const struct mad_timer_queue *queue)
{
	return rb_entry_safe(rb_first_cached(&queue->root), struct mad_timer, node);
}

/* The first timer, if it's due. It stays in the queue. */
struct mad_timer *mad_timer_due(const struct mad_timer_queue *queue, unsigned long now)
{
	struct mad_timer *timer = mad_timer_first(queue);

	return timer && time_after_eq(now, timer->expires) ? timer : NULL;
}
