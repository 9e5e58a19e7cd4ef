/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ib_mad: management datagrams (MADs) on the special QPs of each port. See
 * Documentation/infiniband/mad.rst.
 *
 * Objects and who keeps them alive:
 *
 *  mad_port	from the client's add to its remove. Its agents are gone before it is: those who
 *		have them are clients that came later, and are removed earlier.
 *  mad_agent	referenced by its registration, by each send buffer made with it, and by each MAD
 *		that is being given to it.
 *		ib_unregister_mad_agent() waits for all of them; the memory goes a grace period
 *		later, since responses are looked up under RCU.
 *  mad_send	the client's, from ib_create_send_mad() to ib_free_send_mad(); between
 *		ib_post_send_mad() and its completion handler it is ours.
 *  mad_recv	on the receive queue, then with whoever handles it, then the client's until
 *		ib_free_recv_mad().
 *  rmpp_receive  see rmpp_receive.c.
 *
 * Locks, outermost first: mad_agent.lock, then mad_qp.send_lock. mad_registry.lock and
 * mad_qp.recv_lock are taken alone. All may be taken from any context. No handler is called with
 * a lock held.
 */
#ifndef RDMA_MAD_MAD_H
#define RDMA_MAD_MAD_H

#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include <rdma/ib_verbs.h>

struct mad_agent;
struct mad_port;
struct mad_recv;
struct mad_send;

/* ---- timeout.c: what is due when, pure ---- */

/**
 * struct mad_timer - a point in time, in a queue or not
 * @node: in mad_timer_queue.root; empty if it isn't queued
 * @expires: jiffies
 */
struct mad_timer {
	struct rb_node node;
	unsigned long expires;
};

/* Timers in the order of their time, those of the same time in the order of their coming. */
struct mad_timer_queue {
	struct rb_root_cached root;
};

void mad_timer_queue_init(struct mad_timer_queue *queue);
void mad_timer_init(struct mad_timer *timer);
bool mad_timer_start(struct mad_timer_queue *queue, struct mad_timer *timer, unsigned long expires);
void mad_timer_stop(struct mad_timer_queue *queue, struct mad_timer *timer);
struct mad_timer *mad_timer_first(const struct mad_timer_queue *queue);
struct mad_timer *mad_timer_due(const struct mad_timer_queue *queue, unsigned long now);

/* ---- send_state.c: the life of a send, pure ---- */

/**
 * enum mad_send_state - where a send stands
 * @MAD_SEND_IDLE: the client's, never posted
 * @MAD_SEND_POSTED: on the send queue, or waiting for room there
 * @MAD_SEND_WAITING: sent; an answer or the timer decides
 * @MAD_SEND_ANSWERING_POSTED: the answer came before the send queue was done, and is being given
 *	to the client
 * @MAD_SEND_ANSWERING: the answer is being given to the client
 * @MAD_SEND_DECIDED_POSTED: the outcome is known, but the send queue still has the buffer
 * @MAD_SEND_CANCELED: completes, with the next run of the timer
 * @MAD_SEND_LOCAL: a directed-route MAD for this port itself, which never gets to a queue
 * @MAD_SEND_DONE: completed; the client's again
 * @MAD_SEND_STATES: how many there are
 */
enum mad_send_state {
	MAD_SEND_IDLE,
	MAD_SEND_POSTED,
	MAD_SEND_WAITING,
	MAD_SEND_ANSWERING_POSTED,
	MAD_SEND_ANSWERING,
	MAD_SEND_DECIDED_POSTED,
	MAD_SEND_CANCELED,
	MAD_SEND_LOCAL,
	MAD_SEND_DONE,
	MAD_SEND_STATES
};

/**
 * enum mad_send_event - what happens to a send
 * @MAD_EVENT_POST: it goes to the send queue for the first time
 * @MAD_EVENT_POST_LOCAL: it doesn't need the send queue
 * @MAD_EVENT_RESEND: it goes to the send queue again: another try, or the next segment
 * @MAD_EVENT_SENT: the send queue is done with it, and that's all that it needed
 * @MAD_EVENT_SENT_AWAITS: the send queue is done with it, an answer must follow
 * @MAD_EVENT_SEND_ERROR: the send queue failed
 * @MAD_EVENT_ANSWER: the answer was received
 * @MAD_EVENT_HANDLED: the client has seen the answer
 * @MAD_EVENT_ACKED: the peer has all RMPP segments, and there's no answer but that
 * @MAD_EVENT_ABORT: the peer, or a protocol error of it, ends the transfer
 * @MAD_EVENT_CANCEL: the client, or its end
 * @MAD_EVENT_EXPIRE: the timer ran out, and there are no tries left
 * @MAD_SEND_EVENTS: how many there are
 */
