// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Who waits for what. Many may wait, and most of what happens is waited for by nobody, or by a few;
 * these are found without looking at the others.
 */

#include "addr.h"

static int by_key(const void *key, const struct rb_node *node)
{
	const struct addr_wait *wait = rb_entry(node, struct addr_wait, node);
	unsigned long wanted = *(const unsigned long *)key;

	if (wanted == wait->key)
		return 0;
	return wanted < wait->key ? -1 : 1;
}

static bool less(struct rb_node *node, const struct rb_node *other)
{
	return by_key(&rb_entry(node, struct addr_wait, node)->key, other) < 0;
}

/**
 * addr_wait_begin - begin to wait
 * @waiters: among whom
 * @wait: a wait that is over, or never was
 * @key: for what
 * @wake: called once when it happens, maybe before this function returns
 *
 * Context: Process or softirq.
 */
void addr_wait_begin(struct addr_waiters *waiters, struct addr_wait *wait, unsigned long key,
		     addr_wake_fn wake)
{
	wait->among = waiters;
	wait->key = key;
	wait->wake = wake;
	spin_lock_bh(&waiters->lock);
	rb_add(&wait->node, &waiters->waits, less);
	spin_unlock_bh(&waiters->lock);
}

static void remove(struct addr_waiters *waiters, struct addr_wait *wait)
{
	rb_erase(&wait->node, &waiters->waits);
	RB_CLEAR_NODE(&wait->node);
}

/**
 * addr_wait_end - don't wait any more
 * @wait: a wait, also one that is over or never was
 *
 * On return its wake function isn't running, and won't be called.
 *
 * Context: Process or softirq; not from a wake function.
 */
void addr_wait_end(struct addr_wait *wait)
{
	struct addr_waiters *waiters = wait->among;

	if (!waiters)
		return;
	spin_lock_bh(&waiters->lock);
	if (!RB_EMPTY_NODE(&wait->node))
		remove(waiters, wait);
	spin_unlock_bh(&waiters->lock);
}

/**
 * addr_wake - end the waits for something that has happened
 * @waiters: among whom
 * @key: what has happened
 * @news: passed to the wake functions
 *
 * Context: Process or softirq.
 * Return: how many waited for it.
 */
unsigned int addr_wake(struct addr_waiters *waiters, unsigned long key, const void *news)
{
	unsigned int woken = 0;
	struct addr_wait *wait;
	struct rb_node *node;

	spin_lock_bh(&waiters->lock);
	while ((node = rb_find(&key, &waiters->waits, by_key))) {
		wait = rb_entry(node, struct addr_wait, node);
		remove(waiters, wait);
		wait->wake(wait, news);
		woken++;
	}
	spin_unlock_bh(&waiters->lock);
	return woken;
}
