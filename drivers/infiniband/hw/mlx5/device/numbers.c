// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Objects that the device's events and completions name by number: queue pairs, DC targets, shared
 * receive queues.
 *
 * One is found until the device has destroyed it: if the device refuses, nothing has happened, and
 * an event that came meanwhile isn't lost. But before the command that freed a number has returned,
 * the device may have given the number out anew. Then the new object takes the place over, and the
 * old one leaves it alone. An event in between is the old one's, since a new object has none before
 * its owner has learned its number.
 */
#include "../mlx5.h"

/**
 * mlx5_ib_numbers_init - make a table of such objects
 * @numbers: the table, with whose lock held objects are found, also in interrupts
 */
void mlx5_ib_numbers_init(struct xarray *numbers)
{
	xa_init_flags(numbers, XA_FLAGS_LOCK_IRQ);
}

/**
 * mlx5_ib_number_add - an object can be found from now on
 * @numbers: the table
 * @num: what the device has called it
 * @object: it
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int mlx5_ib_number_add(struct xarray *numbers, u32 num, struct mlx5_ib_numbered *object)
{
	struct mlx5_ib_numbered *old;

	refcount_set(&object->refcount, 1);
	init_completion(&object->free);
	object->placed = true;
	xa_lock_irq(numbers);
	old = __xa_store(numbers, num, object, GFP_KERNEL);
	if (old && !xa_is_err(old))
		WRITE_ONCE(old->placed, false);
	xa_unlock_irq(numbers);
	return xa_err(old);
}

/**
 * mlx5_ib_number_remove - nobody finds it any more; mlx5_ib_number_wait() has to follow
 * @numbers: the table
 * @num: its number, which by now may be another's
 * @object: of the table; if it's there no more, nothing is done
 *
 * Context: doesn't sleep.
 */
void mlx5_ib_number_remove(struct xarray *numbers, u32 num, struct mlx5_ib_numbered *object)
{
	unsigned long flags;

	xa_lock_irqsave(numbers, flags);
	if (object->placed)
		__xa_erase(numbers, num);
	object->placed = false;
	xa_unlock_irqrestore(numbers, flags);
}

/**
 * mlx5_ib_number_wait - until those who had found it are done with it; most often there's nobody
 * @object: one that has been removed
 *
 * Context: sleeps.
 */
void mlx5_ib_number_wait(struct mlx5_ib_numbered *object)
{
	if (!refcount_dec_and_test(&object->refcount))
		wait_for_completion(&object->free);
}

/**
 * mlx5_ib_number_get - find an object
 * @numbers: the table
 * @num: its number
 *
 * Context: any; doesn't sleep.
 * Return: the object, for mlx5_ib_number_put(), or NULL.
 */
struct mlx5_ib_numbered *mlx5_ib_number_get(struct xarray *numbers, u32 num)
{
	struct mlx5_ib_numbered *object;
	unsigned long flags;

	xa_lock_irqsave(numbers, flags);
	object = xa_load(numbers, num);
	if (object)
		refcount_inc(&object->refcount);
	xa_unlock_irqrestore(numbers, flags);
	return object;
}

/**
 * mlx5_ib_number_put - done with an object that was found
 * @object: it
 *
 * Context: any; doesn't sleep.
 */
void mlx5_ib_number_put(struct mlx5_ib_numbered *object)
{
	if (refcount_dec_and_test(&object->refcount))
		complete(&object->free);
}
