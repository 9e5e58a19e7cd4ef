// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Parts of messages, for other modules to build theirs with. */

#include <linux/export.h>

#include "netlink.h"

/**
 * ibnl_put_msg - begin a message
 * @skb: where to
 * @nlh: set to its header
 * @seq: its sequence number
 * @len: bytes of data to make room for, beside attributes
 * @client: RDMA_NL_...
 * @op: operation of the client
 * @flags: NLM_F_...
 *
 * Context: Any.
 *
 * Return: where the data goes; NULL if there's no room.
 */
void *ibnl_put_msg(struct sk_buff *skb, struct nlmsghdr **nlh, int seq, int len, int client, int op,
		   int flags)
{
	*nlh = nlmsg_put(skb, 0, seq, RDMA_NL_GET_TYPE(client, op), len, flags);
	return *nlh ? nlmsg_data(*nlh) : NULL;
}
EXPORT_SYMBOL(ibnl_put_msg);

/**
 * ibnl_put_attr - add an attribute to a message
 * @skb: where the message is
 * @nlh: its header
 * @len: bytes at @data
 * @data: the attribute's
 * @type: the attribute's
 *
 * Context: Any.
 *
 * Return: 0; -EMSGSIZE if there's no room, and then the message is cancelled.
 */
int ibnl_put_attr(struct sk_buff *skb, struct nlmsghdr *nlh, int len, void *data, int type)
{
	if (!nla_put(skb, type, len, data))
		return 0;
	nlmsg_cancel(skb, nlh);
	return -EMSGSIZE;
}
EXPORT_SYMBOL(ibnl_put_attr);

static int put_driver_name(struct sk_buff *msg, const char *name, enum rdma_nldev_print_type print)
{
	int err = nla_put_string(msg, RDMA_NLDEV_ATTR_DRIVER_STRING, name);

	if (!err && print != RDMA_NLDEV_PRINT_TYPE_UNSPEC)
		err = nla_put_u8(msg, RDMA_NLDEV_ATTR_DRIVER_PRINT_TYPE, print);
	return err;
}

static int put_driver_u32(struct sk_buff *msg, const char *name, enum rdma_nldev_print_type print,
			  u32 value)
{
	return put_driver_name(msg, name, print) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_DRIVER_U32, value);
}

static int put_driver_u64(struct sk_buff *msg, const char *name, enum rdma_nldev_print_type print,
			  u64 value)
{
	return put_driver_name(msg, name, print) ?:
	       nla_put_u64_64bit(msg, RDMA_NLDEV_ATTR_DRIVER_U64, value, RDMA_NLDEV_ATTR_PAD);
}

/**
 * rdma_nl_put_driver_string - a driver's own detail of a resource: a string
 * @msg: the message
 * @name: what it is
 * @str: the string
 *
 * Context: Any.
 *
 * Return: 0; -EMSGSIZE.
 */
int rdma_nl_put_driver_string(struct sk_buff *msg, const char *name, const char *str)
{
	return put_driver_name(msg, name, RDMA_NLDEV_PRINT_TYPE_UNSPEC) ?:
	       nla_put_string(msg, RDMA_NLDEV_ATTR_DRIVER_STRING, str);
}
EXPORT_SYMBOL(rdma_nl_put_driver_string);

/**
 * rdma_nl_put_driver_u32 - a driver's own detail of a resource: a number
 * @msg: the message
 * @name: what it is
 * @value: the number, shown as decimal
 *
 * Context: Any.
 *
 * Return: 0; -EMSGSIZE.
 */
int rdma_nl_put_driver_u32(struct sk_buff *msg, const char *name, u32 value)
{
	return put_driver_u32(msg, name, RDMA_NLDEV_PRINT_TYPE_UNSPEC, value);
}
EXPORT_SYMBOL(rdma_nl_put_driver_u32);

/**
 * rdma_nl_put_driver_u32_hex - a driver's own detail of a resource: a number
 * @msg: the message
 * @name: what it is
 * @value: the number, shown as hexadecimal
 *
 * Context: Any.
 *
 * Return: 0; -EMSGSIZE.
 */
int rdma_nl_put_driver_u32_hex(struct sk_buff *msg, const char *name, u32 value)
{
	return put_driver_u32(msg, name, RDMA_NLDEV_PRINT_TYPE_HEX, value);
}
EXPORT_SYMBOL(rdma_nl_put_driver_u32_hex);

/**
 * rdma_nl_put_driver_u64 - a driver's own detail of a resource: a long number
 * @msg: the message
 * @name: what it is
 * @value: the number, shown as decimal
 *
 * Context: Any.
 *
 * Return: 0; -EMSGSIZE.
 */
int rdma_nl_put_driver_u64(struct sk_buff *msg, const char *name, u64 value)
{
	return put_driver_u64(msg, name, RDMA_NLDEV_PRINT_TYPE_UNSPEC, value);
}
EXPORT_SYMBOL(rdma_nl_put_driver_u64);

/**
 * rdma_nl_put_driver_u64_hex - a driver's own detail of a resource: a long number
 * @msg: the message
 * @name: what it is
 * @value: the number, shown as hexadecimal
 *
 * Context: Any.
 *
 * Return: 0; -EMSGSIZE.
 */
int rdma_nl_put_driver_u64_hex(struct sk_buff *msg, const char *name, u64 value)
{
	return put_driver_u64(msg, name, RDMA_NLDEV_PRINT_TYPE_HEX, value);
}
EXPORT_SYMBOL(rdma_nl_put_driver_u64_hex);

/**
 * rdma_nl_stat_hwcounter_entry - a hardware counter in a table of them
 * @msg: the message, in which the table is open
 * @name: the counter's
 * @value: the counter's
 *
 * Context: Any.
 *
 * Return: 0; -EMSGSIZE, and then the message is as it was.
 */
int rdma_nl_stat_hwcounter_entry(struct sk_buff *msg, const char *name, u64 value)
{
	struct nlattr *entry = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY);

	if (!entry)
		return -EMSGSIZE;
	if (nla_put_string(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, name) ||
	    nla_put_u64_64bit(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, value,
			      RDMA_NLDEV_ATTR_PAD)) {
		nla_nest_cancel(msg, entry);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, entry);
	return 0;
}
EXPORT_SYMBOL(rdma_nl_stat_hwcounter_entry);
