// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "umad.h"

#define SA_CLASS	0x03
#define PERF_CLASS	0x04

static struct umad_transactions transactions;

static int transactions_set_up(struct kunit *test)
{
	return umad_transactions_init(&transactions);
}

static void transactions_tear_down(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, atomic_read(&transactions.table.nelems), 0);
	umad_transactions_destroy(&transactions);
}

static struct umad_transaction_key key_of(u64 tid, u8 mgmt_class, bool response,
					  const struct ib_user_mad_hdr *to)
{
	struct ib_mad_hdr mad = { .tid = cpu_to_be64(tid), .mgmt_class = mgmt_class };

	return umad_transaction_key(&mad, to, response);
}

static struct umad_transaction *begin(struct kunit *test, struct umad_transaction_key key)
{
	struct umad_transaction *transaction;

	transaction = umad_transaction_begin(&transactions, &key, false);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, transaction);
	return transaction;
}

static void expect_duplicate(struct kunit *test, struct umad_transaction_key key)
{
	KUNIT_EXPECT_EQ(test, PTR_ERR(umad_transaction_begin(&transactions, &key, false)),
			-EINVAL);
}

static void requests(struct kunit *test)
{
	struct ib_user_mad_hdr to = { .lid = cpu_to_be16(4) };
	struct ib_user_mad_hdr elsewhere = { .lid = cpu_to_be16(5) };
	struct umad_transaction *first, *other_tid, *other_class;

	first = begin(test, key_of(7, SA_CLASS, false, &to));
	expect_duplicate(test, key_of(7, SA_CLASS, false, &to));
	expect_duplicate(test, key_of(7, SA_CLASS, false, &elsewhere));
	other_tid = begin(test, key_of(7ULL << 32, SA_CLASS, false, &to));
	other_class = begin(test, key_of(7, PERF_CLASS, false, &to));

	umad_transaction_end(&transactions, first);
	first = begin(test, key_of(7, SA_CLASS, false, &elsewhere));

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
	struct umad_transaction *held[4];
	int i;

	/* A response has nothing to do with a request, nor with other destinations. */
	held[0] = begin(test, key_of(7, SA_CLASS, false, &lid4));
	held[1] = begin(test, key_of(7, SA_CLASS, true, &lid4));
	held[2] = begin(test, key_of(7, SA_CLASS, true, &lid5));
	held[3] = begin(test, key_of(7, SA_CLASS, true, &gid));

	expect_duplicate(test, key_of(7, SA_CLASS, true, &lid4));
	expect_duplicate(test, key_of(7, SA_CLASS, true, &lid5));
	/* With a GRH, the GID alone is the destination. */
	expect_duplicate(test, key_of(7, SA_CLASS, true, &same_gid));

	for (i = 0; i < ARRAY_SIZE(held); i++)
		umad_transaction_end(&transactions, held[i]);
}

static void user_segments(struct kunit *test)
{
	struct ib_user_mad_hdr to = { .lid = cpu_to_be16(4) };
	struct umad_transaction_key key = key_of(7, SA_CLASS, false, &to);
	struct umad_transaction *segments[3];
	int i;

	for (i = 0; i < ARRAY_SIZE(segments); i++) {
		segments[i] = umad_transaction_begin(&transactions, &key, true);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, segments[i]);
	}
	/* The transaction lasts as long as any of its segments. */
	for (i = 0; i < ARRAY_SIZE(segments); i++) {
		expect_duplicate(test, key);
		umad_transaction_end(&transactions, segments[i]);
	}
	umad_transaction_end(&transactions, begin(test, key));
}

/* More than the table starts with, so that it has to grow, and shrink, with sends in it. */
static void many(struct kunit *test)
{
	enum { COUNT = 5000 };
	struct ib_user_mad_hdr to = {};
	struct umad_transaction **held;
	u64 i;

	held = kunit_kcalloc(test, COUNT, sizeof(*held), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, held);
	for (i = 0; i < COUNT; i++)
		held[i] = begin(test, key_of(i, SA_CLASS, false, &to));
	for (i = 0; i < COUNT; i += 99)
		expect_duplicate(test, key_of(i, SA_CLASS, false, &to));
	for (i = 0; i < COUNT; i++)
		umad_transaction_end(&transactions, held[i]);
}

#ifdef CONFIG_FAILSLAB
static void no_memory(struct kunit *test)
{
	struct ib_user_mad_hdr to = {};
	struct umad_transaction_key key = key_of(7, SA_CLASS, false, &to);
	struct umad_transaction *transaction;

	current->fail_nth = 1;	/* the next allocation of this thread */
	transaction = umad_transaction_begin(&transactions, &key, false);
	current->fail_nth = 0;
	KUNIT_EXPECT_EQ(test, PTR_ERR(transaction), -ENOMEM);

	/* The failed one has left nothing behind. */
	umad_transaction_end(&transactions, begin(test, key));
}
#endif

static struct kunit_case cases[] = {
	KUNIT_CASE(requests),
	KUNIT_CASE(responses),
	KUNIT_CASE(user_segments),
	KUNIT_CASE(many),
#ifdef CONFIG_FAILSLAB
	KUNIT_CASE(no_memory),
#endif
	{}
};

static struct kunit_suite suite = {
	.name = "umad_transaction",
	.init = transactions_set_up,
	.exit = transactions_tear_down,
	.test_cases = cases,
};

kunit_test_suite(suite);
