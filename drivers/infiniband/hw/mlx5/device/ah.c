// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Address handles (IBTA 11.2.2.1): the address vector as a datagram's request will carry it.
 * Nothing of the device is asked for, so they can be made anywhere.
 */
#include "device.h"

/* grh_gid_fl: the GRH is there; index of the source GID; flow label */
#define GRH BIT(30)
#define SGID_SHIFT 20
#define SGID_MASK 0xff
#define FLOW_LABEL_MASK 0xfffff

#define PATH_BITS_MASK 0x7f
#define RATE_SHIFT 4
#define SL_MASK 0xf

static void set_grh(const struct ib_global_route *grh, struct mlx5_av *av)
{
	av->grh_gid_fl = cpu_to_be32(GRH | (u32)grh->sgid_index << SGID_SHIFT |
				     (grh->flow_label & FLOW_LABEL_MASK));
	av->hop_limit = grh->hop_limit;
	av->tclass = grh->traffic_class;
	memcpy(av->rgid, grh->dgid.raw, sizeof(av->rgid));
}

int mlx5_ib_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init, struct ib_udata *udata)
{
	const struct rdma_ah_attr *attr = init->ah_attr;
	struct mlx5_ib_dev *dev = to_mdev(ibah->device);
	struct mlx5_av *av = &to_mah(ibah)->av;
	int rate;

	if (attr->type != RDMA_AH_ATTR_TYPE_IB)
		return -EINVAL;
	rate = mlx5_ib_rate_to_device(MLX5_CAP_GEN(dev->mdev, stat_rate_support),
				      rdma_ah_get_static_rate(attr));
	if (rate < 0)
		return rate;
	if (rdma_ah_get_ah_flags(attr) & IB_AH_GRH)
		set_grh(rdma_ah_read_grh(attr), av);
	av->stat_rate_sl = rate << RATE_SHIFT | (rdma_ah_get_sl(attr) & SL_MASK);
	av->fl_mlid = rdma_ah_get_path_bits(attr) & PATH_BITS_MASK;
	av->rlid = cpu_to_be16(rdma_ah_get_dlid(attr));
	return 0;
}

int mlx5_ib_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr)
{
	const struct mlx5_av *av = &to_mah(ibah)->av;
	u32 grh = be32_to_cpu(av->grh_gid_fl);

	memset(attr, 0, sizeof(*attr));
	attr->type = ibah->type;
	rdma_ah_set_dlid(attr, be16_to_cpu(av->rlid));
	rdma_ah_set_path_bits(attr, av->fl_mlid & PATH_BITS_MASK);
	rdma_ah_set_sl(attr, av->stat_rate_sl & SL_MASK);
	rdma_ah_set_static_rate(attr, mlx5_ib_rate_from_device(av->stat_rate_sl >> RATE_SHIFT));
	if (!(grh & GRH))
		return 0;
	rdma_ah_set_grh(attr, NULL, grh & FLOW_LABEL_MASK, grh >> SGID_SHIFT & SGID_MASK,
			av->hop_limit, av->tclass);
	rdma_ah_set_dgid_raw(attr, (void *)av->rgid);
	return 0;
}

int mlx5_ib_destroy_ah(struct ib_ah *ibah, u32 flags)
{
	return 0;
}
