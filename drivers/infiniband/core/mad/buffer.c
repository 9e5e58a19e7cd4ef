// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Buffers for MADs to be sent. */

#include <linux/export.h>
#include <linux/slab.h>

#include "mad.h"
#include "rmpp.h"

static int check_sizes(const struct mad_agent *agent, bool segmented, int hdr_len, int data_len)
{
	if (hdr_len < IB_MGMT_MAD_HDR || hdr_len > IB_MGMT_MAD_SIZE || data_len < 0)
		return -EINVAL;
	if (!segmented)
		return data_len <= IB_MGMT_MAD_SIZE - hdr_len ? 0 : -EINVAL;
	if (!mad_agent_has_rmpp(agent) || hdr_len < IB_MGMT_RMPP_HDR || hdr_len == IB_MGMT_MAD_SIZE)
		return -EINVAL;
	return data_len / (IB_MGMT_MAD_SIZE - hdr_len) < RMPP_MAX_SEGMENTS ? 0 : -EINVAL;
}

static void free_segments(struct mad_send *send)
{
	unsigned long number;
	void *data;

	xa_for_each(&send->segments, number, data)
		kfree(data);
	xa_destroy(&send->segments);
}

static int add_segment(struct mad_send *send, u32 number, gfp_t gfp)
{
	void *data = kmalloc(send->buf.seg_size, gfp);
	int ret;

	if (!data)
		return -ENOMEM;
	ret = xa_err(xa_store(&send->segments, number, data, gfp));
	if (ret)
		kfree(data);
	return ret;
}

/* Makes room for the data. What is behind their end is zero; they are up to the client. */
static int add_segments(struct mad_send *send, gfp_t gfp)
{
	struct ib_mad_send_buf *buf = &send->buf;
	u32 number, count;
	int ret;

	buf->seg_size = IB_MGMT_MAD_SIZE - buf->hdr_len;
	buf->seg_rmpp_size = IB_MGMT_RMPP_DATA;
	count = (buf->data_len + send->pad) / buf->seg_size;
	for (number = 1; number <= count; number++) {
		ret = add_segment(send, number, gfp);
		if (ret) {
			free_segments(send);
			return ret;
		}
	}
	buf->seg_count = count;
	memset(xa_load(&send->segments, count) + buf->seg_size - send->pad, 0, send->pad);
	return 0;
}

static void init_rmpp_header(struct mad_send *send)
{
	struct ib_rmpp_mad *mad = send->buf.mad;

	mad->rmpp_hdr.rmpp_version = send->agent->agent.rmpp_version;
	mad->rmpp_hdr.rmpp_type = IB_MGMT_RMPP_TYPE_DATA;
	ib_set_rmpp_flags(&mad->rmpp_hdr, IB_MGMT_RMPP_FLAG_ACTIVE);
}

static void init_work_request(struct mad_send *send, u32 remote_qpn, u16 pkey_index)
{
	u32 lkey = send->agent->agent.qp->pd->local_dma_lkey;

	send->cqe.done = mad_qp_send_done;
	send->sge[0].lkey = lkey;
	send->sge[1].lkey = lkey;
	send->wr.wr.wr_cqe = &send->cqe;
	send->wr.wr.sg_list = send->sge;
	send->wr.wr.opcode = IB_WR_SEND;
	send->wr.wr.send_flags = IB_SEND_SIGNALED;
	send->wr.remote_qpn = remote_qpn;
	send->wr.remote_qkey = IB_QP_SET_QKEY;
	send->wr.pkey_index = pkey_index;
}

/**
 * ib_create_send_mad - make a buffer for a MAD to be sent
 * @mad_agent: who will send it
 * @remote_qpn: QP that it goes to
 * @pkey_index: of the partition that it goes in
 * @rmpp_active: its data are to be sent in segments
 * @hdr_len: bytes of headers: of the MAD, of RMPP and of the class
 * @data_len: bytes of data
 * @gfp_mask: how to allocate
 * @base_version: IB_MGMT_BASE_VERSION
 *
 * All that the client sees is zero but for the RMPP header, and the data of segments, which it
 * fills in: see ib_get_rmpp_segment(). A buffer keeps @mad_agent: ib_unregister_mad_agent() waits
 * for ib_free_send_mad().
 *
 * Context: any, as @gfp_mask allows.
 *
 * Return: the buffer, or ERR_PTR(): -EINVAL if it doesn't fit into one MAD although RMPP isn't
 * active, if RMPP isn't done here for @mad_agent, or if sizes are out of bounds; -ENOMEM.
 */
struct ib_mad_send_buf *ib_create_send_mad(struct ib_mad_agent *mad_agent, u32 remote_qpn,
					   u16 pkey_index, int rmpp_active, int hdr_len,
					   int data_len, gfp_t gfp_mask, u8 base_version)
{
	struct mad_agent *agent = to_mad_agent(mad_agent);
	struct mad_send *send;
	int ret;

	ret = check_sizes(agent, rmpp_active, hdr_len, data_len);
	if (ret)
		return ERR_PTR(ret);
	send = kzalloc(struct_size(send, mad, rmpp_active ? hdr_len : IB_MGMT_MAD_SIZE), gfp_mask);
	if (!send)
		return ERR_PTR(-ENOMEM);

	send->agent = agent;
	send->qp = agent->qp;
	send->buf.mad = send->mad;
	send->buf.mad_agent = mad_agent;
	send->buf.hdr_len = hdr_len;
	send->buf.data_len = data_len;
	send->pad = rmpp_pad(hdr_len, data_len);
	INIT_LIST_HEAD(&send->agent_node);
	RB_CLEAR_NODE(&send->match_node);
	mad_timer_init(&send->timer);
	xa_init(&send->segments);
	init_work_request(send, remote_qpn, pkey_index);
	if (rmpp_active) {
		ret = add_segments(send, gfp_mask);
		if (ret) {
			kfree(send);
			return ERR_PTR(ret);
		}
		init_rmpp_header(send);
	}
	refcount_inc(&agent->refs);
	return &send->buf;
}
EXPORT_SYMBOL(ib_create_send_mad);

/**
 * ib_free_send_mad - free a buffer
 * @send_buf: made by ib_create_send_mad(), and not posted, or completed. Its address handle stays.
 *
 * Context: any.
 */
void ib_free_send_mad(struct ib_mad_send_buf *send_buf)
{
	struct mad_send *send = to_mad_send(send_buf);
	struct mad_agent *agent = send->agent;

	free_segments(send);
	kfree(send);
	mad_agent_put(agent);
}
EXPORT_SYMBOL(ib_free_send_mad);

/**
 * ib_get_rmpp_segment - where the data of a segment are
 * @send_buf: made with rmpp_active
 * @seg_num: number of the segment, from 1 to @send_buf->seg_count
 *
 * Context: any.
 *
 * Return: @send_buf->seg_size bytes.
 */
void *ib_get_rmpp_segment(struct ib_mad_send_buf *send_buf, int seg_num)
{
	return xa_load(&to_mad_send(send_buf)->segments, seg_num);
}
EXPORT_SYMBOL(ib_get_rmpp_segment);
