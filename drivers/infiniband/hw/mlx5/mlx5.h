/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * mlx5_ib, seen from inside: its objects, and what its parts ask of each other. A part's own
 * declarations stand in a header of its own.
 *
 *   device/  from probe to removal, queries, MADs, events, user contexts, mappings, PD, AH, XRCD
 *   cq/      completion queues: creation, resizing, polling, arming
 *   srq/     shared receive queues, for all kinds of queue pairs
 *   qp/      queue pairs: the state machine, creation, modification, numbers, GSI, DC, draining
 *   wr/      work requests of the kernel's own: from struct ib_send_wr to bytes in a ring
 *   mr/      memory keys: regions, windows, fast registration, the cache of keys, UMR
 *   odp/     on-demand paging: faults, prefetching, invalidation
 *   devx/    firmware commands and objects that a process makes by itself
 *
 * On the wire to the device all is big-endian; layouts are those of <linux/mlx5/mlx5_ifc.h>, used
 * by MLX5_SET() and MLX5_GET(), and of <linux/mlx5/device.h> and <linux/mlx5/qp.h>.
 *
 * Who waits for whom, outermost first: a QP's mutex, a CQ's resize_mutex, an SRQ's mutex; the
 * context's doorbell mutex; the lock of a umem that moves; the UMR queue's; spinlocks: the lock of
 * kernel_qps, or of GSI sends; a ring's; send CQ, then receive CQ if it's another with a greater
 * address; an SRQ's.
 */
#ifndef RDMA_MLX5_H
#define RDMA_MLX5_H

#include <linux/mlx5/cq.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/eq.h>
#include <linux/mlx5/qp.h>
#include <linux/notifier.h>
#include <linux/xarray.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_umem.h>
#include <rdma/ib_umem_odp.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/ib_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/uverbs_ioctl.h>

#define UVERBS_MODULE_NAME mlx5_ib
#include <rdma/uverbs_named_ioctl.h>

#define mlx5_ib_dbg(dev, ...) ibdev_dbg(&(dev)->ib_dev, __VA_ARGS__)
#define mlx5_ib_warn(dev, ...) ibdev_warn_ratelimited(&(dev)->ib_dev, __VA_ARGS__)

/*
 * Queue pair types that no other part of the kernel knows. The first two never leave the driver:
 * the queue through which keys are changed, and the one behind the software GSI queue pair. DC's
 * two are what IB_QPT_DRIVER with a flag turns into, and what a process may ask for by these
 * numbers.
 */
#define MLX5_IB_QPT_UMR IB_QPT_RESERVED1
#define MLX5_IB_QPT_HW_GSI IB_QPT_RESERVED2
#define MLX5_IB_QPT_DCI IB_QPT_RESERVED3
#define MLX5_IB_QPT_DCT IB_QPT_RESERVED4

/* A send of the kernel's own GSI pairs: the number in its datagrams is QP1's. */
#define MLX5_IB_QP_CREATE_SQPN_QP1 IB_QP_CREATE_RESERVED_START

/* What "none" is: for a user index, for the number of a queue. */
#define MLX5_IB_NO_UIDX 0xffffff

/* device/ */

/**
 * struct mlx5_ib_special_keys - keys that are the same for all, and how to mark the end of a
 * scatter list
 * @dump_fill: in host order; 0: there is none
 * @null: reads as zeros, swallows writes
 * @terminate: an entry with this key ends the scatter list of a receive
 */
struct mlx5_ib_special_keys {
	u32 dump_fill;
	__be32 null;
	__be32 terminate;
};

/*
 * What XRC and the kernel's own queue pairs name where they've nothing: made when first needed,
 * under @lock, kept to the end.
 */
struct mlx5_ib_placeholders {
	struct mutex lock; /* see above */
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_srq *xrc_srq;
	struct ib_srq *srq;
	u32 xrcdn_ini;
	u32 xrcdn_tgt;
};

/**
 * struct mlx5_ib_numbered - what makes an object one that is found by the device's number of it
 * @refcount: one while it can be found, one for each who has found it and isn't done with it
 * @free: completes when @refcount has come to zero
 * @placed: the place in the table is its own; written under the table's lock
 */
struct mlx5_ib_numbered {
	refcount_t refcount;
	struct completion free;
	bool placed;
};

