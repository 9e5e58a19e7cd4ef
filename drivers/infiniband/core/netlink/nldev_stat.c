// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: statistics of ports, counters and memory regions. `rdma statistic show`, `mode`. */

#include "netlink.h"

/*
 * The table of the port's values, with what its counters count added. rdma_hw_stats.lock is
 * held.
 */
static int put_values(struct sk_buff *msg, struct ib_device *device, u32 port,
		      const struct rdma_hw_stats *stats, int n)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);
	int i;

	if (!table)
		return -EMSGSIZE;
	for (i = 0; i < n; i++) {
		if (test_bit(i, stats->is_disabled))
			continue;
		if (rdma_nl_stat_hwcounter_entry(msg, stats->descs[i].name, stats->value[i] +
						 rdma_counter_get_hwstat_value(device, port, i)))
			return -EMSGSIZE;
	}
	nla_nest_end(msg, table);
	return 0;
}

static int get_port_values(struct nldev_request *request)
{
	struct ib_device *device = request->device;
	struct rdma_hw_stats *stats;
	int n, err;

	if (!request->tb[RDMA_NLDEV_ATTR_PORT_INDEX] || !device->ops.get_hw_stats)
		return -EINVAL;
	stats = rdma_port_hw_stats(device, request->port);
	if (!stats)
		return -EINVAL;
	if (nla_put_u32(request->reply, RDMA_NLDEV_ATTR_PORT_INDEX, request->port))
		return -EMSGSIZE;
	mutex_lock(&stats->lock);
	n = device->ops.get_hw_stats(device, stats, request->port, 0);
	err = n < 0 ? -EINVAL : put_values(request->reply, device, request->port, stats, n);
	mutex_unlock(&stats->lock);
	return err;
}

static int get_mode(struct nldev_request *request)
{
	enum rdma_nl_counter_mode mode;
	enum rdma_nl_counter_mask mask;
	int err;

	if (!request->tb[RDMA_NLDEV_ATTR_STAT_MODE] || !request->tb[RDMA_NLDEV_ATTR_PORT_INDEX])
		return -EINVAL;
	rdma_counter_get_mode(request->device, request->port, &mode, &mask);
	err = nla_put_u32(request->reply, RDMA_NLDEV_ATTR_PORT_INDEX, request->port) ?:
	      nla_put_u32(request->reply, RDMA_NLDEV_ATTR_STAT_MODE, mode);
	if (!err && mode == RDMA_COUNTER_MODE_AUTO)
		err = nla_put_u32(request->reply, RDMA_NLDEV_ATTR_STAT_AUTO_MODE_MASK, mask);
	return err;
}

/* What kind of resources' statistics are asked for. */
static const struct nldev_kind *kind_of(const struct nlattr *res)
{
	switch (nla_get_u32(res)) {
	case RDMA_NLDEV_ATTR_RES_QP:
		return &nldev_counter;
	case RDMA_NLDEV_ATTR_RES_MR:
		return &nldev_mr_stat;
	default:
		return NULL;
	}
}

/* Of the port itself; of a resource; or, instead of that of a QP, how QPs are bound. */
int nldev_stat_get(struct nldev_request *request)
{
	if (!request->tb[RDMA_NLDEV_ATTR_STAT_RES])
		return get_port_values(request);
	request->kind = kind_of(request->tb[RDMA_NLDEV_ATTR_STAT_RES]);
	if (!request->kind)
		return -EINVAL;
	if (request->kind == &nldev_counter && !request->tb[RDMA_NLDEV_ATTR_STAT_COUNTER_ID])
		return get_mode(request);
	return nldev_res_get(request);
}

int nldev_stat_dump(struct nldev_request *request, struct sk_buff *skb, struct netlink_callback *cb)
{
	if (request->tb[RDMA_NLDEV_ATTR_STAT_RES])
		request->kind = kind_of(request->tb[RDMA_NLDEV_ATTR_STAT_RES]);
	return request->kind ? nldev_res_dump(request, skb, cb) : -EINVAL;
}

/* A counter's name and index, and if it's optional, whether it's on. */
static int put_status(struct sk_buff *msg, const struct rdma_hw_stats *stats, int index)
{
	struct nlattr *entry = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY);
	const struct rdma_stat_desc *desc = &stats->descs[index];
	int err;

	if (!entry)
		return -EMSGSIZE;
	err = nla_put_string(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, desc->name) ?:
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_INDEX, index);
	if (!err && (desc->flags & IB_STAT_FLAG_OPTIONAL))
		err = nla_put_u8(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_DYNAMIC,
				 !test_bit(index, stats->is_disabled));
	if (!err)
		nla_nest_end(msg, entry);
	return err;
}

static int put_statuses(struct sk_buff *msg, struct rdma_hw_stats *stats)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);
	int i, err = 0;

	if (!table)
		return -EMSGSIZE;
	mutex_lock(&stats->lock);
	for (i = 0; !err && i < stats->num_counters; i++)
		err = put_status(msg, stats, i);
	mutex_unlock(&stats->lock);
	if (!err)
		nla_nest_end(msg, table);
	return err;
}

int nldev_stat_get_status(struct nldev_request *request)
{
	struct rdma_hw_stats *stats = rdma_port_hw_stats(request->device, request->port);

	if (!stats)
		return -EINVAL;
	return nla_put_u32(request->reply, RDMA_NLDEV_ATTR_PORT_INDEX, request->port) ?:
	       put_statuses(request->reply, stats);
}
