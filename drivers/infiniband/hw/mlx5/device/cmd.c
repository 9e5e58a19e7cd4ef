// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Firmware commands of this part, one function each. Objects that a process owns are made and
 * destroyed in its name, @uid.
 */
#include "device.h"

int mlx5_ib_cmd_alloc_pd(struct mlx5_core_dev *mdev, u16 uid, u32 *pdn)
{
	u32 out[MLX5_ST_SZ_DW(alloc_pd_out)] = {};
	u32 in[MLX5_ST_SZ_DW(alloc_pd_in)] = {};
	int err;

	MLX5_SET(alloc_pd_in, in, opcode, MLX5_CMD_OP_ALLOC_PD);
	MLX5_SET(alloc_pd_in, in, uid, uid);
	err = mlx5_cmd_exec_inout(mdev, alloc_pd, in, out);
	*pdn = MLX5_GET(alloc_pd_out, out, pd);
	return err;
}

int mlx5_ib_cmd_dealloc_pd(struct mlx5_core_dev *mdev, u16 uid, u32 pdn)
{
	u32 in[MLX5_ST_SZ_DW(dealloc_pd_in)] = {};

	MLX5_SET(dealloc_pd_in, in, opcode, MLX5_CMD_OP_DEALLOC_PD);
	MLX5_SET(dealloc_pd_in, in, uid, uid);
	MLX5_SET(dealloc_pd_in, in, pd, pdn);
	return mlx5_cmd_exec_in(mdev, dealloc_pd, in);
}

/* A domain is for processes of any kind, so it's nobody's. */
int mlx5_ib_cmd_alloc_xrcd(struct mlx5_core_dev *mdev, u32 *xrcdn)
{
	u32 out[MLX5_ST_SZ_DW(alloc_xrcd_out)] = {};
	u32 in[MLX5_ST_SZ_DW(alloc_xrcd_in)] = {};
	int err;

	MLX5_SET(alloc_xrcd_in, in, opcode, MLX5_CMD_OP_ALLOC_XRCD);
	err = mlx5_cmd_exec_inout(mdev, alloc_xrcd, in, out);
	*xrcdn = MLX5_GET(alloc_xrcd_out, out, xrcd);
	return err;
}

int mlx5_ib_cmd_dealloc_xrcd(struct mlx5_core_dev *mdev, u32 xrcdn)
{
	u32 in[MLX5_ST_SZ_DW(dealloc_xrcd_in)] = {};

	MLX5_SET(dealloc_xrcd_in, in, opcode, MLX5_CMD_OP_DEALLOC_XRCD);
	MLX5_SET(dealloc_xrcd_in, in, xrcd, xrcdn);
	return mlx5_cmd_exec_in(mdev, dealloc_xrcd, in);
}

int mlx5_ib_cmd_alloc_uar(struct mlx5_core_dev *mdev, u16 uid, u32 *uar_index)
{
	u32 out[MLX5_ST_SZ_DW(alloc_uar_out)] = {};
	u32 in[MLX5_ST_SZ_DW(alloc_uar_in)] = {};
	int err;

	MLX5_SET(alloc_uar_in, in, opcode, MLX5_CMD_OP_ALLOC_UAR);
	MLX5_SET(alloc_uar_in, in, uid, uid);
	err = mlx5_cmd_exec_inout(mdev, alloc_uar, in, out);
	if (!err)
		*uar_index = MLX5_GET(alloc_uar_out, out, uar);
	return err;
}

int mlx5_ib_cmd_dealloc_uar(struct mlx5_core_dev *mdev, u16 uid, u32 uar_index)
{
	u32 in[MLX5_ST_SZ_DW(dealloc_uar_in)] = {};

	MLX5_SET(dealloc_uar_in, in, opcode, MLX5_CMD_OP_DEALLOC_UAR);
	MLX5_SET(dealloc_uar_in, in, uid, uid);
	MLX5_SET(dealloc_uar_in, in, uar, uar_index);
	return mlx5_cmd_exec_in(mdev, dealloc_uar, in);
}

