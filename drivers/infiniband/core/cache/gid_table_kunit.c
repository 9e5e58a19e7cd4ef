// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/etherdevice.h>

#include "cache.h"

#define SIZE		6
#define RESERVED	2

static struct workqueue_struct *wq;
static struct ib_gid_table *table;
static struct net_device *ndev, *other_ndev;

/* An adapter that counts what it's told, and refuses when told to. */
static struct {
	int refusal;
	unsigned int added;
	unsigned int removed;
	bool removed_with_ndev;
} adapter;

static int adapter_add(const struct ib_gid_attr *attr, void **context)
{
	if (adapter.refusal)
		return adapter.refusal;
	*context = (void *)(uintptr_t)(100 + attr->index);
	adapter.added++;
	return 0;
}

static void adapter_remove(const struct ib_gid_attr *attr, void **context)
{
	adapter.removed++;
	adapter.removed_with_ndev = rcu_access_pointer(attr->ndev);
}

static const struct gid_table_ops adapter_ops = {
	.add = adapter_add,
	.remove = adapter_remove,
};

static union ib_gid gid_of(u8 last)
{
	union ib_gid gid = {};

	gid.raw[0] = 0xfe;
	gid.raw[15] = last;
	return gid;
}

static int set(u16 index, u8 last)
{
	struct ib_gid_attr attr = { .index = index, .gid_type = IB_GID_TYPE_IB };

	if (last)
		attr.gid = gid_of(last);
	return gid_table_set(table, &attr);
}

/* Returns the slot that the GID got, or an error. */
static int add(struct net_device *of, u8 last, enum ib_gid_type type, enum gid_slots slots)
{
	struct ib_gid_attr attr = { .gid = gid_of(last), .gid_type = type };
	int ret;

	RCU_INIT_POINTER(attr.ndev, of);
	ret = gid_table_add(table, &attr, slots);
	return ret ?: attr.index;
}

static int add_address(u8 last)
{
	return add(ndev, last, IB_GID_TYPE_ROCE_UDP_ENCAP, GID_SLOTS_OTHER);
}

static unsigned int remove_gid(u8 last)
{
	const union ib_gid gid = gid_of(last);
	const struct gid_match match = { .gid = &gid, .type = GID_TYPE_ANY };

	return gid_table_remove(table, &match);
}

static int read_last(int index)
{
	union ib_gid gid;
	int ret = gid_table_read(table, index, &gid);

	return ret ?: gid.raw[15];
}

/* What was put has left its slot, and what has left it is freed. */
static void settle(void)
{
	flush_workqueue(wq);
	rcu_barrier();
}

static int set_up(unsigned int reserved, const struct gid_table_ops *ops)
{
	memset(&adapter, 0, sizeof(adapter));
	ndev = alloc_etherdev(0);
	other_ndev = alloc_etherdev(0);
	wq = alloc_ordered_workqueue("gid_table_kunit", 0);
	table = gid_table_alloc(SIZE, reserved, ops, wq);
	return ndev && other_ndev && wq && table ? 0 : -ENOMEM;
}

static int ib_set_up(struct kunit *test)
{
	return set_up(0, NULL);
}

static int roce_set_up(struct kunit *test)
{
	return set_up(RESERVED, &adapter_ops);
}

static void tear_down(struct kunit *test)
{
	gid_table_close(table);
	settle();
	gid_table_release(table, "gid_table_kunit");
	KUNIT_EXPECT_EQ(test, netdev_refcnt_read(ndev), 1);
	free_netdev(other_ndev);
	free_netdev(ndev);
	destroy_workqueue(wq);
}

/* ---- what the adapter fills ---- */

static void empty_and_out_of_range(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, read_last(0), -ENOENT);
	KUNIT_EXPECT_EQ(test, read_last(-1), -EINVAL);
	KUNIT_EXPECT_EQ(test, read_last(SIZE), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(gid_table_get(table, SIZE - 1)), -ENODATA);
	KUNIT_EXPECT_EQ(test, PTR_ERR(gid_table_get(table, -1)), -EINVAL);
	KUNIT_EXPECT_EQ(test, PTR_ERR(gid_table_get(table, SIZE)), -EINVAL);
}

static void zero_gid_empties(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, set(3, 7), 0);
	KUNIT_EXPECT_EQ(test, read_last(3), 7);
	KUNIT_EXPECT_EQ(test, set(3, 0), 0);
	KUNIT_EXPECT_EQ(test, read_last(3), -ENOENT);
}