/*
 * Of an object that the device refuses to destroy: no device gives a number out that is in use, so
 * if another has it, the object is gone, whatever became of the answer. To ask again would destroy
 * the other.
 */
static inline bool mlx5_ib_number_is_lost(const struct mlx5_ib_numbered *object)
{
	return !READ_ONCE(object->placed);
}

struct mlx5_ib_counters;
struct mlx5_ib_gsi;
struct mlx5_ib_key_cache;
struct mlx5_ib_umr;
struct mlx5_ib_odp;
struct mlx5_ib_devx;

/**
 * struct mlx5_ib_wr_caps - what a device can do for the kernel's work requests
 * @umr_fence: MLX5_FENCE_MODE_*: what a registration has to wait for
 * @masked_atomics: it does them
 * @umr_atomics: a registration may grant them
 */
struct mlx5_ib_wr_caps {
	u8 umr_fence;
	bool masked_atomics;
	bool umr_atomics;
};

/**
 * struct mlx5_ib_dev - an adapter
 * @ib_dev: what ib_core sees
 * @mdev: what mlx5_core drives
 * @events: its events, of ports, queue pairs, shared receive queues
 * @pkey_work: makes senders of QP1 for new P_Keys
 * @cap_mask_lock: held while the port's capability mask is read, changed, written
 * @active: registered; events are passed on
 * @pkey_table_len: of the port
 * @has_smi: subnet management datagrams reach the port
 * @ext_port_caps: from the vendor's PortInfo extension
 * @keys: special keys
 * @wr_caps: what work requests may ask for
 * @counters: what the firmware counts of queue pairs; NULL: nothing
 * @bfreg: doorbell of the kernel's queue pairs
 * @placeholders: see there
 * @qps: struct mlx5_ib_numbered of queue pairs, all but DC targets
 * @dcts: of DC targets, DEVX's among them
 * @srqs: of shared receive queues
 * @kernel_qps_lock: guards @kernel_qps
 * @kernel_qps: queue pairs and completion queues of the kernel whose requests a dead device leaves
 *	unanswered
 * @gsi_lock: held while @gsi is made, changed, destroyed; queue pairs are, inside it
 * @gsi: what stands behind QP1 of port 1
 * @cache: keys that wait for their next region
 * @umr: the queue through which keys are changed
 * @odp: page faults
 * @odp_keys: struct mlx5_ib_mkey by index, of keys that may be paged, bound, or are a process's own
 * @devx: event subscriptions
 * @devx_uid: the context of questions that any process may ask; 0: none
 */
struct mlx5_ib_dev {
	struct ib_device ib_dev;
	struct mlx5_core_dev *mdev;
	struct notifier_block events;
	struct work_struct pkey_work;
	struct mutex cap_mask_lock; /* see above */
	bool active;
	u16 pkey_table_len;
	bool has_smi;
	u8 ext_port_caps;
	struct mlx5_ib_special_keys keys;
	struct mlx5_ib_wr_caps wr_caps;
	struct mlx5_ib_counters *counters;
	struct mlx5_sq_bfreg bfreg;
	struct mlx5_ib_placeholders placeholders;
	struct xarray qps;
	struct xarray dcts;
	struct xarray srqs;
	spinlock_t kernel_qps_lock; /* see above */
	struct list_head kernel_qps;
	struct mutex gsi_lock; /* see above */
	struct mlx5_ib_gsi *gsi;
	struct mlx5_ib_key_cache *cache;
	struct mlx5_ib_umr *umr;
	struct mlx5_ib_odp *odp;
	struct xarray odp_keys;
	struct mlx5_ib_devx *devx;
	u16 devx_uid;
};

/**
 * struct mlx5_ib_ucontext - an open device
 * @ibucontext: what ib_uverbs sees
 * @devx_uid: the firmware's number of it, with which all its commands are sent; 0: none
 * @tdn: transport domain
 * @cqe_version: 1: completions carry the number that the process gave its queue
 * @lib_caps: MLX5_LIB_CAP_*
 * @db_lock: guards @db_pages
 * @db_pages: pinned pages with doorbell records
 * @bfregs: doorbell pages of a library that has them given at open; NULL where it makes them itself
 */
struct mlx5_ib_ucontext {
	struct ib_ucontext ibucontext;
	u16 devx_uid;
	u32 tdn;
	u8 cqe_version;
	u64 lib_caps;
	struct mutex db_lock; /* see above */
	struct rb_root db_pages;
	struct mlx5_ib_bfregs *bfregs;
};

