// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Keys of regions that are gone wait here for the next region, which then costs no command. A key
 * that waits is free, so the device refuses it, and it's in no consumer's protection domain; it's
 * given away with another variant, so that who has kept the old key can't use it.
 *
 * Once regions of a kind come, keys for more of them are made ahead, as many as mlx5_core's profile
 * says. None is made for kinds that nobody uses: with the usual profile there would be thousands of
 * them, to be destroyed one by one when the driver goes.
 */
#include "mr.h"

/* Who registers rarely pays for a command each time; who registers all the time never does. */
#define SHRINK_AFTER (60 * HZ)

/**
 * struct mlx5_ib_key_bin - keys of one kind
 * @room: for so many keys
 * @reserve: how many of them are made ahead
 * @low: some should be made
 * @lock: guards all that follows
 * @keys: a stack; NULL until the first key comes
 * @count: of them
 * @idle: the least that @count has been since the last shrinking
 */
struct mlx5_ib_key_bin {
	u32 room;
	u32 reserve;
	bool low;
	spinlock_t lock; /* inside of all others */
	u32 *keys;
	u32 count;
	u32 idle;
};

/**
 * struct mlx5_ib_key_cache - keys that wait
 * @dev: the adapter
 * @variant: the variant of the last key that was made or given away
 * @shrink: from time to time, while there are any keys
 * @fill: makes keys for bins that are low
 * @closed: no more keys are made ahead
 * @bins: see bins.c
 */
struct mlx5_ib_key_cache {
	struct mlx5_ib_dev *dev;
	atomic_t variant;
	struct delayed_work shrink;
	struct work_struct fill;
	bool closed;
	struct mlx5_ib_key_bin bins[MLX5_IB_BINS];
};

u8 mlx5_ib_next_variant(struct mlx5_ib_dev *dev)
{
	return atomic_inc_return(&dev->cache->variant);
}

static bool pop(struct mlx5_ib_key_bin *bin, u32 *key)
{
	bool found;

	spin_lock(&bin->lock);
	found = bin->count;
	if (found)
		*key = bin->keys[--bin->count];
	bin->idle = min(bin->idle, bin->count);
	spin_unlock(&bin->lock);
	return found;
}

static int create_free(struct mlx5_ib_dev *dev, const struct mlx5_ib_bin_kind *kind,
		       struct mlx5_ib_mkey *mkey)
{
	const struct mlx5_ib_mkc values = {
		.pdn = to_mpd(dev->umr->pd)->pdn,
		.access = kind->access,
		.relaxed = mlx5_ib_relaxed(dev, kind->access),
		.free = true,
		.page_shift = PAGE_SHIFT,
	};
	u32 *in = kzalloc(MLX5_ST_SZ_BYTES(create_mkey_in), GFP_KERNEL);
	void *mkc;
	int err;

	if (!in)
		return -ENOMEM;
	mkc = MLX5_ADDR_OF(create_mkey_in, in, memory_key_mkey_entry);
	mlx5_ib_mkc_put(mkc, &values);
	mlx5_ib_mkc_put_list(mkc, kind->access_mode, kind->entries);
	err = mlx5_ib_mkey_create(dev, mkey, in, MLX5_ST_SZ_BYTES(create_mkey_in));
	kfree(in);
	return err;
}

/* For a region. */
static bool take(struct mlx5_ib_key_cache *cache, struct mlx5_ib_key_bin *bin, u32 *key)
{
	bool found = pop(bin, key);

	if (READ_ONCE(bin->count) < bin->reserve / 2 && !READ_ONCE(bin->low)) {
		WRITE_ONCE(bin->low, true);
		queue_work(system_unbound_wq, &cache->fill);
	}
	return found;
}

/*
 * A free key of at least this kind. One that no bin is for is made for this region alone. The umr
 * queue has been started.
 */
int mlx5_ib_cache_take(struct mlx5_ib_dev *dev, const struct mlx5_ib_bin_kind *wanted,
		       struct mlx5_ib_mr *mr)
{
	struct mlx5_ib_bin_kind kind = *wanted;
	int bin = mlx5_ib_bin_of(wanted);
	u32 key;

	if (bin >= 0) {
		mr->bin = &dev->cache->bins[bin];
		kind = mlx5_ib_bin_kind(bin);
	}
	mr->access_mode = kind.access_mode;
	mr->mkey.entries = kind.entries;
	if (!mr->bin || !take(dev->cache, mr->bin, &key))
		return create_free(dev, &kind, &mr->mkey);
	mr->mkey.key = mlx5_base_mkey(key) | mlx5_ib_next_variant(dev);
	init_waitqueue_head(&mr->mkey.wait);
	return 0;
}

/* The stack is made outside the lock; of two the second one is for nothing. */
static bool have_stack(struct mlx5_ib_key_bin *bin)
{
	u32 *keys;

	if (READ_ONCE(bin->keys))
		return true;
	keys = kmalloc_array(bin->room, sizeof(*keys), GFP_KERNEL);
	if (!keys)
		return false;
	spin_lock(&bin->lock);
	if (!bin->keys) {
		WRITE_ONCE(bin->keys, keys);
		keys = NULL;
	}
	spin_unlock(&bin->lock);
	kfree(keys);
	return true;
}