static void same_gid_changes_nothing(struct kunit *test)
{
	const struct ib_gid_attr *before, *after;

	KUNIT_EXPECT_EQ(test, set(1, 7), 0);
	before = gid_table_get(table, 1);
	KUNIT_EXPECT_EQ(test, set(1, 7), 0);
	after = gid_table_get(table, 1);
	KUNIT_EXPECT_PTR_EQ(test, before, after);
	gid_entry_put(gid_entry_of(before));
	gid_entry_put(gid_entry_of(after));
}

static void held_attr_stays(struct kunit *test)
{
	const struct ib_gid_attr *held, *found;

	KUNIT_EXPECT_EQ(test, set(2, 7), 0);
	held = gid_table_get(table, 2);
	KUNIT_ASSERT_FALSE(test, IS_ERR(held));
	KUNIT_EXPECT_EQ(test, set(2, 8), 0);
	settle();

	/* The slot has the new one at once, the holder the old one. */
	KUNIT_EXPECT_EQ(test, held->gid.raw[15], 7);
	KUNIT_EXPECT_EQ(test, held->index, 2);
	found = gid_table_get(table, 2);
	KUNIT_ASSERT_FALSE(test, IS_ERR(found));
	KUNIT_EXPECT_EQ(test, found->gid.raw[15], 8);

	/* The old one's end leaves the new one where it is. */
	gid_entry_put(gid_entry_of(held));
	settle();
	KUNIT_EXPECT_EQ(test, read_last(2), 8);
	gid_entry_put(gid_entry_of(found));
}

static void adapters_slot_is_free_at_once(struct kunit *test)
{
	const struct ib_gid_attr *held;

	KUNIT_EXPECT_EQ(test, set(0, 7), 0);
	held = gid_table_get(table, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(held));
	KUNIT_EXPECT_EQ(test, set(0, 0), 0);
	KUNIT_EXPECT_NULL(test, rcu_access_pointer(table->slots[0]));
	gid_entry_put(gid_entry_of(held));
}

static bool only_index_3(const union ib_gid *gid, const struct ib_gid_attr *attr, void *calls)
{
	++*(unsigned int *)calls;
	return attr->index == 3;
}

static void find(struct kunit *test)
{
	const union ib_gid gid = gid_of(7), unknown = gid_of(9);
	struct gid_match match = { .gid = &gid, .type = IB_GID_TYPE_IB };
	const struct ib_gid_attr *found;
	unsigned int calls = 0;

	set(0, 8);
	set(1, 7);
	set(3, 7);
	found = gid_table_find(table, &match);
	KUNIT_ASSERT_FALSE(test, IS_ERR(found));
	KUNIT_EXPECT_EQ(test, found->index, 1);
	gid_entry_put(gid_entry_of(found));

	found = gid_table_find_if(table, &gid, only_index_3, &calls);
	KUNIT_ASSERT_FALSE(test, IS_ERR(found));
	KUNIT_EXPECT_EQ(test, found->index, 3);
	KUNIT_EXPECT_EQ(test, calls, 2U);
	gid_entry_put(gid_entry_of(found));

	match.type = IB_GID_TYPE_ROCE;
	KUNIT_EXPECT_EQ(test, PTR_ERR(gid_table_find(table, &match)), -ENOENT);
	KUNIT_EXPECT_EQ(test, PTR_ERR(gid_table_find_if(table, &unknown, only_index_3, &calls)),
			-ENOENT);
}

static void set_without_memory(struct kunit *test)
{
	int nth, left, ret;

	set(4, 7);
	for (nth = 1; nth < 100; nth++) {
		current->fail_nth = nth;
		ret = set(4, 8);
		left = current->fail_nth;
		current->fail_nth = 0;

		if (ret) {
			KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
			KUNIT_EXPECT_EQ(test, read_last(4), 7);
		} else {
			KUNIT_EXPECT_EQ(test, read_last(4), 8);
			set(4, 7);
		}
		if (left)
			return;
	}
	KUNIT_FAIL(test, "there's no end of allocations");
}

/* ---- what software fills ---- */

