/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The fabric's own view of itself: what its files share and its users don't see.
 *
 * A packet's way: fabric_port_send() or an agent -> link_transmit() -> queue -> port_receive() ->
 * switch, agent or owner. Each arrow through the queue is one link.
 */
#ifndef IBEMU_MODEL_H
#define IBEMU_MODEL_H

#include "fabric/fabric.h"
#include "fabric/mad.h"
#include "fabric/wire.h"

#define LFT_LEN 0xc000 /* all unicast LIDs */
#define LFT_BLOCK 64
#define LFT_NONE 0xff
#define MFT_LEN 0x1000 /* multicast LIDs from 0xc000 */
#define MFT_BLOCK 32
#define VL_ARB_ENTRIES 32 /* of each priority: one block */
#define SWITCH_PORTS_MAX 254

enum phys_state { PHYS_SLEEP = 1, PHYS_POLLING = 2, PHYS_DISABLED = 3, PHYS_LINK_UP = 5 };

/* What a link can do, in the codes of PortInfo's "supported" fields. */
struct link_rate {
	uint8_t width, speed, speed_ext;
};

/* PortCounters (16.1.3.5) that aren't traffic. */
enum port_error {
	ERR_SYMBOL,
	ERR_LINK_RECOVERY,
	ERR_LINK_DOWNED,
	ERR_RCV,
	ERR_RCV_REMOTE_PHYSICAL,
	ERR_RCV_SWITCH_RELAY,
	ERR_XMIT_DISCARDS,
	ERR_XMIT_CONSTRAINT,
	ERR_RCV_CONSTRAINT,
	ERR_LOCAL_INTEGRITY,
	ERR_BUFFER_OVERRUN,
	ERR_VL15_DROPPED,
	PORT_ERRORS
};

enum port_traffic {
	TRAFFIC_XMIT_DATA,
	TRAFFIC_RCV_DATA,
	TRAFFIC_XMIT_PKTS,
	TRAFFIC_RCV_PKTS,
	TRAFFIC_UNICAST_XMIT_PKTS,
	TRAFFIC_UNICAST_RCV_PKTS,
	TRAFFIC_MULTICAST_XMIT_PKTS,
	TRAFFIC_MULTICAST_RCV_PKTS,
	PORT_TRAFFICS
};

/*
 * Traffic counts up for ever. PortCounters and PortCountersExtended are cleared apart from each
 * other, so each shows the difference to a base of its own.
 */
struct port_counters {
	uint32_t errors[PORT_ERRORS];
	uint64_t traffic[PORT_TRAFFICS];
	uint64_t base[4]; /* PortCounters' */
	uint64_t base_extended[PORT_TRAFFICS];
};

/* A trap that is repeated until the SM represses it; one a trap number and port. */
struct trap;

struct fabric_port {
	struct fabric_node *node;
	struct fabric_port *peer; /* the other end of the cable, or NULL */
	struct port_attr attr;
	uint8_t num;
	bool cut; /* the cable is pulled (ibemuctl); on both ends alike */
	struct timer train;
	struct port_counters counters;

	/* The rest is PortInfo (14.2.5.6): rates, then what an SM only stores here. */
	struct link_rate rated, enabled;
	uint8_t phys_wanted; /* PHYS_DISABLED, PHYS_POLLING or PHYS_SLEEP */
	uint8_t link_down_default;
	uint64_t m_key;
	uint16_t m_key_lease_period; /* seconds; 0: infinite */
	uint8_t m_key_protect;
	uint16_t m_key_violations;
	struct timer m_key_lease;
	uint8_t vl_cap, operational_vls; /* codes: 1 = VL0 ... 4 = VL0-7 */
	uint8_t vl_high_limit, vl_stall_count, hoq_life;
	bool enforce_inbound, enforce_outbound;
	uint8_t resp_time, local_phy_errors, overrun_errors;
	uint8_t vl_arb_low[2 * VL_ARB_ENTRIES], vl_arb_high[2 * VL_ARB_ENTRIES];

