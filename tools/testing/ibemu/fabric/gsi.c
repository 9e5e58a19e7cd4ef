// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The general services interface of a node without an owner: QP1, where the performance agent
 * answers.
 */
#include "fabric/model.h"

enum { GSI_QP = 1 };

static uint32_t deth_qkey(const struct packet *packet)
{
	return get_be32(packet->data + bth_at(packet) + BTH_LEN);
}

/* Back to where it came from, with a GRH if it had one. */
static void turn_around(struct packet *packet)
{
	uint8_t *bth = packet->data + bth_at(packet), *deth = bth + BTH_LEN;
	uint8_t gids[32];

	lrh_set_lids(packet, lrh_slid(packet), lrh_dlid(packet));
	if (lrh_lnh(packet) == LNH_GRH) {
		memcpy(gids, packet->data + LRH_LEN + 8, 32);
		memcpy(packet->data + LRH_LEN + 8, gids + 16, 16);
		memcpy(packet->data + LRH_LEN + 24, gids, 16);
		packet->data[LRH_LEN + 7] = 0xff;
	}
	put_be24(bth + 5, get_be24(deth + 5));
	put_be32(deth, GSI_QKEY);
	put_be24(deth + 5, GSI_QP);
	packet->hops = 0;
}

void gsi_receive(struct fabric_port *port, struct packet *packet)
{
	struct fabric *fabric = port_fabric(port);
	uint8_t *mad = packet_mad(packet);

	if (!mad || bth_dest_qp(packet) != GSI_QP || !lid_is_unicast(lrh_dlid(packet))) {
		fabric_drop(fabric, packet, STAT_NO_OWNER);
	} else if (!port_has_pkey(port, bth_pkey(packet))) {
		fabric_port_count(port, PORT_PKEY_VIOLATIONS);
		fabric_port_trap_key(port, false, bth_pkey(packet), packet);
		fabric_drop(fabric, packet, STAT_REFUSED);
	} else if (deth_qkey(packet) != GSI_QKEY) {
		fabric_port_count(port, PORT_QKEY_VIOLATIONS);
		fabric_port_trap_key(port, true, deth_qkey(packet), packet);
		fabric_drop(fabric, packet, STAT_REFUSED);
	} else if (mad[MAD_MGMT_CLASS] != CLASS_PERF || !pma_process(port->node, mad)) {
		fabric_drop(fabric, packet, STAT_NO_OWNER);
	} else {
		turn_around(packet);
		port_originate(port, packet);
	}
}
