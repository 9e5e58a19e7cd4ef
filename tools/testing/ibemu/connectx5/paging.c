// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Page faults, as events to the driver, and the command by which it has a queue pair go on.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

/* The event's data. */
#define DONE 0
#define RKEY 4        /* requests that name memory by themselves: */
#define MESSAGE_LEN 12
#define VA 16
#define WQE_INDEX 6   /* or by a work request: */
#define TOKEN 12
#define PACKET_LEN 10 /* both */
#define TYPE_NUMBER 24

enum { SUB_WQE = 0, SUB_REMOTE = 1 };

/* Types of faults, in the event and in the command. */
#define TYPE_REQUESTER 1u
#define TYPE_WRITE 2u /* of a responder; of a requester: that it fetches */
#define TYPE_REMOTE 4u
#define TYPE_RESPONDER_WQE 2u
#define TYPE_SHARED_QUEUE 0u
#define TYPE_SHIFT 24

/* The command. */
#define INFO_AT 8
#define INFO_ERROR 0x80000000u
#define TOKEN_AT 13

/*
 * The token, by which the driver tells what to resume, is the queue pair's number; a work request
 * may lie in a shared queue.
 */
static void encode_wqe(const struct hca_page_fault *fault, uint8_t *data)
{
	uint32_t type = TYPE_RESPONDER_WQE, number = fault->qp->num;

	if (fault->half == HCA_REQUESTER) {
		type = TYPE_REQUESTER | (fault->fetches ? TYPE_WRITE : 0);
	} else if (fault->srq) {
		type = TYPE_SHARED_QUEUE;
		number = fault->srq->num;
	}
	put_be16(data + WQE_INDEX, fault->index);
	put_be32(data + TOKEN, fault->qp->num);
	put_be32(data + TYPE_NUMBER, type << TYPE_SHIFT | number);
}

static void encode_remote(const struct hca_page_fault *fault, uint8_t *data)
{
	uint32_t type = TYPE_REMOTE | (fault->writes ? TYPE_WRITE : 0);

	put_be32(data + RKEY, fault->rkey);
	put_be32(data + MESSAGE_LEN, fault->len);
	put_be64(data + VA, fault->va);
	put_be32(data + TYPE_NUMBER, type << TYPE_SHIFT | fault->qp->num);
}

void cx5_page_fault(const struct hca_page_fault *fault)
{
	struct connectx5 *dev = cx5_of(fault->qp->hca);
	uint8_t data[CX5_EVENT_DATA] = { 0 };

	dev->counters.page_faults++;
	put_be32(data + DONE, fault->done);
	put_be16(data + PACKET_LEN, (uint16_t)fault->packet_len);
	if (fault->remote)
		encode_remote(fault, data);
	else
		encode_wqe(fault, data);
	cx5_event(dev, CX5_EV_PAGE_FAULT, fault->remote ? SUB_REMOTE : SUB_WQE, data);
}

enum cx5_status cx5_page_fault_resume(struct connectx5 *dev, struct cx5_command *cmd)
{
	uint32_t info = get_be32(cmd->in + INFO_AT);
	struct hca_qp *qp = hca_qp_find(&dev->hca, get_be24(cmd->in + TOKEN_AT));
	bool requester = info >> TYPE_SHIFT & TYPE_REQUESTER;

	if (!qp)
		return CX5_BAD_RES;
	hca_qp_resume(qp, requester ? HCA_REQUESTER : HCA_RESPONDER, info & INFO_ERROR);
	return CX5_OK;
}
