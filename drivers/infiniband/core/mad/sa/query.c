// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A query to SA: one request, one response, one callback. */

#include <linux/export.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "sa.h"

#define SA_RETRIES	10	/* a query's time is divided among so many tries */

/*
 * All queries under way, by number. Numbers aren't used again soon: late answers, and cancels of
 * what is over, find nothing.
 */
static DEFINE_XARRAY_FLAGS(queries, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_IRQ);
static u32 next_id;	/* guarded by the lock of @queries */
static atomic_t next_tid;

void __init sa_queries_init(void)
{
	atomic_set(&next_tid, get_random_u32());
}

/* Calls @visit for the query of that number, if there is one, which can't end meanwhile. */
void sa_query_visit(u32 id, sa_query_visitor visit, void *context)
{
	struct ib_sa_query *query;
	unsigned long flags;

	xa_lock_irqsave(&queries, flags);
	query = xa_load(&queries, id);
	if (query)
		visit(query, context);
	xa_unlock_irqrestore(&queries, flags);
}

/* ---- beginning ---- */

/* While a port is down it may have a handle that leads nowhere. */
static bool leads_somewhere(struct sa_sm_ah *sm_ah)
{
	struct rdma_ah_attr attr = {};

	return !rdma_query_ah(sm_ah->ah, &attr) && rdma_is_valid_unicast_lid(&attr);
}

static int create_mad(struct ib_sa_query *query, gfp_t gfp)
{
	struct ib_mad_send_buf *buf;

	query->sm_ah = sa_sm_ah_get(query->port);
	if (!query->sm_ah)
		return -EAGAIN;
	if (!leads_somewhere(query->sm_ah)) {
		sa_sm_ah_put(query->sm_ah);
		return -EAGAIN;
	}
	buf = ib_create_send_mad(query->port->agent, 1, query->sm_ah->pkey_index, 0,
				 IB_MGMT_SA_HDR, IB_MGMT_SA_DATA, gfp, IB_MGMT_BASE_VERSION);
	if (IS_ERR(buf)) {
		sa_sm_ah_put(query->sm_ah);
		return PTR_ERR(buf);
	}
	buf->ah = query->sm_ah->ah;
	buf->context[0] = query;
	query->mad_buf = buf;
	return 0;
}

static void fill_headers(struct ib_sa_query *query, const struct sa_request *request)
{
	struct ib_sa_mad *mad = sa_query_mad(query);
	u64 hi_tid = query->port->agent->hi_tid;

	mad->mad_hdr.base_version = IB_MGMT_BASE_VERSION;
	mad->mad_hdr.mgmt_class = IB_MGMT_CLASS_SUBN_ADM;
	mad->mad_hdr.class_version = IB_SA_CLASS_VERSION;
	mad->mad_hdr.method = request->method;
	mad->mad_hdr.attr_id = cpu_to_be16(request->attr_id);
	mad->mad_hdr.tid = cpu_to_be64(hi_tid << 32 | (u32)atomic_inc_return(&next_tid));
	mad->sa_hdr.comp_mask = request->comp_mask;
}

/**
 * sa_query_create - make a query
 * @client: for whom
 * @device: where to ask
 * @port_num: where to ask
 * @request: what is asked; the record is filled in by the caller
 * @gfp: how to allocate
 *
 * Context: any, as @gfp allows.
 *
 * Return: the query, or ERR_PTR(): -ENODEV if SA can't be asked from that port, -EAGAIN while the
 * way to the subnet manager isn't known, -ENOMEM.
 */
struct ib_sa_query *sa_query_create(struct ib_sa_client *client, struct ib_device *device,
				    u32 port_num, const struct sa_request *request, gfp_t gfp)
{
	struct sa_port *port = sa_port_find(device, port_num);
	struct ib_sa_query *query;
	int ret;

	if (!port)
		return ERR_PTR(-ENODEV);
	query = kzalloc(sizeof(*query), gfp);
	if (!query)
		return ERR_PTR(-ENOMEM);
	query->port = port;
	INIT_LIST_HEAD(&query->local.node);
	ret = create_mad(query, gfp);
	if (ret) {
		kfree(query);
		return ERR_PTR(ret);
	}
	fill_headers(query, request);
	sa_client_get(client);
	query->client = client;
	return query;
}

/* Frees a query that isn't under way. */
void sa_query_free(struct ib_sa_query *query)
{
	ib_free_send_mad(query->mad_buf);
	sa_sm_ah_put(query->sm_ah);
	sa_client_put(query->client);
	kfree(query);
}

