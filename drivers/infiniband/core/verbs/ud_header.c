// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Headers of UD packets, for hardware that wants them built by software (ConnectX-3's QP0 and QP1).
 * IBTA chapters 7 to 9 and annex 17.
 */

#include <linux/export.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/string.h>
#include <net/checksum.h>
#include <rdma/ib_pack.h>

#define ICRC_BYTES	4
#define IMMDT_BYTES	4
#define NXTHDR_IBA	0x1b	/* of a GRH, for what IBA defines: BTH */

/* A member of struct ib_unpacked_HEADER, and where its bits are in the header's words. */
#define FIELD(header, type, member, word, bit, bits) {				\
	.struct_offset_bytes = offsetof(struct ib_unpacked_##header, member),	\
	.struct_size_bytes = sizeof(type),					\
	.offset_words = word,							\
	.offset_bits = bit,							\
	.size_bits = bits,							\
	.field_name = #header ":" #member,					\
}

#define RESERVED_BITS(word, bit, bits) {					\
	.offset_words = word,							\
	.offset_bits = bit,							\
	.size_bits = bits,							\
	.field_name = "reserved",						\
}

static const struct ib_field lrh_fields[] = {
	FIELD(lrh, u8, virtual_lane,		0, 0, 4),
	FIELD(lrh, u8, link_version,		0, 4, 4),
	FIELD(lrh, u8, service_level,		0, 8, 4),
	RESERVED_BITS(0, 12, 2),
	FIELD(lrh, u8, link_next_header,	0, 14, 2),
	FIELD(lrh, __be16, destination_lid,	0, 16, 16),
	RESERVED_BITS(1, 0, 5),
	FIELD(lrh, __be16, packet_length,	1, 5, 11),
	FIELD(lrh, __be16, source_lid,		1, 16, 16),
};

static const struct ib_field eth_fields[] = {
	FIELD(eth, __be32, dmac_h,		0, 0, 32),
	FIELD(eth, __be16, dmac_l,		1, 0, 16),
	FIELD(eth, __be16, smac_h,		1, 16, 16),
	FIELD(eth, __be32, smac_l,		2, 0, 32),
	FIELD(eth, __be16, type,		3, 0, 16),
};

static const struct ib_field vlan_fields[] = {
	FIELD(vlan, __be16, tag,		0, 0, 16),
	FIELD(vlan, __be16, type,		0, 16, 16),
};

static const struct ib_field grh_fields[] = {
	FIELD(grh, u8, ip_version,		0, 0, 4),
	FIELD(grh, u8, traffic_class,		0, 4, 8),
	FIELD(grh, __be32, flow_label,		0, 12, 20),
	FIELD(grh, __be16, payload_length,	1, 0, 16),
	FIELD(grh, u8, next_header,		1, 16, 8),
	FIELD(grh, u8, hop_limit,		1, 24, 8),
	FIELD(grh, union ib_gid, source_gid,	2, 0, 128),
	FIELD(grh, union ib_gid, destination_gid,	6, 0, 128),
};

static const struct ib_field ip4_fields[] = {
	FIELD(ip4, u8, ver,			0, 0, 4),
	FIELD(ip4, u8, hdr_len,			0, 4, 4),
	FIELD(ip4, u8, tos,			0, 8, 8),
	FIELD(ip4, __be16, tot_len,		0, 16, 16),
	FIELD(ip4, __be16, id,			1, 0, 16),
	FIELD(ip4, __be16, frag_off,		1, 16, 16),
	FIELD(ip4, u8, ttl,			2, 0, 8),
	FIELD(ip4, u8, protocol,		2, 8, 8),
	FIELD(ip4, __sum16, check,		2, 16, 16),
	FIELD(ip4, __be32, saddr,		3, 0, 32),
	FIELD(ip4, __be32, daddr,		4, 0, 32),
};

static const struct ib_field udp_fields[] = {
	FIELD(udp, __be16, sport,		0, 0, 16),
	FIELD(udp, __be16, dport,		0, 16, 16),
	FIELD(udp, __be16, length,		1, 0, 16),
	FIELD(udp, __be16, csum,		1, 16, 16),
};

static const struct ib_field bth_fields[] = {
	FIELD(bth, u8, opcode,			0, 0, 8),
	FIELD(bth, u8, solicited_event,		0, 8, 1),
	FIELD(bth, u8, mig_req,			0, 9, 1),
	FIELD(bth, u8, pad_count,		0, 10, 2),
	FIELD(bth, u8, transport_header_version,	0, 12, 4),
	FIELD(bth, __be16, pkey,		0, 16, 16),
	RESERVED_BITS(1, 0, 8),
	FIELD(bth, __be32, destination_qpn,	1, 8, 24),
	FIELD(bth, u8, ack_req,			2, 0, 1),
	RESERVED_BITS(2, 1, 7),
	FIELD(bth, __be32, psn,			2, 8, 24),
};

