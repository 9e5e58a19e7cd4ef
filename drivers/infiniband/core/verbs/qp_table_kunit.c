// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ib_modify_qp_is_ok() against the state tables of the specification, written down here as text
 * and looked up the slow way.
 */

#include <kunit/test.h>
#include <linux/string.h>
#include <rdma/ib_verbs.h>

static const char * const states[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };

static const struct {
	enum ib_qp_type type;
	const char *name;
} types[] = {
	{ IB_QPT_SMI, "SMI" }, { IB_QPT_GSI, "GSI" }, { IB_QPT_RC, "RC" }, { IB_QPT_UC, "UC" },
	{ IB_QPT_UD, "UD" }, { IB_QPT_RAW_IPV6, "IPV6" }, { IB_QPT_RAW_ETHERTYPE, "ETHERTYPE" },
	{ IB_QPT_RAW_PACKET, "PACKET" }, { IB_QPT_XRC_INI, "INI" }, { IB_QPT_XRC_TGT, "TGT" },
};

static const struct {
	u32 bit;
	const char *name;
} attributes[] = {
	{ IB_QP_CUR_STATE, "cur_state" }, { IB_QP_EN_SQD_ASYNC_NOTIFY, "notify" },
	{ IB_QP_ACCESS_FLAGS, "access" }, { IB_QP_PKEY_INDEX, "pkey" }, { IB_QP_PORT, "port" },
	{ IB_QP_QKEY, "qkey" }, { IB_QP_AV, "av" }, { IB_QP_PATH_MTU, "mtu" },
	{ IB_QP_TIMEOUT, "timeout" }, { IB_QP_RETRY_CNT, "retry" }, { IB_QP_RNR_RETRY, "rnr" },
	{ IB_QP_RQ_PSN, "rq_psn" }, { IB_QP_MAX_QP_RD_ATOMIC, "depth" },
	{ IB_QP_ALT_PATH, "alt" }, { IB_QP_MIN_RNR_TIMER, "rnr_timer" },
	{ IB_QP_SQ_PSN, "sq_psn" }, { IB_QP_MAX_DEST_RD_ATOMIC, "resources" },
	{ IB_QP_PATH_MIG_STATE, "mig" }, { IB_QP_DEST_QPN, "dest_qpn" },
	{ IB_QP_RATE_LIMIT, "rate" },
};

static const char * const moves[] = {
	"RESET>RESET", "RESET>INIT",
	"INIT>RESET", "INIT>ERR", "INIT>INIT", "INIT>RTR",
	"RTR>RESET", "RTR>ERR", "RTR>RTS",
	"RTS>RESET", "RTS>ERR", "RTS>RTS", "RTS>SQD",
	"SQD>RESET", "SQD>ERR", "SQD>RTS", "SQD>SQD",
	"SQE>RESET", "SQE>ERR", "SQE>RTS",
	"ERR>RESET", "ERR>ERR",
};

static const struct {
	const char *moves, *types, *required, *optional;
} rules[] = {
	{ "RESET>INIT", "RC UC INI TGT", "pkey port access", "" },
	{ "RESET>INIT", "UD", "pkey port qkey", "" },
	{ "RESET>INIT", "SMI GSI", "pkey qkey", "" },
	{ "RESET>INIT", "PACKET", "port", "" },

	{ "INIT>INIT", "RC UC INI TGT", "", "pkey port access" },
	{ "INIT>INIT", "UD", "", "pkey port qkey" },
	{ "INIT>INIT", "SMI GSI", "", "pkey qkey" },

	{ "INIT>RTR", "RC TGT", "av mtu dest_qpn rq_psn resources rnr_timer",
	  "alt access pkey" },
	{ "INIT>RTR", "UC INI", "av mtu dest_qpn rq_psn", "alt access pkey" },
	{ "INIT>RTR", "UD SMI GSI", "", "pkey qkey" },

	{ "RTR>RTS", "RC", "timeout retry rnr sq_psn depth",
	  "cur_state alt access rnr_timer mig" },
	{ "RTR>RTS", "INI", "timeout retry rnr sq_psn depth",
	  "cur_state alt access mig" },
	{ "RTR>RTS", "TGT", "timeout sq_psn", "cur_state alt access rnr_timer mig" },
	{ "RTR>RTS", "UC", "sq_psn", "cur_state alt access mig" },
	{ "RTR>RTS", "UD SMI GSI", "sq_psn", "cur_state qkey" },
	{ "RTR>RTS RTS>RTS", "PACKET", "", "rate" },

	{ "RTS>RTS SQD>RTS", "RC TGT", "", "cur_state access alt mig rnr_timer" },
	{ "RTS>RTS SQD>RTS", "UC INI", "", "cur_state access alt mig" },
	{ "RTS>RTS SQD>RTS SQE>RTS", "UD SMI GSI", "", "cur_state qkey" },
	{ "SQE>RTS", "UC", "", "cur_state access" },

	{ "RTS>SQD", "RC UC INI TGT UD SMI GSI", "", "notify" },
	{ "SQD>SQD", "RC", "",
	  "port av timeout retry rnr depth resources alt access pkey rnr_timer mig" },
	{ "SQD>SQD", "INI", "", "port av timeout retry rnr depth alt access pkey mig" },
	{ "SQD>SQD", "TGT", "",
	  "port av timeout resources alt access pkey rnr_timer mig" },
	{ "SQD>SQD", "UC", "", "av alt access pkey mig" },
	{ "SQD>SQD", "UD SMI GSI", "", "pkey qkey" },
};

