/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * On-demand paging: what the files of this folder ask of each other.
 *
 * A paged region's translation has only pages in it that the process has at the moment. The device
 * that finds one missing writes an event and has the message wait; the driver gets the page from
 * the kernel, writes it into the translation, and has the device go on. When the kernel wants pages
 * back, it says so first, and they're taken out of the translation again.
 */
#ifndef RDMA_MLX5_ODP_H
#define RDMA_MLX5_ODP_H

#include "../mlx5.h"

/* fault.c: what the device says */

/**
 * struct mlx5_ib_fault - a page fault
 * @subtype: MLX5_PFAULT_SUBTYPE_*: how the device names the memory
 * @type: MLX5_PFAULT_* or enum wqe_page_fault_type: in what work it happened
 * @token: by which the device is told to go on
 * @done: bytes that were transferred before it
 * @number: by WQE: of the queue pair or, in a shared queue, of that
 * @index: by WQE: of the request
 * @key: by key: what's accessed
 * @va: by key: where
 * @length: by key: bytes, counted from the beginning of the operation; 0: unknown
 * @packet: by key: bytes that the device needs at least
 * @before: by key: bytes before it that the device would like to have there as well
 * @after: and behind it
 * @last: the device waits for being told; otherwise another event of the same fault follows
 */
struct mlx5_ib_fault {
	u8 subtype;
	u8 type;
	u64 token;
	u32 done;
	u32 number;
	u16 index;
	u32 key;
	u64 va;
	u32 length;
	u32 packet;
	u32 before;
	u32 after;
	bool last;
};

void mlx5_ib_fault_decode(struct mlx5_ib_fault *fault, const struct mlx5_eqe *eqe);

/* resume.c */
void mlx5_ib_fault_resume(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault, bool failed);

/* segments.c: the memory that a work request names */

/**
 * struct mlx5_ib_segments - a walk over data segments
 * @at: the next
 * @end: behind the last
 * @terminate: key of a segment that ends the list; 0: there's none
 */
struct mlx5_ib_segments {
	const void *at;
	const void *end;
	__be32 terminate;
};

/**
 * struct mlx5_ib_segment - a data segment
 * @key: of the memory
 * @va: where
 * @length: bytes
 * @is_inline: the data are in the request itself
 */
struct mlx5_ib_segment {
	u32 key;
	u64 va;
	u64 length;
	bool is_inline;
};

/* Bytes of the longest send request. */
#define MLX5_IB_SEND_WQE_MAX (MLX5_WQE_CTRL_DS_MASK * MLX5_WQE_DS_UNITS)

size_t mlx5_ib_send_wqe_length(const void *wqe);
int mlx5_ib_send_segments(enum ib_qp_type type, const void *wqe, struct mlx5_ib_segments *segments);
bool mlx5_ib_next_segment(struct mlx5_ib_segments *segments, struct mlx5_ib_segment *segment);

/* queue.c: work requests in a process's queues */
int mlx5_ib_read_send(struct mlx5_ib_qp *qp, u16 index, void *wqe);
int mlx5_ib_read_receive(struct mlx5_ib_qp *qp, u16 index, void *wqe, size_t size);
int mlx5_ib_read_shared(struct mlx5_ib_srq *srq, u16 index, void *wqe, size_t size);

/* fault_wqe.c, fault_key.c: the answers to faults */
void mlx5_ib_fault_by_wqe(struct mlx5_ib_dev *dev, struct mlx5_ib_fault *fault);
void mlx5_ib_fault_by_rdma(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault);
void mlx5_ib_fault_by_memory(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault);

/* key.c: from a key to regions */
struct mlx5_ib_mkey *mlx5_ib_key_find(struct mlx5_ib_dev *dev, u32 key);
int mlx5_ib_fault_key(struct mlx5_ib_dev *dev, u32 key, u64 va, u64 length);

/* pages.c: pages of regions of all kinds */
enum mlx5_ib_paging {
	MLX5_IB_READ_ONLY = BIT(0), /* don't make pages writable that aren't */
	MLX5_IB_SNAPSHOT = BIT(1),  /* only those that are there */
};

int mlx5_ib_page_in(struct mlx5_ib_mr *mr, u64 va, u64 length, unsigned int how);
int mlx5_ib_page_in_range(struct mlx5_ib_mr *mr, u64 address, u64 length, unsigned int how);
u64 mlx5_ib_paging_access(struct ib_umem *umem, unsigned int how);

/* invalidate.c, run.c */
extern const struct mmu_interval_notifier_ops mlx5_ib_odp_notifier;
u64 mlx5_ib_next_run(const dma_addr_t *list, u64 *first, u64 end);

/* implicit.c, child.c */

/* Of a part of an implicit region; an entry of the region's translation stands for one. */
#define MLX5_IB_CHILD_SHIFT 30
#define MLX5_IB_CHILD_SIZE BIT_ULL(MLX5_IB_CHILD_SHIFT)

struct mlx5_ib_mr *mlx5_ib_implicit_reg(struct mlx5_ib_pd *pd, u32 access);
int mlx5_ib_implicit_page_in(struct mlx5_ib_mr *mr, u64 va, u64 length, unsigned int how);
int mlx5_ib_implicit_write(struct mlx5_ib_mr *mr, u64 first, u64 count);
u64 mlx5_ib_implicit_entries(void);
struct mlx5_ib_mr *mlx5_ib_child_get(struct mlx5_ib_mr *mr, unsigned long index, bool *is_new);
void mlx5_ib_child_unused(struct mlx5_ib_mr *child);
int mlx5_ib_children_destroy(struct mlx5_ib_mr *mr);

/* caps.c */
bool mlx5_ib_odp_supported(struct mlx5_ib_dev *dev);
bool mlx5_ib_odp_implicit_supported(struct mlx5_ib_dev *dev);

/* advise.c */
int mlx5_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		      struct ib_sge *list, u32 count, struct uverbs_attr_bundle *attrs);

/* stat.c */
int mlx5_ib_fill_mr(struct sk_buff *msg, struct ib_mr *ibmr);
int mlx5_ib_fill_mr_stat(struct sk_buff *msg, struct ib_mr *ibmr);

/**
 * struct mlx5_ib_odp - page faults of an adapter
 * @dev: the adapter
 * @start: held while @eq is made
 * @eq: where the device writes faults; NULL until it's needed for the first time
 * @interrupt: for @eq
 * @lock: guards the reading of @eq
 * @starved: reads on where there was no memory in the interrupt
 * @faults: deals with them
 * @others: prefetches, and ends of children: what can take long, and isn't what a device waits for
 */
struct mlx5_ib_odp {
	struct mlx5_ib_dev *dev;
	struct mutex start; /* see above */
	struct mlx5_eq *eq;
	struct notifier_block interrupt;
	spinlock_t lock; /* see above */
	struct work_struct starved;
	struct workqueue_struct *faults;
	struct workqueue_struct *others;
};

#endif
