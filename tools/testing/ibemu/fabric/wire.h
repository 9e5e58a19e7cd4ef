/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Headers on the wire: local route (IBTA vol. 1, 7.7), global route (8.3), base transport (9.2) and
 * datagram extended transport header (9.3.3). Data only, and the accessors that more than one file
 * needs.
 */
#ifndef IBEMU_WIRE_H
#define IBEMU_WIRE_H

#include "base/bytes.h"
#include "fabric/packet.h"

enum { LRH_LEN = 8, GRH_LEN = 40, BTH_LEN = 12, DETH_LEN = 8, ICRC_LEN = 4, VCRC_LEN = 2 };
enum { LNH_RAW, LNH_IPV6, LNH_BTH, LNH_GRH };
enum { OPCODE_UD_SEND_ONLY = 0x64 };
enum { VL_SMP = 15 };

#define LID_MULTICAST 0xc000
#define LID_PERMISSIVE 0xffff
#define GSI_QKEY 0x80010000u
#define PKEY_DEFAULT 0xffff
#define PKEY_FULL_MEMBER 0x8000

static inline uint8_t lrh_sl(const struct packet *packet) { return packet->data[1] >> 4; }
static inline uint8_t lrh_lnh(const struct packet *packet) { return packet->data[1] & 3; }
static inline uint16_t lrh_dlid(const struct packet *packet) { return get_be16(packet->data + 2); }
static inline uint16_t lrh_slid(const struct packet *packet) { return get_be16(packet->data + 6); }
/* Packet length in 4-byte words, from the LRH to the end of the invariant CRC. */
static inline uint16_t lrh_words(const struct packet *packet)
{
	return get_be16(packet->data + 4) & 0x7ff;
}

static inline void lrh_set_vl(struct packet *packet, uint8_t vl)
{
	packet->vl = vl;
	packet->data[0] = (uint8_t)(vl << 4 | (packet->data[0] & 0xf));
}

static inline void lrh_set_lids(struct packet *packet, uint16_t dlid, uint16_t slid)
{
	put_be16(packet->data + 2, dlid);
	put_be16(packet->data + 6, slid);
}

static inline bool lid_is_unicast(uint16_t lid) { return lid && lid < LID_MULTICAST; }
static inline bool lid_is_multicast(uint16_t lid)
{
	return lid >= LID_MULTICAST && lid != LID_PERMISSIVE;
}

/* Offset of the BTH: the packet was found well-formed when it entered the fabric. */
static inline unsigned int bth_at(const struct packet *packet)
{
	return lrh_lnh(packet) == LNH_GRH ? LRH_LEN + GRH_LEN : LRH_LEN;
}

static inline uint16_t bth_pkey(const struct packet *packet)
{
	return get_be16(packet->data + bth_at(packet) + 2);
}

static inline uint32_t bth_dest_qp(const struct packet *packet)
{
	return get_be24(packet->data + bth_at(packet) + 5);
}

/* The GIDs of a packet that has a GRH, source first (32 bytes); else NULL. */
static inline const uint8_t *grh_gids(const struct packet *packet)
{
	return lrh_lnh(packet) == LNH_GRH ? packet->data + LRH_LEN + 8 : NULL;
}

/* The 256-byte MAD in a UD packet, or NULL when it is anything else. */
uint8_t *packet_mad(struct packet *packet);

/* Well-formed: length, LRH and room for the headers that the LRH announces. */
bool packet_is_sane(const struct packet *packet);

#endif
