// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>
#include <net/bonding.h>

#include "cache.h"

/* The port's netdev; one more that could be in a bond with it; two that are stacked on others. */
enum { PORT, SPARE, MIDDLE, TOP, NETDEVS };

struct fixture {
	struct net_device *ndev[NETDEVS];
	struct slave active;
};

static const struct net_device_ops no_ops;

static int make_netdevs(struct kunit *test)
{
	struct fixture *fixture = kunit_kzalloc(test, sizeof(*fixture), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, fixture);
	test->priv = fixture;
	for (i = 0; i < NETDEVS; i++) {
		/* Any of them may be made a bond. */
		fixture->ndev[i] = alloc_netdev(sizeof(struct bonding), "kunit%d",
						NET_NAME_UNKNOWN, ether_setup);
		KUNIT_ASSERT_NOT_NULL(test, fixture->ndev[i]);
		fixture->ndev[i]->netdev_ops = &no_ops;
		KUNIT_ASSERT_EQ(test, register_netdev(fixture->ndev[i]), 0);
	}
	return 0;
}

static void unlink_all(struct fixture *fixture)
{
	int lower, upper;

	rtnl_lock();
	for (lower = 0; lower < NETDEVS; lower++)
		for (upper = 0; upper < NETDEVS; upper++)
			if (netdev_has_upper_dev(fixture->ndev[lower], fixture->ndev[upper]))
				netdev_upper_dev_unlink(fixture->ndev[lower], fixture->ndev[upper]);
	rtnl_unlock();
}

static void remove_netdevs(struct kunit *test)
{
	struct fixture *fixture = test->priv;
	int i;

	if (!fixture)
		return;
	if (fixture->ndev[NETDEVS - 1])
		unlink_all(fixture);
	for (i = 0; i < NETDEVS && fixture->ndev[i]; i++) {
		if (fixture->ndev[i]->reg_state == NETREG_REGISTERED)
			unregister_netdev(fixture->ndev[i]);
		free_netdev(fixture->ndev[i]);
	}
}

static void stack(struct kunit *test, int lower, int upper)
{
	struct fixture *fixture = test->priv;

	rtnl_lock();
	KUNIT_EXPECT_EQ(test, netdev_upper_dev_link(fixture->ndev[lower], fixture->ndev[upper],
						    NULL), 0);
	rtnl_unlock();
}

/* MIDDLE becomes a bond of PORT and SPARE. */
static void make_bond(struct kunit *test, int mode)
{
	struct fixture *fixture = test->priv;
	struct net_device *bond = fixture->ndev[MIDDLE];

	stack(test, PORT, MIDDLE);
	stack(test, SPARE, MIDDLE);
	bond->flags |= IFF_MASTER;
	bond->priv_flags |= IFF_BONDING;
	fixture->ndev[PORT]->flags |= IFF_SLAVE;
	fixture->ndev[PORT]->priv_flags |= IFF_BONDING;
	((struct bonding *)netdev_priv(bond))->params.mode = mode;
}

static void activate(struct kunit *test, int which)
{
	struct fixture *fixture = test->priv;
	struct bonding *bond = netdev_priv(fixture->ndev[MIDDLE]);

	fixture->active.dev = fixture->ndev[which];
	rcu_assign_pointer(bond->curr_active_slave, &fixture->active);
}

static bool serves(struct kunit *test, int port, int which)
{
	struct fixture *fixture = test->priv;

	return roce_port_serves(fixture->ndev[port], fixture->ndev[which]);
}

static bool defaults_to(struct kunit *test, int port, int which)
{
	struct fixture *fixture = test->priv;

	return roce_port_defaults_to(fixture->ndev[port], fixture->ndev[which]);
}