static void default_and_other_slots(struct kunit *test)
{
	const enum ib_gid_type v1 = IB_GID_TYPE_ROCE, v2 = IB_GID_TYPE_ROCE_UDP_ENCAP;

	KUNIT_EXPECT_EQ(test, add_address(1), RESERVED);
	KUNIT_EXPECT_EQ(test, add(ndev, 2, v1, GID_SLOTS_RESERVED), 0);
	KUNIT_EXPECT_EQ(test, add(ndev, 2, v2, GID_SLOTS_RESERVED), 1);
	KUNIT_EXPECT_EQ(test, add_address(3), RESERVED + 1);

	/* One default GID of a type for a netdev, whatever its value; and none elsewhere. */
	KUNIT_EXPECT_EQ(test, add(ndev, 4, v1, GID_SLOTS_RESERVED), -EEXIST);
	KUNIT_EXPECT_EQ(test, add(other_ndev, 4, v1, GID_SLOTS_RESERVED), -ENOSPC);

	/* An address that is the default GID isn't there twice. */
	KUNIT_EXPECT_EQ(test, add(ndev, 2, v1, GID_SLOTS_OTHER), -EEXIST);
	KUNIT_EXPECT_EQ(test, add(other_ndev, 2, v1, GID_SLOTS_OTHER), RESERVED + 2);
}

static void duplicates_and_full(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, add_address(1), 2);
	KUNIT_EXPECT_EQ(test, add_address(1), -EEXIST);
	KUNIT_EXPECT_EQ(test, add(ndev, 1, IB_GID_TYPE_ROCE, GID_SLOTS_OTHER), 3);
	KUNIT_EXPECT_EQ(test, add(other_ndev, 1, IB_GID_TYPE_ROCE, GID_SLOTS_OTHER), 4);
	KUNIT_EXPECT_EQ(test, add_address(2), 5);
	KUNIT_EXPECT_EQ(test, add_address(3), -ENOSPC);
	KUNIT_EXPECT_EQ(test, add_address(2), -EEXIST);
	KUNIT_EXPECT_EQ(test, adapter.added, 4U);
}

static void zero_gid_is_none(struct kunit *test)
{
	struct ib_gid_attr attr = { .gid_type = IB_GID_TYPE_ROCE };

	KUNIT_EXPECT_EQ(test, gid_table_add(table, &attr, GID_SLOTS_OTHER), -EINVAL);
}

static void adapter_refuses(struct kunit *test)
{
	adapter.refusal = -EIO;
	KUNIT_EXPECT_EQ(test, add_address(1), -EIO);
	KUNIT_EXPECT_EQ(test, read_last(2), -ENOENT);
	KUNIT_EXPECT_EQ(test, netdev_refcnt_read(ndev), 1);
	adapter.refusal = 0;
	KUNIT_EXPECT_EQ(test, add_address(1), 2);
	KUNIT_EXPECT_EQ(test, adapter.removed, 0U);
}

static void context(struct kunit *test)
{
	const struct ib_gid_attr *attr;

	add_address(1);
	attr = gid_table_get(table, 2);
	KUNIT_ASSERT_FALSE(test, IS_ERR(attr));
	KUNIT_EXPECT_EQ(test, (uintptr_t)gid_entry_of(attr)->context, 102);
	gid_entry_put(gid_entry_of(attr));
}

static void removed_while_held(struct kunit *test)
{
	const union ib_gid gid = gid_of(1);
	const struct gid_match match = { .gid = &gid, .type = GID_TYPE_ANY };
	const struct ib_gid_attr *held;

	add_address(1);
	held = gid_table_get(table, 2);
	KUNIT_ASSERT_FALSE(test, IS_ERR(held));
	KUNIT_EXPECT_EQ(test, remove_gid(1), 1U);
	KUNIT_EXPECT_EQ(test, remove_gid(1), 0U);
	KUNIT_EXPECT_EQ(test, adapter.removed, 1U);
	KUNIT_EXPECT_TRUE(test, adapter.removed_with_ndev);

	/* Nobody finds it, but the adapter's slot isn't another's yet. */
	KUNIT_EXPECT_EQ(test, PTR_ERR(gid_table_get(table, 2)), -ENODATA);
	KUNIT_EXPECT_EQ(test, read_last(2), -ENOENT);
	KUNIT_EXPECT_EQ(test, PTR_ERR(gid_table_find(table, &match)), -ENOENT);
	KUNIT_EXPECT_EQ(test, add_address(5), 3);

	/* Its holder doesn't keep the netdev. */
	KUNIT_EXPECT_NULL(test, rcu_access_pointer(held->ndev));
	settle();
	KUNIT_EXPECT_EQ(test, netdev_refcnt_read(ndev), 2);
	KUNIT_EXPECT_EQ(test, held->gid.raw[15], 1);

	gid_entry_put(gid_entry_of(held));
	settle();
	KUNIT_EXPECT_EQ(test, add_address(6), 2);
}

