// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What netlink tells of paged regions (rdma resource show mr, rdma statistic show mr).
 */
#include <net/netlink.h>
#include <rdma/rdma_netlink.h>
#include <rdma/restrack.h>

#include "odp.h"

int mlx5_ib_fill_mr(struct sk_buff *msg, struct ib_mr *ibmr)
{
	struct mlx5_ib_mr *mr = to_mmr(ibmr);
	struct nlattr *table;

	if (!(mr->access & IB_ACCESS_ON_DEMAND))
		return 0;
	table = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);
	if (!table)
		return -EMSGSIZE;
	if (rdma_nl_put_driver_string(msg, "odp", mr->implicit ? "implicit" : "explicit")) {
		nla_nest_cancel(msg, table);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, table);
	return 0;
}

static int put_counters(struct sk_buff *msg, struct ib_odp_counters *counters)
{
	return rdma_nl_stat_hwcounter_entry(msg, "page_faults", atomic64_read(&counters->faults)) ||
	       rdma_nl_stat_hwcounter_entry(msg, "page_invalidations",
					    atomic64_read(&counters->invalidations)) ||
	       rdma_nl_stat_hwcounter_entry(msg, "page_prefetch",
					    atomic64_read(&counters->prefetch));
}

int mlx5_ib_fill_mr_stat(struct sk_buff *msg, struct ib_mr *ibmr)
{
	struct mlx5_ib_mr *mr = to_mmr(ibmr);
	struct nlattr *table;

	if (!(mr->access & IB_ACCESS_ON_DEMAND))
		return 0;
	table = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);
	if (!table)
		return -EMSGSIZE;
	if (put_counters(msg, &mr->odp_counters)) {
		nla_nest_cancel(msg, table);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, table);
	return 0;
}
