// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The outstanding sends of a file. ib_mad gives a response to the first request that it fits,
 * so two requests of a file with the same transaction ID (and class) must not be outstanding
 * together; nor two responses of the same transaction ID to the same destination. The segments
 * that a program makes by itself (user RMPP) share a transaction ID by their nature, and are
 * exempt.
 */

#include <linux/err.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "umad.h"

static const struct rhashtable_params params = {
	.head_offset = offsetof(struct umad_transaction, node),
	.key_offset = offsetof(struct umad_transaction, key),
	.key_len = sizeof(struct umad_transaction_key),
	.automatic_shrinking = true,
};

/**
 * umad_transactions_init - prepare an empty set
 * @transactions: the set
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int umad_transactions_init(struct umad_transactions *transactions)
{
	spin_lock_init(&transactions->lock);
	return rhashtable_init(&transactions->table, &params);
}

/**
 * umad_transactions_destroy - end of a set, whose transactions have all ended
 * @transactions: the set
 *
 * Context: may sleep.
 */
void umad_transactions_destroy(struct umad_transactions *transactions)
{
	rhashtable_destroy(&transactions->table);
}

/**
 * umad_transaction_key - what identifies a send
 * @mad: the header of the MAD, with the transaction ID as it is sent
 * @hdr: where it is sent to
 * @response: it's a response
 *
 * Return: the key.
 */
struct umad_transaction_key umad_transaction_key(const struct ib_mad_hdr *mad,
						 const struct ib_user_mad_hdr *hdr, bool response)
{
	struct umad_transaction_key key = {
		.tid = mad->tid,
		.mgmt_class = mad->mgmt_class,
		.response = response,
	};

	if (!response)
		return key;

	if (hdr->grh_present) {
		key.grh_present = 1;
		memcpy(key.gid, hdr->gid, sizeof(key.gid));
	} else {
		key.lid = hdr->lid;
	}
	return key;
}

/**
 * umad_transaction_begin - note a send
 * @transactions: those of the file
 * @key: of the send
 * @shared: outstanding sends with the same key are no error
 *
 * Context: may sleep.
 * Return: the transaction, to be given to umad_transaction_end(); ERR_PTR of -EINVAL if such a
 * send is outstanding, or of -ENOMEM.
 */
struct umad_transaction *umad_transaction_begin(struct umad_transactions *transactions,
						const struct umad_transaction_key *key,
						bool shared)
{
	struct umad_transaction *transaction, *old;

	transaction = kzalloc(sizeof(*transaction), GFP_KERNEL_ACCOUNT);
	if (!transaction)
		return ERR_PTR(-ENOMEM);
	transaction->key = *key;
	transaction->sends = 1;

	spin_lock(&transactions->lock);
	old = rhashtable_lookup_get_insert_fast(&transactions->table, &transaction->node, params);
	if (shared && !IS_ERR_OR_NULL(old))
		old->sends++;
	spin_unlock(&transactions->lock);

	if (!old)
		return transaction;
	kfree(transaction);
	if (IS_ERR(old))
		return ERR_PTR(-ENOMEM);
	return shared ? old : ERR_PTR(-EINVAL);
}

/**
 * umad_transaction_end - a send is no longer outstanding
 * @transactions: those of the file
 * @transaction: what umad_transaction_begin() returned
 */
void umad_transaction_end(struct umad_transactions *transactions,
			  struct umad_transaction *transaction)
{
	bool last;

	spin_lock(&transactions->lock);
	last = !--transaction->sends;
	if (last)
		rhashtable_remove_fast(&transactions->table, &transaction->node, params);
	spin_unlock(&transactions->lock);

	if (last)
		kfree(transaction);
}
