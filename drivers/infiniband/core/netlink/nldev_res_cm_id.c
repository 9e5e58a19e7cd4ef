// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * nldev: what is shown of a communication identifier of rdma_cm. Part of that is in rdma_cm's own
 * structure around it, which rdma_id.h has the offsets of.
 */

#include "netlink.h"
#include "rdma_id.h"

static const struct rdma_cm_id *id_of(const struct rdma_restrack_entry *res)
{
	return (const void *)res - RDMA_ID_RES;
}

static u32 private_u32(const struct rdma_cm_id *id, size_t offset)
{
	return READ_ONCE(*(const u32 *)((const void *)id + offset));
}

static u32 port_of(const struct rdma_restrack_entry *res)
{
	return id_of(res)->port_num;
}

static int put_qp(struct sk_buff *msg, const struct rdma_cm_id *id)
{
	u32 qp_num = private_u32(id, RDMA_ID_QP_NUM);

	if (!qp_num)
		return 0;
	return nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_LQPN, qp_num) ?:
	       nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_TYPE, id->qp_type);
}

static int put_address(struct sk_buff *msg, int attr, const struct sockaddr_storage *address)
{
	return address->ss_family ? nla_put(msg, attr, sizeof(*address), address) : 0;
}

static int fill(struct sk_buff *msg, struct rdma_restrack_entry *res, bool admin)
{
	const struct rdma_cm_id *id = id_of(res);
	const struct ib_device_ops *ops = &id->device->ops;
	int err;

	err = (id->port_num ? nla_put_u32(msg, RDMA_NLDEV_ATTR_PORT_INDEX, id->port_num) : 0) ?:
	      put_qp(msg, id) ?:
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_PS, id->ps) ?:
	      nla_put_u8(msg, RDMA_NLDEV_ATTR_RES_STATE, private_u32(id, RDMA_ID_STATE)) ?:
	      put_address(msg, RDMA_NLDEV_ATTR_RES_SRC_ADDR, &id->route.addr.src_addr) ?:
	      put_address(msg, RDMA_NLDEV_ATTR_RES_DST_ADDR, &id->route.addr.dst_addr) ?:
	      nla_put_u32(msg, RDMA_NLDEV_ATTR_RES_CM_IDN, res->id) ?:
	      nldev_put_owner(msg, res);
	if (err || !ops->fill_res_cm_id_entry)
		return err;
	return ops->fill_res_cm_id_entry(msg, (struct rdma_cm_id *)id);
}

const struct nldev_kind nldev_cm_id = {
	.type = RDMA_RESTRACK_CM_ID,
	.table = RDMA_NLDEV_ATTR_RES_CM_ID,
	.entry = RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY,
	.id = RDMA_NLDEV_ATTR_RES_CM_IDN,
	.port = port_of,
	.fill = fill,
};
