// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Completion queues (IBTA vol. 1, 10.8.2).
 */
#include <errno.h>

#include "base/bytes.h"
#include "hca/engine.h"

#define COUNTER_MASK 0xffffffu
#define CQE_MAX 64

static bool fits(const struct hca_cq *cq, const struct hca_buffer *buf, unsigned int log_size)
{
	return log_size < 24 && hca_buffer_size(buf) >= (uint64_t)cq->entry_size << log_size;
}

static void notify(struct hca_cq *cq)
{
	cq->armed = HCA_CQ_UNARMED;
	cq->event_waits = false;
	cq->notified = cq->producer;
	cq->notified_ns = sched_now_ns(cq->hca->sched);
	timer_cancel(cq->hca->sched, &cq->moderation);
	cq->hca->ops->completion_event(cq);
}

/* What the queue was armed for has come. */
static void notify_in_time(struct hca_cq *cq)
{
	uint64_t until_ns = cq->notified_ns + cq->moderation_us * NSEC_PER_USEC;

	if (!cq->moderation_count || sched_now_ns(cq->hca->sched) >= until_ns ||
	    ((cq->producer - cq->notified) & COUNTER_MASK) >= cq->moderation_count) {
		notify(cq);
	} else if (!cq->event_waits) {
		cq->event_waits = true;
		timer_arm(cq->hca->sched, &cq->moderation, until_ns);
	}
}

static void moderated(void *ctx)
{
	notify(ctx);
}

void hca_cq_moderate(struct hca_cq *cq, uint16_t count, uint16_t period_us)
{
	cq->moderation_count = count;
	cq->moderation_us = period_us;
	if (!cq->event_waits)
		return;
	cq->event_waits = false;
	notify_in_time(cq);
}

int hca_cq_create(struct hca *hca, struct hca_cq *cq)
{
	int64_t num = fits(cq, &cq->buf, cq->log_size) ? idtab_alloc(&hca->cqs, cq) : -EINVAL;

	if (num < 0) {
		hca_buffer_destroy(&cq->buf);
		return (int)num;
	}
	cq->hca = hca;
	cq->num = (uint32_t)num;
	timer_init(&cq->moderation, moderated, cq);
	return 0;
}

int hca_cq_destroy(struct hca_cq *cq)
{
	if (cq->users)
		return -EBUSY;
	timer_cancel(cq->hca->sched, &cq->moderation);
	idtab_free(&cq->hca->cqs, cq->num);
	hca_buffer_destroy(&cq->buf);
	return 0;
}

struct hca_cq *hca_cq_find(struct hca *hca, uint32_t num)
{
	return idtab_find(&hca->cqs, num);
}

/*
 * Completions that software hasn't consumed; a consumer counter that can't be makes the queue look
 * full.
 */
static uint32_t outstanding(const struct hca_cq *cq)
{
	return (cq->producer - cq->consumer) & COUNTER_MASK;
}

static void read_consumer(struct hca_cq *cq)
{
	uint8_t record[4];

	if (!dma_read(cq->hca->dma, cq->dbr, record, sizeof(record)))
		cq->consumer = get_be32(record) & COUNTER_MASK;
}

/* The doorbell record is read only when the queue seems full. */
static bool has_room(struct hca_cq *cq)
{
	uint32_t size = 1u << cq->log_size;

	if (cq->ignore_overrun || outstanding(cq) < size)
		return true;
	read_consumer(cq);
	return outstanding(cq) < size;
}

static void fail(struct hca_cq *cq)
{
	cq->overrun = true;
	cq->hca->counters.cq_overruns++;
	cq->hca->ops->event(cq->hca, HCA_EVENT_CQ_OVERRUN, cq->num);
}

static bool write_entry(struct hca_cq *cq, const struct hca_wc *wc)
{
	uint32_t slot = cq->producer & ((1u << cq->log_size) - 1);
	uint64_t offset = (uint64_t)slot * cq->entry_size + cq->entry_size - cq->cqe_len;
	uint8_t cqe[CQE_MAX];

	cq->hca->ops->encode_cqe(cq, wc, cq->producer >> cq->log_size & 1, cqe);
	if (hca_buffer_publish(cq->hca->dma, &cq->buf, offset, cqe, cq->cqe_len))
		return false;
	cq->producer = (cq->producer + 1) & COUNTER_MASK;
	return true;
}

bool hca_cq_push(struct hca_cq *cq, const struct hca_wc *wc)
{
	bool solicited = wc->solicited || wc->status != HCA_OK;

	if (cq->overrun)
		return false;
	if (!has_room(cq) || !write_entry(cq, wc)) {
		fail(cq);
		return false;
	}
	cq->hca->counters.completions++;
	cq->hca->counters.error_completions += wc->status != HCA_OK;
	if (solicited) {
		cq->solicited = cq->producer;
		cq->any_solicited = true;
	}
	if (cq->event_waits || cq->armed == HCA_CQ_ANY ||
	    (cq->armed == HCA_CQ_SOLICITED && solicited))
		notify_in_time(cq);
	return true;
}

/* Is there a completion at or after a consumer counter that this kind of request waits for? */
static bool pending(const struct hca_cq *cq, bool solicited_only, uint32_t consumer)
{
	uint32_t ahead = (cq->solicited - consumer) & COUNTER_MASK;

	if (!solicited_only)
		return cq->producer != consumer;
	return cq->any_solicited && ahead && ahead <= ((cq->producer - consumer) & COUNTER_MASK);
}

void hca_cq_arm(struct hca_cq *cq, bool solicited_only, uint32_t consumer)
{
	cq->armed = solicited_only ? HCA_CQ_SOLICITED : HCA_CQ_ANY;
	if (pending(cq, solicited_only, consumer & COUNTER_MASK))
		notify_in_time(cq);
}

int hca_cq_resize(struct hca_cq *cq, struct hca_buffer *buf, unsigned int log_size)
{
	const struct hca_wc wc = { .opcode = HCA_WC_RESIZE };

	if (!fits(cq, buf, log_size))
		return -EINVAL;
	read_consumer(cq);
	if (outstanding(cq) > 1u << log_size || !has_room(cq) || !hca_cq_push(cq, &wc))
		return -EOVERFLOW;
	hca_buffer_destroy(&cq->buf);
	cq->buf = *buf;
	*buf = (struct hca_buffer){ 0 };
	cq->log_size = (uint8_t)log_size;
	return 0;
}
