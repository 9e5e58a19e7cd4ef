// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Event files as a process sees them, of both kinds: read() and poll(). */

#include <linux/pagemap.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "file.h"

/*
 * The record is in the queue until the process has it: if it can't be copied it isn't lost, and its
 * object can't be destroyed in between. So this mustn't sleep, and -EFAULT may just mean that a
 * page has to be fetched.
 */
static int read_record(struct uverbs_event_queue *queue, bool nonblock, char __user *buf,
		       size_t count, size_t size)
{
	struct uverbs_event *event;
	int ret = 0;

	spin_lock_irq(&queue->wait.lock);
	event = uverbs_event_queue_first(queue, nonblock);
	if (IS_ERR(event))
		ret = PTR_ERR(event);
	else if (count < size)
		ret = -EINVAL;
	else
		ret = copy_to_user_nofault(buf, &event->record, size);
	if (!ret)
		uverbs_event_reported(event);
	spin_unlock_irq(&queue->wait.lock);

	if (!ret)
		kfree(event);
	return ret;
}

/**
 * uverbs_event_read - read() of an event file
 * @queue: its queue
 * @filp: the file
 * @buf: the process's buffer
 * @count: its size
 * @size: that of the file's records
 *
 * Gives the process the oldest record, one at a time.
 *
 * Context: Sleeps.
 * Return: @size; -EINVAL if the buffer is smaller; -EFAULT if it isn't there; -EAGAIN if there is
 * nothing and O_NONBLOCK; -EIO if there is nothing and won't be; -ERESTARTSYS for a signal. With
 * any of them, the record is still the next one to be read.
 */
ssize_t uverbs_event_read(struct uverbs_event_queue *queue, struct file *filp, char __user *buf,
			  size_t count, size_t size)
{
	int ret;

	for (;;) {
		ret = read_record(queue, filp->f_flags & O_NONBLOCK, buf, count, size);
		if (ret != -EFAULT)
			return ret ?: size;
		if (fault_in_writeable(buf, size))
			return -EFAULT;
		if (signal_pending(current))
			return -ERESTARTSYS;
		cond_resched();
	}
}

/**
 * uverbs_event_poll - poll() of an event file
 * @queue: its queue
 * @filp: the file
 * @wait: poll()'s table
 *
 * Context: Sleeps.
 * Return: see uverbs_event_queue_poll().
 */
__poll_t uverbs_event_poll(struct uverbs_event_queue *queue, struct file *filp,
			   struct poll_table_struct *wait)
{
	poll_wait(filp, &queue->wait, wait);
	return uverbs_event_queue_poll(queue);
}
