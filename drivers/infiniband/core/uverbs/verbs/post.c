// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Posting of work requests by a system call, for drivers whose queues processes can't write to. The
 * counts come from the process. Both arrays have to lie inside the request before anything is
 * allocated for them, so what is allocated is a small multiple of what was given.
 */

#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "post.h"

static_assert(sizeof(struct ib_sge) == sizeof(struct ib_uverbs_sge));

/* Work requests, counts and sizes are set; the arrays are still to be found. */
int uverbs_posting_init(struct uverbs_posting *posting, struct uverbs_request_iter *iter,
			size_t min_wr_size)
{
	const void __user *sges;
	u32 wr_bytes, sge_bytes;
	int ret;

	if (posting->wr_size < min_wr_size)
		return -EINVAL;
	if (check_mul_overflow(posting->wr_count, posting->wr_size, &wr_bytes) ||
	    check_mul_overflow(posting->sge_count, (u32)sizeof(struct ib_sge), &sge_bytes))
		return -EINVAL;
	posting->wrs = uverbs_request_skip(iter, wr_bytes);
	if (IS_ERR(posting->wrs))
		return PTR_ERR(posting->wrs);
	sges = uverbs_request_skip(iter, sge_bytes);
	if (IS_ERR(sges))
		return PTR_ERR(sges);
	ret = uverbs_request_end(iter);
	if (ret)
		return ret;

	/* Having none of them is common: it only tells the driver that there's something to do. */
	if (!posting->sge_count)
		return 0;
	posting->sges = vmemdup_user(sges, sge_bytes);
	return PTR_ERR_OR_ZERO(posting->sges);
}

void uverbs_posting_free(struct uverbs_posting *posting)
{
	if (!IS_ERR(posting->sges))
		kvfree(posting->sges);
}

int uverbs_posting_read_wr(const struct uverbs_posting *posting, u32 i, void *wr, size_t size)
{
	if (copy_from_user(wr, posting->wrs + (size_t)i * posting->wr_size, size))
		return -EFAULT;
	return 0;
}

int uverbs_posting_take_sges(struct uverbs_posting *posting, u32 num_sge, struct ib_sge **sges)
{
	if (num_sge > posting->sge_count - posting->sges_taken)
		return -EINVAL;
	*sges = num_sge ? posting->sges + posting->sges_taken : NULL;
	posting->sges_taken += num_sge;
	return 0;
}

/* Which one the driver refused, counted from 1; 0 if none, the last one if it doesn't say. */
u32 uverbs_posting_bad_wr(const struct uverbs_posting *posting, int ret, const void *wrs,
			  const void *bad_wr, size_t size)
{
	if (!ret)
		return 0;
	return bad_wr ? (bad_wr - wrs) / size + 1 : posting->wr_count;
}
