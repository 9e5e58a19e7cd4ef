// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <rdma/ib_marshall.h>
#include <rdma/opa_addr.h>

#define POISON 0xa5

/* Each field has a value of its own. */
static const struct ib_user_path_rec some_path = {
	.dgid = { 0xfe, 0x80, [15] = 1 },
	.sgid = { 0xfe, 0x80, [15] = 2 },
	.dlid = cpu_to_be16(0x1003),
	.slid = cpu_to_be16(0x2004),
	.raw_traffic = 1,
	.flow_label = cpu_to_be32(0x12345),
	.reversible = 1,
	.mtu = 4,
	.pkey = cpu_to_be16(0x8006),
	.hop_limit = 7,
	.traffic_class = 8,
	.numb_path = 9,
	.sl = 10,
	.mtu_selector = 2,
	.rate_selector = 3,
	.rate = 11,
	.packet_life_time_selector = 1,
	.packet_life_time = 12,
	.preference = 13,
};

static struct sa_path_rec from_user(const struct ib_user_path_rec *user)
{
	struct ib_user_path_rec copy = *user;
	struct sa_path_rec path;

	memset(&path, POISON, sizeof(path));
	ib_copy_path_rec_from_user(&path, &copy);
	return path;
}

static struct ib_user_path_rec to_user(struct sa_path_rec *path)
{
	struct ib_user_path_rec user;

	memset(&user, POISON, sizeof(user));
	ib_copy_path_rec_to_user(&user, path);
	return user;
}

static void what_a_user_tells_comes_back(struct kunit *test)
{
	struct sa_path_rec path = from_user(&some_path);
	struct ib_user_path_rec user = to_user(&path);

	KUNIT_EXPECT_EQ(test, path.rec_type, SA_PATH_REC_TYPE_IB);
	KUNIT_EXPECT_MEMEQ(test, &user, &some_path, sizeof(user));
}

static void what_a_user_does_not_tell_is_zero(struct kunit *test)
{
	struct sa_path_rec path = from_user(&some_path);

	KUNIT_EXPECT_EQ(test, be64_to_cpu(path.service_id), 0);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(path.qos_class), 0);
	KUNIT_EXPECT_EQ(test, path.flags, 0);
}

static struct sa_path_rec opa_path(u32 dlid, u32 slid)
{
	struct sa_path_rec path = from_user(&some_path);

	path.rec_type = SA_PATH_REC_TYPE_OPA;
	path.opa = (struct sa_path_rec_opa) {
		.dlid = cpu_to_be32(dlid),
		.slid = cpu_to_be32(slid),
		.raw_traffic = 1,
	};
	return path;
}

static void short_lids_of_omni_path_stay_lids(struct kunit *test)
{
	struct sa_path_rec path = opa_path(0x1003, 0x2004);
	struct ib_user_path_rec user = to_user(&path);

	KUNIT_EXPECT_MEMEQ(test, &user, &some_path, sizeof(user));
}

static void long_lids_of_omni_path_become_gids_and_come_back(struct kunit *test)
{
	struct sa_path_rec path = opa_path(0x123456, 0x2004);
	struct ib_user_path_rec user = to_user(&path);
	struct sa_path_rec back = from_user(&user);

	KUNIT_EXPECT_EQ(test, be16_to_cpu(user.dlid), 0);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(user.slid), 0);
	KUNIT_EXPECT_EQ(test, back.rec_type, SA_PATH_REC_TYPE_OPA);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(back.opa.dlid), 0x123456);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(back.opa.slid), 0x2004);
	KUNIT_EXPECT_EQ(test, back.opa.raw_traffic, 1);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_a_user_tells_comes_back),
	KUNIT_CASE(what_a_user_does_not_tell_is_zero),
	KUNIT_CASE(short_lids_of_omni_path_stay_lids),
	KUNIT_CASE(long_lids_of_omni_path_become_gids_and_come_back),
	{}
};

static struct kunit_suite suite = {
	.name = "uverbs_marshall_path",
	.test_cases = cases,
};

kunit_test_suite(suite);
