// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Which agent gets which requests. */

#include <kunit/test.h>
#include <linux/sched.h>

#include "mad.h"

static struct ib_mad_reg_req wish(u8 mgmt_class, u8 version, u8 method)
{
	struct ib_mad_reg_req req = { .mgmt_class = mgmt_class, .mgmt_class_version = version };

	__set_bit(method, req.method_mask);
	if (mad_is_vendor_class(mgmt_class))
		req.oui[2] = 0x05;
	return req;
}

static struct mad_agent *new_agent(struct kunit *test)
{
	struct mad_agent *agent = kunit_kzalloc(test, sizeof(*agent), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, agent);
	return agent;
}

static struct mad_agent *find(struct mad_registry *registry, u8 mgmt_class, u8 version, u8 method,
			      u8 oui2)
{
	struct ib_vendor_mad mad = {
		.mad_hdr = {
			.mgmt_class = mgmt_class,
			.class_version = version,
			.method = method,
		},
		.oui = { 0, 0, oui2 },
	};

	return mad_registry_find(registry, &mad.mad_hdr);
}

/* ---- what may be asked for ---- */

struct check_case {
	u8 mgmt_class;
	enum ib_qp_type qp_type;
	u8 rmpp_version;
	int ret;
};

static const struct check_case check_cases[] = {
	{ IB_MGMT_CLASS_PERF_MGMT, IB_QPT_GSI, 0, 0 },
	{ IB_MGMT_CLASS_PERF_MGMT, IB_QPT_SMI, 0, -EINVAL },
	{ IB_MGMT_CLASS_PERF_MGMT, IB_QPT_GSI, 1, -EINVAL },
	{ IB_MGMT_CLASS_SUBN_ADM, IB_QPT_GSI, 1, 0 },
	{ IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_QPT_SMI, 0, 0 },
	{ IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_QPT_GSI, 0, -EINVAL },
	{ IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, IB_QPT_SMI, 0, 0 },
	{ IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, IB_QPT_GSI, 0, -EINVAL },
	{ 0, IB_QPT_GSI, 0, -EINVAL },
	{ 79, IB_QPT_GSI, 0, 0 },
	{ 80, IB_QPT_GSI, 0, -EINVAL },
	{ 0x82, IB_QPT_SMI, 0, -EINVAL },
	{ IB_MGMT_CLASS_VENDOR_RANGE2_START, IB_QPT_GSI, 1, 0 },
};

static void what_may_be_asked_for(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(check_cases); i++) {
		const struct check_case *c = &check_cases[i];
		struct ib_mad_reg_req req = wish(c->mgmt_class, 1, 1);

		KUNIT_EXPECT_EQ_MSG(test,
				    mad_registration_check(&req, c->qp_type, c->rmpp_version),
				    c->ret, "class 0x%x", c->mgmt_class);
	}
}

static void versions_and_ouis(struct kunit *test)
{
	struct ib_mad_reg_req req = wish(IB_MGMT_CLASS_VENDOR_RANGE2_END, 0x82, 1);

	KUNIT_EXPECT_EQ(test, mad_registration_check(&req, IB_QPT_GSI, 0), 0);
	req.mgmt_class_version = 0x83;
	KUNIT_EXPECT_EQ(test, mad_registration_check(&req, IB_QPT_GSI, 0), -EINVAL);
	req.mgmt_class_version = 1;
	req.oui[2] = 0;
	KUNIT_EXPECT_EQ(test, mad_registration_check(&req, IB_QPT_GSI, 0), -EINVAL);
	req.oui[0] = 1;
	KUNIT_EXPECT_EQ(test, mad_registration_check(&req, IB_QPT_GSI, 0), 0);
}

/* ---- who gets it ---- */

static void found_by_version_class_method(struct kunit *test)
{
	struct ib_mad_reg_req req = wish(4, 1, 2);
	struct mad_agent *agent = new_agent(test);
	struct mad_registry registry;

	mad_registry_init(&registry);
	KUNIT_ASSERT_EQ(test, mad_registry_add(&registry, &req, agent), 0);
	KUNIT_EXPECT_PTR_EQ(test, find(&registry, 4, 1, 2, 0), agent);
	KUNIT_EXPECT_PTR_EQ(test, find(&registry, 4, 1, 0x82, 0), agent);
	KUNIT_EXPECT_NULL(test, find(&registry, 4, 1, 3, 0));
	KUNIT_EXPECT_NULL(test, find(&registry, 4, 2, 2, 0));
	KUNIT_EXPECT_NULL(test, find(&registry, 5, 1, 2, 0));

	mad_registry_remove(&registry, &req, agent);
	KUNIT_EXPECT_NULL(test, find(&registry, 4, 1, 2, 0));
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&registry.classes));
}

