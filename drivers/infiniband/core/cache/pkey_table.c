// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Matching of P_Keys: the InfiniBand specification, 10.9 "Partitioning". The highest bit says
 * whether a port is a full member of the partition that the others name.
 */

#include <linux/slab.h>

#include "cache.h"

/**
 * pkey_table_alloc - make a table, which its maker fills before anybody sees it
 * @length: number of P_Keys
 *
 * Context: Sleeps.
 * Return: the table, freed with kfree_rcu(), or NULL for want of memory.
 */
struct ib_pkey_cache *pkey_table_alloc(unsigned int length)
{
	struct ib_pkey_cache *table = kzalloc(struct_size(table, keys, length), GFP_KERNEL);

	if (table)
		table->length = length;
	return table;
}

/**
 * pkey_table_find - index of a partition
 * @table: the table
 * @pkey: a P_Key, full or limited
 *
 * Context: Any.
 * Return: the first index where the port is a full member; without such, the last one where it's
 * a limited member; else -ENOENT.
 */
int pkey_table_find(const struct ib_pkey_cache *table, u16 pkey)
{
	unsigned int index;
	int limited = -ENOENT;

	for (index = 0; index < table->length; index++) {
		if ((table->keys[index] ^ pkey) & PKEY_BASE_MASK)
			continue;
		if (table->keys[index] & PKEY_FULL_MEMBER)
			return index;
		limited = index;
	}
	return limited;
}

/**
 * pkey_table_find_exact - index of a P_Key, membership included
 * @table: the table
 * @pkey: the P_Key
 *
 * Context: Any.
 * Return: the first index, or -ENOENT.
 */
int pkey_table_find_exact(const struct ib_pkey_cache *table, u16 pkey)
{
	unsigned int index;

	for (index = 0; index < table->length; index++)
		if (table->keys[index] == pkey)
			return index;
	return -ENOENT;
}
