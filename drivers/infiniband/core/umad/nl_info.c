// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What RDMA netlink's GET_CHARDEV learns of umadN and issmN. */

#include <linux/err.h>
#include <rdma/ib_verbs.h>

#include "../stock_contract.h"
#include "umad.h"

static struct umad_port *find_port(struct ib_device *ib_dev, const struct umad_device *device,
				   u32 port_num)
{
	struct umad_port *port;

	if (!device)
		return ERR_PTR(-EOPNOTSUPP);
	if (!rdma_is_port_valid(ib_dev, port_num))
		return ERR_PTR(-EINVAL);
	port = device->ports[port_num - rdma_start_port(ib_dev)];
	return port ?: ERR_PTR(-EOPNOTSUPP);
}

static int fill_info(struct ib_client_nl_info *info, const struct umad_node *node)
{
	if (!node->dev)
		return -EOPNOTSUPP;
	info->abi = IB_USER_MAD_ABI_VERSION;
	info->cdev = node->dev;
	return 0;
}

/**
 * umad_get_nl_info - answer for umadN
 * @ib_dev: the device
 * @client_data: our struct umad_device, or NULL
 * @info: has the port, is filled in on success
 *
 * Return: 0; -EINVAL for a port that the device doesn't have; -EOPNOTSUPP for one without an
 * umadN.
 */
int umad_get_nl_info(struct ib_device *ib_dev, void *client_data, struct ib_client_nl_info *info)
{
	struct umad_port *port = find_port(ib_dev, client_data, info->port);

	if (IS_ERR(port))
		return PTR_ERR(port);
	return fill_info(info, &port->umad);
}

/**
 * umad_issm_get_nl_info - answer for issmN
 * @ib_dev: the device
 * @client_data: our struct umad_device, or NULL
 * @info: has the port, is filled in on success
 *
 * Return: 0; -EINVAL for a port that the device doesn't have; -EOPNOTSUPP for one without an
 * issmN.
 */
int umad_issm_get_nl_info(struct ib_device *ib_dev, void *client_data,
			  struct ib_client_nl_info *info)
{
	struct umad_port *port = find_port(ib_dev, client_data, info->port);

	if (IS_ERR(port))
		return PTR_ERR(port);
	return fill_info(info, &port->issm);
}