static const struct ib_field deth_fields[] = {
	FIELD(deth, __be32, qkey,		0, 0, 32),
	RESERVED_BITS(1, 0, 8),
	FIELD(deth, __be32, source_qpn,		1, 8, 24),
};

/* A header on the wire. */
struct layout {
	const struct ib_field *fields;
	int nr_fields;
	int bytes;
};

static const struct layout lrh = { lrh_fields, ARRAY_SIZE(lrh_fields), IB_LRH_BYTES };
static const struct layout eth = { eth_fields, ARRAY_SIZE(eth_fields), IB_ETH_BYTES };
static const struct layout vlan = { vlan_fields, ARRAY_SIZE(vlan_fields), IB_VLAN_BYTES };
static const struct layout grh = { grh_fields, ARRAY_SIZE(grh_fields), IB_GRH_BYTES };
static const struct layout ip4 = { ip4_fields, ARRAY_SIZE(ip4_fields), IB_IP4_BYTES };
static const struct layout udp = { udp_fields, ARRAY_SIZE(udp_fields), IB_UDP_BYTES };
static const struct layout bth = { bth_fields, ARRAY_SIZE(bth_fields), IB_BTH_BYTES };
static const struct layout deth = { deth_fields, ARRAY_SIZE(deth_fields), IB_DETH_BYTES };

/* Both return where the next header is on the wire. */
static void *pack(const struct layout *layout, void *header, void *buf)
{
	ib_pack(layout->fields, layout->nr_fields, header, buf);
	return buf + layout->bytes;
}

static void *unpack(const struct layout *layout, void *header, void *buf)
{
	ib_unpack(layout->fields, layout->nr_fields, buf, header);
	return buf + layout->bytes;
}

/**
 * ib_ud_ip4_csum - the checksum of a packet's IPv4 header
 * @header: the packet's headers
 *
 * Context: Any.
 * Return: the checksum; header->ip4.check isn't looked at.
 */
__sum16 ib_ud_ip4_csum(struct ib_ud_header *header)
{
	struct iphdr iph = {
		.version = 4,
		.ihl = 5,
		.tos = header->ip4.tos,
		.tot_len = header->ip4.tot_len,
		.id = header->ip4.id,
		.frag_off = header->ip4.frag_off,
		.ttl = header->ip4.ttl,
		.protocol = header->ip4.protocol,
		.saddr = header->ip4.saddr,
		.daddr = header->ip4.daddr,
	};

	return ip_fast_csum(&iph, iph.ihl);
}
EXPORT_SYMBOL(ib_ud_ip4_csum);

/* The lengths in the headers, from the innermost outwards. Each counts the ICRC. */
static void set_lengths(struct ib_ud_header *header, int payload_bytes)
{
	int bytes = IB_BTH_BYTES + IB_DETH_BYTES + payload_bytes + ICRC_BYTES;

	if (header->immediate_present)
		bytes += IMMDT_BYTES;
	if (header->udp_present) {
		bytes += IB_UDP_BYTES;
		header->udp.length = cpu_to_be16(bytes);
	}
	if (header->ipv4_present) {
		bytes += IB_IP4_BYTES;
		header->ip4.tot_len = cpu_to_be16(bytes);
	}
	/* From here on, the padding that BTH announces counts as well. */
	bytes = ALIGN(bytes, 4);
	if (header->grh_present) {
		header->grh.payload_length = cpu_to_be16(bytes);
		bytes += IB_GRH_BYTES;
	}
	if (header->lrh_present)
		header->lrh.packet_length = cpu_to_be16((bytes + IB_LRH_BYTES) / 4);
}

/**
 * ib_ud_header_init - begin the headers of a UD packet
 * @payload_bytes: length of the payload
 * @lrh_present: there is an LRH: the packet goes out on InfiniBand
 * @eth_present: there is an Ethernet header
 * @vlan_present: the Ethernet header has a VLAN tag
 * @grh_present: there is a GRH; looked at only when @ip_version is 0
 * @ip_version: 4 or 6 for a packet of RoCE v2
 * @udp_present: there is a UDP header
 * @immediate_present: there are immediate data
 * @header: returns the headers: which there are, versions, lengths, opcode and padding are set, the
 *	rest is 0
 *
 * Context: Any.
 * Return: 0, or -EINVAL for UDP without IP.
 */
