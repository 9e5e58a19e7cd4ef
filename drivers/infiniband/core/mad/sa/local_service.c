// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Paths that user space knows: a program (ibacm) that listens to RDMA netlink's group for local
 * services is asked first. If it doesn't know, or doesn't answer in time, SA is asked.
 *
 * A request's sequence number is the query's number. All requests get the same time, so that they
 * are due in the order in which they were made.
 */

#include <linux/jiffies.h>
#include <linux/workqueue.h>
#include <net/netlink.h>
#include <rdma/ib_user_sa.h>
#include <rdma/rdma_netlink.h>

#include "../../core.h"
#include "sa.h"

#define LS_TIMEOUT_MIN_MS	100
#define LS_TIMEOUT_MAX_MS	200000
#define LS_MAX_RECORDS		3	/* of a response */
#define LS_BATCH		64

/*
 * Guards what follows, and sa_local_request of all queries. A request is taken off and sent to SA
 * under it, so that who cancels finds it at either place.
 */
static DEFINE_SPINLOCK(ls_lock);
static LIST_HEAD(ls_pending);	/* of struct ib_sa_query, by time */
static unsigned int ls_timeout_ms = 2000;

static struct workqueue_struct *ls_wq;

static void time_out(struct work_struct *work);
static DECLARE_DELAYED_WORK(ls_timeout_work, time_out);

static struct ib_sa_query *first_pending(void)
{
	return list_first_entry_or_null(&ls_pending, struct ib_sa_query, local.node);
}

/* Until when @query may wait. Caller holds ls_lock. */
static unsigned long deadline(const struct ib_sa_query *query)
{
	if (query->local.canceled)
		return query->local.started;
	return query->local.started + msecs_to_jiffies(ls_timeout_ms);
}

/* Caller holds ls_lock. */
static void arm(void)
{
	const struct ib_sa_query *first = first_pending();

	if (first)
		mod_delayed_work(ls_wq, &ls_timeout_work,
				 max_t(long, deadline(first) - jiffies, 0));
}

/* ---- asking ---- */

static size_t request_size(void)
{
	return NLMSG_ALIGN(sizeof(struct rdma_ls_resolve_header)) + nla_total_size(sizeof(u64)) +
	       2 * nla_total_size(sizeof(struct rdma_nla_ls_gid)) + nla_total_size(sizeof(u8)) +
	       2 * nla_total_size(sizeof(u16));
}

/* What is known of the path. There's room for all of it. */
static void put_attributes(struct sk_buff *skb, const struct sa_path_rec *rec, ib_sa_comp_mask mask)
{
	u64 service_id = be64_to_cpu(rec->service_id);
	u16 pkey = be16_to_cpu(rec->pkey);
	u16 qos_class = be16_to_cpu(rec->qos_class);

	if (mask & IB_SA_PATH_REC_SERVICE_ID)
		nla_put(skb, RDMA_NLA_F_MANDATORY | LS_NLA_TYPE_SERVICE_ID, sizeof(service_id),
			&service_id);
	if (mask & IB_SA_PATH_REC_DGID)
		nla_put(skb, RDMA_NLA_F_MANDATORY | LS_NLA_TYPE_DGID, sizeof(rec->dgid),
			&rec->dgid);
	if (mask & IB_SA_PATH_REC_SGID)
		nla_put(skb, RDMA_NLA_F_MANDATORY | LS_NLA_TYPE_SGID, sizeof(rec->sgid),
			&rec->sgid);
	if (mask & IB_SA_PATH_REC_TRAFFIC_CLASS)
		nla_put_u8(skb, RDMA_NLA_F_MANDATORY | LS_NLA_TYPE_TCLASS, rec->traffic_class);
	if (mask & IB_SA_PATH_REC_PKEY)
		nla_put_u16(skb, RDMA_NLA_F_MANDATORY | LS_NLA_TYPE_PKEY, pkey);
	if (mask & IB_SA_PATH_REC_QOS_CLASS)
		nla_put_u16(skb, RDMA_NLA_F_MANDATORY | LS_NLA_TYPE_QOS_CLASS, qos_class);
}

