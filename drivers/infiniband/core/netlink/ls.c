// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The local-service client: ibacm answers what the kernel asks it. Paths are ib_mad's business,
 * addresses the addr part's; the client id has room for one table, and this is it.
 */

#include <linux/export.h>
#include <linux/rwsem.h>

#include "netlink.h"

/* Guards sa_ops; held for reading while one of them runs. Inside the client's lock. */
static DECLARE_RWSEM(sa_ops_lock);
static const struct rdma_ls_sa_ops *sa_ops;

/**
 * rdma_ls_set_sa_ops - ib_mad comes or leaves
 * @ops: what it does with answers; NULL when it leaves
 *
 * Context: Process. Sleeps until none of the old operations runs.
 */
void rdma_ls_set_sa_ops(const struct rdma_ls_sa_ops *ops)
{
	down_write(&sa_ops_lock);
	sa_ops = ops;
	up_write(&sa_ops_lock);
}
EXPORT_SYMBOL(rdma_ls_set_sa_ops);

static int resolve(struct sk_buff *skb, struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	int err = -EINVAL;

	down_read(&sa_ops_lock);
	if (sa_ops)
		err = sa_ops->resolve_response(skb, nlh, extack);
	up_read(&sa_ops_lock);
	return err;
}

static int set_timeout(struct sk_buff *skb, struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	int err = -EINVAL;

	down_read(&sa_ops_lock);
	if (sa_ops)
		err = sa_ops->set_timeout(skb, nlh, extack);
	up_read(&sa_ops_lock);
	return err;
}

static const struct rdma_nl_cbs ls_table[RDMA_NL_LS_NUM_OPS] = {
	[RDMA_NL_LS_OP_RESOLVE] = { .doit = resolve, .flags = RDMA_NL_ADMIN_PERM },
	[RDMA_NL_LS_OP_SET_TIMEOUT] = { .doit = set_timeout, .flags = RDMA_NL_ADMIN_PERM },
	[RDMA_NL_LS_OP_IP_RESOLVE] = { .doit = rdma_addr_ls_response, .flags = RDMA_NL_ADMIN_PERM },
};

void rdma_ls_init(void)
{
	rdma_nl_register(RDMA_NL_LS, ls_table);
}

void rdma_ls_exit(void)
{
	rdma_nl_unregister(RDMA_NL_LS);
}