	struct trap *traps; /* NULL until the first one */
	bool notice_toggle; /* of the next Set(Notice) */

	const struct port_ops *ops; /* NULL: nobody is attached */
	void *owner;
	uint32_t events; /* pending, a bit each */
	struct fabric_port *next_event;
};

/* What only switches have: 14.2.5.4, 14.2.5.9 to 14.2.5.12. */
struct switch_tables {
	uint16_t linear_fdb_top;
	uint8_t default_port, default_mcast_primary, default_mcast_not_primary;
	uint8_t life_time;
	bool port_state_change;
	uint8_t *sl2vl;    /* [in][out][8], two SLs a byte as in the attribute */
	uint16_t *mft;     /* [MFT_LEN][mft_positions], 16 ports each */
	unsigned int mft_positions;
	uint8_t lft[LFT_LEN];
};

struct fabric_node {
	struct fabric *fabric;
	uint64_t guid, system_image_guid;
	uint32_t vendor_id, device_id;
	enum node_type type;
	unsigned int num_ports;
	struct fabric_port *ports; /* [num_ports + 1]; CAs don't use [0] */
	struct switch_tables *tables; /* NULL but for switches */
	const char *model; /* NULL: not exposed */
	uint8_t desc[65];
	struct fabric_node *next;      /* in the order of the file */
	struct fabric_node *next_hash;
};

/* Where packets end that don't arrive. */
enum fabric_stat {
	STAT_DELIVERED,
	STAT_NO_ROUTE,
	STAT_LOOPED,
	STAT_BAD_PATH,
	STAT_MALFORMED,
	STAT_NOT_ACTIVE,
	STAT_NO_OWNER,
	STAT_CORRUPT,
	STAT_FILTERED,
	STAT_OVERFLOW,
	STAT_REFUSED,
	FABRIC_STATS
};

struct packet_queue {
	struct packet *head, **tail;
	size_t len;
};

struct filter;
struct capture;

struct fabric {
	struct sched *sched;
	struct fabric_node *nodes, **nodes_tail;
	struct fabric_node **hash; /* by node GUID */
	size_t node_count, hash_size;
	struct packet_queue queue;   /* on a link */
	struct packet_queue delayed; /* by filters; sorted by due_ns */
	struct task deliver;
	struct timer delay;
	struct fabric_port *events; /* exposed ports with pending events */
	struct task deliver_events;
	struct filter *filters;
	unsigned int last_filter;
	uint64_t random;
	struct capture *capture;
	uint64_t last_tid; /* of traps */
	uint64_t stats[FABRIC_STATS];
};

/* fabric.c */
struct fabric_node *fabric_find(struct fabric *fabric, uint64_t guid);
/*
 * A node with its ports and tables at their power-on values, not yet in the fabric; NULL without
 * memory.
 */
struct fabric_node *node_create(struct fabric *fabric, enum node_type type, unsigned int num_ports);
void node_destroy(struct fabric_node *node);
/* 0, -EEXIST (GUID) or -ENOMEM; the fabric owns the node from then on. */
int fabric_add_node(struct fabric *fabric, struct fabric_node *node);
void fabric_clear(struct fabric *fabric);
/* Drops a packet, and counts why. */
void fabric_drop(struct fabric *fabric, struct packet *packet, enum fabric_stat why);
static inline struct fabric *port_fabric(const struct fabric_port *port)
{
	return port->node->fabric;
}

/* port.c */
void port_init(struct fabric_port *port, struct fabric_node *node, unsigned int num);
void port_event(struct fabric_port *port, enum port_event event);
void fabric_deliver_events(void *ctx);
void port_error(struct fabric_port *port, enum port_error error);
/* The port whose M_Key, LID and SM are those of this port: a switch has one set, at port 0. */
struct fabric_port *port_managed(struct fabric_port *port);
bool port_has_lid(const struct fabric_port *port, uint16_t lid);
bool port_has_pkey(const struct fabric_port *port, uint16_t pkey);

