/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The fabric: one InfiniBand subnet of nodes, ports and links, as its users see it.
 *
 * Every node has a subnet management agent (IBTA vol. 1, chapter 14) and a performance management
 * agent (16.1) of its own. Port state lives here: it outlives drivers and device resets. An HCA
 * that is exposed to a guest attaches to its port; all other nodes answer by themselves. Sending
 * never recurses into a receiver: packets are queued and delivered from a task of the scheduler.
 */
#ifndef IBEMU_FABRIC_H
#define IBEMU_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sched.h"
#include "fabric/packet.h"

#define MAD_LEN 256
#define FABRIC_GUIDS 8  /* GUIDInfo entries of an HCA port: one block */
/* P_Key table entries of an HCA port: one block (a driver asks once an index). */
#define FABRIC_PKEYS 32

struct fabric;
struct fabric_node;
struct fabric_port;

enum node_type { NODE_CA = 1, NODE_SWITCH = 2, NODE_ROUTER = 3 };
enum port_state { PORT_DOWN = 1, PORT_INIT = 2, PORT_ARMED = 3, PORT_ACTIVE = 4 };

/*
 * What happened to an exposed port, by SubnSet or by its link. Events are delivered from a task,
 * never from inside a call of the owner; those that pile up before it runs are delivered once each,
 * in the order of this list (a port that flapped in between: DOWN, then INIT).
 */
enum port_event {
	PORT_EV_DOWN, PORT_EV_INIT, PORT_EV_ACTIVE, PORT_EV_LID_CHANGE, PORT_EV_PKEY_CHANGE,
	PORT_EV_GUID_CHANGE, PORT_EV_CLIENT_REREGISTER, PORT_EV_SM_CHANGE,
};

struct port_ops {
	/*
	 * A packet for this port: all data packets, and the SMPs that the agent doesn't answer by
	 * itself (SMInfo, traps, responses). DLID and CRC are checked, keys and QP numbers aren't.
	 */
	void (*receive)(void *owner, struct packet *packet);
	void (*event)(void *owner, enum port_event event);
};

/* What the engine needs of a port, kept current; host byte order, PortInfo's codes. */
struct port_attr {
	enum port_state state;
	uint8_t phys_state; /* PortPhysicalState: 1 sleep, 2 polling, 3 disabled, 5 link up */
	uint8_t link_width;      /* LinkWidthActive: 1 1x, 2 4x, 4 8x, 8 12x */
	uint8_t link_speed;      /* LinkSpeedActive: 1 SDR, 2 DDR, 4 QDR */
	uint8_t link_speed_ext; /* LinkSpeedExtActive: 0 none, 1 FDR, 2 EDR, 4 HDR, 8 NDR */
	uint32_t capability_mask;
	uint8_t subnet_timeout;  /* 4.096 us << subnet_timeout */
	uint16_t pkey_violations, qkey_violations;
	uint16_t lid;
	uint8_t lmc;
	uint8_t mtu_cap, neighbor_mtu; /* IB MTU codes, 1 = 256 ... 5 = 4096 */
	uint16_t sm_lid;
	uint8_t sm_sl;
	uint8_t sl2vl[16];
	uint64_t gid_prefix;
	uint64_t guids[FABRIC_GUIDS];
	uint16_t pkeys[FABRIC_PKEYS];
};

struct fabric *fabric_create(struct sched *sched);
void fabric_destroy(struct fabric *fabric);

/* Restarts the pseudo-random sequence that decides which packets a filter with a rate hits. */
void fabric_seed(struct fabric *fabric, uint64_t seed);

/*
 * Reads a topology (ibnetdiscover's output; see the README for the lines that expose HCAs).
 * 0 or -1, with "NAME:LINE: reason" in error. A failed load leaves an empty fabric.
 */
int fabric_load(struct fabric *fabric, FILE *file, const char *name, char *error, size_t error_len);

/* The exposed HCAs in the order of the file: NULL past the last one. */
struct fabric_node *fabric_exposed(struct fabric *fabric, unsigned int index);
const char *fabric_node_model(const struct fabric_node *node); /* "connectx5" */
const char *fabric_node_desc(const struct fabric_node *node);
uint64_t fabric_node_guid(const struct fabric_node *node);
/*
 * NodeDescription, 64 bytes padded with zeros, as the driver sets it; trap 144 from each port with
 * an SM.
 */
void fabric_node_set_desc(struct fabric_node *node, const uint8_t desc[64]);
/* Port number from 1 (a switch also has 0), or NULL. */
struct fabric_port *fabric_node_port(struct fabric_node *node, unsigned int port_num);

/*
 * One owner a port. Without one, SMPs are still answered and data packets are dropped and counted.
 */
void fabric_port_attach(struct fabric_port *port, const struct port_ops *ops, void *owner);
void fabric_port_detach(struct fabric_port *port);
const struct port_attr *fabric_port_attr(const struct fabric_port *port);

/*
 * Sends a packet out of an exposed port; consumes it. The sender sets vl to 15 for an SMP and to
 * anything else for data, whose VL comes from the SL and the port's SLtoVLMappingTable; the LRH's
 * VL field is written here. SMPs pass in INIT and above, data only in ACTIVE (ARMED: received, not
 * sent); else it's dropped and counted (PortXmitDiscards). To the port's own LID it comes back to
 * the port itself, without touching the wire. A multicast DLID goes to the wire only: copies for
 * QPs of the same port are the sender's to make.
 */
void fabric_port_send(struct fabric_port *port, struct packet *packet);

enum { MAD_IGNORE_MKEY = 1, MAD_IGNORE_BKEY = 2 };
/*
 * The agents of this port, asked by its own host (MAD_IFC): management classes 0x01, 0x81 (as if
 * hop-less) and 0x04. True with a response MAD; false: no response is due (M_Key violation,
 * TrapRepress, unknown class).
 */
bool fabric_port_mad(struct fabric_port *port, unsigned int flags, const uint8_t in[MAD_LEN],
		     uint8_t out[MAD_LEN]);

/*
 * Sets and clears bits of PortInfo.CapabilityMask (IsSM ...), with trap 144 where the port has an
 * SM.
 */
void fabric_port_change_capabilities(struct fabric_port *port, uint32_t set, uint32_t clear);

/*
 * Traps that only the engine can see: bad P_Key (257), bad Q_Key (258); LIDs, SL and QPNs from the
 * packet.
 */
void fabric_port_trap_key(struct fabric_port *port, bool qkey, uint32_t key,
			  const struct packet *packet);
/* PortRcvErrors and the like, for packets that the engine must drop. */
enum port_counter {
	PORT_RCV_ERRORS,
	PORT_RCV_CONSTRAINT_ERRORS,
	PORT_XMIT_DISCARDS,
	PORT_QKEY_VIOLATIONS,
	PORT_PKEY_VIOLATIONS
};

void fabric_port_count(struct fabric_port *port, enum port_counter counter);

/*
 * One command of ibemuctl that concerns the fabric (links, filters, counters, capture, statistics),
 * split into words. Writes the answer to out. 0, -EINVAL with a message in out, or -ENOENT: not a
 * command of the fabric.
 */
int fabric_control(struct fabric *fabric, int argc, char **argv, FILE *out);

#endif
