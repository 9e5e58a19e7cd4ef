// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Doorbells of a context, counted: which there are, which queue gets which, and what libmlx5 calls
 * them.
 */
#include "device.h"

#define PER_UAR MLX5_NON_FP_BFREGS_PER_UAR

/* The doorbell for everyone. */
#define FIRST_SHARED 1

static u32 round_up_to(u32 value, u32 multiple)
{
	return DIV_ROUND_UP(value, multiple) * multiple;
}

/* Where the system's pages are larger than the device's, and the library can't tell: fewer. */
static u32 may_be_made(u32 uars_per_page)
{
	return uars_per_page == 1 && PAGE_SIZE > MLX5_ADAPTER_PAGE_SIZE ? MLX5_MIN_DYN_BFREGS :
									 MLX5_MAX_DYN_BFREGS;
}

/**
 * mlx5_ib_bfreg_plan - how many doorbells a context gets
 * @plan: the result, but for its @classes
 * @total: doorbells that the library asked for
 * @alone: of these, for one queue each
 * @uars_per_page: pages of the device that a page of the system holds
 *
 * Return: 0; -EINVAL: none, or too many of @alone; -ENOMEM: more than any context gets.
 */
int mlx5_ib_bfreg_plan(struct mlx5_ib_bfreg_plan *plan, u32 total, u32 alone, u32 uars_per_page)
{
	u32 per_page = uars_per_page * PER_UAR;

	if (!total)
		return -EINVAL;
	if (total > MLX5_MAX_BFREGS)
		return -ENOMEM;
	plan->per_page = per_page;
	plan->at_open = round_up_to(total, per_page);
	plan->alone = alone;
	plan->later = round_up_to(may_be_made(uars_per_page), per_page);
	return alone < plan->at_open ? 0 : -EINVAL;
}

u32 mlx5_ib_bfreg_pages_at_open(const struct mlx5_ib_bfreg_plan *plan)
{
	return plan->at_open / plan->per_page;
}

u32 mlx5_ib_bfreg_pages(const struct mlx5_ib_bfreg_plan *plan)
{
	return (plan->at_open + plan->later) / plan->per_page;
}

/* Of doorbells from @first to before @end: the one with the fewest users. */
static u32 least_used(const u32 *users, u32 first, u32 end)
{
	u32 best = first;

	for (u32 i = first; i < end && users[best]; i++)
		if (users[i] < users[best])
			best = i;
	return best;
}

/**
 * mlx5_ib_bfreg_choose - the best doorbell for one more queue
 * @plan: of the context
 * @users: queues by doorbell
 *
 * Return: its number: one that no other queue uses, or a shared one, or 0 if there are no such.
 */
u32 mlx5_ib_bfreg_choose(const struct mlx5_ib_bfreg_plan *plan, const u32 *users)
{
	u32 first_alone = max_t(u32, plan->at_open - plan->alone, FIRST_SHARED);
	u32 best;

	if (!plan->classes)
		return 0;
	if (first_alone < plan->at_open) {
		best = least_used(users, first_alone, plan->at_open);
		if (!users[best])
			return best;
	}
	return first_alone > FIRST_SHARED ? least_used(users, FIRST_SHARED, first_alone) : 0;
}

/**
 * mlx5_ib_bfreg_library_index - what libmlx5 calls a doorbell
 * @bfregn: its number
 *
 * Return: the same, but counting also those on each page that a process doesn't use.
 */
u32 mlx5_ib_bfreg_library_index(u32 bfregn)
{
	return bfregn / PER_UAR * MLX5_BFREGS_PER_UAR + bfregn % PER_UAR;
}
