// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Traps (IBTA vol. 1, 13.4.8 to 13.4.10, 14.2.5.1): notices that an agent sends to the port's SM,
 * again and again until the SM represses them. One of a number is pending at a time; news replaces
 * it. So neither a flapping link nor a guest that tries keys can make more of them than the
 * intervals here allow.
 */
#include <stdlib.h>

#include "base/log.h"
#include "fabric/model.h"

#define REPEAT_NS NSEC_PER_SEC
#define SENDS_MAX 10
#define SPACING_NS (100 * NSEC_PER_MSEC)

enum { NOTICE_GENERIC = 0x80, NOTICE_URGENT = 1, NOTICE_SECURITY = 2, NOTICE_INFORMATIONAL = 4 };
/* Offsets in a notice */
enum {
	NOTICE_PRODUCER = 1,
	NOTICE_NUMBER = 4,
	NOTICE_ISSUER_LID = 6,
	NOTICE_TOGGLE_COUNT = 8,
	NOTICE_DETAILS = 10
};

enum { OTHER_LOCAL_CHANGES = 1 };
enum { DR_NOTICE = 0x80, DR_TRUNCATED = 0x40, DR_PATH_LEN = 30 };
/* Trap 259, DataValid: LIDADDR1, LIDADDR2, PKEY, SL, QP1, QP2, and with a GRH GIDADDR1, GIDADDR2 */
enum { VALID_ALWAYS = 0x3f, VALID_GIDS = 0xc0 };

struct trap {
	struct trap *next;
	struct fabric_port *port;
	uint16_t number;
	unsigned int sends_left; /* 0: repressed, or given up */
	uint64_t tid;
	uint64_t sent_ns;        /* last time; 0: never */
	struct timer repeat;
	uint8_t notice[SMP_DATA_LEN];
};

static struct packet *build_packet(const struct trap *trap)
{
	struct packet *packet = packet_alloc();
	uint8_t *bth, *mad;

	if (!packet)
		return NULL;
	packet->len = LRH_LEN + BTH_LEN + DETH_LEN + MAD_LEN;
	packet->vl = VL_SMP;
	memset(packet->data, 0, packet->len);
	packet->data[1] = (uint8_t)(trap->port->attr.sm_sl << 4 | LNH_BTH);
	put_be16(packet->data + 4, (packet->len + ICRC_LEN) / 4);
	lrh_set_lids(packet, trap->port->attr.sm_lid, trap->port->attr.lid);
	bth = packet->data + LRH_LEN;
	bth[0] = OPCODE_UD_SEND_ONLY;
	put_be16(bth + 2, PKEY_DEFAULT);
	mad = bth + BTH_LEN + DETH_LEN;
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_MGMT_CLASS] = CLASS_SUBN_LID_ROUTED;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = METHOD_TRAP;
	put_be64(mad + MAD_TID, trap->tid);
	put_be16(mad + MAD_ATTR_ID, ATTR_NOTICE);
	memcpy(mad + MAD_DATA, trap->notice, SMP_DATA_LEN);
	return packet;
}

static void send_trap(struct trap *trap)
{
	struct sched *sched = port_fabric(trap->port)->sched;
	struct packet *packet = build_packet(trap);

	if (packet)
		port_originate(trap->port, packet);
	trap->sent_ns = sched_now_ns(sched);
	if (--trap->sends_left)
		timer_arm(sched, &trap->repeat, trap->sent_ns + REPEAT_NS);
}

static void repeat_trap(void *ctx)
{
	send_trap(ctx);
}

static struct trap *find_trap(const struct fabric_port *port, uint16_t number)
{
	struct trap *trap = port->traps;

	while (trap && trap->number != number)
		trap = trap->next;
	return trap;
}

static struct trap *find_or_add_trap(struct fabric_port *port, uint16_t number)
{
	struct trap *trap = find_trap(port, number);

