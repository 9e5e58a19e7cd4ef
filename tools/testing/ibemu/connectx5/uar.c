// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Doorbells: pages of the BAR that processes write to directly. A doorbell is heard only on the
 * page that its queue was created with, so that a process can't ring another's.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

#define CQ_ARM 0x20
#define CQ_ARM_LEN 8
#define EQ_ARM 0x40
#define EQ_CONSUMER 0x48
#define EQ_LEN 4
#define SQ_WITHOUT_RECORD 0x600
#define SQ_FIRST 0x800 /* a register each 256 bytes from here to the end of the page */
#define SQ_STEP 0x100
#define SQ_MIN_LEN 8

#define CQ_ARM_SOLICITED (1u << 24)

static void arm_cq(struct connectx5 *dev, uint32_t uar, const uint8_t *buf)
{
	uint32_t word = get_be32(buf);
	struct hca_cq *found = hca_cq_find(&dev->hca, get_be24(buf + 5));

	if (!found || container(found, struct cx5_cq, hca)->uar != uar) {
		dev->counters.stray_writes++;
		return;
	}
	hca_cq_arm(found, word & CQ_ARM_SOLICITED, word);
}

/* The queue pair that rings there, if it may. */
static struct cx5_qp *qp_of(struct connectx5 *dev, uint32_t uar, const uint8_t *buf,
			    bool without_record)
{
	struct cx5_qp *qp = cx5_qp_find(dev, get_be24(buf + 4));

	if (qp && qp->uar == uar && qp->sq_without_record == without_record)
		return qp;
	dev->counters.stray_writes++;
	return NULL;
}

/*
 * The start of a control segment: only the queue pair's number counts, how far it may go stands in
 * its record. A driver may go on and write all of a work request there (BlueFlame), so that it
 * needn't be fetched. It's in the queue all the same, and always taken from there: a work request
 * of which only a part arrives in the register can't do harm.
 */
static void ring_sq(struct connectx5 *dev, uint32_t uar, const uint8_t *buf)
{
	struct cx5_qp *qp = qp_of(dev, uar, buf, false);

	if (qp)
		hca_qp_doorbell(&qp->hca);
}

/* The same start of a control segment, and all up to the end of that work request is posted. */
static void ring_sq_without_record(struct connectx5 *dev, uint32_t uar, const uint8_t *buf)
{
	struct cx5_qp *qp = qp_of(dev, uar, buf, true);

	if (!qp)
		return;
	qp->sq_posted = cx5_wqe_end(buf);
	hca_qp_doorbell(&qp->hca);
}

void cx5_uar_write(struct connectx5 *dev, uint64_t offset, const uint8_t *buf, size_t len)
{
	uint32_t uar = (uint32_t)(offset / CX5_UAR_PAGE), at = (uint32_t)(offset % CX5_UAR_PAGE);

	dev->counters.doorbells++;
	if (!cx5_uar_exists(dev, uar))
		dev->counters.stray_writes++;
	else if (at == CQ_ARM && len == CQ_ARM_LEN)
		arm_cq(dev, uar, buf);
	else if (at == EQ_ARM && len == EQ_LEN)
		cx5_eq_doorbell(dev, uar, get_be32(buf), true);
	else if (at == EQ_CONSUMER && len == EQ_LEN)
		cx5_eq_doorbell(dev, uar, get_be32(buf), false);
	else if (at == SQ_WITHOUT_RECORD && len >= SQ_MIN_LEN)
		ring_sq_without_record(dev, uar, buf);
	else if (at >= SQ_FIRST && at % SQ_STEP == 0 && len >= SQ_MIN_LEN)
		ring_sq(dev, uar, buf);
	else if (at >= SQ_FIRST && at % SQ_STEP != 0)
		dev->counters.blue_flame_writes++;
	else
		dev->counters.stray_writes++;
}