/* link.c */
void queue_init(struct packet_queue *queue);
/* Sorted by due_ns; of equals the one that came first. */
void queue_insert(struct packet_queue *queue, struct packet *packet);
void queue_clear(struct packet_queue *queue);
void link_init(struct fabric *fabric);
/* Brings a link up as the topology is loaded: at once and without a trap. */
void link_power_on(struct fabric_port *port);
/* After port->cut has changed, on both ends: down at once, or up after the training. */
void link_update(struct fabric_port *port);
/* Down, then to a physical state (0: the default one), from which the link may train again. */
void link_bounce(struct fabric_port *port, uint8_t phys_wanted);
void port_set_state(struct fabric_port *port, enum port_state state);
/* Sends out of a port over its cable; consumes the packet. */
void link_transmit(struct fabric_port *port, struct packet *packet);
/* Over the cable without the checks and filters of link_transmit(). */
void link_deliver(struct fabric *fabric, struct packet *packet);
/* Sends what a node's own agent or its owner has made: finds the way out, picks the VL. */
void port_originate(struct fabric_port *port, struct packet *packet);

/* switch.c */
struct switch_tables *switch_tables_create(unsigned int num_ports);
void switch_tables_destroy(struct switch_tables *tables);
/* The 8 bytes of SLtoVLMappingTable from an ingress to an egress port. */
uint8_t *switch_sl2vl(const struct fabric_node *node, unsigned int in, unsigned int out);
void switch_receive(struct fabric_port *port, struct packet *packet);
/* By LFT or MFT, from a port of the switch (0: its own agents). */
void switch_forward(struct fabric_port *in, struct packet *packet);

/* smi.c */
void smi_receive(struct fabric_port *port, struct packet *packet);

/* sma.c */
enum sma_verdict { SMA_RESPOND, SMA_SILENT };
/*
 * Executes the SMP that arrived at a port from a LID: turns it into its response, unless none is
 * due.
 */
enum sma_verdict sma_process(struct fabric_port *port, uint16_t slid, unsigned int flags,
			     uint8_t mad[MAD_LEN]);

/* gsi.c, pma.c */
void gsi_receive(struct fabric_port *port, struct packet *packet);
bool pma_process(struct fabric_node *node, uint8_t mad[MAD_LEN]);

/* trap.c */
void trap_link_state(struct fabric_node *node);
void trap_local_changes(struct fabric_port *port, uint16_t change_flags);
void trap_m_key(struct fabric_port *port, uint16_t slid, const uint8_t mad[MAD_LEN]);
void trap_switch_pkey(struct fabric_port *port, const struct packet *packet);
void trap_repress(struct fabric_port *port, const uint8_t mad[MAD_LEN]);
void trap_get_notice(struct fabric_port *port, uint8_t *data);
uint16_t trap_set_notice(struct fabric_port *port, const uint8_t *data);
void trap_free(struct fabric_port *port);

/* rate.c */
/* "4xQDR" to codes; false if it isn't one. */
bool rate_parse(const char *text, struct link_rate *rate);
void rate_print(const struct link_rate *rate, FILE *out);
/* All that a port rated so can also do: lower widths and speeds. */
struct link_rate rate_supported(const struct link_rate *rated);
/* The best of what is in both; a zero width when there is nothing. */
struct link_rate rate_negotiate(const struct link_rate *a, const struct link_rate *b);

/* filter.c */
/* True when the packet goes on; false: consumed (dropped or delayed). */
bool filter_apply(struct fabric_port *from, struct packet *packet);
void filter_clear(struct fabric *fabric);

/* capture.c */
int capture_start(struct fabric *fabric, const char *path, const struct fabric_node *node,
		  unsigned int port_num);
void capture_stop(struct fabric *fabric);
void capture_originated(struct fabric *fabric, const struct packet *packet);
void capture_on_link(const struct fabric_port *from, const struct packet *packet);

/* topology_print.c */
void topology_print(struct fabric *fabric, FILE *out);

#endif
