// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Attributes of a switch: SwitchInfo and its forwarding tables (IBTA vol. 1, 14.2.5.4, 14.2.5.10,
 * 14.2.5.12).
 */
#include "fabric/sma.h"

enum {
	ENFORCE_INBOUND_CAP = 0x80, ENFORCE_OUTBOUND_CAP = 0x40,
	PORT_STATE_CHANGE = 0x04,
};

uint16_t sma_get_switch_info(const struct sma_request *request, uint8_t *data)
{
	const struct switch_tables *tables = request->port->node->tables;

	put_be16(data, LFT_LEN);
	put_be16(data + 4, MFT_LEN);
	put_be16(data + 6, tables->linear_fdb_top);
	data[8] = tables->default_port;
	data[9] = tables->default_mcast_primary;
	data[10] = tables->default_mcast_not_primary;
	data[11] = (uint8_t)(tables->life_time << 3 |
			     (tables->port_state_change ? PORT_STATE_CHANGE : 0));
	put_be16(data + 14, FABRIC_PKEYS);
	data[16] = ENFORCE_INBOUND_CAP | ENFORCE_OUTBOUND_CAP;
	return STATUS_OK;
}

/*
 * A LID that no table knows is dropped here whatever the default ports say: they are only stored.
 */
uint16_t sma_set_switch_info(const struct sma_request *request, const uint8_t *data)
{
	struct switch_tables *tables = request->port->node->tables;
	uint16_t linear_fdb_top = get_be16(data + 6);

	if (linear_fdb_top >= LFT_LEN)
		return STATUS_BAD_VALUE;
	tables->linear_fdb_top = linear_fdb_top;
	tables->default_port = data[8];
	tables->default_mcast_primary = data[9];
	tables->default_mcast_not_primary = data[10];
	tables->life_time = data[11] >> 3;
	if (data[11] & PORT_STATE_CHANGE) /* writing one clears it */
		tables->port_state_change = false;
	return STATUS_OK;
}

static uint8_t *lft_block(const struct sma_request *request)
{
	if (request->modifier >= LFT_LEN / LFT_BLOCK)
		return NULL;
	return request->port->node->tables->lft + request->modifier * LFT_BLOCK;
}

uint16_t sma_get_linear_fdb(const struct sma_request *request, uint8_t *data)
{
	const uint8_t *block = lft_block(request);

	if (!block)
		return STATUS_BAD_VALUE;
	memcpy(data, block, LFT_BLOCK);
	return STATUS_OK;
}

uint16_t sma_set_linear_fdb(const struct sma_request *request, const uint8_t *data)
{
	uint8_t *block = lft_block(request);

	if (!block)
		return STATUS_BAD_VALUE;
	memcpy(block, data, LFT_BLOCK);
	return STATUS_OK;
}

/* Bits 0-8 of the modifier: block of 32 LIDs; bits 28-31: position, 16 ports each. */
static uint16_t *mft_block(const struct sma_request *request)
{
	const struct switch_tables *tables = request->port->node->tables;
	unsigned int block = request->modifier & 0x1ff, position = request->modifier >> 28;

	if ((request->modifier & 0x0ffffe00) || block >= MFT_LEN / MFT_BLOCK ||
	    position >= tables->mft_positions)
		return NULL;
	return tables->mft + (size_t)block * MFT_BLOCK * tables->mft_positions + position;
}

uint16_t sma_get_multicast_fdb(const struct sma_request *request, uint8_t *data)
{
	const uint16_t *block = mft_block(request);

	if (!block)
		return STATUS_BAD_VALUE;
	for (unsigned int i = 0; i < MFT_BLOCK; i++)
		put_be16(data + 2 * i, block[i * request->port->node->tables->mft_positions]);
	return STATUS_OK;
}

uint16_t sma_set_multicast_fdb(const struct sma_request *request, const uint8_t *data)
{
	uint16_t *block = mft_block(request);

	if (!block)
		return STATUS_BAD_VALUE;
	for (unsigned int i = 0; i < MFT_BLOCK; i++)
		block[i * request->port->node->tables->mft_positions] = get_be16(data + 2 * i);
	return STATUS_OK;
}