/* Whether @word is one of the words of @text. */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	const char *at;

	for (at = text; (at = strstr(at, word)); at += len)
		if ((at == text || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	return false;
}

static u32 mask_of(const char *text)
{
	u32 mask = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(attributes); i++)
		if (has_word(text, attributes[i].name))
			mask |= attributes[i].bit;
	return mask;
}

static bool is_move(const char *move)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(moves); i++)
		if (!strcmp(moves[i], move))
			return true;
	return false;
}

static void find_rule(const char *move, const char *type, u32 *required, u32 *optional)
{
	int i;

	*required = 0;
	*optional = 0;
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		if (!has_word(rules[i].moves, move) || !has_word(rules[i].types, type))
			continue;
		*required = mask_of(rules[i].required);
		*optional = mask_of(rules[i].optional);
	}
}

struct question {
	int from, to, type;
	char what[32];
};

static bool ok(const struct question *q, u32 mask)
{
	return ib_modify_qp_is_ok(q->from, q->to, types[q->type].type, mask);
}

static void no_move(struct kunit *test, const struct question *q)
{
	int bit;

	KUNIT_EXPECT_FALSE_MSG(test, ok(q, 0), "%s", q->what);
	KUNIT_EXPECT_FALSE_MSG(test, ok(q, ~0U), "%s", q->what);
	for (bit = 0; bit < 32; bit++)
		KUNIT_EXPECT_FALSE_MSG(test, ok(q, BIT(bit) | IB_QP_STATE), "%s with bit %d",
				       q->what, bit);
}

static void move(struct kunit *test, const struct question *q, u32 required, u32 optional)
{
	int bit;

	KUNIT_EXPECT_TRUE_MSG(test, ok(q, required), "%s", q->what);
	KUNIT_EXPECT_TRUE_MSG(test, ok(q, required | IB_QP_STATE), "%s", q->what);
	KUNIT_EXPECT_TRUE_MSG(test, ok(q, required | optional | IB_QP_STATE), "%s, all optional",
			      q->what);
	for (bit = 1; bit < 32; bit++) {
		if (required & BIT(bit))
			KUNIT_EXPECT_FALSE_MSG(test, ok(q, (required & ~BIT(bit)) | optional),
					       "%s without bit %d", q->what, bit);
		else
			KUNIT_EXPECT_EQ_MSG(test, ok(q, required | BIT(bit)),
					    !!(optional & BIT(bit)), "%s with bit %d",
					    q->what, bit);
	}
}

static void all_moves_of_all_types(struct kunit *test)
{
	struct question q;
	u32 required, optional;
	char name[16];

	for (q.from = 0; q.from < ARRAY_SIZE(states); q.from++)
		for (q.to = 0; q.to < ARRAY_SIZE(states); q.to++)
			for (q.type = 0; q.type < ARRAY_SIZE(types); q.type++) {
				snprintf(name, sizeof(name), "%s>%s", states[q.from],
					 states[q.to]);
				snprintf(q.what, sizeof(q.what), "%s %s", types[q.type].name, name);
				find_rule(name, types[q.type].name, &required, &optional);
				if (is_move(name))
					move(test, &q, required, optional);
				else
					no_move(test, &q);
			}
}

static void outside_of_the_table(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, ib_modify_qp_is_ok(IB_QPS_ERR, IB_QPS_RESET, IB_QPT_RC, 0));
	KUNIT_EXPECT_FALSE(test, ib_modify_qp_is_ok(IB_QPS_ERR + 1, IB_QPS_RESET, IB_QPT_RC, 0));
	KUNIT_EXPECT_FALSE(test, ib_modify_qp_is_ok(IB_QPS_ERR, IB_QPS_ERR + 1, IB_QPT_RC, 0));
	KUNIT_EXPECT_FALSE(test, ib_modify_qp_is_ok(IB_QPS_ERR, IB_QPS_RESET, IB_QPT_MAX, 0));
	KUNIT_EXPECT_FALSE(test, ib_modify_qp_is_ok(IB_QPS_ERR, IB_QPS_RESET, IB_QPT_DRIVER, 0));
	KUNIT_EXPECT_FALSE(test, ib_modify_qp_is_ok(-1, IB_QPS_RESET, IB_QPT_RC, 0));
}

static struct kunit_case qp_table_cases[] = {
	KUNIT_CASE(all_moves_of_all_types),
	KUNIT_CASE(outside_of_the_table),
	{}
};

static struct kunit_suite qp_table_suite = {
	.name = "verbs_qp_table",
	.test_cases = qp_table_cases,
};

kunit_test_suites(&qp_table_suite);
