// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The subnet management interface of a node (IBTA vol. 1, 14.2.2): walks directed routes, and hands
 * what has arrived to the agent or to the owner of the port.
 *
 * A directed route: HopPointer counts up along InitialPath while ReturnPath is filled in, and down
 * again along ReturnPath when the direction bit is set. At both ends of it, a LID-routed part may
 * follow: then DrDLID (of the answering end) or DrSLID (of the asking end) isn't permissive.
 */
#include "fabric/model.h"

static bool has_response_bit(const uint8_t *mad)
{
	return mad[MAD_METHOD] & METHOD_RESPONSE;
}

static bool is_directed(const uint8_t *mad)
{
	return mad[MAD_MGMT_CLASS] == CLASS_SUBN_DIRECTED;
}

static void bad_path(struct fabric_port *port, struct packet *packet)
{
	fabric_drop(port_fabric(port), packet, STAT_BAD_PATH);
}

/* Out of one port of the node, as a hop of a directed route. */
static void send_hop(struct fabric_port *from, unsigned int num, struct packet *packet)
{
	if (!num || num > from->node->num_ports) {
		bad_path(from, packet);
		return;
	}
	lrh_set_lids(packet, LID_PERMISSIVE, LID_PERMISSIVE);
	link_transmit(&from->node->ports[num], packet);
}

/* The LID-routed part after the directed one. */
static void send_by_lid(struct fabric_port *port, uint16_t dlid, struct packet *packet)
{
	lrh_set_lids(packet, dlid, port_managed(port)->attr.lid);
	if (port_has_lid(port_managed(port), dlid) || !lid_is_unicast(dlid))
		bad_path(port, packet);
	else if (port->node->type == NODE_SWITCH)
		switch_forward(&port->node->ports[0], packet);
	else
		link_transmit(port, packet);
}

static void to_owner(struct fabric_port *port, struct packet *packet)
{
	if (!port->ops) {
		fabric_drop(port_fabric(port), packet, STAT_NO_OWNER);
		return;
	}
	port_fabric(port)->stats[STAT_DELIVERED]++;
	port->ops->receive(port->owner, packet);
}

/* One step back along ReturnPath; at its start, to the SM here or on by LID. */
static void walk_back(struct fabric_port *port, struct packet *packet, uint8_t *mad)
{
	uint8_t hop = --mad[SMP_HOP_POINTER];
	uint16_t dr_slid = get_be16(mad + SMP_DR_SLID);

	if (hop)
		send_hop(port, mad[SMP_RETURN_PATH + hop], packet);
	else if (dr_slid != LID_PERMISSIVE)
		send_by_lid(port, dr_slid, packet);
	else
		to_owner(port, packet);
}

/* The answer goes back by the kind of part that the request came in on last. */
static void send_response(struct fabric_port *port, struct packet *packet, uint8_t *mad)
{
	struct fabric *fabric = port_fabric(port);
	bool by_lid = !is_directed(mad) || get_be16(mad + SMP_DR_DLID) != LID_PERMISSIVE;

	put_be24(packet->data + LRH_LEN + BTH_LEN + 5, 0); /* source QP */
	packet->hops = 0;
	packet->answer = true;
	if (is_directed(mad)) {
		put_be16(mad + MAD_STATUS, get_be16(mad + MAD_STATUS) | SMP_DIRECTION);
		mad[SMP_HOP_POINTER] = mad[SMP_HOP_COUNT] + 1;
	}
	if (by_lid) {
		lrh_set_lids(packet, lrh_slid(packet), lrh_dlid(packet));
		port_originate(port_managed(port), packet);
		return;
	}
	lrh_set_lids(packet, LID_PERMISSIVE, LID_PERMISSIVE);
	if (fabric->capture)
		capture_originated(fabric, packet);
	walk_back(port, packet, mad);
}

/* Requests are for the agent; SMInfo, traps and all responses for whoever runs an SM here. */
static void arrive(struct fabric_port *port, struct packet *packet, uint8_t *mad)
{
	bool for_sm = has_response_bit(mad) || mad[MAD_METHOD] == METHOD_TRAP ||
		      mad[MAD_METHOD] == METHOD_REPORT ||
		      get_be16(mad + MAD_ATTR_ID) == ATTR_SM_INFO;

	if (for_sm)
		to_owner(port, packet);
	else if (sma_process(port, lrh_slid(packet), 0, mad) == SMA_RESPOND)
		send_response(port, packet, mad);
	else
		packet_free(packet);
}

/* The end of the directed part: of the route, or of what is left of it a LID-routed part. */
static void end_of_path(struct fabric_port *port, struct packet *packet, uint8_t *mad)
{
	uint8_t hop = mad[SMP_HOP_POINTER];
	uint16_t dr_dlid = get_be16(mad + SMP_DR_DLID);

	if (hop)
		mad[SMP_RETURN_PATH + hop] = port->num;
	if (dr_dlid == LID_PERMISSIVE) {
		arrive(port, packet, mad);
	} else {
		mad[SMP_HOP_POINTER]++;
		send_by_lid(port, dr_dlid, packet);
	}
}

/* One step along InitialPath. At hop 0 the directed part begins here, after a LID-routed one. */
static void walk_out(struct fabric_port *port, struct packet *packet, uint8_t *mad)
{
	uint8_t hop = mad[SMP_HOP_POINTER]++;

	if (hop)
		mad[SMP_RETURN_PATH + hop] = port->num;
	send_hop(port, mad[SMP_INITIAL_PATH + hop + 1], packet);
}

static void directed_out(struct fabric_port *port, struct packet *packet, uint8_t *mad)
{
	uint8_t hop = mad[SMP_HOP_POINTER], count = mad[SMP_HOP_COUNT];
	bool relays = port->node->type == NODE_SWITCH;
	bool came_by_lid = get_be16(mad + SMP_DR_SLID) != LID_PERMISSIVE;

	if (hop == count + 1) /* it has passed the LID-routed part as well */
		arrive(port, packet, mad);
	else if (hop == count && (relays || get_be16(mad + SMP_DR_DLID) == LID_PERMISSIVE))
		end_of_path(port, packet, mad);
	else if (hop < count && relays && (hop || came_by_lid))
		walk_out(port, packet, mad);
	else
		bad_path(port, packet);
}

static void directed_back(struct fabric_port *port, struct packet *packet, uint8_t *mad)
{
	uint8_t hop = mad[SMP_HOP_POINTER], count = mad[SMP_HOP_COUNT];

	if (hop > count + 1)
		bad_path(port, packet);
	else if (port->node->type == NODE_SWITCH && hop)
		walk_back(port, packet, mad);
	else if (hop <= 1)
		to_owner(port, packet);
	else
		bad_path(port, packet);
}

void smi_receive(struct fabric_port *port, struct packet *packet)
{
	uint8_t *mad = packet_mad(packet);

	if (!mad || lrh_lnh(packet) != LNH_BTH || bth_dest_qp(packet))
		fabric_drop(port_fabric(port), packet, STAT_MALFORMED);
	else if (mad[MAD_MGMT_CLASS] == CLASS_SUBN_LID_ROUTED)
		arrive(port, packet, mad);
	else if (!is_directed(mad) || mad[SMP_HOP_COUNT] > SMP_MAX_HOPS)
		bad_path(port, packet);
	else if (get_be16(mad + MAD_STATUS) & SMP_DIRECTION)
		directed_back(port, packet, mad);
	else
		directed_out(port, packet, mad);
}
