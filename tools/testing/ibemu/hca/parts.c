// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The extended headers of a request (IBTA vol. 1, 9.3), and the payload behind them.
 */
#include "base/bytes.h"
#include "hca/connected.h"

/* The next len bytes, or NULL. */
static const uint8_t *take(struct parts *parts, uint32_t len)
{
	const uint8_t *at = parts->payload;

	if (parts->len < len)
		return NULL;
	parts->payload += len;
	parts->len -= len;
	return at;
}

/* XRC names a shared receive queue in each request: one of the queue pair's domain (annex A14). */
static bool take_srq(const struct hca_qp *qp, struct parts *parts)
{
	const uint8_t *at = take(parts, XRCETH_LEN);

	parts->srq = at ? hca_srq_find(qp->hca, get_be24(at + 1)) : NULL;
	return parts->srq && parts->srq->cq && parts->srq->xrcd == qp->xrcd;
}

static bool take_reth(struct parts *parts)
{
	const uint8_t *at = take(parts, RETH_LEN);

	if (at)
		reth_decode(at, &parts->reth);
	return at;
}

static bool take_atomic_eth(struct parts *parts)
{
	const uint8_t *at = take(parts, ATOMIC_ETH_LEN);

	if (at)
		atomic_eth_decode(at, &parts->atomic);
	return at;
}

static bool take_imm(struct parts *parts)
{
	const uint8_t *at = take(parts, IMM_LEN);

	if (at)
		parts->imm = get_be32(at);
	return at;
}

static bool has_reth(const struct operation *operation)
{
	return operation->kind == OPERATION_READ ||
	       (operation->kind == OPERATION_WRITE && operation->first);
}

bool hca_take_apart(struct hca_qp *qp, const struct hca_rx *rx, const struct operation *operation,
		    struct parts *parts)
{
	*parts = (struct parts){ .srq = qp->srq, .payload = rx->rest, .len = rx->rest_len };
	return (qp->type != HCA_QP_XRC || take_srq(qp, parts)) &&
	       (qp->type != HCA_QP_DCT || take(parts, DCETH_LEN)) &&
	       (!has_reth(operation) || take_reth(parts)) &&
	       (operation->kind != OPERATION_ATOMIC || take_atomic_eth(parts)) &&
	       (!(operation->imm || operation->invalidate) || take_imm(parts));
}

const struct hca_mkey *hca_remote_mkey(const struct hca_qp *qp, uint32_t rkey, uint32_t pd,
				       uint64_t va, uint64_t len, enum hca_access access)
{
	const struct hca_mkey *mkey = hca_mkey_check(qp->hca, rkey, pd, va, len, access);

	return mkey && (!mkey->qpn || mkey->qpn == qp->num) ? mkey : NULL;
}

uint32_t hca_remote_pd(const struct hca_qp *qp, const struct parts *parts)
{
	return qp->type == HCA_QP_XRC ? parts->srq->pd : qp->pd;
}
