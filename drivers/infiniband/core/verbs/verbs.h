/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The verbs objects: what one file of this folder asks of another.
 *
 * Who owns what. ib_core allocates PD, AH, CQ, QP, SRQ and XRCD, in the size that the driver
 * declared, and frees them; the driver allocates and frees MR and WQ. User PDs and CQs are the
 * exception: ib_uverbs allocates them, we free them. An object counts its users in usecnt:
 *
 *	pd	AH, QP, SRQ, MR, WQ		cq	QP (send and receive each), SRQ, WQ
 *	srq	QP				xrcd	SRQ, shared QP
 *	qp	multicast attachments, and for a shared QP its handles
 *
 * Destroying an object in use is -EBUSY (but for PDs, whose user ib_uverbs checks). User objects
 * may be refused by the driver, too; then the object, what it refers to and its entry in resource
 * tracking stay as they were.
 *
 * Locks:
 *
 *  ib_device.cq_pools_lock	the pools' lists and cqe_used of the CQs in them. irqsave.
 *  ib_device.qp_open_list_lock	open_list of shared QPs. Drivers report events from interrupts, and
 *				handlers of ib_uverbs run under it. irqsave.
 *  ib_xrcd.tgt_qps_rwsem	which shared QPs can be opened; write-held while a handle is closed,
 *				so that none is opened on a QP whose last handle goes away. Outside
 *				of qp_open_list_lock.
 *  ib_qp.mr_lock		MR pools of a QP, and mrs_used. irqsave.
 *
 * None of these spinlocks is taken while another is held.
 */
#ifndef RDMA_VERBS_VERBS_H
#define RDMA_VERBS_VERBS_H

#include <rdma/rw.h>

#include "../core.h"

/*
 * The second half of a tracked object's destruction, after rdma_restrack_begin_del(): @err is the
 * driver's answer. On an error the object is there as before; else it may be freed.
 */
static inline int rdma_end_destroy(struct rdma_restrack_entry *res, int err)
{
	if (err)
		rdma_restrack_abort_del(res);
	else
		rdma_restrack_commit_del(res);
	return err;
}

/* --- ah_attr.c */

/*
 * Checks an address and, if it has a GRH but names its source GID only by index, looks the GID up.
 * Then *@filled is set, and rdma_ah_unfill_sgid() gives the reference back and leaves the caller's
 * address as it was.
 */
int rdma_ah_fill_sgid(struct ib_device *device, struct rdma_ah_attr *ah_attr, bool *filled);
static inline void rdma_ah_unfill_sgid(struct rdma_ah_attr *ah_attr, bool filled)
{
	if (filled)
		rdma_destroy_ah_attr(ah_attr);
}

/*
 * Exchanges an object's reference to its source GID for one to that of its new address. One that
 * was looked up for this call is the object's then, and no longer the address's.
 */
void rdma_ah_keep_sgid(const struct ib_gid_attr **kept, struct rdma_ah_attr *ah_attr, bool filled);

/* --- ah_dmac.c: destination MAC and hop limit of a RoCE address whose sgid_attr is filled in */

int rdma_ah_resolve_dmac(struct rdma_ah_attr *ah_attr);
int rdma_ah_resolve_unicast_dmac(struct rdma_ah_attr *ah_attr);

/* --- cq_poll.c: how completions of a CQ from ib_alloc_cq() get to their handlers */

/* Before the driver creates the CQ: from then on it may call comp_handler. */
int rdma_cq_poll_init(struct ib_cq *cq);
void rdma_cq_poll_arm(struct ib_cq *cq);
/* The handlers are not running, and won't be called, after this. Sleeps. */
void rdma_cq_poll_stop(struct ib_cq *cq);

/* --- cq_dim.c: interrupt moderation that adapts to the load */

void rdma_cq_dim_init(struct ib_cq *cq);
void rdma_cq_dim_destroy(struct ib_cq *cq);

