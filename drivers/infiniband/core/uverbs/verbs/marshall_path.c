// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The user ABI's form of paths, which rdma_ucm uses. */

#include <linux/export.h>
#include <rdma/ib_marshall.h>
#include <rdma/opa_addr.h>

static __be16 user_lid(__be32 lid)
{
	return cpu_to_be16(be32_to_cpu(lid));
}

static void copy_path(struct ib_user_path_rec *to, struct sa_path_rec *path)
{
	*to = (struct ib_user_path_rec) {
		.dlid = user_lid(sa_path_get_dlid(path)),
		.slid = user_lid(sa_path_get_slid(path)),
		.raw_traffic = sa_path_get_raw_traffic(path),
		.pkey = path->pkey,
		.sl = path->sl,
		.flow_label = path->flow_label,
		.traffic_class = path->traffic_class,
		.hop_limit = path->hop_limit,
		.reversible = path->reversible,
		.numb_path = path->numb_path,
		.mtu = path->mtu,
		.mtu_selector = path->mtu_selector,
		.rate = path->rate,
		.rate_selector = path->rate_selector,
		.packet_life_time = path->packet_life_time,
		.packet_life_time_selector = path->packet_life_time_selector,
		.preference = path->preference,
	};
	memcpy(to->dgid, path->dgid.raw, sizeof(to->dgid));
	memcpy(to->sgid, path->sgid.raw, sizeof(to->sgid));
}

/**
 * ib_copy_path_rec_to_user - a path as user space knows it
 * @dst: filled in, each byte of it
 * @src: the path. One of Omni-Path with LIDs that are longer than 16 bits is told by GIDs.
 *
 * Context: Any.
 */
void ib_copy_path_rec_to_user(struct ib_user_path_rec *dst, struct sa_path_rec *src)
{
	struct sa_path_rec ib;

	if (src->rec_type == SA_PATH_REC_TYPE_OPA) {
		sa_convert_path_opa_to_ib(&ib, src);
		src = &ib;
	}
	copy_path(dst, src);
}
EXPORT_SYMBOL(ib_copy_path_rec_to_user);

/* In a path of Omni-Path each GID may hold the LID. */
static void set_lids(struct sa_path_rec *path, const struct ib_user_path_rec *from)
{
	if (ib_is_opa_gid(&path->sgid) || ib_is_opa_gid(&path->dgid)) {
		path->rec_type = SA_PATH_REC_TYPE_OPA;
		sa_path_set_slid(path, opa_get_lid_from_gid(&path->sgid));
		sa_path_set_dlid(path, opa_get_lid_from_gid(&path->dgid));
	} else {
		path->rec_type = SA_PATH_REC_TYPE_IB;
		sa_path_set_slid(path, be16_to_cpu(from->slid));
		sa_path_set_dlid(path, be16_to_cpu(from->dlid));
	}
	sa_path_set_raw_traffic(path, from->raw_traffic);
}

/**
 * ib_copy_path_rec_from_user - a path from what user space tells
 * @dst: filled in; what user space doesn't tell is zero
 * @src: the user's. GIDs that hold LIDs of Omni-Path make it a path of that kind.
 *
 * Nothing is checked.
 *
 * Context: Any.
 */
void ib_copy_path_rec_from_user(struct sa_path_rec *dst, struct ib_user_path_rec *src)
{
	*dst = (struct sa_path_rec) {
		.pkey = src->pkey,
		.sl = src->sl,
		.flow_label = src->flow_label,
		.traffic_class = src->traffic_class,
		.hop_limit = src->hop_limit,
		.reversible = src->reversible,
		.numb_path = src->numb_path,
		.mtu = src->mtu,
		.mtu_selector = src->mtu_selector,
		.rate = src->rate,
		.rate_selector = src->rate_selector,
		.packet_life_time = src->packet_life_time,
		.packet_life_time_selector = src->packet_life_time_selector,
		.preference = src->preference,
	};
	memcpy(dst->dgid.raw, src->dgid, sizeof(dst->dgid.raw));
	memcpy(dst->sgid.raw, src->sgid, sizeof(dst->sgid.raw));
	set_lids(dst, src);
}
EXPORT_SYMBOL(ib_copy_path_rec_from_user);
