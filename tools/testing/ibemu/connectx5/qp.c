// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Commands on queue pairs: creating, destroying, asking; modify_qp.c has the transitions.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"

#define NUMBER_AT 9
#define CONTEXT_AT 24
#define PAGES_AT 272
#define UMEM_OFFSET_AT 256
#define UMEM_ID_AT 264
#define UMEM_VALID_AT 268

/* Service types of a queue pair context: those whose work requests wqe.c can read. */
enum {
	ST_RC = 0,
	ST_UC = 1,
	ST_UD = 2,
	ST_XRC = 3,
	ST_DCI = 5,
	ST_QP0 = 7,
	ST_QP1 = 8,
	ST_REG_UMR = 12,
};

enum { RECORD = 0, NO_RECORD_EXTERNAL = 1 }; /* modes of doorbells */
enum { RQ_OWN = 0, RQ_SHARED = 1, RQ_NONE = 3 };

static int type_of(uint32_t service)
{
	switch (service) {
	case ST_RC:
		return HCA_QP_RC;
	case ST_UC:
		return HCA_QP_UC;
	case ST_UD:
		return HCA_QP_UD;
	case ST_XRC:
		return HCA_QP_XRC;
	case ST_DCI:
		return HCA_QP_DCI;
	case ST_QP0:
		return HCA_QP_SMI;
	case ST_QP1:
		return HCA_QP_GSI;
	case ST_REG_UMR:
		return HCA_QP_LOCAL;
	default:
		return -1;
	}
}

static int init_records(struct connectx5 *dev, struct cx5_qp *qp,
			const struct cx5_command *cmd)
{
	const uint8_t *qpc = cmd->in + CONTEXT_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), GET(qpc, dbr_umem_id, qpc),
					      GET64(qpc, dbr_addr, qpc) };
	uint64_t dbr = place.offset;
	int error = GET(qpc, dbr_umem_valid, qpc)
			    ? cx5_umem_record(dev, place, &qp->memory, &dbr)
			    : 0;

	qp->hca.rq.dbr = dbr;
	qp->sq_dbr = dbr + 4;
	return error;
}

static int init_buffer(struct connectx5 *dev, struct cx5_qp *qp, const struct cx5_command *cmd,
		       uint64_t size)
{
	const uint8_t *qpc = cmd->in + CONTEXT_AT;
	const struct cx5_umem_place place = { cx5_uid_of(cmd), get_be32(cmd->in + UMEM_ID_AT),
					      get_be64(cmd->in + UMEM_OFFSET_AT) };
	int error;

	if (cmd->in[UMEM_VALID_AT] & 0x80)
		return cx5_umem_buffer(dev, place, size, false, &qp->memory, &qp->hca.buf);
	error = cx5_buffer(&qp->hca.buf, cmd, PAGES_AT, GET(qpc, log_page_size, qpc),
			   GET(qpc, page_offset, qpc));
	if (!error && hca_buffer_size(&qp->hca.buf) < size) {
		hca_buffer_destroy(&qp->hca.buf);
		error = -EINVAL;
	}
	return error;
}

/* The receive queue comes first in the buffer, the send queue directly behind it. */
static int init_queues(struct connectx5 *dev, struct cx5_qp *qp, const struct cx5_command *cmd)
{
	const uint8_t *qpc = cmd->in + CONTEXT_AT;
	uint64_t size = 0;
	int error;

	qp->hca.has_rq = qp->hca.type != HCA_QP_XRC && qp->hca.type != HCA_QP_DCI &&
			 GET(qpc, rq_type, qpc) == RQ_OWN;
	qp->hca.has_sq = !GET(qpc, no_sq, qpc);
	qp->hca.rq.log_size = (uint8_t)GET(qpc, log_rq_size, qpc);
	qp->hca.rq.log_stride = (uint8_t)(4 + GET(qpc, log_rq_stride, qpc));
	qp->log_sq_size = (uint8_t)GET(qpc, log_sq_size, qpc);
	if (qp->hca.has_rq) {
		if (qp->hca.rq.log_size > CX5_LOG_MAX_QP_SZ ||
		    1u << qp->hca.rq.log_stride > CX5_MAX_WQE_RQ)
			return -EINVAL;
		size = 1ull << (qp->hca.rq.log_size + qp->hca.rq.log_stride);
	}
	if (qp->hca.has_sq) {
		if (qp->log_sq_size > CX5_LOG_MAX_QP_SZ)
			return -EINVAL;
		qp->sq_offset = size;
		size += (uint64_t)CX5_WQEBB << qp->log_sq_size;
	}
	if (!size)
		return 0;
	error = init_records(dev, qp, cmd);
	return error ? error : init_buffer(dev, qp, cmd, size);
}

