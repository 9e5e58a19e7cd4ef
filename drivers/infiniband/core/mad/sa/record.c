// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Records of subnet administration, as they are on the wire. IBTA volume 1, chapter 15.2.5. */

#include <linux/export.h>
#include <linux/string.h>

#include "sa.h"

/* Chapter 15.2.5.16 */
struct path_record {
	__be64 service_id;
	union ib_gid dgid;
	union ib_gid sgid;
	__be16 dlid;
	__be16 slid;
	__be32 raw_flow_hop;		/* 1 bit, 3 reserved, 20, 8 */
	u8 traffic_class;
	u8 reversible_numb_path;	/* 1 bit, 7 */
	__be16 pkey;
	__be16 qos_class_sl;		/* 12 bits, 4 */
	u8 mtu;				/* selector of 2 bits, value; and so on */
	u8 rate;
	u8 packet_life_time;
	u8 preference;
	u8 reserved[6];
} __packed;

static_assert(sizeof(struct path_record) == SA_PATH_RECORD_LEN);

/* Chapter 15.2.5.17 */
struct mcmember_record {
	union ib_gid mgid;
	union ib_gid port_gid;
	__be32 qkey;
	__be16 mlid;
	u8 mtu;				/* selector of 2 bits, value; and so on */
	u8 traffic_class;
	__be16 pkey;
	u8 rate;
	u8 packet_life_time;
	__be32 sl_flow_hop;		/* 4 bits, 20, 8 */
	u8 scope_join_state;		/* 4 bits, 4 */
	u8 proxy_join;			/* 1 bit, 7 reserved */
	u8 reserved[2];
} __packed;

static_assert(sizeof(struct mcmember_record) == SA_MCMEMBER_RECORD_LEN);

/* Chapter 15.2.5.18 */
struct guidinfo_record {
	__be16 lid;
	u8 block_num;
	u8 reserved;
	__be32 reserved2;
	u8 guids[64];
} __packed;

static_assert(sizeof(struct guidinfo_record) == SA_GUIDINFO_RECORD_LEN);

static u8 pack_selected(u8 selector, u8 value)
{
	return (selector & 0x3) << 6 | (value & 0x3f);
}

static void unpack_selected(u8 packed, u8 *selector, u8 *value)
{
	*selector = packed >> 6;
	*value = packed & 0x3f;
}

static u32 flow_and_hop(__be32 flow_label, u8 hop_limit)
{
	return (be32_to_cpu(flow_label) & 0xfffff) << 8 | hop_limit;
}

static __be32 flow_label_of(u32 word)
{
	return cpu_to_be32(word >> 8 & 0xfffff);
}

void sa_pack_path(const struct sa_path_rec *rec, void *wire)
{
	struct path_record *record = wire;

	*record = (struct path_record) {
		.service_id = rec->service_id,
		.dgid = rec->dgid,
		.sgid = rec->sgid,
		.dlid = rec->ib.dlid,
		.slid = rec->ib.slid,
		.raw_flow_hop = cpu_to_be32((rec->ib.raw_traffic & 1U) << 31 |
					    flow_and_hop(rec->flow_label, rec->hop_limit)),
		.traffic_class = rec->traffic_class,
		.reversible_numb_path = (rec->reversible & 1) << 7 | (rec->numb_path & 0x7f),
		.pkey = rec->pkey,
		.qos_class_sl = cpu_to_be16((be16_to_cpu(rec->qos_class) & 0xfff) << 4 |
					    (rec->sl & 0xf)),
		.mtu = pack_selected(rec->mtu_selector, rec->mtu),
		.rate = pack_selected(rec->rate_selector, rec->rate),
		.packet_life_time = pack_selected(rec->packet_life_time_selector,
						  rec->packet_life_time),
		.preference = rec->preference,
	};
}