struct mlx5_ib_pd {
	struct ib_pd ibpd;
	u32 pdn;
	u16 uid;
};

struct mlx5_ib_xrcd {
	struct ib_xrcd ibxrcd;
	u32 xrcdn;
};

/* A page of the device in a process: UAR, clock and the like. */
struct mlx5_ib_mmap_entry {
	struct rdma_user_mmap_entry rdma_entry;
	u64 address;
	u32 uar_index;
	bool write_combining;
	void (*free)(struct mlx5_ib_dev *dev, struct mlx5_ib_mmap_entry *entry);
};

/* cq/ */

/**
 * struct mlx5_ib_cq_buf - where completions are written
 * @fbc: the kernel's buffer
 * @frag_buf: its pages
 * @umem: or a process's
 * @cqe_size: 64 or 128 bytes
 * @count: entries, a power of 2
 */
struct mlx5_ib_cq_buf {
	struct mlx5_frag_buf_ctrl fbc;
	struct mlx5_frag_buf frag_buf;
	struct ib_umem *umem;
	u32 cqe_size;
	u32 count;
};

/**
 * struct mlx5_ib_cq - a completion queue
 * @ibcq: what ib_core sees
 * @mcq: what mlx5_core sees, which finds it when it has an event
 * @buf: its entries
 * @db: doorbell record
 * @lock: polling, arming, and taking out what belongs to a queue that goes
 * @resize_mutex: one resizing at a time
 * @next_buf: while it's resized: the buffer to come
 * @software: completions of requests that no device answers (struct mlx5_ib_software_wc): of the
 *	software GSI queue pair
 * @had_software: there has been one
 * @polled: queue pair of the completion that was polled last, or NULL; under @lock
 * @notify: what the consumer armed it for, while it isn't polled empty
 * @notify_work: tells the consumer of @software ones
 * @send_qps: the kernel's queue pairs whose sends complete here, for a dead device; under @lock
 * @recv_qps: and those whose receives do
 * @create_flags: IB_UVERBS_CQ_FLAGS_*
 * @private_flags: of the driver's own
 */
struct mlx5_ib_cq {
	struct ib_cq ibcq;
	struct mlx5_core_cq mcq;
	struct mlx5_ib_cq_buf buf;
	struct mlx5_db db;
	spinlock_t lock; /* see above */
	struct mutex resize_mutex; /* see above */
	struct mlx5_ib_cq_buf *next_buf;
	struct list_head software;
	bool had_software;
	struct mlx5_ib_qp *polled;
	enum ib_cq_notify_flags notify;
	struct work_struct notify_work;
	struct list_head send_qps;
	struct list_head recv_qps;
	u32 create_flags;
	u16 private_flags;
};

/* srq/ */

/**
 * struct mlx5_ib_srq - a shared receive queue
 * @ibsrq: what ib_core sees
 * @srqn: what completions name; of an ordinary queue the number of what the device calls an RMP
 * @count: entries, a power of 2; one less can be posted
 * @max_sge: of a request's list, as asked for
 * @room: of a request's list, as there's room for
 * @shift: log2 of an entry's bytes
 * @uid: the firmware's number of the context that made it
 * @signature: its entries begin with one
 * @numbered: in the device's srqs
 * @buf: the kernel's entries
 * @fbc: the same, for finding one
 * @db: doorbell record
 * @umem: or a process's entries
 * @lock: guards all that follows but @mutex
 * @head: the first of the free entries, which are linked by next_wqe_index; the last stays free
 * @tail: the last of them
 * @posted: requests so far
 * @wr_id: the consumer's numbers, by entry
 * @mutex: one arming at a time
 */
struct mlx5_ib_srq {
	struct ib_srq ibsrq;
	u32 srqn;
	u32 count;
	u32 max_sge;
	u32 room;
	u32 shift;
	u16 uid;
	bool signature;
	struct mlx5_ib_numbered numbered;
	struct mlx5_frag_buf buf;
	struct mlx5_frag_buf_ctrl fbc;
	struct mlx5_db db;
	struct ib_umem *umem;
	spinlock_t lock; /* see above */
	u32 head;
	u32 tail;
	u16 posted;
	u64 *wr_id;
	struct mutex mutex; /* see above */
};

