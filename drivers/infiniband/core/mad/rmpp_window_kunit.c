// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* RMPP's arithmetic, both sides. */

#include <kunit/test.h>
#include <linux/vmalloc.h>

#include "mad.h"

/* ---- the sender ---- */

static void window_opens_and_closes(struct kunit *test)
{
	struct rmpp_window window = { .segments = 5, .limit = 1 };

	KUNIT_EXPECT_TRUE(test, rmpp_window_open(&window));
	window.sent = 1;
	KUNIT_EXPECT_FALSE(test, rmpp_window_open(&window));
	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, 1, 65), RMPP_ACK_PROGRESS);
	KUNIT_EXPECT_TRUE(test, rmpp_window_open(&window));
	window.sent = 5;
	KUNIT_EXPECT_FALSE(test, rmpp_window_open(&window));
	KUNIT_EXPECT_FALSE(test, rmpp_window_acked(&window));
	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, 5, 65), RMPP_ACK_COMPLETE);
	KUNIT_EXPECT_TRUE(test, rmpp_window_acked(&window));
}

static void stale_acks_change_nothing(struct kunit *test)
{
	const struct rmpp_window start = { .segments = 9, .sent = 6, .acked = 3, .limit = 6 };
	struct rmpp_window window = start;

	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, 2, 6), RMPP_ACK_STALE);
	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, 4, 5), RMPP_ACK_STALE);
	KUNIT_EXPECT_MEMEQ(test, &window, &start, sizeof(window));
}

static void acks_of_what_was_never_sent(struct kunit *test)
{
	const struct rmpp_window start = { .segments = 9, .sent = 6, .acked = 3, .limit = 6 };
	struct rmpp_window window = start;

	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, 7, 20), RMPP_ACK_BEYOND);
	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, 10, 20), RMPP_ACK_BEYOND);
	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, U32_MAX, U32_MAX), RMPP_ACK_BEYOND);
	KUNIT_EXPECT_MEMEQ(test, &window, &start, sizeof(window));
}

/* Segment 4 was lost, or just its ACK: after a rewind the peer may say that it has more. */
static void rewind_goes_back_to_what_is_certain(struct kunit *test)
{
	struct rmpp_window window = { .segments = 9, .sent = 6, .acked = 3, .limit = 6 };

	rmpp_window_rewind(&window);
	KUNIT_EXPECT_EQ(test, window.sent, 3);
	KUNIT_EXPECT_TRUE(test, rmpp_window_open(&window));
	window.sent = 4;
	KUNIT_EXPECT_EQ(test, rmpp_window_ack(&window, 6, 9), RMPP_ACK_PROGRESS);
	KUNIT_EXPECT_EQ(test, window.sent, 6);
}

static void headers_of_segments(struct kunit *test)
{
	const struct rmpp_window three = { .segments = 3 }, one = { .segments = 1 };
	struct rmpp_segment segment;

	segment = rmpp_segment(&three, 1, 30);
	KUNIT_EXPECT_EQ(test, segment.flags, 0x03);	/* active, first */
	KUNIT_EXPECT_EQ(test, segment.paylen, 630);
	segment = rmpp_segment(&three, 2, 30);
	KUNIT_EXPECT_EQ(test, segment.flags, 0x01);
	KUNIT_EXPECT_EQ(test, segment.paylen, 0);
	segment = rmpp_segment(&three, 3, 30);
	KUNIT_EXPECT_EQ(test, segment.flags, 0x05);	/* active, last */
	KUNIT_EXPECT_EQ(test, segment.paylen, 190);
	segment = rmpp_segment(&one, 1, 200);
	KUNIT_EXPECT_EQ(test, segment.flags, 0x07);
	KUNIT_EXPECT_EQ(test, segment.paylen, 20);
}

static void padding(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, rmpp_pad(56, 200), 0);
	KUNIT_EXPECT_EQ(test, rmpp_pad(56, 400), 0);
	KUNIT_EXPECT_EQ(test, rmpp_pad(56, 1), 199);
	KUNIT_EXPECT_EQ(test, rmpp_pad(56, 201), 199);
	KUNIT_EXPECT_EQ(test, rmpp_pad(56, 0), 200);
	KUNIT_EXPECT_EQ(test, rmpp_pad(256, 0), 0);
}

