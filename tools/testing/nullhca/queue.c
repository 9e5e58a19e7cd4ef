// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Posted receives, of a QP or of an SRQ. */

#include <linux/vmalloc.h>

#include "nullhca.h"

int nullhca_queue_init(struct nullhca_queue *queue, u32 size, u32 max_sge)
{
	if (size > NULLHCA_MAX_WR || max_sge > NULLHCA_MAX_SGE)
		return -EINVAL;
	spin_lock_init(&queue->lock);
	queue->size = roundup_pow_of_two(max(size, 1U));
	queue->max_sge = max(max_sge, 1U);
	queue->ring = kvcalloc(queue->size, sizeof(*queue->ring), GFP_KERNEL);
	return queue->ring ? 0 : -ENOMEM;
}

void nullhca_queue_free(struct nullhca_queue *queue)
{
	kvfree(queue->ring);
}

int nullhca_queue_post(struct nullhca_queue *queue, const struct ib_recv_wr *wr)
{
	struct nullhca_receive *receive;
	unsigned long flags;
	int ret = 0;

	if (wr->num_sge < 0 || wr->num_sge > queue->max_sge)
		return -EINVAL;
	spin_lock_irqsave(&queue->lock, flags);
	if (queue->tail - queue->head == queue->size) {
		ret = -ENOMEM;
	} else {
		receive = &queue->ring[queue->tail++ % queue->size];
		receive->cqe = wr->wr_cqe;
		receive->num_sge = wr->num_sge;
		memcpy(receive->sge, wr->sg_list, wr->num_sge * sizeof(*wr->sg_list));
	}
	spin_unlock_irqrestore(&queue->lock, flags);
	return ret;
}

/* Returns false if nothing is posted. @limit_reached: this one was the last above the limit. */
bool nullhca_queue_take(struct nullhca_queue *queue, struct nullhca_receive *receive,
			bool *limit_reached)
{
	unsigned long flags;
	bool found;

	*limit_reached = false;
	spin_lock_irqsave(&queue->lock, flags);
	found = queue->head != queue->tail;
	if (found) {
		*receive = queue->ring[queue->head++ % queue->size];
		if (queue->tail - queue->head < queue->limit) {
			*limit_reached = true;
			queue->limit = 0;
		}
	}
	spin_unlock_irqrestore(&queue->lock, flags);
	return found;
}
