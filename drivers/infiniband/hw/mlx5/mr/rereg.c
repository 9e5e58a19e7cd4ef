// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Changing a region of a process (IBTA 11.2.8.7): other memory, other rights, another protection
 * domain. Where the device lets us it stays the same key; else there's a new region, which takes
 * over the handle. Where neither goes the region is what it was.
 */
#include "mr.h"

#define CHANGEABLE (IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | \
		    IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_RELAXED_ORDERING)

struct rereg {
	u64 start;
	u64 length;
	u64 iova;
	u32 access;
	struct mlx5_ib_pd *pd;
};

static bool is_pinned(const struct mlx5_ib_mr *mr)
{
	return !mr->umem->is_odp && !mr->umem->is_dmabuf;
}

/* Can the key get these rights? */
static bool can_get(struct mlx5_ib_mr *mr, u32 access)
{
	u32 differ = mr->access ^ access;

	return !(differ & ~CHANGEABLE) &&
	       !mlx5_ib_fixed_access(to_mdev(mr->ibmr.device), differ);
}

/* The same memory behind another key. One region at a time has it. */
static struct ib_mr *hand_over(struct mlx5_ib_mr *mr, const struct rereg *what)
{
	struct ib_mr *successor;
	int err;

	err = mlx5_ib_umr_revoke(mr);
	if (err)
		return ERR_PTR(err);
	successor = mlx5_ib_region_of_umem(what->pd, mr->umem, mr->ibmr.iova, what->access);
	if (IS_ERR(successor)) {
		mlx5_ib_umr_restore(mr);
		return successor;
	}
	mlx5_ib_count_pages(to_mdev(mr->ibmr.device), mr->umem, -1);
	mr->umem = NULL;
	return successor;
}

static struct ib_mr *change_rights(struct mlx5_ib_mr *mr, const struct rereg *what)
{
	int err;

	if (!can_get(mr, what->access))
		return is_pinned(mr) ? hand_over(mr, what) : ERR_PTR(-EOPNOTSUPP);
	err = mlx5_ib_umr_change(mr, what->pd, what->access);
	if (!err)
		mr->access = what->access;
	return ERR_PTR(err);
}

/* What a key stands for. */
struct memory {
	struct ib_umem *umem;
	u64 iova;
	u32 page_shift;
	u32 access;
	struct ib_pd *pd;
};

/*
 * The region, whose key is free, becomes one of this memory. The protection domain is told to the
 * device alone: ib_core will give it to the region, and count who uses which.
 */
static int enable_as(struct mlx5_ib_mr *mr, const struct memory *memory)
{
	struct ib_pd *pd = mr->ibmr.pd;
	int err;

	mlx5_ib_region_describe(mr, memory->umem, memory->iova, memory->page_shift);
	mr->access = memory->access;
	mr->ibmr.pd = memory->pd;
	err = mlx5_ib_umr_enable_pages(mr, true);
	mr->ibmr.pd = pd;
	return err;
}

static int change_in_place(struct mlx5_ib_mr *mr, const struct memory *next)
{
	struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	const struct memory old = {
		mr->umem, mr->ibmr.iova, mr->page_shift, mr->access, mr->ibmr.pd
	};
	int err;

	err = mlx5_ib_umr_revoke(mr);
	if (err)
		return err;
	err = enable_as(mr, next);
	if (err) {
		enable_as(mr, &old);
		return err;
	}
	mlx5_ib_count_pages(dev, old.umem, -1);
	mlx5_ib_count_pages(dev, next->umem, 1);
	ib_umem_release(old.umem);
	return 0;
}

static bool has_room(struct mlx5_ib_mr *mr, const struct memory *memory)
{
	u64 entries = ib_umem_num_dma_blocks(memory->umem, BIT(memory->page_shift));

	return entries <= mr->mkey.entries &&
	       mlx5_ib_umr_can_enable(to_mdev(mr->ibmr.device), entries);
}

/* Return: NULL: it's the same region; another one; or an errno: then the caller still has @umem. */
static struct ib_mr *move_to(struct mlx5_ib_mr *mr, const struct rereg *what, struct ib_umem *umem)
{
	unsigned long page_size = mlx5_ib_mkey_page_size(to_mdev(mr->ibmr.device), umem,
							 what->iova);
	const struct memory next = {
		umem, what->iova, page_size ? ilog2(page_size) : 0, what->access, &what->pd->ibpd
	};

	if (!page_size)
		return ERR_PTR(-EINVAL);
	if (can_get(mr, what->access) && has_room(mr, &next))
		return ERR_PTR(change_in_place(mr, &next));
	return mlx5_ib_region_of_umem(what->pd, umem, what->iova, what->access);
}

static struct ib_mr *change_memory(struct mlx5_ib_mr *mr, const struct rereg *what)
{
	struct ib_umem *umem = ib_umem_get(mr->ibmr.device, what->start, what->length,
					   what->access);
	struct ib_mr *ibmr;

	if (IS_ERR(umem))
		return ERR_CAST(umem);
	ibmr = move_to(mr, what, umem);
	if (IS_ERR(ibmr))
		ib_umem_release(umem);
	return ibmr;
}

struct ib_mr *mlx5_ib_rereg_user_mr(struct ib_mr *ibmr, int flags, u64 start, u64 length, u64 iova,
				    int access, struct ib_pd *ibpd, struct ib_udata *udata)
{
	struct mlx5_ib_mr *mr = to_mmr(ibmr);
	struct rereg what = {
		.start = start,
		.length = length,
		.iova = iova,
		.access = flags & IB_MR_REREG_ACCESS ? access : mr->access,
		.pd = to_mpd(flags & IB_MR_REREG_PD ? ibpd : ibmr->pd),
	};
	int err;

	if (flags & ~IB_MR_REREG_SUPPORTED)
		return ERR_PTR(-EOPNOTSUPP);
	/* One that was handed over, but couldn't be destroyed. */
	if (!mr->umem)
		return ERR_PTR(-EINVAL);
	err = ib_umem_check_rereg(mr->umem, flags, access);
	if (!err)
		err = mlx5_ib_umr_start(to_mdev(ibmr->device));
	if (err)
		return ERR_PTR(err);
	/* All memory stays all memory, but its parts have rights of their own: make it anew. */
	if (mlx5_ib_is_paged(mr) && mr->implicit && !(flags & IB_MR_REREG_TRANS)) {
		if (!(what.access & IB_ACCESS_ON_DEMAND))
			return ERR_PTR(-EOPNOTSUPP);
		return mlx5_ib_reg_user_mr(&what.pd->ibpd, 0, U64_MAX, 0, what.access, udata);
	}
	if (!(flags & IB_MR_REREG_TRANS))
		return change_rights(mr, &what);
	if (is_pinned(mr) && !(what.access & IB_ACCESS_ON_DEMAND))
		return change_memory(mr, &what);
	return mlx5_ib_reg_user_mr(&what.pd->ibpd, start, length, iova, what.access, udata);
}
