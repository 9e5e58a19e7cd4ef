// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: devices. `rdma dev`, and how libibverbs finds them. */

#include "netlink.h"

/* A device whose ports speak different protocols is taken for what its first port is. */
static const char *protocol_of(struct ib_device *device)
{
	u32 port = rdma_start_port(device);

	if (rdma_cap_opa_mad(device, port))
		return "opa";
	if (rdma_protocol_ib(device, port))
		return "ib";
	if (rdma_protocol_iwarp(device, port))
		return "iw";
	if (rdma_protocol_roce(device, port))
		return "roce";
	if (rdma_protocol_usnic(device, port))
		return "usnic";
	return NULL;
}

static int put_fw_version(struct sk_buff *msg, struct ib_device *device)
{
	char version[IB_FW_VERSION_NAME_MAX];

	ib_get_device_fw_str(device, version);
	return *version ? nla_put_string(msg, RDMA_NLDEV_ATTR_FW_VERSION, version) : 0;
}

static int put_guids(struct sk_buff *msg, const struct ib_device *device)
{
	return nldev_put_u64(msg, RDMA_NLDEV_ATTR_NODE_GUID, be64_to_cpu(device->node_guid)) ?:
	       nldev_put_u64(msg, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID,
			     be64_to_cpu(device->attrs.sys_image_guid));
}

/* A device that a part of another one stands in for. */
static int put_sub_device(struct sk_buff *msg, const struct ib_device *device)
{
	int err = 0;

	if (device->type)
		err = nla_put_u8(msg, RDMA_NLDEV_ATTR_DEV_TYPE, device->type);
	if (!err && device->parent)
		err = nla_put_string(msg, RDMA_NLDEV_ATTR_PARENT_NAME,
				     dev_name(&device->parent->dev));
	return err;
}

static int fill(struct sk_buff *msg, struct ib_device *device)
{
	const char *protocol = protocol_of(device);

	return nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, rdma_end_port(device)) ?:
	       nldev_put_u64(msg, RDMA_NLDEV_ATTR_CAP_FLAGS, device->attrs.device_cap_flags) ?:
	       put_fw_version(msg, device) ?:
	       put_guids(msg, device) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, device->node_type) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_DEV_DIM, device->use_cq_dim) ?:
	       put_sub_device(msg, device) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_NAME_ASSIGN_TYPE, device->name_assign_type) ?:
	       (protocol ? nla_put_string(msg, RDMA_NLDEV_ATTR_DEV_PROTOCOL, protocol) : 0);
}

int nldev_dev_get(struct nldev_request *request)
{
	return fill(request->reply, request->device);
}

int nldev_dev_dump(struct nldev_request *request, struct sk_buff *skb, struct netlink_callback *cb)
{
	return nldev_dump_devices(skb, cb, fill);
}

static int set_name(struct ib_device *device, const struct nlattr *attr)
{
	char name[IB_DEVICE_NAME_MAX];

	nla_strscpy(name, attr, sizeof(name));
	return *name ? rdma_device_rename(device, name) : -EINVAL;
}

/* One thing at a time: the first that is there. */
int nldev_dev_set(struct nldev_request *request)
{
	struct nlattr *const *tb = request->tb;
	u8 dim;

	if (tb[RDMA_NLDEV_ATTR_DEV_NAME])
		return set_name(request->device, tb[RDMA_NLDEV_ATTR_DEV_NAME]);
	if (tb[RDMA_NLDEV_NET_NS_FD])
		return rdma_device_set_net_put(nldev_take_device(request),
					       nla_get_u32(tb[RDMA_NLDEV_NET_NS_FD]), request->skb);
	if (!tb[RDMA_NLDEV_ATTR_DEV_DIM])
		return 0;
	dim = nla_get_u8(tb[RDMA_NLDEV_ATTR_DEV_DIM]);
	return dim > 1 ? -EINVAL : rdma_device_set_dim(request->device, dim);
}

int nldev_dev_new(struct nldev_request *request)
{
	const struct nlattr *type = request->tb[RDMA_NLDEV_ATTR_DEV_TYPE];
	char name[IFNAMSIZ];

	if (!request->tb[RDMA_NLDEV_ATTR_DEV_NAME] || !type)
		return -EINVAL;
	nla_strscpy(name, request->tb[RDMA_NLDEV_ATTR_DEV_NAME], sizeof(name));
	return ib_add_sub_device(request->device, nla_get_u8(type), name);
}

int nldev_dev_delete(struct nldev_request *request)
{
	return ib_del_sub_device_and_put(nldev_take_device(request));
}
