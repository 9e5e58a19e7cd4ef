// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Forwarding through a switch (IBTA vol. 1, 18.2): LFT, MFT, SL-to-VL mapping, P_Key enforcement.
 */
#include <stdlib.h>

#include "fabric/model.h"

static uint8_t *sl2vl_entry(const struct switch_tables *tables, unsigned int num_ports,
			    unsigned int in, unsigned int out)
{
	return tables->sl2vl + 8 * ((size_t)in * (num_ports + 1) + out);
}

/* Power-on mapping: SL n to VL n modulo 8. */
static void sl2vl_init(struct switch_tables *tables, unsigned int num_ports)
{
	static const uint8_t modulo_8[8] = { 0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67 };

	for (unsigned int in = 0; in <= num_ports; in++) {
		for (unsigned int out = 0; out <= num_ports; out++)
			memcpy(sl2vl_entry(tables, num_ports, in, out), modulo_8, 8);
	}
}

struct switch_tables *switch_tables_create(unsigned int num_ports)
{
	struct switch_tables *tables = calloc(1, sizeof(*tables));

	if (!tables)
		return NULL;
	tables->mft_positions = num_ports / 16 + 1;
	tables->mft = calloc((size_t)MFT_LEN * tables->mft_positions, sizeof(tables->mft[0]));
	tables->sl2vl = malloc(8 * (size_t)(num_ports + 1) * (num_ports + 1));
	if (!tables->mft || !tables->sl2vl) {
		switch_tables_destroy(tables);
		return NULL;
	}
	memset(tables->lft, LFT_NONE, sizeof(tables->lft));
	sl2vl_init(tables, num_ports);
	return tables;
}

void switch_tables_destroy(struct switch_tables *tables)
{
	if (!tables)
		return;
	free(tables->mft);
	free(tables->sl2vl);
	free(tables);
}

uint8_t *switch_sl2vl(const struct fabric_node *node, unsigned int in, unsigned int out)
{
	return sl2vl_entry(node->tables, node->num_ports, in, out);
}

static uint8_t switch_vl(const struct fabric_port *in, const struct fabric_port *out, uint8_t sl)
{
	return (uint8_t)get_bits(switch_sl2vl(in->node, in->num, out->num), 4u * sl, 4);
}

/* PortRcvSwitchRelayErrors (16.1.3.5): no route, no lane, or back to where it came from. */
static void relay_error(struct fabric_port *in, struct packet *packet)
{
	port_error(in, ERR_RCV_SWITCH_RELAY);
	fabric_drop(port_fabric(in), packet, STAT_NO_ROUTE);
}

static void forward_to(struct fabric_port *in, struct fabric_port *out, struct packet *packet)
{
	if (packet->vl != VL_SMP) {
		uint8_t vl = switch_vl(in, out, lrh_sl(packet));

		if (vl == VL_SMP) {
			relay_error(in, packet);
			return;
		}
		if (out->enforce_outbound && !port_has_pkey(out, bth_pkey(packet))) {
			port_error(out, ERR_XMIT_CONSTRAINT);
			trap_switch_pkey(out, packet);
			fabric_drop(port_fabric(in), packet, STAT_REFUSED);
			return;
		}
		lrh_set_vl(packet, vl);
	}
	link_transmit(out, packet);
}

static void forward_unicast(struct fabric_port *in, struct packet *packet)
{
	const struct switch_tables *tables = in->node->tables;
	uint16_t dlid = lrh_dlid(packet);
	uint8_t out = dlid <= tables->linear_fdb_top ? tables->lft[dlid] : LFT_NONE;

	/*
	 * Port 0 was tried before: a LID that the LFT sends there and that isn't the switch's has
	 * no one.
	 */
	if (!out || out > in->node->num_ports || out == in->num)
		relay_error(in, packet);
	else
		forward_to(in, &in->node->ports[out], packet);
}

static void forward_multicast(struct fabric_port *in, struct packet *packet)
{
	const struct switch_tables *tables = in->node->tables;
	unsigned int index = lrh_dlid(packet) - LID_MULTICAST;
	struct fabric_port *last = NULL;

	if (index >= MFT_LEN || packet->vl == VL_SMP) {
		relay_error(in, packet);
		return;
	}
	for (unsigned int num = 1; num <= in->node->num_ports; num++) {
		uint16_t mask = tables->mft[index * tables->mft_positions + num / 16];
		struct packet *clone;

		if (!(mask >> num % 16 & 1) || num == in->num)
			continue;
		clone = last ? packet_clone(packet) : NULL;
		if (clone)
			forward_to(in, last, clone);
		last = &in->node->ports[num];
	}
	if (last)
		forward_to(in, last, packet);
	else
		relay_error(in, packet);
}

void switch_forward(struct fabric_port *in, struct packet *packet)
{
	uint16_t dlid = lrh_dlid(packet);

	if (lid_is_unicast(dlid))
		forward_unicast(in, packet);
	else if (lid_is_multicast(dlid))
		forward_multicast(in, packet);
	else
		relay_error(in, packet);
}

void switch_receive(struct fabric_port *port, struct packet *packet)
{
	struct fabric_port *port0 = &port->node->ports[0];
	uint16_t dlid = lrh_dlid(packet);
	bool own = port_has_lid(port0, dlid);

	if (packet->vl == VL_SMP) {
		if (own || dlid == LID_PERMISSIVE)
			smi_receive(port, packet);
		else
			switch_forward(port, packet);
		return;
	}
	if (port->enforce_inbound && !port_has_pkey(port, bth_pkey(packet))) {
		port_error(port, ERR_RCV_CONSTRAINT);
		trap_switch_pkey(port, packet);
		fabric_drop(port_fabric(port), packet, STAT_REFUSED);
	} else if (own) {
		gsi_receive(port0, packet);
	} else {
		switch_forward(port, packet);
	}
}
