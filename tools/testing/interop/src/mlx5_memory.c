// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdlib.h>

#include "cases.h"
#include "check.h"
#include "mlx5.h"

/*
 * A region moves to another domain, and to other memory or not: the old domain is free then, the
 * new one isn't.
 */
static void move(int flags)
{
	struct ibv_pd *from = ibv_alloc_pd(world.context), *to = ibv_alloc_pd(world.context);
	void *memory = aligned_alloc(4096, 16 * 4096);
	int access = flags & IBV_REREG_MR_CHANGE_ACCESS ? IBV_ACCESS_LOCAL_WRITE : 0;
	struct ibv_mr *mr;

	CHECK(from && to && memory, "no domains");
	mr = ibv_reg_mr(from, memory, 4096, IBV_ACCESS_LOCAL_WRITE);
	CHECK(mr, "ibv_reg_mr");
	CHECK_EQ(ibv_dealloc_pd(from), EBUSY);
	CHECK_EQ(ibv_rereg_mr(mr, flags, to, memory, 16 * 4096, access), 0);
	CHECK_EQ(ibv_dealloc_pd(to), EBUSY);
	CHECK_EQ(ibv_dealloc_pd(from), 0);
	CHECK_EQ(ibv_dereg_mr(mr), 0);
	CHECK_EQ(ibv_dealloc_pd(to), 0);
	free(memory);
}

static void region_moves(void)
{
	make_world();
	move(IBV_REREG_MR_CHANGE_PD);
	move(IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_TRANSLATION);
	move(IBV_REREG_MR_CHANGE_PD | IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_ACCESS);
}

const struct test_case mlx5_memory_cases[] = {
	{ "mlx5-region-moves", region_moves },
	{}
};