/* A free key goes to its bin. False: there's no room for it. */
static bool push(struct mlx5_ib_key_cache *cache, struct mlx5_ib_key_bin *bin, u32 key)
{
	bool fits;

	if (!have_stack(bin))
		return false;
	spin_lock(&bin->lock);
	fits = bin->count < bin->room;
	if (fits)
		bin->keys[bin->count++] = key;
	spin_unlock(&bin->lock);
	if (fits && !delayed_work_pending(&cache->shrink))
		queue_delayed_work(system_unbound_wq, &cache->shrink, SHRINK_AFTER);
	return fits;
}

/* That of a region that goes; as above. */
bool mlx5_ib_cache_put(struct mlx5_ib_mr *mr)
{
	return push(to_mdev(mr->ibmr.device)->cache, mr->bin, mr->mkey.key);
}

/* False: no more of them. */
static bool add_one(struct mlx5_ib_key_cache *cache, struct mlx5_ib_key_bin *bin,
		    const struct mlx5_ib_bin_kind *kind)
{
	struct mlx5_ib_mkey mkey;

	if (create_free(cache->dev, kind, &mkey))
		return false;
	if (push(cache, bin, mkey.key))
		return true;
	mlx5_ib_mkey_destroy(cache->dev, &mkey);
	return false;
}

static void fill(struct work_struct *work)
{
	struct mlx5_ib_key_cache *cache = container_of(work, struct mlx5_ib_key_cache, fill);

	for (int i = 0; i < MLX5_IB_BINS; i++) {
		const struct mlx5_ib_bin_kind kind = mlx5_ib_bin_kind(i);
		struct mlx5_ib_key_bin *bin = &cache->bins[i];

		if (!READ_ONCE(bin->low))
			continue;
		while (!READ_ONCE(cache->closed) && READ_ONCE(bin->count) < bin->reserve &&
		       add_one(cache, bin, &kind))
			;
		/* Whatever has become of it: the next region that finds few asks again. */
		WRITE_ONCE(bin->low, false);
	}
}

static void drop(struct mlx5_ib_dev *dev, struct mlx5_ib_key_bin *bin, u32 count)
{
	u32 key;

	for (; count && pop(bin, &key); count--)
		mlx5_core_destroy_mkey(dev->mdev, key);
}

/* How many keys are left. */
static u32 shrink_bin(struct mlx5_ib_dev *dev, struct mlx5_ib_key_bin *bin)
{
	u32 surplus, left;

	spin_lock(&bin->lock);
	surplus = mlx5_ib_bin_surplus(bin->count, bin->idle);
	spin_unlock(&bin->lock);
	drop(dev, bin, surplus);
	spin_lock(&bin->lock);
	left = bin->count;
	bin->idle = left;
	spin_unlock(&bin->lock);
	return left;
}

static void shrink(struct work_struct *work)
{
	struct mlx5_ib_key_cache *cache =
		container_of(work, struct mlx5_ib_key_cache, shrink.work);
	u32 left = 0;

	for (int i = 0; i < MLX5_IB_BINS; i++)
		left += shrink_bin(cache->dev, &cache->bins[i]);
	if (left)
		queue_delayed_work(system_unbound_wq, &cache->shrink, SHRINK_AFTER);
}

/* All keys go. No region comes or goes meanwhile, or afterwards. */
void mlx5_ib_cache_drain(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_key_cache *cache = dev->cache;

	WRITE_ONCE(cache->closed, true);
	cancel_work_sync(&cache->fill);
	cancel_delayed_work_sync(&cache->shrink);
	for (int i = 0; i < MLX5_IB_BINS; i++)
		drop(dev, &cache->bins[i], U32_MAX);
}

/**
 * mlx5_ib_keys_init - keys can be made from now on
 * @dev: the adapter
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_keys_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_key_cache *cache = kvzalloc(sizeof(*cache), GFP_KERNEL);

	if (!cache)
		return -ENOMEM;
	cache->dev = dev;
	INIT_DELAYED_WORK(&cache->shrink, shrink);
	INIT_WORK(&cache->fill, fill);
	for (int i = 0; i < MLX5_IB_BINS; i++) {
		spin_lock_init(&cache->bins[i].lock);
		cache->bins[i].room = mlx5_ib_bin_room(i);
		cache->bins[i].reserve = mlx5_ib_bin_reserve(i, &dev->mdev->profile);
	}
	dev->cache = cache;
	return 0;
}

/**
 * mlx5_ib_keys_cleanup - no key will be made any more
 * @dev: the adapter, whose umr queue is gone
 */
void mlx5_ib_keys_cleanup(struct mlx5_ib_dev *dev)
{
	struct mlx5_ib_key_cache *cache = dev->cache;

	cancel_delayed_work_sync(&cache->shrink);
	for (int i = 0; i < MLX5_IB_BINS; i++)
		kfree(cache->bins[i].keys);
	dev->cache = NULL;
	kvfree(cache);
}