enum mad_send_event {
	MAD_EVENT_POST,
	MAD_EVENT_POST_LOCAL,
	MAD_EVENT_RESEND,
	MAD_EVENT_SENT,
	MAD_EVENT_SENT_AWAITS,
	MAD_EVENT_SEND_ERROR,
	MAD_EVENT_ANSWER,
	MAD_EVENT_HANDLED,
	MAD_EVENT_ACKED,
	MAD_EVENT_ABORT,
	MAD_EVENT_CANCEL,
	MAD_EVENT_EXPIRE,
	MAD_SEND_EVENTS
};

/**
 * struct mad_transition - what an event does to a send
 * @next: the state after it
 * @valid: the event can happen in that state
 * @decides: the event settles with which status the send completes
 */
struct mad_transition {
	enum mad_send_state next;
	bool valid;
	bool decides;
};

struct mad_transition mad_send_transition(enum mad_send_state state, enum mad_send_event event);
bool mad_send_open(enum mad_send_state state);

/* ---- match.c: which send an incoming MAD answers, pure ---- */

/**
 * struct mad_route - how a MAD travels, as this port sees it
 * @response: it's a response
 * @grh: it has a global routing header
 * @remote_lid: the other side's LID
 * @path_bits: the low bits of this side's LID
 * @local_gid: if @grh, this side's GID
 * @remote_gid: if @grh, the other side's GID
 */
struct mad_route {
	bool response;
	bool grh;
	u32 remote_lid;
	u8 path_bits;
	union ib_gid local_gid;
	union ib_gid remote_gid;
};

bool mad_routes_match(const struct mad_route *sent, const struct mad_route *received, u8 lmc);

typedef bool (*mad_match_fn)(const struct mad_send *send, const void *context);

void mad_match_insert(struct rb_root *root, struct mad_send *send);
void mad_match_remove(struct rb_root *root, struct mad_send *send);
struct mad_send *mad_match_find(const struct rb_root *root, __be64 tid, u8 mgmt_class,
				mad_match_fn fits, const void *context);

/* ---- registration.c: which agent a request is for, pure ---- */

/* Classes and versions from here on can't be registered, but for the directed-route class. */
#define MAD_CLASS_LIMIT		80
#define MAD_VERSION_LIMIT	0x83

/**
 * struct mad_registry - the classes and methods that a port's agents asked for
 * @lock: guards all of it
 * @classes: of struct mad_class, by version, class and OUI
 */
struct mad_registry {
	spinlock_t lock; /* see above */
	struct rb_root classes;
};

void mad_registry_init(struct mad_registry *registry);
int mad_registration_check(const struct ib_mad_reg_req *req, enum ib_qp_type qp_type,
			   u8 rmpp_version);
int mad_registry_add(struct mad_registry *registry, const struct ib_mad_reg_req *req,
		     struct mad_agent *agent);
void mad_registry_remove(struct mad_registry *registry, const struct ib_mad_reg_req *req,
			 struct mad_agent *agent);
struct mad_agent *mad_registry_find(const struct mad_registry *registry,
				    const struct ib_mad_hdr *hdr);

/* ---- class.c: what management classes have in common, pure ---- */

bool mad_is_vendor_class(u8 mgmt_class);
bool mad_is_sm_class(u8 mgmt_class);
bool mad_acceptable(const struct ib_mad_hdr *hdr, bool smi);
bool mad_make_unsupported(struct ib_mad *reply, const struct ib_mad *request);

/* ---- smi.c: directed routes, pure ---- */

bool mad_smi_send(struct ib_smp *smp, u32 port_num);
bool mad_smi_receive(struct ib_smp *smp, u32 port_num);
bool mad_smi_is_local(const struct ib_smp *smp);

/* ---- rmpp_window.c: segment arithmetic of both sides, pure ---- */

/**
 * struct rmpp_window - what a sender may send
 * @segments: of the whole message
 * @sent: the segment that was sent last
 * @acked: the peer has all segments up to this one
 * @limit: the peer has room up to this one
 */
struct rmpp_window {
	u32 segments;
	u32 sent;
	u32 acked;
	u32 limit;
};

/**
 * enum rmpp_ack - what an ACK means to the sender
 * @RMPP_ACK_STALE: nothing new
 * @RMPP_ACK_PROGRESS: the window was moved
 * @RMPP_ACK_COMPLETE: the peer has everything
 * @RMPP_ACK_BEYOND: it acknowledges what was never sent: status S2B
 */