static void unheld_slot_is_free_at_once(struct kunit *test)
{
	add_address(1);
	KUNIT_EXPECT_EQ(test, remove_gid(1), 1U);
	KUNIT_EXPECT_EQ(test, add_address(2), 2);
}

static void remove_by_ndev_and_slots(struct kunit *test)
{
	const enum ib_gid_type v2 = IB_GID_TYPE_ROCE_UDP_ENCAP;
	const struct gid_match addresses = {
		.type = GID_TYPE_ANY, .ndev = ndev, .slots = GID_SLOTS_OTHER
	};
	const struct gid_match all = { .type = GID_TYPE_ANY, .ndev = ndev };

	add(ndev, 1, v2, GID_SLOTS_RESERVED);
	add_address(2);
	add_address(3);
	add(other_ndev, 2, v2, GID_SLOTS_OTHER);

	KUNIT_EXPECT_EQ(test, gid_table_remove(table, &addresses), 2U);
	KUNIT_EXPECT_EQ(test, read_last(0), 1);
	KUNIT_EXPECT_EQ(test, gid_table_remove(table, &all), 1U);
	KUNIT_EXPECT_EQ(test, read_last(4), 2);
}

static void nothing_into_a_closed_table(struct kunit *test)
{
	add_address(1);
	gid_table_close(table);
	KUNIT_EXPECT_EQ(test, read_last(2), -ENOENT);
	KUNIT_EXPECT_EQ(test, adapter.removed, 1U);
	KUNIT_EXPECT_EQ(test, add_address(2), -ENODEV);
	KUNIT_EXPECT_EQ(test, set(2, 7), -ENODEV);
}

static void table_outlives_its_port(struct kunit *test)
{
	struct ib_gid_table *portless = gid_table_alloc(1, 0, NULL, wq);
	struct ib_gid_attr attr = { .gid = gid_of(1) };
	const struct ib_gid_attr *held;

	KUNIT_ASSERT_NOT_NULL(test, portless);
	gid_table_set(portless, &attr);
	held = gid_table_get(portless, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR(held));
	gid_table_close(portless);
	kref_put(&portless->kref, gid_table_free);

	/* KASAN would see the table used after it's freed. */
	gid_entry_put(gid_entry_of(held));
	settle();
}

static void add_without_memory(struct kunit *test)
{
	int nth, left, ret;

	for (nth = 1; nth < 100; nth++) {
		current->fail_nth = nth;
		ret = add_address(1);
		left = current->fail_nth;
		current->fail_nth = 0;

		if (ret < 0)
			KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
		else
			KUNIT_EXPECT_EQ(test, remove_gid(1), 1U);
		if (left)
			return;
	}
	KUNIT_FAIL(test, "there's no end of allocations");
}

static struct kunit_case ib_cases[] = {
	KUNIT_CASE(empty_and_out_of_range),
	KUNIT_CASE(zero_gid_empties),
	KUNIT_CASE(same_gid_changes_nothing),
	KUNIT_CASE(held_attr_stays),
	KUNIT_CASE(adapters_slot_is_free_at_once),
	KUNIT_CASE(find),
	KUNIT_CASE(set_without_memory),
	{}
};

static struct kunit_case roce_cases[] = {
	KUNIT_CASE(default_and_other_slots),
	KUNIT_CASE(duplicates_and_full),
	KUNIT_CASE(zero_gid_is_none),
	KUNIT_CASE(adapter_refuses),
	KUNIT_CASE(context),
	KUNIT_CASE(removed_while_held),
	KUNIT_CASE(unheld_slot_is_free_at_once),
	KUNIT_CASE(remove_by_ndev_and_slots),
	KUNIT_CASE(nothing_into_a_closed_table),
	KUNIT_CASE(table_outlives_its_port),
	KUNIT_CASE(add_without_memory),
	{}
};

static struct kunit_suite ib_suite = {
	.name = "gid_table_ib",
	.init = ib_set_up,
	.exit = tear_down,
	.test_cases = ib_cases,
};

static struct kunit_suite roce_suite = {
	.name = "gid_table_roce",
	.init = roce_set_up,
	.exit = tear_down,
	.test_cases = roce_cases,
};

kunit_test_suites(&ib_suite, &roce_suite);
