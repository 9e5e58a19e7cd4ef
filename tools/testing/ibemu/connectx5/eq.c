// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Event queues: 64-byte entries in guest memory, and an interrupt when one comes to a queue that is
 * armed.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define EQE_LEN 64
#define EQE_TYPE 1
#define EQE_SUB_TYPE 3
#define EQE_DATA 32
#define EQE_OWNER 63

#define CONTEXT_AT 16
#define MASK_AT 88
#define PAGES_AT 272
#define EQ_NUMBER_AT 11

#define COUNTER_MASK 0xffffffu
#define STATUS_OK 0
#define STATUS_OVERRUN 10
#define STATE_ARMED 9
#define STATE_FIRED 10

struct cx5_eq *cx5_eq_find(struct connectx5 *dev, uint32_t num)
{
	return idtab_find(&dev->eqs, num);
}

static void fire(struct cx5_eq *eq)
{
	eq->armed = false;
	eq->dev->counters.interrupts++;
	eq->dev->raise(eq->dev->host, eq->vector);
}

/*
 * Software's consumer counter is known from doorbells alone, so entries that it hasn't seen aren't
 * overwritten.
 */
static bool has_room(const struct cx5_eq *eq)
{
	return ((eq->producer - eq->consumer) & COUNTER_MASK) < 1u << eq->log_size;
}

static bool write_entry(struct cx5_eq *eq, unsigned int type, unsigned int sub_type,
			const uint8_t *data)
{
	uint32_t slot = eq->producer & ((1u << eq->log_size) - 1);
	uint8_t eqe[EQE_LEN] = { 0 };

	eqe[EQE_TYPE] = (uint8_t)type;
	eqe[EQE_SUB_TYPE] = (uint8_t)sub_type;
	memcpy(eqe + EQE_DATA, data, CX5_EVENT_DATA);
	eqe[EQE_OWNER] = eq->producer >> eq->log_size & 1;
	return !hca_buffer_publish(eq->dev->dma, &eq->buf, (uint64_t)slot * EQE_LEN, eqe, EQE_LEN);
}

void cx5_eq_push(struct cx5_eq *eq, unsigned int type, unsigned int sub_type,
		 const uint8_t data[CX5_EVENT_DATA])
{
	if (eq->overrun || !has_room(eq) || !write_entry(eq, type, sub_type, data)) {
		if (!eq->overrun)
			log_warn("connectx5: event queue %u is overrun or out of memory", eq->num);
		eq->overrun = true;
		eq->dev->counters.dropped_events++;
		return;
	}
	eq->producer = (eq->producer + 1) & COUNTER_MASK;
	eq->dev->counters.events++;
	if (eq->armed)
		fire(eq);
}

void cx5_event(struct connectx5 *dev, unsigned int type, unsigned int sub_type,
	       const uint8_t data[CX5_EVENT_DATA])
{
	struct cx5_eq *eq;
	uint32_t num;

	idtab_for_each(&dev->eqs, num, eq) {
		if (eq->mask[type / 64] >> type % 64 & 1) {
			cx5_eq_push(eq, type, sub_type, data);
			return;
		}
	}
	dev->counters.dropped_events++;
}

/* Commands complete by polling until the driver has armed the queue for their events. */
static void command_events(struct cx5_eq *eq)
{
	if (eq->mask[0] >> CX5_EV_COMMAND & 1) {
		eq->dev->cmd_eq = eq;
		eq->dev->cmd_events = true;
	}
}

void cx5_eq_doorbell(struct connectx5 *dev, uint32_t uar, uint32_t word, bool arm)
{
	struct cx5_eq *eq = cx5_eq_find(dev, word >> 24);

	if (!eq || eq->uar != uar) {
		dev->counters.stray_writes++;
		return;
	}
	eq->consumer = word & COUNTER_MASK;
	if (!arm)
		return;
	eq->armed = true;
	command_events(eq);
	if (eq->producer != eq->consumer)
		fire(eq);
}

static enum cx5_status init(struct cx5_eq *eq, const struct cx5_command *cmd)
{
	const uint8_t *eqc = cmd->in + CONTEXT_AT;

	memcpy(eq->context, eqc, CX5_EQC_LEN);
	eq->log_size = (uint8_t)GET(eqc, log_eq_size, eqc);
	eq->vector = GET(eqc, intr, eqc);
	eq->uar = GET(eqc, uar_page, eqc);
	for (int i = 0; i < 4; i++)
		eq->mask[i] = get_be64(cmd->in + MASK_AT + 8 * i);
	if (eq->log_size > CX5_LOG_MAX_EQ_SZ || eq->vector >= CX5_VECTORS)
		return CX5_BAD_PARAM;
	if (cx5_buffer(&eq->buf, cmd, PAGES_AT, GET(eqc, log_page_size, eqc),
		       GET(eqc, page_offset, eqc)))
		return CX5_BAD_PARAM;
	return hca_buffer_size(&eq->buf) < (uint64_t)EQE_LEN << eq->log_size ? CX5_BAD_PARAM
									     : CX5_OK;
}

static enum cx5_status add(struct connectx5 *dev, struct cx5_eq *eq)
{
	int64_t num;

	if (!cx5_resource_get(dev, CX5_UAR, eq->uar))
		return CX5_BAD_RES;
	num = idtab_alloc(&dev->eqs, eq);
	if (num < 0) {
		cx5_resource_put(dev, CX5_UAR, eq->uar);
		return cx5_status_of((int)num);
	}
	eq->num = (uint32_t)num;
	eq->dev = dev;
	return CX5_OK;
}

enum cx5_status cx5_create_eq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_eq *eq = calloc(1, sizeof(*eq));
	enum cx5_status status = eq ? init(eq, cmd) : CX5_NO_RES;

	if (status == CX5_OK)
		status = add(dev, eq);
	if (status == CX5_OK) {
		cmd->out[EQ_NUMBER_AT] = (uint8_t)eq->num;
	} else if (eq) {
		hca_buffer_destroy(&eq->buf);
		free(eq);
	}
	return status;
}

void cx5_eq_free(struct cx5_eq *eq)
{
	struct connectx5 *dev = eq->dev;

	if (dev->cmd_eq == eq) {
		dev->cmd_eq = NULL;
		dev->cmd_events = false;
	}
	cx5_resource_put(dev, CX5_UAR, eq->uar);
	idtab_free(&dev->eqs, eq->num);
	hca_buffer_destroy(&eq->buf);
	free(eq);
}

enum cx5_status cx5_destroy_eq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_eq *eq = cx5_eq_find(dev, cmd->in[EQ_NUMBER_AT]);

	if (!eq)
		return CX5_BAD_RES;
	if (eq->users)
		return CX5_BAD_RES_STATE;
	cx5_eq_free(eq);
	return CX5_OK;
}

enum cx5_status cx5_query_eq(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_eq *eq = cx5_eq_find(dev, cmd->in[EQ_NUMBER_AT]);
	uint8_t *eqc = cmd->out + CONTEXT_AT;

	if (!eq)
		return CX5_BAD_RES;
	memcpy(eqc, eq->context, CX5_EQC_LEN);
	PUT(eqc, status, eqc, eq->overrun ? STATUS_OVERRUN : STATUS_OK);
	PUT(eqc, st, eqc, eq->armed ? STATE_ARMED : STATE_FIRED);
	PUT(eqc, consumer_counter, eqc, eq->consumer);
	PUT(eqc, producer_counter, eqc, eq->producer);
	put_be64(cmd->out + MASK_AT, eq->mask[0]);
	return CX5_OK;
}
