/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * nullhca: RDMA devices without hardware, whose operations do what the tester wants: succeed at
 * once, fail at a chosen call, or wait until they are released.
 */
#ifndef NULLHCA_H
#define NULLHCA_H

#include <linux/platform_device.h>
#include <linux/xarray.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>

#define NULLHCA_MAX_DEVICES	16
#define NULLHCA_MAX_PORTS	2
#define NULLHCA_PKEYS		16
#define NULLHCA_GIDS		8
#define NULLHCA_MAX_SGE		4
#define NULLHCA_MAX_WR		16384
#define NULLHCA_MAX_CQE		65536
#define NULLHCA_MAX_MR_PAGES	512

/* The key of all memory: kernel memory, for consumers in the kernel. */
#define NULLHCA_DMA_LKEY	0x6e756c6c

enum nullhca_op {
#define OP(name) NULLHCA_##name
#include "ops.h"
#undef OP
	NULLHCA_NR_OPS,
	NULLHCA_FIRST_ATOMIC_OP = NULLHCA_create_ah,
};

/**
 * struct nullhca_gate - what each call of an operation passes through
 * @calls: so many calls were made
 * @fail_at: the call of this number fails, counted from 1; 0: none
 * @failures: and so many calls in all, one after the other
 * @error: with this errno (a positive number)
 * @block: calls from this number on wait, as long as it stays; 0: none
 * @waiting: so many do
 * @released: where they wait
 */
struct nullhca_gate {
	atomic_t calls;
	u32 fail_at;
	u32 failures;
	u32 error;
	u32 block;
	atomic_t waiting;
	wait_queue_head_t released;
};

/**
 * struct nullhca_port - what a port says of itself; the tester may change it at any time
 * @slot: where the device is plugged in
 * @number: of the port, from 1
 * @lid: its own
 * @sm_lid: the subnet manager's
 * @lmc: how many low bits of the LID are path bits
 * @state: enum ib_port_state
 * @subnet_prefix: upper half of its GIDs
 * @pkeys: partitions; 0: no entry
 */
struct nullhca_port {
	struct nullhca_slot *slot;
	u32 number;
	u16 lid;
	u16 sm_lid;
	u8 lmc;
	u8 state;
	u64 subnet_prefix;
	u16 pkeys[NULLHCA_PKEYS];
};

/**
 * struct nullhca_slot - where a device can be plugged in
 * @number: from 0
 * @folder: in debugfs
 * @dma_device: what does its DMA; its driver data is the slot
 * @mappings: for DMA that there are
 * @lock: held while the device comes or goes; guards @device
 * @device: NULL while there is none
 * @wire_lock: guards @wired; taken before that of the queue pairs
 * @wired: the device, also while it comes and goes: what arrives reaches the queue pairs that
 *	there are
 * @gates: of all operations; they stay when the device goes, so that its registration can be made
 *	to fail
 * @ports: likewise
 */
struct nullhca_slot {
	u32 number;
	struct dentry *folder;
	struct platform_device *dma_device;
	atomic_t mappings;
	struct mutex lock; /* guards @device */
	struct nullhca *device;
	spinlock_t wire_lock; /* guards @wired */
	struct nullhca *wired;
	struct nullhca_gate gates[NULLHCA_NR_OPS];
	struct nullhca_port ports[NULLHCA_MAX_PORTS];
};

/**
 * struct nullhca - a device
 * @ib: what ib_core knows
 * @slot: where it is plugged in
 * @qps: by number; its lock also guards @special and @next_qpn, and is taken last
 * @special: QP0 and QP1 of each port
 * @next_qpn: where the search for a free number starts
 * @next_key: of memory
 * @ahs: address handles that there are; of these ib_core keeps no account
 * @sends: work requests, for the counters in hw_counters
 * @receives: likewise
 */
struct nullhca {
	struct ib_device ib;
	struct nullhca_slot *slot;
	struct xarray qps;
	struct nullhca_qp *special[NULLHCA_MAX_PORTS][2];
	u32 next_qpn;
	atomic_t next_key;
	atomic_t ahs;
	atomic64_t sends;
	atomic64_t receives;
};

/**
 * struct nullhca_cq - completions that nobody has polled yet
 * @ib: what ib_core knows
 * @lock: guards what follows; taken last
 * @ring: of @size entries
 * @size: a power of two
 * @tail: where the next one goes; counts on for ever
 * @head: the oldest; likewise
 * @armed: IB_CQ_* of the notification that was asked for, or 0
 * @notify: calls the consumer, in the context in which an interrupt's handler would
 */
struct nullhca_cq {
	struct ib_cq ib;
	spinlock_t lock; /* the ring */
	struct ib_wc *ring;
	u32 size;
	u32 tail;
	u32 head;
	u32 armed;
	struct work_struct notify;
};

struct nullhca_receive {
	struct ib_cqe *cqe;
	u32 num_sge;
	struct ib_sge sge[NULLHCA_MAX_SGE];
};

/**
 * struct nullhca_queue - posted receives of a QP or an SRQ
 * @lock: guards what follows
 * @ring: of @size entries
 * @size: a power of two
 * @max_sge: of an entry
 * @tail: where the next one goes; counts on for ever
 * @head: the oldest; likewise
 * @limit: of an SRQ: below so many an event is raised, once
 */
struct nullhca_queue {
	spinlock_t lock; /* the ring */
	struct nullhca_receive *ring;
	u32 size;
	u32 max_sge;
	u32 tail;
	u32 head;
	u32 limit;
};

