// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The parts of an implicit region: regions of their own, made at the first fault in them, and gone
 * when they have no page any more.
 *
 * An implicit region's list of children is read by faults, under the list's lock, and by whoever
 * writes its translation, under its umem's mutex. Who changes the list has the translation written
 * afterwards, and only then a child may go: so none that's named there, or will be in a moment, is
 * gone.
 *
 * A child's count of faults is one for being in the list.
 */
#include "odp.h"

#define CHILD_PAGES (MLX5_IB_CHILD_SIZE >> PAGE_SHIFT)

static int enable(struct mlx5_ib_mr *child)
{
	struct ib_umem_odp *odp = to_ib_umem_odp(child->umem);
	int err;

	mutex_lock(&odp->umem_mutex);
	err = mlx5_ib_umr_enable_pages(child, false);
	mutex_unlock(&odp->umem_mutex);
	return err;
}

/* A key that can't be taken from the device keeps its memory; there's nobody left to try again. */
static void discard(struct mlx5_ib_mr *child)
{
	WARN_ON_ONCE(mlx5_ib_mr_destroy(child));
}

static struct mlx5_ib_mr *alloc_child(struct mlx5_ib_mr *mr, unsigned long index)
{
	u64 start = (u64)index << MLX5_IB_CHILD_SHIFT;
	struct ib_umem_odp *odp;
	struct mlx5_ib_mr *child;

	odp = ib_umem_odp_alloc_child(to_ib_umem_odp(mr->umem), start, MLX5_IB_CHILD_SIZE,
				      &mlx5_ib_odp_notifier);
	if (IS_ERR(odp))
		return ERR_CAST(odp);
	child = mlx5_ib_mr_alloc(to_mpd(mr->ibmr.pd), MLX5_MKC_ACCESS_MODE_MTT, CHILD_PAGES,
				 mr->access);
	if (IS_ERR(child)) {
		ib_umem_odp_release(odp);
		return child;
	}
	child->umem = &odp->umem;
	child->page_shift = odp->page_shift;
	child->ibmr.iova = start;
	child->ibmr.length = MLX5_IB_CHILD_SIZE;
	child->parent = mr;
	odp->private = child;
	return child;
}

static struct mlx5_ib_mr *make(struct mlx5_ib_mr *mr, unsigned long index)
{
	struct mlx5_ib_mr *child = alloc_child(mr, index);
	int err;

	if (IS_ERR(child))
		return child;
	err = enable(child);
	if (err) {
		discard(child);
		return ERR_PTR(err);
	}
	child->mkey.type = MLX5_IB_MKEY_CHILD;
	refcount_set(&child->mkey.faults, 1);
	return child;
}

/* With the list's lock held. */
static struct mlx5_ib_mr *get_locked(struct mlx5_ib_mr *mr, unsigned long index)
{
	struct mlx5_ib_mr *child = xa_load(&mr->children, index);

	if (child)
		refcount_inc(&child->mkey.faults);
	return child;
}

static struct mlx5_ib_mr *get(struct mlx5_ib_mr *mr, unsigned long index)
{
	struct mlx5_ib_mr *child;

	xa_lock(&mr->children);
	child = get_locked(mr, index);
	xa_unlock(&mr->children);
	return child;
}

/* Puts it into the list, unless another is there: that's returned; or one that's about to go. */
static struct mlx5_ib_mr *insert(struct mlx5_ib_mr *mr, unsigned long index,
				 struct mlx5_ib_mr *child)
{
	struct mlx5_ib_mr *other;

	xa_lock(&mr->children);
	other = __xa_cmpxchg(&mr->children, index, NULL, child, GFP_KERNEL);
	if (xa_is_err(other))
		other = ERR_PTR(xa_err(other));
	else
		other = get_locked(mr, index) ?: ERR_PTR(-EAGAIN);
	xa_unlock(&mr->children);
	return other;
}

/**
 * mlx5_ib_child_get - a part of an implicit region
 * @mr: the region
 * @index: which
 * @is_new: it has been made; the region's translation has to be written afterwards
 *
 * Return: the part, for mlx5_ib_key_put() of its key, or an errno.
 */
struct mlx5_ib_mr *mlx5_ib_child_get(struct mlx5_ib_mr *mr, unsigned long index, bool *is_new)
{
	struct mlx5_ib_mr *child, *winner;

	*is_new = false;
	child = get(mr, index);
	if (child)
		return child;
	child = make(mr, index);
	if (IS_ERR(child))
		return child;
	winner = insert(mr, index, child);
	*is_new = winner == child;
	if (winner != child)
		discard(child);
	return winner;
}

static unsigned long index_of(struct mlx5_ib_mr *child)
{
	return child->ibmr.iova >> MLX5_IB_CHILD_SHIFT;
}

/*
 * Its place in the list is reserved: nobody finds a child there or makes another, and one that has
 * to stay gets it back without memory.
 */
static int destroy(struct mlx5_ib_mr *child)
{
	struct mlx5_ib_mr *mr = child->parent;
	unsigned long index = index_of(child);
	int err;

	err = mlx5_ib_implicit_write(mr, index, 1);
	if (!err)
		err = mlx5_ib_mr_destroy(child);
	if (!err) {
		xa_erase(&mr->children, index);
		return 0;
	}
	refcount_set(&child->mkey.faults, 1);
	xa_store(&mr->children, index, child, 0);
	return err;
}

static void destroy_unused(struct work_struct *work)
{
	struct mlx5_ib_mr *child = container_of(work, struct mlx5_ib_mr, destroy_work);
	struct mlx5_ib_mr *mr = child->parent;

	/* It's out of the list: until those who had found it there are done with it. */
	mlx5_ib_key_await(&child->mkey);
	if (destroy(child))
		mlx5_ib_dbg(to_mdev(mr->ibmr.device), "a part of key 0x%x stays\n", mr->mkey.key);
	mlx5_ib_key_put(&mr->mkey);
}

/*
 * A child has lost its last page. Its umem's mutex is held, and so it's destroyed elsewhere; the
 * region, which waits for its faults before it goes, counts that as one.
 */
void mlx5_ib_child_unused(struct mlx5_ib_mr *child)
{
	struct mlx5_ib_mr *mr = child->parent;
	struct mlx5_ib_mr *was;

	/* The region is about to go, and its children with it. */
	if (!refcount_inc_not_zero(&mr->mkey.faults))
		return;
	was = xa_cmpxchg(&mr->children, index_of(child), child, XA_ZERO_ENTRY, 0);
	if (was != child) {
		mlx5_ib_key_put(&mr->mkey);
		return;
	}
	INIT_WORK(&child->destroy_work, destroy_unused);
	queue_work(to_mdev(mr->ibmr.device)->odp->others, &child->destroy_work);
}

/**
 * mlx5_ib_children_destroy - destroy all parts of an implicit region
 * @mr: the region; no fault finds it any more
 *
 * Return: 0, or a negative errno: some are still there, and this can be tried again.
 */
int mlx5_ib_children_destroy(struct mlx5_ib_mr *mr)
{
	struct mlx5_ib_mr *child;
	unsigned long index;
	int err;

	xa_for_each(&mr->children, index, child) {
		xa_store(&mr->children, index, XA_ZERO_ENTRY, 0);
		err = destroy(child);
		if (err)
			return err;
	}
	xa_destroy(&mr->children);
	return 0;
}
