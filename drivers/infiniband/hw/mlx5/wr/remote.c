// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The other side of a send: who it goes to, and what an atomic does to the memory there.
 */
#include "wr.h"

/**
 * mlx5_ib_wqe_datagram - append an address
 * @wqe: a send that's being written
 * @wr: of a datagram
 *
 * Return: 0, or -EINVAL: there's none.
 */
int mlx5_ib_wqe_datagram(struct mlx5_ib_wqe *wqe, const struct ib_ud_wr *wr)
{
	struct mlx5_wqe_datagram_seg *segment;

	if (unlikely(!wr->ah))
		return -EINVAL;
	segment = mlx5_ib_wqe_piece(wqe, sizeof(*segment));
	segment->av = to_mah(wr->ah)->av;
	segment->av.key.qkey.qkey = cpu_to_be32(wr->remote_qkey);
	segment->av.dqp_dct = cpu_to_be32(MLX5_EXTENDED_UD_AV | wr->remote_qpn);
	mlx5_ib_wqe_append(wqe, segment, sizeof(*segment));
	return 0;
}

/**
 * mlx5_ib_wqe_xrc - append the shared receive queue of an XRC target
 * @wqe: a send that's being written
 *
 * The kernel's requests can't name one.
 */
void mlx5_ib_wqe_xrc(struct mlx5_ib_wqe *wqe)
{
	*(struct mlx5_wqe_xrc_seg *)mlx5_ib_wqe_segment(wqe) = (struct mlx5_wqe_xrc_seg) {};
}

/**
 * mlx5_ib_wqe_atomic - append the remote address and operands of an atomic
 * @wqe: a send that's being written
 * @wr: compare-and-swap or fetch-and-add
 */
void mlx5_ib_wqe_atomic(struct mlx5_ib_wqe *wqe, const struct ib_atomic_wr *wr)
{
	struct mlx5_wqe_atomic_seg *segment;

	mlx5_ib_wqe_remote(wqe, wr->remote_addr, wr->rkey);
	segment = mlx5_ib_wqe_segment(wqe);
	if (wr->wr.opcode == IB_WR_ATOMIC_CMP_AND_SWP) {
		segment->swap_add = cpu_to_be64(wr->swap);
		segment->compare = cpu_to_be64(wr->compare_add);
	} else {
		segment->swap_add = cpu_to_be64(wr->compare_add);
		segment->compare = 0;
	}
}

/**
 * mlx5_ib_wqe_masked_atomic - append the remote address, operands and masks of an atomic
 * @wqe: a send that's being written
 * @wr: masked compare-and-swap or fetch-and-add; of the latter the mask says where carries end
 */
void mlx5_ib_wqe_masked_atomic(struct mlx5_ib_wqe *wqe, const struct ib_atomic_wr *wr)
{
	__be64 *operands;

	mlx5_ib_wqe_remote(wqe, wr->remote_addr, wr->rkey);
	operands = mlx5_ib_wqe_segment(wqe);
	if (wr->wr.opcode == IB_WR_MASKED_ATOMIC_FETCH_AND_ADD) {
		operands[0] = cpu_to_be64(wr->compare_add);
		operands[1] = cpu_to_be64(wr->compare_add_mask);
		return;
	}
	operands[0] = cpu_to_be64(wr->swap);
	operands[1] = cpu_to_be64(wr->compare_add);
	operands = mlx5_ib_wqe_segment(wqe);
	operands[0] = cpu_to_be64(wr->swap_mask);
	operands[1] = cpu_to_be64(wr->compare_add_mask);
}