enum rmpp_ack {
	RMPP_ACK_STALE,
	RMPP_ACK_PROGRESS,
	RMPP_ACK_COMPLETE,
	RMPP_ACK_BEYOND,
};

/**
 * struct rmpp_segment - what the header of a DATA segment says
 * @flags: IB_MGMT_RMPP_FLAG_*
 * @paylen: its payload length field
 */
struct rmpp_segment {
	u8 flags;
	u32 paylen;
};

bool rmpp_window_open(const struct rmpp_window *window);
bool rmpp_window_acked(const struct rmpp_window *window);
void rmpp_window_rewind(struct rmpp_window *window);
enum rmpp_ack rmpp_window_ack(struct rmpp_window *window, u32 segment, u32 limit);
struct rmpp_segment rmpp_segment(const struct rmpp_window *window, u32 segment, u32 pad);
int rmpp_pad(int hdr_len, int data_len);
int rmpp_message_len(u8 mgmt_class, u32 segments, u32 last_paylen);

#define RMPP_MAX_SEGMENTS	BIT(20)		/* of a message: 200 Mbyte of SA records */

/**
 * struct rmpp_assembly - the segments of a message that is being received
 * @list: those in order, linked by ib_mad_recv_buf.list; the head is the client's rmpp_list
 * @received: all segments up to this one are in @list
 * @acked: the last one that was acknowledged
 * @limit: the sender may send up to this one
 * @complete: the last segment is in @list
 * @last_paylen: its payload length field
 * @size: of @slots: how far @limit may be ahead of @received
 * @slots: segments that came before their turn, by number modulo @size
 */
struct rmpp_assembly {
	struct list_head *list;
	u32 received;
	u32 acked;
	u32 limit;
	bool complete;
	u32 last_paylen;
	u32 size;
	struct ib_mad_recv_buf **slots;
};

/**
 * enum rmpp_arrival - what is to be done about a segment
 * @RMPP_ARRIVAL_DROP: it's not wanted; free it
 * @RMPP_ARRIVAL_REPEATED: the sender lacks an acknowledgment; acknowledge again, free it
 * @RMPP_ARRIVAL_KEPT: it's in the assembly
 * @RMPP_ARRIVAL_ACKNOWLEDGE: it's in the assembly, and the window has moved
 * @RMPP_ARRIVAL_COMPLETE: it's in the assembly, and was the last that was missing
 * @RMPP_ARRIVAL_TOO_MANY: the message is longer than we take
 */
enum rmpp_arrival {
	RMPP_ARRIVAL_DROP,
	RMPP_ARRIVAL_REPEATED,
	RMPP_ARRIVAL_KEPT,
	RMPP_ARRIVAL_ACKNOWLEDGE,
	RMPP_ARRIVAL_COMPLETE,
	RMPP_ARRIVAL_TOO_MANY,
};

enum rmpp_arrival rmpp_assembly_start(struct rmpp_assembly *assembly, struct list_head *list,
				      struct ib_mad_recv_buf *first);
enum rmpp_arrival rmpp_assembly_add(struct rmpp_assembly *assembly,
				    struct ib_mad_recv_buf *segment);

/* ---- port.c ---- */

/**
 * struct mad_qp - a special QP of a port
 * @port: its port
 * @qp: NULL if the port has none of this kind
 * @replier: sends the answers that are made here: to queries of the SMA and PMA
 * @send_lock: guards @posted, @overflow and @posted_count
 * @posted: of struct mad_send: on the send queue
 * @overflow: of struct mad_send: accepted, the send queue is full
 * @posted_count: length of @posted
 * @recv_lock: guards @receives and @receive_count
 * @receives: of struct mad_recv: on the receive queue
 * @receive_count: length of @receives, and of what is about to be added to it
 * @refill: posts receives later, when that has failed
 */
struct mad_qp {
	struct mad_port *port;
	struct ib_qp *qp;
	struct mad_agent *replier;
	spinlock_t send_lock; /* see above */
	struct list_head posted;
	struct list_head overflow;
	unsigned int posted_count;
	spinlock_t recv_lock; /* see above */
	struct list_head receives;
	unsigned int receive_count;
	struct delayed_work refill;
};

