// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include <linux/workqueue.h>
#include "../mlx5.h"

/* In the middle of the numbers that a device has: the table has to grow for it. */
#define NUMBER 0x123456

static int table_init(struct kunit *test)
{
	struct xarray *table = kunit_kzalloc(test, sizeof(*table), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, table);
	mlx5_ib_numbers_init(table);
	test->priv = table;
	return 0;
}

static void table_exit(struct kunit *test)
{
	xa_destroy(test->priv);
}

/* Finds whom it finds, and lets go of it. */
static struct mlx5_ib_numbered *found(struct kunit *test)
{
	struct mlx5_ib_numbered *object = mlx5_ib_number_get(test->priv, NUMBER);

	if (object)
		mlx5_ib_number_put(object);
	return object;
}

static void add(struct kunit *test, struct mlx5_ib_numbered *object)
{
	KUNIT_ASSERT_EQ(test, mlx5_ib_number_add(test->priv, NUMBER, object), 0);
	KUNIT_ASSERT_PTR_EQ(test, found(test), object);
}

static void remove(struct kunit *test, struct mlx5_ib_numbered *object)
{
	mlx5_ib_number_remove(test->priv, NUMBER, object);
	mlx5_ib_number_wait(object);
}

static void there_until_removed(struct kunit *test)
{
	struct mlx5_ib_numbered object;

	KUNIT_EXPECT_NULL(test, found(test));
	add(test, &object);
	KUNIT_EXPECT_NULL(test, mlx5_ib_number_get(test->priv, NUMBER + 1));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_number_is_lost(&object));
	remove(test, &object);
	KUNIT_EXPECT_NULL(test, found(test));
	KUNIT_EXPECT_TRUE(test, xa_empty(test->priv));
}

/* Whenever the old one goes, it leaves the new one alone. */
static void taken_over(struct kunit *test)
{
	struct mlx5_ib_numbered old, new;

	add(test, &old);
	add(test, &new);
	KUNIT_EXPECT_TRUE(test, mlx5_ib_number_is_lost(&old));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_number_is_lost(&new));
	remove(test, &old);
	KUNIT_EXPECT_PTR_EQ(test, found(test), &new);
	remove(test, &new);
	KUNIT_EXPECT_TRUE(test, xa_empty(test->priv));
}

/* The place of its heir's heir isn't its own either. */
static void outlives_its_heir(struct kunit *test)
{
	struct mlx5_ib_numbered old, heir, next;

	add(test, &old);
	add(test, &heir);
	remove(test, &heir);
	KUNIT_EXPECT_TRUE(test, mlx5_ib_number_is_lost(&old));
	add(test, &next);
	remove(test, &old);
	KUNIT_EXPECT_PTR_EQ(test, found(test), &next);
	remove(test, &next);
}

static void removed_twice(struct kunit *test)
{
	struct mlx5_ib_numbered old, new;

	add(test, &old);
	remove(test, &old);
	add(test, &new);
	mlx5_ib_number_remove(test->priv, NUMBER, &old);
	KUNIT_EXPECT_PTR_EQ(test, found(test), &new);
	remove(test, &new);
}

struct finder {
	struct delayed_work work;
	struct mlx5_ib_numbered *object;
	bool done;
};

static void finish(struct work_struct *work)
{
	struct finder *finder = container_of(work, struct finder, work.work);

	finder->done = true;
	mlx5_ib_number_put(finder->object);
}

static void who_found_it_is_awaited(struct kunit *test)
{
	struct mlx5_ib_numbered object;
	struct finder finder;

	/* Twice: one may be made anew. */
	for (int i = 0; i < 2; i++) {
		add(test, &object);
		finder.done = false;
		finder.object = mlx5_ib_number_get(test->priv, NUMBER);
		KUNIT_ASSERT_PTR_EQ(test, finder.object, &object);
		INIT_DELAYED_WORK_ONSTACK(&finder.work, finish);
		schedule_delayed_work(&finder.work, HZ);
		remove(test, &object);
		KUNIT_EXPECT_TRUE(test, finder.done);
		flush_delayed_work(&finder.work);
		destroy_delayed_work_on_stack(&finder.work);
	}
}

static struct kunit_case number_cases[] = {
	KUNIT_CASE(there_until_removed),
	KUNIT_CASE(taken_over),
	KUNIT_CASE(outlives_its_heir),
	KUNIT_CASE(removed_twice),
	KUNIT_CASE(who_found_it_is_awaited),
	{}
};

static struct kunit_suite number_suite = {
	.name = "mlx5-numbers",
	.init = table_init,
	.exit = table_exit,
	.test_cases = number_cases,
};

kunit_test_suite(number_suite);
