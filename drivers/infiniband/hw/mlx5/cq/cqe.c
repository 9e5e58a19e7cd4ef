// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completion entries as the device writes them, in ib_core's terms (IBTA 11.4.2.1).
 */
#include <linux/mlx5/device.h>
#include "cq.h"

/**
 * mlx5_ib_cqe_status - what an error entry's syndrome means
 * @syndrome: MLX5_CQE_SYNDROME_*
 *
 * Return: the status of a work completion.
 */
enum ib_wc_status mlx5_ib_cqe_status(u8 syndrome)
{
	static const u8 statuses[] = {
		[MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR] = IB_WC_LOC_LEN_ERR,
		[MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR] = IB_WC_LOC_QP_OP_ERR,
		[MLX5_CQE_SYNDROME_LOCAL_PROT_ERR] = IB_WC_LOC_PROT_ERR,
		[MLX5_CQE_SYNDROME_WR_FLUSH_ERR] = IB_WC_WR_FLUSH_ERR,
		[MLX5_CQE_SYNDROME_MW_BIND_ERR] = IB_WC_MW_BIND_ERR,
		[MLX5_CQE_SYNDROME_BAD_RESP_ERR] = IB_WC_BAD_RESP_ERR,
		[MLX5_CQE_SYNDROME_LOCAL_ACCESS_ERR] = IB_WC_LOC_ACCESS_ERR,
		[MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR] = IB_WC_REM_INV_REQ_ERR,
		[MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR] = IB_WC_REM_ACCESS_ERR,
		[MLX5_CQE_SYNDROME_REMOTE_OP_ERR] = IB_WC_REM_OP_ERR,
		[MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR] = IB_WC_RETRY_EXC_ERR,
		[MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR] = IB_WC_RNR_RETRY_EXC_ERR,
		[MLX5_CQE_SYNDROME_REMOTE_ABORTED_ERR] = IB_WC_REM_ABORT_ERR,
	};

	/* Success isn't among them, so an empty place is one that nobody knows. */
	return syndrome < ARRAY_SIZE(statuses) && statuses[syndrome] ? statuses[syndrome] :
								       IB_WC_GENERAL_ERR;
}

/**
 * mlx5_ib_cqe_request - a send that has succeeded
 * @cqe: the entry
 * @sent: what was remembered of the request
 * @wc: opcode, flags and length are filled in
 */
void mlx5_ib_cqe_request(const struct mlx5_cqe64 *cqe, const struct mlx5_ib_sent *sent,
			 struct ib_wc *wc)
{
	wc->wc_flags = 0;
	wc->opcode = sent->opcode;
	switch (be32_to_cpu(cqe->sop_drop_qpn) >> 24) {
	case MLX5_OPCODE_RDMA_WRITE_IMM:
	case MLX5_OPCODE_SEND_IMM:
		wc->wc_flags = IB_WC_WITH_IMM;
		break;
	case MLX5_OPCODE_RDMA_READ:
		wc->byte_len = be32_to_cpu(cqe->byte_cnt);
		break;
	case MLX5_OPCODE_ATOMIC_CS:
	case MLX5_OPCODE_ATOMIC_FA:
	case MLX5_OPCODE_ATOMIC_MASKED_CS:
	case MLX5_OPCODE_ATOMIC_MASKED_FA:
		wc->byte_len = sizeof(u64);
		break;
	}
}

/**
 * mlx5_ib_cqe_receive - a receive that has succeeded
 * @cqe: the entry
 * @wc: all but the request's number and the P_Key's index is filled in
 */
void mlx5_ib_cqe_receive(const struct mlx5_cqe64 *cqe, struct ib_wc *wc)
{
	u32 flags_rqpn = be32_to_cpu(cqe->flags_rqpn);
	const u8 checked = CQE_L3_OK | CQE_L4_OK;

	wc->opcode = IB_WC_RECV;
	wc->wc_flags = 0;
	switch (cqe->op_own >> 4) {
	case MLX5_CQE_RESP_WR_IMM:
		wc->opcode = IB_WC_RECV_RDMA_WITH_IMM;
		fallthrough;
	case MLX5_CQE_RESP_SEND_IMM:
		wc->wc_flags = IB_WC_WITH_IMM;
		wc->ex.imm_data = cqe->immediate;
		break;
	case MLX5_CQE_RESP_SEND_INV:
		wc->wc_flags = IB_WC_WITH_INVALIDATE;
		wc->ex.invalidate_rkey = be32_to_cpu(cqe->inval_rkey);
		break;
	default:
		if ((cqe->hds_ip_ext & checked) == checked)
			wc->wc_flags = IB_WC_IP_CSUM_OK;
		break;
	}
	if (flags_rqpn >> 28 & 3)
		wc->wc_flags |= IB_WC_GRH;
	wc->byte_len = be32_to_cpu(cqe->byte_cnt);
	wc->src_qp = flags_rqpn & MLX5_24BIT_MASK;
	wc->sl = flags_rqpn >> 24 & 0xf;
	wc->slid = be16_to_cpu(cqe->slid);
	wc->dlid_path_bits = cqe->ml_path;
	wc->pkey_index = 0;
}
