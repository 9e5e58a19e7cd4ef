// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RDMA READs and WRITEs straight on DMA addresses. */

#include <linux/slab.h>

#include "verbs.h"

static void fill_sge(struct ib_sge *sge, const struct rdma_rw_io *io, struct scatterlist *sg,
		     u32 offset)
{
	sge->addr = sg_dma_address(sg) + offset;
	sge->length = sg_dma_len(sg) - offset;
	sge->lkey = io->qp->pd->local_dma_lkey;
}

static void fill_wr(struct ib_rdma_wr *wr, const struct rdma_rw_io *io, struct ib_sge *sges,
		    u32 num_sge, u64 done)
{
	*wr = (struct ib_rdma_wr) {
		.wr.opcode = rdma_rw_opcode(io->dir),
		.wr.sg_list = sges,
		.wr.num_sge = num_sge,
		.remote_addr = io->remote_addr + done,
		.rkey = io->rkey,
	};
}

int rdma_rw_build_single(struct rdma_rw_ctx *ctx, const struct rdma_rw_io *io)
{
	ctx->type = RDMA_RW_SINGLE;
	ctx->nr_ops = 1;
	fill_sge(&ctx->single.sge, io, io->sg, io->offset);
	fill_wr(&ctx->single.wr, io, &ctx->single.sge, 1, 0);
	return 1;
}

static void fill_sges(struct ib_sge *sge, const struct rdma_rw_io *io)
{
	u32 offset = io->offset;
	struct scatterlist *sg;
	u32 i;

	for_each_sg(io->sg, sg, io->nents, i) {
		fill_sge(sge++, io, sg, offset);
		offset = 0;
	}
}

int rdma_rw_build_plain(struct rdma_rw_ctx *ctx, const struct rdma_rw_io *io)
{
	u32 max_sge = io->dir == DMA_TO_DEVICE ? io->qp->max_write_sge : io->qp->max_read_sge;
	struct ib_rdma_wr *wr;
	u32 first, num, i;
	u64 done = 0;

	ctx->type = RDMA_RW_PLAIN;
	ctx->nr_ops = DIV_ROUND_UP(io->nents, max_sge);
	ctx->map.sges = kcalloc(io->nents, sizeof(*ctx->map.sges), GFP_KERNEL);
	if (!ctx->map.sges)
		return -ENOMEM;
	ctx->map.wrs = kcalloc(ctx->nr_ops, sizeof(*ctx->map.wrs), GFP_KERNEL);
	if (!ctx->map.wrs) {
		kfree(ctx->map.sges);
		return -ENOMEM;
	}

	fill_sges(ctx->map.sges, io);
	wr = ctx->map.wrs;
	for (first = 0; first < io->nents; first += num, wr++) {
		num = min(max_sge, io->nents - first);
		fill_wr(wr, io, &ctx->map.sges[first], num, done);
		for (i = first; i < first + num; i++)
			done += ctx->map.sges[i].length;
		if (first + num < io->nents)
			wr->wr.next = &wr[1].wr;
	}
	return ctx->nr_ops;
}
