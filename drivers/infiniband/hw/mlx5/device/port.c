// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The port: its attributes, GIDs and P_Keys (IBTA 11.2.1), by datagrams to its own agent or, of a
 * virtual function, by firmware commands.
 */
#include <linux/mlx5/port.h>
#include <linux/mlx5/vport.h>
#include <linux/unaligned.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include "device.h"

#define GUIDS_PER_BLOCK 8
#define PKEYS_PER_BLOCK 32
#define GID_PREFIX_AT 8 /* in PortInfo */

static int ask_fdr10(struct mlx5_ib_dev *dev, u32 port_num, struct ib_port_attr *attr)
{
	struct ib_smp reply;
	int err;

	if (attr->active_speed != IB_SPEED_QDR ||
	    !(dev->ext_port_caps & MLX_EXT_PORT_CAP_FLAG_EXTENDED_PORT_INFO))
		return 0;
	err = mlx5_ib_get_smp(dev, port_num, MLX5_ATTR_EXTENDED_PORT_INFO, port_num, &reply);
	if (!err && mlx5_ib_is_fdr10(&reply))
		attr->active_speed = IB_SPEED_FDR10;
	return err;
}

static int port_by_mad(struct mlx5_ib_dev *dev, u32 port_num, struct ib_port_attr *attr)
{
	struct ib_smp reply;
	int err;

	err = mlx5_ib_get_smp(dev, port_num, IB_SMP_ATTR_PORT_INFO, port_num, &reply);
	if (err)
		return err;
	mlx5_ib_port_info(&reply, attr);
	attr->pkey_tbl_len = dev->pkey_table_len;
	return ask_fdr10(dev, port_num, attr);
}

static void take_vport(const struct mlx5_hca_vport_context *vport, struct ib_port_attr *attr)
{
	attr->lid = vport->lid;
	attr->lmc = vport->lmc;
	attr->sm_lid = vport->sm_lid;
	attr->sm_sl = vport->sm_sl;
	attr->state = vport->vport_state;
	attr->phys_state = vport->port_physical_state;
	attr->port_cap_flags = vport->cap_mask1;
	if (attr->port_cap_flags & IB_PORT_CAP_MASK2_SUP)
		attr->port_cap_flags2 = vport->cap_mask2;
	attr->bad_pkey_cntr = vport->pkey_violation_counter;
	attr->qkey_viol_cntr = vport->qkey_violation_counter;
	attr->subnet_timeout = vport->subnet_timeout;
	attr->init_type_reply = vport->init_type_reply;
}

static int ask_link(struct mlx5_core_dev *mdev, u32 port_num, struct ib_port_attr *attr)
{
	u16 width, max_mtu = 0, active_mtu = 0;
	u8 vls;
	int err;

	err = mlx5_query_ib_port_oper(mdev, &width, &attr->active_speed, port_num, 0);
	if (!err)
		err = mlx5_query_port_vl_hw_cap(mdev, &vls, port_num);
	if (err)
		return err;
	err = mlx5_ib_vls_of_device(vls);
	if (err < 0)
		return err;
	attr->max_vl_num = err;
	attr->active_width = mlx5_ib_width_of_ptys(width);
	mlx5_query_port_max_mtu(mdev, &max_mtu, port_num);
	mlx5_query_port_oper_mtu(mdev, &active_mtu, port_num);
	attr->max_mtu = mlx5_ib_mtu_of_bytes(max_mtu);
	attr->active_mtu = mlx5_ib_mtu_of_bytes(active_mtu);
	return attr->max_mtu && attr->active_mtu ? 0 : -EINVAL;
}

static int port_by_command(struct mlx5_ib_dev *dev, u32 port_num, struct ib_port_attr *attr)
{
	struct mlx5_hca_vport_context vport = {};
	int err;

	err = mlx5_query_hca_vport_context(dev->mdev, 0, port_num, 0, &vport);
	if (err)
		return err;
	take_vport(&vport, attr);
	attr->gid_tbl_len = mlx5_get_gid_table_len(MLX5_CAP_GEN(dev->mdev, gid_table_size));
	attr->pkey_tbl_len = dev->pkey_table_len;
	return ask_link(dev->mdev, port_num, attr);
}

int mlx5_ib_query_port(struct ib_device *ibdev, u32 port_num, struct ib_port_attr *attr)
{
	struct mlx5_ib_dev *dev = to_mdev(ibdev);
	int err;

	if (mlx5_ib_asks_by_mad(dev))
		err = port_by_mad(dev, port_num, attr);
	else
		err = port_by_command(dev, port_num, attr);
	if (err)
		return err;
	attr->max_msg_sz = 1U << MLX5_CAP_GEN(dev->mdev, log_max_msg);
	/* mlx5_core keeps some for itself. */
	attr->gid_tbl_len -= mlx5_core_reserved_gids_count(dev->mdev);
	return 0;
}

int mlx5_ib_port_immutable(struct ib_device *ibdev, u32 port_num,
			   struct ib_port_immutable *immutable)
{
	struct mlx5_hca_vport_context vport = {};
	struct ib_port_attr attr;
	int err;

