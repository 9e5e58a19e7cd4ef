// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The table of operations.
 */
#include "wr.h"

#define RELIABLE MLX5_IB_RELIABLE
#define CONNECTED (MLX5_IB_RELIABLE | MLX5_IB_UNRELIABLE)
#define ALL (CONNECTED | MLX5_IB_DATAGRAM)

/* Masked atomics are of any length to the device; this says that it's 8 bytes. */
#define OPMOD_8_BYTES 9

#define OPERATION(wr, device, wc, what, says, who)			\
	[IB_WR_##wr] = {						\
		.opcode = MLX5_OPCODE_##device,				\
		.completion = IB_WC_##wc,				\
		.form = MLX5_IB_FORM_##what,				\
		.imm = MLX5_IB_IMM_##says,				\
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

const struct mlx5_ib_operation mlx5_ib_operations[IB_WR_REG_MR_INTEGRITY + 1] = {
	OPERATION(RDMA_WRITE, RDMA_WRITE, RDMA_WRITE, WRITE, NONE, CONNECTED),
	OPERATION(RDMA_WRITE_WITH_IMM, RDMA_WRITE_IMM, RDMA_WRITE, WRITE, DATA, CONNECTED),
	OPERATION(SEND, SEND, SEND, SEND, NONE, ALL),
	OPERATION(SEND_WITH_IMM, SEND_IMM, SEND, SEND, DATA, ALL),
	OPERATION(SEND_WITH_INV, SEND_INVAL, SEND, SEND, INVALIDATED, RELIABLE),
	OPERATION(RDMA_READ, RDMA_READ, RDMA_READ, READ, NONE, RELIABLE),
	OPERATION(ATOMIC_CMP_AND_SWP, ATOMIC_CS, COMP_SWAP, ATOMIC, NONE, RELIABLE),
	OPERATION(ATOMIC_FETCH_AND_ADD, ATOMIC_FA, FETCH_ADD, ATOMIC, NONE, RELIABLE),
	MASKED(CMP_AND_SWP, CS, COMP_SWAP),
	MASKED(FETCH_AND_ADD, FA, FETCH_ADD),
	OPERATION(LOCAL_INV, UMR, LOCAL_INV, INVALIDATE, INVALIDATED, CONNECTED),
	OPERATION(REG_MR, UMR, REG_MR, REGISTER, REGISTERED, CONNECTED),
};
