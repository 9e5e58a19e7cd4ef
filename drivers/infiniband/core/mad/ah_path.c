// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Address handles' attributes from what SA says: a path, a multicast group. */

#include <linux/export.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_sa.h>

#include "../core.h"
#include "sa/sa.h"

static int set_grh(struct ib_device *device, u32 port_num, struct sa_path_rec *rec,
		   struct rdma_ah_attr *ah_attr, const struct ib_gid_attr *sgid_attr)
{
	if (sgid_attr)
		rdma_hold_gid_attr(sgid_attr);
	else
		sgid_attr = rdma_find_gid_by_port(device, &rec->sgid,
						  sa_conv_pathrec_to_gid_type(rec), port_num,
						  NULL);
	if (IS_ERR(sgid_attr))
		return PTR_ERR(sgid_attr);
	rdma_move_grh_sgid_attr(ah_attr, &rec->dgid, be32_to_cpu(rec->flow_label),
				rec->hop_limit, rec->traffic_class, sgid_attr);
	return 0;
}

static int set_roce_address(struct sa_path_rec *rec, struct rdma_ah_attr *ah_attr,
			    const struct ib_gid_attr *sgid_attr)
{
	int ret;

	ret = rdma_roce_resolve_route(rec, sgid_attr);
	if (!ret)
		memcpy(ah_attr->roce.dmac, sa_path_get_dmac(rec), ETH_ALEN);
	return ret;
}

/**
 * ib_init_ah_attr_from_path - address handle attributes from a path
 * @device: the device
 * @port_num: its port
 * @rec: the path
 * @ah_attr: initialised; the caller ends it with rdma_destroy_ah_attr()
 * @sgid_attr: the source GID, or NULL to look it up; on RoCE it's needed
 *
 * Context: sleeps.
 *
 * Return: 0; -ENOENT if the path's source GID isn't the port's; on RoCE, the errno of the route.
 * IBTA volume 1, chapter 12.3.1.
 */
int ib_init_ah_attr_from_path(struct ib_device *device, u32 port_num, struct sa_path_rec *rec,
			      struct rdma_ah_attr *ah_attr, const struct ib_gid_attr *sgid_attr)
{
	int ret;

	memset(ah_attr, 0, sizeof(*ah_attr));
	ah_attr->type = rdma_ah_find_type(device, port_num);
	rdma_ah_set_sl(ah_attr, rec->sl);
	rdma_ah_set_port_num(ah_attr, port_num);
	rdma_ah_set_static_rate(ah_attr, rec->rate);

	if (sa_path_is_roce(rec)) {
		ret = set_roce_address(rec, ah_attr, sgid_attr);
		return ret ?: set_grh(device, port_num, rec, ah_attr, sgid_attr);
	}
	rdma_ah_set_dlid(ah_attr, be32_to_cpu(sa_path_get_dlid(rec)));
	rdma_ah_set_path_bits(ah_attr, be32_to_cpu(sa_path_get_slid(rec)) &
				       sa_path_mask(device, port_num));
	return rec->hop_limit ? set_grh(device, port_num, rec, ah_attr, sgid_attr) : 0;
}
EXPORT_SYMBOL(ib_init_ah_attr_from_path);

/**
 * ib_init_ah_from_mcmember - address handle attributes from a multicast group
 * @device: the device
 * @port_num: its port
 * @rec: the group, as SA describes it
 * @ndev: on RoCE, the network device whose GID is used, or NULL
 * @gid_type: on RoCE, the type of GID
 * @ah_attr: initialised; the caller ends it with rdma_destroy_ah_attr()
 *
 * Context: any.
 *
 * Return: 0; -EINVAL if the port is neither InfiniBand nor RoCE; -ENOENT if it doesn't have the
 * record's port GID.
 */
int ib_init_ah_from_mcmember(struct ib_device *device, u32 port_num,
			     struct ib_sa_mcmember_rec *rec, struct net_device *ndev,
			     enum ib_gid_type gid_type, struct rdma_ah_attr *ah_attr)
{
	const struct ib_gid_attr *sgid_attr;
	bool ib = rdma_protocol_ib(device, port_num);

	if (!ib && !rdma_protocol_roce(device, port_num))
		return -EINVAL;
	/* An InfiniBand port's GIDs belong to no network device. */
	sgid_attr = rdma_find_gid_by_port(device, &rec->port_gid, gid_type, port_num,
					  ib ? NULL : ndev);
	if (IS_ERR(sgid_attr))
		return PTR_ERR(sgid_attr);

	*ah_attr = (struct rdma_ah_attr) {
		.type = rdma_ah_find_type(device, port_num),
		.port_num = port_num,
		.sl = rec->sl,
		.static_rate = rec->rate,
	};
	rdma_ah_set_dlid(ah_attr, be16_to_cpu(rec->mlid));
	rdma_move_grh_sgid_attr(ah_attr, &rec->mgid, be32_to_cpu(rec->flow_label),
				rec->hop_limit, rec->traffic_class, sgid_attr);
	return 0;
}
EXPORT_SYMBOL(ib_init_ah_from_mcmember);