/*
 * XRC names a shared receive queue in each request, and a DC initiator receives nothing, so that of
 * their contexts is none.
 */
static int find_partners(struct connectx5 *dev, struct cx5_qp *qp, const uint8_t *qpc)
{
	qp->hca.send_cq = hca_cq_find(&dev->hca, GET(qpc, cqn_snd, qpc));
	qp->hca.recv_cq = hca_cq_find(&dev->hca, GET(qpc, cqn_rcv, qpc));
	if (!qp->hca.send_cq || !qp->hca.recv_cq)
		return -ENOENT;
	if (qp->hca.type == HCA_QP_XRC || qp->hca.type == HCA_QP_DCI)
		return 0;
	switch (GET(qpc, rq_type, qpc)) {
	case RQ_OWN:
	case RQ_NONE:
		return 0;
	case RQ_SHARED:
		qp->hca.srq = hca_srq_find(&dev->hca, GET(qpc, srqn_rmpn_xrqn, qpc));
		return qp->hca.srq ? 0 : -ENOENT;
	default:
		return -EINVAL;
	}
}

static int init(struct connectx5 *dev, struct cx5_qp *qp, const struct cx5_command *cmd)
{
	const uint8_t *qpc = cmd->in + CONTEXT_AT;
	uint32_t service = GET(qpc, st, qpc);
	int type = type_of(service);
	int error;

	if (type < 0) {
		log_warn("connectx5: queue pairs of service type %u aren't supported: refused",
			 service);
		return -EOPNOTSUPP;
	}
	if (GET(qpc, wq_signature, qpc) || GET(qpc, send_dbr_mode, qpc) > NO_RECORD_EXTERNAL)
		return -EOPNOTSUPP;
	memcpy(qp->context, qpc, CX5_QPC_LEN);
	qp->hca.type = (enum hca_qp_type)type;
	qp->hca.pd = GET(qpc, pd, qpc);
	qp->hca.xrcd = GET(qpc, xrcd, qpc);
	qp->hca.block_loopback = GET(qpc, block_lb_mc, qpc);
	qp->uar = GET(qpc, uar_page, qpc);
	qp->sq_without_record = GET(qpc, send_dbr_mode, qpc) != RECORD;
	qp->user_index = GET(qpc, user_index, qpc);
	cx5_connection_apply(qp);
	error = find_partners(dev, qp, qpc);
	if (!error)
		error = init_queues(dev, qp, cmd);
	if (error)
		return error;
	return hca_qp_create(&dev->hca, &qp->hca);
}

struct needed {
	bool needed;
	enum cx5_resource kind;
	uint32_t num;
};

#define RESOURCES 3

/*
 * What a queue pair refers to. One for memory registration belongs to no protection domain, one
 * without a send queue has no doorbell.
 */
static void list_resources(const uint8_t *qpc, struct needed list[RESOURCES])
{
	uint32_t service = GET(qpc, st, qpc);

	list[0] = (struct needed){ service != ST_REG_UMR, CX5_PD, GET(qpc, pd, qpc) };
	list[1] = (struct needed){ service == ST_XRC, CX5_XRCD, GET(qpc, xrcd, qpc) };
	list[2] = (struct needed){ !GET(qpc, no_sq, qpc), CX5_UAR, GET(qpc, uar_page, qpc) };
}