static void length_of_a_message(struct kunit *test)
{
	/* Two segments of SA with 200 and 64 bytes of data. */
	KUNIT_EXPECT_EQ(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, 2, 84), 56 + 264);
	KUNIT_EXPECT_EQ(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, 1, 220), 256);
	KUNIT_EXPECT_EQ(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, 1, 20), 56);
	/* Claims that can't be true. */
	KUNIT_EXPECT_EQ(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, 1, 221), 256);
	KUNIT_EXPECT_EQ(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, 1, U32_MAX), 256);
	KUNIT_EXPECT_EQ(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, 1, 0), 56);
	KUNIT_EXPECT_EQ(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, 2, 0), 256);
	KUNIT_EXPECT_GT(test, rmpp_message_len(IB_MGMT_CLASS_SUBN_ADM, RMPP_MAX_SEGMENTS, 0), 0);
}

/* ---- the receiver ---- */

/* Segments of a message, and how they are put together. */
struct transfer {
	struct rmpp_assembly assembly;
	struct list_head list;
	u32 count;
	struct ib_mad_recv_buf *bufs;
	struct ib_rmpp_mad *mads;
};

static void transfer_begin(struct kunit *test, struct transfer *t, u32 count, u32 window)
{
	u32 i;

	memset(t, 0, sizeof(*t));
	INIT_LIST_HEAD(&t->list);
	t->count = count;
	t->bufs = vzalloc(array_size(count + 1, sizeof(*t->bufs)));
	t->mads = vzalloc(array_size(count + 1, sizeof(*t->mads)));
	t->assembly.slots = vzalloc(array_size(window, sizeof(*t->assembly.slots)));
	t->assembly.size = window;
	KUNIT_ASSERT_TRUE(test, t->bufs && t->mads && t->assembly.slots);
	for (i = 1; i <= count; i++) {
		t->bufs[i].mad = (struct ib_mad *)&t->mads[i];
		INIT_LIST_HEAD(&t->bufs[i].list);
		t->mads[i].rmpp_hdr.seg_num = cpu_to_be32(i);
	}
	t->mads[count].rmpp_hdr.rmpp_rtime_flags = IB_MGMT_RMPP_FLAG_LAST;
	t->mads[count].rmpp_hdr.paylen_newwin = cpu_to_be32(84);
}

static enum rmpp_arrival transfer_start(struct transfer *t)
{
	return rmpp_assembly_start(&t->assembly, &t->list, &t->bufs[1]);
}

static enum rmpp_arrival transfer_add(struct transfer *t, u32 number)
{
	return rmpp_assembly_add(&t->assembly, &t->bufs[number]);
}

static void transfer_end(struct transfer *t)
{
	vfree(t->assembly.slots);
	vfree(t->mads);
	vfree(t->bufs);
}

static void expect_all_in_order(struct kunit *test, struct transfer *t)
{
	struct ib_mad_recv_buf *buf;
	u32 number = 0;

	KUNIT_EXPECT_TRUE(test, t->assembly.complete);
	KUNIT_EXPECT_EQ(test, t->assembly.last_paylen, 84);
	list_for_each_entry(buf, &t->list, list)
		KUNIT_EXPECT_PTR_EQ(test, buf, &t->bufs[++number]);
	KUNIT_EXPECT_EQ(test, number, t->count);
}

static void one_segment(struct kunit *test)
{
	struct transfer t;

	transfer_begin(test, &t, 1, 8);
	KUNIT_EXPECT_EQ(test, transfer_start(&t), RMPP_ARRIVAL_COMPLETE);
	KUNIT_EXPECT_EQ(test, t.assembly.limit, 1);
	expect_all_in_order(test, &t);
	transfer_end(&t);
}

static void ascending_moves_the_window(struct kunit *test)
{
	struct transfer t;
	u32 i;

	transfer_begin(test, &t, 20, 8);
	KUNIT_EXPECT_EQ(test, transfer_start(&t), RMPP_ARRIVAL_ACKNOWLEDGE);
	KUNIT_EXPECT_EQ(test, t.assembly.limit, 9);
	for (i = 2; i <= 20; i++)
		KUNIT_EXPECT_EQ_MSG(test, transfer_add(&t, i),
				    i == 20 ? RMPP_ARRIVAL_COMPLETE :
				    i == 9 || i == 17 ? RMPP_ARRIVAL_ACKNOWLEDGE :
				    RMPP_ARRIVAL_KEPT, "segment %u", i);
	expect_all_in_order(test, &t);
	transfer_end(&t);
}

