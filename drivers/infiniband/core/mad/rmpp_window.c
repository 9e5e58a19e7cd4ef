// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * RMPP's arithmetic: what a sender may send, what an ACK says, how segments become a message.
 * IBTA volume 1, chapters 13.6.2 and 13.6.6.
 */

#include <linux/minmax.h>

#include "mad.h"

/* ---- the sender ---- */

/* Whether there is a segment that may be sent now. */
bool rmpp_window_open(const struct rmpp_window *window)
{
	return window->sent < min(window->limit, window->segments);
}

bool rmpp_window_acked(const struct rmpp_window *window)
{
	return window->acked == window->segments;
}

/* Something was lost: go on behind what the peer certainly has. */
void rmpp_window_rewind(struct rmpp_window *window)
{
	window->sent = window->acked;
}

/**
 * rmpp_window_ack - take an acknowledgment into account
 * @window: the window
 * @segment: the peer has all segments up to this one
 * @limit: it takes segments up to this one; not less than @segment
 *
 * Return: what it means.
 */
enum rmpp_ack rmpp_window_ack(struct rmpp_window *window, u32 segment, u32 limit)
{
	if (segment > window->segments || segment > window->limit)
		return RMPP_ACK_BEYOND;
	if (limit < window->limit || segment < window->acked)
		return RMPP_ACK_STALE;

	window->acked = segment;
	window->limit = limit;
	/* After a rewind the peer may turn out to have more than what was sent again. */
	window->sent = max(window->sent, segment);
	return rmpp_window_acked(window) ? RMPP_ACK_COMPLETE : RMPP_ACK_PROGRESS;
}

/**
 * rmpp_segment - what the header of a DATA segment says
 * @window: of the message
 * @segment: the segment's number, from 1
 * @pad: bytes of the last segment that aren't data
 *
 * The first segment has the payload length of the whole message, the last one its own. Headers
 * of the class count, once a segment.
 *
 * Return: flags and payload length.
 */
struct rmpp_segment rmpp_segment(const struct rmpp_window *window, u32 segment, u32 pad)
{
	struct rmpp_segment hdr = { .flags = IB_MGMT_RMPP_FLAG_ACTIVE };

	if (segment == 1) {
		hdr.flags |= IB_MGMT_RMPP_FLAG_FIRST;
		hdr.paylen = window->segments * IB_MGMT_RMPP_DATA - pad;
	}
	if (segment == window->segments) {
		hdr.flags |= IB_MGMT_RMPP_FLAG_LAST;
		hdr.paylen = IB_MGMT_RMPP_DATA - pad;
	}
	return hdr;
}

/**
 * rmpp_pad - what the last segment lacks
 * @hdr_len: bytes of headers in each MAD
 * @data_len: bytes of data
 *
 * Return: bytes by which @data_len falls short of whole segments; at least one segment is made.
 */
int rmpp_pad(int hdr_len, int data_len)
{
	int room = IB_MGMT_MAD_SIZE - hdr_len;
	int rest;

	if (!data_len || !room)
		return room;
	rest = data_len % room;
	return rest ? room - rest : 0;
}

/* ---- the receiver ---- */

static const struct ib_rmpp_hdr *hdr_of(const struct ib_mad_recv_buf *segment)
{
	return &((const struct ib_rmpp_mad *)segment->mad)->rmpp_hdr;
}

static bool is_last(const struct ib_mad_recv_buf *segment)
{
	return hdr_of(segment)->rmpp_rtime_flags & IB_MGMT_RMPP_FLAG_LAST;
}

static void append(struct rmpp_assembly *assembly, struct ib_mad_recv_buf *segment)
{
	list_add_tail(&segment->list, assembly->list);
	assembly->received++;
	if (!is_last(segment))
		return;
	assembly->complete = true;
	assembly->last_paylen = be32_to_cpu(hdr_of(segment)->paylen_newwin);
}

static struct ib_mad_recv_buf **slot(struct rmpp_assembly *assembly, u32 number)
{
	return &assembly->slots[number % assembly->size];
}

static void append_in_turn(struct rmpp_assembly *assembly)
{
	struct ib_mad_recv_buf **next;

	while (!assembly->complete) {
		next = slot(assembly, assembly->received + 1);
		if (!*next)
			return;
		append(assembly, *next);
		*next = NULL;
	}
}

/**
 * rmpp_assembly_start - begin a message
 * @assembly: with @slots empty, and their @size
 * @list: an empty list for the segments in order
 * @first: the first segment
 *
 * Return: RMPP_ARRIVAL_COMPLETE or RMPP_ARRIVAL_ACKNOWLEDGE.
 */
enum rmpp_arrival rmpp_assembly_start(struct rmpp_assembly *assembly, struct list_head *list,
				      struct ib_mad_recv_buf *first)
{
	assembly->list = list;
	assembly->received = 0;
	assembly->acked = 0;
	assembly->complete = false;
	assembly->limit = 1;
	append(assembly, first);
	if (assembly->complete)
		return RMPP_ARRIVAL_COMPLETE;
	assembly->limit += assembly->size;
	return RMPP_ARRIVAL_ACKNOWLEDGE;
}

/**
 * rmpp_assembly_add - take another segment
 * @assembly: the message
 * @segment: one that isn't the first; kept unless the return value says to free it
 *
 * A segment costs the same in whichever order they come.
 *
 * Return: what is to be done about it.
 */
enum rmpp_arrival rmpp_assembly_add(struct rmpp_assembly *assembly,
				    struct ib_mad_recv_buf *segment)
{
	u32 number = be32_to_cpu(hdr_of(segment)->seg_num);

	if (assembly->complete || number <= assembly->acked)
		return RMPP_ARRIVAL_REPEATED;
	if (number <= assembly->received || number > assembly->limit ||
	    *slot(assembly, number))
		return RMPP_ARRIVAL_DROP;
	if (number > RMPP_MAX_SEGMENTS)
		return RMPP_ARRIVAL_TOO_MANY;

	*slot(assembly, number) = segment;
	append_in_turn(assembly);
	if (assembly->complete)
		return RMPP_ARRIVAL_COMPLETE;
	if (assembly->received < assembly->limit)
		return RMPP_ARRIVAL_KEPT;
	assembly->limit += assembly->size;
	return RMPP_ARRIVAL_ACKNOWLEDGE;
}

/**
 * rmpp_message_len - length of a received message
 * @mgmt_class: its class
 * @segments: how many it had, at most RMPP_MAX_SEGMENTS
 * @last_paylen: payload length that the last one claims
 *
 * Return: bytes: the headers once, and the data. If the claim is more than there's room for, the
 * last segment counts as full; if it's less than the headers, as empty.
 */
int rmpp_message_len(u8 mgmt_class, u32 segments, u32 last_paylen)
{
	int hdr_len = ib_get_mad_data_offset(mgmt_class);
	int room = IB_MGMT_MAD_SIZE - hdr_len;
	int pad = last_paylen <= IB_MGMT_RMPP_DATA ? IB_MGMT_RMPP_DATA - last_paylen : 0;

	return hdr_len + segments * room - min(pad, room);
}
