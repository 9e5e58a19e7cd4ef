// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The socket of RDMA netlink in each network namespace. */

#include <linux/export.h>
#include <net/sock.h>

#include "netlink.h"

#define UNICAST_WAIT_SECONDS 10

int rdma_netlink_net_init(struct rdma_net *rnet)
{
	struct netlink_kernel_cfg config = {
		.input = rdma_nl_input,
		.flags = NL_CFG_F_NONROOT_RECV,
	};
	struct sock *sock = netlink_kernel_create(read_pnet(&rnet->net), NETLINK_RDMA, &config);

	if (!sock)
		return -ENOMEM;
	sock->sk_sndtimeo = UNICAST_WAIT_SECONDS * HZ;
	rnet->nl_sock = sock;
	return 0;
}

void rdma_netlink_net_exit(struct rdma_net *rnet)
{
	netlink_kernel_release(rnet->nl_sock);
}

int rdma_netlink_init(void)
{
	nldev_init();
	rdma_ls_init();
	return 0;
}

void rdma_netlink_exit(void)
{
	rdma_ls_exit();
	nldev_exit();
}

/**
 * rdma_nl_chk_listeners - does anybody in the initial namespace listen to a group
 * @group: RDMA_NL_GROUP_...
 *
 * Context: Any.
 *
 * Return: true if somebody does.
 */
bool rdma_nl_chk_listeners(unsigned int group)
{
	return netlink_has_listeners(rdma_net_of(&init_net)->nl_sock, group);
}
EXPORT_SYMBOL(rdma_nl_chk_listeners);

static int unicast(struct net *net, struct sk_buff *skb, u32 portid, int nonblock)
{
	return min(netlink_unicast(rdma_net_of(net)->nl_sock, skb, portid, nonblock), 0);
}

/**
 * rdma_nl_unicast - send a message to a socket
 * @net: where the socket is
 * @skb: the message; consumed on success and on error
 * @pid: the socket's port id
 *
 * Context: Any but hard interrupt.
 *
 * Return: 0; -EAGAIN if its queue is full; -ECONNREFUSED if there's none.
 */
int rdma_nl_unicast(struct net *net, struct sk_buff *skb, u32 pid)
{
	return unicast(net, skb, pid, MSG_DONTWAIT);
}
EXPORT_SYMBOL(rdma_nl_unicast);

/**
 * rdma_nl_unicast_wait - send a message to a socket, and wait for room in its queue
 * @net: where the socket is
 * @skb: the message; consumed on success and on error
 * @pid: the socket's port id
 *
 * Context: Process, sleeps for up to 10 s.
 *
 * Return: 0; -EAGAIN if its queue stays full; -EINTR; -ECONNREFUSED if there's none.
 */
int rdma_nl_unicast_wait(struct net *net, struct sk_buff *skb, u32 pid)
{
	return unicast(net, skb, pid, 0);
}
EXPORT_SYMBOL(rdma_nl_unicast_wait);

/**
 * rdma_nl_multicast - send a message to all who listen to a group
 * @net: in this namespace
 * @skb: the message; consumed on success and on error
 * @group: RDMA_NL_GROUP_...
 * @flags: for copies of it
 *
 * Context: As @flags allow.
 *
 * Return: 0; -ESRCH if nobody listens; -ENOBUFS.
 */
int rdma_nl_multicast(struct net *net, struct sk_buff *skb, unsigned int group, gfp_t flags)
{
	return nlmsg_multicast(rdma_net_of(net)->nl_sock, skb, 0, group, flags);
}
EXPORT_SYMBOL(rdma_nl_multicast);
