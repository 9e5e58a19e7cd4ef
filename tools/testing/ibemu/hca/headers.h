/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Packet headers as structures, and their bytes (IBTA vol. 1: 7.7 local route header, 8.3 global
 * route header, 9.2 base transport header, 9.3 extended transport headers).
 */
#ifndef IBEMU_HEADERS_H
#define IBEMU_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#define LRH_LEN 8
#define GRH_LEN 40
#define BTH_LEN 12
#define DETH_LEN 8
#define RETH_LEN 16
#define ATOMIC_ETH_LEN 28
#define AETH_LEN 4
#define ATOMIC_ACK_ETH_LEN 8
#define XRCETH_LEN 4
#define DCETH_LEN 8
#define DC_KEY_LEN 8 /* behind the DCETH of a connect */
#define IMM_LEN 4 /* immediate data, or the R_Key to invalidate (IETH) */
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
	/* PktLen: 4-byte words from the LRH to the end of the invariant CRC */
	uint16_t packet_words;
};

struct grh {
	uint8_t traffic_class, hop_limit;
	uint32_t flow_label;
	/* PayLen: bytes from the end of the GRH to the end of the invariant CRC */
	uint16_t payload_len;
	uint8_t sgid[16], dgid[16];
};

/* BTH:OpCode is a transport (3 bits) and an operation (5 bits). */
enum {
	BTH_TRANSPORT_RC = 0,
	BTH_TRANSPORT_UC = 1,
	BTH_TRANSPORT_UD = 3,
	BTH_TRANSPORT_XRC = 5,
	BTH_TRANSPORT_DC = 6, /* ours, of the two that are left to manufacturers */
};

enum {
	BTH_SEND_FIRST,
	BTH_SEND_MIDDLE,
	BTH_SEND_LAST,
	BTH_SEND_LAST_IMM,
	BTH_SEND_ONLY,
	BTH_SEND_ONLY_IMM,
	BTH_WRITE_FIRST,
	BTH_WRITE_MIDDLE,
	BTH_WRITE_LAST,
	BTH_WRITE_LAST_IMM,
	BTH_WRITE_ONLY,
	BTH_WRITE_ONLY_IMM,
	BTH_READ_REQUEST,
	BTH_READ_RESPONSE_FIRST,
	BTH_READ_RESPONSE_MIDDLE,
	BTH_READ_RESPONSE_LAST,
	BTH_READ_RESPONSE_ONLY,
	BTH_ACKNOWLEDGE,
	BTH_ATOMIC_ACKNOWLEDGE,
	BTH_COMPARE_SWAP,
	BTH_FETCH_ADD,
	BTH_SEND_LAST_INVALIDATE = 22,
	BTH_SEND_ONLY_INVALIDATE,
	/* Only of BTH_TRANSPORT_DC: */
	BTH_DC_CONNECT,
	BTH_DC_DISCONNECT,
};

#define BTH_OPERATION_MASK 0x1f
#define BTH_TRANSPORT(opcode) ((opcode) >> 5)
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

/*
 * Dynamic connections, in all requests. What goes over the wires between real adapters isn't
 * public, so this format is ours: the initiator, and which of its sessions this is, by the PSN of
 * the connect that began it.
 */
struct dceth {
	uint32_t session, initiator;
};

/* RDMA (9.3.3). */
struct reth {
	uint64_t va;
	uint32_t rkey, len;
};

/* 9.3.4 */
struct atomic_eth {
	uint64_t va;
	uint32_t rkey;
	uint64_t swap_add, compare;
};

/* AETH:Syndrome is a kind (the upper 3 bits) and a value (9.3.5, tables 43 to 46). */
enum {
	AETH_ACK = 0x00,
	AETH_RNR_NAK = 0x20,
	AETH_NAK = 0x60,
	AETH_KIND_MASK = 0xe0,
	AETH_VALUE_MASK = 0x1f,
};

enum { NAK_PSN_SEQUENCE, NAK_INVALID_REQUEST, NAK_REMOTE_ACCESS, NAK_REMOTE_OPERATION };

#define AETH_CREDITS_INVALID 0x1f /* no end-to-end flow control */

struct aeth {
	uint8_t syndrome;
	uint32_t msn;
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

void dceth_encode(uint8_t *p, const struct dceth *dceth);
void dceth_decode(const uint8_t *p, struct dceth *dceth);

void reth_encode(uint8_t *p, const struct reth *reth);
void reth_decode(const uint8_t *p, struct reth *reth);

void atomic_eth_encode(uint8_t *p, const struct atomic_eth *eth);
void atomic_eth_decode(const uint8_t *p, struct atomic_eth *eth);

void aeth_encode(uint8_t *p, const struct aeth *aeth);
void aeth_decode(const uint8_t *p, struct aeth *aeth);

#endif
