// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: what is shown of a counter, and of the QPs that are bound to it. */

#include "netlink.h"

static struct rdma_counter *counter_of(const struct rdma_restrack_entry *res)
{
	return container_of(res, struct rdma_counter, res);
}

static u32 port_of(const struct rdma_restrack_entry *res)
{
	return counter_of(res)->port;
}

static int put_rule(struct sk_buff *msg, const struct rdma_counter *counter)
{
	const struct rdma_counter_mode *mode = &counter->mode;
	int err = 0;

	if (mode->mode != RDMA_COUNTER_MODE_AUTO)
		return 0;
	if (mode->mask & RDMA_COUNTER_MASK_QP_TYPE)
		err = nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_TYPE, mode->param.qp_type);
	if (!err && (mode->mask & RDMA_COUNTER_MASK_PID))
		err = nldev_put_owner(msg, &counter->res);
	return err;
}

static int put_qp(struct sk_buff *msg, u32 qp_num)
{
	struct nlattr *entry = nla_nest_start(msg, RDMA_NLDEV_ATTR_RES_QP_ENTRY);

	if (!entry || nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_LQPN, qp_num))
		return -EMSGSIZE;
	nla_nest_end(msg, entry);
	return 0;
}

static int put_bound_qps(struct sk_buff *msg, const struct rdma_counter *counter)
{
	struct rdma_restrack_entry *res;
	unsigned long id;
	int err = 0;

	for (id = 0; !err && (res = rdma_restrack_get_next(counter->device, RDMA_RESTRACK_QP, &id,
							   true)); id++) {
		const struct ib_qp *qp = container_of(res, struct ib_qp, res);

		if (READ_ONCE(qp->counter) == counter)
			err = put_qp(msg, qp->qp_num);
		rdma_restrack_put(res);
	}
	return err;
}

static int put_qps(struct sk_buff *msg, const struct rdma_counter *counter)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_RES_QP);

	if (!table || put_bound_qps(msg, counter))
		return -EMSGSIZE;
	nla_nest_end(msg, table);
	return 0;
}

static int put_values(struct sk_buff *msg, struct rdma_hw_stats *stats)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);
	int i, err = 0;

	if (!table)
		return -EMSGSIZE;
	mutex_lock(&stats->lock);
	for (i = 0; !err && i < stats->num_counters; i++)
		if (!test_bit(i, stats->is_disabled))
			err = rdma_nl_stat_hwcounter_entry(msg, stats->descs[i].name,
							   stats->value[i]);
	mutex_unlock(&stats->lock);
	if (!err)
		nla_nest_end(msg, table);
	return err;
}

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	struct rdma_counter *counter = counter_of(res);

	/* Should this fail, the values of the last time are shown. */
	rdma_counter_query_stats(counter);
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, counter->port) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_STAT_COUNTER_ID, counter->id) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_STAT_MODE, counter->mode.mode) ?:
	       put_rule(msg, counter) ?:
	       put_qps(msg, counter) ?:
	       put_values(msg, counter->stats);
}

const struct nldev_kind nldev_counter = {
	.type = RDMA_RESTRACK_COUNTER,
	.table = RDMA_NLDEV_ATTR_STAT_COUNTER,
	.entry = RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY,
	.id = RDMA_NLDEV_ATTR_STAT_COUNTER_ID,
	.port = port_of,
	.fill = fill,
};
