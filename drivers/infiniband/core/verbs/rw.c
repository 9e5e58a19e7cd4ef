// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * RDMA READs and WRITEs of any length, for storage targets and the like: a context holds the WRs of
 * one transfer between a scatterlist and remote memory.
 */

#include <linux/slab.h>

#include "verbs.h"

/* Goes to the entry in which @io starts. Returns false if that is behind the end. */
static bool skip_offset(struct rdma_rw_io *io)
{
	while (io->nents && io->offset >= sg_dma_len(io->sg)) {
		io->offset -= sg_dma_len(io->sg);
		io->sg = sg_next(io->sg);
		io->nents--;
	}
	return io->nents;
}

static int build(struct rdma_rw_ctx *ctx, const struct rdma_rw_io *io)
{
	int ret;

	if (rdma_rw_needs_mr(io)) {
		ret = rdma_rw_build_registered(ctx, *io);
		/* Where MRs are only faster, one without does when there are none left. */
		if (ret != -EAGAIN || rdma_rw_must_use_mr(io))
			return ret;
	}
	return io->nents == 1 ? rdma_rw_build_single(ctx, io) : rdma_rw_build_plain(ctx, io);
}

/**
 * rdma_rw_ctx_init - prepare a transfer
 * @ctx: returns the transfer
 * @qp: the QP, created with cap.max_rdma_ctxs
 * @port_num: its port
 * @sg: local memory; mapped for DMA here
 * @sg_cnt: entries of @sg
 * @sg_offset: where in the list the transfer starts, bytes
 * @remote_addr: remote address, relative to @rkey
 * @rkey: remote key
 * @dir: DMA_TO_DEVICE to WRITE, DMA_FROM_DEVICE to READ
 *
 * Context: Sleeps.
 * Return: the number of WRs that it takes, or a negative errno: -EIO if the list isn't as long as
 * @sg_offset, -EINVAL if it can't be described by MRs, -EAGAIN if there is no MR left, -ENOMEM;
 * errors of mapping.
 */
int rdma_rw_ctx_init(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port_num,
		     struct scatterlist *sg, u32 sg_cnt, u32 sg_offset, u64 remote_addr, u32 rkey,
		     enum dma_data_direction dir)
{
	struct sg_table table = { .sgl = sg, .orig_nents = sg_cnt };
	struct ib_device *device = qp->pd->device;
	struct rdma_rw_io io = {
		.qp = qp,
		.port_num = port_num,
		.sg = sg,
		.offset = sg_offset,
		.remote_addr = remote_addr,
		.rkey = rkey,
		.dir = dir,
	};
	int ret;

	ret = ib_dma_map_sgtable_attrs(device, &table, dir, 0);
	if (ret)
		return ret;
	io.nents = table.nents;

	ret = WARN_ON_ONCE(!skip_offset(&io)) ? -EIO : build(ctx, &io);
	if (ret < 0)
		ib_dma_unmap_sgtable_attrs(device, &table, dir, 0);
	return ret;
}
EXPORT_SYMBOL(rdma_rw_ctx_init);

/*
 * A new key, and the memory of whether it'll have to be invalidated. Not before the WRs are posted:
 * a transfer may be prepared and given up.
 */
static void renew_key(struct rdma_rw_reg_ctx *reg)
{
	struct ib_mr *mr = reg->mr;

	mr->need_inval = reg->wr.wr.opcode != IB_WR_RDMA_READ_WITH_INV;
	ib_update_fast_reg_key(mr, ib_inc_rkey(mr->lkey));
	reg->reg_wr.key = mr->lkey;
	reg->sge.lkey = mr->lkey;
	if (reg->wr.wr.opcode == IB_WR_RDMA_READ_WITH_INV)
		reg->wr.wr.ex.invalidate_rkey = mr->lkey;
}

/* The ends of the chain of @ctx. */
static void find_ends(struct rdma_rw_ctx *ctx, struct ib_send_wr **first, struct ib_send_wr **last)
{
	switch (ctx->type) {
	case RDMA_RW_SINGLE:
		*first = &ctx->single.wr.wr;
		*last = *first;
		break;
	case RDMA_RW_PLAIN:
		*first = &ctx->map.wrs[0].wr;
		*last = &ctx->map.wrs[ctx->nr_ops - 1].wr;
		break;
	default:
		*first = rdma_rw_first_wr(&ctx->reg[0]);
		*last = &ctx->reg[ctx->nr_ops - 1].wr.wr;
		break;
	}
}

/**
 * rdma_rw_ctx_wrs - the WRs of a transfer, to be posted now
 * @ctx: the transfer
 * @qp: its QP
 * @port_num: its port
 * @cqe: gets the completion of the last WR, unless there's a @chain_wr
 * @chain_wr: WRs to be appended, or NULL
 *
 * Context: Any.
 * Return: the first of them.
 */
struct ib_send_wr *rdma_rw_ctx_wrs(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port_num,
				   struct ib_cqe *cqe, struct ib_send_wr *chain_wr)
{
	struct ib_send_wr *first, *last;
	u32 i;

	if (ctx->type == RDMA_RW_REGISTERED || ctx->type == RDMA_RW_SIGNATURE)
		for (i = 0; i < ctx->nr_ops; i++)
			renew_key(&ctx->reg[i]);

	find_ends(ctx, &first, &last);
	if (chain_wr) {
		last->next = chain_wr;
	} else {
		last->wr_cqe = cqe;
		last->send_flags |= IB_SEND_SIGNALED;
	}
	return first;
}
EXPORT_SYMBOL(rdma_rw_ctx_wrs);

/**
 * rdma_rw_ctx_post - post a transfer
 * @ctx: the transfer
 * @qp: its QP
 * @port_num: its port
 * @cqe: gets the completion of the last WR, unless there's a @chain_wr
 * @chain_wr: WRs to be posted behind it, or NULL
 *
 * Context: Any.
 * Return: 0, or what the driver returns.
 */
int rdma_rw_ctx_post(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port_num, struct ib_cqe *cqe,
		     struct ib_send_wr *chain_wr)
{
	return ib_post_send(qp, rdma_rw_ctx_wrs(ctx, qp, port_num, cqe, chain_wr), NULL);
}
EXPORT_SYMBOL(rdma_rw_ctx_post);

/**
 * rdma_rw_ctx_destroy - release what rdma_rw_ctx_init() took
 * @ctx: the transfer, completed or never posted
 * @qp: its QP
 * @port_num: its port
 * @sg: its local memory
 * @sg_cnt: entries of @sg
 * @dir: its direction
 *
 * Context: Any where DMA can be unmapped.
 */
void rdma_rw_ctx_destroy(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port_num,
			 struct scatterlist *sg, u32 sg_cnt, enum dma_data_direction dir)
{
	switch (ctx->type) {
	case RDMA_RW_SINGLE:
		break;
	case RDMA_RW_PLAIN:
		kfree(ctx->map.wrs);
		kfree(ctx->map.sges);
		break;
	case RDMA_RW_REGISTERED:
		rdma_rw_free_registered(ctx, qp);
		break;
	default:
		WARN_ON_ONCE(1);
		return;
	}
	ib_dma_unmap_sg(qp->pd->device, sg, sg_cnt, dir);
}
EXPORT_SYMBOL(rdma_rw_ctx_destroy);
