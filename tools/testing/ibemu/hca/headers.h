/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Packet headers as structures, and their bytes (IBTA vol. 1: 7.7 local route header, 8.3 global route
 * header, 9.2 base transport header, 9.3.2 datagram extended transport header, 9.3.6 immediate data).
 */
#ifndef IBEMU_HEADERS_H
#define IBEMU_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#define LRH_LEN 8
#define GRH_LEN 40
#define BTH_LEN 12
#define DETH_LEN 8
#define IMM_LEN 4
#define ICRC_LEN 4

#define LID_PERMISSIVE 0xffff
#define LID_MULTICAST_FIRST 0xc000
#define QPN_MULTICAST 0xffffff
#define VL_MANAGEMENT 15

/* Link next header: which header follows the LRH. The other two values are raw packets. */
enum { LNH_LOCAL = 2, LNH_GLOBAL = 3 };

struct lrh {
	uint8_t vl, sl, lnh;
	uint16_t dlid, slid;
	uint16_t packet_words; /* PktLen: 4-byte words from the LRH to the end of the invariant CRC */
};

struct grh {
	uint8_t traffic_class, hop_limit;
	uint32_t flow_label;
	uint16_t payload_len; /* PayLen: bytes from the end of the GRH to the end of the invariant CRC */
	uint8_t sgid[16], dgid[16];
};

/* BTH:OpCode is a transport (3 bits) and an operation (5 bits). */
enum { BTH_TRANSPORT_RC = 0, BTH_TRANSPORT_UC = 1, BTH_TRANSPORT_UD = 3, BTH_TRANSPORT_XRC = 5 };
enum { BTH_SEND_ONLY = 4, BTH_SEND_ONLY_IMM = 5 };

#define BTH_OPCODE(transport, operation) ((transport) << 5 | (operation))

struct bth {
	uint8_t opcode, pad_count;
	bool solicited, migrated, ack_request;
	uint16_t pkey;
	uint32_t dest_qpn, psn;
};

struct deth {
	uint32_t qkey, src_qpn;
};

void lrh_encode(uint8_t *p, const struct lrh *lrh);
void lrh_decode(const uint8_t *p, struct lrh *lrh);

void grh_encode(uint8_t *p, const struct grh *grh);
/* False: it isn't a version 6 header in front of an InfiniBand transport header. */
bool grh_decode(const uint8_t *p, struct grh *grh);

void bth_encode(uint8_t *p, const struct bth *bth);
/* False: an unknown transport header version. */
bool bth_decode(const uint8_t *p, struct bth *bth);

void deth_encode(uint8_t *p, const struct deth *deth);
void deth_decode(const uint8_t *p, struct deth *deth);

#endif
