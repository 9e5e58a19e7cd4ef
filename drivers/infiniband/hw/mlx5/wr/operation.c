// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The operations: what they're called by ib_core and by the device, and who does them (IBTA 9.2.1,
 * table 38).
 */
#include "wr.h"

#define RELIABLE BIT(0)
#define UNRELIABLE BIT(1)
#define DATAGRAM BIT(2)
#define CONNECTED (RELIABLE | UNRELIABLE)
#define ALL (CONNECTED | DATAGRAM)

/* Masked atomics are of any length to the device; this says that it's 8 bytes. */
#define OPMOD_8_BYTES 9

#define OPERATION(wr, device, wc, what, who)				\
	[IB_WR_##wr] = {						\
		.opcode = MLX5_OPCODE_##device,				\
		.completion = IB_WC_##wc,				\
		.form = MLX5_IB_FORM_##what,				\
		.services = (who),					\
	}

#define MASKED(wr, device, wc)						\
	[IB_WR_MASKED_ATOMIC_##wr] = {					\
		.opcode = MLX5_OPCODE_ATOMIC_MASKED_##device,		\
		.opmod = OPMOD_8_BYTES,					\
		.completion = IB_WC_MASKED_##wc,			\
		.form = MLX5_IB_FORM_MASKED_ATOMIC,			\
		.services = RELIABLE,					\
	}

static const struct mlx5_ib_operation operations[IB_WR_REG_MR_INTEGRITY + 1] = {
	OPERATION(RDMA_WRITE, RDMA_WRITE, RDMA_WRITE, WRITE, CONNECTED),
	OPERATION(RDMA_WRITE_WITH_IMM, RDMA_WRITE_IMM, RDMA_WRITE, WRITE, CONNECTED),
	OPERATION(SEND, SEND, SEND, SEND, ALL),
	OPERATION(SEND_WITH_IMM, SEND_IMM, SEND, SEND, ALL),
	OPERATION(SEND_WITH_INV, SEND_INVAL, SEND, SEND, RELIABLE),
	OPERATION(RDMA_READ, RDMA_READ, RDMA_READ, READ, RELIABLE),
	OPERATION(ATOMIC_CMP_AND_SWP, ATOMIC_CS, COMP_SWAP, ATOMIC, RELIABLE),
	OPERATION(ATOMIC_FETCH_AND_ADD, ATOMIC_FA, FETCH_ADD, ATOMIC, RELIABLE),
	MASKED(CMP_AND_SWP, CS, COMP_SWAP),
	MASKED(FETCH_AND_ADD, FA, FETCH_ADD),
	OPERATION(LOCAL_INV, UMR, LOCAL_INV, INVALIDATE, CONNECTED),
	OPERATION(REG_MR, UMR, REG_MR, REGISTER, CONNECTED),
};

static u8 service_of(enum ib_qp_type type)
{
	switch ((int)type) {
	case IB_QPT_RC:
	case IB_QPT_XRC_INI:
		return RELIABLE;
	case IB_QPT_UC:
		return UNRELIABLE;
	case IB_QPT_UD:
	case IB_QPT_SMI:
	case MLX5_IB_QPT_HW_GSI:
		return DATAGRAM;
	default:
		return 0;
	}
}

/**
 * mlx5_ib_operation_of - what a request means
 * @type: of the queue pair
 * @opcode: of the request
 * @operation: filled in
 *
 * Return: 0; -EINVAL: there's no such opcode, or it isn't for this type; -EOPNOTSUPP: no queue pair
 * does it.
 */
int mlx5_ib_operation_of(enum ib_qp_type type, enum ib_wr_opcode opcode,
			 const struct mlx5_ib_operation **operation)
{
	if (unlikely(opcode >= ARRAY_SIZE(operations)))
		return -EINVAL;
	*operation = &operations[opcode];
	if (unlikely(!(*operation)->services))
		return -EOPNOTSUPP;
	return likely((*operation)->services & service_of(type)) ? 0 : -EINVAL;
}