/* qp/ and wr/ */

/**
 * struct mlx5_ib_sent - a request in a send queue, kept at the WQEBB where it begins
 * @wr_id: the consumer's number of it
 * @head: the ring's head once it had been posted
 * @opcode: enum ib_wc_opcode
 * @size: in WQEBBs
 */
struct mlx5_ib_sent {
	u64 wr_id;
	u32 head;
	u8 opcode;
	u8 size;
};

/**
 * struct mlx5_ib_ring - a send or receive queue that the kernel fills
 * @lock: posting
 * @fbc: the entries: WQEBBs of 64 bytes for sends, strides of 1 << @shift bytes for receives
 * @count: of them, a power of 2
 * @shift: log2 of their size
 * @max_wr: requests at once
 * @max_sge: entries of a request's list
 * @head: requests posted so far
 * @tail: requests completed so far; written under the CQ's lock
 * @next: sends: WQEBBs used so far
 * @oldest: sends: where the oldest request begins that hasn't completed; under the CQ's lock
 * @sent: sends, by WQEBB
 * @wr_id: receives: the consumer's numbers
 * @piece: sends: for what will lie across the end of a WQEBB; under @lock
 */
struct mlx5_ib_ring {
	spinlock_t lock; /* see above */
	struct mlx5_frag_buf_ctrl fbc;
	u32 count;
	u32 shift;
	u32 max_wr;
	u32 max_sge;
	u32 head;
	u32 tail;
	u16 next;
	u16 oldest;
	struct mlx5_ib_sent *sent;
	u64 *wr_id;
	u8 piece[MLX5_SEND_WQE_BB] __aligned(8);
};

/*
 * The request that begins at this WQEBB has completed, and with it all before it. Under the lock of
 * the CQ that told so.
 */
static inline const struct mlx5_ib_sent *mlx5_ib_sq_retire(struct mlx5_ib_ring *sq, u16 wqebb)
{
	const struct mlx5_ib_sent *sent = &sq->sent[wqebb & (sq->count - 1)];

	sq->tail = sent->head;
	sq->oldest = wqebb + sent->size;
	return sent;
}

/* The oldest receive has completed; its number. Under the lock of the CQ that told so. */
static inline u64 mlx5_ib_rq_retire(struct mlx5_ib_ring *rq)
{
	return rq->wr_id[rq->tail++ & (rq->count - 1)];
}

/**
 * struct mlx5_ib_dct - a DC target that the device has
 * @numbered: in the device's dcts
 * @drained: the device has told that no packet is under way to it
 * @is_drained: this has happened. It's told once: one that the device then refuses to destroy stays
 *	drained.
 */
struct mlx5_ib_dct {
	struct mlx5_ib_numbered numbered;
	struct completion drained;
	bool is_drained;
};

/**
 * struct mlx5_ib_qp - a queue pair, or a DC target
 * @ibqp: what ib_core sees; of the software GSI queue pair it's all that counts
 * @type: with DC's and the driver's own types told apart
 * @qpn: the device's number; of a DC target 0 until it's ready to receive
 * @uid: the firmware's number of the context that made it
 * @numbered: in the device's qps; not of a DC target
 * @dct: of a DC target
 * @mutex: one modification at a time; guards @state, @port, @alt_port and what modify remembers
 * @state: the device's idea of it
 * @flags: create flags of ib_core
 * @vendor_flags: MLX5_QP_FLAG_*
 * @port: of the primary path
 * @alt_port: of the alternate one
 * @resp_depth: reads and atomics that it answers at once
 * @atomic_read_en: of access flags: those that need @resp_depth
 * @max_inline: bytes of inline data a send may have
 * @signal_all: each send completes
 * @next_fence: what the next send has to wait for
 * @sq: the kernel's ring of sends
 * @rq: and of receives
 * @buf: their memory
 * @umem: or a process's
 * @db: doorbell records
 * @bfreg: the kernel's doorbell
 * @bf_half: bytes of half of it
 * @bf_at: where in it the next doorbell is rung
 * @bfregn: of a process: which of its context's, for giving it back; negative: none of these
 * @dct_in: of a DC target that isn't there yet: the command that will make it
 * @kernel_list: in the device's kernel_qps
 * @send_list: in the send completion queue's list
 * @recv_list: in the receive completion queue's
 */
