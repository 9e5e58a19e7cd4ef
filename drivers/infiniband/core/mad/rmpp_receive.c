// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * RMPP, the side that receives: segments become a message. Anybody can begin one, so their number
 * is limited, they are found in a tree, and what was begun and isn't completed is given up.
 *
 * A complete message is remembered for a while: if the sender lacks the last acknowledgment it
 * sends again, and must get another one, but the client not another message. A busy agent completes
 * thousands in that time; then the oldest are forgotten earlier, and nobody new is turned away.
 */

#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "rmpp.h"

#define RMPP_MAX_HDR	IB_MGMT_DEVICE_HDR

/* What makes two segments parts of the same message. */
struct rmpp_key {
	__be64 tid;
	u32 slid;
	u32 src_qp;
	u8 mgmt_class;
	u8 class_version;
	u8 method;
};

/**
 * struct rmpp_receive - a message that is being received, or was
 * @ref: held by the agent's tree, by whoever looks at it, and by each ACK until it was sent
 * @node: in mad_agent.rmpp_receives; empty once it was taken out
 * @remembered: in mad_agent.rmpp_remembered from completion on, as long as it's in the tree
 * @timer: in mad_agent.rmpp_timers as long as it's in the tree
 * @key: see above
 * @ah: the way to the sender
 * @peer: what ACKs are made of; @peer.hdr points to @hdr
 * @hdr: the headers of the first segment
 * @first: the first segment, which is the message; NULL once the client has it
 * @assembly: its segments. Guarded by the agent's lock
 * @reply_window: how many segments of a response the sender takes at once. Guarded likewise
 * @slots: of @assembly
 */
struct rmpp_receive {
	struct kref ref;
	struct rb_node node;
	struct list_head remembered;
	struct mad_timer timer;
	struct rmpp_key key;
	struct ib_ah *ah;
	struct rmpp_peer peer;
	u8 hdr[RMPP_MAX_HDR] __aligned(8);
	struct ib_mad_recv_wc *first;
	struct rmpp_assembly assembly;
	u32 reply_window;
	struct ib_mad_recv_buf *slots[];
};

/* ---- the tree ---- */

static struct rmpp_key key_of(const struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_mad_hdr *hdr = &recv_wc->recv_buf.mad->mad_hdr;

	return (struct rmpp_key) {
		.tid = hdr->tid,
		.slid = recv_wc->wc->slid,
		.src_qp = recv_wc->wc->src_qp,
		.mgmt_class = hdr->mgmt_class,
		.class_version = hdr->class_version,
		.method = hdr->method,
	};
}

/* Without @src_qp and @method, which come last in the order. */
static int compare_transactions(const struct rmpp_key *a, const struct rmpp_key *b)
{
	if (a->tid != b->tid)
		return (__force u64)a->tid < (__force u64)b->tid ? -1 : 1;
	if (a->slid != b->slid)
		return a->slid < b->slid ? -1 : 1;
	if (a->mgmt_class != b->mgmt_class)
		return a->mgmt_class - b->mgmt_class;
	return a->class_version - b->class_version;
}

static int compare_keys(const struct rmpp_key *a, const struct rmpp_key *b)
{
	int order = compare_transactions(a, b);

	if (order)
		return order;
	if (a->src_qp != b->src_qp)
		return a->src_qp < b->src_qp ? -1 : 1;
	return a->method - b->method;
}

static const struct rmpp_key *key_at(const struct rb_node *node)
{
	return &rb_entry(node, struct rmpp_receive, node)->key;
}

static int compare(const void *key, const struct rb_node *node)
{
	return compare_keys(key, key_at(node));
}

static int compare_transaction(const void *key, const struct rb_node *node)
{
	return compare_transactions(key, key_at(node));
}

static int compare_nodes(struct rb_node *a, const struct rb_node *b)
{
	return compare_keys(key_at(a), key_at(b));
}

static struct rmpp_receive *find(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc)
{
	struct rmpp_key key = key_of(recv_wc);

	return rb_entry_safe(rb_find(&key, &agent->rmpp_receives, compare), struct rmpp_receive,
			     node);
}

static void start_timer(struct mad_agent *agent, struct rmpp_receive *receive, unsigned int ms)
{
	if (mad_timer_start(&agent->rmpp_timers, &receive->timer, jiffies + msecs_to_jiffies(ms)))
		mad_agent_arm(agent);
}