static void alone(struct kunit *test)
{
	struct fixture *fixture = test->priv;

	KUNIT_EXPECT_TRUE(test, serves(test, PORT, PORT));
	KUNIT_EXPECT_TRUE(test, defaults_to(test, PORT, PORT));
	KUNIT_EXPECT_FALSE(test, serves(test, PORT, SPARE));
	KUNIT_EXPECT_FALSE(test, defaults_to(test, PORT, SPARE));
	KUNIT_EXPECT_FALSE(test, roce_is_lower(fixture->ndev[PORT], fixture->ndev[PORT]));
}

static void a_port_without_netdev(struct kunit *test)
{
	struct net_device *ndev = ((struct fixture *)test->priv)->ndev[PORT];

	KUNIT_EXPECT_FALSE(test, roce_is_lower(NULL, ndev));
	KUNIT_EXPECT_FALSE(test, roce_port_serves(NULL, ndev));
	KUNIT_EXPECT_FALSE(test, roce_port_defaults_to(NULL, ndev));
}

/* Whatever is above, at any height; but the default GID is the port's own, and below is nobody. */
static void stacked(struct kunit *test)
{
	struct fixture *fixture = test->priv;

	stack(test, PORT, MIDDLE);
	stack(test, MIDDLE, TOP);
	KUNIT_EXPECT_TRUE(test, roce_is_lower(fixture->ndev[PORT], fixture->ndev[TOP]));
	KUNIT_EXPECT_FALSE(test, roce_is_lower(fixture->ndev[TOP], fixture->ndev[PORT]));
	KUNIT_EXPECT_TRUE(test, serves(test, PORT, MIDDLE));
	KUNIT_EXPECT_TRUE(test, serves(test, PORT, TOP));
	KUNIT_EXPECT_FALSE(test, serves(test, TOP, PORT));
	KUNIT_EXPECT_FALSE(test, serves(test, SPARE, TOP));
	KUNIT_EXPECT_FALSE(test, defaults_to(test, PORT, MIDDLE));
	KUNIT_EXPECT_TRUE(test, defaults_to(test, PORT, PORT));
}

/* Only the one that's in use has the bond's addresses; both have its default GID. */
static void one_of_a_bond_at_a_time(struct kunit *test)
{
	make_bond(test, BOND_MODE_ACTIVEBACKUP);
	KUNIT_EXPECT_TRUE(test, serves(test, PORT, MIDDLE));
	activate(test, SPARE);
	KUNIT_EXPECT_FALSE(test, serves(test, PORT, MIDDLE));
	KUNIT_EXPECT_TRUE(test, serves(test, SPARE, MIDDLE));
	KUNIT_EXPECT_TRUE(test, serves(test, PORT, PORT));
	activate(test, PORT);
	KUNIT_EXPECT_TRUE(test, serves(test, PORT, MIDDLE));
	KUNIT_EXPECT_TRUE(test, defaults_to(test, PORT, MIDDLE));
	KUNIT_EXPECT_TRUE(test, defaults_to(test, SPARE, MIDDLE));
	KUNIT_EXPECT_FALSE(test, defaults_to(test, PORT, PORT));
}

/* All of them are in use in the other modes, whichever is noted as active. */
static void all_of_a_bond(struct kunit *test)
{
	make_bond(test, BOND_MODE_8023AD);
	activate(test, SPARE);
	KUNIT_EXPECT_TRUE(test, serves(test, PORT, MIDDLE));
	KUNIT_EXPECT_TRUE(test, serves(test, SPARE, MIDDLE));
	KUNIT_EXPECT_FALSE(test, serves(test, PORT, TOP));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(alone),
	KUNIT_CASE(a_port_without_netdev),
	KUNIT_CASE(stacked),
	KUNIT_CASE(one_of_a_bond_at_a_time),
	KUNIT_CASE(all_of_a_bond),
	{}
};

static struct kunit_suite suite = {
	.name = "roce_relation",
	.init = make_netdevs,
	.exit = remove_netdevs,
	.test_cases = cases,
};

kunit_test_suite(suite);