struct nullhca_srq {
	struct ib_srq ib;
	struct nullhca_queue queue;
};

/**
 * struct nullhca_qp - a queue pair
 * @ib: what ib_core knows
 * @users: its existence, and each message that is being delivered to it
 * @unused: nobody is left
 * @state_lock: guards @attr; taken before the locks of queues and CQs
 * @attr: as modified, with the state
 * @init: as created
 * @receives: unused with an SRQ
 */
struct nullhca_qp {
	struct ib_qp ib;
	refcount_t users;
	struct completion unused;
	spinlock_t state_lock; /* guards @attr */
	struct ib_qp_attr attr;
	struct ib_qp_init_attr init;
	struct nullhca_queue receives;
};

struct nullhca_pd {
	struct ib_pd ib;
};

struct nullhca_xrcd {
	struct ib_xrcd ib;
};

struct nullhca_mw {
	struct ib_mw ib;
};

struct nullhca_ah {
	struct ib_ah ib;
	struct rdma_ah_attr attr;
};

struct nullhca_mr {
	struct ib_mr ib;
	struct ib_umem *umem;
	int access;
	u32 max_pages;
	u32 pages;
	u64 page[];
};

struct nullhca_table {
	struct ib_rwq_ind_table ib;
};

struct nullhca_counters {
	struct ib_counters ib;
};

struct nullhca_context {
	struct ib_ucontext ib;
	struct rdma_user_mmap_entry entry;
	struct page *page;
};

static inline struct nullhca *to_nullhca(struct ib_device *ib)
{
	return container_of(ib, struct nullhca, ib);
}

static inline struct nullhca_cq *to_cq(struct ib_cq *ib)
{
	return container_of(ib, struct nullhca_cq, ib);
}

static inline struct nullhca_qp *to_qp(struct ib_qp *ib)
{
	return container_of(ib, struct nullhca_qp, ib);
}

static inline struct nullhca_srq *to_srq(struct ib_srq *ib)
{
	return container_of(ib, struct nullhca_srq, ib);
}

static inline struct nullhca_ah *to_ah(struct ib_ah *ib)
{
	return container_of(ib, struct nullhca_ah, ib);
}

static inline struct nullhca_mr *to_mr(struct ib_mr *ib)
{
	return container_of(ib, struct nullhca_mr, ib);
}

static inline struct nullhca_context *to_context(struct ib_ucontext *ib)
{
	return container_of(ib, struct nullhca_context, ib);
}

/* gate.c */
void nullhca_gates_init(struct nullhca_slot *slot);
void nullhca_gates_open(struct nullhca_slot *slot);
int nullhca_pass_slot(struct nullhca_slot *slot, enum nullhca_op op);
int nullhca_pass(struct ib_device *ib, enum nullhca_op op);

/* dma.c */
int nullhca_dma_init(struct nullhca_slot *slot);
void nullhca_dma_exit(struct nullhca_slot *slot);
struct device *nullhca_dma_device(struct nullhca_slot *slot);

/* control.c */
int nullhca_control_init(struct nullhca_slot *slot, struct dentry *root, u32 ports);

/* main.c */
int nullhca_plug(struct nullhca_slot *slot);
void nullhca_pull(struct nullhca_slot *slot);
int nullhca_arrive(const struct nullhca_port *port, struct ib_mad *mad);

/* qp.c */
struct nullhca_qp *nullhca_qp_get(struct nullhca *device, u32 port_num, u32 qpn);
void nullhca_qp_put(struct nullhca_qp *qp);

/* deliver.c */
enum ib_wc_status nullhca_deliver(struct nullhca_qp *sender, const struct ib_send_wr *wr);
int nullhca_receive(struct nullhca_qp *receiver, struct ib_wc *wc, const struct ib_sge *data);

/* post.c */
int nullhca_post_send(struct ib_qp *ib, const struct ib_send_wr *wr,
		      const struct ib_send_wr **bad_wr);
int nullhca_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad_wr);
void nullhca_flush_receives(struct nullhca_qp *qp);

/* cq.c */
void nullhca_complete(struct ib_cq *ib, const struct ib_wc *wc, bool solicited);
void nullhca_forget(struct ib_cq *ib, const struct ib_qp *qp);

/* queue.c */
int nullhca_queue_init(struct nullhca_queue *queue, u32 size, u32 max_sge);
void nullhca_queue_free(struct nullhca_queue *queue);
int nullhca_queue_post(struct nullhca_queue *queue, const struct ib_recv_wr *wr);
bool nullhca_queue_take(struct nullhca_queue *queue, struct nullhca_receive *receive,
			bool *limit_reached);

/* port.c */
struct nullhca_port *nullhca_port(struct ib_device *ib, u32 port_num);

#define NULLHCA_DECLARE_OPS(part) extern const struct ib_device_ops nullhca_##part##_ops
NULLHCA_DECLARE_OPS(port);
NULLHCA_DECLARE_OPS(context);
NULLHCA_DECLARE_OPS(address);
NULLHCA_DECLARE_OPS(cq);
NULLHCA_DECLARE_OPS(qp);
NULLHCA_DECLARE_OPS(srq);
NULLHCA_DECLARE_OPS(memory);
NULLHCA_DECLARE_OPS(wq);
NULLHCA_DECLARE_OPS(flow);
NULLHCA_DECLARE_OPS(stats);
NULLHCA_DECLARE_OPS(tracking);

#endif
