// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Directed routes: each rule of C14-9 and C14-13 that a channel adapter has, and what breaks it. */

#include <kunit/test.h>

#include "mad.h"

#define PORT	2

/**
 * struct hop_case - a step of an SMP
 * @what: in words
 * @response: direction
 * @hop_cnt: before
 * @hop_ptr: before
 * @wrong_port: the path names another port where ours is expected
 * @slid: dr_slid isn't permissive
 * @dlid: dr_dlid isn't permissive
 * @ok: the step may be taken
 * @after: hop_ptr after it, if @ok
 */
struct hop_case {
	const char *what;
	bool response;
	u8 hop_cnt;
	u8 hop_ptr;
	bool wrong_port;
	bool slid;
	bool dlid;
	bool ok;
	u8 after;
};

static void fill(struct ib_smp *smp, const struct hop_case *c)
{
	memset(smp, 0, sizeof(*smp));
	smp->hop_cnt = c->hop_cnt;
	smp->hop_ptr = c->hop_ptr;
	smp->status = c->response ? IB_SMP_DIRECTION : 0;
	smp->dr_slid = c->slid ? cpu_to_be16(5) : IB_LID_PERMISSIVE;
	smp->dr_dlid = c->dlid ? cpu_to_be16(6) : IB_LID_PERMISSIVE;
	memset(smp->initial_path, c->wrong_port ? PORT + 1 : PORT, sizeof(smp->initial_path));
	memset(smp->return_path, c->wrong_port ? PORT + 1 : PORT, sizeof(smp->return_path));
}

static const struct hop_case send_cases[] = {
	{ .what = "request, first hop", .hop_cnt = 3, .hop_ptr = 0, .ok = true, .after = 1 },
	{ .what = "request, longest route", .hop_cnt = 63, .hop_ptr = 0, .ok = true, .after = 1 },
	{ .what = "request, too long", .hop_cnt = 64, .hop_ptr = 0 },
	{ .what = "request, by another port", .hop_cnt = 3, .wrong_port = true },
	{ .what = "request, no hop", .hop_cnt = 0, .hop_ptr = 0, .ok = true, .after = 1 },
	{ .what = "request, no hop, then routed by LID", .hop_cnt = 0, .dlid = true },
	{ .what = "request, halfway", .hop_cnt = 3, .hop_ptr = 2 },
	{ .what = "request, at its end", .hop_cnt = 3, .hop_ptr = 4, .ok = true, .after = 4 },
	{ .what = "request, behind its end", .hop_cnt = 3, .hop_ptr = 5 },
	{ .what = "request, first routed by LID", .hop_cnt = 70, .hop_ptr = 9, .slid = true,
	  .ok = true, .after = 9 },
	{ .what = "response, first hop", .response = true, .hop_cnt = 3, .hop_ptr = 4, .ok = true,
	  .after = 3 },
	{ .what = "response, by another port", .response = true, .hop_cnt = 3, .hop_ptr = 4,
	  .wrong_port = true },
	{ .what = "response, too long", .response = true, .hop_cnt = 64, .hop_ptr = 65 },
	{ .what = "response, halfway", .response = true, .hop_cnt = 3, .hop_ptr = 2 },
	{ .what = "response, no hop", .response = true, .hop_cnt = 0, .hop_ptr = 1, .ok = true },
	{ .what = "response, no hop, then routed by LID", .response = true, .hop_ptr = 1,
	  .slid = true },
	{ .what = "response, at its end", .response = true, .hop_cnt = 3, .hop_ptr = 0,
	  .ok = true },
	{ .what = "response, behind its start", .response = true, .hop_cnt = 3, .hop_ptr = 5 },
	{ .what = "response, first routed by LID", .response = true, .hop_cnt = 3, .hop_ptr = 2,
	  .dlid = true, .ok = true, .after = 2 },
};

