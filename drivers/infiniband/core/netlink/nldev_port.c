// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: ports. `rdma link`. */

#include <linux/netdevice.h>

#include "netlink.h"

static int put_ib(struct sk_buff *msg, const struct ib_port_attr *attr)
{
	u64 cap_flags = (u64)attr->port_cap_flags2 << 32 | attr->port_cap_flags;

	return nldev_put_u64(msg, RDMA_NLDEV_ATTR_CAP_FLAGS, cap_flags) ?:
	       nldev_put_u64(msg, RDMA_NLDEV_ATTR_SUBNET_PREFIX, attr->subnet_prefix) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_LID, attr->lid) ?:
	       nla_put_u32(msg, RDMA_NLDEV_ATTR_SM_LID, attr->sm_lid) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_LMC, attr->lmc);
}

/* A network device of another namespace isn't the asker's business. */
static int put_netdev_of(struct sk_buff *msg, struct ib_device *device, u32 port,
			 const struct net *net)
{
	struct net_device *ndev = ib_device_get_netdev(device, port);
	int err = 0;

	if (ndev && net_eq(dev_net(ndev), net))
		err = nldev_put_netdev(msg, ndev);
	dev_put(ndev);
	return err;
}

static int fill(struct sk_buff *msg, struct ib_device *device, u32 port, const struct net *net)
{
	struct ib_port_attr attr;
	int err;

	err = ib_query_port(device, port, &attr);
	if (err)
		return err;
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, port) ?:
	       (rdma_protocol_ib(device, port) ? put_ib(msg, &attr) : 0) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_PORT_STATE, attr.state) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, attr.phys_state) ?:
	       put_netdev_of(msg, device, port, net);
}

int nldev_port_get(struct nldev_request *request)
{
	return fill(request->reply, request->device, request->port, request->net);
}

static int dump_port(struct nldev_request *request, struct sk_buff *skb,
		     struct netlink_callback *cb, u32 port)
{
	struct nlmsghdr *nlh = nldev_dump_begin(skb, cb);
	int err;

	if (!nlh)
		return -EMSGSIZE;
	err = nldev_put_handle(skb, request->device) ?:
	      fill(skb, request->device, port, request->net);
	if (err)
		nlmsg_cancel(skb, nlh);
	else
		nlmsg_end(skb, nlh);
	return err;
}

/* args[0] counts the ports that are done. One that can't be queried isn't shown. */
int nldev_port_dump(struct nldev_request *request, struct sk_buff *skb, struct netlink_callback *cb)
{
	u32 first = rdma_start_port(request->device);
	u32 port;

	for (port = first + cb->args[0]; port <= rdma_end_port(request->device); port++) {
		if (dump_port(request, skb, cb, port) == -EMSGSIZE) {
			cb->args[0] = port - first;
			return skb->len ?: -EMSGSIZE;
		}
	}
	cb->args[0] = port - first;
	return skb->len;
}
