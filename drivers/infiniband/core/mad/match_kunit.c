// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which send a response belongs to. */

#include <kunit/test.h>

#include "mad.h"

static struct mad_send *new_send(struct kunit *test, struct rb_root *root, u64 tid, u8 mgmt_class,
				 enum mad_send_state state)
{
	struct mad_send *send = kunit_kzalloc(test, sizeof(*send), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, send);
	RB_CLEAR_NODE(&send->match_node);
	send->tid = cpu_to_be64(tid);
	send->mgmt_class = mgmt_class;
	send->state = state;
	mad_match_insert(root, send);
	return send;
}

static bool any(const struct mad_send *send, const void *context)
{
	return true;
}

static bool other_than(const struct mad_send *send, const void *context)
{
	return send != context;
}

static struct mad_send *find(const struct rb_root *root, u64 tid, u8 mgmt_class)
{
	return mad_match_find(root, cpu_to_be64(tid), mgmt_class, any, NULL);
}

static void tid_and_class_must_agree(struct kunit *test)
{
	struct rb_root root = RB_ROOT;
	struct mad_send *send = new_send(test, &root, 7, 3, MAD_SEND_WAITING);

	KUNIT_EXPECT_PTR_EQ(test, find(&root, 7, 3), send);
	KUNIT_EXPECT_NULL(test, find(&root, 7, 4));
	KUNIT_EXPECT_NULL(test, find(&root, 8, 3));
	KUNIT_EXPECT_NULL(test, find(&root, 7ULL << 32, 3));
}

static void what_is_removed_isnt_found(struct kunit *test)
{
	struct rb_root root = RB_ROOT;
	struct mad_send *send = new_send(test, &root, 7, 3, MAD_SEND_WAITING);

	mad_match_remove(&root, send);
	KUNIT_EXPECT_NULL(test, find(&root, 7, 3));
	mad_match_remove(&root, send);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&root));
}

static void same_tid_in_order_of_sending(struct kunit *test)
{
	struct rb_root root = RB_ROOT;
	struct mad_send *first = new_send(test, &root, 7, 3, MAD_SEND_WAITING);
	struct mad_send *second = new_send(test, &root, 7, 3, MAD_SEND_WAITING);

	KUNIT_EXPECT_PTR_EQ(test, find(&root, 7, 3), first);
	KUNIT_EXPECT_PTR_EQ(test, mad_match_find(&root, cpu_to_be64(7), 3, other_than, first),
			    second);
	mad_match_remove(&root, first);
	KUNIT_EXPECT_PTR_EQ(test, find(&root, 7, 3), second);
}

static void sent_before_posted(struct kunit *test)
{
	struct rb_root root = RB_ROOT;
	struct mad_send *posted = new_send(test, &root, 7, 3, MAD_SEND_POSTED);
	struct mad_send *waiting = new_send(test, &root, 7, 3, MAD_SEND_WAITING);

	KUNIT_EXPECT_PTR_EQ(test, find(&root, 7, 3), waiting);
	waiting->state = MAD_SEND_ANSWERING;
	KUNIT_EXPECT_PTR_EQ(test, find(&root, 7, 3), posted);
}

/* A second response to the same request, or one to a request that was canceled. */
static void answered_and_canceled_arent_found(struct kunit *test)
{
	static const enum mad_send_state closed[] = {
		MAD_SEND_ANSWERING, MAD_SEND_ANSWERING_POSTED, MAD_SEND_DECIDED_POSTED,
		MAD_SEND_CANCELED, MAD_SEND_LOCAL,
	};
	struct rb_root root = RB_ROOT;
	struct mad_send *send = new_send(test, &root, 7, 3, MAD_SEND_WAITING);
	int i;

	for (i = 0; i < ARRAY_SIZE(closed); i++) {
		send->state = closed[i];
		KUNIT_EXPECT_NULL(test, find(&root, 7, 3));
	}
}

static unsigned int depth(const struct rb_node *node)
{
	return node ? 1 + max(depth(node->rb_left), depth(node->rb_right)) : 0;
}

