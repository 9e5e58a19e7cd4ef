// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The firmware's commands about memory keys. mlx5_core sends them, as it has keys of its own.
 */
#include "mr.h"

/**
 * mlx5_ib_mkey_create - make a key
 * @dev: the adapter
 * @mkey: becomes it
 * @in: the command, but for the variant
 * @inlen: bytes of it
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_mkey_create(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey, u32 *in, int inlen)
{
	u8 variant = mlx5_ib_next_variant(dev);

	MLX5_SET(create_mkey_in, in, memory_key_mkey_entry.mkey_7_0, variant);
	mkey->key = variant;
	init_waitqueue_head(&mkey->wait);
	return mlx5_core_create_mkey(dev->mdev, &mkey->key, in, inlen);
}

/**
 * mlx5_ib_mkey_destroy - unmake a key
 * @dev: the adapter
 * @mkey: the key
 *
 * Return: 0 or a negative errno; then it's still there.
 */
int mlx5_ib_mkey_destroy(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey)
{
	return mlx5_core_destroy_mkey(dev->mdev, mkey->key);
}