struct mlx5_ib_qp {
	struct ib_qp ibqp;
	enum ib_qp_type type;
	u32 qpn;
	u16 uid;
	union {
		struct mlx5_ib_numbered numbered;
		struct mlx5_ib_dct dct;
	};
	struct mutex mutex; /* see above */
	enum ib_qp_state state;
	u32 flags;
	u32 vendor_flags;
	u32 port;
	u32 alt_port;
	u8 resp_depth;
	u8 atomic_read_en;
	u32 max_inline;
	bool signal_all;
	u8 next_fence;
	struct mlx5_ib_ring sq;
	struct mlx5_ib_ring rq;
	struct mlx5_frag_buf buf;
	struct ib_umem *umem;
	struct mlx5_db db;
	struct mlx5_sq_bfreg *bfreg;
	u32 bf_half;
	u32 bf_at;
	int bfregn;
	void *dct_in;
	struct list_head kernel_list;
	struct list_head send_list;
	struct list_head recv_list;
};

/* mr/ */

enum mlx5_ib_mkey_type {
	MLX5_IB_MKEY_MR,
	MLX5_IB_MKEY_MW,
	MLX5_IB_MKEY_DEVX,
	MLX5_IB_MKEY_CHILD,
};

/**
 * struct mlx5_ib_mkey - a memory key
 * @key: index and variant byte
 * @entries: of its translation, of 8 bytes (pages) or 16 (keys)
 * @type: what it's part of
 * @faults: faults under way, and 1 while it's in the device's odp_keys
 * @wait: woken when @faults has come to zero
 */
struct mlx5_ib_mkey {
	u32 key;
	u32 entries;
	enum mlx5_ib_mkey_type type;
	refcount_t faults;
	wait_queue_head_t wait;
};

/**
 * struct mlx5_ib_mr - a memory region
 * @ibmr: what ib_core sees
 * @mkey: its key
 * @umem: of a process: what it's of; NULL: the kernel's
 * @access: IB_ACCESS_*
 * @page_shift: log2 of the bytes that an entry of its translation stands for
 * @access_mode: MLX5_MKC_ACCESS_MODE_*, of what kind the entries are
 * @bin: where its key goes back to; NULL: it's destroyed
 * @list: of the kernel: room for pages or keys
 * @list_dma: where it is for the device
 * @list_max: entries there are room for; in use are @mkey.entries
 * @list_entry_size: bytes of one
 * @parent: of a process, paged on demand: the implicit region that it's a part of
 * @children: the parts of an implicit region
 * @destroy_work: for a part of it that has no page any more
 * @odp_counters: of faults
 * @implicit: all of the process's memory
 */
struct mlx5_ib_mr {
	struct ib_mr ibmr;
	struct mlx5_ib_mkey mkey;
	struct ib_umem *umem;
	u32 access;
	u32 page_shift;
	u32 access_mode;
	struct mlx5_ib_key_bin *bin;
	union {
		struct {
			void *list;
			dma_addr_t list_dma;
			u32 list_max;
			u32 list_entry_size;
		};
		struct {
			struct mlx5_ib_mr *parent;
			struct xarray children;
			struct work_struct destroy_work;
			struct ib_odp_counters odp_counters;
			bool implicit;
		};
	};
};

struct mlx5_ib_mw {
	struct ib_mw ibmw;
	struct mlx5_ib_mkey mkey;
};

/* From ib_core's objects to ours */

#define MLX5_IB_CAST(name, ibtype, type, member)				\
static inline struct type *name(struct ibtype *object)				\
{										\
	return container_of(object, struct type, member);			\
}

MLX5_IB_CAST(to_mdev, ib_device, mlx5_ib_dev, ib_dev)
MLX5_IB_CAST(to_mucontext, ib_ucontext, mlx5_ib_ucontext, ibucontext)
MLX5_IB_CAST(to_mpd, ib_pd, mlx5_ib_pd, ibpd)
MLX5_IB_CAST(to_mxrcd, ib_xrcd, mlx5_ib_xrcd, ibxrcd)
MLX5_IB_CAST(to_mcq, ib_cq, mlx5_ib_cq, ibcq)
MLX5_IB_CAST(to_msrq, ib_srq, mlx5_ib_srq, ibsrq)
MLX5_IB_CAST(to_mqp, ib_qp, mlx5_ib_qp, ibqp)
MLX5_IB_CAST(to_mmr, ib_mr, mlx5_ib_mr, ibmr)
MLX5_IB_CAST(to_mmw, ib_mw, mlx5_ib_mw, ibmw)

