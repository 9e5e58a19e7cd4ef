// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The nldev client, which the rdma tool and libibverbs talk to: what each command needs, and the
 * way from a request to its reply that all have in common.
 */

#include <linux/capability.h>
#include <linux/sizes.h>
#include <net/sock.h>

#include "netlink.h"

#define OF_TYPE(nla) { .type = (nla) }
/* What only we send: the empty string. */
#define OUT_STRING { .type = NLA_NUL_STRING, .len = RDMA_NLDEV_ATTR_EMPTY_STRING }
#define STRING(max) { .type = NLA_NUL_STRING, .len = (max) }

static const struct nla_policy policy[RDMA_NLDEV_ATTR_MAX] = {
	/* devices and ports */
	[RDMA_NLDEV_ATTR_DEV_INDEX] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_DEV_NAME] = STRING(IB_DEVICE_NAME_MAX),
	[RDMA_NLDEV_ATTR_DEV_NODE_TYPE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_DEV_PROTOCOL] = OUT_STRING,
	[RDMA_NLDEV_ATTR_DEV_DIM] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_DEV_TYPE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_PARENT_NAME] = OF_TYPE(NLA_NUL_STRING),
	[RDMA_NLDEV_ATTR_NAME_ASSIGN_TYPE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_FW_VERSION] = OUT_STRING,
	[RDMA_NLDEV_ATTR_NODE_GUID] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_SYS_IMAGE_GUID] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_PORT_INDEX] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_SUBNET_PREFIX] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_LID] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_SM_LID] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_LMC] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_PORT_STATE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_PORT_PHYS_STATE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_NDEV_INDEX] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_NDEV_NAME] = STRING(IFNAMSIZ),
	[RDMA_NLDEV_ATTR_LINK_TYPE] = STRING(IFNAMSIZ),
	[RDMA_NLDEV_ATTR_EVENT_TYPE] = OF_TYPE(NLA_U8),

	/* the system, namespaces, character devices */
	[RDMA_NLDEV_NET_NS_FD] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_SYS_ATTR_NETNS_MODE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_SYS_ATTR_PRIVILEGED_QKEY_MODE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_CHARDEV] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_CHARDEV_ABI] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_CHARDEV_NAME] = OUT_STRING,
	[RDMA_NLDEV_ATTR_CHARDEV_TYPE] = STRING(RDMA_NLDEV_ATTR_CHARDEV_TYPE_SIZE),
	[RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID] = OF_TYPE(NLA_U32),

	/* resources */
	[RDMA_NLDEV_ATTR_RES_SUMMARY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME] = OUT_STRING,
	[RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_RES_PID] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_KERN_NAME] = OUT_STRING,
	[RDMA_NLDEV_ATTR_RES_TYPE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_RES_SUBTYPE] = OUT_STRING,
	[RDMA_NLDEV_ATTR_RES_STATE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_RES_USECNT] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_RES_RAW] = OF_TYPE(NLA_BINARY),
	[RDMA_NLDEV_ATTR_RES_QP] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_QP_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_LQPN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_RQPN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_RQ_PSN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_SQ_PSN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_PATH_MIG_STATE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_RES_CM_ID] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_CM_IDN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_PS] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_SRC_ADDR] = { .len = sizeof(struct __kernel_sockaddr_storage) },
	[RDMA_NLDEV_ATTR_RES_DST_ADDR] = { .len = sizeof(struct __kernel_sockaddr_storage) },
	[RDMA_NLDEV_ATTR_RES_CQ] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_CQ_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_CQN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_CQE] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_POLL_CTX] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_RES_MR] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_MR_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_MRN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_MRLEN] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_RES_IOVA] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_RES_LKEY] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_RKEY] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_PD] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_PD_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_PDN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_LOCAL_DMA_LKEY] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_UNSAFE_GLOBAL_RKEY] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_CTX] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_CTX_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_CTXN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_RES_SRQ] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_SRQ_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_RES_SRQN] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_MIN_RANGE] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_MAX_RANGE] = OF_TYPE(NLA_U32),

	/* drivers' details of them */
	[RDMA_NLDEV_ATTR_DRIVER_DETAILS] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_DRIVER] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_DRIVER_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_DRIVER_PRINT_TYPE] = OF_TYPE(NLA_U8),
	[RDMA_NLDEV_ATTR_DRIVER_STRING] = OUT_STRING,
	[RDMA_NLDEV_ATTR_DRIVER_S32] = OF_TYPE(NLA_S32),
	[RDMA_NLDEV_ATTR_DRIVER_U32] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_DRIVER_S64] = OF_TYPE(NLA_S64),
	[RDMA_NLDEV_ATTR_DRIVER_U64] = OF_TYPE(NLA_U64),

	/* statistics */
	[RDMA_NLDEV_ATTR_STAT_RES] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_STAT_MODE] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_STAT_AUTO_MODE_MASK] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_STAT_COUNTER] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_STAT_COUNTER_ID] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTERS] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY] = OF_TYPE(NLA_NESTED),
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME] = OF_TYPE(NLA_NUL_STRING),
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE] = OF_TYPE(NLA_U64),
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_INDEX] = OF_TYPE(NLA_U32),
	[RDMA_NLDEV_ATTR_STAT_HWCOUNTER_DYNAMIC] = OF_TYPE(NLA_U8),
};

