// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A destination behind a gateway is on another IP network, but may be on the same InfiniBand
 * subnet or one that InfiniBand routes to. Which GID it has no neighbour can tell, but a program
 * that knows the fabric (ibacm) can: it's asked over RDMA netlink.
 */

#include <linux/atomic.h>
#include <net/netlink.h>
#include <rdma/rdma_netlink.h>

#include "addr.h"

/* The key is the sequence number of the question. */
static struct addr_waiters waiters = { .lock = __SPIN_LOCK_UNLOCKED(waiters.lock) };
static atomic_t last_seq = ATOMIC_INIT(0);

static const struct nla_policy answer_policy[LS_NLA_TYPE_MAX] = {
	[LS_NLA_TYPE_DGID] = NLA_POLICY_MIN_LEN(sizeof(struct rdma_nla_ls_gid)),
};

/**
 * addr_ls_listens - tell whether there's a program to ask
 *
 * Context: Any.
 * Return: true if there is.
 */
bool addr_ls_listens(void)
{
	return rdma_nl_chk_listeners(RDMA_NL_GROUP_LS);
}

static int put_destination(struct sk_buff *skb, const struct sockaddr *dst)
{
	const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)dst;
	const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)dst;

	if (dst->sa_family == AF_INET)
		return nla_put(skb, LS_NLA_TYPE_IPV4 | RDMA_NLA_F_MANDATORY,
			       sizeof(ipv4->sin_addr), &ipv4->sin_addr);
	return nla_put(skb, LS_NLA_TYPE_IPV6 | RDMA_NLA_F_MANDATORY, sizeof(ipv6->sin6_addr),
		       &ipv6->sin6_addr);
}

static int put_question(struct sk_buff *skb, u32 seq, const struct sockaddr *dst, int ifindex)
{
	struct rdma_ls_ip_resolve_header *header;
	struct nlmsghdr *nlh;

	if (!ibnl_put_msg(skb, &nlh, seq, NLMSG_ALIGN(sizeof(*header)), RDMA_NL_LS,
			  RDMA_NL_LS_OP_IP_RESOLVE, NLM_F_REQUEST))
		return -EMSGSIZE;
	header = nlmsg_data(nlh);
	header->ifindex = ifindex;
	if (put_destination(skb, dst))
		return -EMSGSIZE;
	nlmsg_end(skb, nlh);
	return 0;
}

static int send_question(u32 seq, const struct sockaddr *dst, int ifindex)
{
	struct sk_buff *skb;
	int ret;

	skb = nlmsg_new(NLMSG_ALIGN(sizeof(struct rdma_ls_ip_resolve_header)) +
			nla_total_size(sizeof(struct in6_addr)), GFP_KERNEL);
	if (!skb)
		return -ENOMEM;

	ret = put_question(skb, seq, dst, ifindex);
	if (ret) {
		nlmsg_free(skb);
		return ret;
	}
	return rdma_nl_multicast(&init_net, skb, RDMA_NL_GROUP_LS, GFP_KERNEL);
}

/**
 * addr_ls_ask - ask for the GID of a destination, and wait for the answer
 * @wait: a wait that is over, or never was
 * @dst: the destination, IPv4 or IPv6
 * @ifindex: the interface through which it's reached
 * @wake: see addr_wait_begin(); its news is a &union ib_gid
 *
 * Context: Sleeps.
 * Return: 0; -ENOMEM; or -ESRCH: there's nobody to ask. On an error nothing is waited for.
 */
int addr_ls_ask(struct addr_wait *wait, const struct sockaddr *dst, int ifindex, addr_wake_fn wake)
{
	u32 seq = atomic_inc_return(&last_seq);
	int ret;

	/* The answer may be here before the question's sender has returned. */
	addr_wait_begin(&waiters, wait, seq, wake);
	ret = send_question(seq, dst, ifindex);
	if (ret)
		addr_wait_end(wait);
	return ret;
}

/* A program that knows no answer says so; another one may. */
static int read_answer(const struct nlmsghdr *nlh, union ib_gid *gid)
{
	struct nlattr *tb[LS_NLA_TYPE_MAX];
	int ret;

	if (nlh->nlmsg_flags & RDMA_NL_LS_F_ERR)
		return -ENODATA;
	ret = nla_parse_deprecated(tb, LS_NLA_TYPE_MAX - 1, nlmsg_data(nlh), nlmsg_len(nlh),
				   answer_policy, NULL);
	if (ret)
		return ret;
	if (!tb[LS_NLA_TYPE_DGID])
		return -ENODATA;
	memcpy(gid, nla_data(tb[LS_NLA_TYPE_DGID]), sizeof(*gid));
	return 0;
}

/**
 * rdma_addr_ls_response - take the answer to what rdma_resolve_ip() had asked
 * @skb: the message
 * @nlh: its header
 * @extack: unused
 *
 * An answer that says nothing, or to a question that nobody waits for any more, is ignored.
 *
 * Context: Process, from RDMA netlink, which has checked the sender's capabilities.
 * Return: 0; -EPERM: it isn't an answer.
 */
int rdma_addr_ls_response(struct sk_buff *skb, struct nlmsghdr *nlh,
			  struct netlink_ext_ack *extack)
{
	union ib_gid gid;

	if (nlh->nlmsg_flags & NLM_F_REQUEST || !NETLINK_CB(skb).sk)
		return -EPERM;
	if (!read_answer(nlh, &gid) && !addr_wake(&waiters, nlh->nlmsg_seq, &gid))
		pr_debug("ib_core: nobody waits for GID %pI6c\n", gid.raw);
	return 0;
}
