// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From an address vector to the headers that route a packet (IBTA vol. 1: 7.7, 8.3).
 */
#include "base/bytes.h"
#include "hca/engine.h"

/* A directed-route SMP starts out with both LIDs permissive (IBTA vol. 1, 14.2.2.1). */
static uint16_t source_lid(const struct hca_qp *qp, const struct hca_av *av)
{
	const struct port_attr *attr = fabric_port_attr(qp->hca->port);

	if (av->dlid == LID_PERMISSIVE)
		return LID_PERMISSIVE;
	return attr->lid | (av->path_bits & ((1u << attr->lmc) - 1));
}

static void put_lrh(const struct hca_qp *qp, const struct hca_av *av, struct packet *packet)
{
	bool management = qp->type == HCA_QP_SMI;
	struct lrh lrh = {
		.sl = management ? 0 : av->sl,
		.lnh = av->grh ? LNH_GLOBAL : LNH_LOCAL,
		.dlid = av->dlid, .slid = source_lid(qp, av),
		.packet_words = (uint16_t)((packet->len + ICRC_LEN) / 4),
	};

	lrh.vl = management ? VL_MANAGEMENT : fabric_port_attr(qp->hca->port)->sl2vl[lrh.sl & 0xf];
	packet->vl = lrh.vl;
	lrh_encode(packet->data, &lrh);
}

static bool put_grh(const struct hca_qp *qp, const struct hca_av *av, struct packet *packet)
{
	struct grh grh = {
		.traffic_class = av->traffic_class,
		.flow_label = av->flow_label,
		.hop_limit = av->hop_limit,
		.payload_len = (uint16_t)(packet->len - LRH_LEN - GRH_LEN + ICRC_LEN),
	};

	memcpy(grh.dgid, av->dgid, sizeof(grh.dgid));
	if (!hca_gid_at(qp->hca, av->sgid_index, grh.sgid))
		return false;
	grh_encode(packet->data + LRH_LEN, &grh);
	return true;
}

bool hca_route(const struct hca_qp *qp, const struct hca_av *av, struct packet *packet)
{
	if (av->grh && !put_grh(qp, av, packet))
		return false;
	put_lrh(qp, av, packet);
	return true;
}
