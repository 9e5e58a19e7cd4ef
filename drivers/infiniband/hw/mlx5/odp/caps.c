// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the device can do about missing pages.
 */
#include "odp.h"

/* Translations have to be changed by work requests, as the kernel waits for that. */
bool mlx5_ib_odp_supported(struct mlx5_ib_dev *dev)
{
	return MLX5_CAP_GEN(dev->mdev, pg) &&
	       !MLX5_CAP_GEN(dev->mdev, umr_modify_entity_size_disabled);
}

/*
 * All of a process's memory: where there's no part yet, a key has to stand that faults. On devices
 * that tell of faults by the page the common one doesn't.
 */
bool mlx5_ib_odp_implicit_supported(struct mlx5_ib_dev *dev)
{
	struct mlx5_core_dev *mdev = dev->mdev;

	return mlx5_ib_odp_supported(dev) && MLX5_CAP_GEN(mdev, null_mkey) &&
	       MLX5_CAP_GEN(mdev, fixed_buffer_size) &&
	       MLX5_CAP_GEN(mdev, umr_extended_translation_offset) &&
	       !MLX5_CAP_GEN(mdev, umr_indirect_mkey_disabled) &&
	       !MLX5_CAP_ODP(mdev, mem_page_fault);
}

#define SERVICE(mdev, service)								\
	((MLX5_CAP_ODP_SCHEME(mdev, service.send) ? IB_ODP_SUPPORT_SEND : 0) |		\
	 (MLX5_CAP_ODP_SCHEME(mdev, service.receive) ? IB_ODP_SUPPORT_RECV : 0) |	\
	 (MLX5_CAP_ODP_SCHEME(mdev, service.write) ? IB_ODP_SUPPORT_WRITE : 0) |	\
	 (MLX5_CAP_ODP_SCHEME(mdev, service.read) ? IB_ODP_SUPPORT_READ : 0) |		\
	 (MLX5_CAP_ODP_SCHEME(mdev, service.atomic) ? IB_ODP_SUPPORT_ATOMIC : 0) |	\
	 (MLX5_CAP_ODP_SCHEME(mdev, service.srq_receive) ? IB_ODP_SUPPORT_SRQ_RECV : 0))

/* What verbs tell of it; UD's are those that its users may count on. */
void mlx5_ib_odp_caps(struct mlx5_ib_dev *dev, struct ib_odp_caps *caps)
{
	struct mlx5_core_dev *mdev = dev->mdev;

	*caps = (struct ib_odp_caps) {};
	if (!mlx5_ib_odp_supported(dev))
		return;
	caps->general_caps = IB_ODP_SUPPORT;
	if (mlx5_ib_odp_implicit_supported(dev))
		caps->general_caps |= IB_ODP_SUPPORT_IMPLICIT;
	caps->per_transport_caps.rc_odp_caps = SERVICE(mdev, rc_odp_caps);
	caps->per_transport_caps.xrc_odp_caps = SERVICE(mdev, xrc_odp_caps);
	caps->per_transport_caps.ud_odp_caps =
		SERVICE(mdev, ud_odp_caps) & (IB_ODP_SUPPORT_SEND | IB_ODP_SUPPORT_SRQ_RECV);
}
