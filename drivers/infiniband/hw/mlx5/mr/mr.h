/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Memory keys: what the files of this folder ask of each other.
 *
 * A key is an entry of the device's table: whose it is, what may be done through it, and a
 * translation from its addresses to the bus's. A free key is one that the device refuses. What's in
 * a key changes by a command, or by a work request of a certain kind (UMR, "user mode
 * registration"), which is much faster, and can be waited for without the firmware.
 */
#ifndef RDMA_MLX5_MR_H
#define RDMA_MLX5_MR_H

#include "../mlx5.h"

/* Translations are counted in units of so many bytes, */
#define MLX5_IB_OCTWORD 16
/* and the device copies them by blocks of so many. */
#define MLX5_IB_LIST_BLOCK MLX5_UMR_FLEX_ALIGNMENT

/* An entry's low bits: the device may read the page, write it. */
#define MLX5_IB_ENTRY_READ BIT_ULL(0)
#define MLX5_IB_ENTRY_WRITE BIT_ULL(1)

static inline u32 mlx5_ib_entry_size(u32 access_mode)
{
	return access_mode == MLX5_MKC_ACCESS_MODE_MTT ? sizeof(struct mlx5_mtt) :
							 sizeof(struct mlx5_klm);
}

/* blocks.c */

/**
 * struct mlx5_ib_blocks - a walk over a mapped scatter list, by aligned blocks of one size
 * @sg: where it is
 * @at: the next block
 * @end: of what @sg maps
 * @size: of a block, bytes, a power of 2
 */
struct mlx5_ib_blocks {
	struct scatterlist *sg;
	u64 at;
	u64 end;
	u64 size;
};

void mlx5_ib_blocks_start(struct mlx5_ib_blocks *blocks, struct scatterlist *sg, u64 skip,
			  u64 size);
void mlx5_ib_blocks_put(struct mlx5_ib_blocks *blocks, __be64 *list, u64 count, u64 flags);
unsigned long mlx5_ib_page_sizes(unsigned int log_bits, unsigned int smallest);
unsigned long mlx5_ib_quantize(unsigned long sizes, unsigned long size, u64 address,
			       unsigned int offset_bits, unsigned int *page_offset);

/* umem.c */
unsigned long mlx5_ib_mkey_page_size(struct mlx5_ib_dev *dev, struct ib_umem *umem, u64 iova);
void mlx5_ib_umem_walk(struct ib_umem *umem, unsigned long page_size,
		       struct mlx5_ib_blocks *blocks);

/**
 * struct mlx5_ib_relaxed - what PCIe may reorder
 * @write: writes
 * @read: reads
 */
struct mlx5_ib_relaxed {
	bool write;
	bool read;
};

/**
 * struct mlx5_ib_mkc - what's in a key, as far as it's the same for all kinds
 * @pdn: protection domain
 * @access: IB_ACCESS_*
 * @relaxed: what PCIe may reorder
 * @variant: low byte of the key
 * @free: the device refuses it
 * @whole: all addresses, whatever @length is
 * @iova: where it begins
 * @length: bytes
 * @page_shift: log2 of what an entry of its translation stands for
 */
struct mlx5_ib_mkc {
	u32 pdn;
	u32 access;
	struct mlx5_ib_relaxed relaxed;
	u8 variant;
	bool free;
	bool whole;
	u64 iova;
	u64 length;
	u32 page_shift;
};

/* The bits of struct mlx5_mkey_seg that <linux/mlx5/device.h> has no names for. */
#define MLX5_IB_MKEY_RELAXED_WRITE BIT(2) /* of pcie_control */
#define MLX5_IB_MKEY_RELAXED_READ BIT(6) /* of log2_page_size */
#define MLX5_IB_MKEY_WHOLE BIT(31) /* of flags_pd */
#define MLX5_IB_MKEY_MODE_HIGH 2 /* of status: where bits 4:2 of the access mode are */
static_assert(sizeof(struct mlx5_mkey_seg) == MLX5_ST_SZ_BYTES(mkc));

static inline u8 mlx5_ib_mkey_rights(u32 access)
{
	return MLX5_PERM_LOCAL_READ |
	       (access & IB_ACCESS_LOCAL_WRITE ? MLX5_PERM_LOCAL_WRITE : 0) |
	       (access & IB_ACCESS_REMOTE_READ ? MLX5_PERM_REMOTE_READ : 0) |
	       (access & IB_ACCESS_REMOTE_WRITE ? MLX5_PERM_REMOTE_WRITE : 0) |
	       (access & IB_ACCESS_REMOTE_ATOMIC ? MLX5_PERM_ATOMIC : 0);
}

/*
 * Fills in what all kinds of keys have, of a context that is zeros so far. It's the same for
 * commands and for work requests; and here, so that a value that is known costs nothing.
 */
static inline void mlx5_ib_mkc_put(void *mkc, const struct mlx5_ib_mkc *values)
{
	struct mlx5_mkey_seg *segment = mkc;

	segment->status = values->free ? MLX5_MKEY_STATUS_FREE : 0;
	segment->pcie_control = values->relaxed.write ? MLX5_IB_MKEY_RELAXED_WRITE : 0;
	segment->flags = mlx5_ib_mkey_rights(values->access);
	/* Of all queue pairs. */
	segment->qpn_mkey7_0 = cpu_to_be32(0xffffff00 | values->variant);
	segment->flags_pd = cpu_to_be32((values->whole ? MLX5_IB_MKEY_WHOLE : 0) | values->pdn);
	segment->start_addr = cpu_to_be64(values->iova);
	segment->len = cpu_to_be64(values->length);
	segment->log2_page_size = values->page_shift |
				  (values->relaxed.read ? MLX5_IB_MKEY_RELAXED_READ : 0);
}

/*
 * A key with a translation, that can be changed by work requests; after mlx5_ib_mkc_put().
 * @access_mode: what the translation consists of; @entries: room for so many, rounded up to what
 * the device copies at once.
 */
static inline void mlx5_ib_mkc_put_list(void *mkc, u32 access_mode, u64 entries)
{
	u64 bytes = ALIGN(entries * mlx5_ib_entry_size(access_mode), MLX5_IB_LIST_BLOCK);
	struct mlx5_mkey_seg *segment = mkc;

	segment->status |= access_mode >> 2 << MLX5_IB_MKEY_MODE_HIGH;
	segment->flags |= MLX5_PERM_UMR_EN | (access_mode & 3);
	segment->xlt_oct_size = cpu_to_be32(bytes / MLX5_IB_OCTWORD);
}

/* access.c */
struct mlx5_ib_relaxed mlx5_ib_relaxed(struct mlx5_ib_dev *dev, u32 access);
u32 mlx5_ib_fixed_access(struct mlx5_ib_dev *dev, u32 access);

/* umr_wqe.c */

/**
 * struct mlx5_ib_umr_wqe - a work request that changes a key, but for its control segment
 * @umr: what changes
 * @mkc: the new values
 * @data: where the new entries are
 * @list: or the entries themselves
 */
struct mlx5_ib_umr_wqe {
	struct mlx5_wqe_umr_ctrl_seg umr;
	u32 mkc[MLX5_ST_SZ_DW(mkc)];
	union {
		struct mlx5_wqe_data_seg data;
		u8 list[MLX5_IB_LIST_BLOCK] __aligned(sizeof(u64));
	};
};

/* What a work request changes. */
#define MLX5_IB_UMR_FREE BIT(0)
#define MLX5_IB_UMR_VARIANT BIT(1)
#define MLX5_IB_UMR_PD BIT(2)
#define MLX5_IB_UMR_ACCESS BIT(3)
#define MLX5_IB_UMR_RANGE BIT(4)

/* Which rights of a key the device changes, and whether it knows page sizes from 2^32 on. */
struct mlx5_ib_umr_caps {
	bool atomic;
	bool relaxed_write;
	bool relaxed_read;
	bool huge_pages;
};

u64 mlx5_ib_umr_mask(u32 changes, const struct mlx5_ib_umr_caps *caps);
void mlx5_ib_umr_put_list(struct mlx5_ib_umr_wqe *wqe, u64 offset, bool whole, u32 bytes);
void mlx5_ib_umr_put_inline(struct mlx5_ib_umr_wqe *wqe, u32 bytes);
size_t mlx5_ib_umr_length(const struct mlx5_ib_umr_wqe *wqe);

/* umr_queue.c */

/**
 * struct mlx5_ib_umr - the queue for work requests that change keys
 * @start_lock: held while all below is made
 * @pd: free keys are in it, so that no queue pair of a consumer could use one
 * @cq: its completions
 * @qp: NULL until it's needed for the first time
 * @slots: work requests that @qp has room for
 * @caps: what can be changed
 * @lock: read: a work request is under way; write: there is none, and @qp may be reset, whose mutex
 *	is inside
 * @broken: a work request failed, so that @qp takes no more; set with @lock for reading
 * @spare: a page, for lists when there's no other memory
 * @spare_lock: held by who uses it; inside it a work request is waited for
 */
struct mlx5_ib_umr {
	struct mutex start_lock; /* outside of all others */
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_qp *qp;
	struct semaphore slots;
	struct mlx5_ib_umr_caps caps;
	struct rw_semaphore lock;
	bool broken;
	void *spare;
	struct mutex spare_lock; /* outside of @lock */
};

int mlx5_ib_umr_start(struct mlx5_ib_dev *dev);
int mlx5_ib_umr_run(struct mlx5_ib_dev *dev, u32 key, const struct mlx5_ib_umr_wqe *wqe);

/* umr.c */
void mlx5_ib_umr_caps(struct mlx5_core_dev *mdev, struct mlx5_ib_umr_caps *caps);
bool mlx5_ib_umr_can_enable(struct mlx5_ib_dev *dev, u64 entries);
int mlx5_ib_umr_revoke(struct mlx5_ib_mr *mr);
int mlx5_ib_umr_restore(struct mlx5_ib_mr *mr);
int mlx5_ib_umr_change(struct mlx5_ib_mr *mr, struct mlx5_ib_pd *pd, u32 access);

/* bins.c */

#define MLX5_IB_BIN_FIRST_ORDER 3
#define MLX5_IB_BIN_LAST_ORDER 22
#define MLX5_IB_BIN_ORDERS (MLX5_IB_BIN_LAST_ORDER - MLX5_IB_BIN_FIRST_ORDER + 1)
#define MLX5_IB_BIN_MODES 2
#define MLX5_IB_BIN_RIGHTS 4
#define MLX5_IB_BINS (MLX5_IB_BIN_MODES * MLX5_IB_BIN_RIGHTS * MLX5_IB_BIN_ORDERS)

/**
 * struct mlx5_ib_bin_kind - what all keys of a bin have in common, as it can't be changed
 * @access_mode: MLX5_MKC_ACCESS_MODE_MTT or _KSM
 * @access: of IB_ACCESS_REMOTE_ATOMIC and IB_ACCESS_RELAXED_ORDERING those that they have
 * @entries: room in their translations
 */
struct mlx5_ib_bin_kind {
	u32 access_mode;
	u32 access;
	u64 entries;
};

int mlx5_ib_bin_of(const struct mlx5_ib_bin_kind *wanted);
struct mlx5_ib_bin_kind mlx5_ib_bin_kind(int bin);
u32 mlx5_ib_bin_room(int bin);
u32 mlx5_ib_bin_reserve(int bin, const struct mlx5_profile *profile);
u32 mlx5_ib_bin_surplus(u32 count, u32 idle);

/* cache.c */
int mlx5_ib_cache_take(struct mlx5_ib_dev *dev, const struct mlx5_ib_bin_kind *wanted,
		       struct mlx5_ib_mr *mr);
bool mlx5_ib_cache_put(struct mlx5_ib_mr *mr);
void mlx5_ib_cache_drain(struct mlx5_ib_dev *dev);
u8 mlx5_ib_next_variant(struct mlx5_ib_dev *dev);

/* region.c */
struct ib_mr *mlx5_ib_region_of_umem(struct mlx5_ib_pd *pd, struct ib_umem *umem, u64 iova,
				     u32 access);
void mlx5_ib_region_describe(struct mlx5_ib_mr *mr, struct ib_umem *umem, u64 iova,
			     u32 page_shift);
bool mlx5_ib_is_paged(const struct mlx5_ib_mr *mr);
bool mlx5_ib_is_moving_dmabuf(const struct mlx5_ib_mr *mr);
void mlx5_ib_count_pages(struct mlx5_ib_dev *dev, struct ib_umem *umem, int sign);

/* klm_list.c */
u32 mlx5_ib_klm_list(struct mlx5_klm *list, u32 max, struct scatterlist *sgl, int nents,
		     unsigned int offset, u32 lkey, u64 *length);

/* reg.c, rereg.c, dmabuf.c, dma.c, fast.c */
struct ib_mr *mlx5_ib_get_dma_mr(struct ib_pd *ibpd, int access);
struct ib_mr *mlx5_ib_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length, u64 iova, int access,
				  struct ib_udata *udata);
struct ib_mr *mlx5_ib_rereg_user_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 iova,
				    int access, struct ib_pd *ibpd, struct ib_udata *udata);
struct ib_mr *mlx5_ib_reg_dmabuf(struct ib_pd *ibpd, u64 offset, u64 length, u64 iova, int fd,
				 int access, struct uverbs_attr_bundle *attrs);
int mlx5_ib_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata);
struct ib_mr *mlx5_ib_alloc_fast(struct ib_pd *ibpd, enum ib_mr_type type, u32 max_num_sg);
int mlx5_ib_map_fast(struct ib_mr *ibmr, struct scatterlist *sg, int nents, unsigned int *offset);
void mlx5_ib_free_fast_list(struct mlx5_ib_mr *mr);

#endif
