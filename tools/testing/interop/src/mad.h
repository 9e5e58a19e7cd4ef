/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_MAD_H
#define INTEROP_MAD_H

#include <endian.h>
#include <stdint.h>

/* Management datagrams as they stand on the wire (IBTA volume 1, chapters 13 and 16). Data only. */

enum { GSI_QPN = 1 };
#define GSI_QKEY 0x80010000u	/* QP1 has it everywhere (10.2.4) */

enum {
	MAD_SIZE = 256,
	MAD_HDR_LEN = 24,
	MAD_RMPP_LEN = 36,		/* common and RMPP header */
	MAD_VENDOR_HDR_LEN = 40,	/* ... and OUI (vendor classes 0x30 to 0x4f) */
	MAD_SA_HDR_LEN = 56,		/* ... and SA header */
};

enum {
	CLASS_SUBN_LID_ROUTED = 0x01,
	CLASS_SUBN_ADM = 0x03,
	CLASS_PERF = 0x04,
	CLASS_VENDOR_0X30 = 0x30,
	CLASS_SUBN_DIRECTED_ROUTE = 0x81,
};

enum {
	METHOD_GET = 0x01,
	METHOD_SET = 0x02,
	METHOD_SEND = 0x03,
	METHOD_GET_TABLE = 0x12,
	METHOD_RESP = 0x80,		/* the response bit */
};

enum {
	RMPP_VERSION = 1,
	RMPP_TYPE_DATA = 1,
	RMPP_TYPE_ACK = 2,
	RMPP_FLAG_ACTIVE = 1 << 0,
	RMPP_FLAG_FIRST = 1 << 1,
	RMPP_FLAG_LAST = 1 << 2,
	RMPP_RESP_TIME_NONE = 0x1f << 3,
	/* what PayloadLength counts, with the class's header */
	RMPP_SEGMENT_DATA = MAD_SIZE - MAD_RMPP_LEN,
};

struct mad_hdr {
	uint8_t base_version;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t method;
	uint16_t status;
	uint16_t class_specific;
	uint64_t tid;
	uint16_t attr_id;
	uint16_t reserved;
	uint32_t attr_mod;
} __attribute__((packed));

struct mad {
	struct mad_hdr hdr;
	struct {
		uint8_t version;
		uint8_t type;
		uint8_t resp_time_flags;
		uint8_t status;
		uint32_t segment;
		uint32_t paylen_newwin;	/* DATA: PayloadLength; ACK: NewWindowLast */
	} __attribute__((packed)) rmpp;
	uint8_t reserved;
	uint8_t oui[3];
	uint8_t data[];
} __attribute__((packed));

_Static_assert(sizeof(struct mad_hdr) == MAD_HDR_LEN, "MAD header");
_Static_assert(sizeof(struct mad) == MAD_VENDOR_HDR_LEN, "vendor MAD header");

#endif