static struct sk_buff *make_request(struct ib_sa_query *query, const struct sa_path_rec *rec,
				    gfp_t gfp)
{
	ib_sa_comp_mask mask = sa_query_mad(query)->sa_hdr.comp_mask;
	struct rdma_ls_resolve_header *header;
	struct nlmsghdr *nlh;
	struct sk_buff *skb;

	skb = nlmsg_new(request_size(), gfp);
	if (!skb)
		return NULL;
	if (!ibnl_put_msg(skb, &nlh, query->id, 0, RDMA_NL_LS, RDMA_NL_LS_OP_RESOLVE,
			  NLM_F_REQUEST)) {
		nlmsg_free(skb);
		return NULL;
	}
	query->local.path_use = mask & IB_SA_PATH_REC_REVERSIBLE && rec->reversible ?
				LS_RESOLVE_PATH_USE_ALL : LS_RESOLVE_PATH_USE_UNIDIRECTIONAL;
	header = skb_put_zero(skb, NLMSG_ALIGN(sizeof(*header)));
	strscpy_pad(header->device_name, dev_name(&query->port->agent->device->dev),
		    LS_DEVICE_NAME_MAX);
	header->port_num = query->port->port_num;
	header->path_use = query->local.path_use;
	put_attributes(skb, rec, mask);
	nlmsg_end(skb, nlh);
	return skb;
}

static void add_pending(struct ib_sa_query *query)
{
	unsigned long flags;

	spin_lock_irqsave(&ls_lock, flags);
	query->local.started = jiffies;
	query->local.canceled = false;
	list_add_tail(&query->local.node, &ls_pending);
	if (first_pending() == query)
		arm();
	spin_unlock_irqrestore(&ls_lock, flags);
}

/* Takes the request off the list, unless it isn't there or was canceled. Caller holds ls_lock. */
static bool take(struct ib_sa_query *query)
{
	if (list_empty(&query->local.node) || query->local.canceled)
		return false;
	list_del_init(&query->local.node);
	return true;
}

static void take_back(struct ib_sa_query *query, void *context)
{
	bool *taken = context;

	spin_lock(&ls_lock);
	*taken = take(query);
	spin_unlock(&ls_lock);
}

/**
 * sa_ls_ask - ask user space
 * @query: a query for a path that has a number
 * @rec: what is known of the path
 * @gfp: how to allocate
 *
 * Context: any, as @gfp allows.
 *
 * Return: 0: the query is taken care of, and may be over already; else a negative errno: there's
 * nobody to ask.
 */
int sa_ls_ask(struct ib_sa_query *query, const struct sa_path_rec *rec, gfp_t gfp)
{
	u32 id = query->id;
	struct sk_buff *skb;
	bool taken = false;
	int ret;

	if (!rdma_nl_chk_listeners(RDMA_NL_GROUP_LS))
		return -ESRCH;
	skb = make_request(query, rec, gfp);
	if (!skb)
		return -ENOMEM;

	add_pending(query);	/* the answer can be here before the next call returns */
	ret = rdma_nl_multicast(&init_net, skb, RDMA_NL_GROUP_LS, gfp);
	if (ret)
		sa_query_visit(id, take_back, &taken);
	return taken ? ret : 0;
}

/* ---- answers ---- */

static u32 wanted_flags(u8 path_use)
{
	if (path_use == LS_RESOLVE_PATH_USE_UNIDIRECTIONAL)
		return IB_PATH_PRIMARY | IB_PATH_OUTBOUND;
	return IB_PATH_PRIMARY;
}

static bool read_record(const struct nlattr *attr, u32 wanted, struct sa_path_rec *rec)
{
	const struct ib_path_rec_data *data = nla_data(attr);

	if (nla_type(attr) != LS_NLA_TYPE_PATH_RECORD || nla_len(attr) < sizeof(*data) ||
	    (data->flags & wanted) != wanted)
		return false;
	memset(rec, 0, sizeof(*rec));
	rec->rec_type = SA_PATH_REC_TYPE_IB;
	rec->flags = data->flags;
	sa_unpack_path(data->path_rec, rec);
	return true;
}

static void deliver(struct ib_sa_query *query, const struct nlmsghdr *nlh)
{
	struct sa_path_rec recs[LS_MAX_RECORDS];
	u32 wanted = wanted_flags(query->local.path_use);
	const struct nlattr *attr;
	unsigned int count = 0;
	int rest;

	nlmsg_for_each_attr(attr, nlh, 0, rest) {
		if (read_record(attr, wanted, &recs[count]) && ++count == LS_MAX_RECORDS)
			break;
	}
	if (!count) {
		sa_query_fail(query, -EIO);
		return;
	}
	sa_path_deliver_local(query, recs, count);
	sa_query_end(query);
}

/**
 * struct answer - what user space says, and what becomes of it
 * @good: it knows paths
 * @query: the query, if it's to be ended now
 * @status: why that couldn't be sent to SA
 */
