// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Management datagrams to the port's own agents, which the firmware keeps: how the driver itself
 * learns GUIDs, LIDs, P_Keys and the like (IBTA 14.2), unless the function is a virtual one.
 */
#include <rdma/ib_smi.h>
#include "device.h"

#define IGNORE_MKEY BIT(0)
#define IGNORE_BKEY BIT(1)

/* A status without the direction bit: IBTA 14.2.2, table 111. */
#define SMP_STATUS 0x7fff

/* Of virtual functions the firmware answers by commands. */
bool mlx5_ib_asks_by_mad(struct mlx5_ib_dev *dev)
{
	return !MLX5_CAP_GEN(dev->mdev, ib_virt);
}

static bool is_smp(const struct ib_mad_hdr *hdr)
{
	return hdr->mgmt_class == IB_MGMT_CLASS_SUBN_LID_ROUTED ||
	       hdr->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
}

/**
 * mlx5_ib_mad_ifc - have a datagram answered by the port's own agent
 * @dev: the adapter
 * @ignore_mkey: the sender is trusted
 * @ignore_bkey: the sender is trusted
 * @port_num: the port
 * @in_wc: how it came; NULL: it's the host's own, and nobody is there to get a trap
 * @in_grh: unused, of the datagram
 * @in_mad: 256 bytes
 * @response: 256 bytes
 *
 * Context: may sleep.
 * Return: 0; -EPERM: subnet management of this port isn't this function's business; or what the
 * command came to.
 */
int mlx5_ib_mad_ifc(struct mlx5_ib_dev *dev, bool ignore_mkey, bool ignore_bkey, u32 port_num,
		    const struct ib_wc *in_wc, const struct ib_grh *in_grh, const void *in_mad,
		    void *response)
{
	u8 op_mod = 0;

	if (is_smp(in_mad) && !dev->has_smi)
		return -EPERM;
	if (ignore_mkey || !in_wc)
		op_mod |= IGNORE_MKEY;
	if (ignore_bkey || !in_wc)
		op_mod |= IGNORE_BKEY;
	return mlx5_ib_cmd_mad_ifc(dev->mdev, op_mod, port_num, in_mad, response);
}

/**
 * mlx5_ib_get_smp - ask the port's own agent for an attribute
 * @dev: the adapter
 * @port_num: the port
 * @attr_id: IB_SMP_ATTR_*
 * @attr_mod: its modifier
 * @reply: the answer
 *
 * Context: may sleep.
 * Return: 0; -EIO: the agent has answered that it can't; or a negative errno of the command.
 */
int mlx5_ib_get_smp(struct mlx5_ib_dev *dev, u32 port_num, __be16 attr_id, u32 attr_mod,
		    struct ib_smp *reply)
{
	struct ib_smp request = {};
	int err;

	ib_init_query_mad(&request);
	request.attr_id = attr_id;
	request.attr_mod = cpu_to_be32(attr_mod);
	err = mlx5_ib_mad_ifc(dev, true, true, port_num, NULL, NULL, &request, reply);
	if (err)
		return err;
	return be16_to_cpu(reply->status) & SMP_STATUS ? -EIO : 0;
}