static bool insert(struct mad_agent *agent, struct rmpp_receive *receive)
{
	if (agent->closing || agent->rmpp_receive_count >= RMPP_MAX_RECEIVES ||
	    rb_find_add(&receive->node, &agent->rmpp_receives, compare_nodes))
		return false;
	agent->rmpp_receive_count++;
	kref_get(&receive->ref);
	start_timer(agent, receive, RMPP_RECEIVE_TIMEOUT_MS);
	return true;
}

/* Takes it out of the tree; the caller gets the tree's reference. */
static void take_out(struct mad_agent *agent, struct rmpp_receive *receive)
{
	rb_erase(&receive->node, &agent->rmpp_receives);
	RB_CLEAR_NODE(&receive->node);
	mad_timer_stop(&agent->rmpp_timers, &receive->timer);
	if (list_empty(&receive->remembered)) {
		agent->rmpp_receive_count--;
	} else {
		list_del_init(&receive->remembered);
		agent->rmpp_remembered_count--;
	}
}

static void remember(struct mad_agent *agent, struct rmpp_receive *receive)
{
	agent->rmpp_receive_count--;
	list_add_tail(&receive->remembered, &agent->rmpp_remembered);
	agent->rmpp_remembered_count++;
	start_timer(agent, receive, RMPP_REMEMBER_MS);
}

/* ---- beginning and end ---- */

static void release(struct kref *ref)
{
	struct rmpp_receive *receive = container_of(ref, struct rmpp_receive, ref);
	u32 i;

	/* Segments that came before their turn, and now never get it. */
	for (i = 0; i < receive->assembly.size; i++)
		if (receive->slots[i])
			ib_free_recv_mad(container_of(receive->slots[i], struct ib_mad_recv_wc,
						      recv_buf));
	if (receive->first)
		ib_free_recv_mad(receive->first);
	rdma_destroy_ah(receive->ah, RDMA_DESTROY_AH_SLEEPABLE);
	kfree(receive);
}

/* Context: sleeps. */
static void put(struct rmpp_receive *receive)
{
	kref_put(&receive->ref, release);
}

static struct rmpp_receive *create(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	u32 window = max(mad_recv_queue_size / 8, 1);
	struct rmpp_receive *receive;

	receive = kzalloc(struct_size(receive, slots, window), GFP_KERNEL);
	if (!receive)
		return NULL;
	receive->ah = ib_create_ah_from_wc(agent->agent.qp->pd, recv_wc->wc,
					   recv_wc->recv_buf.grh, agent->agent.port_num);
	if (IS_ERR(receive->ah)) {
		kfree(receive);
		return NULL;
	}

	kref_init(&receive->ref);
	INIT_LIST_HEAD(&receive->remembered);
	mad_timer_init(&receive->timer);
	receive->key = key_of(recv_wc);
	memcpy(receive->hdr, recv_wc->recv_buf.mad, sizeof(receive->hdr));
	receive->peer.hdr = (const struct ib_rmpp_mad *)receive->hdr;
	receive->peer.src_qp = recv_wc->wc->src_qp;
	receive->peer.pkey_index = recv_wc->wc->pkey_index;
	receive->assembly.size = window;
	receive->assembly.slots = receive->slots;
	receive->reply_window = 1;
	return receive;
}

/* ---- segments ---- */

static void ack_sent(struct mad_send *reply)
{
	put(reply->internal_context);
	ib_free_send_mad(&reply->buf);
}

/* Tells the sender what has come in order. */
static void acknowledge(struct mad_agent *agent, struct rmpp_receive *receive)
{
	u32 received, limit;

	spin_lock_irq(&agent->lock);
	received = receive->assembly.received;
	limit = receive->assembly.limit;
	receive->assembly.acked = received;
	spin_unlock_irq(&agent->lock);

	kref_get(&receive->ref);
	if (!rmpp_ack(agent, &receive->peer, receive->ah, received, limit, ack_sent, receive))
		put(receive);
}

/* The message is the client's now. Caller holds the agent's lock, @receive is in the tree. */
static struct ib_mad_recv_wc *hand_over(struct mad_agent *agent, struct rmpp_receive *receive)
{
	struct ib_mad_recv_wc *message = receive->first;

	receive->first = NULL;
	message->mad_len = rmpp_message_len(receive->key.mgmt_class, receive->assembly.received,
					    receive->assembly.last_paylen);
	remember(agent, receive);
	return message;
}

