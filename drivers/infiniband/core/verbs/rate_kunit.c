// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB

#include <kunit/test.h>
#include <rdma/ib_verbs.h>

/* Lanes, and Mb/s that one of them carries with its line code. */
static const struct {
	enum ib_rate rate;
	int lanes;
	int lane_kbps;
	int mult;
} known[] = {
	{ IB_RATE_2_5_GBPS, 1, 2500000, 1 },	/* SDR, DDR, QDR: the signalling rate */
	{ IB_RATE_10_GBPS, 4, 2500000, 4 },
	{ IB_RATE_20_GBPS, 8, 2500000, 8 },
	{ IB_RATE_30_GBPS, 12, 2500000, 12 },
	{ IB_RATE_5_GBPS, 1, 5000000, 2 },
	{ IB_RATE_40_GBPS, 8, 5000000, 16 },
	{ IB_RATE_60_GBPS, 12, 5000000, 24 },
	{ IB_RATE_80_GBPS, 8, 10000000, 32 },
	{ IB_RATE_120_GBPS, 12, 10000000, 48 },
	{ IB_RATE_14_GBPS, 1, 14062500, 6 },	/* FDR */
	{ IB_RATE_28_GBPS, 2, 14062500, 11 },
	{ IB_RATE_56_GBPS, 4, 14062500, 22 },
	{ IB_RATE_112_GBPS, 8, 14062500, 45 },
	{ IB_RATE_168_GBPS, 12, 14062500, 67 },
	{ IB_RATE_25_GBPS, 1, 25781250, 10 },	/* EDR */
	{ IB_RATE_100_GBPS, 4, 25781250, 40 },
	{ IB_RATE_200_GBPS, 8, 25781250, 80 },
	{ IB_RATE_300_GBPS, 12, 25781250, 120 },
	{ IB_RATE_50_GBPS, 1, 53125000, 20 },	/* HDR */
	{ IB_RATE_400_GBPS, 8, 53125000, 160 },
	{ IB_RATE_600_GBPS, 12, 53125000, 240 },
	{ IB_RATE_800_GBPS, 8, 106250000, 320 },	/* NDR */
};

static void all_known(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		int kbps = known[i].lanes * known[i].lane_kbps;

		KUNIT_EXPECT_EQ(test, ib_rate_to_mbps(known[i].rate), kbps / 1000);
		KUNIT_EXPECT_EQ(test, ib_rate_to_mult(known[i].rate), known[i].mult);
		KUNIT_EXPECT_EQ(test, (int)mult_to_ib_rate(known[i].mult), (int)known[i].rate);
	}
}

static bool is_known(int rate)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].rate == rate)
			return true;
	return false;
}

static void unknown(struct kunit *test)
{
	int rate;

	for (rate = -1; rate < 256; rate++) {
		if (is_known(rate))
			continue;
		KUNIT_EXPECT_EQ_MSG(test, ib_rate_to_mult(rate), -1, "%d", rate);
		KUNIT_EXPECT_EQ_MSG(test, ib_rate_to_mbps(rate), -1, "%d", rate);
	}
	KUNIT_EXPECT_EQ(test, (int)mult_to_ib_rate(0), (int)IB_RATE_PORT_CURRENT);
	KUNIT_EXPECT_EQ(test, (int)mult_to_ib_rate(-1), (int)IB_RATE_PORT_CURRENT);
	KUNIT_EXPECT_EQ(test, (int)mult_to_ib_rate(3), (int)IB_RATE_PORT_CURRENT);
	KUNIT_EXPECT_EQ(test, (int)mult_to_ib_rate(321), (int)IB_RATE_PORT_CURRENT);
}

static struct kunit_case rate_cases[] = {
	KUNIT_CASE(all_known),
	KUNIT_CASE(unknown),
	{}
};

static struct kunit_suite rate_suite = {
	.name = "verbs_rate",
	.test_cases = rate_cases,
};

kunit_test_suites(&rate_suite);
