// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* From a message to the handler of its client and operation. */

#include <linux/capability.h>
#include <linux/export.h>
#include <linux/kmod.h>
#include <linux/rwsem.h>
#include <net/sock.h>

#include "netlink.h"

/**
 * struct nl_client - who answers the messages of one client id
 * @lock: guards @table; held for reading while a handler runs, so that one who leaves takes it with
 *	him. Outermost of all locks
 * @table: by operation; NULL while nobody is there
 * @num_ops: operations that the id has
 * @any_net: it's there in every network namespace, else in the initial one only
 */
struct nl_client {
	struct rw_semaphore lock; /* see above */
	const struct rdma_nl_cbs *table;
	unsigned int num_ops;
	bool any_net;
};

/* Ids that aren't listed have no operation. */
static struct nl_client clients[RDMA_NL_NUM_CLIENTS] = {
	[RDMA_NL_IWCM] = {
		.lock = __RWSEM_INITIALIZER(clients[RDMA_NL_IWCM].lock),
		.num_ops = RDMA_NL_IWPM_NUM_OPS,
	},
	[RDMA_NL_LS] = {
		.lock = __RWSEM_INITIALIZER(clients[RDMA_NL_LS].lock),
		.num_ops = RDMA_NL_LS_NUM_OPS,
	},
	[RDMA_NL_NLDEV] = {
		.lock = __RWSEM_INITIALIZER(clients[RDMA_NL_NLDEV].lock),
		.num_ops = RDMA_NLDEV_NUM_OPS,
		.any_net = true,
	},
};

static struct nl_client *find_client(unsigned int index)
{
	return index < RDMA_NL_NUM_CLIENTS && clients[index].num_ops ? &clients[index] : NULL;
}

/**
 * rdma_nl_register - answer the messages of a client id
 * @index: RDMA_NL_IWCM, RDMA_NL_LS or RDMA_NL_NLDEV; there may be one at a time
 * @cb_table: by operation, as many as the id has
 *
 * Context: Process, sleeps.
 */
void rdma_nl_register(unsigned int index, const struct rdma_nl_cbs cb_table[])
{
	struct nl_client *client = find_client(index);

	if (WARN_ON(!client))
		return;
	down_write(&client->lock);
	if (!WARN_ON(client->table))
		WRITE_ONCE(client->table, cb_table);
	up_write(&client->lock);
}
EXPORT_SYMBOL(rdma_nl_register);

/**
 * rdma_nl_unregister - no longer answer the messages of a client id
 * @index: the id
 *
 * Context: Process, sleeps until none of the handlers runs. Not from one of them.
 */
void rdma_nl_unregister(unsigned int index)
{
	struct nl_client *client = find_client(index);

	if (WARN_ON(!client))
		return;
	down_write(&client->lock);
	WRITE_ONCE(client->table, NULL);
	up_write(&client->lock);
}
EXPORT_SYMBOL(rdma_nl_unregister);

/*
 * What asks for a dump is the flag, but for two clients. Messages of LS are answers, and use the
 * flag's bit for themselves. Those of IWCM all go to functions of the form of a dump, whatever
 * their flags.
 */
static bool is_dump(const struct nlmsghdr *nlh)
{
	switch (RDMA_NL_GET_CLIENT(nlh->nlmsg_type)) {
	case RDMA_NL_LS:
		return false;
	case RDMA_NL_IWCM:
		return true;
	default:
		return nlh->nlmsg_flags & NLM_F_DUMP;
	}
}

static int call(const struct rdma_nl_cbs *cbs, struct sk_buff *skb, struct nlmsghdr *nlh,
		struct netlink_ext_ack *extack)
{
	struct netlink_dump_control control = { .dump = cbs->dump };

	if (!cbs->doit && !cbs->dump)
		return -EINVAL;
	if ((cbs->flags & RDMA_NL_ADMIN_PERM) && !netlink_capable(skb, CAP_NET_ADMIN))
		return -EPERM;
	if (is_dump(nlh))
		return cbs->dump ? netlink_dump_start(skb->sk, skb, nlh, &control) : -EINVAL;
	return cbs->doit ? cbs->doit(skb, nlh, extack) : -EINVAL;
}

static int dispatch(struct sk_buff *skb, struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	unsigned int index = RDMA_NL_GET_CLIENT(nlh->nlmsg_type);
	unsigned int op = RDMA_NL_GET_OP(nlh->nlmsg_type);
	struct nl_client *client = find_client(index);
	int err = -EINVAL;

	if (!client || op >= client->num_ops)
		return -EINVAL;
	if (!client->any_net && sock_net(skb->sk) != &init_net)
		return -EINVAL;

	/* Without the lock: the module that comes takes it for writing. */
	if (!READ_ONCE(client->table))
		request_module("rdma-netlink-subsys-%u", index);

	down_read(&client->lock);
	if (client->table)
		err = call(&client->table[op], skb, nlh, extack);
	up_read(&client->lock);
	return err;
}

/* Only user space asks and the kernel answers, except for LS, where it's the other way round. */
static bool is_for_us(const struct nlmsghdr *nlh)
{
	if (nlh->nlmsg_type < NLMSG_MIN_TYPE)
		return false;
	return (nlh->nlmsg_flags & NLM_F_REQUEST) ||
	       RDMA_NL_GET_CLIENT(nlh->nlmsg_type) == RDMA_NL_LS;
}

static void handle(struct sk_buff *skb, struct nlmsghdr *nlh)
{
	struct netlink_ext_ack extack = {};
	int err = 0;

	if (is_for_us(nlh))
		err = dispatch(skb, nlh, &extack);
	if (err == -EINTR) /* a dump has begun: it acknowledges by itself */
		return;
	if (err || (nlh->nlmsg_flags & NLM_F_ACK))
		netlink_ack(skb, nlh, err, &extack);
}

/**
 * rdma_nl_input - what user space has sent to a socket of ours
 * @skb: one or more messages
 *
 * Context: That of the sender. Sleeps.
 */
void rdma_nl_input(struct sk_buff *skb)
{
	while (skb->len >= NLMSG_HDRLEN) {
		struct nlmsghdr *nlh = nlmsg_hdr(skb);
		u32 len;

		if (!nlmsg_ok(nlh, skb->len))
			return;
		len = min(NLMSG_ALIGN(nlh->nlmsg_len), skb->len);
		handle(skb, nlh);
		skb_pull(skb, len);
	}
}
