// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Runs of pages that are there. One is taken out of the translation by one work request, and each
 * of these costs about as much as a few hundred bytes of entries.
 */
#include "odp.h"

/* A shorter gap doesn't end a run. */
#define GAP 64

/**
 * mlx5_ib_next_run - the next run
 * @list: entries of a umem: 0: the page isn't there
 * @first: where to begin; becomes the run's beginning
 * @end: of @list
 *
 * Return: pages from @first to the last one that's there, or 0: there's no other.
 */
u64 mlx5_ib_next_run(const dma_addr_t *list, u64 *first, u64 end)
{
	u64 last;

	while (*first < end && !list[*first])
		++*first;
	last = *first;
	for (u64 i = *first; i < end && i - last <= GAP; i++)
		if (list[i])
			last = i;
	return *first < end ? last - *first + 1 : 0;
}
