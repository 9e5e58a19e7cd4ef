// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A device's properties (IBTA 11.2.1.2, "query HCA"). */

#include "verbs.h"

static struct ib_uverbs_query_device_resp
basic_response(const struct ib_device *ib_dev, const struct ib_device_attr *attr)
{
	return (struct ib_uverbs_query_device_resp) {
		/* which device */
		.vendor_id = attr->vendor_id,
		.vendor_part_id = attr->vendor_part_id,
		.hw_ver = attr->hw_ver,
		.fw_ver = attr->fw_ver,
		.node_guid = ib_dev->node_guid,
		.sys_image_guid = attr->sys_image_guid,
		.phys_port_cnt = min_t(u32, ib_dev->phys_port_cnt, U8_MAX),
		.device_cap_flags = lower_32_bits(attr->device_cap_flags),
		.atomic_cap = attr->atomic_cap,
		.page_size_cap = attr->page_size_cap,
		.local_ca_ack_delay = attr->local_ca_ack_delay,
		/* how many objects */
		.max_ah = attr->max_ah,
		.max_cq = attr->max_cq,
		.max_ee = attr->max_ee,
		.max_mr = attr->max_mr,
		.max_mw = attr->max_mw,
		.max_pd = attr->max_pd,
		.max_qp = attr->max_qp,
		.max_rdd = attr->max_rdd,
		.max_srq = attr->max_srq,
		.max_raw_ethy_qp = attr->max_raw_ethy_qp,
		.max_raw_ipv6_qp = attr->max_raw_ipv6_qp,
		.max_pkeys = attr->max_pkeys,
		.max_mcast_grp = attr->max_mcast_grp,
		.max_mcast_qp_attach = attr->max_mcast_qp_attach,
		.max_total_mcast_qp_attach = attr->max_total_mcast_qp_attach,
		/* how big */
		.max_mr_size = attr->max_mr_size,
		.max_cqe = attr->max_cqe,
		.max_qp_wr = attr->max_qp_wr,
		.max_sge = min(attr->max_send_sge, attr->max_recv_sge),
		.max_sge_rd = attr->max_sge_rd,
		.max_srq_wr = attr->max_srq_wr,
		.max_srq_sge = attr->max_srq_sge,
		/* how many reads and atomics at once */
		.max_qp_rd_atom = attr->max_qp_rd_atom,
		.max_qp_init_rd_atom = attr->max_qp_init_rd_atom,
		.max_ee_rd_atom = attr->max_ee_rd_atom,
		.max_ee_init_rd_atom = attr->max_ee_init_rd_atom,
		.max_res_rd_atom = attr->max_res_rd_atom,
	};
}

static void add_odp(struct ib_uverbs_ex_query_device_resp *response, const struct ib_odp_caps *caps)
{
	response->odp_caps.general_caps = caps->general_caps;
	response->odp_caps.per_transport_caps.rc_odp_caps = caps->per_transport_caps.rc_odp_caps;
	response->odp_caps.per_transport_caps.uc_odp_caps = caps->per_transport_caps.uc_odp_caps;
	response->odp_caps.per_transport_caps.ud_odp_caps = caps->per_transport_caps.ud_odp_caps;
	response->xrc_odp_caps = caps->per_transport_caps.xrc_odp_caps;
}

static void add_work_queues(struct ib_uverbs_ex_query_device_resp *response,
			    const struct ib_device_attr *attr)
{
	response->max_wq_type_rq = attr->max_wq_type_rq;
	response->raw_packet_caps = attr->raw_packet_caps;
	response->rss_caps = (struct ib_uverbs_rss_caps) {
		.supported_qpts = attr->rss_caps.supported_qpts,
		.max_rwq_indirection_tables = attr->rss_caps.max_rwq_indirection_tables,
		.max_rwq_indirection_table_size = attr->rss_caps.max_rwq_indirection_table_size,
	};
	response->tm_caps = (struct ib_uverbs_tm_caps) {
		.flags = attr->tm_caps.flags,
		.max_num_tags = attr->tm_caps.max_num_tags,
		.max_ops = attr->tm_caps.max_ops,
		.max_sge = attr->tm_caps.max_sge,
		.max_rndv_hdr_size = attr->tm_caps.max_rndv_hdr_size,
	};
}

static void extend_response(struct ib_uverbs_ex_query_device_resp *response,
			    const struct ib_device_attr *attr)
{
	response->device_cap_flags_ex = attr->device_cap_flags;
	response->timestamp_mask = attr->timestamp_mask;
	response->hca_core_clock = attr->hca_core_clock;
	response->max_dm_size = attr->max_dm_size;
	response->cq_moderation_caps.max_cq_moderation_count =
		attr->cq_caps.max_cq_moderation_count;
	response->cq_moderation_caps.max_cq_moderation_period =
		attr->cq_caps.max_cq_moderation_period;
	add_odp(response, &attr->odp_caps);
	add_work_queues(response, attr);
}

static int query_device(struct uverbs_attr_bundle *attrs)
{
	struct ib_ucontext *ucontext = ib_uverbs_get_ucontext(attrs);
	struct ib_uverbs_query_device_resp response;
	struct ib_uverbs_query_device request;
	int ret;

	if (IS_ERR(ucontext))
		return PTR_ERR(ucontext);
	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	response = basic_response(ucontext->device, &ucontext->device->attrs);
	return uverbs_response(attrs, &response, sizeof(response));
}

/* Unlike the former it asks the driver, which has something of its own to tell its user space. */
static int extended_query_device(struct uverbs_attr_bundle *attrs)
{
	struct ib_ucontext *ucontext = ib_uverbs_get_ucontext(attrs);
	struct ib_uverbs_ex_query_device_resp response = {};
	struct ib_uverbs_ex_query_device request;
	struct ib_device_attr attr = {};
	int ret;

	if (IS_ERR(ucontext))
		return PTR_ERR(ucontext);
	ret = uverbs_request(attrs, &request, sizeof(request));
	if (ret)
		return ret;
	if (request.comp_mask || request.reserved)
		return -EINVAL;
	ret = ucontext->device->ops.query_device(ucontext->device, &attr, &attrs->driver_udata);
	if (ret)
		return ret;

	response.base = basic_response(ucontext->device, &attr);
	extend_response(&response, &attr);
	response.response_length = uverbs_response_length(attrs, sizeof(response));
	return uverbs_response(attrs, &response, sizeof(response));
}

const struct uapi_definition uverbs_def_query_device[] = {
	DECLARE_UVERBS_OBJECT(UVERBS_OBJECT_DEVICE),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_QUERY_DEVICE, query_device,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_query_device,
						     struct ib_uverbs_query_device_resp)),
	DECLARE_UVERBS_WRITE_EX(IB_USER_VERBS_EX_CMD_QUERY_DEVICE, extended_query_device,
				UVERBS_EXTENSIBLE),
	UAPI_DEF_METHOD_NEEDS_FN(query_device),
	{}
};
