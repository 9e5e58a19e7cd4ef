// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The firmware's commands about shared receive queues. To the device there are two kinds: receive
 * memory pools (RMP), which are what ordinary queue pairs share, and XRC SRQs.
 */
#include "srq.h"

static void fill_pages(const struct mlx5_ib_srq_context *context, __be64 *pas)
{
	if (context->umem)
		mlx5_ib_umem_pages(context->umem,
				   BIT(context->log_page_size + MLX5_ADAPTER_PAGE_SHIFT), pas, 0);
	else
		mlx5_fill_page_frag_array(context->buf, pas);
}

static int create_xrc(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq,
		      const struct mlx5_ib_srq_context *context)
{
	int inlen = MLX5_ST_SZ_BYTES(create_xrc_srq_in) + context->pages * sizeof(__be64);
	u32 out[MLX5_ST_SZ_DW(create_xrc_srq_out)] = {};
	u32 *in = kvzalloc(inlen, GFP_KERNEL);
	void *xrc_srqc;
	int err;

	if (!in)
		return -ENOMEM;
	MLX5_SET(create_xrc_srq_in, in, opcode, MLX5_CMD_OP_CREATE_XRC_SRQ);
	MLX5_SET(create_xrc_srq_in, in, uid, srq->uid);
	xrc_srqc = MLX5_ADDR_OF(create_xrc_srq_in, in, xrc_srq_context_entry);
	MLX5_SET(xrc_srqc, xrc_srqc, wq_signature, srq->signature);
	MLX5_SET(xrc_srqc, xrc_srqc, log_page_size, context->log_page_size);
	MLX5_SET(xrc_srqc, xrc_srqc, page_offset, context->page_offset);
	/* in units of 16 bytes */
	MLX5_SET(xrc_srqc, xrc_srqc, log_rq_stride, srq->shift - 4);
	MLX5_SET(xrc_srqc, xrc_srqc, log_xrc_srq_size, ilog2(srq->count));
	MLX5_SET(xrc_srqc, xrc_srqc, pd, context->pdn);
	MLX5_SET(xrc_srqc, xrc_srqc, xrcd, context->xrcdn);
	MLX5_SET(xrc_srqc, xrc_srqc, cqn, context->cqn);
	MLX5_SET(xrc_srqc, xrc_srqc, user_index, context->uidx);
	MLX5_SET(xrc_srqc, xrc_srqc, db_record_addr_h, upper_32_bits(srq->db.dma));
	MLX5_SET(xrc_srqc, xrc_srqc, db_record_addr_l, lower_32_bits(srq->db.dma) >> 2);
	fill_pages(context, (__be64 *)MLX5_ADDR_OF(create_xrc_srq_in, in, pas));
	err = mlx5_cmd_exec(mdev, in, inlen, out, sizeof(out));
	kvfree(in);
	srq->srqn = MLX5_GET(create_xrc_srq_out, out, xrc_srqn);
	return err;
}

static int create_rmp(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq,
		      const struct mlx5_ib_srq_context *context)
{
	int inlen = MLX5_ST_SZ_BYTES(create_rmp_in) + context->pages * sizeof(__be64);
	u32 out[MLX5_ST_SZ_DW(create_rmp_out)] = {};
	u32 *in = kvzalloc(inlen, GFP_KERNEL);
	void *rmpc, *wq;
	int err;

	if (!in)
		return -ENOMEM;
	MLX5_SET(create_rmp_in, in, opcode, MLX5_CMD_OP_CREATE_RMP);
	MLX5_SET(create_rmp_in, in, uid, srq->uid);
	rmpc = MLX5_ADDR_OF(create_rmp_in, in, ctx);
	MLX5_SET(rmpc, rmpc, state, MLX5_RMPC_STATE_RDY);
	wq = MLX5_ADDR_OF(rmpc, rmpc, wq);
	MLX5_SET(wq, wq, wq_signature, srq->signature);
	MLX5_SET(wq, wq, log_wq_pg_sz, context->log_page_size);
	MLX5_SET(wq, wq, page_offset, context->page_offset);
	MLX5_SET(wq, wq, log_wq_stride, srq->shift);
	MLX5_SET(wq, wq, log_wq_sz, ilog2(srq->count));
	MLX5_SET(wq, wq, pd, context->pdn);
	MLX5_SET64(wq, wq, dbr_addr, srq->db.dma);
	fill_pages(context, (__be64 *)MLX5_ADDR_OF(wq, wq, pas));
	err = mlx5_cmd_exec(mdev, in, inlen, out, sizeof(out));
	kvfree(in);
	srq->srqn = MLX5_GET(create_rmp_out, out, rmpn);
	return err;
}

/* Sets srqn. */
int mlx5_ib_cmd_create_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq,
			   const struct mlx5_ib_srq_context *context)
{
	return mlx5_ib_srq_is_xrc(srq) ? create_xrc(mdev, srq, context) :
					 create_rmp(mdev, srq, context);
}

