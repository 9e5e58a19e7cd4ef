// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The two CRCs of a packet (IBTA vol. 1, 7.8). Both feed each byte least significant bit first, so
 * the generators stand here with their bits reversed. Only captures need CRCs: four bits a step is
 * fast enough.
 */
#include "fabric/wire.h"

/* One bit is shifted out. */
#define STEP(crc, poly) ((crc) & 1 ? (crc) >> 1 ^ (poly) : (crc) >> 1)

/* x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1 */
#define ICRC_POLY 0xedb88320u
/* x^16 + x^12 + x^3 + x + 1 */
#define VCRC_POLY 0xd008u

static uint32_t crc_bytes(uint32_t crc, uint32_t poly, const uint8_t *bytes, size_t len)
{
	uint32_t table[16];

	for (uint32_t i = 0; i < 16; i++) {
		table[i] = i;
		for (int bit = 0; bit < 4; bit++)
			table[i] = STEP(table[i], poly);
	}
	while (len--) {
		crc ^= *bytes++;
		crc = crc >> 4 ^ table[crc & 0xf];
		crc = crc >> 4 ^ table[crc & 0xf];
	}
	return crc;
}

/*
 * Fields that may change on the way count as all ones: of the LRH the VL, or all of it when there
 * is a GRH (a router replaces it); of the GRH traffic class, flow label and hop limit; of the BTH
 * the reserved byte.
 */
uint32_t packet_icrc(const struct packet *packet)
{
	uint8_t head[LRH_LEN + GRH_LEN + BTH_LEN];
	unsigned int bth = bth_at(packet), head_len = bth + BTH_LEN;
	uint32_t crc;

	memcpy(head, packet->data, head_len);
	if (bth > LRH_LEN) {
		memset(head, 0xff, LRH_LEN);
		put_be32(head + LRH_LEN, get_be32(head + LRH_LEN) | 0x0fffffff);
		head[LRH_LEN + 7] = 0xff;
	} else {
		head[0] |= 0xf0;
	}
	head[bth + 4] = 0xff;
	crc = crc_bytes(~0u, ICRC_POLY, head, head_len);
	return ~crc_bytes(crc, ICRC_POLY, packet->data + head_len, packet->len - head_len);
}

uint16_t packet_vcrc(const struct packet *packet, uint32_t icrc)
{
	uint8_t icrc_bytes[ICRC_LEN] = { (uint8_t)icrc, (uint8_t)(icrc >> 8), (uint8_t)(icrc >> 16),
					 (uint8_t)(icrc >> 24) };
	uint32_t crc = crc_bytes(0xffff, VCRC_POLY, packet->data, packet->len);

	return (uint16_t)~crc_bytes(crc, VCRC_POLY, icrc_bytes, ICRC_LEN);
}
