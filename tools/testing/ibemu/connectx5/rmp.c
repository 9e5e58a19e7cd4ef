// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Receive memory pools: what a driver that speaks interface step 1 makes shared receive queues of.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUMBER_AT 9
#define CONTEXT_AT 32
#define WQ_AT 80 /* the work queue in it */
#define PAGES_AT 272

#define MODIFY_MASK_AT 23
#define MODIFY_LIMIT 1

#define WQ_TYPE_LINKED 0
#define STATE_READY 1
#define NO_USER_INDEX 0xffffff

static struct cx5_srq *find(struct connectx5 *dev, const struct cx5_command *cmd)
{
	struct hca_srq *found = hca_srq_find(&dev->hca, get_be24(cmd->in + NUMBER_AT));
	struct cx5_srq *srq = found ? container(found, struct cx5_srq, hca) : NULL;

	return srq && srq->kind == CX5_SRQ_RMP ? srq : NULL;
}

static int init_record(struct connectx5 *dev, struct cx5_srq *srq, const struct cx5_command *cmd)
{
	const uint8_t *wq = cmd->in + WQ_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), GET(wq, dbr_umem_id, wq),
					      GET64(wq, dbr_addr, wq) };

	srq->hca.rq.dbr = place.offset;
	if (!GET(wq, dbr_umem_valid, wq))
		return 0;
	return cx5_umem_record(dev, place, &srq->memory, &srq->hca.rq.dbr);
}

static int init_buffer(struct connectx5 *dev, struct cx5_srq *srq, const struct cx5_command *cmd)
{
	const uint8_t *wq = cmd->in + WQ_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), GET(wq, wq_umem_id, wq),
					      GET64(wq, wq_umem_offset, wq) };
	const struct hca_rq *rq = &srq->hca.rq;

	if (GET(wq, wq_umem_valid, wq))
		return cx5_umem_buffer(dev, place, 1ull << (rq->log_size + rq->log_stride), false,
				       &srq->memory, &srq->hca.buf);
	return cx5_buffer(&srq->hca.buf, cmd, PAGES_AT, GET(wq, log_wq_pg_sz, wq),
			  GET(wq, page_offset, wq));
}

static int init(struct connectx5 *dev, struct cx5_srq *srq, const struct cx5_command *cmd)
{
	const uint8_t *wq = cmd->in + WQ_AT;
	int error;

	if (GET(wq, wq_type, wq) != WQ_TYPE_LINKED || GET(wq, wq_signature, wq))
		return -EOPNOTSUPP;
	if (GET(wq, log_wq_sz, wq) > CX5_LOG_MAX_SRQ_SZ ||
	    1u << GET(wq, log_wq_stride, wq) > CX5_MAX_WQE_RQ)
		return -EINVAL;
	srq->kind = CX5_SRQ_RMP;
	srq->user_index = NO_USER_INDEX;
	memcpy(srq->context, cmd->in + CONTEXT_AT, CX5_RMPC_LEN);
	srq->hca.pd = GET(wq, pd, wq);
	srq->hca.rq = (struct hca_rq){
		.log_size = (uint8_t)GET(wq, log_wq_sz, wq),
		.log_stride = (uint8_t)GET(wq, log_wq_stride, wq),
		.linked = true,
	};
	error = init_record(dev, srq, cmd);
	if (!error)
		error = init_buffer(dev, srq, cmd);
	return error ? error : hca_srq_create(&dev->hca, &srq->hca);
}

enum cx5_status cx5_create_rmp(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint32_t pd = GET(wq, pd, cmd->in + WQ_AT);
	struct cx5_srq *srq;
	int error;

	if (!cx5_resource_get(dev, CX5_PD, pd))
		return CX5_BAD_RES;
	srq = calloc(1, sizeof(*srq));
	error = srq ? init(dev, srq, cmd) : -ENOMEM;
	if (error) {
		cx5_resource_put(dev, CX5_PD, pd);
		if (srq)
			cx5_memory_release(&srq->memory);
		free(srq);
		return cx5_status_of(error);
	}
	put_be24(cmd->out + NUMBER_AT, srq->hca.num);
	return CX5_OK;
}

enum cx5_status cx5_destroy_rmp(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_srq *srq = find(dev, cmd);

	return srq ? cx5_status_of(cx5_srq_free(dev, srq)) : CX5_BAD_RES;
}

enum cx5_status cx5_query_rmp(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_srq *srq = find(dev, cmd);
	uint8_t *rmpc = cmd->out + CONTEXT_AT, *wq = cmd->out + WQ_AT;

	if (!srq)
		return CX5_BAD_RES;
	memcpy(rmpc, srq->context, CX5_RMPC_LEN);
	PUT(rmpc, state, rmpc, STATE_READY);
	PUT(wq, lwm, wq, srq->hca.limit);
	PUT(wq, hw_counter, wq, srq->hca.rq.consumed);
	return CX5_OK;
}

enum cx5_status cx5_modify_rmp(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_srq *srq = find(dev, cmd);
	uint32_t limit = GET(wq, lwm, cmd->in + WQ_AT);

	if (!srq)
		return CX5_BAD_RES;
	if (!(cmd->in[MODIFY_MASK_AT] & MODIFY_LIMIT))
		return CX5_OK;
	if (limit > 1u << srq->hca.rq.log_size)
		return CX5_BAD_PARAM;
	hca_srq_arm(&srq->hca, (uint16_t)limit);
	return CX5_OK;
}