/* Room for the next one. */
static void forget_oldest(struct mad_agent *agent)
{
	struct rmpp_receive *oldest = NULL;

	spin_lock_irq(&agent->lock);
	if (agent->rmpp_remembered_count > RMPP_MAX_REMEMBERED) {
		oldest = list_first_entry(&agent->rmpp_remembered, struct rmpp_receive,
					  remembered);
		take_out(agent, oldest);
	}
	spin_unlock_irq(&agent->lock);
	if (oldest)
		put(oldest);
}

static void give_up(struct mad_agent *agent, struct rmpp_receive *receive)
{
	bool found;

	spin_lock_irq(&agent->lock);
	found = !RB_EMPTY_NODE(&receive->node);
	if (found)
		take_out(agent, receive);
	spin_unlock_irq(&agent->lock);
	if (found)
		put(receive);
}

static struct ib_mad_recv_wc *receive_first(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc,
					    struct rmpp_receive *receive)
{
	struct ib_mad_recv_wc *message = NULL;
	bool inserted;

	spin_lock_irq(&agent->lock);
	inserted = insert(agent, receive);
	if (inserted) {
		receive->first = recv_wc;
		INIT_LIST_HEAD(&recv_wc->rmpp_list);
		if (rmpp_assembly_start(&receive->assembly, &recv_wc->rmpp_list,
					&recv_wc->recv_buf) == RMPP_ARRIVAL_COMPLETE)
			message = hand_over(agent, receive);
	}
	spin_unlock_irq(&agent->lock);

	if (inserted)
		acknowledge(agent, receive);
	else
		ib_free_recv_mad(recv_wc);
	return message;
}

static struct ib_mad_recv_wc *receive_next(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc,
					   struct rmpp_receive *receive)
{
	struct ib_mad_recv_wc *message = NULL;
	enum rmpp_arrival arrival = RMPP_ARRIVAL_DROP;

	spin_lock_irq(&agent->lock);
	if (!RB_EMPTY_NODE(&receive->node))	/* it wasn't given up meanwhile */
		arrival = rmpp_assembly_add(&receive->assembly, &recv_wc->recv_buf);
	if (arrival == RMPP_ARRIVAL_COMPLETE)
		message = hand_over(agent, receive);
	spin_unlock_irq(&agent->lock);

	switch (arrival) {
	case RMPP_ARRIVAL_KEPT:
		break;
	case RMPP_ARRIVAL_ACKNOWLEDGE:
	case RMPP_ARRIVAL_COMPLETE:
		acknowledge(agent, receive);
		break;
	case RMPP_ARRIVAL_REPEATED:
		acknowledge(agent, receive);
		ib_free_recv_mad(recv_wc);
		break;
	case RMPP_ARRIVAL_TOO_MANY:
		rmpp_abort_peer(agent, recv_wc, IB_MGMT_RMPP_STATUS_UNSPEC);
		give_up(agent, receive);
		ib_free_recv_mad(recv_wc);
		break;
	case RMPP_ARRIVAL_DROP:
		ib_free_recv_mad(recv_wc);
		break;
	}
	return message;
}

static struct rmpp_receive *find_get(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc)
{
	struct rmpp_receive *receive;

	spin_lock_irq(&agent->lock);
	receive = find(agent, recv_wc);
	if (receive)
		kref_get(&receive->ref);
	spin_unlock_irq(&agent->lock);
	return receive;
}

static struct ib_mad_recv_wc *receive_segment(struct mad_agent *agent,
					      struct ib_mad_recv_wc *recv_wc, bool is_first)
{
	struct rmpp_receive *receive = find_get(agent, recv_wc);
	struct ib_mad_recv_wc *message = NULL;

	if (receive) {
		message = receive_next(agent, recv_wc, receive);
		goto out;
	}
	receive = is_first ? create(agent, recv_wc) : NULL;
	if (!receive) {
		ib_free_recv_mad(recv_wc);
		return NULL;
	}
	message = receive_first(agent, recv_wc, receive);
out:
	put(receive);
	if (message)
		forget_oldest(agent);
	return message;
}

/* A response that nobody has asked for isn't worth collecting. */
static bool is_wanted(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc)
{
	bool wanted = true;

	if (ib_response_mad(&recv_wc->recv_buf.mad->mad_hdr)) {
		spin_lock_irq(&agent->lock);
		wanted = mad_send_answered_by(agent, recv_wc);
		spin_unlock_irq(&agent->lock);
	}
	return wanted;
}