/* Were each segment's place searched in a list, this would take for hours. */
static void descending_costs_the_same(struct kunit *test)
{
	const u32 count = 200000;
	struct transfer t;
	u32 i;

	transfer_begin(test, &t, count, count);
	transfer_start(&t);
	for (i = count; i > 2; i--)
		if (transfer_add(&t, i) != RMPP_ARRIVAL_KEPT)
			KUNIT_FAIL(test, "segment %u", i);
	KUNIT_EXPECT_EQ(test, t.assembly.received, 1);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 2), RMPP_ARRIVAL_COMPLETE);
	expect_all_in_order(test, &t);
	transfer_end(&t);
}

static void any_order_within_the_window(struct kunit *test)
{
	struct transfer t;
	u32 i, n, base;

	transfer_begin(test, &t, 1 + 16 * 11, 11);
	transfer_start(&t);
	for (base = 2; base < t.count; base += 11)
		for (i = 0; i < 11; i++) {
			n = base + (i * 7 + 3) % 11;
			KUNIT_EXPECT_NE(test, transfer_add(&t, n), RMPP_ARRIVAL_DROP);
			KUNIT_EXPECT_NE(test, transfer_add(&t, n), RMPP_ARRIVAL_KEPT);
		}
	expect_all_in_order(test, &t);
	transfer_end(&t);
}

static void unwanted_segments(struct kunit *test)
{
	struct transfer t;

	transfer_begin(test, &t, 20, 4);
	transfer_start(&t);
	t.assembly.acked = 1;
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 1), RMPP_ARRIVAL_REPEATED);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 6), RMPP_ARRIVAL_DROP);	/* beyond the window */
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 4), RMPP_ARRIVAL_KEPT);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 4), RMPP_ARRIVAL_DROP);	/* again */
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 2), RMPP_ARRIVAL_KEPT);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 2), RMPP_ARRIVAL_DROP);	/* not acknowledged yet */
	t.assembly.acked = 2;
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 2), RMPP_ARRIVAL_REPEATED);
	transfer_end(&t);
}

/* A sender that goes on behind its last segment. */
static void nothing_behind_the_last(struct kunit *test)
{
	struct transfer t;

	transfer_begin(test, &t, 6, 8);
	transfer_start(&t);
	t.mads[3].rmpp_hdr.rmpp_rtime_flags = IB_MGMT_RMPP_FLAG_LAST;
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 4), RMPP_ARRIVAL_KEPT);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 3), RMPP_ARRIVAL_KEPT);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 2), RMPP_ARRIVAL_COMPLETE);
	KUNIT_EXPECT_EQ(test, t.assembly.received, 3);
	KUNIT_EXPECT_PTR_EQ(test, t.assembly.slots[4], &t.bufs[4]);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 5), RMPP_ARRIVAL_REPEATED);
	transfer_end(&t);
}

static void no_end(struct kunit *test)
{
	struct transfer t;

	transfer_begin(test, &t, 4, 4);
	transfer_start(&t);
	t.assembly.received = RMPP_MAX_SEGMENTS;
	t.assembly.limit = RMPP_MAX_SEGMENTS + 4;
	t.mads[2].rmpp_hdr.seg_num = cpu_to_be32(RMPP_MAX_SEGMENTS + 1);
	KUNIT_EXPECT_EQ(test, transfer_add(&t, 2), RMPP_ARRIVAL_TOO_MANY);
	transfer_end(&t);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(window_opens_and_closes),
	KUNIT_CASE(stale_acks_change_nothing),
	KUNIT_CASE(acks_of_what_was_never_sent),
	KUNIT_CASE(rewind_goes_back_to_what_is_certain),
	KUNIT_CASE(headers_of_segments),
	KUNIT_CASE(padding),
	KUNIT_CASE(length_of_a_message),
	KUNIT_CASE(one_segment),
	KUNIT_CASE(ascending_moves_the_window),
	KUNIT_CASE(descending_costs_the_same),
	KUNIT_CASE(any_order_within_the_window),
	KUNIT_CASE(unwanted_segments),
	KUNIT_CASE(nothing_behind_the_last),
	KUNIT_CASE(no_end),
	{}
};

static struct kunit_suite suite = {
	.name = "mad_rmpp_window",
	.test_cases = cases,
};

kunit_test_suite(suite);
