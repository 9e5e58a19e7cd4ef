// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The device and its ports, as they describe themselves. */

#include <linux/string.h>
#include <rdma/ib_mad.h>

#include "nullhca.h"

struct nullhca_port *nullhca_port(struct ib_device *ib, u32 port_num)
{
	return &to_nullhca(ib)->slot->ports[port_num - 1];
}

static int query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata)
{
	int ret = nullhca_pass(ib, NULLHCA_query_device);

	if (ret)
		return ret;
	attr->fw_ver = 1;
	attr->sys_image_guid = ib->node_guid;
	attr->vendor_id = 0x2c9;
	attr->max_mr_size = U64_MAX;
	attr->page_size_cap = PAGE_SIZE;
	attr->max_qp = 1 << 20;
	attr->max_qp_wr = NULLHCA_MAX_WR;
	attr->max_send_sge = NULLHCA_MAX_SGE;
	attr->max_recv_sge = NULLHCA_MAX_SGE;
	attr->max_sge_rd = NULLHCA_MAX_SGE;
	attr->max_cq = 1 << 20;
	attr->max_cqe = NULLHCA_MAX_CQE;
	attr->max_mr = 1 << 20;
	attr->max_mw = 1 << 20;
	attr->max_pd = 1 << 20;
	attr->max_ah = 1 << 20;
	attr->max_srq = 1 << 20;
	attr->max_srq_wr = NULLHCA_MAX_WR;
	attr->max_srq_sge = NULLHCA_MAX_SGE;
	attr->max_qp_rd_atom = 16;
	attr->max_qp_init_rd_atom = 16;
	attr->max_pkeys = NULLHCA_PKEYS;
	attr->max_fast_reg_page_list_len = NULLHCA_MAX_MR_PAGES;
	attr->max_mcast_grp = 1 << 16;
	attr->max_mcast_qp_attach = 1 << 16;
	attr->max_total_mcast_qp_attach = 1 << 20;
	attr->device_cap_flags = IB_DEVICE_CHANGE_PHY_PORT | IB_DEVICE_RC_RNR_NAK_GEN |
				 IB_DEVICE_SRQ_RESIZE | IB_DEVICE_MEM_WINDOW |
				 IB_DEVICE_MEM_MGT_EXTENSIONS | IB_DEVICE_XRC;
	attr->kernel_cap_flags = IBK_LOCAL_DMA_LKEY;
	return 0;
}

static int modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify)
{
	int ret = nullhca_pass(ib, NULLHCA_modify_device);

	if (ret)
		return ret;
	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	if (mask & IB_DEVICE_MODIFY_NODE_DESC)
		memcpy(ib->node_desc, modify->node_desc, sizeof(ib->node_desc));
	return 0;
}

static int query_port(struct ib_device *ib, u32 port_num, struct ib_port_attr *attr)
{
	const struct nullhca_port *port = nullhca_port(ib, port_num);
	int ret = nullhca_pass(ib, NULLHCA_query_port);

	if (ret)
		return ret;
	attr->state = READ_ONCE(port->state);
	attr->phys_state = attr->state == IB_PORT_DOWN ? IB_PORT_PHYS_STATE_POLLING :
							 IB_PORT_PHYS_STATE_LINK_UP;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = IB_MTU_4096;
	attr->gid_tbl_len = NULLHCA_GIDS;
	attr->pkey_tbl_len = NULLHCA_PKEYS;
	attr->max_msg_sz = 1U << 30;
	attr->lid = READ_ONCE(port->lid);
	attr->lmc = READ_ONCE(port->lmc);
	attr->sm_lid = READ_ONCE(port->sm_lid);
	attr->max_vl_num = 4;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
	return 0;
}

static int modify_port(struct ib_device *ib, u32 port_num, int mask, struct ib_port_modify *modify)
{
	return nullhca_pass(ib, NULLHCA_modify_port);
}

static int get_port_immutable(struct ib_device *ib, u32 port_num,
			      struct ib_port_immutable *immutable)
{
	int ret = nullhca_pass(ib, NULLHCA_get_port_immutable);

	if (ret)
		return ret;
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	immutable->pkey_tbl_len = NULLHCA_PKEYS;
	immutable->gid_tbl_len = NULLHCA_GIDS;
	return 0;
}

static enum rdma_link_layer get_link_layer(struct ib_device *ib, u32 port_num)
{
	return IB_LINK_LAYER_INFINIBAND;
}

/* The first one is the port's GUID; the subnet manager has given out one alias more. */
static int query_gid(struct ib_device *ib, u32 port_num, int index, union ib_gid *gid)
{
	const struct nullhca_port *port = nullhca_port(ib, port_num);
	u64 guid = be64_to_cpu(ib->node_guid) + port_num;
	int ret = nullhca_pass(ib, NULLHCA_query_gid);

	if (ret)
		return ret;
	memset(gid, 0, sizeof(*gid));
	if (index > 1)
		return 0;
	gid->global.subnet_prefix = cpu_to_be64(READ_ONCE(port->subnet_prefix));
	gid->global.interface_id = cpu_to_be64(guid + 16 * index);
	return 0;
}

static int query_pkey(struct ib_device *ib, u32 port_num, u16 index, u16 *pkey)
{
	int ret = nullhca_pass(ib, NULLHCA_query_pkey);

	if (ret)
		return ret;
	if (index >= NULLHCA_PKEYS)
		return -EINVAL;
	*pkey = READ_ONCE(nullhca_port(ib, port_num)->pkeys[index]);
	return 0;
}

static int enable_driver(struct ib_device *ib)
{
	return nullhca_pass(ib, NULLHCA_enable_driver);
}

/* No firmware has an opinion on any MAD: agents get them all. */
static int process_mad(struct ib_device *ib, int flags, u32 port_num, const struct ib_wc *wc,
		       const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_size, u16 *out_pkey_index)
{
	if (nullhca_pass(ib, NULLHCA_process_mad))
		return IB_MAD_RESULT_FAILURE;
	return IB_MAD_RESULT_SUCCESS;
}

static void get_dev_fw_str(struct ib_device *ib, char *text)
{
	strscpy(text, "0.0", IB_FW_VERSION_NAME_MAX);
}

const struct ib_device_ops nullhca_port_ops = {
	.query_device = query_device,
	.modify_device = modify_device,
	.query_port = query_port,
	.modify_port = modify_port,
	.get_port_immutable = get_port_immutable,
	.get_link_layer = get_link_layer,
	.query_gid = query_gid,
	.query_pkey = query_pkey,
	.enable_driver = enable_driver,
	.process_mad = process_mad,
	.get_dev_fw_str = get_dev_fw_str,
};
