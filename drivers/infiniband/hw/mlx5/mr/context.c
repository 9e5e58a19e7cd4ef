// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The context of a key. It's the same for commands and for work requests.
 */
#include "mr.h"

/* Of all queue pairs. */
#define ANY_QPN 0xffffff

/* Translations are counted in units of 16 bytes. */
#define OCTWORD 16

/**
 * mlx5_ib_mkc_put - fill in what all kinds of keys have
 * @mkc: the context, zeros so far
 * @values: for it
 */
void mlx5_ib_mkc_put(void *mkc, const struct mlx5_ib_mkc *values)
{
	MLX5_SET(mkc, mkc, free, values->free);
	MLX5_SET(mkc, mkc, a, !!(values->access & IB_ACCESS_REMOTE_ATOMIC));
	MLX5_SET(mkc, mkc, rw, !!(values->access & IB_ACCESS_REMOTE_WRITE));
	MLX5_SET(mkc, mkc, rr, !!(values->access & IB_ACCESS_REMOTE_READ));
	MLX5_SET(mkc, mkc, lw, !!(values->access & IB_ACCESS_LOCAL_WRITE));
	MLX5_SET(mkc, mkc, lr, 1);
	MLX5_SET(mkc, mkc, relaxed_ordering_write, values->relaxed_write);
	MLX5_SET(mkc, mkc, relaxed_ordering_read, values->relaxed_read);
	MLX5_SET(mkc, mkc, qpn, ANY_QPN);
	MLX5_SET(mkc, mkc, mkey_7_0, values->variant);
	MLX5_SET(mkc, mkc, length64, values->whole);
	MLX5_SET(mkc, mkc, pd, values->pdn);
	MLX5_SET64(mkc, mkc, start_addr, values->iova);
	MLX5_SET64(mkc, mkc, len, values->length);
	MLX5_SET(mkc, mkc, log_page_size, values->page_shift);
}

/**
 * mlx5_ib_mkc_put_list - a key with a translation, that can be changed by work requests
 * @mkc: the context
 * @access_mode: what the translation consists of
 * @entries: room for so many, rounded up to what the device copies at once
 */
void mlx5_ib_mkc_put_list(void *mkc, u32 access_mode, u64 entries)
{
	u64 bytes = ALIGN(entries * mlx5_ib_entry_size(access_mode), MLX5_IB_LIST_BLOCK);

	MLX5_SET(mkc, mkc, umr_en, 1);
	MLX5_SET(mkc, mkc, access_mode_1_0, access_mode & 3);
	MLX5_SET(mkc, mkc, access_mode_4_2, access_mode >> 2);
	MLX5_SET(mkc, mkc, translations_octword_size, bytes / OCTWORD);
}