static inline struct mlx5_ib_ucontext *mlx5_ib_udata_context(struct ib_udata *udata)
{
	return rdma_udata_to_drv_context(udata, struct mlx5_ib_ucontext, ibucontext);
}

/*
 * Every function below that returns an int returns 0 or a negative errno, and may sleep unless its
 * comment says otherwise.
 */

/* device/, for all: the numbers of what a process has named, and doorbells of its own */
int mlx5_ib_db_map_user(struct mlx5_ib_ucontext *context, unsigned long virt, struct mlx5_db *db);
void mlx5_ib_db_unmap_user(struct mlx5_ib_ucontext *context, struct mlx5_db *db);
/*
 * One of the context's own doorbells, the best that's free: its number, >= 0, for giving it back.
 */
int mlx5_ib_bfreg_alloc(struct mlx5_ib_ucontext *context, u32 *uar_index, u32 *library_index);
/* The page of a doorbell that a process has made by mapping it, by the library's number of it. */
int mlx5_ib_bfreg_uar(struct mlx5_ib_ucontext *context, u32 index, u32 *uar_index);
void mlx5_ib_bfreg_free(struct mlx5_ib_ucontext *context, int bfregn);
/* The first page that the context was given at open. */
int mlx5_ib_first_uar(struct mlx5_ib_ucontext *context, u32 *uar_index);
u16 mlx5_ib_counter_set(struct mlx5_ib_dev *dev);
int mlx5_ib_placeholder_cq(struct mlx5_ib_dev *dev);
int mlx5_ib_placeholder_srqs(struct mlx5_ib_dev *dev);
int mlx5_ib_mmap_entry_insert(struct mlx5_ib_ucontext *context, struct mlx5_ib_mmap_entry *entry,
			      size_t length);
/* Where a process maps it. */
u64 mlx5_ib_mmap_offset(const struct mlx5_ib_mmap_entry *entry);
int mlx5_ib_mad_ifc(struct mlx5_ib_dev *dev, bool ignore_mkey, bool ignore_bkey, u32 port_num,
		    const struct ib_wc *in_wc, const struct ib_grh *in_grh, const void *in_mad,
		    void *response);
/*
 * The device's number of a static rate, or of the next lower one of BIT()s @supported; 0: no limit.
 */
int mlx5_ib_rate_to_device(u32 supported, u8 rate);
u8 mlx5_ib_rate_from_device(u8 number);

/* device/numbers.c: @numbers is the device's qps, dcts or srqs; all but add and wait are atomic */
void mlx5_ib_numbers_init(struct xarray *numbers);
int mlx5_ib_number_add(struct xarray *numbers, u32 num, struct mlx5_ib_numbered *object);
void mlx5_ib_number_remove(struct xarray *numbers, u32 num, struct mlx5_ib_numbered *object);
void mlx5_ib_number_wait(struct mlx5_ib_numbered *object);
struct mlx5_ib_numbered *mlx5_ib_number_get(struct xarray *numbers, u32 num);
void mlx5_ib_number_put(struct mlx5_ib_numbered *object);

/* cq/ */
extern const struct ib_device_ops mlx5_ib_cq_ops;
extern const struct uapi_definition mlx5_ib_cq_defs[];
/* Takes the completions of number @rsn out; receives of @srq, if any, go back to it. Atomic. */
void mlx5_ib_cq_clean(struct mlx5_ib_cq *cq, u32 rsn, struct mlx5_ib_srq *srq);
/* The same with the CQ's lock held. */
void mlx5_ib_cq_clean_locked(struct mlx5_ib_cq *cq, u32 rsn, struct mlx5_ib_srq *srq);
/* Adds a completion that no device wrote. Atomic. */
int mlx5_ib_cq_add_software(struct mlx5_ib_cq *cq, const struct ib_wc *wc);