static u8 check_segment(const struct ib_rmpp_mad *mad, bool is_first)
{
	bool says_first = mad->rmpp_hdr.rmpp_rtime_flags & IB_MGMT_RMPP_FLAG_FIRST;

	if (mad->rmpp_hdr.rmpp_status)
		return IB_MGMT_RMPP_STATUS_BAD_STATUS;
	return is_first == says_first ? 0 : IB_MGMT_RMPP_STATUS_BAD_SEG;
}

/**
 * rmpp_receive_data - take a DATA segment
 * @agent: whom it's for
 * @recv_wc: the segment; consumed
 *
 * Context: process.
 *
 * Return: the whole message if this was what it lacked, or NULL.
 */
struct ib_mad_recv_wc *rmpp_receive_data(struct mad_agent *agent, struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_rmpp_mad *mad = rmpp_mad_of(recv_wc);
	bool is_first = mad->rmpp_hdr.seg_num == cpu_to_be32(1);
	u8 status;

	if (!is_wanted(agent, recv_wc)) {
		ib_free_recv_mad(recv_wc);
		return NULL;
	}
	status = check_segment(mad, is_first);
	if (status) {
		rmpp_abort_peer(agent, recv_wc, status);
		ib_free_recv_mad(recv_wc);
		return NULL;
	}
	return receive_segment(agent, recv_wc, is_first);
}

/* ---- long requests with long responses ---- */

/* The sender of a request says how much of the response it takes. Caller holds the agent's lock. */
void rmpp_receive_peer_ack(struct mad_agent *agent, const struct ib_mad_recv_wc *recv_wc,
			   u32 limit)
{
	struct rmpp_receive *receive = find(agent, recv_wc);

	if (receive && receive->assembly.complete)
		receive->reply_window = limit;
}

/**
 * rmpp_reply_window - how many segments of a response may be sent at once
 * @agent: who sends it; the caller holds its lock
 * @hdr: the response
 * @dlid: where it goes
 *
 * Return: what the sender of the request has said, or 1.
 */
u32 rmpp_reply_window(struct mad_agent *agent, const struct ib_mad_hdr *hdr, u32 dlid)
{
	struct rmpp_key key = {
		.tid = hdr->tid,
		.slid = dlid,
		.mgmt_class = hdr->mgmt_class,
		.class_version = hdr->class_version,
	};
	struct rmpp_receive *receive;
	struct rb_node *node;

	for (node = rb_find_first(&key, &agent->rmpp_receives, compare_transaction); node;
	     node = rb_next_match(&key, node, compare_transaction)) {
		receive = rb_entry(node, struct rmpp_receive, node);
		if (!(receive->key.method & IB_MGMT_METHOD_RESP))
			return receive->reply_window;
	}
	return 1;
}

/* ---- time ---- */

static struct rmpp_receive *take_due(struct mad_agent *agent)
{
	struct rmpp_receive *receive = NULL;
	struct mad_timer *timer;

	spin_lock_irq(&agent->lock);
	timer = mad_timer_due(&agent->rmpp_timers, jiffies);
	if (timer) {
		receive = container_of(timer, struct rmpp_receive, timer);
		take_out(agent, receive);
	}
	spin_unlock_irq(&agent->lock);
	return receive;
}

/* Forgets complete messages, gives up incomplete ones; a batch of them. Context: sleeps. */
void rmpp_expire(struct mad_agent *agent)
{
	struct rmpp_receive *receive;
	int n;

	for (n = 0; n < MAD_BATCH; n++) {
		receive = take_due(agent);
		if (!receive)
			return;
		/* Out of the tree, nobody completes it any more. */
		if (receive->first)
			rmpp_abort_peer(agent, receive->first, IB_MGMT_RMPP_STATUS_T2L);
		put(receive);
	}
}

static struct rmpp_receive *take_any(struct mad_agent *agent)
{
	struct rmpp_receive *receive;

	spin_lock_irq(&agent->lock);
	receive = rb_entry_safe(rb_first(&agent->rmpp_receives), struct rmpp_receive, node);
	if (receive)
		take_out(agent, receive);
	spin_unlock_irq(&agent->lock);
	return receive;
}

/* Ends all, when the agent is closing, so that none is added. Context: sleeps. */
void rmpp_receive_end(struct mad_agent *agent)
{
	struct rmpp_receive *receive;

	while ((receive = take_any(agent)))
		put(receive);
}