void sa_unpack_path(const void *wire, struct sa_path_rec *rec)
{
	const struct path_record *record = wire;
	u32 word = be32_to_cpu(record->raw_flow_hop);

	rec->service_id = record->service_id;
	rec->dgid = record->dgid;
	rec->sgid = record->sgid;
	rec->ib.dlid = record->dlid;
	rec->ib.slid = record->slid;
	rec->ib.raw_traffic = word >> 31;
	rec->flow_label = flow_label_of(word);
	rec->hop_limit = word & 0xff;
	rec->traffic_class = record->traffic_class;
	rec->reversible = record->reversible_numb_path >> 7;
	rec->numb_path = record->reversible_numb_path & 0x7f;
	rec->pkey = record->pkey;
	rec->qos_class = cpu_to_be16(be16_to_cpu(record->qos_class_sl) >> 4);
	rec->sl = be16_to_cpu(record->qos_class_sl) & 0xf;
	unpack_selected(record->mtu, &rec->mtu_selector, &rec->mtu);
	unpack_selected(record->rate, &rec->rate_selector, &rec->rate);
	unpack_selected(record->packet_life_time, &rec->packet_life_time_selector,
			&rec->packet_life_time);
	rec->preference = record->preference;
}

/**
 * ib_sa_pack_path - make a path record what it is on the wire
 * @rec: an InfiniBand path
 * @attribute: 64 bytes
 *
 * Context: any.
 */
void ib_sa_pack_path(struct sa_path_rec *rec, void *attribute)
{
	sa_pack_path(rec, attribute);
}
EXPORT_SYMBOL(ib_sa_pack_path);

/**
 * ib_sa_unpack_path - read a path record from the wire
 * @attribute: 64 bytes
 * @rec: the path; what isn't in the record (its type, its flags) stays as it is
 *
 * Context: any.
 */
void ib_sa_unpack_path(void *attribute, struct sa_path_rec *rec)
{
	sa_unpack_path(attribute, rec);
}
EXPORT_SYMBOL(ib_sa_unpack_path);

void sa_pack_mcmember(const struct ib_sa_mcmember_rec *rec, void *wire)
{
	struct mcmember_record *record = wire;

	*record = (struct mcmember_record) {
		.mgid = rec->mgid,
		.port_gid = rec->port_gid,
		.qkey = rec->qkey,
		.mlid = rec->mlid,
		.mtu = pack_selected(rec->mtu_selector, rec->mtu),
		.traffic_class = rec->traffic_class,
		.pkey = rec->pkey,
		.rate = pack_selected(rec->rate_selector, rec->rate),
		.packet_life_time = pack_selected(rec->packet_life_time_selector,
						  rec->packet_life_time),
		.sl_flow_hop = cpu_to_be32((rec->sl & 0xfU) << 28 |
					   flow_and_hop(rec->flow_label, rec->hop_limit)),
		.scope_join_state = (rec->scope & 0xf) << 4 | (rec->join_state & 0xf),
		.proxy_join = (rec->proxy_join & 1) << 7,
	};
}

void sa_unpack_mcmember(const void *wire, struct ib_sa_mcmember_rec *rec)
{
	const struct mcmember_record *record = wire;
	u32 word = be32_to_cpu(record->sl_flow_hop);

	rec->mgid = record->mgid;
	rec->port_gid = record->port_gid;
	rec->qkey = record->qkey;
	rec->mlid = record->mlid;
	unpack_selected(record->mtu, &rec->mtu_selector, &rec->mtu);
	rec->traffic_class = record->traffic_class;
	rec->pkey = record->pkey;
	unpack_selected(record->rate, &rec->rate_selector, &rec->rate);
	unpack_selected(record->packet_life_time, &rec->packet_life_time_selector,
			&rec->packet_life_time);
	rec->sl = word >> 28;
	rec->flow_label = flow_label_of(word);
	rec->hop_limit = word & 0xff;
	rec->scope = record->scope_join_state >> 4;
	rec->join_state = record->scope_join_state & 0xf;
	rec->proxy_join = record->proxy_join >> 7;
}

void sa_pack_guidinfo(const struct ib_sa_guidinfo_rec *rec, void *wire)
{
	struct guidinfo_record *record = wire;

	*record = (struct guidinfo_record) {
		.lid = rec->lid,
		.block_num = rec->block_num,
		.reserved = rec->res1,
		.reserved2 = rec->res2,
	};
	memcpy(record->guids, rec->guid_info_list, sizeof(record->guids));
}

void sa_unpack_guidinfo(const void *wire, struct ib_sa_guidinfo_rec *rec)
{
	const struct guidinfo_record *record = wire;

	rec->lid = record->lid;
	rec->block_num = record->block_num;
	rec->res1 = record->reserved;
	rec->res2 = record->reserved2;
	memcpy(rec->guid_info_list, record->guids, sizeof(rec->guid_info_list));
}
