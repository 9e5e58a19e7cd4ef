// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands on completion queues.
 */
#include <errno.h>
#include <stdlib.h>

#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUMBER_AT 9
#define CONTEXT_AT 16
#define PAGES_AT 272
#define FIELD_SELECT_AT 12
#define UMEM_OFFSET_AT 80
#define UMEM_ID_AT 88
#define UMEM_VALID_AT 92

#define CQE_LEN 64
#define CQE_SIZE_64 0
#define CQE_SIZE_128 1

enum { MODIFY = 0, RESIZE = 1 };
enum {
	SELECT_PERIOD = 1,
	SELECT_COUNT = 2,
	SELECT_OVERRUN_IGNORE = 4,
	SELECT_EQN = 8,
	SELECT_ALL = 15,
};

#define PERIOD_FROM_EVENT 0 /* the only mode that a capability announces */

enum { STATUS_OK = 0, STATUS_OVERFLOW = 9 };
enum { STATE_SOLICITED_ARMED = 6, STATE_ARMED = 9, STATE_FIRED = 10 };

static struct cx5_cq *find(struct connectx5 *dev, const struct cx5_command *cmd)
{
	struct hca_cq *cq = hca_cq_find(&dev->hca, get_be24(cmd->in + NUMBER_AT));

	return cq ? container(cq, struct cx5_cq, hca) : NULL;
}

static int init_buffer(struct connectx5 *dev, const struct cx5_cq *cq,
		       const struct cx5_command *cmd, struct cx5_memory *memory,
		       struct hca_buffer *buf)
{
	const uint8_t *cqc = cmd->in + CONTEXT_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), get_be32(cmd->in + UMEM_ID_AT),
					      get_be64(cmd->in + UMEM_OFFSET_AT) };
	uint32_t log_size = GET(cqc, log_cq_size, cqc);

	if (log_size > CX5_LOG_MAX_CQ_SZ)
		return -EINVAL;
	if (cmd->in[UMEM_VALID_AT] & 0x80)
		return cx5_umem_buffer(dev, place, (uint64_t)cq->hca.entry_size << log_size, true,
				       memory, buf);
	return cx5_buffer(buf, cmd, PAGES_AT, GET(cqc, log_page_size, cqc),
			  GET(cqc, page_offset, cqc));
}

static int init_record(struct connectx5 *dev, struct cx5_cq *cq, const struct cx5_command *cmd)
{
	const uint8_t *cqc = cmd->in + CONTEXT_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), GET(cqc, dbr_umem_id, cqc),
					      GET64(cqc, dbr_addr, cqc) };

	cq->hca.dbr = place.offset;
	if (!GET(cqc, dbr_umem_valid, cqc))
		return 0;
	return cx5_umem_record(dev, place, &cq->memory, &cq->hca.dbr);
}

static enum cx5_status init(struct connectx5 *dev, struct cx5_cq *cq, const struct cx5_command *cmd)
{
	const uint8_t *cqc = cmd->in + CONTEXT_AT;
	uint32_t cqe_size = GET(cqc, cqe_sz, cqc);
	int error;

	if ((cqe_size != CQE_SIZE_64 && cqe_size != CQE_SIZE_128) ||
	    GET(cqc, cq_period_mode, cqc) != PERIOD_FROM_EVENT)
		return CX5_BAD_PARAM;
	cq->eq = cx5_eq_find(dev, GET(cqc, c_eqn_or_apu_element, cqc));
	cq->uar = GET(cqc, uar_page, cqc);
	if (!cq->eq || !cx5_uar_exists(dev, cq->uar))
		return CX5_BAD_RES;
	memcpy(cq->context, cqc, CX5_CQC_LEN);
	cq->hca.log_size = (uint8_t)GET(cqc, log_cq_size, cqc);
	cq->hca.entry_size = cqe_size == CQE_SIZE_128 ? 2 * CQE_LEN : CQE_LEN;
	cq->hca.cqe_len = CQE_LEN;
	cq->hca.ignore_overrun = GET(cqc, oi, cqc);
	cq->hca.moderation_count = (uint16_t)GET(cqc, cq_max_count, cqc);
	cq->hca.moderation_us = (uint16_t)GET(cqc, cq_period, cqc);
	error = init_record(dev, cq, cmd);
	if (!error)
		error = init_buffer(dev, cq, cmd, &cq->memory, &cq->hca.buf);
	if (!error)
		error = hca_cq_create(&dev->hca, &cq->hca);
	return cx5_status_of(error);
}

enum cx5_status cx5_create_cq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_cq *cq = calloc(1, sizeof(*cq));
	enum cx5_status status = cq ? init(dev, cq, cmd) : CX5_NO_RES;

	if (status != CX5_OK) {
		if (cq)
			cx5_memory_release(&cq->memory);
		free(cq);
		return status;
	}
	cx5_resource_get(dev, CX5_UAR, cq->uar);
	cq->eq->users++;
	put_be24(cmd->out + NUMBER_AT, cq->hca.num);
	return CX5_OK;
}

