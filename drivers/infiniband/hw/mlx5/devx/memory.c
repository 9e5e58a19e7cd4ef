// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The memory that a process's command names is always memory that it has registered: the fields
 * that say so are set, whatever it has put there. Otherwise they'd be bus addresses.
 */
#include "devx.h"

/**
 * struct places - fields that say that memory is registered memory
 * @opcode: the command that has them
 * @fields: up to two
 */
struct places {
	u16 opcode;
	struct mlx5_ib_devx_field fields[2];
};

#define PLACES(op, layout, one, other)					\
	{								\
		.opcode = MLX5_CMD_OP_##op,				\
		.fields = {						\
			MLX5_IB_DEVX_FIELD(layout##_in, one),		\
			MLX5_IB_DEVX_FIELD(layout##_in, other),		\
		},							\
	}

static const struct places places[] = {
	PLACES(CREATE_CQ, create_cq, cq_umem_valid, cq_context.dbr_umem_valid),
	PLACES(MODIFY_CQ, modify_cq, cq_umem_valid, cq_umem_valid),
	PLACES(CREATE_QP, create_qp, wq_umem_valid, qpc.dbr_umem_valid),
	PLACES(CREATE_RQ, create_rq, ctx.wq.wq_umem_valid, ctx.wq.dbr_umem_valid),
	PLACES(CREATE_SQ, create_sq, ctx.wq.wq_umem_valid, ctx.wq.dbr_umem_valid),
	PLACES(CREATE_RMP, create_rmp, ctx.wq.wq_umem_valid, ctx.wq.dbr_umem_valid),
	PLACES(CREATE_XRQ, create_xrq, xrq_context.wq.wq_umem_valid,
	       xrq_context.wq.dbr_umem_valid),
	PLACES(CREATE_XRC_SRQ, create_xrc_srq, xrc_srq_umem_valid,
	       xrc_srq_context_entry.dbr_umem_valid),
};

static int mark(void *in, size_t len, const struct places *here)
{
	for (size_t i = 0; i < ARRAY_SIZE(here->fields); i++) {
		if (!mlx5_ib_devx_field_fits(here->fields[i], len))
			return -EINVAL;
		mlx5_ib_devx_set(in, here->fields[i], 1);
	}
	return 0;
}

/* A key of other keys names no memory by itself. */
static int mark_mkey(void *in, size_t len, bool *indirect)
{
	u8 mode;

	if (len < MLX5_BYTE_OFF(create_mkey_in, memory_key_mkey_entry) + MLX5_ST_SZ_BYTES(mkc))
		return -EINVAL;
	mode = MLX5_GET(create_mkey_in, in, memory_key_mkey_entry.access_mode_1_0) |
	       MLX5_GET(create_mkey_in, in, memory_key_mkey_entry.access_mode_4_2) << 2;
	*indirect = mode == MLX5_MKC_ACCESS_MODE_KLMS || mode == MLX5_MKC_ACCESS_MODE_KSM;
	if (!*indirect)
		MLX5_SET(create_mkey_in, in, mkey_umem_valid, 1);
	return 0;
}

/**
 * mlx5_ib_devx_only_umem - have a command name registered memory alone
 * @in: the command, at least a header
 * @len: bytes of it
 * @indirect: it makes a key of other keys
 *
 * Return: 0, or -EINVAL: it's too short to say what memory it is.
 */
int mlx5_ib_devx_only_umem(void *in, size_t len, bool *indirect)
{
	u16 opcode = MLX5_GET(general_obj_in_cmd_hdr, in, opcode);

	*indirect = false;
	if (opcode == MLX5_CMD_OP_CREATE_MKEY)
		return mark_mkey(in, len, indirect);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (places[i].opcode == opcode)
			return mark(in, len, &places[i]);
	return 0;
}