/* srq/ */
extern const struct ib_device_ops mlx5_ib_srq_ops;
void mlx5_ib_srq_table_init(struct mlx5_ib_dev *dev);
void mlx5_ib_srq_table_cleanup(struct mlx5_ib_dev *dev);
struct mlx5_ib_srq *mlx5_ib_srq_get(struct mlx5_ib_dev *dev, u32 srqn); /* atomic */
void mlx5_ib_srq_put(struct mlx5_ib_srq *srq);
void mlx5_ib_srq_event(struct mlx5_ib_dev *dev, u8 type, u32 srqn); /* atomic */
/* Gives an entry back whose completion was polled; its wr_id. Atomic. */
u64 mlx5_ib_srq_retire(struct mlx5_ib_srq *srq, u16 wqe_counter);

/* qp/ */
extern const struct ib_device_ops mlx5_ib_qp_ops;
void mlx5_ib_qp_table_init(struct mlx5_ib_dev *dev);
void mlx5_ib_qp_table_cleanup(struct mlx5_ib_dev *dev);
struct mlx5_ib_qp *mlx5_ib_qp_get(struct mlx5_ib_dev *dev, u32 qpn); /* atomic */
void mlx5_ib_qp_put(struct mlx5_ib_qp *qp);
/*
 * The queue pair of a completion that the kernel polls; call it with the CQ's lock held, under
 * which a queue pair's number and its completions go together. Atomic.
 */
struct mlx5_ib_qp *mlx5_ib_qp_of_cqe(struct mlx5_ib_dev *dev, u32 qpn);
void mlx5_ib_qp_event(struct mlx5_ib_dev *dev, u8 type, const struct mlx5_eqe *eqe); /* atomic */
void mlx5_ib_qps_device_dead(struct mlx5_ib_dev *dev);
void mlx5_ib_gsi_pkey_change(struct mlx5_ib_dev *dev);
int mlx5_ib_dct_add(struct mlx5_ib_dev *dev, u32 dctn, struct mlx5_ib_dct *dct);
int mlx5_ib_dct_remove(struct mlx5_ib_dev *dev, u16 uid, u32 dctn, struct mlx5_ib_dct *dct);
/* What posting to the software GSI queue pair comes to. Atomic. */
int mlx5_ib_gsi_post_send(struct mlx5_ib_qp *qp, const struct ib_send_wr *wr,
			  const struct ib_send_wr **bad);
int mlx5_ib_gsi_post_recv(struct mlx5_ib_qp *qp, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad);
int mlx5_ib_qp_module_init(void);
void mlx5_ib_qp_module_exit(void);
extern const struct uapi_definition mlx5_ib_qp_defs[];

/* wr/ */
extern const struct ib_device_ops mlx5_ib_wr_ops;
int mlx5_ib_post_send_any(struct mlx5_ib_qp *qp, const struct ib_send_wr *wr,
			  const struct ib_send_wr **bad, bool drain); /* atomic */
int mlx5_ib_post_recv_any(struct mlx5_ib_qp *qp, const struct ib_recv_wr *wr,
			  const struct ib_recv_wr **bad, bool drain); /* atomic */
/* Puts one WQE as it is (control segment apart) into the ring and rings the doorbell. Atomic. */
int mlx5_ib_post_raw(struct mlx5_ib_qp *qp, u8 opcode, __be32 imm, const void *segments,
		     size_t length, u64 wr_id);
int mlx5_ib_wr_init(struct mlx5_ib_dev *dev);

/* mr/ */
extern const struct ib_device_ops mlx5_ib_mr_ops;
extern const struct ib_device_ops mlx5_ib_mw_ops;
int mlx5_ib_keys_init(struct mlx5_ib_dev *dev); /* before registration */
int mlx5_ib_umr_init(struct mlx5_ib_dev *dev);  /* before it, too; what it needs is made later */
void mlx5_ib_umr_cleanup(struct mlx5_ib_dev *dev);
void mlx5_ib_keys_cleanup(struct mlx5_ib_dev *dev);
int mlx5_ib_mkey_create(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey, u32 *in, int inlen);
int mlx5_ib_mkey_destroy(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey);
/*
 * The largest page size with which the device can describe @umem, given how many bits the context
 * has for the size (of which 0 is 4 KiB) and for the offset of its beginning, which counts in 64ths
 * of a page (no bits: it begins with a page); 0: none.
 */
unsigned long mlx5_ib_umem_page_size(struct ib_umem *umem, unsigned int log_bits,
				     unsigned int offset_bits, unsigned int *page_offset);
