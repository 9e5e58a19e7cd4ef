// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completions as drivers read them.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

#define CQE_LEN 64
#define PATH_BITS 17
#define SLID 22
#define FLAGS_SRC_QPN 24
#define USER_INDEX 32
#define IMM 36
#define BYTE_COUNT 44
#define TIMESTAMP 48
#define SYNDROME 55
#define OPCODE_QPN 56
#define WQE_COUNTER 60
#define OPCODE_OWNER 63

#define FLAG_GRH (1u << 28)

enum {
	CQE_REQUEST = 0,
	CQE_WRITTEN_IMM = 1,
	CQE_RECEIVED = 2,
	CQE_RECEIVED_IMM = 3,
	CQE_RECEIVED_INVALIDATE = 4,
	CQE_RESIZED = 5,
	CQE_REQUEST_ERROR = 13,
	CQE_RECEIVE_ERROR = 14,
};

static unsigned int opcode_of(const struct hca_wc *wc)
{
	static const uint8_t opcodes[] = {
		[HCA_WC_SEND] = CQE_REQUEST,
		[HCA_WC_RECV] = CQE_RECEIVED,
		[HCA_WC_RECV_IMM] = CQE_RECEIVED_IMM,
		[HCA_WC_RESIZE] = CQE_RESIZED,
		[HCA_WC_RECV_INVALIDATE] = CQE_RECEIVED_INVALIDATE,
		[HCA_WC_WRITE_IMM] = CQE_WRITTEN_IMM,
	};

	if (wc->status == HCA_OK)
		return opcodes[wc->opcode];
	return wc->opcode == HCA_WC_SEND ? CQE_REQUEST_ERROR : CQE_RECEIVE_ERROR;
}

static uint8_t syndrome_of(enum hca_status status)
{
	static const uint8_t syndromes[] = {
		[HCA_OK] = 0x00,
		[HCA_LOCAL_LENGTH] = 0x01,
		[HCA_LOCAL_QP_OPERATION] = 0x02,
		[HCA_LOCAL_PROTECTION] = 0x04,
		[HCA_FLUSHED] = 0x05,
		[HCA_MW_BIND] = 0x06,
		[HCA_BAD_RESPONSE] = 0x10,
		[HCA_LOCAL_ACCESS] = 0x11,
		[HCA_REMOTE_INVALID_REQUEST] = 0x12,
		[HCA_REMOTE_ACCESS] = 0x13,
		[HCA_REMOTE_OPERATION] = 0x14,
		[HCA_TRANSPORT_RETRY_EXCEEDED] = 0x15,
		[HCA_RNR_RETRY_EXCEEDED] = 0x16,
		[HCA_REMOTE_ABORTED] = 0x22,
	};

	return syndromes[status];
}

/*
 * A receive on QP1 tells the P_Key that it came under in place of immediate data: its driver
 * answers with that one, and drops what seems to have come under none.
 */
static void encode_receive(const struct hca_wc *wc, uint8_t *cqe)
{
	bool tell_pkey = wc->qp->type == HCA_QP_GSI && wc->opcode != HCA_WC_RECV_IMM;

	cqe[PATH_BITS] = wc->path_bits;
	put_be16(cqe + SLID, wc->slid);
	put_be32(cqe + FLAGS_SRC_QPN,
		 (wc->grh ? FLAG_GRH : 0) | (uint32_t)wc->sl << 24 | wc->src_qpn);
	put_be32(cqe + IMM, tell_pkey ? wc->pkey : wc->imm);
}

/* Whose completion this is: of XRC, a receive is the shared receive queue's. */
static uint32_t user_index_of(const struct hca_wc *wc)
{
	if (wc->qp->type == HCA_QP_XRC && wc->srq)
		return container(wc->srq, struct cx5_srq, hca)->user_index;
	return container(wc->qp, struct cx5_qp, hca)->user_index;
}

void cx5_encode_cqe(const struct hca_cq *cq, const struct hca_wc *wc, bool owner, uint8_t *cqe)
{
	memset(cqe, 0, CQE_LEN);
	cqe[OPCODE_OWNER] = (uint8_t)(opcode_of(wc) << 4 | owner);
	put_be64(cqe + TIMESTAMP, cx5_timer(cx5_of(cq->hca)));
	if (!wc->qp)
		return;
	put_be32(cqe + USER_INDEX, user_index_of(wc));
	put_be32(cqe + OPCODE_QPN, (uint32_t)wc->chip_opcode << 24 | wc->qp->num);
	put_be16(cqe + WQE_COUNTER, wc->index);
	if (wc->status != HCA_OK) {
		memset(cqe + TIMESTAMP, 0, SYNDROME - TIMESTAMP);
		cqe[SYNDROME] = syndrome_of(wc->status);
		return;
	}
	put_be32(cqe + BYTE_COUNT, wc->byte_len);
	if (wc->opcode != HCA_WC_SEND)
		encode_receive(wc, cqe);
}
