// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * XRC domains (IBTA annex A14).
 */
#include "device.h"

int mlx5_ib_alloc_xrcd(struct ib_xrcd *ibxrcd, struct ib_udata *udata)
{
	return mlx5_ib_cmd_alloc_xrcd(to_mdev(ibxrcd->device)->mdev, &to_mxrcd(ibxrcd)->xrcdn);
}

int mlx5_ib_dealloc_xrcd(struct ib_xrcd *ibxrcd, struct ib_udata *udata)
{
	return mlx5_ib_cmd_dealloc_xrcd(to_mdev(ibxrcd->device)->mdev, to_mxrcd(ibxrcd)->xrcdn);
}