/* What a command or a dump needs. */
enum {
	NEEDS_DEVICE = BIT(0),		/* DEV_INDEX */
	TAKES_DEVICE = BIT(1),		/* the same, but it needn't be there */
	NEEDS_PORT = BIT(2),		/* PORT_INDEX, of the device */
	TAKES_PORT = BIT(3),		/* the same, but it needn't be there */
	CHANGES = BIT(4),		/* for administrators; an unknown attribute is an error */
	REPLIES = BIT(5),
	REPLIES_HANDLE = BIT(6),	/* with the device's handle at the beginning */
	FOR_ADMIN = BIT(7),
};

/**
 * struct nldev_command - a command
 * @needs: what it needs
 * @dump_needs: what its dump needs; if nothing, attributes aren't looked at
 * @reply_op: the command that a reply says it's of, if not the same
 * @kind: of resources that it's about
 * @run: does it, and adds to the reply
 * @dump: does a part of a dump, as netlink_callback.dump
 */
struct nldev_command {
	u8 needs;
	u8 dump_needs;
	u8 reply_op;
	const struct nldev_kind *kind;
	int (*run)(struct nldev_request *request);
	int (*dump)(struct nldev_request *request, struct sk_buff *skb,
		    struct netlink_callback *cb);
};

#define RES_COMMAND(of_kind, more) {							\
	.needs = NEEDS_DEVICE | TAKES_PORT | REPLIES | REPLIES_HANDLE | (more),		\
	.dump_needs = NEEDS_DEVICE | TAKES_PORT,					\
	.kind = &(of_kind),								\
	.run = nldev_res_get,								\
	.dump = nldev_res_dump,								\
}

