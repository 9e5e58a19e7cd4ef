// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Implicit regions: all of a process's memory. The translation is of keys, each of a part of the
 * address space; where there's no part yet, of the key that faults at once.
 */
#include "odp.h"

/* As many as user addresses take. */
u64 mlx5_ib_implicit_entries(void)
{
	return BIT_ULL(order_base_2(TASK_SIZE) - MLX5_IB_CHILD_SHIFT);
}

/* With the region's umem's mutex held, if there can be children. */
static void fill(struct mlx5_ib_mr *mr, void *list, u64 first, u64 count, void *context)
{
	const struct mlx5_ib_dev *dev = to_mdev(mr->ibmr.device);
	struct mlx5_klm *entry = list;
	struct mlx5_ib_mr *child;

	for (u64 index = first; index < first + count; index++, entry++) {
		child = xa_load(&mr->children, index);
		entry->bcount = cpu_to_be32(MLX5_IB_CHILD_SIZE);
		entry->key = child ? cpu_to_be32(child->mkey.key) : dev->keys.null;
		entry->va = child ? cpu_to_be64(child->ibmr.iova) : 0;
	}
}

/**
 * mlx5_ib_implicit_write - bring a part of the translation up to date
 * @mr: the region
 * @first: entry, and child, that has changed
 * @count: of them
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_implicit_write(struct mlx5_ib_mr *mr, u64 first, u64 count)
{
	struct ib_umem_odp *odp = to_ib_umem_odp(mr->umem);
	int err;

	mutex_lock(&odp->umem_mutex);
	err = mlx5_ib_umr_write(mr, first, count, mlx5_ib_implicit_entries(), fill, NULL);
	mutex_unlock(&odp->umem_mutex);
	return err;
}

static int page_in_child(struct mlx5_ib_mr *mr, u64 va, u64 length, unsigned int how, bool *is_new)
{
	struct mlx5_ib_mr *child;
	int pages;

	child = mlx5_ib_child_get(mr, va >> MLX5_IB_CHILD_SHIFT, is_new);
	if (IS_ERR(child))
		return PTR_ERR(child);
	pages = mlx5_ib_page_in_range(child, va, length, how);
	mlx5_ib_key_put(&child->mkey);
	return pages;
}

/*
 * Children are found by other faults before they're in the translation: what those brought in the
 * device doesn't see until then, and it faults again.
 */
int mlx5_ib_implicit_page_in(struct mlx5_ib_mr *mr, u64 va, u64 length, unsigned int how)
{
	u64 limit = mlx5_ib_implicit_entries() << MLX5_IB_CHILD_SHIFT;
	u64 first = U64_MAX, last = 0, part;
	int pages = 0, total = 0, err = 0;
	bool is_new;

	if (va >= limit || limit - va < length)
		return -EFAULT;
	for (; length && pages >= 0; va += part, length -= part) {
		part = min(length, MLX5_IB_CHILD_SIZE - (va & (MLX5_IB_CHILD_SIZE - 1)));
		pages = page_in_child(mr, va, part, how, &is_new);
		total += max(pages, 0);
		if (is_new) {
			first = min(first, va >> MLX5_IB_CHILD_SHIFT);
			last = va >> MLX5_IB_CHILD_SHIFT;
		}
	}
	/* Also if a later one failed. */
	if (first <= last)
		err = mlx5_ib_implicit_write(mr, first, last - first + 1);
	if (pages < 0)
		return pages;
	return err ?: total;
}

static struct mlx5_ib_mr *alloc_implicit(struct mlx5_ib_pd *pd, u32 access)
{
	struct ib_umem_odp *odp = ib_umem_odp_alloc_implicit(pd->ibpd.device, access);
	struct mlx5_ib_mr *mr;

	if (IS_ERR(odp))
		return ERR_CAST(odp);
	mr = mlx5_ib_mr_alloc(pd, MLX5_MKC_ACCESS_MODE_KSM, mlx5_ib_implicit_entries(), access);
	if (IS_ERR(mr)) {
		ib_umem_odp_release(odp);
		return mr;
	}
	mr->umem = &odp->umem;
	mr->page_shift = MLX5_IB_CHILD_SHIFT;
	mr->ibmr.iova = 0;
	mr->ibmr.length = U64_MAX;
	mr->implicit = true;
	mr->mkey.type = MLX5_IB_MKEY_MR;
	xa_init(&mr->children);
	return mr;
}

/**
 * mlx5_ib_implicit_reg - register all of the calling process's memory
 * @pd: protection domain
 * @access: IB_ACCESS_*
 *
 * Return: the region, whose key is shown, or an errno.
 */
struct mlx5_ib_mr *mlx5_ib_implicit_reg(struct mlx5_ib_pd *pd, u32 access)
{
	struct mlx5_ib_mr *mr = alloc_implicit(pd, access);
	int err;

	if (IS_ERR(mr))
		return mr;
	err = mlx5_ib_umr_enable(mr, mlx5_ib_implicit_entries(), fill, NULL);
	if (!err)
		err = mlx5_ib_key_show(to_mdev(pd->ibpd.device), &mr->mkey);
	if (!err)
		return mr;
	WARN_ON_ONCE(mlx5_ib_mr_destroy(mr));
	return ERR_PTR(err);
}
