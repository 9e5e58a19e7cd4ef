// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <kunit/test.h>
#include "qp.h"

#define STATES (IB_QPS_ERR + 1)

typedef bool (*rule_fn)(enum ib_qp_state from, enum ib_qp_state to, int attr_mask);

struct known {
	enum ib_qp_state from, to;
	int required, optional;
};

static const struct known *find(const struct known *known, size_t count, int from, int to)
{
	for (size_t i = 0; i < count; i++)
		if (known[i].from == from && known[i].to == to)
			return &known[i];
	return NULL;
}

/*
 * Each transition that there is works with what it needs, and with each further attribute that it
 * takes; without any single one of those that it needs, or with any other one, it doesn't. Others
 * never do.
 */
static void check(struct kunit *test, rule_fn ok, const struct known *known, size_t count)
{
	for (int from = 0; from < STATES; from++) {
		for (int to = 0; to < STATES; to++) {
			const struct known *row = find(known, count, from, to);
			int required = row ? row->required | IB_QP_STATE : IB_QP_STATE;

			KUNIT_EXPECT_EQ_MSG(test, ok(from, to, required), !!row, "%d to %d", from,
					    to);
			for (int bit = 0; bit < 32 && row; bit++) {
				int attr = BIT(bit);

				if (required & attr)
					KUNIT_EXPECT_FALSE(test, ok(from, to, required & ~attr));
				else
					KUNIT_EXPECT_EQ(test, ok(from, to, required | attr),
							!!(row->optional & attr));
			}
		}
	}
}

static void initiator(struct kunit *test)
{
	struct known known[STATES * 2 + 4] = {
		{ IB_QPS_RESET, IB_QPS_INIT, IB_QP_PKEY_INDEX | IB_QP_PORT, 0 },
		{ IB_QPS_INIT, IB_QPS_INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT },
		{ IB_QPS_INIT, IB_QPS_RTR, IB_QP_PATH_MTU, IB_QP_PKEY_INDEX | IB_QP_AV },
		{ IB_QPS_RTR, IB_QPS_RTS,
		  IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_MAX_QP_RD_ATOMIC |
		  IB_QP_SQ_PSN, IB_QP_MIN_RNR_TIMER },
		{ IB_QPS_RTS, IB_QPS_RTS, 0, IB_QP_MIN_RNR_TIMER },
	};
	size_t count = 5;

	for (int from = 0; from < STATES; from++) {
		known[count++] = (struct known) { from, IB_QPS_RESET };
		if (from != IB_QPS_RESET)
			known[count++] = (struct known) { from, IB_QPS_ERR };
	}
	check(test, mlx5_ib_dci_modify_ok, known, count);
}

static void target(struct kunit *test)
{
	static const struct known known[] = {
		{ IB_QPS_RESET, IB_QPS_INIT,
		  IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX | IB_QP_PORT, 0 },
		{ IB_QPS_INIT, IB_QPS_RTR, IB_QP_MIN_RNR_TIMER | IB_QP_AV | IB_QP_PATH_MTU, 0 },
	};

	check(test, mlx5_ib_dct_modify_ok, known, ARRAY_SIZE(known));
}

static void target_query(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, mlx5_ib_dct_query_ok(IB_QPS_RTR, IB_QP_STATE | IB_QP_AV));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_dct_query_ok(IB_QPS_INIT, IB_QP_STATE));
	KUNIT_EXPECT_FALSE(test, mlx5_ib_dct_query_ok(IB_QPS_RTR, IB_QP_STATE | IB_QP_QKEY));
}

static struct kunit_case dc_rules_cases[] = {
	KUNIT_CASE(initiator),
	KUNIT_CASE(target),
	KUNIT_CASE(target_query),
	{}
};

static struct kunit_suite dc_rules_suite = {
	.name = "mlx5-dc-rules",
	.test_cases = dc_rules_cases,
};

kunit_test_suite(dc_rules_suite);
