/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef RDMA_MLX5_UMR_LIST_H
#define RDMA_MLX5_UMR_LIST_H

#include "mr.h"

/**
 * struct mlx5_ib_umr_list - a change of a translation
 * @request: with all else that changes; the list is added to it
 * @first: entry to write
 * @end: entry not to write any more
 * @whole: the key has no translation yet
 * @reclaim: memory may be waited for
 * @fill: writes the entries
 * @context: for it
 */
struct mlx5_ib_umr_list {
	struct mlx5_ib_umr_wqe *request;
	u64 first;
	u64 end;
	bool whole;
	bool reclaim;
	mlx5_ib_fill *fill;
	void *context;
};

int mlx5_ib_umr_send_list(struct mlx5_ib_mr *mr, const struct mlx5_ib_umr_list *what);

#endif
