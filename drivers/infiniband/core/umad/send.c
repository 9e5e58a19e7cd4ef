// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* write() of umadN: one MAD, header first; and what becomes of it. */

#include <linux/err.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "umad.h"

/* What every message starts with, whether it's one of RMPP or not. */
struct headers {
	struct ib_mad_hdr mad_hdr;
	struct ib_rmpp_hdr rmpp_hdr;
};

static_assert(offsetofend(struct headers, rmpp_hdr) == IB_MGMT_RMPP_HDR);

/* A message as the program wrote it, in our memory: what is checked is what is sent. */
struct message {
	union {
		u8 *bytes;
		struct headers *headers;
	};
	size_t length;
};

static bool rmpp_active(struct headers *headers)
{
	return ib_is_mad_class_rmpp(headers->mad_hdr.mgmt_class) &&
	       ib_get_rmpp_flags(&headers->rmpp_hdr) & IB_MGMT_RMPP_FLAG_ACTIVE;
}

static bool kernel_rmpp(const struct headers *headers, const struct ib_mad_agent *mad_agent)
{
	return ib_is_mad_class_rmpp(headers->mad_hdr.mgmt_class) &&
	       ib_mad_kernel_rmpp_agent(mad_agent);
}

static struct ib_ah *create_ah(const struct ib_mad_agent *mad_agent,
			       struct ib_user_mad_hdr *hdr)
{
	struct rdma_ah_attr attr = {};

	attr.type = rdma_ah_find_type(mad_agent->device, mad_agent->port_num);
	rdma_ah_set_port_num(&attr, mad_agent->port_num);
	rdma_ah_set_dlid(&attr, be16_to_cpu(hdr->lid));
	rdma_ah_set_sl(&attr, hdr->sl);
	rdma_ah_set_path_bits(&attr, hdr->path_bits);
	if (hdr->grh_present) {
		/* Some drivers put more than the flow label into the same word. */
		rdma_ah_set_grh(&attr, NULL, be32_to_cpu(hdr->flow_label) & IB_GRH_FLOWLABEL_MASK,
				hdr->gid_index, hdr->hop_limit, hdr->traffic_class);
		rdma_ah_set_dgid_raw(&attr, hdr->gid);
	}
	return rdma_create_user_ah(mad_agent->qp->pd, &attr, NULL);
}

static void copy_segments(struct ib_mad_send_buf *msg, const u8 *data)
{
	int left, seg;

	for (seg = 1, left = msg->data_len; left > 0; seg++, left -= msg->seg_size) {
		memcpy(ib_get_rmpp_segment(msg, seg), data, min(left, msg->seg_size));
		data += msg->seg_size;
	}
}

static void fill_msg(struct ib_mad_send_buf *msg, const struct message *message,
		     const struct umad_layout *layout)
{
	int end = layout->segmented ? layout->hdr_len : message->length;

	memcpy(msg->mad, message->bytes, IB_MGMT_MAD_HDR);
	memcpy(msg->mad + layout->copy_offset, message->bytes + layout->copy_offset,
	       end - layout->copy_offset);
	if (layout->segmented)
		copy_segments(msg, message->bytes + layout->hdr_len);
}

static void free_msg(struct ib_mad_send_buf *msg)
{
	rdma_destroy_ah(msg->ah, RDMA_DESTROY_AH_SLEEPABLE);
	ib_free_send_mad(msg);
}

static struct ib_mad_send_buf *create_msg(struct ib_mad_agent *mad_agent,
					  struct ib_user_mad_hdr *hdr,
					  const struct message *message)
{
	const struct ib_mad_hdr *mad_hdr = &message->headers->mad_hdr;
	struct ib_mad_send_buf *msg;
	struct umad_layout layout;
	struct ib_ah *ah;
	int err;

	err = umad_layout(message->length, ib_get_mad_data_offset(mad_hdr->mgmt_class),
			  kernel_rmpp(message->headers, mad_agent),
			  rmpp_active(message->headers), &layout);
	if (err)
		return ERR_PTR(err);

	ah = create_ah(mad_agent, hdr);
	if (IS_ERR(ah))
		return ERR_CAST(ah);
	msg = ib_create_send_mad(mad_agent, be32_to_cpu(hdr->qpn), hdr->pkey_index,
				 layout.segmented, layout.hdr_len, layout.data_len,
				 GFP_KERNEL_ACCOUNT, mad_hdr->base_version);
	if (IS_ERR(msg)) {
		rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
		return msg;
	}

	msg->ah = ah;
	/* Negative ones would make no sense to ib_mad. */
	msg->timeout_ms = min_t(u32, hdr->timeout_ms, INT_MAX);
	msg->retries = min_t(u32, hdr->retries, INT_MAX);
	fill_msg(msg, message, &layout);
	return msg;
}

/* From success on, packet and msg are the send handler's, which may have run already. */
static int post(struct umad_file *file, struct umad_packet *packet, struct ib_mad_send_buf *msg,
		bool shared_tid)
{
	struct ib_mad_hdr *mad_hdr = msg->mad;
	int err;

	packet->response = ib_response_mad(mad_hdr);
	if (!packet->response)
		mad_hdr->tid = umad_compose_tid(msg->mad_agent->hi_tid, mad_hdr->tid);
	packet->mad_hdr = *mad_hdr;
	msg->context[0] = packet;

	err = umad_transaction_begin(&file->transactions, packet, shared_tid);
	if (err)
		return err;
	err = ib_post_send_mad(msg, NULL);
	if (err)
		umad_transaction_end(&file->transactions, packet);
	return err;
}

