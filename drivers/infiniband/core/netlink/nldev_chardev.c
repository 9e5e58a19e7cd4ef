// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* nldev: character devices, by the name of the client that made them. */

#include <linux/device.h>
#include <linux/kdev_t.h>

#include "netlink.h"

static int fill(struct sk_buff *msg, const struct ib_client_nl_info *info)
{
	return nldev_put_u64(msg, RDMA_NLDEV_ATTR_CHARDEV, huge_encode_dev(info->cdev->devt)) ?:
	       nldev_put_u64(msg, RDMA_NLDEV_ATTR_CHARDEV_ABI, info->abi) ?:
	       nla_put_string(msg, RDMA_NLDEV_ATTR_CHARDEV_NAME, dev_name(info->cdev));
}

int nldev_chardev_get(struct nldev_request *request)
{
	const struct nlattr *type = request->tb[RDMA_NLDEV_ATTR_CHARDEV_TYPE];
	struct ib_client_nl_info info = { .nl_msg = request->reply };
	char client[RDMA_NLDEV_ATTR_CHARDEV_TYPE_SIZE];
	int err;

	if (!type)
		return -EINVAL;
	nla_strscpy(client, type, sizeof(client));
	if (request->tb[RDMA_NLDEV_ATTR_PORT_INDEX])
		info.port = request->port;
	else if (request->device)
		info.port = U32_MAX;

	err = rdma_client_nl_info(request->device, client, &info);
	if (err)
		return err;
	err = fill(request->reply, &info);
	put_device(info.cdev);
	return err;
}
