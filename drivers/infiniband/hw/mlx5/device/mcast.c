// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Queue pairs in multicast groups (IBTA 11.3.3).
 */
#include "device.h"

static u16 uid_of(const struct ib_qp *ibqp)
{
	return ibqp->pd ? to_mpd(ibqp->pd)->uid : 0;
}

int mlx5_ib_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	return mlx5_ib_cmd_attach_mcg(to_mdev(ibqp->device)->mdev, uid_of(ibqp), ibqp->qp_num, gid);
}

int mlx5_ib_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid)
{
	return mlx5_ib_cmd_detach_mcg(to_mdev(ibqp->device)->mdev, uid_of(ibqp), ibqp->qp_num, gid);
}
