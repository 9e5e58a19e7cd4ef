// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What kind of network a device and its ports speak. */

#include "verbs.h"

/**
 * rdma_node_get_transport - the transport that a type of node uses
 * @node_type: enum rdma_node_type
 *
 * Context: Any. Return: the transport.
 */
__attribute_const__ enum rdma_transport_type rdma_node_get_transport(unsigned int node_type)
{
	switch (node_type) {
	case RDMA_NODE_RNIC:
		return RDMA_TRANSPORT_IWARP;
	case RDMA_NODE_USNIC:
		return RDMA_TRANSPORT_USNIC;
	case RDMA_NODE_USNIC_UDP:
		return RDMA_TRANSPORT_USNIC_UDP;
	case RDMA_NODE_UNSPECIFIED:
		return RDMA_TRANSPORT_UNSPECIFIED;
	default:
		return RDMA_TRANSPORT_IB;
	}
}
EXPORT_SYMBOL(rdma_node_get_transport);

/**
 * rdma_port_get_link_layer - the link layer of a port
 * @device: the device
 * @port_num: the port
 *
 * A device that leaves it open has the one that goes with its transport.
 *
 * Context: Any. Return: the link layer.
 */
enum rdma_link_layer rdma_port_get_link_layer(struct ib_device *device, u32 port_num)
{
	if (device->ops.get_link_layer)
		return device->ops.get_link_layer(device, port_num);
	if (rdma_node_get_transport(device->node_type) == RDMA_TRANSPORT_IB)
		return IB_LINK_LAYER_INFINIBAND;
	return IB_LINK_LAYER_ETHERNET;
}
EXPORT_SYMBOL(rdma_port_get_link_layer);
