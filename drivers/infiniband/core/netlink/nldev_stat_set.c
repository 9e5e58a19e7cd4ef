// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: binding of QPs to counters, optional counters. `rdma statistic set`, `bind`, `unbind`. */

#include <linux/bitmap.h>

#include "netlink.h"

static bool is_about_qps(const struct nldev_request *request)
{
	const struct nlattr *res = request->tb[RDMA_NLDEV_ATTR_STAT_RES];

	return res && nla_get_u32(res) == RDMA_NLDEV_ATTR_RES_QP;
}

static u32 u32_or_0(const struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

static int put_binding(struct sk_buff *msg, u32 counter_id, u32 qp_num)
{
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_STAT_COUNTER_ID, counter_id) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_LQPN, qp_num);
}

/* To a counter that exists, or else to a new one. */
static int bind(struct nldev_request *request)
{
	const struct nlattr *counter = request->tb[RDMA_NLDEV_ATTR_STAT_COUNTER_ID];
	const struct nlattr *qp = request->tb[RDMA_NLDEV_ATTR_RES_LQPN];
	u32 counter_id = u32_or_0(counter);
	int err;

	if (!qp)
		return -EINVAL;
	if (counter)
		err = rdma_counter_bind_qpn(request->device, request->port, nla_get_u32(qp),
					    counter_id);
	else
		err = rdma_counter_bind_qpn_alloc(request->device, request->port, nla_get_u32(qp),
						  &counter_id);
	if (err)
		return err;
	err = put_binding(request->reply, counter_id, nla_get_u32(qp));
	if (err)
		rdma_counter_unbind_qpn(request->device, request->port, nla_get_u32(qp),
					counter_id);
	return err;
}

static int set_mode(struct nldev_request *request)
{
	u32 mask = u32_or_0(request->tb[RDMA_NLDEV_ATTR_STAT_AUTO_MODE_MASK]);

	if (!is_about_qps(request))
		return -EINVAL;
	if (nla_get_u32(request->tb[RDMA_NLDEV_ATTR_STAT_MODE]) != RDMA_COUNTER_MODE_AUTO)
		return bind(request);
	return rdma_counter_set_auto_mode(request->device, request->port, mask, request->extack);
}

static bool is_optional(const struct rdma_hw_stats *stats, u32 index)
{
	return index < stats->num_counters &&
	       (stats->descs[index].flags & IB_STAT_FLAG_OPTIONAL);
}

/* The request lists those that are to be on, by index. */
static int parse_wanted(const struct nlattr *list, const struct rdma_hw_stats *stats,
			unsigned long *wanted)
{
	const struct nlattr *entry;
	int rest;

	nla_for_each_nested(entry, list, rest) {
		if (nla_len(entry) != sizeof(u32) || !is_optional(stats, nla_get_u32(entry)))
			return -EINVAL;
		__set_bit(nla_get_u32(entry), wanted);
	}
	return 0;
}

static int set_optional(struct nldev_request *request)
{
	struct rdma_hw_stats *stats = rdma_port_hw_stats(request->device, request->port);
	unsigned long *wanted;
	int i, err;

	if (!stats)
		return -EINVAL;
	wanted = bitmap_zalloc(stats->num_counters, GFP_KERNEL);
	if (!wanted)
		return -ENOMEM;
	err = parse_wanted(request->tb[RDMA_NLDEV_ATTR_STAT_HWCOUNTERS], stats, wanted);
	for (i = 0; !err && i < stats->num_counters; i++)
		if (is_optional(stats, i))
			err = rdma_counter_modify(request->device, request->port, i,
						  test_bit(i, wanted));
	bitmap_free(wanted);
	return err;
}

int nldev_stat_set(struct nldev_request *request)
{
	const struct nlattr *mode = request->tb[RDMA_NLDEV_ATTR_STAT_MODE];
	const struct nlattr *counters = request->tb[RDMA_NLDEV_ATTR_STAT_HWCOUNTERS];
	int err;

	if (!mode && !counters)
		return -EINVAL;
	err = nla_put_u32(request->reply, RDMA_NLDEV_ATTR_PORT_INDEX, request->port);
	if (!err && mode)
		err = set_mode(request);
	if (!err && counters)
		err = set_optional(request);
	return err;
}

int nldev_stat_unbind(struct nldev_request *request)
{
	const struct nlattr *counter = request->tb[RDMA_NLDEV_ATTR_STAT_COUNTER_ID];
	const struct nlattr *qp = request->tb[RDMA_NLDEV_ATTR_RES_LQPN];

	if (!is_about_qps(request) || !counter || !qp)
		return -EINVAL;
	return nla_put_u32(request->reply, RDMA_NLDEV_ATTR_PORT_INDEX, request->port) ?:
	       put_binding(request->reply, nla_get_u32(counter), nla_get_u32(qp)) ?:
	       rdma_counter_unbind_qpn(request->device, request->port, nla_get_u32(qp),
				       nla_get_u32(counter));
}
