// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/rbtree.h>

#include "umad.h"

#define SA_CLASS	0x03
#define PERF_CLASS	0x04

static struct umad_transactions transactions;

static int transactions_set_up(struct kunit *test)
{
	umad_transactions_init(&transactions);
	return 0;
}

static void transactions_tear_down(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&transactions.sends));
}

static struct umad_packet *packet_of(struct kunit *test, u64 tid, u8 mgmt_class, bool response,
				     const struct ib_user_mad_hdr *to)
{
	struct umad_packet *packet = kunit_kzalloc(test, sizeof(*packet), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, packet);
	packet->hdr = *to;
	packet->mad_hdr.tid = cpu_to_be64(tid);
	packet->mad_hdr.mgmt_class = mgmt_class;
	packet->response = response;
	return packet;
}

/* The next send is outstanding from now on. */
static struct umad_packet *begin(struct kunit *test, struct umad_packet *packet)
{
	KUNIT_EXPECT_EQ(test, umad_transaction_begin(&transactions, packet, false), 0);
	return packet;
}

static void expect_duplicate(struct kunit *test, struct umad_packet *packet)
{
	KUNIT_EXPECT_EQ(test, umad_transaction_begin(&transactions, packet, false), -EINVAL);
	/* It isn't noted, so that its end is nobody's. */
	umad_transaction_end(&transactions, packet);
}

static void requests(struct kunit *test)
{
	struct ib_user_mad_hdr to = { .lid = cpu_to_be16(4) };
	struct ib_user_mad_hdr elsewhere = { .lid = cpu_to_be16(5) };
	struct umad_packet *first, *other_tid, *other_class;

	first = begin(test, packet_of(test, 7, SA_CLASS, false, &to));
	expect_duplicate(test, packet_of(test, 7, SA_CLASS, false, &to));
	expect_duplicate(test, packet_of(test, 7, SA_CLASS, false, &elsewhere));
	other_tid = begin(test, packet_of(test, 7ULL << 32, SA_CLASS, false, &to));
	other_class = begin(test, packet_of(test, 7, PERF_CLASS, false, &to));

	umad_transaction_end(&transactions, first);
	/* A second end does no harm. */
	umad_transaction_end(&transactions, first);
	first = begin(test, packet_of(test, 7, SA_CLASS, false, &elsewhere));

	umad_transaction_end(&transactions, first);
	umad_transaction_end(&transactions, other_tid);
	umad_transaction_end(&transactions, other_class);
}

static void responses(struct kunit *test)
{
	struct ib_user_mad_hdr lid4 = { .lid = cpu_to_be16(4) };
	struct ib_user_mad_hdr lid5 = { .lid = cpu_to_be16(5) };
	struct ib_user_mad_hdr gid = { .lid = cpu_to_be16(4), .grh_present = 1, .gid = { 0xfe } };
	struct ib_user_mad_hdr same_gid = { .lid = cpu_to_be16(6), .grh_present = 9,
					    .gid = { 0xfe }, .flow_label = cpu_to_be32(1) };
	struct ib_user_mad_hdr other_gid = { .grh_present = 1, .gid = { 0xfe, [15] = 1 } };
	struct umad_packet *held[5];
	int i;

	/* A response has nothing to do with a request, nor with other destinations. */
	held[0] = begin(test, packet_of(test, 7, SA_CLASS, false, &lid4));
	held[1] = begin(test, packet_of(test, 7, SA_CLASS, true, &lid4));
	held[2] = begin(test, packet_of(test, 7, SA_CLASS, true, &lid5));
	held[3] = begin(test, packet_of(test, 7, SA_CLASS, true, &gid));
	held[4] = begin(test, packet_of(test, 7, SA_CLASS, true, &other_gid));

	expect_duplicate(test, packet_of(test, 7, SA_CLASS, true, &lid4));
	expect_duplicate(test, packet_of(test, 7, SA_CLASS, true, &lid5));
	/* With a GRH, the GID alone is the destination. */
	expect_duplicate(test, packet_of(test, 7, SA_CLASS, true, &same_gid));

	for (i = 0; i < ARRAY_SIZE(held); i++)
		umad_transaction_end(&transactions, held[i]);
}

static void user_segments(struct kunit *test)
{
	struct ib_user_mad_hdr to = { .lid = cpu_to_be16(4) };
	struct umad_packet *segments[3];
	int i;

	for (i = 0; i < ARRAY_SIZE(segments); i++) {
		segments[i] = packet_of(test, 7, SA_CLASS, false, &to);
		KUNIT_EXPECT_EQ(test, 0,
				umad_transaction_begin(&transactions, segments[i], true));
	}
	/* The transaction lasts as long as any of its segments. */
	for (i = 0; i < ARRAY_SIZE(segments); i++) {
		expect_duplicate(test, packet_of(test, 7, SA_CLASS, false, &to));
		umad_transaction_end(&transactions, segments[i]);
	}
	umad_transaction_end(&transactions, begin(test, segments[0]));
}

/* Begun in one order, ended in another. */
static void many(struct kunit *test)
{
	enum { COUNT = 4999, STEP = 1777 };	/* without a common factor */
	struct ib_user_mad_hdr to = {};
	struct umad_packet **held;
	u64 i;

	held = kunit_kcalloc(test, COUNT, sizeof(*held), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, held);
	for (i = 0; i < COUNT; i++)
		held[i] = begin(test, packet_of(test, i * STEP % COUNT, SA_CLASS, false, &to));
	for (i = 0; i < COUNT; i += 99)
		expect_duplicate(test, packet_of(test, i, SA_CLASS, false, &to));
	for (i = 0; i < COUNT; i++)
		umad_transaction_end(&transactions, held[COUNT - 1 - i]);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(requests),
	KUNIT_CASE(responses),
	KUNIT_CASE(user_segments),
	KUNIT_CASE(many),
	{}
};

static struct kunit_suite suite = {
	.name = "umad_transaction",
	.init = transactions_set_up,
	.exit = transactions_tear_down,
	.test_cases = cases,
};

kunit_test_suite(suite);
