// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: a table of QP numbers, in which neighbours are put together. */

#include "netlink.h"

static int put_numbers(struct sk_buff *msg, u32 first, u32 last)
{
	if (first == last)
		return nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_LQPN, first);
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_MIN_RANGE, first) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_MAX_RANGE, last);
}

/**
 * nldev_qp_ranges_flush - put the range that is open into the message
 * @ranges: the table
 *
 * Return: 0, also if there's none; -EMSGSIZE, and then the message is as it was.
 */
int nldev_qp_ranges_flush(struct nldev_qp_ranges *ranges)
{
	struct nlattr *entry;

	if (!ranges->first)
		return 0;
	entry = nla_nest_start(ranges->msg, RDMA_NLDEV_ATTR_RES_QP_ENTRY);
	if (!entry)
		return -EMSGSIZE;
	if (put_numbers(ranges->msg, ranges->first, ranges->last)) {
		nla_nest_cancel(ranges->msg, entry);
		return -EMSGSIZE;
	}
	nla_nest_end(ranges->msg, entry);
	ranges->first = 0;
	return 0;
}

/**
 * nldev_qp_ranges_add - add a number to the table
 * @ranges: the table
 * @qp_num: the number, not 0; put together with the one before if it follows that one
 *
 * Return: 0; -EMSGSIZE.
 */
int nldev_qp_ranges_add(struct nldev_qp_ranges *ranges, u32 qp_num)
{
	int err = 0;

	if (ranges->first && qp_num == ranges->last + 1) {
		ranges->last = qp_num;
		return 0;
	}
	err = nldev_qp_ranges_flush(ranges);
	ranges->first = qp_num;
	ranges->last = qp_num;
	return err;
}