/* --- qp_create.c, qp_shared.c */

struct ib_qp *rdma_qp_create(struct ib_device *device, struct ib_pd *pd,
			     struct ib_qp_init_attr *attr, struct ib_udata *udata,
			     struct ib_uqp_object *uobject, const char *caller);

/* An event handler: hands a shared QP's event to each of its handles. */
void rdma_shared_qp_event(struct ib_event *event, void *context);
/* A new shared QP's first handle; the QP can then be opened by number. */
struct ib_qp *rdma_share_qp(struct ib_qp *real_qp, struct ib_qp_init_attr *attr);
/*
 * Closes a handle, and with the last one destroys the shared QP: 0, or the driver's errno, and it's
 * still open.
 */
int rdma_destroy_shared_qp(struct ib_qp *handle);

/* --- mr.c */

/* What ib_core has to know of an MR that the driver has just allocated for the kernel. */
void rdma_mr_adopt(struct ib_mr *mr, struct ib_pd *pd, enum ib_mr_type type,
		   struct ib_sig_attrs *sig_attrs);

/* --- rw_*.c: one RDMA READ or WRITE of any length, as work requests */

/* What rdma_rw_ctx.type says: which member of its union is in use. */
enum rdma_rw_type {
	RDMA_RW_SINGLE,		/* one WR of one SGE */
	RDMA_RW_PLAIN,		/* WRs on the DMA addresses */
	RDMA_RW_REGISTERED,	/* WRs on MRs, each registered by a WR before it */
	RDMA_RW_SIGNATURE,	/* one MR of data and protection information */
};

/**
 * struct rdma_rw_io - a transfer between local DMA-mapped and remote memory
 * @qp: whose send queue it goes to
 * @port_num: the port of @qp
 * @sg: the first scatterlist entry of the transfer
 * @nents: DMA-mapped entries from @sg on
 * @offset: where in @sg the transfer starts, bytes
 * @remote_addr: remote address, relative to @rkey
 * @rkey: remote key
 * @dir: DMA_TO_DEVICE is a WRITE, DMA_FROM_DEVICE a READ
 */
struct rdma_rw_io {
	struct ib_qp *qp;
	u32 port_num;
	struct scatterlist *sg;
	u32 nents;
	u32 offset;
	u64 remote_addr;
	u32 rkey;
	enum dma_data_direction dir;
};

/* These fill in a context. They return the number of WRs that it takes, or a negative errno. */
int rdma_rw_build_single(struct rdma_rw_ctx *ctx, const struct rdma_rw_io *io);
int rdma_rw_build_plain(struct rdma_rw_ctx *ctx, const struct rdma_rw_io *io);
int rdma_rw_build_registered(struct rdma_rw_ctx *ctx, struct rdma_rw_io io);
void rdma_rw_free_registered(struct rdma_rw_ctx *ctx, struct ib_qp *qp);

static inline enum ib_wr_opcode rdma_rw_opcode(enum dma_data_direction dir)
{
	return dir == DMA_TO_DEVICE ? IB_WR_RDMA_WRITE : IB_WR_RDMA_READ;
}

/*
 * Parts of rw_mr.c that rw_signature.c shares. rdma_rw_prepare_mr() links the invalidation of the
 * MR's last key, if it's due, and the registration, and returns their number.
 */
int rdma_rw_prepare_mr(struct rdma_rw_reg_ctx *reg, struct ib_qp *qp, u32 port_num,
		       enum ib_wr_opcode opcode);
struct ib_send_wr *rdma_rw_first_wr(struct rdma_rw_reg_ctx *reg);

/* Policy, rw_size.c. */
bool rdma_rw_needs_mr(const struct rdma_rw_io *io);
bool rdma_rw_must_use_mr(const struct rdma_rw_io *io);
u32 rdma_rw_pages_per_mr(struct ib_device *device, bool integrity);

#endif
