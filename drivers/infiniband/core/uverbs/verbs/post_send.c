// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Posting of sends. */

#include <linux/mm.h>
#include <linux/slab.h>

#include "post.h"

/* As drivers see them: @wr is the beginning of each. */
union send_wr {
	struct ib_send_wr wr;
	struct ib_rdma_wr rdma;
	struct ib_atomic_wr atomic;
	struct ib_ud_wr ud;
};

struct sends {
	struct ib_qp *qp;
	struct uverbs_posting posting;
	union send_wr *wrs; /* NULL if there's none: the driver decides what that means */
};

/* The rest are the kernel's, or drivers'. */
#define USER_SEND_FLAGS \
	(IB_SEND_FENCE | IB_SEND_SIGNALED | IB_SEND_SOLICITED | IB_SEND_INLINE | IB_SEND_IP_CSUM)

/* The address handle is held for reading until free_sends(). */
static int read_ud(struct uverbs_attr_bundle *attrs, struct ib_ud_wr *ud,
		   const struct ib_uverbs_send_wr *user)
{
	ud->remote_qpn = user->wr.ud.remote_qpn;
	ud->remote_qkey = user->wr.ud.remote_qkey;
	switch (user->opcode) {
	case IB_WR_SEND_WITH_IMM:
		ud->wr.ex.imm_data = user->ex.imm_data;
		fallthrough;
	case IB_WR_SEND:
		return uverbs_look_up(ud->ah, ah, UVERBS_OBJECT_AH, user->wr.ud.ah, attrs);
	default:
		return -EINVAL;
	}
}

static int read_connected(union send_wr *wr, const struct ib_uverbs_send_wr *user)
{
	switch (user->opcode) {
	case IB_WR_SEND_WITH_IMM:
		wr->wr.ex.imm_data = user->ex.imm_data;
		fallthrough;
	case IB_WR_SEND:
		return 0;
	case IB_WR_SEND_WITH_INV:
		wr->wr.ex.invalidate_rkey = user->ex.invalidate_rkey;
		return 0;
	case IB_WR_RDMA_WRITE_WITH_IMM:
		wr->wr.ex.imm_data = user->ex.imm_data;
		fallthrough;
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_READ:
		wr->rdma.remote_addr = user->wr.rdma.remote_addr;
		wr->rdma.rkey = user->wr.rdma.rkey;
		return 0;
	case IB_WR_ATOMIC_CMP_AND_SWP:
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		wr->atomic.remote_addr = user->wr.atomic.remote_addr;
		wr->atomic.compare_add = user->wr.atomic.compare_add;
		wr->atomic.swap = user->wr.atomic.swap;
		wr->atomic.rkey = user->wr.atomic.rkey;
		return 0;
	default:
		return -EINVAL;
	}
}

static int read_wr(struct uverbs_attr_bundle *attrs, struct sends *sends, u32 i)
{
	union send_wr *wr = &sends->wrs[i];
	struct ib_uverbs_send_wr user;
	int ret;

	ret = uverbs_posting_read_wr(&sends->posting, i, &user, sizeof(user));
	if (!ret)
		ret = uverbs_posting_take_sges(&sends->posting, user.num_sge, &wr->wr.sg_list);
	if (ret)
		return ret;
	if (user.send_flags & ~USER_SEND_FLAGS)
		return -EINVAL;

	wr->wr.wr_id = user.wr_id;
	wr->wr.num_sge = user.num_sge;
	wr->wr.opcode = user.opcode;
	wr->wr.send_flags = user.send_flags;
	if (i)
		sends->wrs[i - 1].wr.next = &wr->wr;
	if (sends->qp->qp_type == IB_QPT_UD)
		return read_ud(attrs, &wr->ud, &user);
	return read_connected(wr, &user);
}

static int read_wrs(struct uverbs_attr_bundle *attrs, struct sends *sends)
{
	u32 i, count = sends->posting.wr_count;
	int ret = 0;

	if (!count)
		return 0;
	sends->wrs = kvcalloc(count, sizeof(*sends->wrs), GFP_KERNEL);
	if (!sends->wrs)
		return -ENOMEM;
	for (i = 0; !ret && i < count; i++)
		ret = read_wr(attrs, sends, i);
	return ret;
}

static void free_wrs(struct sends *sends)
{
	u32 i;

	if (sends->wrs && sends->qp->qp_type == IB_QPT_UD)
		for (i = 0; i < sends->posting.wr_count && sends->wrs[i].ud.ah; i++)
			uobj_put_obj_read(sends->wrs[i].ud.ah);
	kvfree(sends->wrs);
}

/* The driver's answer is @ret; on failure the process learns how far it came. */
static int respond(struct uverbs_attr_bundle *attrs, const struct sends *sends, int ret,
		   const struct ib_send_wr *bad_wr)
{
	struct ib_uverbs_post_send_resp resp = {
		.bad_wr = uverbs_posting_bad_wr(&sends->posting, ret, sends->wrs, bad_wr,
						sizeof(*sends->wrs)),
	};

	return uverbs_response(attrs, &resp, sizeof(resp)) ?: ret;
}

static int post(struct uverbs_attr_bundle *attrs, struct sends *sends)
{
	const struct ib_send_wr *bad_wr = NULL;
	struct ib_qp *qp = sends->qp;
	int ret;

	ret = read_wrs(attrs, sends);
	if (!ret) {
		ret = qp->device->ops.post_send(qp->real_qp, sends->wrs ? &sends->wrs->wr : NULL,
						&bad_wr);
		ret = respond(attrs, sends, ret, bad_wr);
	}
	free_wrs(sends);
	return ret;
}

int uverbs_post_send(struct uverbs_attr_bundle *attrs)
{
	struct uverbs_request_iter iter;
	struct ib_uverbs_post_send cmd;
	struct sends sends = {};
	int ret;

	ret = uverbs_request_begin(attrs, &iter, &cmd, sizeof(cmd));
	if (ret)
		return ret;
	sends.posting.wr_count = cmd.wr_count;
	sends.posting.wr_size = cmd.wqe_size;
	sends.posting.sge_count = cmd.sge_count;
	ret = uverbs_posting_init(&sends.posting, &iter, sizeof(struct ib_uverbs_send_wr));
	if (!ret)
		ret = uverbs_look_up(sends.qp, qp, UVERBS_OBJECT_QP, cmd.qp_handle, attrs);
	if (!ret) {
		ret = post(attrs, &sends);
		uverbs_put_queue(sends.qp);
	}
	uverbs_posting_free(&sends.posting);
	return ret;
}