int ib_ud_header_init(int payload_bytes, int lrh_present, int eth_present, int vlan_present,
		      int grh_present, int ip_version, int udp_present, int immediate_present,
		      struct ib_ud_header *header)
{
	*header = (struct ib_ud_header) {};
	if (udp_present && ip_version != 4 && ip_version != 6)
		return -EINVAL;

	header->lrh_present = lrh_present;
	header->eth_present = eth_present;
	header->vlan_present = vlan_present;
	/* An IPv6 header has the format of a GRH. */
	header->grh_present = ip_version == 6 || (grh_present && !ip_version);
	header->ipv4_present = ip_version == 4;
	header->udp_present = udp_present;
	header->immediate_present = immediate_present;

	if (lrh_present)
		header->lrh.link_next_header = header->grh_present && !ip_version ?
					       IB_LNH_IBA_GLOBAL : IB_LNH_IBA_LOCAL;
	if (vlan_present)
		header->eth.type = cpu_to_be16(ETH_P_8021Q);
	if (header->grh_present) {
		header->grh.ip_version = 6;
		header->grh.next_header = udp_present ? IPPROTO_UDP : NXTHDR_IBA;
	}
	if (header->ipv4_present) {
		header->ip4.ver = 4;
		header->ip4.hdr_len = 5;
		header->ip4.protocol = IPPROTO_UDP;
	}
	header->bth.opcode = immediate_present ? IB_OPCODE_UD_SEND_ONLY_WITH_IMMEDIATE :
						 IB_OPCODE_UD_SEND_ONLY;
	header->bth.pad_count = -payload_bytes & 3;
	set_lengths(header, payload_bytes);
	return 0;
}
EXPORT_SYMBOL(ib_ud_header_init);

/**
 * ib_ud_header_pack - headers to wire
 * @header: the headers
 * @buf: where they go
 *
 * Context: Any.
 * Return: their length on the wire, bytes.
 */
int ib_ud_header_pack(struct ib_ud_header *header, void *buf)
{
	void *start = buf;

	if (header->lrh_present)
		buf = pack(&lrh, &header->lrh, buf);
	if (header->eth_present)
		buf = pack(&eth, &header->eth, buf);
	if (header->vlan_present)
		buf = pack(&vlan, &header->vlan, buf);
	if (header->grh_present)
		buf = pack(&grh, &header->grh, buf);
	if (header->ipv4_present)
		buf = pack(&ip4, &header->ip4, buf);
	if (header->udp_present)
		buf = pack(&udp, &header->udp, buf);
	buf = pack(&bth, &header->bth, buf);
	buf = pack(&deth, &header->deth, buf);
	if (header->immediate_present) {
		memcpy(buf, &header->immediate_data, IMMDT_BYTES);
		buf += IMMDT_BYTES;
	}
	return buf - start;
}
EXPORT_SYMBOL(ib_ud_header_pack);

/**
 * ib_ud_header_unpack - wire to headers
 * @buf: a packet of InfiniBand, from its LRH on
 * @header: returns its headers
 *
 * Context: Any.
 * Return: 0, or -EINVAL for what isn't a UD packet of the IBA transport.
 */
int ib_ud_header_unpack(void *buf, struct ib_ud_header *header)
{
	*header = (struct ib_ud_header) { .lrh_present = 1 };

	buf = unpack(&lrh, &header->lrh, buf);
	if (header->lrh.link_version || header->lrh.link_next_header < IB_LNH_IBA_LOCAL)
		return -EINVAL;
	if (header->lrh.link_next_header == IB_LNH_IBA_GLOBAL) {
		header->grh_present = 1;
		buf = unpack(&grh, &header->grh, buf);
		if (header->grh.ip_version != 6 || header->grh.next_header != NXTHDR_IBA)
			return -EINVAL;
	}

	buf = unpack(&bth, &header->bth, buf);
	if (header->bth.transport_header_version ||
	    (header->bth.opcode != IB_OPCODE_UD_SEND_ONLY &&
	     header->bth.opcode != IB_OPCODE_UD_SEND_ONLY_WITH_IMMEDIATE))
		return -EINVAL;
	buf = unpack(&deth, &header->deth, buf);
	if (header->bth.opcode == IB_OPCODE_UD_SEND_ONLY_WITH_IMMEDIATE) {
		header->immediate_present = 1;
		memcpy(&header->immediate_data, buf, IMMDT_BYTES);
	}
	return 0;
}
EXPORT_SYMBOL(ib_ud_header_unpack);
