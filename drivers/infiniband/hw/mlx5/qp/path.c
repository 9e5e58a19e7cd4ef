// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Address vectors of connected queue pairs, between struct rdma_ah_attr and the device's address
 * path (mlx5_ifc_ads_bits).
 */
#include <rdma/ib_cache.h>
#include "qp.h"

static int set_grh(struct mlx5_ib_dev *dev, const struct rdma_ah_attr *ah, u32 port_num, void *path)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(ah);

	if (grh->sgid_index >= ib_port_immutable_read(&dev->ib_dev, port_num)->gid_tbl_len)
		return -EINVAL;
	MLX5_SET(ads, path, grh, 1);
	MLX5_SET(ads, path, src_addr_index, grh->sgid_index);
	MLX5_SET(ads, path, hop_limit, grh->hop_limit);
	MLX5_SET(ads, path, tclass, grh->traffic_class);
	MLX5_SET(ads, path, flow_label, grh->flow_label);
	memcpy(MLX5_ADDR_OF(ads, path, rgid_rip), grh->dgid.raw, sizeof(grh->dgid.raw));
	return 0;
}

/**
 * mlx5_ib_set_path - an address vector for the device
 * @dev: the adapter
 * @ah: the address
 * @port_num: from where
 * @path: of a context; P_Key index and ACK timeout are the caller's
 *
 * Return: 0, or -EINVAL: it isn't one of InfiniBand, or its GID index or rate can't be.
 */
int mlx5_ib_set_path(struct mlx5_ib_dev *dev, const struct rdma_ah_attr *ah, u32 port_num,
		     void *path)
{
	int rate = mlx5_ib_rate_to_device(MLX5_CAP_GEN(dev->mdev, stat_rate_support),
					  rdma_ah_get_static_rate(ah));

	if (rate < 0)
		return rate;
	if (ah->type != RDMA_AH_ATTR_TYPE_IB || !rdma_is_port_valid(&dev->ib_dev, port_num))
		return -EINVAL;
	MLX5_SET(ads, path, rlid, rdma_ah_get_dlid(ah));
	MLX5_SET(ads, path, mlid, rdma_ah_get_path_bits(ah));
	MLX5_SET(ads, path, sl, rdma_ah_get_sl(ah));
	MLX5_SET(ads, path, stat_rate, rate);
	MLX5_SET(ads, path, vhca_port_num, port_num);
	return rdma_ah_get_ah_flags(ah) & IB_AH_GRH ? set_grh(dev, ah, port_num, path) : 0;
}

/**
 * mlx5_ib_get_path - an address vector from the device
 * @path: of a context
 * @ah: all zeros if there is no address in the path
 */
void mlx5_ib_get_path(const void *path, struct rdma_ah_attr *ah)
{
	u32 port_num = MLX5_GET(ads, path, vhca_port_num);

	memset(ah, 0, sizeof(*ah));
	if (!port_num)
		return;
	ah->type = RDMA_AH_ATTR_TYPE_IB;
	rdma_ah_set_port_num(ah, port_num);
	rdma_ah_set_sl(ah, MLX5_GET(ads, path, sl));
	rdma_ah_set_dlid(ah, MLX5_GET(ads, path, rlid));
	rdma_ah_set_path_bits(ah, MLX5_GET(ads, path, mlid));
	rdma_ah_set_static_rate(ah, mlx5_ib_rate_from_device(MLX5_GET(ads, path, stat_rate)));
	if (!MLX5_GET(ads, path, grh))
		return;
	rdma_ah_set_grh(ah, NULL, MLX5_GET(ads, path, flow_label),
			MLX5_GET(ads, path, src_addr_index), MLX5_GET(ads, path, hop_limit),
			MLX5_GET(ads, path, tclass));
	rdma_ah_set_dgid_raw(ah, MLX5_ADDR_OF(ads, path, rgid_rip));
}
