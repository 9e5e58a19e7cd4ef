// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What the adapter can do (IBTA 11.2.1.2), from the firmware's capabilities. What is Ethernet's
 * alone isn't offered.
 */
#include "device.h"

#define CAP(what) MLX5_CAP_GEN(dev->mdev, what)

/* log2, in units of 64 bytes, of the largest request: a registration by an XRC initiator. */
#define LOG_LARGEST_REQUEST 2

#define MAX_SEND_WQE 512

static void tell_identity(struct mlx5_ib_dev *dev, const struct mlx5_ib_node *node,
			  struct ib_device_attr *attr)
{
	struct mlx5_core_dev *mdev = dev->mdev;

	attr->sys_image_guid = node->system_image_guid;
	attr->vendor_id = node->vendor_id;
	attr->vendor_part_id = mdev->pdev->device;
	attr->hw_ver = mdev->pdev->revision;
	attr->fw_ver = (u64)fw_rev_maj(mdev) << 32 | fw_rev_min(mdev) << 16 | fw_rev_sub(mdev);
	attr->max_pkeys = dev->pkey_table_len;
}

static void tell_flags(struct mlx5_ib_dev *dev, struct ib_device_attr *attr)
{
	u64 flags = IB_DEVICE_CHANGE_PHY_PORT | IB_DEVICE_PORT_ACTIVE_EVENT |
		    IB_DEVICE_SYS_IMAGE_GUID | IB_DEVICE_RC_RNR_NAK_GEN;
	u64 kernel = 0;

	if (CAP(pkv))
		flags |= IB_DEVICE_BAD_PKEY_CNTR;
	if (CAP(qkv))
		flags |= IB_DEVICE_BAD_QKEY_CNTR;
	if (CAP(apm))
		flags |= IB_DEVICE_AUTO_PATH_MIG;
	if (CAP(xrc))
		flags |= IB_DEVICE_XRC;
	if (CAP(imaicl)) {
		flags |= IB_DEVICE_MEM_WINDOW | IB_DEVICE_MEM_WINDOW_TYPE_2B;
		kernel |= IBK_SG_GAPS_REG;
	}
	/* Fast registration changes the size of a key's translation. */
	if (!CAP(umr_modify_entity_size_disabled))
		flags |= IB_DEVICE_MEM_MGT_EXTENSIONS;
	if (CAP(end_pad))
		flags |= IB_DEVICE_PCI_WRITE_END_PADDING;
	if (CAP(block_lb_mc))
		kernel |= IBK_BLOCK_MULTICAST_LOOPBACK;
	if (mlx5_core_is_vf(dev->mdev))
		kernel |= IBK_VIRTUAL_FUNCTION;
	attr->device_cap_flags = flags;
	attr->kernel_cap_flags = kernel;
}

static void tell_queues(struct mlx5_ib_dev *dev, struct ib_device_attr *attr)
{
	u32 rq_entries = CAP(max_wqe_sz_rq) / sizeof(struct mlx5_wqe_data_seg);
	int send_room = min_t(int, CAP(max_wqe_sz_sq), MAX_SEND_WQE) -
			(int)(sizeof(struct mlx5_wqe_ctrl_seg) + sizeof(struct mlx5_wqe_raddr_seg));

	attr->max_qp = 1 << CAP(log_max_qp);
	attr->max_qp_wr = 1 << CAP(log_max_qp_sz) >> LOG_LARGEST_REQUEST;
	attr->max_send_sge = max(send_room, 0) / sizeof(struct mlx5_wqe_data_seg);
	attr->max_recv_sge = rq_entries;
	attr->max_sge_rd = MLX5_MAX_SGE_RD;
	attr->max_sgl_rd = CAP(max_sgl_for_optimized_performance);
	attr->max_qp_rd_atom = 1 << CAP(log_max_ra_req_qp);
	attr->max_qp_init_rd_atom = 1 << CAP(log_max_ra_res_qp);
	attr->max_res_rd_atom = attr->max_qp_rd_atom * attr->max_qp;
	attr->local_ca_ack_delay = CAP(local_ca_ack_delay);
	attr->max_cq = 1 << CAP(log_max_cq);
	attr->max_cqe = (1 << CAP(log_max_cq_sz)) - 1;
	attr->max_srq = 1 << CAP(log_max_srq);
	attr->max_srq_wr = (1 << CAP(log_max_srq_sz)) - 1;
	attr->max_srq_sge = rq_entries ? rq_entries - 1 : 0;
	attr->max_ah = INT_MAX;
	attr->max_mcast_grp = 1 << CAP(log_max_mcg);
	attr->max_mcast_qp_attach = CAP(max_qp_mcg);
	attr->max_total_mcast_qp_attach = attr->max_mcast_qp_attach * attr->max_mcast_grp;
	if (CAP(cq_moderation)) {
		attr->cq_caps.max_cq_moderation_count = MLX5_MAX_CQ_COUNT;
		attr->cq_caps.max_cq_moderation_period = MLX5_MAX_CQ_PERIOD;
	}
}