static int arm_xrc(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 limit)
{
	u32 in[MLX5_ST_SZ_DW(arm_xrc_srq_in)] = {};

	MLX5_SET(arm_xrc_srq_in, in, opcode, MLX5_CMD_OP_ARM_XRC_SRQ);
	MLX5_SET(arm_xrc_srq_in, in, uid, srq->uid);
	MLX5_SET(arm_xrc_srq_in, in, op_mod, MLX5_ARM_XRC_SRQ_IN_OP_MOD_XRC_SRQ);
	MLX5_SET(arm_xrc_srq_in, in, xrc_srqn, srq->srqn);
	MLX5_SET(arm_xrc_srq_in, in, lwm, limit);
	return mlx5_cmd_exec_in(mdev, arm_xrc_srq, in);
}

static int arm_rmp(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 limit)
{
	u32 *in = kzalloc(MLX5_ST_SZ_BYTES(modify_rmp_in), GFP_KERNEL);
	void *rmpc, *wq, *fields;
	int err;

	if (!in)
		return -ENOMEM;
	MLX5_SET(modify_rmp_in, in, opcode, MLX5_CMD_OP_MODIFY_RMP);
	MLX5_SET(modify_rmp_in, in, uid, srq->uid);
	MLX5_SET(modify_rmp_in, in, rmp_state, MLX5_RMPC_STATE_RDY);
	MLX5_SET(modify_rmp_in, in, rmpn, srq->srqn);
	fields = MLX5_ADDR_OF(modify_rmp_in, in, bitmask);
	MLX5_SET(rmp_bitmask, fields, lwm, 1);
	rmpc = MLX5_ADDR_OF(modify_rmp_in, in, ctx);
	MLX5_SET(rmpc, rmpc, state, MLX5_RMPC_STATE_RDY);
	wq = MLX5_ADDR_OF(rmpc, rmpc, wq);
	MLX5_SET(wq, wq, lwm, limit);
	err = mlx5_cmd_exec_in(mdev, modify_rmp, in);
	kfree(in);
	return err;
}

int mlx5_ib_cmd_arm_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 limit)
{
	return mlx5_ib_srq_is_xrc(srq) ? arm_xrc(mdev, srq, limit) : arm_rmp(mdev, srq, limit);
}

static int query_xrc(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 *limit)
{
	u32 *out = kvzalloc(MLX5_ST_SZ_BYTES(query_xrc_srq_out), GFP_KERNEL);
	u32 in[MLX5_ST_SZ_DW(query_xrc_srq_in)] = {};
	void *xrc_srqc;
	int err;

	if (!out)
		return -ENOMEM;
	MLX5_SET(query_xrc_srq_in, in, opcode, MLX5_CMD_OP_QUERY_XRC_SRQ);
	MLX5_SET(query_xrc_srq_in, in, xrc_srqn, srq->srqn);
	err = mlx5_cmd_exec_inout(mdev, query_xrc_srq, in, out);
	xrc_srqc = MLX5_ADDR_OF(query_xrc_srq_out, out, xrc_srq_context_entry);
	*limit = MLX5_GET(xrc_srqc, xrc_srqc, lwm);
	kvfree(out);
	return err;
}

static int query_rmp(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 *limit)
{
	u32 *out = kvzalloc(MLX5_ST_SZ_BYTES(query_rmp_out), GFP_KERNEL);
	u32 in[MLX5_ST_SZ_DW(query_rmp_in)] = {};
	void *rmpc, *wq;
	int err;

	if (!out)
		return -ENOMEM;
	MLX5_SET(query_rmp_in, in, opcode, MLX5_CMD_OP_QUERY_RMP);
	MLX5_SET(query_rmp_in, in, rmpn, srq->srqn);
	err = mlx5_cmd_exec_inout(mdev, query_rmp, in, out);
	rmpc = MLX5_ADDR_OF(query_rmp_out, out, rmp_context);
	wq = MLX5_ADDR_OF(rmpc, rmpc, wq);
	*limit = MLX5_GET(wq, wq, lwm);
	kvfree(out);
	return err;
}

int mlx5_ib_cmd_query_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq, u16 *limit)
{
	return mlx5_ib_srq_is_xrc(srq) ? query_xrc(mdev, srq, limit) : query_rmp(mdev, srq, limit);
}

static int destroy_xrc(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq)
{
	u32 in[MLX5_ST_SZ_DW(destroy_xrc_srq_in)] = {};

	MLX5_SET(destroy_xrc_srq_in, in, opcode, MLX5_CMD_OP_DESTROY_XRC_SRQ);
	MLX5_SET(destroy_xrc_srq_in, in, uid, srq->uid);
	MLX5_SET(destroy_xrc_srq_in, in, xrc_srqn, srq->srqn);
	return mlx5_cmd_exec_in(mdev, destroy_xrc_srq, in);
}

static int destroy_rmp(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq)
{
	u32 in[MLX5_ST_SZ_DW(destroy_rmp_in)] = {};

	MLX5_SET(destroy_rmp_in, in, opcode, MLX5_CMD_OP_DESTROY_RMP);
	MLX5_SET(destroy_rmp_in, in, uid, srq->uid);
	MLX5_SET(destroy_rmp_in, in, rmpn, srq->srqn);
	return mlx5_cmd_exec_in(mdev, destroy_rmp, in);
}

int mlx5_ib_cmd_destroy_srq(struct mlx5_core_dev *mdev, struct mlx5_ib_srq *srq)
{
	return mlx5_ib_srq_is_xrc(srq) ? destroy_xrc(mdev, srq) : destroy_rmp(mdev, srq);
}
