// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Posting of receives, to a QP or to an SRQ. */

#include <linux/mm.h>
#include <linux/slab.h>

#include "post.h"

/* An SRQ's command differs in nothing but a name. */
static_assert(sizeof(struct ib_uverbs_post_srq_recv) == sizeof(struct ib_uverbs_post_recv));
static_assert(offsetof(struct ib_uverbs_post_srq_recv, srq_handle) ==
	      offsetof(struct ib_uverbs_post_recv, qp_handle));
static_assert(sizeof(struct ib_uverbs_post_srq_recv_resp) ==
	      sizeof(struct ib_uverbs_post_recv_resp));

struct recvs {
	u32 handle;
	struct uverbs_posting posting;
	struct ib_recv_wr *wrs; /* NULL if there's none: the driver decides what that means */
};

static int read_wr(struct recvs *recvs, u32 i)
{
	struct ib_recv_wr *wr = &recvs->wrs[i];
	struct ib_uverbs_recv_wr user;
	int ret;

	ret = uverbs_posting_read_wr(&recvs->posting, i, &user, sizeof(user));
	if (!ret)
		ret = uverbs_posting_take_sges(&recvs->posting, user.num_sge, &wr->sg_list);
	if (ret)
		return ret;
	wr->wr_id = user.wr_id;
	wr->num_sge = user.num_sge;
	if (i)
		recvs->wrs[i - 1].next = wr;
	return 0;
}

static int read_wrs(struct recvs *recvs)
{
	u32 i, count = recvs->posting.wr_count;
	int ret = 0;

	if (!count)
		return 0;
	recvs->wrs = kvcalloc(count, sizeof(*recvs->wrs), GFP_KERNEL);
	if (!recvs->wrs)
		return -ENOMEM;
	for (i = 0; !ret && i < count; i++)
		ret = read_wr(recvs, i);
	return ret;
}

static int read_request(struct uverbs_attr_bundle *attrs, struct recvs *recvs)
{
	struct uverbs_request_iter iter;
	struct ib_uverbs_post_recv cmd;
	int ret;

	ret = uverbs_request_begin(attrs, &iter, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	recvs->handle = cmd.qp_handle;
	recvs->posting.wr_count = cmd.wr_count;
	recvs->posting.wr_size = cmd.wqe_size;
	recvs->posting.sge_count = cmd.sge_count;
	ret = uverbs_posting_init(&recvs->posting, &iter, sizeof(struct ib_uverbs_recv_wr));
	return ret ?: read_wrs(recvs);
}

/* The driver's answer is @ret; on failure the process learns how far it came. */
static int respond(struct uverbs_attr_bundle *attrs, const struct recvs *recvs, int ret,
		   const struct ib_recv_wr *bad_wr)
{
	struct ib_uverbs_post_recv_resp resp = {
		.bad_wr = uverbs_posting_bad_wr(&recvs->posting, ret, recvs->wrs, bad_wr,
						sizeof(*bad_wr)),
	};

	return uverbs_response(attrs, &resp, sizeof(resp)) ?: ret;
}

static void free_recvs(struct recvs *recvs)
{
	kvfree(recvs->wrs);
	uverbs_posting_free(&recvs->posting);
}

int uverbs_post_recv(struct uverbs_attr_bundle *attrs)
{
	const struct ib_recv_wr *bad_wr = NULL;
	struct recvs recvs = {};
	struct ib_qp *qp;
	int ret;

	ret = read_request(attrs, &recvs);
	if (!ret)
		ret = uverbs_look_up(qp, qp, UVERBS_OBJECT_QP, recvs.handle, attrs);
	if (!ret) {
		ret = qp->device->ops.post_recv(qp->real_qp, recvs.wrs, &bad_wr);
		uverbs_put_queue(qp);
		ret = respond(attrs, &recvs, ret, bad_wr);
	}
	free_recvs(&recvs);
	return ret;
}

int uverbs_post_srq_recv(struct uverbs_attr_bundle *attrs)
{
	const struct ib_recv_wr *bad_wr = NULL;
	struct recvs recvs = {};
	struct ib_srq *srq;
	int ret;

	ret = read_request(attrs, &recvs);
	if (!ret)
		ret = uverbs_look_up(srq, srq, UVERBS_OBJECT_SRQ, recvs.handle, attrs);
	if (!ret) {
		ret = srq->device->ops.post_srq_recv(srq, recvs.wrs, &bad_wr);
		uverbs_put_queue(srq);
		ret = respond(attrs, &recvs, ret, bad_wr);
	}
	free_recvs(&recvs);
	return ret;
}
