// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * RDMA READs and WRITEs on MRs. For each MR there is a chain of WRs: invalidate its last key, if
 * nobody has done that; register it; transfer.
 */

#include <linux/slab.h>

#include "verbs.h"

/* Where @reg's chain begins. */
struct ib_send_wr *rdma_rw_first_wr(struct rdma_rw_reg_ctx *reg)
{
	return reg->inv_wr.next ? &reg->inv_wr : &reg->reg_wr.wr;
}

int rdma_rw_prepare_mr(struct rdma_rw_reg_ctx *reg, struct ib_qp *qp, u32 port_num,
		       enum ib_wr_opcode opcode)
{
	reg->reg_wr.wr.opcode = opcode;
	reg->reg_wr.wr.next = &reg->wr.wr;
	reg->reg_wr.mr = reg->mr;
	reg->reg_wr.key = reg->mr->lkey;
	reg->reg_wr.access = IB_ACCESS_LOCAL_WRITE;
	/* The data of an iWARP READ come as a remote WRITE. */
	if (rdma_protocol_iwarp(qp->device, port_num))
		reg->reg_wr.access |= IB_ACCESS_REMOTE_WRITE;
	reg->sge.addr = reg->mr->iova;
	reg->sge.length = reg->mr->length;

	if (!reg->mr->need_inval)
		return 1;
	reg->inv_wr.opcode = IB_WR_LOCAL_INV;
	reg->inv_wr.ex.invalidate_rkey = reg->mr->lkey;
	reg->inv_wr.next = &reg->reg_wr.wr;
	return 2;
}

static void fill_transfer(struct rdma_rw_reg_ctx *reg, const struct rdma_rw_io *io)
{
	reg->wr.wr.opcode = rdma_rw_opcode(io->dir);
	if (io->dir == DMA_FROM_DEVICE && rdma_cap_read_inv(io->qp->device, io->port_num)) {
		reg->wr.wr.opcode = IB_WR_RDMA_READ_WITH_INV;
		reg->wr.wr.ex.invalidate_rkey = reg->mr->lkey;
	}
	reg->wr.wr.sg_list = &reg->sge;
	reg->wr.wr.num_sge = 1;
	reg->wr.remote_addr = io->remote_addr;
	reg->wr.rkey = io->rkey;
}

/* Takes @nents entries from the front of @io into an MR. Returns the number of WRs. */
static int build_one(struct rdma_rw_reg_ctx *reg, struct rdma_rw_io *io, u32 nents)
{
	struct ib_qp *qp = io->qp;
	unsigned int offset = io->offset;
	int ret;

	reg->mr = ib_mr_pool_get(qp, &qp->rdma_mrs);
	if (!reg->mr)
		return -EAGAIN;
	ret = ib_map_mr_sg(reg->mr, io->sg, nents, &offset, PAGE_SIZE);
	if (ret < (int)nents) {
		ib_mr_pool_put(qp, &qp->rdma_mrs, reg->mr);
		return -EINVAL;
	}

	ret = rdma_rw_prepare_mr(reg, qp, io->port_num, IB_WR_REG_MR);
	fill_transfer(reg, io);

	io->remote_addr += reg->sge.length;
	io->nents -= nents;
	io->offset = 0;
	while (nents--)
		io->sg = sg_next(io->sg);
	return ret + 1;
}

static void put_mrs(struct rdma_rw_reg_ctx *reg, u32 nr, struct ib_qp *qp)
{
	while (nr--)
		ib_mr_pool_put(qp, &qp->rdma_mrs, reg[nr].mr);
	kfree(reg);
}

int rdma_rw_build_registered(struct rdma_rw_ctx *ctx, struct rdma_rw_io io)
{
	u32 pages = rdma_rw_pages_per_mr(io.qp->device, io.qp->integrity_en);
	struct rdma_rw_reg_ctx *reg;
	int ret, nr_wrs = 0;
	u32 i;

	ctx->type = RDMA_RW_REGISTERED;
	ctx->nr_ops = DIV_ROUND_UP(io.nents, pages);
	ctx->reg = kcalloc(ctx->nr_ops, sizeof(*ctx->reg), GFP_KERNEL);
	if (!ctx->reg)
		return -ENOMEM;

	for (i = 0; i < ctx->nr_ops; i++) {
		reg = &ctx->reg[i];
		ret = build_one(reg, &io, min(io.nents, pages));
		if (ret < 0) {
			put_mrs(ctx->reg, i, io.qp);
			return ret;
		}
		nr_wrs += ret;
		if (i)
			reg[-1].wr.wr.next = rdma_rw_first_wr(reg);
	}
	return nr_wrs;
}

void rdma_rw_free_registered(struct rdma_rw_ctx *ctx, struct ib_qp *qp)
{
	put_mrs(ctx->reg, ctx->nr_ops, qp);
}