static void tell_memory(struct mlx5_ib_dev *dev, struct ib_device_attr *attr)
{
	attr->max_pd = 1 << CAP(log_max_pd);
	attr->max_mr = 1 << CAP(log_max_mkey);
	if (CAP(imaicl))
		attr->max_mw = attr->max_mr;
	attr->max_mr_size = U64_MAX;
	attr->page_size_cap = ~((1ULL << CAP(log_pg_sz)) - 1);
	attr->max_fast_reg_page_list_len = 1 << CAP(log_max_klm_list_size);
	attr->max_pi_fast_reg_page_list_len = attr->max_fast_reg_page_list_len / 2;
}

/* ib_core's atomics are on words of 8 bytes in the host's own order. */
static void tell_atomics(struct mlx5_ib_dev *dev, struct ib_device_attr *attr)
{
	const u8 both = MLX5_ATOMIC_OPS_CMP_SWAP | MLX5_ATOMIC_OPS_FETCH_ADD;
	struct mlx5_core_dev *mdev = dev->mdev;

	attr->masked_atomic_cap = IB_ATOMIC_NONE;
	attr->atomic_cap = IB_ATOMIC_NONE;
	if ((MLX5_CAP_ATOMIC(mdev, atomic_operations) & both) == both &&
	    MLX5_CAP_ATOMIC(mdev, atomic_size_qp) & sizeof(u64) &&
	    MLX5_CAP_ATOMIC(mdev, atomic_req_8B_endianness_mode))
		attr->atomic_cap = IB_ATOMIC_HCA;
}

static void tell_paging(struct mlx5_ib_dev *dev, bool user, struct ib_device_attr *attr)
{
	/* What the kernel posts to receive queues, nobody but the kernel could read again. */
	const u32 not_for_kernel = IB_ODP_SUPPORT_READ | IB_ODP_SUPPORT_SRQ_RECV;
	struct ib_odp_caps *caps = &attr->odp_caps;

	mlx5_ib_odp_caps(dev, caps);
	if (caps->general_caps & IB_ODP_SUPPORT)
		attr->kernel_cap_flags |= IBK_ON_DEMAND_PAGING;
	if (user)
		return;
	caps->per_transport_caps.rc_odp_caps &= ~not_for_kernel;
	caps->per_transport_caps.uc_odp_caps &= ~not_for_kernel;
	caps->per_transport_caps.ud_odp_caps &= ~not_for_kernel;
	caps->per_transport_caps.xrc_odp_caps &= ~not_for_kernel;
}

int mlx5_ib_query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
			 struct ib_udata *udata)
{
	struct mlx5_ib_dev *dev = to_mdev(ibdev);
	struct mlx5_ib_node node;
	int err;

	err = mlx5_ib_check_caps_request(udata);
	if (!err)
		err = mlx5_ib_query_node(dev, &node);
	if (err)
		return err;
	memset(attr, 0, sizeof(*attr));
	tell_identity(dev, &node, attr);
	tell_flags(dev, attr);
	tell_queues(dev, attr);
	tell_memory(dev, attr);
	tell_atomics(dev, attr);
	tell_paging(dev, udata, attr);
	attr->hca_core_clock = CAP(device_frequency_khz);
	attr->timestamp_mask = S64_MAX;
	return mlx5_ib_tell_caps(dev, udata);
}