static const struct nldev_command commands[RDMA_NLDEV_NUM_OPS] = {
	[RDMA_NLDEV_CMD_GET] = {
		.needs = NEEDS_DEVICE | REPLIES | REPLIES_HANDLE,
		.run = nldev_dev_get,
		.dump = nldev_dev_dump,
	},
	[RDMA_NLDEV_CMD_SET] = {
		.needs = NEEDS_DEVICE | CHANGES,
		.run = nldev_dev_set,
	},
	[RDMA_NLDEV_CMD_NEWLINK] = {
		.needs = CHANGES,
		.run = nldev_link_new,
	},
	[RDMA_NLDEV_CMD_DELLINK] = {
		.needs = NEEDS_DEVICE | CHANGES,
		.run = nldev_link_delete,
	},
	[RDMA_NLDEV_CMD_PORT_GET] = {
		.needs = NEEDS_DEVICE | NEEDS_PORT | REPLIES | REPLIES_HANDLE,
		.dump_needs = NEEDS_DEVICE,
		.reply_op = RDMA_NLDEV_CMD_GET,
		.run = nldev_port_get,
		.dump = nldev_port_dump,
	},
	[RDMA_NLDEV_CMD_SYS_GET] = {
		.needs = REPLIES,
		.run = nldev_sys_get,
	},
	[RDMA_NLDEV_CMD_SYS_SET] = {
		.needs = CHANGES,
		.run = nldev_sys_set,
	},
	[RDMA_NLDEV_CMD_RES_GET] = {
		.needs = NEEDS_DEVICE | REPLIES | REPLIES_HANDLE,
		.run = nldev_res_summary_get,
		.dump = nldev_res_summary_dump,
	},
	[RDMA_NLDEV_CMD_RES_QP_GET] = RES_COMMAND(nldev_qp, 0),
	[RDMA_NLDEV_CMD_RES_CM_ID_GET] = RES_COMMAND(nldev_cm_id, 0),
	[RDMA_NLDEV_CMD_RES_CQ_GET] = RES_COMMAND(nldev_cq, 0),
	[RDMA_NLDEV_CMD_RES_MR_GET] = RES_COMMAND(nldev_mr, 0),
	[RDMA_NLDEV_CMD_RES_PD_GET] = RES_COMMAND(nldev_pd, 0),
	[RDMA_NLDEV_CMD_GET_CHARDEV] = {
		.needs = TAKES_DEVICE | TAKES_PORT | REPLIES,
		.run = nldev_chardev_get,
	},
	[RDMA_NLDEV_CMD_STAT_SET] = {
		.needs = NEEDS_DEVICE | NEEDS_PORT | CHANGES | REPLIES | REPLIES_HANDLE,
		.run = nldev_stat_set,
	},
	[RDMA_NLDEV_CMD_STAT_GET] = {
		.needs = NEEDS_DEVICE | TAKES_PORT | REPLIES | REPLIES_HANDLE,
		.dump_needs = NEEDS_DEVICE | TAKES_PORT,
		.run = nldev_stat_get,
		.dump = nldev_stat_dump,
	},
	[RDMA_NLDEV_CMD_STAT_DEL] = {
		.needs = NEEDS_DEVICE | NEEDS_PORT | CHANGES | REPLIES | REPLIES_HANDLE,
		.reply_op = RDMA_NLDEV_CMD_STAT_SET,
		.run = nldev_stat_unbind,
	},
	[RDMA_NLDEV_CMD_RES_QP_GET_RAW] = RES_COMMAND(nldev_qp_raw, FOR_ADMIN),
	[RDMA_NLDEV_CMD_RES_CQ_GET_RAW] = RES_COMMAND(nldev_cq_raw, FOR_ADMIN),
	[RDMA_NLDEV_CMD_RES_MR_GET_RAW] = RES_COMMAND(nldev_mr_raw, FOR_ADMIN),
	[RDMA_NLDEV_CMD_RES_CTX_GET] = RES_COMMAND(nldev_ctx, 0),
	[RDMA_NLDEV_CMD_RES_SRQ_GET] = RES_COMMAND(nldev_srq, 0),
	[RDMA_NLDEV_CMD_STAT_GET_STATUS] = {
		.needs = NEEDS_DEVICE | NEEDS_PORT | REPLIES | REPLIES_HANDLE,
		.run = nldev_stat_get_status,
	},
	[RDMA_NLDEV_CMD_RES_SRQ_GET_RAW] = RES_COMMAND(nldev_srq_raw, FOR_ADMIN),
	[RDMA_NLDEV_CMD_NEWDEV] = {
		.needs = NEEDS_DEVICE | CHANGES,
		.run = nldev_dev_new,
	},
	[RDMA_NLDEV_CMD_DELDEV] = {
		.needs = NEEDS_DEVICE | CHANGES,
		.run = nldev_dev_delete,
	},
};

/**
 * nldev_take_device - take over the request's reference to its device
 * @request: one with a device
 *
 * Return: the device.
 */
struct ib_device *nldev_take_device(struct nldev_request *request)
{
	struct ib_device *device = request->device;

	request->device = NULL;
	return device;
}

static int find_device(struct nldev_request *request, u8 needs)
{
	const struct nlattr *index = request->tb[RDMA_NLDEV_ATTR_DEV_INDEX];

	if (!(needs & (NEEDS_DEVICE | TAKES_DEVICE)))
		return 0;
	if (!index)
		return needs & NEEDS_DEVICE ? -EINVAL : 0;
	request->device = rdma_device_get_by_index(request->net, nla_get_u32(index));
	return request->device ? 0 : -EINVAL;
}

static int find_port(struct nldev_request *request, u8 needs)
{
	const struct nlattr *port = request->tb[RDMA_NLDEV_ATTR_PORT_INDEX];

	if (!(needs & (NEEDS_PORT | TAKES_PORT)))
		return 0;
	if (!port)
		return needs & NEEDS_PORT ? -EINVAL : 0;
	request->port = nla_get_u32(port);
	return request->device && rdma_is_port_valid(request->device, request->port) ? 0 : -EINVAL;
}

/* The request's device is referenced, also on an error: the caller drops it. */
static int parse(struct nldev_request *request, u8 needs)
{
	enum netlink_validation strictness = needs & CHANGES ? NL_VALIDATE_STRICT :
							       NL_VALIDATE_LIBERAL;

	if (__nlmsg_parse(request->nlh, 0, request->tb, RDMA_NLDEV_ATTR_MAX - 1, policy, strictness,
			  request->extack))
		return -EINVAL;
	return find_device(request, needs) ?: find_port(request, needs);
}