static const struct hop_case receive_cases[] = {
	{ .what = "request, last hop", .hop_cnt = 3, .hop_ptr = 3, .ok = true, .after = 4 },
	{ .what = "request, no hop", .hop_cnt = 0, .hop_ptr = 0, .ok = true, .after = 1 },
	{ .what = "request, last hop, then routed by LID", .hop_cnt = 3, .hop_ptr = 3,
	  .dlid = true },
	{ .what = "request, its sender took no step", .hop_cnt = 3, .hop_ptr = 0 },
	{ .what = "request, for somebody else", .hop_cnt = 3, .hop_ptr = 2 },
	{ .what = "request, was routed by LID", .hop_cnt = 3, .hop_ptr = 4, .ok = true,
	  .after = 4 },
	{ .what = "request, behind its end", .hop_cnt = 3, .hop_ptr = 5 },
	{ .what = "request, too long", .hop_cnt = 64, .hop_ptr = 64 },
	{ .what = "response, last hop", .response = true, .hop_cnt = 3, .hop_ptr = 1, .ok = true },
	{ .what = "response, last hop, then routed by LID", .response = true, .hop_cnt = 3,
	  .hop_ptr = 1, .slid = true },
	{ .what = "response, for somebody else", .response = true, .hop_cnt = 3, .hop_ptr = 2 },
	{ .what = "response, was routed by LID", .response = true, .hop_cnt = 3, .hop_ptr = 0,
	  .ok = true },
	{ .what = "response, not started", .response = true, .hop_cnt = 3, .hop_ptr = 4,
	  .ok = true, .after = 3 },
	{ .what = "response, not started, other port", .response = true, .hop_cnt = 3,
	  .hop_ptr = 4, .wrong_port = true },
	{ .what = "response, behind its start", .response = true, .hop_cnt = 3, .hop_ptr = 5 },
	{ .what = "response, too long", .response = true, .hop_cnt = 64, .hop_ptr = 1 },
};

static void run(struct kunit *test, bool (*step)(struct ib_smp *smp, u32 port_num),
		const struct hop_case *cases, size_t count)
{
	const struct hop_case *c;
	struct ib_smp smp;

	for (c = cases; c < cases + count; c++) {
		fill(&smp, c);
		KUNIT_EXPECT_EQ_MSG(test, step(&smp, PORT), c->ok, "%s", c->what);
		if (c->ok)
			KUNIT_EXPECT_EQ_MSG(test, smp.hop_ptr, c->after, "%s", c->what);
	}
}

static void smp_leaves(struct kunit *test)
{
	run(test, mad_smi_send, send_cases, ARRAY_SIZE(send_cases));
}

static void smp_arrives(struct kunit *test)
{
	run(test, mad_smi_receive, receive_cases, ARRAY_SIZE(receive_cases));
}

static void last_hop_is_recorded(struct kunit *test)
{
	const struct hop_case c = { .hop_cnt = 3, .hop_ptr = 3, .wrong_port = true };
	struct ib_smp smp;

	fill(&smp, &c);
	KUNIT_EXPECT_TRUE(test, mad_smi_receive(&smp, PORT));
	KUNIT_EXPECT_EQ(test, smp.return_path[3], PORT);
	KUNIT_EXPECT_EQ(test, smp.return_path[2], PORT + 1);
	KUNIT_EXPECT_EQ(test, smp.return_path[4], PORT + 1);
}

/* A node sends to itself, and the answer comes back. */
static void loop_of_no_hop(struct kunit *test)
{
	const struct hop_case c = {};
	struct ib_smp smp;

	fill(&smp, &c);
	KUNIT_EXPECT_FALSE(test, mad_smi_is_local(&smp) && smp.hop_ptr == 0);
	KUNIT_EXPECT_TRUE(test, mad_smi_send(&smp, PORT));
	KUNIT_EXPECT_TRUE(test, mad_smi_is_local(&smp));
	smp.status |= IB_SMP_DIRECTION;
	KUNIT_EXPECT_FALSE(test, mad_smi_is_local(&smp));
	KUNIT_EXPECT_TRUE(test, mad_smi_send(&smp, PORT));
	KUNIT_EXPECT_TRUE(test, mad_smi_is_local(&smp));
}

/* Nothing that a stranger writes into an SMP makes us look outside of its paths. */
static void no_hop_is_out_of_bounds(struct kunit *test)
{
	struct hop_case c = {};
	struct ib_smp smp;
	int cnt, ptr;

	for (cnt = 0; cnt < 256; cnt++) {
		for (ptr = 0; ptr < 256; ptr++) {
			c.hop_cnt = cnt;
			c.hop_ptr = ptr;
			c.response = ptr & 1;
			fill(&smp, &c);
			if (mad_smi_receive(&smp, PORT))
				KUNIT_EXPECT_LT(test, smp.hop_cnt, IB_SMP_MAX_PATH_HOPS);
			KUNIT_EXPECT_EQ(test, smp.return_path[0], PORT);
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(smp_leaves),
	KUNIT_CASE(smp_arrives),
	KUNIT_CASE(last_hop_is_recorded),
	KUNIT_CASE(loop_of_no_hop),
	KUNIT_CASE(no_hop_is_out_of_bounds),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_smi",
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit suites of ib_mad");
MODULE_LICENSE("Dual BSD/GPL");