/* A second subnet manager can't have what the first has; nothing of what it asked for is kept. */
static void one_agent_a_method(struct kunit *test)
{
	struct mad_agent *first = new_agent(test), *second = new_agent(test);
	struct ib_mad_reg_req a = wish(0x81, 1, 1), b = wish(0x81, 1, 5);
	struct mad_registry registry;

	mad_registry_init(&registry);
	KUNIT_ASSERT_EQ(test, mad_registry_add(&registry, &a, first), 0);
	__set_bit(1, b.method_mask);
	KUNIT_EXPECT_EQ(test, mad_registry_add(&registry, &b, second), -EINVAL);
	KUNIT_EXPECT_NULL(test, find(&registry, 0x81, 1, 5, 0));
	KUNIT_EXPECT_PTR_EQ(test, find(&registry, 0x81, 1, 1, 0), first);

	/* What somebody else has isn't taken back from them. */
	mad_registry_remove(&registry, &b, second);
	KUNIT_EXPECT_PTR_EQ(test, find(&registry, 0x81, 1, 1, 0), first);
	mad_registry_remove(&registry, &a, first);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&registry.classes));
}

static void agents_share_a_class(struct kunit *test)
{
	struct mad_agent *first = new_agent(test), *second = new_agent(test);
	struct ib_mad_reg_req a = wish(3, 2, 1), b = wish(3, 2, 2);
	struct mad_registry registry;

	mad_registry_init(&registry);
	KUNIT_ASSERT_EQ(test, mad_registry_add(&registry, &a, first), 0);
	KUNIT_ASSERT_EQ(test, mad_registry_add(&registry, &b, second), 0);
	mad_registry_remove(&registry, &a, first);
	KUNIT_EXPECT_NULL(test, find(&registry, 3, 2, 1, 0));
	KUNIT_EXPECT_PTR_EQ(test, find(&registry, 3, 2, 2, 0), second);
	mad_registry_remove(&registry, &b, second);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&registry.classes));
}

/* Vendors' classes go by OUI, others don't. Stock has room for eight OUIs, we for any number. */
static void vendors_by_oui(struct kunit *test)
{
	struct mad_agent *agents[20];
	struct ib_mad_reg_req req;
	struct mad_registry registry;
	int i;

	mad_registry_init(&registry);
	for (i = 0; i < ARRAY_SIZE(agents); i++) {
		agents[i] = new_agent(test);
		req = wish(0x32, 1, 1);
		req.oui[2] = i + 1;
		KUNIT_ASSERT_EQ(test, mad_registry_add(&registry, &req, agents[i]), 0);
	}
	for (i = 0; i < ARRAY_SIZE(agents); i++)
		KUNIT_EXPECT_PTR_EQ(test, find(&registry, 0x32, 1, 1, i + 1), agents[i]);
	KUNIT_EXPECT_NULL(test, find(&registry, 0x32, 1, 1, 99));
	for (i = 0; i < ARRAY_SIZE(agents); i++) {
		req.oui[2] = i + 1;
		mad_registry_remove(&registry, &req, agents[i]);
	}
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&registry.classes));

	req = wish(0x09, 1, 1);
	req.oui[2] = 1;
	KUNIT_ASSERT_EQ(test, mad_registry_add(&registry, &req, agents[0]), 0);
	KUNIT_EXPECT_PTR_EQ(test, find(&registry, 0x09, 1, 1, 99), agents[0]);
	mad_registry_remove(&registry, &req, agents[0]);
}

static void nothing_asked_for(struct kunit *test)
{
	struct ib_mad_reg_req req = { .mgmt_class = 3, .mgmt_class_version = 2 };
	struct mad_agent *agent = new_agent(test);
	struct mad_registry registry;

	mad_registry_init(&registry);
	KUNIT_EXPECT_EQ(test, mad_registry_add(&registry, &req, agent), 0);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&registry.classes));
	mad_registry_remove(&registry, &req, agent);
}

static void out_of_memory(struct kunit *test)
{
	struct ib_mad_reg_req req = wish(4, 1, 2);
	struct mad_agent *agent = new_agent(test);
	struct mad_registry registry;
	int ret;

	mad_registry_init(&registry);
	current->fail_nth = 1;
	ret = mad_registry_add(&registry, &req, agent);
	current->fail_nth = 0;
	KUNIT_EXPECT_EQ(test, ret, -ENOMEM);
	KUNIT_EXPECT_TRUE(test, RB_EMPTY_ROOT(&registry.classes));
}

/* ---- classes ---- */

