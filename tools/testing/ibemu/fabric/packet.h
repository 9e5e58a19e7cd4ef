/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A packet on its way through the fabric: the bytes from the local route header (IBTA vol. 1, 7.7)
 * to the end of the padded payload. The two CRCs (7.8) aren't stored: a damaged packet is marked,
 * and whoever would find the wrong CRC drops it; the capture writer computes both.
 *
 * Whoever is handed a packet owns it: it sends it on or frees it.
 */
#ifndef IBEMU_PACKET_H
#define IBEMU_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * LRH 8, GRH 40, BTH 12, DETH 8, XRCETH 4, AtomicETH 28, immediate 4, payload 4096 with room to
 * spare.
 */
#define PACKET_HEADERS 128
#define PACKET_MAX (PACKET_HEADERS + 4096)

struct fabric_port;

struct packet {
	struct packet *next;    /* for its owner's queue */
	struct fabric_port *to; /* the fabric's: the port that it is about to arrive at */
	uint64_t due_ns;        /* for a filter that delays it */
	uint16_t len;           /* bytes in data; a multiple of 4 */
	uint8_t vl;             /* virtual lane on the current link; 15 for SMPs */
	uint8_t hops;           /* the fabric's: links passed, which ends a forwarding loop */
	bool loopback;          /* the fabric's: for the sending port itself, no link is passed */
	bool answer;            /* the fabric's: to an SMP that has just arrived at "to" */
	bool corrupt;           /* its CRC would be wrong */
	uint8_t data[PACKET_MAX];
};

/*
 * An empty packet (all fields 0, data not cleared), or NULL without memory. From a free list:
 * cheap.
 */
struct packet *packet_alloc(void);
struct packet *packet_clone(const struct packet *packet);
void packet_free(struct packet *packet);
/* Gives the free list back to the system (end of process, leak checks). */
void packet_drain_pool(void);

/*
 * Invariant CRC of the packet (32 bits, IBTA vol. 1, 7.8.1) and variant CRC with it (16 bits,
 * 7.8.2). On the wire each stands with its least significant byte first. The packet has an LRH, its
 * GRH if the LRH says so, and a BTH: fabric_port_send() takes no other.
 */
uint32_t packet_icrc(const struct packet *packet);
uint16_t packet_vcrc(const struct packet *packet, uint32_t icrc);

#endif
