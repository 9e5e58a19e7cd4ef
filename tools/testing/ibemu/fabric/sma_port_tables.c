// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Tables of a port: P_KeyTable, SLtoVLMappingTable, VLArbitrationTable (IBTA vol. 1, 14.2.5.7 to
 * 14.2.5.9).
 */
#include "fabric/sma.h"

/* A port of a switch by its number; of a CA the one that was asked, whatever the number. */
static struct fabric_port *table_port(const struct sma_request *request, unsigned int num)
{
	if (request->port->node->type != NODE_SWITCH)
		return request->port;
	return fabric_node_port(request->port->node, num);
}

/* Modifier: block in bits 0-15, a switch's port in bits 16-31. */
static struct fabric_port *pkey_port(const struct sma_request *request)
{
	return request->modifier & 0xffff ? NULL : table_port(request, request->modifier >> 16);
}

uint16_t sma_get_pkey_table(const struct sma_request *request, uint8_t *data)
{
	const struct fabric_port *port = pkey_port(request);

	if (!port)
		return STATUS_BAD_VALUE;
	for (unsigned int i = 0; i < FABRIC_PKEYS; i++)
		put_be16(data + 2 * i, port->attr.pkeys[i]);
	return STATUS_OK;
}

uint16_t sma_set_pkey_table(const struct sma_request *request, const uint8_t *data)
{
	struct fabric_port *port = pkey_port(request);
	bool changed = false;

	if (!port)
		return STATUS_BAD_VALUE;
	for (unsigned int i = 0; i < FABRIC_PKEYS; i++) {
		uint16_t pkey = get_be16(data + 2 * i);

		changed |= port->attr.pkeys[i] != pkey;
		port->attr.pkeys[i] = pkey;
	}
	if (changed)
		port_event(port, PORT_EV_PKEY_CHANGE);
	return STATUS_OK;
}

/* Modifier of a switch: egress port in bits 0-7, ingress port in bits 8-15. */
static bool sl_to_vl_ports(const struct sma_request *request, unsigned int *in, unsigned int *out)
{
	*out = request->modifier & 0xff;
	*in = request->modifier >> 8 & 0xff;
	return !(request->modifier >> 16) && *in <= request->port->node->num_ports &&
	       *out <= request->port->node->num_ports;
}

uint16_t sma_get_sl_to_vl(const struct sma_request *request, uint8_t *data)
{
	unsigned int in, out;

	if (request->port->node->type != NODE_SWITCH) {
		for (unsigned int sl = 0; sl < 16; sl++)
			put_bits(data, 4 * sl, 4, request->port->attr.sl2vl[sl]);
		return STATUS_OK;
	}
	if (!sl_to_vl_ports(request, &in, &out))
		return STATUS_BAD_VALUE;
	memcpy(data, switch_sl2vl(request->port->node, in, out), 8);
	return STATUS_OK;
}

uint16_t sma_set_sl_to_vl(const struct sma_request *request, const uint8_t *data)
{
	unsigned int in, out;

	if (request->port->node->type != NODE_SWITCH) {
		for (unsigned int sl = 0; sl < 16; sl++)
			request->port->attr.sl2vl[sl] = (uint8_t)get_bits(data, 4 * sl, 4);
		return STATUS_OK;
	}
	if (!sl_to_vl_ports(request, &in, &out))
		return STATUS_BAD_VALUE;
	memcpy(switch_sl2vl(request->port->node, in, out), data, 8);
	return STATUS_OK;
}

/*
 * Modifier: 1 the low-priority table, 3 the high-priority one in bits 16-31 (2, 4: beyond the
 * caps); the port in bits 0-15.
 */
static uint8_t *vl_arbitration(const struct sma_request *request)
{
	struct fabric_port *port = table_port(request, request->modifier & 0xffff);

	if (!port)
		return NULL;
	switch (request->modifier >> 16) {
	case 1:
		return port->vl_arb_low;
	case 3:
		return port->vl_arb_high;
	default:
		return NULL;
	}
}

uint16_t sma_get_vl_arbitration(const struct sma_request *request, uint8_t *data)
{
	const uint8_t *table = vl_arbitration(request);

	if (!table)
		return STATUS_BAD_VALUE;
	memcpy(data, table, 2 * VL_ARB_ENTRIES);
	return STATUS_OK;
}

uint16_t sma_set_vl_arbitration(const struct sma_request *request, const uint8_t *data)
{
	uint8_t *table = vl_arbitration(request);

	if (!table)
		return STATUS_BAD_VALUE;
	for (unsigned int i = 0; i < VL_ARB_ENTRIES; i++) {
		table[2 * i] = data[2 * i] & 0xf;
		table[2 * i + 1] = data[2 * i + 1];
	}
	return STATUS_OK;
}
