// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Prefetching: a process has pages brought in before the device asks for them, and waits for it or
 * not.
 */
#include <linux/sched/signal.h>

#include "odp.h"

/**
 * struct prefetch - a request under way
 * @work: of the adapter's queue
 * @how: enum mlx5_ib_paging
 * @count: ranges
 * @ranges: each of a region whose key isn't hidden meanwhile
 */
struct prefetch {
	struct work_struct work;
	unsigned int how;
	u32 count;
	struct {
		struct mlx5_ib_mr *mr;
		u64 va;
		u32 length;
	} ranges[];
};

static int check(const struct mlx5_ib_mkey *mkey, const struct mlx5_ib_mr *mr,
		 const struct ib_pd *pd, bool write)
{
	if (mkey->type != MLX5_IB_MKEY_MR)
		return -EINVAL;
	if (mr->ibmr.pd != pd || (write && !mr->umem->writable))
		return -EPERM;
	return 0;
}

static struct mlx5_ib_mr *get_region(struct ib_pd *pd, u32 lkey, bool write)
{
	struct mlx5_ib_mkey *mkey = mlx5_ib_key_find(to_mdev(pd->device), lkey);
	struct mlx5_ib_mr *mr;
	int err;

	if (IS_ERR_OR_NULL(mkey) || mkey->key != lkey) {
		if (!IS_ERR_OR_NULL(mkey))
			mlx5_ib_key_put(mkey);
		return ERR_PTR(-ENOENT);
	}
	mr = container_of(mkey, struct mlx5_ib_mr, mkey);
	err = check(mkey, mr, pd, write);
	if (!err)
		return mr;
	mlx5_ib_key_put(mkey);
	return ERR_PTR(err);
}

static int fetch(struct mlx5_ib_mr *mr, u64 va, u32 length, unsigned int how)
{
	int pages = length ? mlx5_ib_page_in(mr, va, length, how) : 0;

	if (pages < 0)
		return pages;
	atomic64_add(pages, &mr->odp_counters.prefetch);
	return 0;
}

/*
 * As long as a part that has lost its last page is on its way out, no other can take its place.
 * (The device, which isn't told so when it faults, simply comes again.)
 */
static int fetch_at_last(struct mlx5_ib_mr *mr, u64 va, u32 length, unsigned int how)
{
	int err;

	while ((err = fetch(mr, va, length, how)) == -EAGAIN && !fatal_signal_pending(current))
		flush_workqueue(to_mdev(mr->ibmr.device)->odp->others);
	return err;
}

static int fetch_now(struct ib_pd *pd, const struct ib_sge *list, u32 count, bool write,
		     unsigned int how)
{
	struct mlx5_ib_mr *mr;
	int err = 0;

	for (u32 i = 0; i < count && !err; i++) {
		mr = get_region(pd, list[i].lkey, write);
		if (IS_ERR(mr))
			return PTR_ERR(mr);
		err = fetch_at_last(mr, list[i].addr, list[i].length, how);
		mlx5_ib_key_put(&mr->mkey);
	}
	return err;
}

static void free_prefetch(struct prefetch *prefetch)
{
	while (prefetch->count--)
		mlx5_ib_key_put(&prefetch->ranges[prefetch->count].mr->mkey);
	kvfree(prefetch);
}

/* Nobody is told of what couldn't be brought in: it matters once the device asks for it. */
static void fetch_later(struct work_struct *work)
{
	struct prefetch *prefetch = container_of(work, struct prefetch, work);

	for (u32 i = 0; i < prefetch->count; i++)
		fetch(prefetch->ranges[i].mr, prefetch->ranges[i].va, prefetch->ranges[i].length,
		      prefetch->how);
	free_prefetch(prefetch);
}

static int get_regions(struct prefetch *prefetch, struct ib_pd *pd, const struct ib_sge *list,
		       u32 count, bool write)
{
	struct mlx5_ib_mr *mr;

	for (u32 i = 0; i < count; i++) {
		mr = get_region(pd, list[i].lkey, write);
		if (IS_ERR(mr))
			return PTR_ERR(mr);
		prefetch->ranges[i].mr = mr;
		prefetch->ranges[i].va = list[i].addr;
		prefetch->ranges[i].length = list[i].length;
		prefetch->count++;
	}
	return 0;
}

static int start(struct ib_pd *pd, const struct ib_sge *list, u32 count, bool write,
		 unsigned int how)
{
	struct prefetch *prefetch;
	int err;

	prefetch = kvzalloc(struct_size(prefetch, ranges, count), GFP_KERNEL_ACCOUNT);
	if (!prefetch)
		return -ENOMEM;
	prefetch->how = how;
	INIT_WORK(&prefetch->work, fetch_later);
	err = get_regions(prefetch, pd, list, count, write);
	if (err) {
		free_prefetch(prefetch);
		return err;
	}
	queue_work(to_mdev(pd->device)->odp->others, &prefetch->work);
	return 0;
}

int mlx5_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		      struct ib_sge *list, u32 count, struct uverbs_attr_bundle *attrs)
{
	bool write = advice == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE;
	unsigned int how = 0;

	if (!to_mdev(pd->device)->odp)
		return -EOPNOTSUPP;
	switch (advice) {
	case IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH:
		how = MLX5_IB_READ_ONLY;
		break;
	case IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE:
		break;
	case IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT:
		how = MLX5_IB_SNAPSHOT;
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (flags & IB_UVERBS_ADVISE_MR_FLAG_FLUSH)
		return fetch_now(pd, list, count, write, how);
	return start(pd, list, count, write, how);
}
