// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/slab.h>

#include "cache.h"

struct pkey_search {
	const char *what;
	u16 keys[5];
	u16 pkey;
	int found;
	int found_exactly;
};

static const struct pkey_search searches[] = {
	{ "a full member by the full key", { 0xffff, 0x8001 }, 0x8001, 1, 1 },
	{ "a full member by the limited key", { 0xffff, 0x8001 }, 0x0001, 1, -ENOENT },
	{ "a limited member by the full key", { 0xffff, 0x0001 }, 0x8001, 1, -ENOENT },
	{ "a limited member by the limited key", { 0xffff, 0x0001 }, 0x0001, 1, 1 },
	{ "full before limited, the full first", { 0x8001, 0x0001 }, 0x0001, 0, 1 },
	{ "full before limited, the full last", { 0x0001, 0x0001, 0x8001 }, 0x0001, 2, 0 },
	{ "of two full ones the first", { 0xffff, 0x8001, 0x8001 }, 0x8001, 1, 1 },
	{ "of two limited ones the last", { 0x0001, 0xffff, 0x0001 }, 0x8001, 2, -ENOENT },
	{ "of two equal ones exactly the first", { 0xffff, 0x0001, 0x0001 }, 0x0001, 2, 1 },
	{ "the default partition, limited", { 0x7fff }, 0xffff, 0, -ENOENT },
	{ "none", { 0xffff, 0x8001 }, 0x8002, -ENOENT, -ENOENT },
	{ "none that differs in one bit", { 0xc001, 0x8003 }, 0x8001, -ENOENT, -ENOENT },
	{ "an empty slot by the key of none", { 0xffff }, 0x0000, 4, 1 },
};

static void describe(const struct pkey_search *search, char *description)
{
	strscpy(description, search->what, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(search, searches, describe);

static void find(struct kunit *test)
{
	const struct pkey_search *search = test->param_value;
	struct ib_pkey_cache *table = pkey_table_alloc(ARRAY_SIZE(search->keys));

	KUNIT_ASSERT_NOT_NULL(test, table);
	memcpy(table->keys, search->keys, sizeof(search->keys));
	KUNIT_EXPECT_EQ(test, pkey_table_find(table, search->pkey), search->found);
	KUNIT_EXPECT_EQ(test, pkey_table_find_exact(table, search->pkey), search->found_exactly);
	kfree(table);
}

static void empty_table(struct kunit *test)
{
	struct ib_pkey_cache *table = pkey_table_alloc(0);

	KUNIT_ASSERT_NOT_NULL(test, table);
	KUNIT_EXPECT_EQ(test, pkey_table_find(table, 0xffff), -ENOENT);
	KUNIT_EXPECT_EQ(test, pkey_table_find_exact(table, 0xffff), -ENOENT);
	kfree(table);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(find, search_gen_params),
	KUNIT_CASE(empty_table),
	{}
};

static struct kunit_suite suite = {
	.name = "pkey_table",
	.test_cases = cases,
};

kunit_test_suite(suite);
