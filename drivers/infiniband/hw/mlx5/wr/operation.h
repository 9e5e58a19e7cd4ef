/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The operations: what they're called by ib_core and by the device, and who does them (IBTA 9.2.1,
 * table 38).
 */
#ifndef RDMA_MLX5_OPERATION_H
#define RDMA_MLX5_OPERATION_H

#include "../mlx5.h"

/* What stands between address and data. */
enum mlx5_ib_form {
	MLX5_IB_FORM_SEND,
	MLX5_IB_FORM_WRITE,
	MLX5_IB_FORM_READ,
	MLX5_IB_FORM_ATOMIC,
	MLX5_IB_FORM_MASKED_ATOMIC,
	MLX5_IB_FORM_REGISTER,
	MLX5_IB_FORM_INVALIDATE,
};

/* What the control segment says beside the operation. */
enum mlx5_ib_imm {
	MLX5_IB_IMM_NONE,
	MLX5_IB_IMM_DATA,
	MLX5_IB_IMM_INVALIDATED,
	MLX5_IB_IMM_REGISTERED,
};

/* Kinds of queue pairs, by what they do. */
#define MLX5_IB_RELIABLE BIT(0)
#define MLX5_IB_UNRELIABLE BIT(1)
#define MLX5_IB_DATAGRAM BIT(2)

/**
 * struct mlx5_ib_operation - what an opcode of ib_core means to the device
 * @opcode: MLX5_OPCODE_*
 * @opmod: variant of it
 * @completion: enum ib_wc_opcode
 * @form: enum mlx5_ib_form
 * @imm: enum mlx5_ib_imm
 * @services: which kinds of queue pairs do it
 */
struct mlx5_ib_operation {
	u8 opcode;
	u8 opmod;
	u8 completion;
	u8 form;
	u8 imm;
	u8 services;
};

/* By enum ib_wr_opcode. */
extern const struct mlx5_ib_operation mlx5_ib_operations[IB_WR_REG_MR_INTEGRITY + 1];

static inline u8 mlx5_ib_service_of(enum ib_qp_type type)
{
	if (likely(type == IB_QPT_RC))
		return MLX5_IB_RELIABLE;
	switch ((int)type) {
	case IB_QPT_XRC_INI:
		return MLX5_IB_RELIABLE;
	case IB_QPT_UC:
		return MLX5_IB_UNRELIABLE;
	case IB_QPT_UD:
	case IB_QPT_SMI:
	case MLX5_IB_QPT_HW_GSI:
		return MLX5_IB_DATAGRAM;
	default:
		return 0;
	}
}

/*
 * What a request means on this type of queue pair; -EINVAL: there's no such opcode, or it isn't for
 * this type; -EOPNOTSUPP: no queue pair does it.
 */
static inline const struct mlx5_ib_operation *mlx5_ib_operation_of(enum ib_qp_type type,
								   enum ib_wr_opcode opcode)
{
	const struct mlx5_ib_operation *operation;

	if (unlikely(opcode >= ARRAY_SIZE(mlx5_ib_operations)))
		return ERR_PTR(-EINVAL);
	operation = &mlx5_ib_operations[opcode];
	if (likely(operation->services & mlx5_ib_service_of(type)))
		return operation;
	return ERR_PTR(operation->services ? -EINVAL : -EOPNOTSUPP);
}

#endif