int mlx5_ib_cmd_alloc_td(struct mlx5_core_dev *mdev, u16 uid, u32 *tdn)
{
	u32 out[MLX5_ST_SZ_DW(alloc_transport_domain_out)] = {};
	u32 in[MLX5_ST_SZ_DW(alloc_transport_domain_in)] = {};
	int err;

	MLX5_SET(alloc_transport_domain_in, in, opcode, MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN);
	MLX5_SET(alloc_transport_domain_in, in, uid, uid);
	err = mlx5_cmd_exec_inout(mdev, alloc_transport_domain, in, out);
	*tdn = MLX5_GET(alloc_transport_domain_out, out, transport_domain);
	return err;
}

int mlx5_ib_cmd_dealloc_td(struct mlx5_core_dev *mdev, u16 uid, u32 tdn)
{
	u32 in[MLX5_ST_SZ_DW(dealloc_transport_domain_in)] = {};

	MLX5_SET(dealloc_transport_domain_in, in, opcode, MLX5_CMD_OP_DEALLOC_TRANSPORT_DOMAIN);
	MLX5_SET(dealloc_transport_domain_in, in, uid, uid);
	MLX5_SET(dealloc_transport_domain_in, in, transport_domain, tdn);
	return mlx5_cmd_exec_in(mdev, dealloc_transport_domain, in);
}

int mlx5_ib_cmd_attach_mcg(struct mlx5_core_dev *mdev, u16 uid, u32 qpn, const union ib_gid *mgid)
{
	u32 in[MLX5_ST_SZ_DW(attach_to_mcg_in)] = {};

	MLX5_SET(attach_to_mcg_in, in, opcode, MLX5_CMD_OP_ATTACH_TO_MCG);
	MLX5_SET(attach_to_mcg_in, in, uid, uid);
	MLX5_SET(attach_to_mcg_in, in, qpn, qpn);
	memcpy(MLX5_ADDR_OF(attach_to_mcg_in, in, multicast_gid), mgid, sizeof(*mgid));
	return mlx5_cmd_exec_in(mdev, attach_to_mcg, in);
}

int mlx5_ib_cmd_detach_mcg(struct mlx5_core_dev *mdev, u16 uid, u32 qpn, const union ib_gid *mgid)
{
	u32 in[MLX5_ST_SZ_DW(detach_from_mcg_in)] = {};

	MLX5_SET(detach_from_mcg_in, in, opcode, MLX5_CMD_OP_DETACH_FROM_MCG);
	MLX5_SET(detach_from_mcg_in, in, uid, uid);
	MLX5_SET(detach_from_mcg_in, in, qpn, qpn);
	memcpy(MLX5_ADDR_OF(detach_from_mcg_in, in, multicast_gid), mgid, sizeof(*mgid));
	return mlx5_cmd_exec_in(mdev, detach_from_mcg, in);
}

int mlx5_ib_cmd_mad_ifc(struct mlx5_core_dev *mdev, u8 op_mod, u32 port_num, const void *mad,
			void *response)
{
	struct {
		u32 in[MLX5_ST_SZ_DW(mad_ifc_in)];
		u32 out[MLX5_ST_SZ_DW(mad_ifc_out)];
	} *cmd;
	int err;

	cmd = kzalloc(sizeof(*cmd), GFP_KERNEL);
	if (!cmd)
		return -ENOMEM;
	MLX5_SET(mad_ifc_in, cmd->in, opcode, MLX5_CMD_OP_MAD_IFC);
	MLX5_SET(mad_ifc_in, cmd->in, op_mod, op_mod);
	MLX5_SET(mad_ifc_in, cmd->in, port, port_num);
	memcpy(MLX5_ADDR_OF(mad_ifc_in, cmd->in, mad), mad, MLX5_FLD_SZ_BYTES(mad_ifc_in, mad));
	err = mlx5_cmd_exec_inout(mdev, mad_ifc, cmd->in, cmd->out);
	if (!err)
		memcpy(response, MLX5_ADDR_OF(mad_ifc_out, cmd->out, response_mad_packet),
		       MLX5_FLD_SZ_BYTES(mad_ifc_out, response_mad_packet));
	kfree(cmd);
	return err;
}

