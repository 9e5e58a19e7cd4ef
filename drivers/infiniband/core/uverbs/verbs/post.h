/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Posting of work requests: what sends and receives have in common. */
#ifndef RDMA_UVERBS_POST_H
#define RDMA_UVERBS_POST_H

#include "verbs.h"

/**
 * struct uverbs_posting - what stands behind a posting command's fixed part
 * @wrs: the user's work requests
 * @wr_size: how far one is from the next: programs may know longer ones
 * @wr_count: how many there are
 * @sges: a copy of the SGEs of all of them, in order
 * @sge_count: how many there are
 * @sges_taken: how many belong to work requests that were read
 */
struct uverbs_posting {
	const u8 __user *wrs;
	u32 wr_size;
	u32 wr_count;
	struct ib_sge *sges;
	u32 sge_count;
	u32 sges_taken;
};

int uverbs_posting_init(struct uverbs_posting *posting, struct uverbs_request_iter *iter,
			size_t min_wr_size);
void uverbs_posting_free(struct uverbs_posting *posting);
int uverbs_posting_read_wr(const struct uverbs_posting *posting, u32 i, void *wr, size_t size);
int uverbs_posting_take_sges(struct uverbs_posting *posting, u32 num_sge, struct ib_sge **sges);
u32 uverbs_posting_bad_wr(const struct uverbs_posting *posting, int ret, const void *wrs,
			  const void *bad_wr, size_t size);

#endif
