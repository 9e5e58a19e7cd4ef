// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The outstanding sends of a file. ib_mad gives a response to the first request that it fits,
 * so two requests of a file with the same transaction ID (and class) must not be outstanding
 * together; nor two responses of the same transaction ID to the same destination. The segments
 * that a program makes by itself (user RMPP) share a transaction ID by their nature, and are
 * exempt.
 *
 * A program chooses its transaction IDs; hence a tree, whose worst case is its usual one, and
 * which needs no memory beside the packets.
 */

#include <linux/rbtree.h>
#include <linux/string.h>

#include "umad.h"

/**
 * umad_transactions_init - prepare an empty set
 * @transactions: the set
 */
void umad_transactions_init(struct umad_transactions *transactions)
{
	spin_lock_init(&transactions->lock);
	transactions->sends = RB_ROOT;
}

/* With a GRH, the GID alone is the destination. */
static int compare_destinations(const struct ib_user_mad_hdr *a, const struct ib_user_mad_hdr *b)
{
	if (!a->grh_present != !b->grh_present)
		return a->grh_present ? 1 : -1;
	if (a->grh_present)
		return memcmp(a->gid, b->gid, sizeof(a->gid));
	return (__force u16)a->lid - (__force u16)b->lid;
}

/* The order has no meaning. A request is the same transaction wherever it goes. */
static int compare(const struct umad_packet *a, const struct umad_packet *b)
{
	u64 a_tid = (__force u64)a->mad_hdr.tid, b_tid = (__force u64)b->mad_hdr.tid;

	if (a_tid != b_tid)
		return a_tid < b_tid ? -1 : 1;
	if (a->mad_hdr.mgmt_class != b->mad_hdr.mgmt_class)
		return a->mad_hdr.mgmt_class - b->mad_hdr.mgmt_class;
	if (a->response != b->response)
		return a->response - b->response;
	return a->response ? compare_destinations(&a->hdr, &b->hdr) : 0;
}

/* Where a send belongs in the tree; NULL if there's one like it, unless @shared. */
static struct rb_node **find_place(struct rb_root *sends, const struct umad_packet *packet,
				   bool shared, struct rb_node **parent)
{
	struct rb_node **link = &sends->rb_node;
	int order;

	*parent = NULL;
	while (*link) {
		*parent = *link;
		order = compare(packet, rb_entry(*link, struct umad_packet, transaction));
		if (!order && !shared)
			return NULL;
		link = order < 0 ? &(*parent)->rb_left : &(*parent)->rb_right;
	}
	return link;
}

/**
 * umad_transaction_begin - note a send
 * @transactions: those of the file
 * @packet: the send, with its headers as they are sent; not noted yet
 * @shared: another outstanding send of the same transaction is no error
 *
 * Return: 0, and umad_transaction_end() must be called before @packet is freed or queued; or
 * -EINVAL if a send of the same transaction is outstanding.
 */
int umad_transaction_begin(struct umad_transactions *transactions, struct umad_packet *packet,
			   bool shared)
{
	struct rb_node *parent, **link;

	spin_lock(&transactions->lock);
	link = find_place(&transactions->sends, packet, shared, &parent);
	if (link) {
		rb_link_node(&packet->transaction, parent, link);
		rb_insert_color(&packet->transaction, &transactions->sends);
		packet->outstanding = true;
	}
	spin_unlock(&transactions->lock);
	return link ? 0 : -EINVAL;
}

/**
 * umad_transaction_end - a send is no longer outstanding
 * @transactions: those of the file
 * @packet: the send; if its transaction has ended, nothing happens
 */
void umad_transaction_end(struct umad_transactions *transactions, struct umad_packet *packet)
{
	spin_lock(&transactions->lock);
	if (packet->outstanding)
		rb_erase(&packet->transaction, &transactions->sends);
	packet->outstanding = false;
	spin_unlock(&transactions->lock);
}
