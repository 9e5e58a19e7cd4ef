// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Keys that page faults may ask for. Who works on one has raised its count of faults; who hides one
 * waits until there are none.
 */
#include "mr.h"

/**
 * mlx5_ib_key_show - let faults find a key
 * @dev: the adapter
 * @mkey: the key
 *
 * Return: 0 or a negative errno.
 */
int mlx5_ib_key_show(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey)
{
	refcount_set(&mkey->faults, 1);
	return xa_err(xa_store(&dev->odp_keys, mlx5_base_mkey(mkey->key), mkey, GFP_KERNEL));
}

/**
 * mlx5_ib_key_put - a fault has been dealt with
 * @mkey: its key; may be gone when this returns
 *
 * Context: any.
 */
void mlx5_ib_key_put(struct mlx5_ib_mkey *mkey)
{
	unsigned long flags;

	/* Under the lock that the one who waits takes last: then the key isn't touched any more. */
	spin_lock_irqsave(&mkey->wait.lock, flags);
	if (refcount_dec_and_test(&mkey->faults))
		wake_up_locked(&mkey->wait);
	spin_unlock_irqrestore(&mkey->wait.lock, flags);
}

/**
 * mlx5_ib_key_await - until all faults of a key have been dealt with
 * @mkey: the key, which no more faults can find; loses the reference that it had for being found
 *
 * Context: may sleep.
 */
void mlx5_ib_key_await(struct mlx5_ib_mkey *mkey)
{
	bool last;

	/* Whoever else had it has left mlx5_ib_key_put() by then. */
	spin_lock_irq(&mkey->wait.lock);
	last = refcount_dec_and_test(&mkey->faults);
	spin_unlock_irq(&mkey->wait.lock);
	if (last)
		return;
	wait_event(mkey->wait, !refcount_read(&mkey->faults));
	/* The last one may still be in there. */
	spin_lock_irq(&mkey->wait.lock);
	spin_unlock_irq(&mkey->wait.lock);
}

/**
 * mlx5_ib_key_hide - no fault finds a key any more, none is under way
 * @dev: the adapter
 * @mkey: the key, which needn't have been shown
 *
 * Context: may sleep.
 */
void mlx5_ib_key_hide(struct mlx5_ib_dev *dev, struct mlx5_ib_mkey *mkey)
{
	/* Nobody else can have the number, as the device still has the key. */
	if (xa_erase(&dev->odp_keys, mlx5_base_mkey(mkey->key)))
		mlx5_ib_key_await(mkey);
}