/**
 * struct mad_port - a port that has MADs
 * @device: its device
 * @port_num: its number
 * @pd: of both QPs
 * @cq: of both QPs, both directions; its worker calls most handlers
 * @wq: ordered: time-outs, and what is answered without a packet
 * @registry: who gets which requests
 * @qps: QP0 and QP1
 * @receivers: receive completions under way, plus one while the port is open: a completion that
 *	finds it at 0 leaves the buffer alone
 * @quiet: no receive completion is under way, none will begin
 */
struct mad_port {
	struct ib_device *device;
	u32 port_num;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct workqueue_struct *wq;
	struct mad_registry registry;
	struct mad_qp qps[2];
	refcount_t receivers;
	struct completion quiet;
};

extern int mad_send_queue_size;
extern int mad_recv_queue_size;

extern struct ib_client mad_client;

struct mad_port *mad_port_open(struct ib_device *device, u32 port_num);
void mad_port_close(struct mad_port *port);
struct mad_port *mad_port_find(struct ib_device *device, u32 port_num);

/* ---- qp.c ---- */

void mad_qp_init(struct mad_qp *qp, struct mad_port *port);
int mad_qp_create(struct mad_qp *qp, enum ib_qp_type type);
int mad_qp_start(struct mad_qp *qp, u16 pkey_index);
void mad_qp_stop(struct mad_qp *qp);
void mad_qp_destroy(struct mad_qp *qp);

static inline bool mad_qp_is_smi(const struct mad_qp *qp)
{
	return qp == &qp->port->qps[0];
}

/* ---- receive.c ---- */

/**
 * struct mad_recv - a buffer for a received MAD
 * @recv_wc: what the client gets; the buffer is freed through it
 * @wc: @recv_wc.wc
 * @cqe: of its work request
 * @node: in mad_qp.receives
 * @qp: that it was received on
 * @dma: bus address of @packet while it's on the receive queue
 * @packet: what the device writes; it shares no cache line with what the CPU writes meanwhile
 */
struct mad_recv {
	struct ib_mad_recv_wc recv_wc;
	struct ib_wc wc;
	struct ib_cqe cqe;
	struct list_head node;
	struct mad_qp *qp;
	u64 dma;
	struct {
		struct ib_grh grh;
		struct ib_mad mad;
	} packet ____cacheline_aligned;
};

static_assert(sizeof_field(struct mad_recv, packet) == sizeof(struct ib_grh) + IB_MGMT_MAD_SIZE);

struct mad_recv *mad_recv_alloc(gfp_t gfp);
void mad_recv_prepare(struct mad_recv *recv, bool grh);
int mad_qp_fill_receives(struct mad_qp *qp, struct mad_recv *spare);
void mad_qp_free_receives(struct mad_qp *qp);

/* ---- dispatch.c ---- */

struct mad_agent *mad_find_agent(struct mad_port *port, const struct ib_mad_hdr *hdr);
void mad_deliver(struct mad_agent *agent, struct mad_recv *recv);

/* ---- agent.c ---- */

/**
 * struct mad_agent - who sends and receives MADs
 * @agent: what its client sees
 * @qp: that it sends on
 * @req: the requests that it wants, if @registered
 * @registered: it's in the port's registry
 * @refs: see the top of this file
 * @gone: @refs is 0
 * @lock: guards all that follows, and the state of its sends
 * @closing: nothing may be begun any more
 * @sends: of struct mad_send: those that haven't completed
 * @match: of struct mad_send: those of @sends that await an answer, by TID
 * @send_timers: of struct mad_send
 * @rmpp_receives: of struct rmpp_receive, by sender and TID
 * @rmpp_receive_count: how many of them aren't complete
 * @rmpp_remembered: those that are, the oldest first
 * @rmpp_remembered_count: its length
 * @rmpp_timers: of struct rmpp_receive
 * @expire: runs when the first of either queue is due
 * @local: of struct mad_send: answered without a packet, completion is to be reported
 * @local_work: reports it
 * @rcu: delays its end
 */
struct mad_agent {
	struct ib_mad_agent agent;
	struct mad_qp *qp;
	struct ib_mad_reg_req req;
	bool registered;
	refcount_t refs;
	struct completion gone;
	spinlock_t lock; /* see above */
	bool closing;
	struct list_head sends;
	struct rb_root match;
	struct mad_timer_queue send_timers;
	struct rb_root rmpp_receives;
	unsigned int rmpp_receive_count;
	struct list_head rmpp_remembered;
	unsigned int rmpp_remembered_count;
	struct mad_timer_queue rmpp_timers;
	struct delayed_work expire;
	struct list_head local;
	struct work_struct local_work;
	struct rcu_head rcu;
};

static inline struct mad_agent *to_mad_agent(struct ib_mad_agent *agent)
{
	return container_of(agent, struct mad_agent, agent);
}

