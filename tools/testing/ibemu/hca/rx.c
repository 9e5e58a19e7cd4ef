// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Packets from the port to queue pairs: the checks that all transports share (IBTA vol. 1, 9.6.1).
 */
#include "hca/engine.h"

#define VERSION_MASK 0xf

/* Takes the packet apart. False: malformed, or not an InfiniBand transport packet. */
static bool parse(struct hca_rx *rx, const struct packet *packet)
{
	const uint8_t *p = packet->data, *end = p + packet->len;

	if (packet->len < LRH_LEN + BTH_LEN || (p[0] & VERSION_MASK))
		return false;
	rx->packet = packet;
	lrh_decode(p, &rx->lrh);
	p += LRH_LEN;
	if (rx->lrh.packet_words * 4 != packet->len + ICRC_LEN)
		return false;
	rx->has_grh = rx->lrh.lnh == LNH_GLOBAL;
	if (rx->has_grh) {
		rx->grh_bytes = p;
		if (end - p < GRH_LEN + BTH_LEN || !grh_decode(p, &rx->grh))
			return false;
		p += GRH_LEN;
		if (rx->grh.payload_len != end - p + ICRC_LEN)
			return false;
	} else if (rx->lrh.lnh != LNH_LOCAL) {
		return false;
	}
	if (!bth_decode(p, &rx->bth) || end - p < BTH_LEN + rx->bth.pad_count)
		return false;
	rx->rest = p + BTH_LEN;
	rx->rest_len = (uint16_t)(end - rx->rest - rx->bth.pad_count);
	return true;
}

static bool receives(const struct hca_qp *qp)
{
	return qp->state >= HCA_QP_RTR && qp->state <= HCA_QP_SQE;
}

/* QP0 takes part in no partition, QP1 in all of the port's (IBTA vol. 1, 10.9.8). */
static bool pkey_allows(const struct hca_qp *qp, uint16_t pkey)
{
	switch (qp->type) {
	case HCA_QP_SMI:
		return true;
	case HCA_QP_GSI:
		return hca_pkey_in_table(qp->hca, pkey);
	default:
		return hca_pkey_match(pkey, hca_pkey_at(qp->hca, qp->pkey_index));
	}
}

/* QP0 has a virtual lane to itself. */
static bool lane_fits(const struct hca_qp *qp, const struct hca_rx *rx)
{
	bool management = rx->lrh.vl == VL_MANAGEMENT;
	bool smi = qp->type == HCA_QP_SMI;

	return management == smi;
}

static void deliver(struct hca *hca, struct hca_qp *qp, const struct hca_rx *rx)
{
	if (!qp || !qp->transport->receive || !lane_fits(qp, rx)) {
		hca->counters.dropped_no_qp++;
	} else if (!receives(qp)) {
		hca->counters.dropped_state++;
	} else if (!pkey_allows(qp, rx->bth.pkey)) {
		hca->counters.dropped_pkey++;
		fabric_port_count(hca->port, PORT_PKEY_VIOLATIONS);
		fabric_port_trap_key(hca->port, false, rx->bth.pkey, rx->packet);
	} else {
		qp->transport->receive(qp, rx);
	}
}

static void deliver_multicast(struct hca *hca, const struct hca_rx *rx, const struct hca_qp *except)
{
	struct hca_mcg *group = rx->has_grh ? hca_mcg_find(hca, rx->grh.dgid) : NULL;

	if (!group) {
		hca->counters.dropped_no_qp++;
		return;
	}
	for (unsigned int i = 0; i < group->count; i++) {
		if (group->qps[i] == except)
			continue;
		hca->counters.multicast_copies++;
		deliver(hca, group->qps[i], rx);
	}
}

void hca_receive_multicast(struct hca *hca, const struct packet *packet,
			   const struct hca_qp *except)
{
	struct hca_rx rx;

	if (parse(&rx, packet))
		deliver_multicast(hca, &rx, except);
}

static enum hca_traffic traffic_of(const struct bth *bth)
{
	if (bth->dest_qpn < 2)
		return HCA_TRAFFIC_MANAGEMENT;
	switch (BTH_TRANSPORT(bth->opcode)) {
	case BTH_TRANSPORT_RC:
		return HCA_TRAFFIC_RC;
	case BTH_TRANSPORT_UC:
		return HCA_TRAFFIC_UC;
	case BTH_TRANSPORT_UD:
		return HCA_TRAFFIC_UD;
	case BTH_TRANSPORT_XRC:
		return HCA_TRAFFIC_XRC;
	case BTH_TRANSPORT_DC:
		return HCA_TRAFFIC_DC;
	default:
		return HCA_TRAFFIC_OTHER;
	}
}

static void count(struct hca_counters *counters, const struct hca_rx *rx)
{
	enum hca_traffic kind = traffic_of(&rx->bth);

	counters->traffic[kind].packets++;
	counters->traffic[kind].bytes += rx->rest_len;
}

/* Where a well-formed packet goes. */
static void dispatch(struct hca *hca, const struct hca_rx *rx)
{
	if (rx->bth.dest_qpn == QPN_MULTICAST)
		deliver_multicast(hca, rx, NULL);
	else if (rx->has_grh && !hca_gid_is_ours(hca, rx->grh.dgid))
		hca->counters.dropped_malformed++;
	else
		deliver(hca, hca_qp_find(hca, rx->bth.dest_qpn), rx);
}

void hca_receive(void *ctx, struct packet *packet)
{
	struct hca *hca = ctx;
	struct hca_rx rx;

	hca->counters.received++;
	if (!parse(&rx, packet)) {
		hca->counters.dropped_malformed++;
		fabric_port_count(hca->port, PORT_RCV_ERRORS);
	} else {
		count(&hca->counters, &rx);
		dispatch(hca, &rx);
	}
	packet_free(packet);
}
