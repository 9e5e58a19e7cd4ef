// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "device.h"

/* Never called: only their addresses matter. */
static int query_a(struct ib_device *device, struct ib_device_attr *attr, struct ib_udata *udata)
{
	return 1;
}

static int query_b(struct ib_device *device, struct ib_device_attr *attr, struct ib_udata *udata)
{
	return 2;
}

static struct ib_device *create_sub(struct ib_device *parent, enum rdma_nl_dev_type type,
				    const char *name)
{
	return NULL;
}

/* struct ib_device is too large for the stack. */
static struct ib_device *new_device(struct kunit *test)
{
	struct ib_device *device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, device);
	return device;
}

static void first_setter_wins(struct kunit *test)
{
	static const struct attribute_group group_a, group_b;
	static const struct ib_device_ops a = {
		.device_group = &group_a, .query_device = query_a, .size_ib_pd = 100,
	};
	static const struct ib_device_ops b = {
		.device_group = &group_b, .query_device = query_b, .size_ib_pd = 200,
	};
	struct ib_device *device = new_device(test);

	ib_set_device_ops(device, &a);
	ib_set_device_ops(device, &b);
	KUNIT_EXPECT_PTR_EQ(test, device->ops.device_group, &group_a);
	KUNIT_EXPECT_TRUE(test, device->ops.query_device == query_a);
	KUNIT_EXPECT_EQ(test, device->ops.size_ib_pd, 100UL);
}

static void tables_add_up(struct kunit *test)
{
	/* The first and the last member that are merged, and one in between. */
	static const struct attribute_group group;
	static const struct ib_device_ops a = { .device_group = &group, .size_ib_xrcd = 8 };
	static const struct ib_device_ops b = { .query_device = query_b, .size_ib_ah = 16 };
	static const struct ib_device_ops c = { .add_sub_dev = create_sub };
	struct ib_device *device = new_device(test);

	ib_set_device_ops(device, &a);
	ib_set_device_ops(device, &b);
	ib_set_device_ops(device, &c);
	KUNIT_EXPECT_PTR_EQ(test, device->ops.device_group, &group);
	KUNIT_EXPECT_TRUE(test, device->ops.query_device == query_b);
	KUNIT_EXPECT_TRUE(test, device->ops.add_sub_dev == create_sub);
	KUNIT_EXPECT_EQ(test, device->ops.size_ib_xrcd, 8UL);
	KUNIT_EXPECT_EQ(test, device->ops.size_ib_ah, 16UL);
	KUNIT_EXPECT_NULL(test, device->ops.query_port);
	KUNIT_EXPECT_EQ(test, device->ops.size_ib_pd, 0UL);
}

static void identity_is_kept(struct kunit *test)
{
	static const struct ib_device_ops a = {
		.driver_id = RDMA_DRIVER_MLX5, .owner = (struct module *)0x10, .uverbs_abi_ver = 1,
	};
	static const struct ib_device_ops no_identity = { .query_device = query_a };
	static const struct ib_device_ops b = {
		.driver_id = RDMA_DRIVER_MLX5, .owner = (struct module *)0x10,
		.uverbs_abi_ver = 2, .uverbs_no_driver_id_binding = 1,
	};
	struct ib_device *device = new_device(test);

	ib_set_device_ops(device, &a);
	KUNIT_EXPECT_EQ(test, device->ops.uverbs_abi_ver, 1U);
	KUNIT_EXPECT_FALSE(test, device->ops.uverbs_no_driver_id_binding);
	ib_set_device_ops(device, &b);
	ib_set_device_ops(device, &no_identity);
	KUNIT_EXPECT_EQ(test, device->ops.driver_id, RDMA_DRIVER_MLX5);
	KUNIT_EXPECT_PTR_EQ(test, device->ops.owner, b.owner);
	KUNIT_EXPECT_EQ(test, device->ops.uverbs_abi_ver, 2U);
	KUNIT_EXPECT_TRUE(test, device->ops.uverbs_no_driver_id_binding);
}

static void nothing_else_is_touched(struct kunit *test)
{
	struct ib_device *device = new_device(test);
	struct ib_device *copy = new_device(test);
	typeof(device->ops) *all = kunit_kmalloc(test, sizeof(*all), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, all);
	memset(all, 0xa5, sizeof(*all));
	memset(device, 0x11, sizeof(*device));
	memset(&device->ops, 0, sizeof(device->ops));
	memcpy(copy, device, sizeof(*device));

	ib_set_device_ops(device, all);
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&device->ops.device_group, (u8 *)&all->device_group,
			   sizeof(*all) - offsetof(typeof(*all), device_group));
	memset(&device->ops, 0, sizeof(device->ops));
	KUNIT_EXPECT_MEMEQ(test, (u8 *)device, (u8 *)copy, sizeof(*device));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(first_setter_wins),
	KUNIT_CASE(tables_add_up),
	KUNIT_CASE(identity_is_kept),
	KUNIT_CASE(nothing_else_is_touched),
	{}
};

static struct kunit_suite suite = {
	.name = "core_ops",
	.test_cases = cases,
};

kunit_test_suite(suite);
