// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Receive queues. There is no doorbell for them: software counts what it has posted in a record in
 * its own memory, which is read when a work request is needed.
 */
#include <errno.h>

#include "base/bytes.h"
#include "hca/engine.h"

#define SRQ_MAX_LOG_STRIDE 10 /* HCA_MAX_WQE */

uint16_t hca_rq_posted(struct hca *hca, const struct hca_rq *rq)
{
	uint8_t record[4];
	uint16_t posted;

	if (dma_read(hca->dma, rq->dbr, record, sizeof(record)))
		return 0;
	posted = (uint16_t)(get_be32(record) - rq->consumed);
	return posted > 1u << rq->log_size ? 0 : posted; /* more than there are slots: nonsense */
}

enum hca_fetch hca_rq_fetch(struct hca *hca, struct hca_rq *rq, struct hca_recv_wr *wr)
{
	uint16_t slot = rq->linked ? rq->slot : rq->consumed;
	uint8_t wqe[HCA_MAX_WQE];

	if (!hca_rq_posted(hca, rq))
		return HCA_EMPTY;
	wr->index = slot;
	wr->link = 0;
	slot &= (uint16_t)((1u << rq->log_size) - 1);
	if (hca_buffer_read(hca->dma, rq->buf, rq->offset + ((uint64_t)slot << rq->log_stride), wqe,
			    1u << rq->log_stride))
		return HCA_UNREADABLE;
	return hca->ops->decode_recv(rq, wqe, wr) ? HCA_FETCHED : HCA_MALFORMED;
}

void hca_rq_advance(struct hca_rq *rq, const struct hca_recv_wr *wr)
{
	rq->consumed++;
	if (rq->linked)
		rq->slot = wr->link & (uint16_t)((1u << rq->log_size) - 1);
}

int hca_srq_create(struct hca *hca, struct hca_srq *srq)
{
	struct hca_rq *rq = &srq->rq;
	int64_t num = -EINVAL;

	if (rq->log_size <= 16 && rq->log_stride >= 4 && rq->log_stride <= SRQ_MAX_LOG_STRIDE &&
	    hca_buffer_size(&srq->buf) >= 1ull << (rq->log_size + rq->log_stride))
		num = idtab_alloc(&hca->srqs, srq);
	if (num < 0) {
		hca_buffer_destroy(&srq->buf);
		return (int)num;
	}
	srq->hca = hca;
	srq->num = (uint32_t)num;
	rq->buf = &srq->buf;
	if (srq->cq)
		srq->cq->users++;
	return 0;
}

int hca_srq_destroy(struct hca_srq *srq)
{
	if (srq->users)
		return -EBUSY;
	if (srq->cq)
		srq->cq->users--;
	idtab_free(&srq->hca->srqs, srq->num);
	hca_buffer_destroy(&srq->buf);
	return 0;
}

struct hca_srq *hca_srq_find(struct hca *hca, uint32_t num)
{
	return idtab_find(&hca->srqs, num);
}

void hca_srq_check_limit(struct hca_srq *srq)
{
	if (!srq->limit || hca_rq_posted(srq->hca, &srq->rq) >= srq->limit)
		return;
	srq->limit = 0;
	srq->hca->ops->event(srq->hca, HCA_EVENT_SRQ_LIMIT, srq->num);
}

void hca_srq_arm(struct hca_srq *srq, uint16_t limit)
{
	srq->limit = limit;
	hca_srq_check_limit(srq);
}
