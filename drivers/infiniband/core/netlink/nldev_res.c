// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: resources of any kind, one or all of them, and how many there are. `rdma resource`. */

#include <linux/capability.h>

#include "netlink.h"

static bool wants_details(const struct nldev_request *request)
{
	const struct nlattr *details = request->tb[RDMA_NLDEV_ATTR_DRIVER_DETAILS];

	return details && nla_get_u8(details);
}

static bool has_port(const struct nldev_request *request)
{
	return request->tb[RDMA_NLDEV_ATTR_PORT_INDEX];
}

/* Is the resource on the port that was asked for, if one was? */
static bool is_wanted(const struct nldev_request *request, const struct rdma_restrack_entry *res)
{
	const struct nldev_kind *kind = request->kind;

	return !kind->port || !has_port(request) || kind->port(res) == request->port;
}

static int fill(struct nldev_request *request, struct sk_buff *msg, struct rdma_restrack_entry *res)
{
	return request->kind->fill(msg, res, netlink_capable(request->skb, CAP_NET_ADMIN));
}

/**
 * nldev_res_get - one resource
 * @request: has the kind, the resource's id, and a port exactly if resources of the kind have one
 *
 * Return: 0; -EINVAL; -ENOENT; -EAGAIN if it's on another port; -EMSGSIZE; the driver's errno.
 */
int nldev_res_get(struct nldev_request *request)
{
	const struct nldev_kind *kind = request->kind;
	struct rdma_restrack_entry *res;
	int err;

	if (!request->tb[kind->id] || has_port(request) != !!kind->port)
		return -EINVAL;
	res = rdma_restrack_get_byid(request->device, kind->type,
				     nla_get_u32(request->tb[kind->id]));
	if (IS_ERR(res))
		return PTR_ERR(res);
	err = is_wanted(request, res) ? fill(request, request->reply, res) : -EAGAIN;
	rdma_restrack_put(res);
	return err;
}

static int dump_entry(struct nldev_request *request, struct sk_buff *skb,
		      struct rdma_restrack_entry *res)
{
	struct nlattr *entry = nla_nest_start_noflag(skb, request->kind->entry);
	int err;

	if (!entry)
		return -EMSGSIZE;
	err = fill(request, skb, res);
	if (err)
		nla_nest_cancel(skb, entry);
	else
		nla_nest_end(skb, entry);
	return err;
}

/*
 * Dumps entries from @id on, as many as there's room for, and leaves in @id where to go on.
 * Return: their number, 0 if there are none left, or an error.
 */
static int dump_entries(struct nldev_request *request, struct sk_buff *skb, unsigned long *id)
{
	const bool details = wants_details(request);
	struct rdma_restrack_entry *res;
	int dumped = 0, err = 0;

	for (; !err && (res = rdma_restrack_get_next(request->device, request->kind->type, id,
						     details)); *id += !err) {
		if (is_wanted(request, res)) {
			err = dump_entry(request, skb, res);
			dumped += !err;
		}
		rdma_restrack_put(res);
	}
	/*
	 * What doesn't fit any more is for the next message. What doesn't fit into one of its
	 * own never will.
	 */
	return err == -EMSGSIZE && dumped ? dumped : err ?: dumped;
}

static int dump_table(struct nldev_request *request, struct sk_buff *skb, unsigned long *id)
{
	struct nlattr *table;
	int ret;

	if (nldev_put_handle(skb, request->device))
		return -EMSGSIZE;
	table = nla_nest_start_noflag(skb, request->kind->table);
	if (!table)
		return -EMSGSIZE;
	ret = dump_entries(request, skb, id);
	if (ret > 0)
		nla_nest_end(skb, table);
	return ret;
}

/**
 * nldev_res_dump - all resources of a kind, of a device or of one of its ports
 * @request: has the kind
 * @skb: where to
 * @cb: the dump; args[0] is the id to go on with
 *
 * Return: the length of what is in @skb, 0 at the end; the driver's errno, which ends the dump.
 */
int nldev_res_dump(struct nldev_request *request, struct sk_buff *skb, struct netlink_callback *cb)
{
	unsigned long id = cb->args[0];
	struct nlmsghdr *nlh;
	int ret;

	nlh = nldev_dump_begin(skb, cb);
	if (!nlh)
		return -EMSGSIZE;
	ret = dump_table(request, skb, &id);
	cb->args[0] = id;
	if (ret <= 0) {
		nlmsg_cancel(skb, nlh);
		return ret;
	}
	nlmsg_end(skb, nlh);
	return skb->len;
}

/* In the order in which they are shown. */
static const struct {
	enum rdma_restrack_type type;
	const char *name;
} counted[] = {
	{ RDMA_RESTRACK_PD, "pd" },
	{ RDMA_RESTRACK_CQ, "cq" },
	{ RDMA_RESTRACK_QP, "qp" },
	{ RDMA_RESTRACK_CM_ID, "cm_id" },
	{ RDMA_RESTRACK_MR, "mr" },
	{ RDMA_RESTRACK_CTX, "ctx" },
	{ RDMA_RESTRACK_SRQ, "srq" },
};

static int put_count(struct sk_buff *msg, const char *name, u64 count)
{
	struct nlattr *entry = nla_nest_start_noflag(msg, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY);

	if (!entry || nla_put_string(msg, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, name) ||
	    nldev_put_u64(msg, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, count))
		return -EMSGSIZE;
	nla_nest_end(msg, entry);
	return 0;
}

static int put_summary(struct sk_buff *msg, struct ib_device *device, bool details)
{
	struct nlattr *table = nla_nest_start_noflag(msg, RDMA_NLDEV_ATTR_RES_SUMMARY);
	int i;

	if (!table)
		return -EMSGSIZE;
	for (i = 0; i < ARRAY_SIZE(counted); i++)
		if (put_count(msg, counted[i].name,
			      rdma_restrack_count(device, counted[i].type, details)))
			return -EMSGSIZE;
	nla_nest_end(msg, table);
	return 0;
}

static int fill_summary(struct sk_buff *msg, struct ib_device *device)
{
	return put_summary(msg, device, false);
}

int nldev_res_summary_get(struct nldev_request *request)
{
	return put_summary(request->reply, request->device, wants_details(request));
}

int nldev_res_summary_dump(struct nldev_request *request, struct sk_buff *skb,
			   struct netlink_callback *cb)
{
	return nldev_dump_devices(skb, cb, fill_summary);
}