static struct nlmsghdr *reply_begin(struct nldev_request *request,
				    const struct nldev_command *command)
{
	u16 op = command->reply_op ?: RDMA_NL_GET_OP(request->nlh->nlmsg_type);
	struct nlmsghdr *nlh;

	nlh = nlmsg_put(request->reply, NETLINK_CB(request->skb).portid, request->nlh->nlmsg_seq,
			RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op), 0, 0);
	if (!nlh || !(command->needs & REPLIES_HANDLE))
		return nlh;
	return nldev_put_handle(request->reply, request->device) ? NULL : nlh;
}

static int run_and_reply(struct nldev_request *request, const struct nldev_command *command)
{
	struct nlmsghdr *nlh;
	int err;

	request->reply = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!request->reply)
		return -ENOMEM;
	nlh = reply_begin(request, command);
	err = nlh ? command->run(request) : -EMSGSIZE;
	if (err) {
		nlmsg_free(request->reply);
		return err;
	}
	nlmsg_end(request->reply, nlh);
	return rdma_nl_unicast(request->net, request->reply, NETLINK_CB(request->skb).portid);
}

static void put_device_of(struct nldev_request *request)
{
	if (request->device)
		ib_device_put(request->device);
}

static int nldev_doit(struct sk_buff *skb, struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	const struct nldev_command *command = &commands[RDMA_NL_GET_OP(nlh->nlmsg_type)];
	struct nldev_request request = {
		.skb = skb,
		.nlh = nlh,
		.extack = extack,
		.net = sock_net(skb->sk),
		.kind = command->kind,
	};
	int err = parse(&request, command->needs);

	if (!err)
		err = command->needs & REPLIES ? run_and_reply(&request, command) :
						 command->run(&request);
	put_device_of(&request);
	return err;
}

static int nldev_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct nldev_command *command = &commands[RDMA_NL_GET_OP(cb->nlh->nlmsg_type)];
	struct nldev_request request = {
		.skb = cb->skb,
		.nlh = cb->nlh,
		.net = sock_net(skb->sk),
		.kind = command->kind,
	};
	int ret = command->dump_needs ? parse(&request, command->dump_needs) : 0;

	if (!ret)
		ret = command->dump(&request, skb, cb);
	put_device_of(&request);
	return ret;
}

/**
 * nldev_dump_begin - begin one of the messages of a dump
 * @skb: where to
 * @cb: the dump
 *
 * Return: its header; NULL if there's no room.
 */
struct nlmsghdr *nldev_dump_begin(struct sk_buff *skb, struct netlink_callback *cb)
{
	return nlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, cb->nlh->nlmsg_type,
			 0, NLM_F_MULTI);
}

static int dump_device(struct sk_buff *skb, struct netlink_callback *cb, struct ib_device *device,
		       int (*fill)(struct sk_buff *msg, struct ib_device *device))
{
	struct nlmsghdr *nlh = nldev_dump_begin(skb, cb);

	if (!nlh)
		return -EMSGSIZE;
	if (nldev_put_handle(skb, device) || fill(skb, device)) {
		nlmsg_cancel(skb, nlh);
		return -EMSGSIZE;
	}
	nlmsg_end(skb, nlh);
	return 0;
}

/**
 * nldev_dump_devices - a message about each device
 * @skb: where to
 * @cb: the dump; args[0] is the index of the device that's next
 * @fill: adds what is said about it; an error means that there's no room
 *
 * Return: the length of what is in @skb; -EMSGSIZE if not even one device fits.
 */
int nldev_dump_devices(struct sk_buff *skb, struct netlink_callback *cb,
		       int (*fill)(struct sk_buff *msg, struct ib_device *device))
{
	const struct net *net = sock_net(skb->sk);
	u32 index = cb->args[0];
	struct ib_device *device;
	int err = 0;

	while (!err && (device = rdma_device_get_next(net, &index))) {
		err = dump_device(skb, cb, device, fill);
		ib_device_put(device);
		if (!err)
			index++;
	}
	cb->args[0] = index;
	return skb->len ?: err;
}

static struct rdma_nl_cbs table[RDMA_NLDEV_NUM_OPS];

void nldev_init(void)
{
	int op;

	for (op = 0; op < RDMA_NLDEV_NUM_OPS; op++) {
		if (commands[op].run)
			table[op].doit = nldev_doit;
		if (commands[op].dump)
			table[op].dump = nldev_dumpit;
		if (commands[op].needs & (CHANGES | FOR_ADMIN))
			table[op].flags = RDMA_NL_ADMIN_PERM;
	}
	rdma_nl_register(RDMA_NL_NLDEV, table);
}

void nldev_exit(void)
{
	rdma_nl_unregister(RDMA_NL_NLDEV);
}