static void forget(u32 id)
{
	unsigned long flags;

	xa_lock_irqsave(&queries, flags);
	__xa_erase(&queries, id);
	xa_unlock_irqrestore(&queries, flags);
}

/**
 * sa_query_number - give a query the number under which it can be canceled
 * @query: the query
 * @timeout_ms: how long to wait for a response, all tries together
 * @gfp: how to allocate
 *
 * Return: the number or a negative errno.
 */
int sa_query_number(struct ib_sa_query *query, unsigned long timeout_ms, gfp_t gfp)
{
	struct ib_mad_send_buf *buf = query->mad_buf;
	unsigned long flags;
	int ret;

	buf->timeout_ms = timeout_ms / SA_RETRIES;
	buf->retries = SA_RETRIES;
	if (!buf->timeout_ms) {
		buf->timeout_ms = 1;
		buf->retries = timeout_ms;
	}

	xa_lock_irqsave(&queries, flags);
	ret = __xa_alloc_cyclic(&queries, &query->id, query, xa_limit_31b, &next_id, gfp);
	xa_unlock_irqrestore(&queries, flags);
	return ret < 0 ? ret : query->id;
}

/**
 * sa_query_post - send a query that has a number
 * @query: the query; still the caller's, without a number, in case of an error
 *
 * Return: the number or a negative errno.
 */
int sa_query_post(struct ib_sa_query *query)
{
	u32 id = query->id;	/* once posted, the query may be gone */
	int ret;

	ret = ib_post_send_mad(query->mad_buf, NULL);
	if (!ret)
		return id;
	forget(id);
	return ret;
}

/**
 * sa_query_send - number a query and send it
 * @query: the query; still the caller's in case of an error
 * @timeout_ms: how long to wait for a response, all tries together
 * @gfp: how to allocate
 *
 * Return: the number or a negative errno.
 */
int sa_query_send(struct ib_sa_query *query, unsigned long timeout_ms, gfp_t gfp)
{
	int ret = sa_query_number(query, timeout_ms, gfp);

	return ret < 0 ? ret : sa_query_post(query);
}

/* ---- end ---- */

/* Ends a query whose callback was called. */
void sa_query_end(struct ib_sa_query *query)
{
	forget(query->id);
	sa_query_free(query);
}

/* Ends a query without a response. */
void sa_query_fail(struct ib_sa_query *query, int status)
{
	query->deliver(query, status, NULL);
	sa_query_end(query);
}

static int status_of(enum ib_wc_status status)
{
	switch (status) {
	case IB_WC_RESP_TIMEOUT_ERR:
		return -ETIMEDOUT;
	case IB_WC_WR_FLUSH_ERR:
		return -EINTR;
	default:
		return -EIO;
	}
}

/* The request has completed; if with success, the response was there before. */
void sa_query_sent(struct ib_mad_agent *agent, struct ib_mad_send_wc *send_wc)
{
	struct ib_sa_query *query = send_wc->send_buf->context[0];

	if (send_wc->status == IB_WC_SUCCESS)
		sa_query_end(query);
	else
		sa_query_fail(query, status_of(send_wc->status));
}

void sa_query_answered(struct ib_mad_agent *agent, struct ib_mad_send_buf *send_buf,
		       struct ib_mad_recv_wc *recv_wc)
{
	const struct ib_sa_mad *mad = (const struct ib_sa_mad *)recv_wc->recv_buf.mad;
	struct ib_sa_query *query;

	if (send_buf) {
		query = send_buf->context[0];
		query->deliver(query, mad->mad_hdr.status ? -EINVAL : 0, mad->data);
	}
	ib_free_recv_mad(recv_wc);
}

static void cancel(struct ib_sa_query *query, void *context)
{
	if (query == context && !sa_ls_cancel(query))
		ib_cancel_mad(query->mad_buf);
}

/**
 * ib_sa_cancel_query - cancel a query
 * @id: its number
 * @query: the query
 *
 * If it isn't over, its callback is called soon, with -EINTR, from another context. A pair of
 * @id and @query that don't belong together any more is ignored.
 *
 * Context: any.
 */
void ib_sa_cancel_query(int id, struct ib_sa_query *query)
{
	sa_query_visit(id, cancel, query);
}
EXPORT_SYMBOL(ib_sa_cancel_query);