static inline bool mad_agent_has_rmpp(const struct mad_agent *agent)
{
	return ib_mad_kernel_rmpp_agent(&agent->agent);
}

struct mad_agent *mad_agent_create(struct mad_qp *qp, const struct ib_mad_agent *template,
				   const struct ib_mad_reg_req *req);
void mad_agent_destroy(struct mad_agent *agent);
struct mad_agent *mad_agent_by_tid(__be64 tid);
void mad_agent_put(struct mad_agent *agent);
void mad_agent_arm(struct mad_agent *agent);

/* ---- buffer.c ---- */

/**
 * struct mad_send - a MAD to be sent
 * @buf: what its client sees
 * @agent: who sends it
 * @qp: @agent->qp
 * @state: see send_state.c
 * @status: with which it completes
 * @vendor_err: the peer's RMPP status, or the device's error
 * @tid: of the MAD, as it was posted
 * @mgmt_class: of the MAD, as it was posted
 * @max_retries: tries beyond the first one
 * @retries_left: those that remain; RMPP gets all of them back whenever it makes progress
 * @awaits: it needs an answer: a response, or RMPP's acknowledgment
 * @agent_node: in mad_agent.sends
 * @match_node: in mad_agent.match; empty if nothing is awaited
 * @timer: in mad_agent.send_timers while it waits
 * @queue_node: in mad_qp.posted or mad_qp.overflow
 * @repost: it was behind a send that failed: when it's flushed it is posted again. Guarded by
 *	mad_qp.send_lock
 * @cqe: of its work request
 * @wr: its work request
 * @sge: the MAD, or the headers and one segment
 * @segments: data of RMPP segments, by number
 * @pad: bytes of the last segment that aren't data
 * @window: of the RMPP transfer
 * @local_node: in mad_agent.local
 * @local_reply: what is to be given to @local_receiver
 * @local_receiver: referenced; NULL if there is nothing to be given
 * @internal_done: it's not the client's: called instead of its handler
 * @internal_context: whatever @internal_done needs
 * @mad: the MAD, or the headers common to all segments
 */
struct mad_send {
	struct ib_mad_send_buf buf;
	struct mad_agent *agent;
	struct mad_qp *qp;
	enum mad_send_state state;
	enum ib_wc_status status;
	u32 vendor_err;
	__be64 tid;
	u8 mgmt_class;
	int max_retries;
	int retries_left;
	bool awaits;
	struct list_head agent_node;
	struct rb_node match_node;
	struct mad_timer timer;
	struct list_head queue_node;
	bool repost;
	struct ib_cqe cqe;
	struct ib_ud_wr wr;
	struct ib_sge sge[2];
	struct xarray segments;
	u32 pad;
	struct rmpp_window window;
	struct list_head local_node;
	struct mad_recv *local_reply;
	struct mad_agent *local_receiver;
	void (*internal_done)(struct mad_send *send);
	void *internal_context;
	u8 mad[] __aligned(8);
};

static inline struct mad_send *to_mad_send(struct ib_mad_send_buf *buf)
{
	return container_of(buf, struct mad_send, buf);
}

static inline bool mad_send_is_segmented(const struct mad_send *send)
{
	return send->buf.seg_count > 0;
}

/* ---- send.c ---- */

bool mad_send_event(struct mad_send *send, enum mad_send_event event, enum ib_wc_status status,
		    u32 vendor_err);
void mad_send_wait(struct mad_send *send);
void mad_send_finish(struct mad_send *send);
void mad_send_completed(struct mad_send *send, enum ib_wc_status status, u32 vendor_err);
struct mad_send *mad_send_answered_by(struct mad_agent *agent,
				      const struct ib_mad_recv_wc *recv_wc);

/* ---- expire.c ---- */

#define MAD_BATCH	64	/* completions before others get their turn */

void mad_expire_work(struct work_struct *work);
void mad_cancel_all(struct mad_agent *agent);

/* ---- send_queue.c ---- */

int mad_qp_post(struct mad_qp *qp, struct mad_send *send);
void mad_qp_send_done(struct ib_cq *cq, struct ib_wc *wc);

/* ---- local.c ---- */

int mad_send_directed(struct mad_send *send);
void mad_local_work(struct work_struct *work);

/* ---- reply.c ---- */

int mad_replier_create(struct mad_qp *qp);
void mad_reply(struct mad_qp *qp, const struct ib_wc *wc, const struct ib_grh *grh,
	       const struct ib_mad *reply);

#endif
