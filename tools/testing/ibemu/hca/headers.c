// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "hca/headers.h"

#include "base/bytes.h"

#define GRH_VERSION 6
#define GRH_NEXT_HEADER_IBA 0x1b

void lrh_encode(uint8_t *p, const struct lrh *lrh)
{
	p[0] = (uint8_t)(lrh->vl << 4);
	p[1] = (uint8_t)(lrh->sl << 4 | lrh->lnh);
	put_be16(p + 2, lrh->dlid);
	put_be16(p + 4, lrh->packet_words & 0x7ff);
	put_be16(p + 6, lrh->slid);
}

void lrh_decode(const uint8_t *p, struct lrh *lrh)
{
	lrh->vl = p[0] >> 4;
	lrh->sl = p[1] >> 4;
	lrh->lnh = p[1] & 3;
	lrh->dlid = get_be16(p + 2);
	lrh->packet_words = get_be16(p + 4) & 0x7ff;
	lrh->slid = get_be16(p + 6);
}

void grh_encode(uint8_t *p, const struct grh *grh)
{
	put_be32(p, (uint32_t)GRH_VERSION << 28 | (uint32_t)grh->traffic_class << 20 |
		    (grh->flow_label & 0xfffff));
	put_be16(p + 4, grh->payload_len);
	p[6] = GRH_NEXT_HEADER_IBA;
	p[7] = grh->hop_limit;
	memcpy(p + 8, grh->sgid, 16);
	memcpy(p + 24, grh->dgid, 16);
}

bool grh_decode(const uint8_t *p, struct grh *grh)
{
	uint32_t word = get_be32(p);

	grh->traffic_class = (uint8_t)(word >> 20);
	grh->flow_label = word & 0xfffff;
	grh->payload_len = get_be16(p + 4);
	grh->hop_limit = p[7];
	memcpy(grh->sgid, p + 8, 16);
	memcpy(grh->dgid, p + 24, 16);
	return word >> 28 == GRH_VERSION && p[6] == GRH_NEXT_HEADER_IBA;
}

void bth_encode(uint8_t *p, const struct bth *bth)
{
	p[0] = bth->opcode;
	p[1] = (uint8_t)(bth->solicited << 7 | bth->migrated << 6 | (bth->pad_count & 3) << 4);
	put_be16(p + 2, bth->pkey);
	put_be32(p + 4, bth->dest_qpn & 0xffffff);
	put_be32(p + 8, (uint32_t)bth->ack_request << 31 | (bth->psn & 0xffffff));
}

bool bth_decode(const uint8_t *p, struct bth *bth)
{
	bth->opcode = p[0];
	bth->solicited = p[1] >> 7;
	bth->migrated = p[1] >> 6 & 1;
	bth->pad_count = p[1] >> 4 & 3;
	bth->pkey = get_be16(p + 2);
	bth->dest_qpn = get_be24(p + 5);
	bth->ack_request = p[8] >> 7;
	bth->psn = get_be24(p + 9);
	return (p[1] & 0xf) == 0;
}

void deth_encode(uint8_t *p, const struct deth *deth)
{
	put_be32(p, deth->qkey);
	put_be32(p + 4, deth->src_qpn & 0xffffff);
}

void deth_decode(const uint8_t *p, struct deth *deth)
{
	deth->qkey = get_be32(p);
	deth->src_qpn = get_be24(p + 5);
}

void dceth_encode(uint8_t *p, const struct dceth *dceth)
{
	put_be32(p, dceth->session & 0xffffff);
	put_be32(p + 4, dceth->initiator & 0xffffff);
}

void dceth_decode(const uint8_t *p, struct dceth *dceth)
{
	dceth->session = get_be24(p + 1);
	dceth->initiator = get_be24(p + 5);
}

void reth_encode(uint8_t *p, const struct reth *reth)
{
	put_be64(p, reth->va);
	put_be32(p + 8, reth->rkey);
	put_be32(p + 12, reth->len);
}

void reth_decode(const uint8_t *p, struct reth *reth)
{
	reth->va = get_be64(p);
	reth->rkey = get_be32(p + 8);
	reth->len = get_be32(p + 12);
}

void atomic_eth_encode(uint8_t *p, const struct atomic_eth *eth)
{
	put_be64(p, eth->va);
	put_be32(p + 8, eth->rkey);
	put_be64(p + 12, eth->swap_add);
	put_be64(p + 20, eth->compare);
}

void atomic_eth_decode(const uint8_t *p, struct atomic_eth *eth)
{
	eth->va = get_be64(p);
	eth->rkey = get_be32(p + 8);
	eth->swap_add = get_be64(p + 12);
	eth->compare = get_be64(p + 20);
}

void aeth_encode(uint8_t *p, const struct aeth *aeth)
{
	put_be32(p, (uint32_t)aeth->syndrome << 24 | (aeth->msn & 0xffffff));
}

void aeth_decode(const uint8_t *p, struct aeth *aeth)
{
	aeth->syndrome = p[0];
	aeth->msn = get_be24(p + 1);
}