static void put_some(struct connectx5 *dev, const struct needed *list, int count)
{
	while (count--)
		if (list[count].needed)
			cx5_resource_put(dev, list[count].kind, list[count].num);
}

static bool get_resources(struct connectx5 *dev, const uint8_t *qpc)
{
	struct needed list[RESOURCES];

	list_resources(qpc, list);
	for (int i = 0; i < RESOURCES; i++) {
		if (!list[i].needed || cx5_resource_get(dev, list[i].kind, list[i].num))
			continue;
		put_some(dev, list, i);
		return false;
	}
	return true;
}

static void put_resources(struct connectx5 *dev, const uint8_t *qpc)
{
	struct needed list[RESOURCES];

	list_resources(qpc, list);
	put_some(dev, list, RESOURCES);
}

enum cx5_status cx5_create_qp(struct connectx5 *dev, struct cx5_command *cmd)
{
	const uint8_t *qpc = cmd->in + CONTEXT_AT;
	struct cx5_qp *qp;
	int error;

	if (!get_resources(dev, qpc))
		return CX5_BAD_RES;
	qp = calloc(1, sizeof(*qp));
	error = qp ? init(dev, qp, cmd) : -ENOMEM;
	if (error) {
		put_resources(dev, qpc);
		if (qp)
			cx5_memory_release(&qp->memory);
		free(qp);
		return cx5_status_of(error);
	}
	/*
	 * Datagrams of the management interface may be sent from several queue pairs in the name of
	 * QP1.
	 */
	qp->hca.src_qpn = GET(qpc, deth_sqpn, qpc) ? GET(qpc, deth_sqpn, qpc) : qp->hca.num;
	put_be24(cmd->out + NUMBER_AT, qp->hca.num);
	return CX5_OK;
}

struct cx5_qp *cx5_qp_find(struct connectx5 *dev, uint32_t num)
{
	struct hca_qp *qp = hca_qp_find(&dev->hca, num);

	return qp && qp->type != HCA_QP_DCT ? container(qp, struct cx5_qp, hca) : NULL;
}

int cx5_qp_free(struct connectx5 *dev, struct cx5_qp *qp)
{
	int error = hca_qp_destroy(&qp->hca);

	if (error)
		return error;
	put_resources(dev, qp->context);
	cx5_memory_release(&qp->memory);
	free(qp);
	return 0;
}

enum cx5_status cx5_destroy_qp(struct connectx5 *dev, struct cx5_command *cmd)
{
	struct cx5_qp *qp = cx5_qp_find(dev, get_be24(cmd->in + NUMBER_AT));

	return qp ? cx5_status_of(cx5_qp_free(dev, qp)) : CX5_BAD_RES;
}

/* Of a connection, the engine counts on from where the attributes begin. */
static void put_psns(const struct cx5_qp *qp, uint8_t *qpc)
{
	uint32_t send, receive;

	if (!qp->hca.connected)
		return;
	hca_qp_psns(&qp->hca, &send, &receive);
	if (qp->hca.state >= HCA_QP_RTR)
		PUT(qpc, next_rcv_psn, qpc, receive);
	if (qp->hca.state >= HCA_QP_RTS)
		PUT(qpc, next_send_psn, qpc, send);
}

enum cx5_status cx5_query_qp(struct connectx5 *dev, struct cx5_command *cmd)
{
	/* In the order of enum hca_qp_state. */
	static const uint8_t states[] = { 0, 1, 2, 3, 5, 4, 6 };
	struct cx5_qp *qp = cx5_qp_find(dev, get_be24(cmd->in + NUMBER_AT));
	uint8_t *qpc = cmd->out + CONTEXT_AT;

	if (!qp)
		return CX5_BAD_RES;
	cx5_connection_refresh(qp);
	memcpy(qpc, qp->context, CX5_QPC_LEN);
	put_psns(qp, qpc);
	PUT(qpc, state, qpc, states[qp->hca.state]);
	PUT(qpc, hw_sq_wqebb_counter, qpc, qp->hca.sq_index);
	PUT(qpc, hw_rq_counter, qpc, qp->hca.rq.consumed);
	return CX5_OK;
}
