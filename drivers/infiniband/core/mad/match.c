// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Which send an incoming MAD answers: one with the same TID and class, to the node that the MAD
 * comes from. IBTA volume 1, chapter 13.4.6.4. A client chooses its TIDs as it likes, and a
 * hostile one has many sends with the same; hence a tree, which needs no memory of its own and
 * whose worst case is its usual one.
 */

#include "mad.h"

static int compare(__be64 tid, u8 mgmt_class, const struct rb_node *node)
{
	const struct mad_send *send = rb_entry(node, struct mad_send, match_node);

	if (tid != send->tid)
		return (__force u64)tid < (__force u64)send->tid ? -1 : 1;
	return mgmt_class - send->mgmt_class;
}

static bool before(struct rb_node *a, const struct rb_node *b)
{
	const struct mad_send *send = rb_entry(a, struct mad_send, match_node);

	return compare(send->tid, send->mgmt_class, b) < 0;
}

/* Those with the same TID and class stay in the order in which they were sent. */
void mad_match_insert(struct rb_root *root, struct mad_send *send)
{
	rb_add(&send->match_node, root, before);
}

void mad_match_remove(struct rb_root *root, struct mad_send *send)
{
	if (RB_EMPTY_NODE(&send->match_node))
		return;
	rb_erase(&send->match_node, root);
	RB_CLEAR_NODE(&send->match_node);
}

static struct rb_node *first_match(const struct rb_root *root, __be64 tid, u8 mgmt_class)
{
	struct rb_node *node = root->rb_node, *found = NULL;

	while (node) {
		int order = compare(tid, mgmt_class, node);

		if (!order)
			found = node;
		node = order <= 0 ? node->rb_left : node->rb_right;
	}
	return found;
}

/**
 * mad_match_find - find the send that a MAD answers
 * @root: the sends that await an answer
 * @tid: of the MAD
 * @mgmt_class: of the MAD
 * @fits: whether a send with this TID and class is the one
 * @context: for @fits
 *
 * Of several, one that is known to be on the wire goes first; it's possible that an answer comes
 * before the send queue says that it's done.
 *
 * Return: a send whose outcome is open, or NULL.
 */
struct mad_send *mad_match_find(const struct rb_root *root, __be64 tid, u8 mgmt_class,
				mad_match_fn fits, const void *context)
{
	struct mad_send *send, *posted = NULL;
	struct rb_node *node;

	for (node = first_match(root, tid, mgmt_class); node && !compare(tid, mgmt_class, node);
	     node = rb_next(node)) {
		send = rb_entry(node, struct mad_send, match_node);
		if (!mad_send_open(send->state) || !fits(send, context))
			continue;
		if (send->state == MAD_SEND_WAITING)
			return send;
		posted = posted ?: send;
	}
	return posted;
}

/**
 * mad_routes_match - whether a MAD comes from where another one went to
 * @sent: the one that was sent
 * @received: the one that was received
 * @lmc: the port has two to the power of this LIDs
 *
 * A response to our request may well come from another LID: of a subnet manager that has taken
 * over, or of a port that has several. What must agree is where we said that we were. In what
 * the other side began (it acknowledges our response) it's the other side's address that counts.
 *
 * Return: whether it does.
 */
bool mad_routes_match(const struct mad_route *sent, const struct mad_route *received, u8 lmc)
{
	if (sent->response == received->response || sent->grh != received->grh)
		return false;
	if (sent->response)
		return sent->grh ? !memcmp(&sent->remote_gid, &received->remote_gid,
					   sizeof(union ib_gid)) :
				   sent->remote_lid == received->remote_lid;
	return sent->grh ? !memcmp(&sent->local_gid, &received->local_gid, sizeof(union ib_gid)) :
			   !((sent->path_bits ^ received->path_bits) & ((1U << lmc) - 1));
}
