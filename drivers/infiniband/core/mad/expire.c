// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Sends whose time has come, and sends whose agent goes. There can be a hundred thousand of them
 * at once, so they are dealt with in batches: the lock is held for one batch, then handlers run,
 * then others get their turn on the CPU and on the port's work queue.
 */

#include <linux/jiffies.h>
#include <linux/sched.h>

#include "mad.h"
#include "rmpp.h"

static bool can_retry(const struct mad_send *send)
{
	/* Once the peer has all segments, a lost answer can't be had by sending them again. */
	return send->state == MAD_SEND_WAITING && send->retries_left > 0 &&
	       !(mad_send_is_segmented(send) && rmpp_window_acked(&send->window));
}

/* Another try. One that can't be posted is one that got lost. */
static void retry(struct mad_send *send)
{
	send->retries_left--;
	send->buf.retries++;
	if (mad_send_is_segmented(send))
		rmpp_send_rewind(send);
	if (!mad_qp_post(send->qp, send))
		mad_send_event(send, MAD_EVENT_RESEND, IB_WC_SUCCESS, 0);
	else
		mad_send_wait(send);
}

static bool time_out(struct mad_send *send)
{
	if (!can_retry(send))
		return mad_send_event(send, MAD_EVENT_EXPIRE, IB_WC_RESP_TIMEOUT_ERR, 0);
	retry(send);
	return false;
}

static void finish_all(struct list_head *done)
{
	struct mad_send *send, *next;

	list_for_each_entry_safe(send, next, done, agent_node) {
		list_del_init(&send->agent_node);
		mad_send_finish(send);
	}
}

static void expire_sends(struct mad_agent *agent)
{
	struct mad_timer *timer;
	struct mad_send *send;
	LIST_HEAD(done);
	int n;

	spin_lock_irq(&agent->lock);
	for (n = 0; n < MAD_BATCH; n++) {
		timer = mad_timer_due(&agent->send_timers, jiffies);
		if (!timer)
			break;
		send = container_of(timer, struct mad_send, timer);
		if (time_out(send))
			list_add_tail(&send->agent_node, &done);
	}
	spin_unlock_irq(&agent->lock);
	finish_all(&done);
}

/* Work of an agent: one batch of what's due; if there is more, it's queued again, behind others. */
void mad_expire_work(struct work_struct *work)
{
	struct mad_agent *agent = container_of(to_delayed_work(work), struct mad_agent, expire);

	expire_sends(agent);
	rmpp_expire(agent);
	spin_lock_irq(&agent->lock);
	mad_agent_arm(agent);
	spin_unlock_irq(&agent->lock);
}

/* A send that merely waits is done at once; one that the send queue has must come back first. */
static bool cancel(struct mad_send *send)
{
	mad_send_event(send, MAD_EVENT_CANCEL, IB_WC_WR_FLUSH_ERR, 0);
	return send->state == MAD_SEND_CANCELED &&
	       mad_send_event(send, MAD_EVENT_EXPIRE, IB_WC_WR_FLUSH_ERR, 0);
}

static bool cancel_batch(struct mad_agent *agent, struct list_head *todo)
{
	struct mad_send *send = NULL;
	LIST_HEAD(done);
	int n;

	spin_lock_irq(&agent->lock);
	for (n = 0; n < MAD_BATCH; n++) {
		send = list_first_entry_or_null(todo, struct mad_send, agent_node);
		if (!send)
			break;
		list_move_tail(&send->agent_node, &agent->sends);
		if (cancel(send))
			list_add_tail(&send->agent_node, &done);
	}
	spin_unlock_irq(&agent->lock);
	finish_all(&done);
	return send;
}

/**
 * mad_cancel_all - cancel all sends of an agent
 * @agent: closing, so that none is added
 *
 * Handlers are called from here. Context: sleeps.
 */
void mad_cancel_all(struct mad_agent *agent)
{
	LIST_HEAD(todo);

	spin_lock_irq(&agent->lock);
	list_splice_init(&agent->sends, &todo);
	spin_unlock_irq(&agent->lock);
	while (cancel_batch(agent, &todo))
		cond_resched();
}