int cx5_cq_free(struct connectx5 *dev, struct cx5_cq *cq)
{
	int error = hca_cq_destroy(&cq->hca);

	if (error)
		return error;
	cq->eq->users--;
	cx5_memory_release(&cq->memory);
	cx5_resource_put(dev, CX5_UAR, cq->uar);
	free(cq);
	return 0;
}

enum cx5_status cx5_destroy_cq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_cq *cq = find(dev, cmd);

	return cq ? cx5_status_of(cx5_cq_free(dev, cq)) : CX5_BAD_RES;
}

static uint32_t state_of(const struct hca_cq *cq)
{
	switch (cq->armed) {
	case HCA_CQ_ANY:
		return STATE_ARMED;
	case HCA_CQ_SOLICITED:
		return STATE_SOLICITED_ARMED;
	default:
		return STATE_FIRED;
	}
}

enum cx5_status cx5_query_cq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_cq *cq = find(dev, cmd);
	uint8_t *cqc = cmd->out + CONTEXT_AT;

	if (!cq)
		return CX5_BAD_RES;
	memcpy(cqc, cq->context, CX5_CQC_LEN);
	PUT(cqc, status, cqc, cq->hca.overrun ? STATUS_OVERFLOW : STATUS_OK);
	PUT(cqc, st, cqc, state_of(&cq->hca));
	PUT(cqc, log_cq_size, cqc, cq->hca.log_size);
	PUT(cqc, consumer_counter, cqc, cq->hca.consumer);
	PUT(cqc, producer_counter, cqc, cq->hca.producer);
	PUT(cqc, last_solicit_index, cqc, cq->hca.solicited);
	return CX5_OK;
}

/* From now on, its entries lie there. */
static void move(struct cx5_cq *cq, struct cx5_memory *next)
{
	struct cx5_umem *old = cq->memory.buffer;

	cq->memory.buffer = next->buffer;
	next->buffer = old;
	cx5_memory_release(next);
}

static enum cx5_status resize(struct connectx5 *dev, struct cx5_cq *cq,
			      const struct cx5_command *cmd)
{
	const uint8_t *cqc = cmd->in + CONTEXT_AT;
	struct cx5_memory memory = { 0 };
	struct hca_buffer buf;
	int error = init_buffer(dev, cq, cmd, &memory, &buf);

	if (error)
		return cx5_status_of(error);
	error = hca_cq_resize(&cq->hca, &buf, GET(cqc, log_cq_size, cqc));
	if (error) {
		hca_buffer_destroy(&buf);
		cx5_memory_release(&memory);
		return cx5_status_of(error);
	}
	move(cq, &memory);
	PUT(cqc, log_page_size, cq->context, GET(cqc, log_page_size, cqc));
	PUT(cqc, page_offset, cq->context, GET(cqc, page_offset, cqc));
	return CX5_OK;
}

static enum cx5_status move_to_eq(struct connectx5 *dev, struct cx5_cq *cq, uint32_t eqn)
{
	struct cx5_eq *eq = cx5_eq_find(dev, eqn);

	if (!eq)
		return CX5_BAD_RES;
	cq->eq->users--;
	cq->eq = eq;
	eq->users++;
	PUT(cqc, c_eqn_or_apu_element, cq->context, eqn);
	return CX5_OK;
}

static void moderate(struct cx5_cq *cq, const uint8_t *cqc, uint32_t select)
{
	if (select & SELECT_PERIOD)
		PUT(cqc, cq_period, cq->context, GET(cqc, cq_period, cqc));
	if (select & SELECT_COUNT)
		PUT(cqc, cq_max_count, cq->context, GET(cqc, cq_max_count, cqc));
	hca_cq_moderate(&cq->hca, (uint16_t)GET(cqc, cq_max_count, cq->context),
			(uint16_t)GET(cqc, cq_period, cq->context));
}

static enum cx5_status modify(struct connectx5 *dev, struct cx5_cq *cq,
			      const struct cx5_command *cmd)
{
	const uint8_t *cqc = cmd->in + CONTEXT_AT;
	uint32_t select = get_be32(cmd->in + FIELD_SELECT_AT);

	if (select & ~(uint32_t)SELECT_ALL)
		return CX5_BAD_PARAM;
	if (select & (SELECT_PERIOD | SELECT_COUNT))
		moderate(cq, cqc, select);
	if (select & SELECT_OVERRUN_IGNORE) {
		cq->hca.ignore_overrun = GET(cqc, oi, cqc);
		PUT(cqc, oi, cq->context, cq->hca.ignore_overrun);
	}
	return select & SELECT_EQN ? move_to_eq(dev, cq, GET(cqc, c_eqn_or_apu_element, cqc))
				   : CX5_OK;
}

enum cx5_status cx5_modify_cq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_cq *cq = find(dev, cmd);

	if (!cq)
		return CX5_BAD_RES;
	switch (cmd->op_mod) {
	case MODIFY:
		return modify(dev, cq, cmd);
	case RESIZE:
		return cmd->in_len < PAGES_AT ? CX5_BAD_INPUT_LEN : resize(dev, cq, cmd);
	default:
		return CX5_BAD_PARAM;
	}
}
