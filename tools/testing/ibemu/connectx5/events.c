// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Events of the engine and of the port, as entries of event queues.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

/* Where the event's data name its object; a completion queue in error stands apart. */
#define DATA_NUMBER 24
#define DATA_QUEUE_TYPE 20
#define QUEUE_RQ 1 /* receive memory pools are of this type, all else of 0 */
#define DATA_CQ_ERROR_NUMBER 0
#define DATA_CQ_ERROR_SYNDROME 11
#define DATA_PORT 8
#define CQ_SYNDROME_OVERRUN 1

enum {
	PORT_SUB_DOWN = 1,
	PORT_SUB_ACTIVE = 4,
	PORT_SUB_INIT = 5,
	PORT_SUB_LID = 6,
	PORT_SUB_PKEY = 7,
	PORT_SUB_GUID = 8,
	PORT_SUB_CLIENT_REREGISTER = 9,
};

void cx5_completion_event(struct hca_cq *cq)
{
	uint8_t data[CX5_EVENT_DATA] = { 0 };

	put_be32(data + DATA_NUMBER, cq->num);
	cx5_eq_push(container(cq, struct cx5_cq, hca)->eq, CX5_EV_COMPLETION, 0, data);
}

static bool is_pool(struct hca *hca, enum hca_event event, uint32_t number)
{
	const struct hca_srq *srq;

	if (event != HCA_EVENT_SRQ_LIMIT && event != HCA_EVENT_SRQ_CATASTROPHIC)
		return false;
	srq = hca_srq_find(hca, number);
	return srq && container(srq, const struct cx5_srq, hca)->kind == CX5_SRQ_RMP;
}

void cx5_affiliated_event(struct hca *hca, enum hca_event event, uint32_t number)
{
	static const uint8_t types[] = {
		[HCA_EVENT_SQ_DRAINED] = CX5_EV_SQ_DRAINED,
		[HCA_EVENT_LAST_WQE_REACHED] = CX5_EV_SRQ_LAST_WQE,
		[HCA_EVENT_SRQ_LIMIT] = CX5_EV_SRQ_LIMIT,
		[HCA_EVENT_QP_CATASTROPHIC] = CX5_EV_WQ_CATASTROPHIC,
		[HCA_EVENT_CQ_OVERRUN] = CX5_EV_CQ_ERROR,
		[HCA_EVENT_SRQ_CATASTROPHIC] = CX5_EV_SRQ_CATASTROPHIC,
		[HCA_EVENT_COMM_EST] = CX5_EV_COMM_EST,
		[HCA_EVENT_PATH_MIGRATED] = CX5_EV_PATH_MIGRATED,
		[HCA_EVENT_PATH_REFUSED] = CX5_EV_PATH_MIGRATION_FAILED,
		[HCA_EVENT_QP_REQUEST] = CX5_EV_WQ_INVALID_REQUEST,
		[HCA_EVENT_QP_ACCESS] = CX5_EV_WQ_ACCESS,
		[HCA_EVENT_DCT_DRAINED] = CX5_EV_DCT_DRAINED,
	};
	uint8_t data[CX5_EVENT_DATA] = { 0 };

	if (event == HCA_EVENT_CQ_OVERRUN) {
		put_be32(data + DATA_CQ_ERROR_NUMBER, number);
		data[DATA_CQ_ERROR_SYNDROME] = CQ_SYNDROME_OVERRUN;
	} else {
		put_be32(data + DATA_NUMBER, number);
		data[DATA_QUEUE_TYPE] = is_pool(hca, event, number) ? QUEUE_RQ : 0;
	}
	cx5_event(cx5_of(hca), types[event], 0, data);
}

/* A new subnet manager is told as a LID change: drivers then look at all of PortInfo again. */
void cx5_port_event(struct hca *hca, enum port_event event)
{
	static const uint8_t sub_types[] = {
		[PORT_EV_DOWN] = PORT_SUB_DOWN,
		[PORT_EV_INIT] = PORT_SUB_INIT,
		[PORT_EV_ACTIVE] = PORT_SUB_ACTIVE,
		[PORT_EV_LID_CHANGE] = PORT_SUB_LID,
		[PORT_EV_PKEY_CHANGE] = PORT_SUB_PKEY,
		[PORT_EV_GUID_CHANGE] = PORT_SUB_GUID,
		[PORT_EV_CLIENT_REREGISTER] = PORT_SUB_CLIENT_REREGISTER,
		[PORT_EV_SM_CHANGE] = PORT_SUB_LID,
	};
	uint8_t data[CX5_EVENT_DATA] = { 0 };

	data[DATA_PORT] = 1 << 4;
	cx5_event(cx5_of(hca), CX5_EV_PORT_CHANGE, sub_types[event], data);
}

const struct hca_ops cx5_hca_ops = {
	.fetch_send = cx5_fetch_send,
	.decode_recv = cx5_decode_recv,
	.execute_local = cx5_execute_local,
	.encode_cqe = cx5_encode_cqe,
	.completion_event = cx5_completion_event,
	.event = cx5_affiliated_event,
	.port_event = cx5_port_event,
	.page_fault = cx5_page_fault,
};
