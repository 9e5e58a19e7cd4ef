// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>

#include "device.h"

/* ULPs print these, and people search for them. */
static void events(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, ib_event_msg(IB_EVENT_CQ_ERR), "CQ error");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(IB_EVENT_COMM_EST), "communication established");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(IB_EVENT_PATH_MIG), "path migration successful");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(IB_EVENT_PKEY_CHANGE), "P_key change");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(IB_EVENT_QP_LAST_WQE_REACHED), "last WQE reached");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(IB_EVENT_GID_CHANGE), "GID changed");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(IB_EVENT_WQ_FATAL), "unrecognized event");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(1000), "unrecognized event");
	KUNIT_EXPECT_STREQ(test, ib_event_msg(-1), "unrecognized event");
}

static void each_event_and_status_has_a_text_of_its_own(struct kunit *test)
{
	int i, j;

	for (i = 0; i < IB_EVENT_WQ_FATAL; i++) {
		KUNIT_EXPECT_STRNEQ(test, ib_event_msg(i), "unrecognized event");
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, ib_event_msg(i), ib_event_msg(j));
	}
	for (i = 0; i <= IB_WC_GENERAL_ERR; i++) {
		KUNIT_EXPECT_STRNEQ(test, ib_wc_status_msg(i), "unrecognized status");
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, ib_wc_status_msg(i), ib_wc_status_msg(j));
	}
}

static void statuses(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, ib_wc_status_msg(IB_WC_SUCCESS), "success");
	KUNIT_EXPECT_STREQ(test, ib_wc_status_msg(IB_WC_WR_FLUSH_ERR), "WR flushed");
	KUNIT_EXPECT_STREQ(test, ib_wc_status_msg(IB_WC_RETRY_EXC_ERR),
			   "transport retry counter exceeded");
	KUNIT_EXPECT_STREQ(test, ib_wc_status_msg(IB_WC_REM_ABORT_ERR), "operation aborted");
	KUNIT_EXPECT_STREQ(test, ib_wc_status_msg(IB_WC_GENERAL_ERR), "general error");
	KUNIT_EXPECT_STREQ(test, ib_wc_status_msg(IB_WC_GENERAL_ERR + 1), "unrecognized status");
	KUNIT_EXPECT_STREQ(test, ib_wc_status_msg(-1), "unrecognized status");
}

/* libibumad and others parse what sysfs says. */
static void states(struct kunit *test)
{
	static const char *const logical[] = {
		"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER", "UNKNOWN",
	};
	static const char *const physical[] = {
		"<unknown>", "Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp",
		"LinkErrorRecovery", "Phy Test", "<unknown>",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(logical); i++)
		KUNIT_EXPECT_STREQ(test, rdma_port_state_text(i), logical[i]);
	for (i = 0; i < ARRAY_SIZE(physical); i++)
		KUNIT_EXPECT_STREQ(test, rdma_port_phys_state_text(i), physical[i]);
}

static void node_types(struct kunit *test)
{
	static const char *const texts[] = {
		"<unknown>", "CA", "switch", "router", "RNIC", "usNIC", "usNIC UDP", "unspecified",
		"<unknown>",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		KUNIT_EXPECT_STREQ(test, rdma_node_type_text(i), texts[i]);
}

static void rates(struct kunit *test)
{
	static const struct {
		u8 width;
		u16 speed;
		const char *text;
	} rates[] = {
		{ IB_WIDTH_1X, IB_SPEED_SDR, "2.5 Gb/sec (1X SDR)\n" },
		{ IB_WIDTH_4X, IB_SPEED_SDR, "10 Gb/sec (4X SDR)\n" },
		{ IB_WIDTH_12X, IB_SPEED_DDR, "60 Gb/sec (12X DDR)\n" },
		{ IB_WIDTH_8X, IB_SPEED_QDR, "80 Gb/sec (8X QDR)\n" },
		{ IB_WIDTH_4X, IB_SPEED_FDR10, "40 Gb/sec (4X FDR10)\n" },
		{ IB_WIDTH_4X, IB_SPEED_FDR, "56 Gb/sec (4X FDR)\n" },
		{ IB_WIDTH_4X, IB_SPEED_EDR, "100 Gb/sec (4X EDR)\n" },
		{ IB_WIDTH_2X, IB_SPEED_HDR, "100 Gb/sec (2X HDR)\n" },
		{ IB_WIDTH_4X, IB_SPEED_NDR, "400 Gb/sec (4X NDR)\n" },
		{ IB_WIDTH_4X, IB_SPEED_XDR, "800 Gb/sec (4X XDR)\n" },
		{ IB_WIDTH_4X, 3, "10 Gb/sec (4X SDR)\n" }, /* no such speed */
	};
	char *page = (char *)get_zeroed_page(GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, page);
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		KUNIT_EXPECT_EQ(test, rdma_rate_text(page, rates[i].width, rates[i].speed),
				(int)strlen(rates[i].text));
		KUNIT_EXPECT_STREQ(test, page, rates[i].text);
	}
	KUNIT_EXPECT_EQ(test, rdma_rate_text(page, 0, IB_SPEED_SDR), -EINVAL);
	KUNIT_EXPECT_EQ(test, rdma_rate_text(page, 3, IB_SPEED_SDR), -EINVAL);
	free_page((unsigned long)page);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(events),
	KUNIT_CASE(each_event_and_status_has_a_text_of_its_own),
	KUNIT_CASE(statuses),
	KUNIT_CASE(states),
	KUNIT_CASE(node_types),
	KUNIT_CASE(rates),
	{}
};

static struct kunit_suite suite = {
	.name = "core_text",
	.test_cases = cases,
};

kunit_test_suite(suite);
