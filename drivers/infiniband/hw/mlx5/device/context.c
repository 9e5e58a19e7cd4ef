// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A process that has opened the adapter.
 */
#include "device.h"

#define OLDEST_V2 offsetof(struct mlx5_ib_alloc_ucontext_req_v2, max_cqe_version)

static int copy_request(struct mlx5_ib_alloc_ucontext_req_v2 *req, struct ib_udata *udata)
{
	int err;

	if (udata->inlen != sizeof(struct mlx5_ib_alloc_ucontext_req) && udata->inlen < OLDEST_V2)
		return -EINVAL;
	err = ib_copy_from_udata(req, udata, min(udata->inlen, sizeof(*req)));
	if (err)
		return err;
	if (req->flags & ~MLX5_IB_ALLOC_UCTX_DEVX || req->comp_mask || req->reserved0 ||
	    req->reserved1 || req->reserved2)
		return -EOPNOTSUPP;
	req->total_num_bfregs = ALIGN(req->total_num_bfregs, MLX5_NON_FP_BFREGS_PER_UAR);
	return req->num_low_latency_bfregs > req->total_num_bfregs - 1 ? -EINVAL : 0;
}

static u32 uars_per_page(struct mlx5_ib_dev *dev, u64 lib_caps)
{
	return lib_caps & MLX5_LIB_CAP_4K_UAR && MLX5_CAP_GEN(dev->mdev, uar_4k) ?
		       MLX5_UARS_IN_PAGE :
		       1;
}

/* A library that makes its doorbells by itself gets none. */
static int create_bfregs(struct mlx5_ib_ucontext *context,
			 const struct mlx5_ib_alloc_ucontext_req_v2 *req, bool classes)
{
	struct mlx5_ib_dev *dev = to_mdev(context->ibucontext.device);
	struct mlx5_ib_bfreg_plan plan = { .classes = classes };
	int err;

	if (req->lib_caps & MLX5_LIB_CAP_DYN_UAR)
		return 0;
	err = mlx5_ib_bfreg_plan(&plan, req->total_num_bfregs, req->num_low_latency_bfregs,
				 uars_per_page(dev, req->lib_caps));
	return err ?: mlx5_ib_bfregs_create(context, &plan);
}

static int create_domain(struct mlx5_ib_ucontext *context)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;

	if (!MLX5_CAP_GEN(mdev, log_max_transport_domain))
		return 0;
	return mlx5_ib_cmd_alloc_td(mdev, context->devx_uid, &context->tdn);
}

static void destroy_domain(struct mlx5_ib_ucontext *context)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;

	if (MLX5_CAP_GEN(mdev, log_max_transport_domain))
		mlx5_ib_cmd_dealloc_td(mdev, context->devx_uid, context->tdn);
}

static void tell_limits(struct mlx5_core_dev *mdev, struct mlx5_ib_alloc_ucontext_resp *resp)
{
	resp->qp_tab_size = 1 << MLX5_CAP_GEN(mdev, log_max_qp);
	/* To write a request right through the doorbell pays only if such writes are combined. */
	if (mlx5_wc_support_get(mdev))
		resp->bf_reg_size = 1 << MLX5_CAP_GEN(mdev, log_bf_reg_size);
	resp->cache_line_size = cache_line_size();
	resp->max_sq_desc_sz = MLX5_CAP_GEN(mdev, max_wqe_sz_sq);
	resp->max_rq_desc_sz = MLX5_CAP_GEN(mdev, max_wqe_sz_rq);
	resp->max_send_wqebb = 1 << MLX5_CAP_GEN(mdev, log_max_qp_sz);
	resp->max_recv_wr = 1 << MLX5_CAP_GEN(mdev, log_max_qp_sz);
	resp->max_srq_recv_wr = 1 << MLX5_CAP_GEN(mdev, log_max_srq_sz);
}

static void tell_uars(struct mlx5_ib_ucontext *context, struct mlx5_ib_alloc_ucontext_resp *resp)
{
	struct mlx5_core_dev *mdev = to_mdev(context->ibucontext.device)->mdev;

	resp->log_uar_size = PAGE_SHIFT;
	resp->num_uars_per_page = 1;
	if (MLX5_CAP_GEN(mdev, uar_4k)) {
		resp->log_uar_size = MLX5_ADAPTER_PAGE_SHIFT;
		resp->num_uars_per_page = MLX5_CAP_GEN(mdev, num_of_uars_per_page);
	}
	if (context->bfregs) {
		resp->tot_bfregs = context->bfregs->plan.at_open;
		resp->num_dyn_bfregs = context->bfregs->plan.later;
	}
}

