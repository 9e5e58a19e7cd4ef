// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RDMA READs and WRITEs of data with protection information, which the device makes or checks. */

#include <linux/sizes.h>
#include <linux/slab.h>

#include "verbs.h"

/* Both lists are mapped for DMA. */
static int build(struct rdma_rw_ctx *ctx, const struct rdma_rw_io *io, struct sg_table *prot,
		 const struct ib_sig_attrs *sig_attrs)
{
	struct ib_qp *qp = io->qp;
	struct rdma_rw_reg_ctx *reg;
	int ret;

	reg = kzalloc(sizeof(*reg), GFP_KERNEL);
	if (!reg)
		return -ENOMEM;
	reg->mr = ib_mr_pool_get(qp, &qp->sig_mrs);
	if (!reg->mr) {
		kfree(reg);
		return -EAGAIN;
	}

	*reg->mr->sig_attrs = *sig_attrs;
	ret = ib_map_mr_sg_pi(reg->mr, io->sg, io->nents, NULL, prot->sgl, prot->nents, NULL,
			      SZ_4K);
	if (ret) {
		ib_mr_pool_put(qp, &qp->sig_mrs, reg->mr);
		kfree(reg);
		return ret;
	}

	ret = rdma_rw_prepare_mr(reg, qp, io->port_num, IB_WR_REG_MR_INTEGRITY);
	/* On the wire there may be no protection information. */
	if (sig_attrs->wire.sig_type == IB_SIG_TYPE_NONE)
		reg->sge.length -= reg->mr->sig_attrs->meta_length;
	reg->wr.wr.opcode = rdma_rw_opcode(io->dir);
	reg->wr.wr.sg_list = &reg->sge;
	reg->wr.wr.num_sge = 1;
	reg->wr.remote_addr = io->remote_addr;
	reg->wr.rkey = io->rkey;

	ctx->type = RDMA_RW_SIGNATURE;
	ctx->nr_ops = 1;
	ctx->reg = reg;
	return ret + 1;
}

/**
 * rdma_rw_ctx_signature_init - prepare a transfer of data with protection information
 * @ctx: returns the transfer
 * @qp: the QP, created with IB_QP_CREATE_INTEGRITY_EN
 * @port_num: its port
 * @sg: the data; mapped for DMA here
 * @sg_cnt: entries of @sg
 * @prot_sg: the protection information in memory; mapped for DMA here
 * @prot_sg_cnt: entries of @prot_sg; 0 if there is none in memory
 * @sig_attrs: what the device shall do with it
 * @remote_addr: remote address, relative to @rkey
 * @rkey: remote key
 * @dir: DMA_TO_DEVICE to WRITE, DMA_FROM_DEVICE to READ
 *
 * Context: Sleeps.
 * Return: the number of WRs that it takes, or a negative errno: -EINVAL if a list is too long for
 * an MR, -EAGAIN if there is no MR left, -ENOMEM; errors of mapping.
 */
int rdma_rw_ctx_signature_init(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port_num,
			       struct scatterlist *sg, u32 sg_cnt, struct scatterlist *prot_sg,
			       u32 prot_sg_cnt, struct ib_sig_attrs *sig_attrs, u64 remote_addr,
			       u32 rkey, enum dma_data_direction dir)
{
	struct ib_device *device = qp->pd->device;
	u32 pages = rdma_rw_pages_per_mr(device, qp->integrity_en);
	struct sg_table data = { .sgl = sg, .orig_nents = sg_cnt };
	struct sg_table prot = { .sgl = prot_sg, .orig_nents = prot_sg_cnt };
	struct rdma_rw_io io = {
		.qp = qp,
		.port_num = port_num,
		.sg = sg,
		.remote_addr = remote_addr,
		.rkey = rkey,
		.dir = dir,
	};
	int ret;

	if (sg_cnt > pages || prot_sg_cnt > pages)
		return -EINVAL;

	ret = ib_dma_map_sgtable_attrs(device, &data, dir, 0);
	if (ret)
		return ret;
	if (prot_sg_cnt)
		ret = ib_dma_map_sgtable_attrs(device, &prot, dir, 0);
	if (ret)
		goto err_unmap_data;

	io.nents = data.nents;
	ret = build(ctx, &io, &prot, sig_attrs);
	if (ret > 0)
		return ret;

	if (prot_sg_cnt)
		ib_dma_unmap_sgtable_attrs(device, &prot, dir, 0);
err_unmap_data:
	ib_dma_unmap_sgtable_attrs(device, &data, dir, 0);
	return ret;
}
EXPORT_SYMBOL(rdma_rw_ctx_signature_init);

/**
 * rdma_rw_ctx_destroy_signature - release what rdma_rw_ctx_signature_init() took
 * @ctx: the transfer, completed or never posted
 * @qp: its QP
 * @port_num: its port
 * @sg: its data
 * @sg_cnt: entries of @sg
 * @prot_sg: its protection information
 * @prot_sg_cnt: entries of @prot_sg
 * @dir: its direction
 *
 * Context: Any where DMA can be unmapped.
 */
void rdma_rw_ctx_destroy_signature(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port_num,
				   struct scatterlist *sg, u32 sg_cnt, struct scatterlist *prot_sg,
				   u32 prot_sg_cnt, enum dma_data_direction dir)
{
	if (WARN_ON_ONCE(ctx->type != RDMA_RW_SIGNATURE))
		return;

	ib_mr_pool_put(qp, &qp->sig_mrs, ctx->reg->mr);
	kfree(ctx->reg);
	if (prot_sg_cnt)
		ib_dma_unmap_sg(qp->pd->device, prot_sg, prot_sg_cnt, dir);
	ib_dma_unmap_sg(qp->pd->device, sg, sg_cnt, dir);
}
EXPORT_SYMBOL(rdma_rw_ctx_destroy_signature);