	if (trap)
		return trap;
	trap = calloc(1, sizeof(*trap));
	if (!trap)
		return NULL;
	trap->port = port;
	trap->number = number;
	timer_init(&trap->repeat, repeat_trap, trap);
	trap->next = port->traps;
	port->traps = trap;
	return trap;
}

/* From a port that has LID, SM and M_Key; without an SM nobody is told. */
static void raise_trap(struct fabric_port *port, const uint8_t notice[SMP_DATA_LEN])
{
	struct fabric *fabric = port_fabric(port);
	struct trap *trap;

	if (!port->attr.sm_lid || !(port->attr.capability_mask & CAP_TRAP))
		return;
	trap = find_or_add_trap(port, get_be16(notice + NOTICE_NUMBER));
	if (!trap) {
		log_warn("fabric: no memory for trap %u", get_be16(notice + NOTICE_NUMBER));
		return;
	}
	memcpy(trap->notice, notice, SMP_DATA_LEN);
	trap->tid = ++fabric->last_tid;
	trap->sends_left = SENDS_MAX;
	if (!trap->sent_ns || sched_now_ns(fabric->sched) - trap->sent_ns >= SPACING_NS)
		send_trap(trap);
	else
		timer_arm(fabric->sched, &trap->repeat, trap->sent_ns + SPACING_NS);
}

static void end_trap(struct trap *trap)
{
	trap->sends_left = 0;
	timer_cancel(port_fabric(trap->port)->sched, &trap->repeat);
}

void trap_repress(struct fabric_port *port, const uint8_t mad[MAD_LEN])
{
	for (struct trap *trap = port->traps; trap; trap = trap->next) {
		if (trap->tid == get_be64(mad + MAD_TID))
			end_trap(trap);
	}
}

void trap_free(struct fabric_port *port)
{
	while (port->traps) {
		struct trap *trap = port->traps;

		port->traps = trap->next;
		end_trap(trap);
		free(trap);
	}
}

/* Polled instead of sent: the notice that waits, and how many of them do. */
void trap_get_notice(struct fabric_port *port, uint8_t *data)
{
	unsigned int pending = 0;

	for (const struct trap *trap = port->traps; trap; trap = trap->next) {
		if (!trap->sends_left)
			continue;
		if (!pending++)
			memcpy(data, trap->notice, SMP_DATA_LEN);
	}
	put_be16(data + NOTICE_TOGGLE_COUNT, (uint16_t)(port->notice_toggle << 15 | pending));
}

/* A Set takes the notice off: the one of this number, under the toggle that Get had shown. */
uint16_t trap_set_notice(struct fabric_port *port, const uint8_t *data)
{
	struct trap *trap = find_trap(port, get_be16(data + NOTICE_NUMBER));

	if (!trap || !trap->sends_left ||
	    get_be16(data + NOTICE_TOGGLE_COUNT) >> 15 != port->notice_toggle)
		return STATUS_BAD_VALUE;
	end_trap(trap);
	port->notice_toggle = !port->notice_toggle;
	return STATUS_OK;
}

static void start_notice(uint8_t notice[SMP_DATA_LEN], uint8_t type, uint16_t number,
			 const struct fabric_port *issuer)
{
	memset(notice, 0, SMP_DATA_LEN);
	notice[0] = NOTICE_GENERIC | type;
	put_be24(notice + NOTICE_PRODUCER, issuer->node->type);
	put_be16(notice + NOTICE_NUMBER, number);
	put_be16(notice + NOTICE_ISSUER_LID, issuer->attr.lid);
}

void trap_link_state(struct fabric_node *node)
{
	struct fabric_port *port0 = &node->ports[0];
	uint8_t notice[SMP_DATA_LEN];

	start_notice(notice, NOTICE_URGENT, TRAP_LINK_STATE, port0);
	put_be16(notice + NOTICE_DETAILS, port0->attr.lid);
	raise_trap(port0, notice);
}

