// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <rdma/ib.h>

#include "addr.h"

static int size_of(sa_family_t family)
{
	const struct sockaddr addr = { .sa_family = family };

	return rdma_addr_size(&addr);
}

static int size_of_in6(sa_family_t family)
{
	struct sockaddr_in6 addr = { .sin6_family = family };

	return rdma_addr_size_in6(&addr);
}

static int size_of_kss(sa_family_t family)
{
	struct __kernel_sockaddr_storage addr = { .ss_family = family };

	return rdma_addr_size_kss(&addr);
}

static void any(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, size_of(AF_INET), 16);
	KUNIT_EXPECT_EQ(test, size_of(AF_INET6), 28);
	KUNIT_EXPECT_EQ(test, size_of(AF_IB), 48);
	KUNIT_EXPECT_EQ(test, size_of(AF_UNSPEC), 0);
	KUNIT_EXPECT_EQ(test, size_of(AF_UNIX), 0);
	KUNIT_EXPECT_EQ(test, size_of(0xffff), 0);
}

/* AF_IB's is larger than the room that older calls of rdma_ucm have. */
static void in6(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, size_of_in6(AF_INET), 16);
	KUNIT_EXPECT_EQ(test, size_of_in6(AF_INET6), 28);
	KUNIT_EXPECT_EQ(test, size_of_in6(AF_IB), 0);
	KUNIT_EXPECT_EQ(test, size_of_in6(AF_UNIX), 0);
}

static void kss(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, size_of_kss(AF_INET), 16);
	KUNIT_EXPECT_EQ(test, size_of_kss(AF_INET6), 28);
	KUNIT_EXPECT_EQ(test, size_of_kss(AF_IB), 48);
	KUNIT_EXPECT_EQ(test, size_of_kss(AF_UNIX), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(any),
	KUNIT_CASE(in6),
	KUNIT_CASE(kss),
	{}
};

static struct kunit_suite suite = {
	.name = "addr_size",
	.test_cases = cases,
};

kunit_test_suite(suite);
