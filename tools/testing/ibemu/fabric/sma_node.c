// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Attributes of the node: NodeDescription, NodeInfo, GUIDInfo, Notice (IBTA vol. 1, 14.2.5.1 to
 * 14.2.5.5).
 */
#include "fabric/sma.h"

uint16_t sma_get_node_description(const struct sma_request *request, uint8_t *data)
{
	memcpy(data, request->port->node->desc, 64);
	return STATUS_OK;
}

uint16_t sma_get_node_info(const struct sma_request *request, uint8_t *data)
{
	const struct fabric_node *node = request->port->node;

	data[0] = 1; /* BaseVersion */
	data[1] = 1; /* ClassVersion */
	data[2] = node->type;
	data[3] = (uint8_t)node->num_ports;
	put_be64(data + 4, node->system_image_guid);
	put_be64(data + 12, node->guid);
	put_be64(data + 20, request->managed->attr.guids[0]);
	put_be16(data + 28, FABRIC_PKEYS);
	put_be16(data + 30, (uint16_t)node->device_id);
	data[36] = request->port->num;
	put_be24(data + 37, node->vendor_id);
	return STATUS_OK;
}

uint16_t sma_get_guid_info(const struct sma_request *request, uint8_t *data)
{
	if (request->modifier)
		return STATUS_BAD_VALUE;
	for (unsigned int i = 0; i < FABRIC_GUIDS; i++)
		put_be64(data + 8 * i, request->managed->attr.guids[i]);
	return STATUS_OK;
}

/* The first entry is the port's own GUID: it stays. A switch has no other. */
uint16_t sma_set_guid_info(const struct sma_request *request, const uint8_t *data)
{
	uint64_t *guids = request->managed->attr.guids;
	bool changed = false;

	if (request->modifier || request->port->node->type == NODE_SWITCH)
		return STATUS_BAD_VALUE;
	for (unsigned int i = 1; i < FABRIC_GUIDS; i++) {
		uint64_t guid = get_be64(data + 8 * i);

		changed |= guids[i] != guid;
		guids[i] = guid;
	}
	if (changed)
		port_event(request->managed, PORT_EV_GUID_CHANGE);
	return STATUS_OK;
}

uint16_t sma_get_notice(const struct sma_request *request, uint8_t *data)
{
	trap_get_notice(request->managed, data);
	return STATUS_OK;
}

uint16_t sma_set_notice(const struct sma_request *request, const uint8_t *data)
{
	return trap_set_notice(request->managed, data);
}
