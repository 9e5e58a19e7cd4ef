// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* read() of umadN: one packet, header first. */

#include <linux/uaccess.h>

#include "umad.h"

static ssize_t copy_timed_out(const struct umad_packet *packet, char __user *buf, size_t count,
			      size_t hdr_size)
{
	if (count < hdr_size + sizeof(packet->mad_hdr))
		return -EINVAL;
	if (copy_to_user(buf, &packet->hdr, hdr_size) ||
	    copy_to_user(buf + hdr_size, &packet->mad_hdr, sizeof(packet->mad_hdr)))
		return -EFAULT;
	return hdr_size + sizeof(packet->mad_hdr);
}

/* Copies the whole message; or its first segment, if there's no room for more. */
static ssize_t copy_message(const struct ib_mad_recv_wc *recv_wc, char __user *buf, bool whole)
{
	int data_offset = ib_get_mad_data_offset(recv_wc->recv_buf.mad->mad_hdr.mgmt_class);
	const struct ib_mad_recv_buf *segment;
	size_t done = 0;

	list_for_each_entry(segment, &recv_wc->rmpp_list, list) {
		struct umad_span span = umad_span(recv_wc->mad_len, done, recv_wc->mad_seg_size,
						  data_offset);

		if (copy_to_user(buf + done, (void *)segment->mad + span.offset, span.len))
			return -EFAULT;
		done += span.len;
		if (!whole)
			return -ENOSPC;
	}
	return done;
}

static ssize_t copy_received(const struct umad_packet *packet, char __user *buf, size_t count,
			     size_t hdr_size)
{
	const struct ib_mad_recv_wc *recv_wc = packet->recv_wc;
	ssize_t copied;
	int fit;

	fit = umad_check_room(count - hdr_size, recv_wc->mad_len, recv_wc->mad_seg_size);
	if (fit == -EINVAL)
		return fit;
	if (copy_to_user(buf, &packet->hdr, hdr_size))
		return -EFAULT;
	copied = copy_message(recv_wc, buf + hdr_size, !fit);
	return copied < 0 ? copied : hdr_size + copied;
}

static struct umad_packet *wait_for_packet(struct umad_queue *queue, bool nonblock)
{
	struct umad_packet *packet;

	while ((packet = umad_queue_take(queue)) == ERR_PTR(-EAGAIN) && !nonblock)
		if (wait_event_interruptible(queue->wait, umad_queue_ready(queue)))
			return ERR_PTR(-ERESTARTSYS);
	return packet;
}

/**
 * umad_read - give the program the oldest packet
 * @filp: the open file
 * @buf: the program's buffer
 * @count: its size
 * @pos: unused
 *
 * A packet that isn't read with success stays the oldest.
 *
 * Return: bytes copied; -EINVAL for a buffer that doesn't hold the header and one segment;
 * -ENOSPC for one that holds these, but not the whole message: the header, whose length tells
 * what is needed, and the first segment are copied then; -EAGAIN; -EIO after unplug; -EFAULT.
 */
ssize_t umad_read(struct file *filp, char __user *buf, size_t count, loff_t *pos)
{
	struct umad_file *file = filp->private_data;
	size_t hdr_size = umad_hdr_size(READ_ONCE(file->pkey_index));
	struct umad_packet *packet;
	ssize_t ret;

	if (count < hdr_size)
		return -EINVAL;
	packet = wait_for_packet(&file->queue, filp->f_flags & O_NONBLOCK);
	if (IS_ERR(packet))
		return PTR_ERR(packet);

	if (packet->recv_wc)
		ret = copy_received(packet, buf, count, hdr_size);
	else
		ret = copy_timed_out(packet, buf, count, hdr_size);

	if (ret < 0)
		umad_queue_put_back(&file->queue, packet);
	else
		umad_packet_free(packet);
	return ret;
}