int mlx5_ib_cmd_special_keys(struct mlx5_core_dev *mdev, u32 *out)
{
	u32 in[MLX5_ST_SZ_DW(query_special_contexts_in)] = {};

	MLX5_SET(query_special_contexts_in, in, opcode, MLX5_CMD_OP_QUERY_SPECIAL_CONTEXTS);
	return mlx5_cmd_exec(mdev, in, sizeof(in), out,
			     MLX5_ST_SZ_BYTES(query_special_contexts_out));
}

int mlx5_ib_cmd_read_node_desc(struct mlx5_core_dev *mdev, char *desc)
{
	char in[IB_DEVICE_NODE_DESC_MAX] = {};

	return mlx5_core_access_reg(mdev, in, sizeof(in), desc, IB_DEVICE_NODE_DESC_MAX,
				    MLX5_REG_NODE_DESC, 0, 0);
}

int mlx5_ib_cmd_write_node_desc(struct mlx5_core_dev *mdev, const char *desc)
{
	char in[IB_DEVICE_NODE_DESC_MAX], out[IB_DEVICE_NODE_DESC_MAX];

	memcpy(in, desc, sizeof(in));
	return mlx5_core_access_reg(mdev, in, sizeof(in), out, sizeof(out), MLX5_REG_NODE_DESC, 0,
				    1);
}

/* @ppcnt: MLX5_ST_SZ_BYTES(ppcnt_reg), zeroed */
int mlx5_ib_cmd_read_port_counters(struct mlx5_core_dev *mdev, u32 port_num, void *ppcnt)
{
	const int size = MLX5_ST_SZ_BYTES(ppcnt_reg);

	MLX5_SET(ppcnt_reg, ppcnt, local_port, port_num);
	MLX5_SET(ppcnt_reg, ppcnt, grp, MLX5_INFINIBAND_PORT_COUNTERS_GROUP);
	return mlx5_core_access_reg(mdev, ppcnt, size, ppcnt, size, MLX5_REG_PPCNT, 0, 0);
}

/* Queue pairs of all contexts are counted together. */
int mlx5_ib_cmd_alloc_counters(struct mlx5_core_dev *mdev, u16 *set)
{
	u32 out[MLX5_ST_SZ_DW(alloc_q_counter_out)] = {};
	u32 in[MLX5_ST_SZ_DW(alloc_q_counter_in)] = {};
	int err;

	MLX5_SET(alloc_q_counter_in, in, opcode, MLX5_CMD_OP_ALLOC_Q_COUNTER);
	if (MLX5_CAP_GEN(mdev, log_max_uctx))
		MLX5_SET(alloc_q_counter_in, in, uid, MLX5_SHARED_RESOURCE_UID);
	err = mlx5_cmd_exec_inout(mdev, alloc_q_counter, in, out);
	*set = MLX5_GET(alloc_q_counter_out, out, counter_set_id);
	return err;
}

int mlx5_ib_cmd_dealloc_counters(struct mlx5_core_dev *mdev, u16 set)
{
	u32 in[MLX5_ST_SZ_DW(dealloc_q_counter_in)] = {};

	MLX5_SET(dealloc_q_counter_in, in, opcode, MLX5_CMD_OP_DEALLOC_Q_COUNTER);
	MLX5_SET(dealloc_q_counter_in, in, counter_set_id, set);
	return mlx5_cmd_exec_in(mdev, dealloc_q_counter, in);
}

/* @out: MLX5_ST_SZ_BYTES(query_q_counter_out) */
int mlx5_ib_cmd_query_counters(struct mlx5_core_dev *mdev, u16 set, u32 *out)
{
	u32 in[MLX5_ST_SZ_DW(query_q_counter_in)] = {};

	MLX5_SET(query_q_counter_in, in, opcode, MLX5_CMD_OP_QUERY_Q_COUNTER);
	MLX5_SET(query_q_counter_in, in, counter_set_id, set);
	return mlx5_cmd_exec(mdev, in, sizeof(in), out, MLX5_ST_SZ_BYTES(query_q_counter_out));
}
