// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Multicast groups of a QP (IBTA 11.3.2). Joining them is the business of whoever asks the SA. */

#include <rdma/ib_addr.h>

#include "verbs.h"

/* On Ethernet there are no LIDs: whatever is given is as good as any other. */
static bool is_ethernet(struct ib_device *device, u32 port_num)
{
	return rdma_port_get_link_layer(device, port_num) != IB_LINK_LAYER_INFINIBAND;
}

static bool has_ethernet_port(struct ib_device *device)
{
	u32 port_num;

	rdma_for_each_port(device, port_num)
		if (is_ethernet(device, port_num))
			return true;
	return false;
}

static bool lid_matters(struct ib_qp *qp)
{
	struct ib_qp_init_attr init_attr = {};
	struct ib_qp_attr attr = {};
	int ret;

	/* A QP has a port from INIT on; before, it may come to have any. */
	ret = ib_query_qp(qp, &attr, IB_QP_STATE | IB_QP_PORT, &init_attr);
	if (!ret && attr.qp_state >= IB_QPS_INIT)
		return !is_ethernet(qp->device, attr.port_num);
	return !has_ethernet_port(qp->device);
}

static bool is_multicast_lid(u16 lid)
{
	return lid >= be16_to_cpu(IB_MULTICAST_LID_BASE) && lid != be16_to_cpu(IB_LID_PERMISSIVE);
}

static int check(struct ib_qp *qp, const union ib_gid *gid, u16 lid)
{
	if (qp->qp_type != IB_QPT_UD || !rdma_is_multicast_addr((struct in6_addr *)gid))
		return -EINVAL;
	if (!is_multicast_lid(lid) && lid_matters(qp))
		return -EINVAL;
	return 0;
}

/**
 * ib_attach_mcast - let a QP receive what is sent to a group
 * @qp: a UD QP; it can't be destroyed while it is attached
 * @gid: the group's GID
 * @lid: the group's LID
 *
 * Context: Sleeps.
 * Return: 0; -EINVAL for another QP, or addresses that aren't multicast; -EOPNOTSUPP; or what the
 * driver returns.
 */
int ib_attach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid)
{
	int ret;

	if (!qp->device->ops.attach_mcast)
		return -EOPNOTSUPP;
	ret = check(qp, gid, lid);
	if (!ret)
		ret = qp->device->ops.attach_mcast(qp, gid, lid);
	if (!ret)
		atomic_inc(&qp->usecnt);
	return ret;
}
EXPORT_SYMBOL(ib_attach_mcast);

/**
 * ib_detach_mcast - end that
 * @qp: the QP
 * @gid: the group's GID
 * @lid: the group's LID
 *
 * Context: Sleeps.
 * Return: as ib_attach_mcast().
 */
int ib_detach_mcast(struct ib_qp *qp, union ib_gid *gid, u16 lid)
{
	int ret;

	if (!qp->device->ops.detach_mcast)
		return -EOPNOTSUPP;
	ret = check(qp, gid, lid);
	if (!ret)
		ret = qp->device->ops.detach_mcast(qp, gid, lid);
	if (!ret)
		atomic_dec(&qp->usecnt);
	return ret;
}
EXPORT_SYMBOL(ib_detach_mcast);
