// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * How keys are sorted into bins: by what can't be changed, and by room, in powers of 2. So a key
 * has at most twice the room that a region needs, but for the smallest.
 */
#include "mr.h"

/* Entries of all keys in a bin, at most; in the device an entry takes 8 or 16 bytes. */
#define BIN_ENTRIES BIT(20)
#define BIN_KEYS 256
#define BIN_KEYS_LEAST 2

static const u32 modes[MLX5_IB_BIN_MODES] = { MLX5_MKC_ACCESS_MODE_MTT, MLX5_MKC_ACCESS_MODE_KSM };

static const u32 rights[MLX5_IB_BIN_RIGHTS] = {
	0,
	IB_ACCESS_REMOTE_ATOMIC,
	IB_ACCESS_RELAXED_ORDERING,
	IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_RELAXED_ORDERING,
};

static int index_of(u32 value, const u32 *values, int count)
{
	for (int i = 0; i < count; i++)
		if (values[i] == value)
			return i;
	return -ENOENT;
}

/**
 * mlx5_ib_bin_of - which bin has keys that will do
 * @wanted: of a key; its entries are what's needed
 *
 * Return: 0 to MLX5_IB_BINS - 1, or -ENOENT: such keys aren't kept.
 */
int mlx5_ib_bin_of(const struct mlx5_ib_bin_kind *wanted)
{
	int mode = index_of(wanted->access_mode, modes, MLX5_IB_BIN_MODES);
	int right = index_of(wanted->access, rights, MLX5_IB_BIN_RIGHTS);
	int order = wanted->entries > 1 ? ilog2(wanted->entries - 1) + 1 : 0;

	order = max(order, MLX5_IB_BIN_FIRST_ORDER);
	if (mode < 0 || right < 0 || order > MLX5_IB_BIN_LAST_ORDER)
		return -ENOENT;
	return (mode * MLX5_IB_BIN_RIGHTS + right) * MLX5_IB_BIN_ORDERS + order -
	       MLX5_IB_BIN_FIRST_ORDER;
}

static int order_of(int bin)
{
	return MLX5_IB_BIN_FIRST_ORDER + bin % MLX5_IB_BIN_ORDERS;
}

/* The kind of key that a bin has. */
struct mlx5_ib_bin_kind mlx5_ib_bin_kind(int bin)
{
	int group = bin / MLX5_IB_BIN_ORDERS;

	return (struct mlx5_ib_bin_kind) {
		.access_mode = modes[group / MLX5_IB_BIN_RIGHTS],
		.access = rights[group % MLX5_IB_BIN_RIGHTS],
		.entries = BIT_ULL(order_of(bin)),
	};
}

/* How many keys a bin has room for. */
u32 mlx5_ib_bin_room(int bin)
{
	return clamp_t(u32, BIN_ENTRIES >> order_of(bin), BIN_KEYS_LEAST, BIN_KEYS);
}

/* The profile begins with keys of 2^2 entries. */
#define PROFILE_FIRST_ORDER 2
static_assert(MLX5_IB_BIN_LAST_ORDER - PROFILE_FIRST_ORDER <= MKEY_CACHE_LAST_STD_ENTRY);

/**
 * mlx5_ib_bin_reserve - how many keys are made ahead of regions
 * @bin: of this bin
 * @profile: mlx5_core's
 *
 * Return: the number, no more than the bin has room for; 0: none.
 */
u32 mlx5_ib_bin_reserve(int bin, const struct mlx5_profile *profile)
{
	int limit = profile->mr_cache[order_of(bin) - PROFILE_FIRST_ORDER].limit;

	if (!(profile->mask & MLX5_PROF_MASK_MR_CACHE) ||
	    mlx5_ib_bin_kind(bin).access_mode != MLX5_MKC_ACCESS_MODE_MTT)
		return 0;
	return clamp_t(int, limit, 0, mlx5_ib_bin_room(bin));
}

/**
 * mlx5_ib_bin_surplus - how many keys a bin should lose
 * @count: that it has
 * @idle: that it has had all the time since this was last asked for
 *
 * Return: half of those that nobody needed, the last one, too.
 */
u32 mlx5_ib_bin_surplus(u32 count, u32 idle)
{
	return DIV_ROUND_UP(min(count, idle), 2);
}