/* Whatever TIDs a client makes, all of them the same included, the way to one stays short. */
static void ten_thousand_outstanding(struct kunit *test)
{
	struct rb_root root = RB_ROOT, same = RB_ROOT;
	struct mad_send *first = NULL, *send;
	u64 i;

	for (i = 0; i < 10000; i++) {
		new_send(test, &root, i << 32 | i, 3, MAD_SEND_WAITING);
		send = new_send(test, &same, 1, 3, MAD_SEND_WAITING);
		first = first ?: send;
	}
	for (i = 0; i < 10000; i++)
		KUNIT_EXPECT_EQ(test, be64_to_cpu(find(&root, i << 32 | i, 3)->tid), i << 32 | i);
	KUNIT_EXPECT_LE(test, depth(root.rb_node), 28);
	KUNIT_EXPECT_LE(test, depth(same.rb_node), 28);
	KUNIT_EXPECT_PTR_EQ(test, find(&same, 1, 3), first);
}

/* ---- addresses ---- */

static const struct mad_route request = { .remote_lid = 4, .path_bits = 1 };
static const struct mad_route response = { .response = true, .remote_lid = 9, .path_bits = 1 };

static void two_of_a_kind_dont_match(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, mad_routes_match(&request, &request, 0));
	KUNIT_EXPECT_FALSE(test, mad_routes_match(&response, &response, 0));
}

/* The subnet manager may answer from another LID than it was asked at. */
static void response_from_another_lid(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, mad_routes_match(&request, &response, 0));
	KUNIT_EXPECT_TRUE(test, mad_routes_match(&request, &response, 3));
}

static void response_to_another_of_our_lids(struct kunit *test)
{
	struct mad_route received = response;

	received.path_bits = 3;
	KUNIT_EXPECT_FALSE(test, mad_routes_match(&request, &received, 2));
	/* Bits beyond the LMC aren't ours. */
	KUNIT_EXPECT_TRUE(test, mad_routes_match(&request, &received, 1));
	KUNIT_EXPECT_TRUE(test, mad_routes_match(&request, &received, 0));
}

static void reply_to_our_response(struct kunit *test)
{
	struct mad_route received = { .remote_lid = 9 };

	KUNIT_EXPECT_TRUE(test, mad_routes_match(&response, &received, 3));
	received.remote_lid = 8;
	KUNIT_EXPECT_FALSE(test, mad_routes_match(&response, &received, 3));
}

static void global_routes(struct kunit *test)
{
	struct mad_route sent = request, received = response;

	sent.grh = true;
	KUNIT_EXPECT_FALSE(test, mad_routes_match(&sent, &received, 0));
	received.grh = true;
	received.path_bits = 0;
	received.remote_gid.raw[15] = 1;
	KUNIT_EXPECT_TRUE(test, mad_routes_match(&sent, &received, 3));
	received.local_gid.raw[15] = 1;
	KUNIT_EXPECT_FALSE(test, mad_routes_match(&sent, &received, 0));

	sent.response = true;
	received.response = false;
	KUNIT_EXPECT_FALSE(test, mad_routes_match(&sent, &received, 0));
	sent.remote_gid.raw[15] = 1;
	KUNIT_EXPECT_TRUE(test, mad_routes_match(&sent, &received, 0));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(tid_and_class_must_agree),
	KUNIT_CASE(what_is_removed_isnt_found),
	KUNIT_CASE(same_tid_in_order_of_sending),
	KUNIT_CASE(sent_before_posted),
	KUNIT_CASE(answered_and_canceled_arent_found),
	KUNIT_CASE(ten_thousand_outstanding),
	KUNIT_CASE(two_of_a_kind_dont_match),
	KUNIT_CASE(response_from_another_lid),
	KUNIT_CASE(response_to_another_of_our_lids),
	KUNIT_CASE(reply_to_our_response),
	KUNIT_CASE(global_routes),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_match",
	.test_cases = cases,
};

kunit_test_suite(suite);