void trap_local_changes(struct fabric_port *port, uint16_t change_flags)
{
	uint8_t notice[SMP_DATA_LEN];

	start_notice(notice, NOTICE_INFORMATIONAL, TRAP_LOCAL_CHANGES, port);
	put_be16(notice + 12, port->attr.lid);
	notice[15] = change_flags ? OTHER_LOCAL_CHANGES : 0;
	put_be32(notice + 16, port->attr.capability_mask);
	put_be16(notice + 20, change_flags);
	raise_trap(port, notice);
}

/* Who asked, by LID or, of a directed route, its way back as far as there is room. */
void trap_m_key(struct fabric_port *port, uint16_t slid, const uint8_t mad[MAD_LEN])
{
	uint8_t notice[SMP_DATA_LEN];

	start_notice(notice, NOTICE_SECURITY, TRAP_M_KEY, port);
	put_be16(notice + 12, slid);
	notice[16] = mad[MAD_METHOD];
	put_be16(notice + 18, get_be16(mad + MAD_ATTR_ID));
	put_be32(notice + 20, get_be32(mad + MAD_ATTR_MOD));
	put_be64(notice + 24, get_be64(mad + SMP_M_KEY));
	if (mad[MAD_MGMT_CLASS] == CLASS_SUBN_DIRECTED) {
		uint8_t hops = mad[SMP_HOP_COUNT], fit = hops < DR_PATH_LEN ? hops : DR_PATH_LEN;

		put_be16(notice + 14, get_be16(mad + SMP_DR_SLID));
		notice[33] = DR_NOTICE | (fit < hops ? DR_TRUNCATED : 0) | fit;
		memcpy(notice + 34, mad + SMP_RETURN_PATH + 1, fit);
	}
	raise_trap(port, notice);
}

/* The sender's QP is only known of datagrams. */
static uint32_t source_qp(const struct packet *packet)
{
	const uint8_t *bth = packet->data + bth_at(packet);
	bool has_deth = bth[0] >> 5 == OPCODE_UD_SEND_ONLY >> 5 &&
			packet->len >= bth_at(packet) + BTH_LEN + DETH_LEN;

	return has_deth ? get_be24(bth + BTH_LEN + 5) : 0;
}

void fabric_port_trap_key(struct fabric_port *port, bool qkey, uint32_t key,
			  const struct packet *packet)
{
	const uint8_t *gids = grh_gids(packet);
	uint8_t notice[SMP_DATA_LEN];

	start_notice(notice, NOTICE_SECURITY, qkey ? TRAP_Q_KEY : TRAP_P_KEY, port);
	put_be16(notice + 12, lrh_slid(packet));
	put_be16(notice + 14, lrh_dlid(packet));
	put_be32(notice + 16, key);
	put_be32(notice + 20, (uint32_t)lrh_sl(packet) << 28 | source_qp(packet));
	put_be32(notice + 24, bth_dest_qp(packet));
	if (gids)
		memcpy(notice + 28, gids, 32);
	raise_trap(port, notice);
}

void trap_switch_pkey(struct fabric_port *port, const struct packet *packet)
{
	struct fabric_port *port0 = &port->node->ports[0];
	const uint8_t *gids = grh_gids(packet);
	uint8_t notice[SMP_DATA_LEN];

	start_notice(notice, NOTICE_SECURITY, TRAP_SWITCH_P_KEY, port0);
	put_be16(notice + 10, VALID_ALWAYS | (gids ? VALID_GIDS : 0));
	put_be16(notice + 12, lrh_slid(packet));
	put_be16(notice + 14, lrh_dlid(packet));
	put_be16(notice + 16, bth_pkey(packet));
	put_be32(notice + 18, (uint32_t)lrh_sl(packet) << 28 | source_qp(packet));
	put_be32(notice + 22, bth_dest_qp(packet));
	if (gids)
		memcpy(notice + 26, gids, 32);
	put_be16(notice + 58, port0->attr.lid);
	notice[60] = port->num;
	raise_trap(port0, notice);
}