struct answer {
	bool good;
	struct ib_sa_query *query;
	int status;
};

static void take_answered(struct ib_sa_query *query, void *context)
{
	struct answer *answer = context;

	spin_lock(&ls_lock);
	if (take(query)) {
		if (!answer->good)
			answer->status = ib_post_send_mad(query->mad_buf, NULL);
		if (answer->good || answer->status)
			answer->query = query;
	}
	spin_unlock(&ls_lock);
}

static int resolve_response(struct sk_buff *skb, struct nlmsghdr *nlh,
			    struct netlink_ext_ack *extack)
{
	struct answer answer = { .good = !(nlh->nlmsg_flags & RDMA_NL_LS_F_ERR) };

	if (nlh->nlmsg_flags & NLM_F_REQUEST || !NETLINK_CB(skb).sk)
		return -EPERM;
	sa_query_visit(nlh->nlmsg_seq, take_answered, &answer);
	if (answer.query && answer.good)
		deliver(answer.query, nlh);
	else if (answer.query)
		sa_query_fail(answer.query, -EIO);
	return 0;
}

static int set_timeout(struct sk_buff *skb, struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	unsigned long flags;

	if (!(nlh->nlmsg_flags & NLM_F_REQUEST) || !NETLINK_CB(skb).sk)
		return -EPERM;
	attr = nlmsg_find_attr(nlh, 0, LS_NLA_TYPE_TIMEOUT);
	if (!attr || nla_len(attr) < sizeof(u32))
		return 0;

	spin_lock_irqsave(&ls_lock, flags);
	ls_timeout_ms = clamp(nla_get_s32(attr), LS_TIMEOUT_MIN_MS, LS_TIMEOUT_MAX_MS);
	arm();
	spin_unlock_irqrestore(&ls_lock, flags);
	return 0;
}

/* ---- time ---- */

static int status_of(const struct ib_sa_query *query)
{
	return query->local.canceled ? -EINTR : ib_post_send_mad(query->mad_buf, NULL);
}

/* Sends a batch of requests to SA; puts those that don't go there on @failed. */
static void to_sa(struct list_head *failed)
{
	struct ib_sa_query *query;
	int n;

	spin_lock_irq(&ls_lock);
	for (n = 0; n < LS_BATCH; n++) {
		query = first_pending();
		if (!query || time_before(jiffies, deadline(query)))
			break;
		list_del_init(&query->local.node);
		if (status_of(query))
			list_add_tail(&query->local.node, failed);
	}
	arm();
	spin_unlock_irq(&ls_lock);
}

static void time_out(struct work_struct *work)
{
	struct ib_sa_query *query, *next;
	LIST_HEAD(failed);

	to_sa(&failed);
	list_for_each_entry_safe(query, next, &failed, local.node)
		sa_query_fail(query, -EINTR);
}

/* Caller holds ls_lock. */
static void cancel(struct ib_sa_query *query)
{
	query->local.canceled = true;
	query->local.started = jiffies;
	list_move(&query->local.node, &ls_pending);
	arm();
}

/**
 * sa_ls_cancel - cancel a query
 * @query: the query; the caller holds the lock of the array of queries
 *
 * Return: false if user space isn't being asked about it.
 */
bool sa_ls_cancel(struct ib_sa_query *query)
{
	bool pending;

	spin_lock(&ls_lock);
	pending = !list_empty(&query->local.node);
	if (pending)
		cancel(query);
	spin_unlock(&ls_lock);
	return pending;
}

/* Ends all queries of a port that goes. Context: sleeps. */
void sa_ls_cancel_port(const struct sa_port *port)
{
	struct ib_sa_query *query, *next;

	spin_lock_irq(&ls_lock);
	list_for_each_entry_safe(query, next, &ls_pending, local.node)
		if (query->port == port)
			cancel(query);
	spin_unlock_irq(&ls_lock);
}

/* ---- module ---- */

static const struct rdma_ls_sa_ops ops = {
	.resolve_response = resolve_response,
	.set_timeout = set_timeout,
};

int __init sa_ls_init(void)
{
	ls_wq = alloc_ordered_workqueue("ib_sa_local", WQ_MEM_RECLAIM);
	if (!ls_wq)
		return -ENOMEM;
	rdma_ls_set_sa_ops(&ops);
	return 0;
}

/* No query is left. */
void sa_ls_exit(void)
{
	rdma_ls_set_sa_ops(NULL);
	cancel_delayed_work_sync(&ls_timeout_work);
	destroy_workqueue(ls_wq);
}