/* The page list for it, each with the low bits @access. */
void mlx5_ib_umem_pages(struct ib_umem *umem, unsigned long page_size, __be64 *pas, u64 access);
/*
 * A region whose key has room for @entries (pages: MLX5_MKC_ACCESS_MODE_MTT, keys: _KSM), from the
 * cache or new. The device refuses the key until mlx5_ib_umr_enable(). ibmr.pd and @access are set;
 * the caller fills in umem, page_shift, ibmr.iova, ibmr.length.
 */
struct mlx5_ib_mr *mlx5_ib_mr_alloc(struct mlx5_ib_pd *pd, u32 access_mode, u64 entries,
				    u32 access);
/*
 * The device forgets the region's memory, under the lock of its umem, whose private becomes NULL;
 * then key, umem and region go. A failure leaves all as it was; it can be tried again. What's paged
 * must have been hidden from faults.
 */
int mlx5_ib_mr_destroy(struct mlx5_ib_mr *mr);
/*
 * Writes entries @first.. of a translation, in the device's order, to @list. Is asked for them in
 * ascending order; for their neighbours, too, so that it's whole blocks of 64 bytes.
 */
typedef void mlx5_ib_fill(struct mlx5_ib_mr *mr, void *list, u64 first, u64 count, void *context);
/* The whole translation (@count entries), and then the device takes the key. */
int mlx5_ib_umr_enable(struct mlx5_ib_mr *mr, u64 count, mlx5_ib_fill *fill, void *context);
/* Entries @first.. of a key that the device takes; there are @total. Doesn't wait for reclaim. */
int mlx5_ib_umr_write(struct mlx5_ib_mr *mr, u64 first, u64 count, u64 total, mlx5_ib_fill *fill,
		      void *context);
/*
 * The same for regions with a umem, of pages: from the umem (of one that's paged on demand, what's
 * mapped). @present false: none is there any more. @count 0: all. With the umem's lock held, if
 * it's one of those that move.
 */
int mlx5_ib_umr_enable_pages(struct mlx5_ib_mr *mr, bool present);
int mlx5_ib_umr_update_pages(struct mlx5_ib_mr *mr, u64 first, u64 count, bool present);
/*
 * Keys that faults ask for (odp_keys): one is shown to them, one is hidden again, for which all
 * faults under way are awaited, and nothing is done if it is. With the lock of odp_keys held a key
 * that was found there stays if its @faults is raised; the put is atomic.
 */
int mlx5_ib_key_show(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey);
void mlx5_ib_key_hide(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey);
void mlx5_ib_key_put(struct mlx5_ib_mkey *mkey);
/* The put of who has hidden a key: waits for all others. Not with a lock of the key's held. */
void mlx5_ib_key_await(struct mlx5_ib_mkey *mkey);
extern const struct uapi_definition mlx5_ib_mr_defs[];

/* odp/ */
extern const struct ib_device_ops mlx5_ib_odp_ops;
int mlx5_ib_odp_init(struct mlx5_ib_dev *dev);
void mlx5_ib_odp_cleanup(struct mlx5_ib_dev *dev);
void mlx5_ib_odp_caps(struct mlx5_ib_dev *dev, struct ib_odp_caps *caps);
struct ib_mr *mlx5_ib_odp_reg(struct mlx5_ib_pd *pd, u64 start, u64 length, u64 iova, u32 access,
			      struct ib_udata *udata);
/*
 * Before a paged region goes: no fault of it is under way any more, its parts are gone. If one of
 * them isn't, the region has to stay; retryable.
 */
int mlx5_ib_odp_dereg(struct mlx5_ib_mr *mr);
/* Faults are answered from now on; before the first key is shown for which there can be one. */
int mlx5_ib_odp_start(struct mlx5_ib_dev *dev);

/* devx/ */
extern const struct uapi_definition mlx5_ib_devx_defs[];
int mlx5_ib_devx_init(struct mlx5_ib_dev *dev);
void mlx5_ib_devx_cleanup(struct mlx5_ib_dev *dev);
int mlx5_ib_devx_context_create(struct mlx5_ib_dev *dev, bool user, u16 *uid);
void mlx5_ib_devx_context_destroy(struct mlx5_ib_dev *dev, u16 uid);

/* device/, for itself and main.c */
extern const struct uapi_definition mlx5_ib_device_defs[];
extern const struct ib_device_ops mlx5_ib_dev_ops;

#endif