static void responses(struct kunit *test)
{
	struct ib_mad_hdr hdr = { .mgmt_class = 3, .method = IB_MGMT_METHOD_GET };

	KUNIT_EXPECT_FALSE(test, ib_response_mad(&hdr));
	hdr.method = IB_MGMT_METHOD_TRAP;
	KUNIT_EXPECT_FALSE(test, ib_response_mad(&hdr));
	hdr.method = IB_MGMT_METHOD_TRAP_REPRESS;
	KUNIT_EXPECT_TRUE(test, ib_response_mad(&hdr));
	hdr.method = IB_MGMT_METHOD_REPORT_RESP;
	KUNIT_EXPECT_TRUE(test, ib_response_mad(&hdr));
	hdr.method = IB_MGMT_METHOD_SEND;
	hdr.attr_mod = IB_BM_ATTR_MOD_RESP;
	KUNIT_EXPECT_FALSE(test, ib_response_mad(&hdr));
	hdr.mgmt_class = IB_MGMT_CLASS_BM;
	KUNIT_EXPECT_TRUE(test, ib_response_mad(&hdr));
}

static void headers_of_classes(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(IB_MGMT_CLASS_SUBN_ADM), 56);
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(IB_MGMT_CLASS_DEVICE_MGMT), 64);
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(IB_MGMT_CLASS_DEVICE_ADM), 64);
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(IB_MGMT_CLASS_BIS), 64);
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(0x30), 40);
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(0x4f), 40);
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(0x50), 24);
	KUNIT_EXPECT_EQ(test, ib_get_mad_data_offset(IB_MGMT_CLASS_PERF_MGMT), 24);
	KUNIT_EXPECT_TRUE(test, ib_is_mad_class_rmpp(IB_MGMT_CLASS_SUBN_ADM));
	KUNIT_EXPECT_TRUE(test, ib_is_mad_class_rmpp(0x4f));
	KUNIT_EXPECT_FALSE(test, ib_is_mad_class_rmpp(0x2f));
	KUNIT_EXPECT_FALSE(test, ib_is_mad_class_rmpp(IB_MGMT_CLASS_CM));
}

static void acceptable_on_either_qp(struct kunit *test)
{
	struct ib_mad_hdr hdr = { .base_version = 1, .mgmt_class = 0x81, .method = 1 };

	KUNIT_EXPECT_TRUE(test, mad_acceptable(&hdr, true));
	KUNIT_EXPECT_FALSE(test, mad_acceptable(&hdr, false));
	hdr.mgmt_class = 4;
	KUNIT_EXPECT_FALSE(test, mad_acceptable(&hdr, true));
	KUNIT_EXPECT_TRUE(test, mad_acceptable(&hdr, false));
	hdr.base_version = 2;
	KUNIT_EXPECT_FALSE(test, mad_acceptable(&hdr, false));
	hdr.base_version = 1;
	hdr.mgmt_class = IB_MGMT_CLASS_CM;
	hdr.attr_id = cpu_to_be16(0x10);
	KUNIT_EXPECT_FALSE(test, mad_acceptable(&hdr, false));
	hdr.method = IB_MGMT_METHOD_SEND;
	KUNIT_EXPECT_TRUE(test, mad_acceptable(&hdr, false));
	hdr.method = IB_MGMT_METHOD_GET;
	hdr.attr_id = IB_MGMT_CLASSPORTINFO_ATTR_ID;
	KUNIT_EXPECT_TRUE(test, mad_acceptable(&hdr, false));
}

static void unsupported_queries(struct kunit *test)
{
	struct ib_mad request = { .mad_hdr = { .mgmt_class = 0x81, .method = 2 } };
	struct ib_mad reply = {};

	request.data[231] = 0x55;
	KUNIT_EXPECT_TRUE(test, mad_make_unsupported(&reply, &request));
	KUNIT_EXPECT_EQ(test, reply.mad_hdr.method, 0x81);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(reply.mad_hdr.status), 0x800c);
	KUNIT_EXPECT_EQ(test, reply.data[231], 0x55);
	request.mad_hdr.mgmt_class = 4;
	KUNIT_EXPECT_TRUE(test, mad_make_unsupported(&reply, &request));
	KUNIT_EXPECT_EQ(test, be16_to_cpu(reply.mad_hdr.status), 0x000c);
	request.mad_hdr.method = IB_MGMT_METHOD_TRAP;
	KUNIT_EXPECT_FALSE(test, mad_make_unsupported(&reply, &request));
	request.mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	KUNIT_EXPECT_FALSE(test, mad_make_unsupported(&reply, &request));
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_may_be_asked_for),
	KUNIT_CASE(versions_and_ouis),
	KUNIT_CASE(found_by_version_class_method),
	KUNIT_CASE(one_agent_a_method),
	KUNIT_CASE(agents_share_a_class),
	KUNIT_CASE(vendors_by_oui),
	KUNIT_CASE(nothing_asked_for),
	KUNIT_CASE(out_of_memory),
	KUNIT_CASE(responses),
	KUNIT_CASE(headers_of_classes),
	KUNIT_CASE(acceptable_on_either_qp),
	KUNIT_CASE(unsupported_queries),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_registration",
	.test_cases = cases,
};

kunit_test_suite(suite);
