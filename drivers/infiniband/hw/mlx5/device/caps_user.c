// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What libmlx5 learns of the adapter with the device's attributes: in groups, each of which is told
 * if there is room for the whole of it. Those that are Ethernet's are zeros.
 */
#include "device.h"

#define LEAST offsetofend(struct mlx5_ib_query_device_resp, response_length)

int mlx5_ib_check_caps_request(struct ib_udata *udata)
{
	if (!udata)
		return 0;
	if (udata->outlen && udata->outlen < LEAST)
		return -EINVAL;
	if (udata->inlen && !ib_is_udata_cleared(udata, 0, udata->inlen))
		return -EINVAL;
	return 0;
}

/* The end of the last group for which there's room. */
static size_t room(size_t outlen)
{
	static const u8 ends[] = {
		offsetofend(struct mlx5_ib_query_device_resp, tso_caps),
		offsetofend(struct mlx5_ib_query_device_resp, rss_caps),
		offsetofend(struct mlx5_ib_query_device_resp, cqe_comp_caps),
		offsetofend(struct mlx5_ib_query_device_resp, packet_pacing_caps),
		offsetofend(struct mlx5_ib_query_device_resp, mlx5_ib_support_multi_pkt_send_wqes),
		offsetofend(struct mlx5_ib_query_device_resp, flags),
		offsetofend(struct mlx5_ib_query_device_resp, sw_parsing_caps),
		offsetofend(struct mlx5_ib_query_device_resp, striding_rq_caps),
		offsetofend(struct mlx5_ib_query_device_resp, tunnel_offloads_caps),
		offsetofend(struct mlx5_ib_query_device_resp, dci_streams_caps),
		offsetofend(struct mlx5_ib_query_device_resp, reserved),
		offsetofend(struct mlx5_ib_query_device_resp, reg_c0),
	};
	size_t end = LEAST;

	for (size_t i = 0; i < ARRAY_SIZE(ends) && ends[i] <= outlen; i++)
		end = ends[i];
	return end;
}

static void tell_compression(struct mlx5_core_dev *mdev, struct mlx5_ib_cqe_comp_caps *caps)
{
	if (!MLX5_CAP_GEN(mdev, cqe_compression))
		return;
	caps->max_num = MLX5_CAP_GEN(mdev, cqe_compression_max_num);
	caps->supported_format = MLX5_IB_CQE_RES_FORMAT_HASH | MLX5_IB_CQE_RES_FORMAT_CSUM;
	if (MLX5_CAP_GEN(mdev, mini_cqe_resp_stride_index))
		caps->supported_format |= MLX5_IB_CQE_RES_FORMAT_CSUM_STRIDX;
}

static u32 flags_of(struct mlx5_core_dev *mdev)
{
	u32 flags = 0;

	if (MLX5_CAP_GEN(mdev, cqe_compression_128))
		flags |= MLX5_IB_QUERY_DEV_RESP_FLAGS_CQE_128B_COMP;
	if (MLX5_CAP_GEN(mdev, cqe_128_always))
		flags |= MLX5_IB_QUERY_DEV_RESP_FLAGS_CQE_128B_PAD;
	if (MLX5_CAP_GEN(mdev, qp_packet_based))
		flags |= MLX5_IB_QUERY_DEV_RESP_PACKET_BASED_CREDIT_MODE;
	return flags;
}

/**
 * mlx5_ib_tell_caps - the driver's part of the answer
 * @dev: the adapter
 * @udata: of a query that mlx5_ib_check_caps_request() let pass; NULL: it's the kernel's
 *
 * Return: 0 or -EFAULT.
 */
int mlx5_ib_tell_caps(struct mlx5_ib_dev *dev, struct ib_udata *udata)
{
	struct mlx5_ib_query_device_resp resp = {};

	if (!udata || !udata->outlen)
		return 0;
	resp.response_length = room(udata->outlen);
	tell_compression(dev->mdev, &resp.cqe_comp_caps);
	resp.flags = flags_of(dev->mdev);
	resp.dci_streams_caps.max_log_num_concurent =
		MLX5_CAP_GEN(dev->mdev, log_max_dci_stream_channels);
	resp.dci_streams_caps.max_log_num_errored =
		MLX5_CAP_GEN(dev->mdev, log_max_dci_errored_streams);
	return ib_copy_to_udata(udata, &resp, resp.response_length);
}
