// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From struct ib_send_wr to a WQE (IBTA 11.4.1.1).
 */
#include "wr.h"

/*
 * What a request has to wait for before it begins: a registration for what the device needs, the
 * one after it for that, and who asks for it for all reads and atomics.
 */
static u8 fence_of(const struct ib_send_wr *wr, const struct mlx5_ib_operation *operation,
		   u8 pending, u8 umr_fence)
{
	if (operation->form == MLX5_IB_FORM_REGISTER)
		return umr_fence;
	if (!(wr->send_flags & IB_SEND_FENCE))
		return pending;
	return pending ? MLX5_FENCE_MODE_SMALL_AND_FENCE : MLX5_FENCE_MODE_FENCE;
}

static u8 flags_of(const struct mlx5_ib_qp *qp, const struct ib_send_wr *wr)
{
	u8 flags = 0;

	if (qp->signal_all || wr->send_flags & IB_SEND_SIGNALED)
		flags |= MLX5_WQE_CTRL_CQ_UPDATE;
	if (wr->send_flags & IB_SEND_SOLICITED)
		flags |= MLX5_WQE_CTRL_SOLICITED;
	return flags;
}

static __be32 imm_of(const struct ib_send_wr *wr, const struct mlx5_ib_operation *operation)
{
	switch (operation->imm) {
	case MLX5_IB_IMM_DATA:
		return wr->ex.imm_data;
	case MLX5_IB_IMM_INVALIDATED:
		return cpu_to_be32(wr->ex.invalidate_rkey);
	case MLX5_IB_IMM_REGISTERED:
		return cpu_to_be32(reg_wr(wr)->key);
	default:
		return 0;
	}
}

static int append_address(const struct mlx5_ib_qp *qp, const struct ib_send_wr *wr,
			  struct mlx5_ib_wqe *wqe)
{
	if (likely(qp->type == IB_QPT_RC))
		return 0;
	switch ((int)qp->type) {
	case IB_QPT_XRC_INI:
		mlx5_ib_wqe_xrc(wqe);
		return 0;
	case IB_QPT_UD:
	case IB_QPT_SMI:
	case MLX5_IB_QPT_HW_GSI:
		return mlx5_ib_wqe_datagram(wqe, ud_wr(wr));
	default:
		return 0;
	}
}

static int append_data(const struct mlx5_ib_qp *qp, const struct ib_send_wr *wr,
		       struct mlx5_ib_wqe *wqe)
{
	if (wr->send_flags & IB_SEND_INLINE)
		return mlx5_ib_wqe_inline(wqe, wr->sg_list, wr->num_sge, qp->max_inline);
	return mlx5_ib_wqe_list(wqe, wr->sg_list, wr->num_sge);
}

/* What an atomic brings back is 8 bytes, and goes to one place. */
static bool takes_atomic(const struct ib_send_wr *wr)
{
	return wr->num_sge == 1 && wr->sg_list->length == sizeof(u64);
}

static int append_atomic(const struct mlx5_ib_wr_caps *caps, const struct ib_send_wr *wr,
			 bool masked, struct mlx5_ib_wqe *wqe)
{
	if (masked && !caps->masked_atomics)
		return -EOPNOTSUPP;
	if (!takes_atomic(wr))
		return -EINVAL;
	if (masked)
		mlx5_ib_wqe_masked_atomic(wqe, atomic_wr(wr));
	else
		mlx5_ib_wqe_atomic(wqe, atomic_wr(wr));
	return mlx5_ib_wqe_list(wqe, wr->sg_list, 1);
}

static int append_registration(const struct mlx5_ib_qp *qp, const struct mlx5_ib_wr_caps *caps,
			       const struct ib_send_wr *wr, struct mlx5_ib_wqe *wqe)
{
	const struct ib_reg_wr *registration = reg_wr(wr);

	if (registration->access & IB_ACCESS_REMOTE_ATOMIC && !caps->umr_atomics)
		return -EINVAL;
	mlx5_ib_wqe_register(wqe, registration, qp->ibqp.pd->local_dma_lkey);
	return 0;
}

static int append_operation(const struct mlx5_ib_qp *qp, const struct mlx5_ib_wr_caps *caps,
			    const struct ib_send_wr *wr, enum mlx5_ib_form form,
			    struct mlx5_ib_wqe *wqe)
{
	/* What comes back, or goes to the device only, can't stand in the request. */
	if (unlikely(wr->send_flags & IB_SEND_INLINE && form != MLX5_IB_FORM_SEND &&
		     form != MLX5_IB_FORM_WRITE))
		return -EINVAL;
	switch (form) {
	case MLX5_IB_FORM_WRITE:
	case MLX5_IB_FORM_READ:
		mlx5_ib_wqe_remote(wqe, rdma_wr(wr)->remote_addr, rdma_wr(wr)->rkey);
		fallthrough;
	case MLX5_IB_FORM_SEND:
		return append_data(qp, wr, wqe);
	case MLX5_IB_FORM_ATOMIC:
		return append_atomic(caps, wr, false, wqe);
	case MLX5_IB_FORM_MASKED_ATOMIC:
		return append_atomic(caps, wr, true, wqe);
	case MLX5_IB_FORM_REGISTER:
		return append_registration(qp, caps, wr, wqe);
	case MLX5_IB_FORM_INVALIDATE:
		mlx5_ib_wqe_invalidate(wqe);
		return 0;
	}
	return -EINVAL;
}

/**
 * mlx5_ib_encode - write a send into its ring
 * @qp: whose it is; what the next send has to wait for is brought up to date
 * @caps: of the device
 * @wr: the request, with no more entries than the queue pair's sends may have
 * @operation: what it is
 * @wqe: filled in: where it is and how long it has become
 *
 * There's room for the longest request that the queue pair may have. One that's refused has been
 * written in part, which nobody gets to see.
 *
 * Return: 0; -EINVAL: it can't be so; -ENOMEM: too much inline data; -EOPNOTSUPP: the device can't.
 */
int mlx5_ib_encode(struct mlx5_ib_qp *qp, const struct mlx5_ib_wr_caps *caps,
		   const struct ib_send_wr *wr, const struct mlx5_ib_operation *operation,
		   struct mlx5_ib_wqe *wqe)
{
	u8 fence = fence_of(wr, operation, qp->next_fence, caps->umr_fence);
	int err;

	mlx5_ib_wqe_begin(wqe, &qp->sq);
	mlx5_ib_wqe_control(wqe, operation->opcode, operation->opmod, flags_of(qp, wr) | fence,
			    imm_of(wr, operation));
	err = append_address(qp, wr, wqe);
	if (!err)
		err = append_operation(qp, caps, wr, operation->form, wqe);
	if (!err)
		err = mlx5_ib_wqe_end(wqe, qp->qpn);
	if (err)
		return err;
	qp->next_fence = operation->form == MLX5_IB_FORM_REGISTER ?
			 MLX5_FENCE_MODE_INITIATOR_SMALL : MLX5_FENCE_MODE_NONE;
	return 0;
}
