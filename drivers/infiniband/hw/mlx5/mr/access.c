// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Rights of keys, by what the device can do.
 */
#include "mr.h"

static bool can_relax_reads(struct mlx5_core_dev *mdev)
{
	return MLX5_CAP_GEN(mdev, relaxed_ordering_read) ||
	       (MLX5_CAP_GEN(mdev, relaxed_ordering_read_pci_enabled) &&
		pcie_relaxed_ordering_enabled(mdev->pdev));
}

/* Relaxed ordering is a wish; it's granted as far as the device, and the bus, know of it. */
struct mlx5_ib_relaxed mlx5_ib_relaxed(struct mlx5_ib_dev *dev, u32 access)
{
	if (!(access & IB_ACCESS_RELAXED_ORDERING))
		return (struct mlx5_ib_relaxed) {};
	return (struct mlx5_ib_relaxed) {
		.write = MLX5_CAP_GEN(dev->mdev, relaxed_ordering_write),
		.read = can_relax_reads(dev->mdev),
	};
}

/* Of some rights those that no work request can give to a key, or take from it. */
u32 mlx5_ib_fixed_access(struct mlx5_ib_dev *dev, u32 access)
{
	struct mlx5_core_dev *mdev = dev->mdev;
	u32 fixed = 0;

	if (MLX5_CAP_GEN(mdev, atomic) && MLX5_CAP_GEN(mdev, umr_modify_atomic_disabled))
		fixed |= IB_ACCESS_REMOTE_ATOMIC;
	if (MLX5_CAP_GEN(mdev, relaxed_ordering_write) &&
	    !MLX5_CAP_GEN(mdev, relaxed_ordering_write_umr))
		fixed |= IB_ACCESS_RELAXED_ORDERING;
	if ((MLX5_CAP_GEN(mdev, relaxed_ordering_read) ||
	     MLX5_CAP_GEN(mdev, relaxed_ordering_read_pci_enabled)) &&
	    !MLX5_CAP_GEN(mdev, relaxed_ordering_read_umr))
		fixed |= IB_ACCESS_RELAXED_ORDERING;
	return access & fixed;
}
