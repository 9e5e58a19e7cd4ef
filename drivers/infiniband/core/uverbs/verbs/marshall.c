// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The user ABI's forms of address vectors and queue pairs. rdma_ucm uses them, too. */

#include <linux/export.h>
#include <rdma/ib_marshall.h>
#include <rdma/opa_addr.h>

/* The user ABI has 16 bits for a LID. Longer ones of Omni-Path are told as a GID. */
static bool has_long_lid(const struct rdma_ah_attr *ah_attr)
{
	return ah_attr->type == RDMA_AH_ATTR_TYPE_OPA &&
	       rdma_ah_get_dlid(ah_attr) > be16_to_cpu(IB_LID_PERMISSIVE);
}

static void copy_dgid(struct ib_uverbs_ah_attr *to, const union ib_gid *dgid)
{
	static_assert(sizeof(to->grh.dgid) == sizeof(dgid->raw));
	memcpy(to->grh.dgid, dgid->raw, sizeof(to->grh.dgid));
}

static int copy_long_lid(struct ib_device *device, struct ib_uverbs_ah_attr *to,
			 const struct rdma_ah_attr *ah_attr)
{
	struct ib_port_attr port;
	union ib_gid dgid;
	int ret;

	ret = ib_query_port(device, ah_attr->port_num, &port);
	if (ret)
		return ret;
	dgid.global.subnet_prefix = cpu_to_be64(port.subnet_prefix);
	dgid.global.interface_id = OPA_MAKE_ID(rdma_ah_get_dlid(ah_attr));
	copy_dgid(to, &dgid);
	to->grh.hop_limit = 1;
	to->is_global = 1;
	return 0;
}

static void copy_grh(struct ib_uverbs_ah_attr *to, const struct rdma_ah_attr *ah_attr)
{
	const struct ib_global_route *grh = &ah_attr->grh;

	if (!(ah_attr->ah_flags & IB_AH_GRH))
		return;
	copy_dgid(to, &grh->dgid);
	to->grh.sgid_index = grh->sgid_index;
	to->grh.flow_label = grh->flow_label;
	to->grh.traffic_class = grh->traffic_class;
	to->grh.hop_limit = grh->hop_limit;
	to->is_global = 1;
}

/**
 * ib_copy_ah_attr_to_user - an address vector as user space knows it
 * @device: its device
 * @dst: filled in, each byte of it
 * @src: the address vector. A LID of Omni-Path that is longer than 16 bits becomes a GID.
 *
 * Context: Sleeps.
 */
void ib_copy_ah_attr_to_user(struct ib_device *device, struct ib_uverbs_ah_attr *dst,
			     struct rdma_ah_attr *src)
{
	*dst = (struct ib_uverbs_ah_attr) {
		.port_num = rdma_ah_get_port_num(src),
		.dlid = rdma_ah_get_dlid(src),
		.src_path_bits = rdma_ah_get_path_bits(src),
		.sl = rdma_ah_get_sl(src),
		.static_rate = rdma_ah_get_static_rate(src),
	};
	if (!has_long_lid(src) || copy_long_lid(device, dst, src))
		copy_grh(dst, src);
}
EXPORT_SYMBOL(ib_copy_ah_attr_to_user);

static void copy_cap(struct ib_uverbs_qp_attr *to, const struct ib_qp_cap *cap)
{
	to->max_send_wr = cap->max_send_wr;
	to->max_send_sge = cap->max_send_sge;
	to->max_recv_wr = cap->max_recv_wr;
	to->max_recv_sge = cap->max_recv_sge;
	to->max_inline_data = cap->max_inline_data;
}

/**
 * ib_copy_qp_attr_to_user - a queue pair's attributes as user space knows them
 * @device: its device
 * @dst: filled in, but for qp_attr_mask, which is the caller's
 * @src: the attributes
 *
 * Context: Sleeps.
 */
void ib_copy_qp_attr_to_user(struct ib_device *device, struct ib_uverbs_qp_attr *dst,
			     struct ib_qp_attr *src)
{
	*dst = (struct ib_uverbs_qp_attr) {
		.qp_attr_mask = dst->qp_attr_mask,
		.qp_state = src->qp_state,
		.cur_qp_state = src->cur_qp_state,
		.en_sqd_async_notify = src->en_sqd_async_notify,
		.sq_draining = src->sq_draining,
		.qp_access_flags = src->qp_access_flags,
		.qkey = src->qkey,
		/* the connection */
		.dest_qp_num = src->dest_qp_num,
		.sq_psn = src->sq_psn,
		.rq_psn = src->rq_psn,
		.max_rd_atomic = src->max_rd_atomic,
		.max_dest_rd_atomic = src->max_dest_rd_atomic,
		.min_rnr_timer = src->min_rnr_timer,
		.rnr_retry = src->rnr_retry,
		.retry_cnt = src->retry_cnt,
		/* the paths */
		.path_mtu = src->path_mtu,
		.path_mig_state = src->path_mig_state,
		.port_num = src->port_num,
		.pkey_index = src->pkey_index,
		.timeout = src->timeout,
		.alt_port_num = src->alt_port_num,
		.alt_pkey_index = src->alt_pkey_index,
		.alt_timeout = src->alt_timeout,
	};
	copy_cap(dst, &src->cap);
	ib_copy_ah_attr_to_user(device, &dst->ah_attr, &src->ah_attr);
	ib_copy_ah_attr_to_user(device, &dst->alt_ah_attr, &src->alt_ah_attr);
}
EXPORT_SYMBOL(ib_copy_qp_attr_to_user);