static void tell_clock(struct mlx5_core_dev *mdev, struct mlx5_ib_alloc_ucontext_resp *resp)
{
	if (mdev->clock_info)
		resp->clock_info_versions = BIT(MLX5_IB_CLOCK_INFO_V1);
	/* On a larger page there would be more to see than the clock. */
	if (PAGE_SIZE > MLX5_ADAPTER_PAGE_SIZE)
		return;
	resp->comp_mask |= MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET;
	resp->hca_core_clock_offset =
		offsetof(struct mlx5_init_seg, internal_timer_h) % PAGE_SIZE;
}

static void tell_features(struct mlx5_ib_dev *dev, struct mlx5_ib_alloc_ucontext_resp *resp)
{
	struct mlx5_core_dev *mdev = dev->mdev;

	resp->cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE |
			      MLX5_USER_CMDS_SUPP_UHW_CREATE_AH;
	resp->comp_mask |= MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_MKEY_UPDATE_TAG;
	if (MLX5_CAP_GEN(mdev, dump_fill_mkey)) {
		resp->dump_fill_mkey = dev->keys.dump_fill;
		resp->comp_mask |= MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_DUMP_FILL_MKEY;
	}
	if (MLX5_CAP_GEN(mdev, ece_support))
		resp->comp_mask |= MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_ECE;
	if (MLX5_CAP_GEN(mdev, drain_sigerr))
		resp->comp_mask |= MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_SQD2RTS;
}

static void tell(struct mlx5_ib_ucontext *context, struct mlx5_ib_alloc_ucontext_resp *resp,
		 size_t room)
{
	struct mlx5_ib_dev *dev = to_mdev(context->ibucontext.device);

	resp->num_ports = dev->ib_dev.phys_port_cnt;
	resp->cqe_version = context->cqe_version;
	resp->response_length = min(room, sizeof(*resp));
	tell_limits(dev->mdev, resp);
	tell_uars(context, resp);
	tell_clock(dev->mdev, resp);
	tell_features(dev, resp);
}

static int create(struct mlx5_ib_ucontext *context,
		  const struct mlx5_ib_alloc_ucontext_req_v2 *req, bool classes)
{
	struct mlx5_ib_dev *dev = to_mdev(context->ibucontext.device);
	int err;

	if (req->flags & MLX5_IB_ALLOC_UCTX_DEVX) {
		err = mlx5_ib_devx_context_create(dev, true, &context->devx_uid);
		if (err)
			return err;
	}
	err = create_bfregs(context, req, classes);
	if (err)
		goto destroy_devx;
	err = create_domain(context);
	if (!err)
		return 0;
	mlx5_ib_bfregs_destroy(context);
destroy_devx:
	if (context->devx_uid)
		mlx5_ib_devx_context_destroy(dev, context->devx_uid);
	return err;
}

int mlx5_ib_alloc_ucontext(struct ib_ucontext *ibcontext, struct ib_udata *udata)
{
	struct mlx5_ib_ucontext *context = to_mucontext(ibcontext);
	struct mlx5_ib_dev *dev = to_mdev(ibcontext->device);
	struct mlx5_ib_alloc_ucontext_resp resp = {};
	struct mlx5_ib_alloc_ucontext_req_v2 req = {};
	int err;

	if (!READ_ONCE(dev->active))
		return -EAGAIN;
	err = copy_request(&req, udata);
	if (err)
		return err;
	mutex_init(&context->db_lock);
	context->db_pages = RB_ROOT;
	context->lib_caps = req.lib_caps;
	context->cqe_version = min_t(u8, MLX5_CAP_GEN(dev->mdev, cqe_version),
				     req.max_cqe_version);
	err = create(context, &req, udata->inlen >= OLDEST_V2);
	if (err)
		return err;
	tell(context, &resp, udata->outlen);
	err = ib_copy_to_udata(udata, &resp, resp.response_length);
	if (err)
		mlx5_ib_dealloc_ucontext(ibcontext);
	return err;
}

void mlx5_ib_dealloc_ucontext(struct ib_ucontext *ibcontext)
{
	struct mlx5_ib_ucontext *context = to_mucontext(ibcontext);

	destroy_domain(context);
	mlx5_ib_bfregs_destroy(context);
	if (context->devx_uid)
		mlx5_ib_devx_context_destroy(to_mdev(ibcontext->device), context->devx_uid);
}

/* ib_core takes the mappings away, and there's nothing else that outlives the device. */
void mlx5_ib_disassociate_ucontext(struct ib_ucontext *ibcontext)
{
}

int mlx5_ib_query_ucontext(struct ib_ucontext *ibcontext, struct uverbs_attr_bundle *attrs)
{
	struct mlx5_ib_alloc_ucontext_resp resp = {};

	tell(to_mucontext(ibcontext), &resp,
	     uverbs_attr_get_len(attrs, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX));
	return uverbs_copy_to_struct_or_zero(attrs, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX, &resp,
					     sizeof(resp));
}
