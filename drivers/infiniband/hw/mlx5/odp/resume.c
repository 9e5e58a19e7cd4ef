// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The command by which the device goes on after a page fault.
 */
#include "odp.h"

static void name_memory(void *in, const struct mlx5_ib_fault *fault, bool failed)
{
	void *info = MLX5_ADDR_OF(page_fault_resume_in, in, page_fault_info.mem_page_fault_info);

	MLX5_SET(mem_page_fault_info, info, error, failed);
	MLX5_SET(mem_page_fault_info, info, fault_token_31_0, lower_32_bits(fault->token));
	MLX5_SET(mem_page_fault_info, info, fault_token_47_32, upper_32_bits(fault->token));
}

static void name_queue(void *in, const struct mlx5_ib_fault *fault, bool failed)
{
	void *info = MLX5_ADDR_OF(page_fault_resume_in, in, page_fault_info.trans_page_fault_info);

	MLX5_SET(trans_page_fault_info, info, error, failed);
	MLX5_SET(trans_page_fault_info, info, page_fault_type, fault->type);
	MLX5_SET(trans_page_fault_info, info, wq_number, fault->number);
	MLX5_SET(trans_page_fault_info, info, fault_token, fault->token);
}

/**
 * mlx5_ib_fault_resume - have the device go on
 * @dev: the adapter
 * @fault: after which
 * @failed: there's no such page: the operation fails; otherwise it's tried again
 *
 * Context: sleeps.
 */
void mlx5_ib_fault_resume(struct mlx5_ib_dev *dev, const struct mlx5_ib_fault *fault, bool failed)
{
	u32 in[MLX5_ST_SZ_DW(page_fault_resume_in)] = {};
	int err;

	MLX5_SET(page_fault_resume_in, in, opcode, MLX5_CMD_OP_PAGE_FAULT_RESUME);
	if (fault->subtype == MLX5_PFAULT_SUBTYPE_MEMORY)
		name_memory(in, fault, failed);
	else
		name_queue(in, fault, failed);
	err = mlx5_cmd_exec_in(dev->mdev, page_fault_resume, in);
	/* A queue pair may have been destroyed or reset meanwhile. */
	if (err)
		mlx5_ib_dbg(dev, "queue 0x%x doesn't go on after a page fault: %d\n",
			    fault->number, err);
}
