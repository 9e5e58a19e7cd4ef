// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands on shared receive queues: the common ones, and those of XRC, which have a domain and a
 * completion queue.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUMBER_AT 9
#define CONTEXT_AT 16
#define PAGES_AT 272
#define LIMIT_AT 14
#define UMEM_OFFSET_AT 80
#define UMEM_ID_AT 88
#define UMEM_VALID_AT 92
#define DBR_MASK (~3ull)

#define ARM_SHARED 1

/* The two kinds have the same commands under different codes. */
static enum cx5_srq_kind kind_of(const struct cx5_command *cmd)
{
	switch (cmd->opcode) {
	case 0x700: /* CREATE, DESTROY, QUERY_SRQ, ARM_RQ */
	case 0x701:
	case 0x702:
	case 0x703:
		return CX5_SRQ_BASIC;
	default:
		return CX5_SRQ_XRC;
	}
}

static struct cx5_srq *find(struct connectx5 *dev, const struct cx5_command *cmd)
{
	struct hca_srq *found = hca_srq_find(&dev->hca, get_be24(cmd->in + NUMBER_AT));
	struct cx5_srq *srq = found ? container(found, struct cx5_srq, hca) : NULL;

	return srq && srq->kind == kind_of(cmd) ? srq : NULL;
}

static int init_record(struct connectx5 *dev, struct cx5_srq *srq, const struct cx5_command *cmd)
{
	const uint8_t *srqc = cmd->in + CONTEXT_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), GET(srqc, dbr_umem_id, srqc),
					      GET64(srqc, dbr_addr, srqc) & DBR_MASK };

	srq->hca.rq.dbr = place.offset;
	if (!GET(srqc, dbr_umem_valid, srqc))
		return 0;
	return cx5_umem_record(dev, place, &srq->memory, &srq->hca.rq.dbr);
}

static int init_buffer(struct connectx5 *dev, struct cx5_srq *srq, const struct cx5_command *cmd)
{
	const uint8_t *srqc = cmd->in + CONTEXT_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), get_be32(cmd->in + UMEM_ID_AT),
					      get_be64(cmd->in + UMEM_OFFSET_AT) };
	const struct hca_rq *rq = &srq->hca.rq;

	if (cmd->in[UMEM_VALID_AT] & 0x80)
		return cx5_umem_buffer(dev, place, 1ull << (rq->log_size + rq->log_stride), false,
				       &srq->memory, &srq->hca.buf);
	return cx5_buffer(&srq->hca.buf, cmd, PAGES_AT, GET(srqc, log_page_size, srqc),
			  GET(srqc, page_offset, srqc));
}

static int init(struct connectx5 *dev, struct cx5_srq *srq, const struct cx5_command *cmd)
{
	const uint8_t *srqc = cmd->in + CONTEXT_AT;
	int error;

	if (GET(srqc, wq_signature, srqc))
		return -EOPNOTSUPP;
	if (GET(srqc, log_srq_size, srqc) > CX5_LOG_MAX_SRQ_SZ ||
	    16u << GET(srqc, log_rq_stride, srqc) > CX5_MAX_WQE_RQ)
		return -EINVAL;
	memcpy(srq->context, srqc, CX5_SRQC_LEN);
	srq->hca.pd = GET(srqc, pd, srqc);
	srq->hca.rq = (struct hca_rq){
		.log_size = (uint8_t)GET(srqc, log_srq_size, srqc),
		.log_stride = (uint8_t)(4 + GET(srqc, log_rq_stride, srqc)),
		.linked = true,
	};
	if (srq->kind == CX5_SRQ_XRC) {
		srq->user_index = GET(srqc, user_index, srqc);
		srq->hca.cq = hca_cq_find(&dev->hca, GET(srqc, cqn, srqc));
		if (!srq->hca.cq)
			return -ENOENT;
	}
	error = init_record(dev, srq, cmd);
	if (!error)
		error = init_buffer(dev, srq, cmd);
	return error ? error : hca_srq_create(&dev->hca, &srq->hca);
}

static bool get_resources(struct connectx5 *dev, const struct cx5_srq *srq, uint32_t pd)
{
	if (!cx5_resource_get(dev, CX5_PD, pd))
		return false;
	if (srq->kind != CX5_SRQ_XRC || cx5_resource_get(dev, CX5_XRCD, srq->hca.xrcd))
		return true;
	cx5_resource_put(dev, CX5_PD, pd);
	return false;
}

static void put_resources(struct connectx5 *dev, const struct cx5_srq *srq, uint32_t pd)
{
	cx5_resource_put(dev, CX5_PD, pd);
	if (srq->kind == CX5_SRQ_XRC)
		cx5_resource_put(dev, CX5_XRCD, srq->hca.xrcd);
}

enum cx5_status cx5_create_srq(struct connectx5 *dev, struct cx5_command *cmd)
{
	const uint8_t *srqc = cmd->in + CONTEXT_AT;
	struct cx5_srq *srq = calloc(1, sizeof(*srq));
	uint32_t pd = GET(srqc, pd, srqc);
	int error;

	if (!srq)
		return CX5_NO_RES;
	srq->kind = kind_of(cmd);
	srq->hca.xrcd = GET(srqc, xrcd, srqc);
	if (!get_resources(dev, srq, pd)) {
		free(srq);
		return CX5_BAD_RES;
	}
	error = init(dev, srq, cmd);
	if (error) {
		put_resources(dev, srq, pd);
		cx5_memory_release(&srq->memory);
		free(srq);
		return cx5_status_of(error);
	}
	put_be24(cmd->out + NUMBER_AT, srq->hca.num);
	return CX5_OK;
}

int cx5_srq_free(struct connectx5 *dev, struct cx5_srq *srq)
{
	int error = hca_srq_destroy(&srq->hca);

	if (error)
		return error;
	put_resources(dev, srq, srq->hca.pd);
	cx5_memory_release(&srq->memory);
	free(srq);
	return 0;
}

enum cx5_status cx5_destroy_srq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_srq *srq = find(dev, cmd);

	return srq ? cx5_status_of(cx5_srq_free(dev, srq)) : CX5_BAD_RES;
}

enum cx5_status cx5_query_srq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_srq *srq = find(dev, cmd);
	uint8_t *srqc = cmd->out + CONTEXT_AT;

	if (!srq)
		return CX5_BAD_RES;
	memcpy(srqc, srq->context, CX5_SRQC_LEN);
	PUT(srqc, lwm, srqc, srq->hca.limit);
	PUT(srqc, wqe_cnt, srqc, hca_rq_posted(&dev->hca, &srq->hca.rq));
	return CX5_OK;
}

enum cx5_status cx5_arm_srq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_srq *srq = find(dev, cmd);
	uint16_t limit = get_be16(cmd->in + LIMIT_AT);

	if (cmd->op_mod != ARM_SHARED)
		return CX5_BAD_PARAM;
	if (!srq)
		return CX5_BAD_RES;
	if (limit > 1u << srq->hca.rq.log_size)
		return CX5_BAD_PARAM;
	hca_srq_arm(&srq->hca, limit);
	return CX5_OK;
}
