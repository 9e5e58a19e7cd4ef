// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ib_core knows of posting.
 */
#include "wr.h"

static int post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	return mlx5_ib_post_send_any(to_mqp(ibqp), wr, bad, false);
}

static int post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	return mlx5_ib_post_recv_any(to_mqp(ibqp), wr, bad, false);
}

const struct ib_device_ops mlx5_ib_wr_ops = {
	.post_recv = post_recv,
	.post_send = post_send,
};
