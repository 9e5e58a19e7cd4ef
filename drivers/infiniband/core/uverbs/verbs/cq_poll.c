// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Polling completion queues (IBTA 11.4.2.1) and asking for an event (11.4.2.2), for drivers whose
 * user space doesn't do it without the kernel.
 */

#include <rdma/opa_addr.h>

#include "verbs.h"

#define POLL_BATCH 8

static u16 user_slid(struct ib_device *ib_dev, const struct ib_wc *wc)
{
	if (rdma_cap_opa_ah(ib_dev, wc->port_num))
		return OPA_TO_IB_UCAST_LID(wc->slid);
	return ib_lid_cpu16(wc->slid);
}

static void to_user_wc(struct ib_uverbs_wc *to, struct ib_device *ib_dev, const struct ib_wc *wc)
{
	*to = (struct ib_uverbs_wc) {
		.wr_id = wc->wr_id,
		.status = wc->status,
		.opcode = wc->opcode,
		.vendor_err = wc->vendor_err,
		.byte_len = wc->byte_len,
		.ex.imm_data = wc->ex.imm_data,
		.qp_num = wc->qp->qp_num,
		.src_qp = wc->src_qp,
		.wc_flags = wc->wc_flags,
		.pkey_index = wc->pkey_index,
		.slid = user_slid(ib_dev, wc),
		.sl = wc->sl,
		.dlid_path_bits = wc->dlid_path_bits,
		.port_num = wc->port_num,
	};
}

/* As ib_poll_cq(), to user space. */
static int poll_batch(struct ib_cq *cq, u32 max, struct ib_uverbs_wc __user *to)
{
	struct ib_uverbs_wc user_wcs[POLL_BATCH];
	struct ib_wc wcs[POLL_BATCH];
	int i, count;

	count = ib_poll_cq(cq, min_t(u32, max, POLL_BATCH), wcs);
	if (count <= 0)
		return count;
	for (i = 0; i < count; i++)
		to_user_wc(&user_wcs[i], cq->device, &wcs[i]);
	return copy_to_user(to, user_wcs, count * sizeof(*to)) ? -EFAULT : count;
}

/* How many were polled; an error of the driver counts only if it's the first thing that happens. */
static int poll_all(struct ib_cq *cq, u32 max, struct ib_uverbs_wc __user *to)
{
	u32 count = 0;
	int ret;

	do {
		ret = poll_batch(cq, max - count, to + count);
		if (ret == -EFAULT || (ret < 0 && !count))
			return ret;
		if (ret > 0)
			count += ret;
	} while (ret == POLL_BATCH && count < max);
	return count;
}

/* The completions that there's room for, whatever number the request names. */
static u32 room(const struct uverbs_attr_bundle *attrs, u32 wanted)
{
	return min_t(size_t, wanted, (attrs->ucore.outlen - sizeof(struct ib_uverbs_poll_cq_resp)) /
				     sizeof(struct ib_uverbs_wc));
}

static int poll_cq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_poll_cq_resp __user *to = attrs->ucore.outbuf;
	struct ib_uverbs_poll_cq_resp response = {};
	struct ib_uverbs_poll_cq request;
	struct ib_cq *cq;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	/* A buffer that can't be written is found before completions are taken for it. */
	ret = uverbs_response(attrs, &response, sizeof(response));
	if (ret)
		return ret;
	ret = uverbs_look_up(cq, cq, UVERBS_OBJECT_CQ, request.cq_handle, attrs);
	if (ret)
		return ret;
	request.ne = room(attrs, request.ne);
	ret = request.ne ? poll_all(cq, request.ne, to->wc) : 0;
	uverbs_put_queue(cq);
	if (ret <= 0)
		return ret;
	return put_user(ret, &to->count);
}

static int req_notify_cq(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_req_notify_cq request;
	struct ib_cq *cq;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	ret = uverbs_look_up(cq, cq, UVERBS_OBJECT_CQ, request.cq_handle, attrs);
	if (ret)
		return ret;
	ib_req_notify_cq(cq, request.solicited_only ? IB_CQ_SOLICITED : IB_CQ_NEXT_COMP);
	uverbs_put_queue(cq);
	return 0;
}

const struct uapi_definition uverbs_def_cq_poll[] = {
	DECLARE_UVERBS_OBJECT(UVERBS_OBJECT_CQ),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_POLL_CQ, poll_cq,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_poll_cq,
						     struct ib_uverbs_poll_cq_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(poll_cq),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, req_notify_cq,
			     UVERBS_REQUEST(struct ib_uverbs_req_notify_cq)),
	UAPI_DEF_METHOD_NEEDS_FN(req_notify_cq),
	{}
};