static int send(struct umad_file *file, struct umad_packet *packet, const struct message *message)
{
	u32 id = array_index_nospec(packet->hdr.id, UMAD_MAX_AGENTS);
	struct ib_mad_agent *mad_agent;
	struct ib_mad_send_buf *msg;
	bool user_segment;
	int err = -EIO;

	/* The agent stays registered until the send is posted; then ib_mad can cancel it. */
	mutex_lock(&file->lock);
	mad_agent = file->agents[id].mad_agent;
	if (!mad_agent)
		goto out;

	msg = create_msg(mad_agent, &packet->hdr, message);
	if (IS_ERR(msg)) {
		err = PTR_ERR(msg);
		goto out;
	}
	user_segment = rmpp_active(message->headers) && !ib_mad_kernel_rmpp_agent(mad_agent);
	err = post(file, packet, msg, user_segment);
	if (err)
		free_msg(msg);
out:
	mutex_unlock(&file->lock);
	return err;
}

/* More than any MAD is worth the memory only if it claims to be for RMPP; send() looks closer. */
static int check_length(const void __user *buf, size_t length)
{
	struct headers headers;

	if (length <= OPA_MGMT_MAD_SIZE)
		return 0;
	if (copy_from_user(&headers, buf, IB_MGMT_RMPP_HDR))
		return -EFAULT;
	return rmpp_active(&headers) ? 0 : -EINVAL;
}

/* Nearly all messages are of one MAD, and need no memory of their own. */
static int send_short(struct umad_file *file, struct umad_packet *packet, const void __user *buf,
		      size_t length)
{
	u8 mad[IB_MGMT_MAD_SIZE] __aligned(sizeof(u64));
	struct message message = { .bytes = mad, .length = length };

	if (copy_from_user(mad, buf, length))
		return -EFAULT;
	return send(file, packet, &message);
}

static int send_long(struct umad_file *file, struct umad_packet *packet, const void __user *buf,
		     size_t length)
{
	struct message message = { .length = length };
	int err;

	err = check_length(buf, length);
	if (err)
		return err;
	message.bytes = vmemdup_user(buf, length);
	if (IS_ERR(message.bytes))
		return PTR_ERR(message.bytes);
	err = send(file, packet, &message);
	kvfree(message.bytes);
	return err;
}

static int write_packet(struct umad_file *file, struct umad_packet *packet,
			const char __user *buf, size_t count, size_t hdr_size)
{
	size_t length = count - hdr_size;

	if (copy_from_user(&packet->hdr, buf, hdr_size))
		return -EFAULT;
	if (packet->hdr.id >= UMAD_MAX_AGENTS)
		return -EINVAL;
	buf += hdr_size;
	return length <= IB_MGMT_MAD_SIZE ? send_short(file, packet, buf, length) :
					    send_long(file, packet, buf, length);
}

/**
 * umad_write - send a MAD, or a message of several by RMPP
 * @filp: the open file
 * @buf: header and message
 * @count: bytes of both
 * @pos: unused
 *
 * Return: @count; -EINVAL for a message shorter than its headers, longer than a MAD without
 * RMPP by ib_mad, with an id of 32 or more, or whose transaction ID is outstanding; -EIO for an
 * agent that isn't registered, also after unplug; -EFAULT; -ENOMEM; an errno of
 * rdma_create_user_ah() or ib_post_send_mad().
 */
ssize_t umad_write(struct file *filp, const char __user *buf, size_t count, loff_t *pos)
{
	struct umad_file *file = filp->private_data;
	size_t hdr_size = umad_hdr_size(READ_ONCE(file->pkey_index));
	struct umad_packet *packet;
	int err;

	if (count < hdr_size + IB_MGMT_RMPP_HDR)
		return -EINVAL;
	packet = kzalloc(sizeof(*packet), GFP_KERNEL_ACCOUNT);
	if (!packet)
		return -ENOMEM;
	err = write_packet(file, packet, buf, count, hdr_size);
	if (err) {
		kfree(packet);
		return err;
	}
	return count;
}

/**
 * umad_send_handler - a send is complete
 * @mad_agent: its context is our struct umad_agent
 * @send_wc: what was sent, and how it ended
 *
 * Only a missing response is told to the program, which gets its header back.
 *
 * Context: process, without a lock of ib_mad.
 */
void umad_send_handler(struct ib_mad_agent *mad_agent, struct ib_mad_send_wc *send_wc)
{
	struct ib_mad_send_buf *msg = send_wc->send_buf;
	struct umad_packet *packet = msg->context[0];
	struct umad_agent *agent = mad_agent->context;
	struct umad_file *file = agent->file;

	/* Before the program learns of it: it may use the transaction ID again at once. */
	umad_transaction_end(&file->transactions, packet);
	if (send_wc->status == IB_WC_RESP_TIMEOUT_ERR) {
		packet->hdr.status = ETIMEDOUT;
		umad_queue_add_timed_out(&file->queue, packet);
	} else {
		kfree(packet);
	}
	/* Last: it gives up a reference on the agent, and with the agents goes the file. */
	free_msg(msg);
}
