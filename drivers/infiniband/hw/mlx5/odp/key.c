// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * From a key to the regions behind it. A window, and a key of keys that a process has made by
 * itself, name other keys, for which the device has to be asked; they, too, may be such.
 */
#include "odp.h"

/* A process can make keys of keys so that a fault never ends, and say of one that it's huge. */
#define MAX_PARTS BIT(16)
#define MAX_ENTRIES BIT(16)

/**
 * struct part - of the faulting range, by another key
 * @list: of those that are still to be done
 * @key: the key
 * @va: where, as the key has it
 * @length: bytes
 * @depth: keys on the way to this one
 */
struct part {
	struct list_head list;
	u32 key;
	u64 va;
	u64 length;
	u32 depth;
};

/* A walk over parts. */
struct walk {
	struct mlx5_ib_dev *dev;
	struct list_head parts;
	u32 count;
};

/* The variant of a window's key changes as it's bound. */
static bool is_same(const struct mlx5_ib_mkey *mkey, u32 key)
{
	if (mkey->type == MLX5_IB_MKEY_MW || mkey->type == MLX5_IB_MKEY_DEVX)
		return mlx5_base_mkey(mkey->key) == mlx5_base_mkey(key);
	return mkey->key == key;
}

/**
 * mlx5_ib_key_find - find a key on which there can be faults
 * @dev: the adapter
 * @key: as a request names it
 *
 * Return: the key, for mlx5_ib_key_put(); NULL: it's one without faults; -EFAULT: it isn't valid.
 */
struct mlx5_ib_mkey *mlx5_ib_key_find(struct mlx5_ib_dev *dev, u32 key)
{
	struct mlx5_ib_mkey *mkey;

	xa_lock(&dev->odp_keys);
	mkey = xa_load(&dev->odp_keys, mlx5_base_mkey(key));
	if (mkey && !is_same(mkey, key))
		mkey = ERR_PTR(-EFAULT);
	else if (mkey)
		refcount_inc(&mkey->faults);
	xa_unlock(&dev->odp_keys);
	return mkey;
}

static int add_part(struct walk *walk, u32 key, u64 va, u64 length, u32 depth)
{
	struct part *part;

	if (walk->count++ == MAX_PARTS)
		return -EFAULT;
	part = kmalloc(sizeof(*part), GFP_KERNEL);
	if (!part)
		return -ENOMEM;
	*part = (struct part) { .key = key, .va = va, .length = length, .depth = depth };
	list_add(&part->list, &walk->parts);
	return 0;
}

static int fault_region(struct mlx5_ib_mr *mr, const struct part *part)
{
	u64 first = part->va >> PAGE_SHIFT;
	u64 last = (part->va + part->length - 1) >> PAGE_SHIFT;
	int pages;

	if (!part->length)
		return 0;
	pages = mlx5_ib_page_in(mr, part->va, part->length, 0);
	if (pages < 0)
		return pages;
	atomic64_add(pages, &mr->odp_counters.faults);
	return pages < last - first + 1 ? -EFAULT : 0;
}

/* Bytes that one entry stands for: those of a list of blocks all the same. */
static u64 entry_length(const void *out, const struct mlx5_klm *entry)
{
	if (MLX5_GET(query_mkey_out, out, memory_key_mkey_entry.access_mode_1_0) ==
	    MLX5_MKC_ACCESS_MODE_KSM)
		return BIT_ULL(MLX5_GET(query_mkey_out, out, memory_key_mkey_entry.log_page_size));
	return be32_to_cpu(entry->bcount);
}

/* The entries that @part is made of. */
static int add_entries(struct walk *walk, const struct part *part, const void *out, u32 entries)
{
	const struct mlx5_klm *entry = MLX5_ADDR_OF(query_mkey_out, out, bsf0_klm0_pas_mtt0_1);
	u64 skip = part->va - MLX5_GET64(query_mkey_out, out, memory_key_mkey_entry.start_addr);
	u64 left = part->length, length;
	int err = 0;

	for (; entries && left && !err; entries--, entry++) {
		length = entry_length(out, entry);
		if (skip >= length) {
			skip -= length;
			continue;
		}
		length = min(length - skip, left);
		err = add_part(walk, be32_to_cpu(entry->key), be64_to_cpu(entry->va) + skip, length,
			       part->depth + 1);
		left -= length;
		skip = 0;
	}
	return err ?: left ? -EFAULT : 0;
}

/* The answer to a query has room for two entries by itself. */
#define ENTRIES_INCLUDED 2

static int fault_indirect(struct walk *walk, const struct mlx5_ib_mkey *mkey,
			  const struct part *part)
{
	struct mlx5_core_dev *mdev = walk->dev->mdev;
	u32 entries = max(mkey->entries, ENTRIES_INCLUDED);
	size_t outlen;
	void *out;
	int err;

	if (part->depth >= MLX5_CAP_GEN(mdev, max_indirection) ||
	    entries > MAX_ENTRIES)
		return -EFAULT;
	outlen = MLX5_ST_SZ_BYTES(query_mkey_out) +
		 sizeof(struct mlx5_klm) * (entries - ENTRIES_INCLUDED);
	out = kvzalloc(outlen, GFP_KERNEL);
	if (!out)
		return -ENOMEM;
	err = mlx5_core_query_mkey(mdev, mkey->key, out, outlen);
	if (!err)
		err = add_entries(walk, part, out, mkey->entries);
	kvfree(out);
	return err;
}

static int fault_part(struct walk *walk, const struct part *part)
{
	struct mlx5_ib_mkey *mkey = mlx5_ib_key_find(walk->dev, part->key);
	int err;

	/* A list may mix keys; what has no faults is there. */
	if (IS_ERR_OR_NULL(mkey))
		return PTR_ERR_OR_ZERO(mkey);
	switch (mkey->type) {
	case MLX5_IB_MKEY_MR:
		err = fault_region(container_of(mkey, struct mlx5_ib_mr, mkey), part);
		break;
	case MLX5_IB_MKEY_MW:
	case MLX5_IB_MKEY_DEVX:
		err = fault_indirect(walk, mkey, part);
		break;
	default:
		err = -EFAULT;
	}
	mlx5_ib_key_put(mkey);
	return err;
}

/**
 * mlx5_ib_fault_key - bring pages in
 * @dev: the adapter
 * @key: by which the device finds them
 * @va: where, as the key has it
 * @length: bytes
 *
 * Context: sleeps.
 * Return: 0: all of them are there; -EAGAIN: somebody else is at it, the device may try again;
 * another negative errno: it can't be done.
 */
int mlx5_ib_fault_key(struct mlx5_ib_dev *dev, u32 key, u64 va, u64 length)
{
	struct walk walk = { .dev = dev, .parts = LIST_HEAD_INIT(walk.parts) };
	struct part *part, *next;
	int err;

	err = add_part(&walk, key, va, length, 0);
	while (!err) {
		part = list_first_entry_or_null(&walk.parts, struct part, list);
		if (!part)
			return 0;
		list_del(&part->list);
		err = fault_part(&walk, part);
		kfree(part);
	}
	list_for_each_entry_safe(part, next, &walk.parts, list)
		kfree(part);
	return err;
}
