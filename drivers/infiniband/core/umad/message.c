// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Sizes and offsets of messages. Nothing here touches a device, so KUnit can test it alone. */

#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "umad.h"

/**
 * umad_hdr_size - size of the header before each message
 * @pkey_index: the program knows the P_Key index
 *
 * Return: bytes.
 */
size_t umad_hdr_size(bool pkey_index)
{
	return pkey_index ? sizeof(struct ib_user_mad_hdr) : sizeof(struct ib_user_mad_hdr_old);
}

/**
 * umad_layout - find the parts of a written message
 * @length: bytes of the message, without the header of struct ib_user_mad
 * @data_offset: where the data of the message's class starts (ib_get_mad_data_offset())
 * @kernel_rmpp: the class has RMPP, and the agent leaves it to ib_mad
 * @active: the program set the Active flag of the RMPP header
 * @layout: filled in on success
 *
 * With RMPP by ib_mad, the RMPP header is ib_mad's too, and the program's is ignored.
 * That an unsegmented message fits into one MAD is checked by ib_create_send_mad().
 *
 * Return: 0, or -EINVAL for a message that ends within its headers, or is too long to be
 * counted.
 */
int umad_layout(size_t length, int data_offset, bool kernel_rmpp, bool active,
		struct umad_layout *layout)
{
	if (length < IB_MGMT_RMPP_HDR || length < data_offset)
		return -EINVAL;
	/* ib_mad counts in int, and pads the last segment */
	if (length > INT_MAX - IB_MGMT_MAD_SIZE)
		return -EINVAL;

	layout->hdr_len = data_offset;
	layout->data_len = length - data_offset;
	layout->copy_offset = kernel_rmpp ? IB_MGMT_RMPP_HDR : IB_MGMT_MAD_HDR;
	layout->segmented = kernel_rmpp && active;
	return 0;
}

/**
 * umad_compose_tid - the transaction ID of a request as it is sent
 * @hi_tid: the agent's half, by which ib_mad finds the agent when the response arrives
 * @tid: the program's, of which the low half is kept
 *
 * Return: the composed transaction ID.
 */
__be64 umad_compose_tid(u32 hi_tid, __be64 tid)
{
	return cpu_to_be64((u64)hi_tid << 32 | lower_32_bits(be64_to_cpu(tid)));
}

/**
 * umad_check_room - see whether a received message fits into the reader's buffer
 * @room: bytes of the buffer behind the header
 * @length: bytes of the message
 * @seg_size: bytes of a MAD on the wire
 *
 * Return: 0 if it does; -ENOSPC if just the first segment does, which is then to be copied with
 * the header, so that the reader learns the length; -EINVAL if not even that fits.
 */
int umad_check_room(size_t room, size_t length, size_t seg_size)
{
	if (room >= length)
		return 0;
	return room >= min(length, seg_size) ? -ENOSPC : -EINVAL;
}

/**
 * umad_span - the part of the next segment that belongs to the message
 * @length: bytes of the message
 * @done: bytes that the earlier segments gave
 * @seg_size: bytes of a MAD on the wire
 * @data_offset: where the data of the message's class starts, less than @seg_size
 *
 * The first segment's headers are part of the message; those of the others only repeat them.
 *
 * Return: the part; its length is 0 when the message is complete.
 */
struct umad_span umad_span(size_t length, size_t done, size_t seg_size, size_t data_offset)
{
	size_t offset = done ? data_offset : 0;

	return (struct umad_span) {
		.offset = offset,
		.len = min(length - done, seg_size - offset),
	};
}