	err = ib_query_port(ibdev, port_num, &attr);
	if (!err)
		err = mlx5_query_hca_vport_context(to_mdev(ibdev)->mdev, 0, port_num, 0, &vport);
	if (err)
		return err;
	immutable->pkey_tbl_len = attr.pkey_tbl_len;
	immutable->gid_tbl_len = attr.gid_tbl_len;
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	if (vport.grh_required)
		immutable->core_cap_flags |= RDMA_CORE_CAP_IB_GRH_REQUIRED;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static int gid_by_mad(struct mlx5_ib_dev *dev, u32 port_num, int index, union ib_gid *gid)
{
	struct ib_smp reply;
	int err;

	err = mlx5_ib_get_smp(dev, port_num, IB_SMP_ATTR_PORT_INFO, port_num, &reply);
	if (err)
		return err;
	memcpy(&gid->global.subnet_prefix, reply.data + GID_PREFIX_AT, sizeof(__be64));
	err = mlx5_ib_get_smp(dev, port_num, IB_SMP_ATTR_GUID_INFO, index / GUIDS_PER_BLOCK,
			      &reply);
	if (err)
		return err;
	memcpy(&gid->global.interface_id, reply.data + index % GUIDS_PER_BLOCK * sizeof(__be64),
	       sizeof(__be64));
	return 0;
}

int mlx5_ib_query_gid(struct ib_device *ibdev, u32 port_num, int index, union ib_gid *gid)
{
	struct mlx5_ib_dev *dev = to_mdev(ibdev);

	if (mlx5_ib_asks_by_mad(dev))
		return gid_by_mad(dev, port_num, index, gid);
	return mlx5_query_hca_vport_gid(dev->mdev, 0, port_num, 0, index, gid);
}

static int pkey_by_mad(struct mlx5_ib_dev *dev, u32 port_num, u16 index, u16 *pkey)
{
	struct ib_smp reply;
	int err;

	err = mlx5_ib_get_smp(dev, port_num, IB_SMP_ATTR_PKEY_TABLE, index / PKEYS_PER_BLOCK,
			      &reply);
	if (!err)
		*pkey = get_unaligned_be16(reply.data + index % PKEYS_PER_BLOCK * sizeof(*pkey));
	return err;
}

int mlx5_ib_query_pkey(struct ib_device *ibdev, u32 port_num, u16 index, u16 *pkey)
{
	struct mlx5_ib_dev *dev = to_mdev(ibdev);

	if (mlx5_ib_asks_by_mad(dev))
		return pkey_by_mad(dev, port_num, index, pkey);
	return mlx5_query_hca_vport_pkey(dev->mdev, 0, port_num, 0, index, pkey);
}

/* The firmware changes those bits that the mask names, and has to permit each of them. */
static int change_vport(struct mlx5_ib_dev *dev, u32 port_num, const struct ib_port_modify *props)
{
	u32 mask = props->clr_port_cap_mask | props->set_port_cap_mask;
	struct mlx5_hca_vport_context vport = {};
	int err;

	err = mlx5_query_hca_vport_context(dev->mdev, 0, port_num, 0, &vport);
	if (err)
		return err;
	if (mask & ~vport.cap_mask1_perm)
		return -EINVAL;
	vport.cap_mask1 = ~props->clr_port_cap_mask | props->set_port_cap_mask;
	vport.cap_mask1_perm = mask;
	return mlx5_core_modify_hca_vport_context(dev->mdev, 0, port_num, 0, &vport);
}

static int change_port(struct mlx5_ib_dev *dev, u32 port_num, const struct ib_port_modify *props)
{
	struct ib_port_attr attr;
	u32 caps;
	int err;

	mutex_lock(&dev->cap_mask_lock);
	err = ib_query_port(&dev->ib_dev, port_num, &attr);
	if (!err) {
		caps = (attr.port_cap_flags | props->set_port_cap_mask) & ~props->clr_port_cap_mask;
		err = mlx5_set_port_caps(dev->mdev, port_num, caps);
	}
	mutex_unlock(&dev->cap_mask_lock);
	return err;
}

int mlx5_ib_modify_port(struct ib_device *ibdev, u32 port_num, int mask,
			struct ib_port_modify *props)
{
	struct mlx5_ib_dev *dev = to_mdev(ibdev);

	if (mlx5_ib_asks_by_mad(dev))
		return change_port(dev, port_num, props);
	return change_vport(dev, port_num, props);
}

enum rdma_link_layer mlx5_ib_link_layer(struct ib_device *ibdev, u32 port_num)
{
	return IB_LINK_LAYER_INFINIBAND;
}

/**
 * mlx5_ib_port_init - learn how to talk to the port
 * @dev: the adapter
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int mlx5_ib_port_init(struct mlx5_ib_dev *dev)
{
	struct mlx5_hca_vport_context vport = {};
	struct ib_smp reply;
	int err;

	mutex_init(&dev->cap_mask_lock);
	dev->has_smi = true;
	if (!mlx5_ib_asks_by_mad(dev)) {
		err = mlx5_query_hca_vport_context(dev->mdev, 0, 1, 0, &vport);
		dev->has_smi = vport.has_smi;
		return err;
	}
	if (!mlx5_ib_get_smp(dev, 1, MLX5_ATTR_EXTENDED_PORT_INFO, 1, &reply))
		dev->ext_port_caps = MLX_EXT_PORT_CAP_FLAG_EXTENDED_PORT_INFO;
	return 0;
}
