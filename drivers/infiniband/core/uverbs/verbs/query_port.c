// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* A port's properties (IBTA 11.2.1.2). */

#include <rdma/opa_addr.h>

#include "verbs.h"

/* Bit 26 of the capability mask isn't IBTA's here: it has always told how RoCE GIDs are made. */
static u32 port_cap_flags(const struct ib_port_attr *attr)
{
	u32 flags = attr->port_cap_flags & ~(u32)IB_UVERBS_PCF_IP_BASED_GIDS;

	return attr->ip_gids ? flags | IB_UVERBS_PCF_IP_BASED_GIDS : flags;
}

static u16 user_lid(struct ib_device *ib_dev, u32 port_num, u32 lid)
{
	if (rdma_cap_opa_ah(ib_dev, port_num))
		return OPA_TO_IB_UCAST_LID(lid);
	return ib_lid_cpu16(lid);
}

static struct ib_uverbs_query_port_resp basic_response(struct ib_device *ib_dev, u32 port_num,
						       const struct ib_port_attr *attr)
{
	return (struct ib_uverbs_query_port_resp) {
		.link_layer = rdma_port_get_link_layer(ib_dev, port_num),
		.flags = rdma_is_grh_required(ib_dev, port_num) ? IB_UVERBS_QPF_GRH_REQUIRED : 0,
		.state = attr->state,
		.phys_state = attr->phys_state,
		.active_width = attr->active_width,
		/* faster ones don't fit in, and are told by active_speed_ex */
		.active_speed = min_t(u16, attr->active_speed, IB_SPEED_NDR),
		.active_mtu = attr->active_mtu,
		.max_mtu = attr->max_mtu,
		.max_msg_sz = attr->max_msg_sz,
		.max_vl_num = attr->max_vl_num,
		.port_cap_flags = port_cap_flags(attr),
		.init_type_reply = attr->init_type_reply,
		.lid = user_lid(ib_dev, port_num, attr->lid),
		.lmc = attr->lmc,
		.sm_lid = user_lid(ib_dev, port_num, attr->sm_lid),
		.sm_sl = attr->sm_sl,
		.subnet_timeout = attr->subnet_timeout,
		.gid_tbl_len = attr->gid_tbl_len,
		.pkey_tbl_len = attr->pkey_tbl_len,
		.bad_pkey_cntr = attr->bad_pkey_cntr,
		.qkey_viol_cntr = attr->qkey_viol_cntr,
	};
}

static int query(struct uverbs_attr_bundle *attrs, u32 port_num,
		 struct ib_uverbs_query_port_resp_ex *response)
{
	struct ib_ucontext *ucontext = ib_uverbs_get_ucontext(attrs);
	struct ib_port_attr attr = {};
	int ret;

	if (IS_ERR(ucontext))
		return PTR_ERR(ucontext);
	if (!ucontext->device->ops.query_port)
		return -EOPNOTSUPP;
	ret = ib_query_port(ucontext->device, port_num, &attr);
	if (ret)
		return ret;
	*response = (struct ib_uverbs_query_port_resp_ex) {
		.legacy_resp = basic_response(ucontext->device, port_num, &attr),
		.port_cap_flags2 = attr.port_cap_flags2,
		.active_speed_ex = attr.active_speed,
	};
	return 0;
}

static int write_query_port(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_query_port_resp_ex response;
	struct ib_uverbs_query_port request;
	int ret;

	ret = uverbs_request(attrs, &request, sizeof(request));
	if (!ret)
		ret = query(attrs, request.port_num, &response);
	return ret ?: uverbs_response(attrs, &response.legacy_resp, sizeof(response.legacy_resp));
}

static int UVERBS_HANDLER(UVERBS_METHOD_QUERY_PORT)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uverbs_query_port_resp_ex response;
	u8 port_num;
	int ret;

	ret = uverbs_get_const(&port_num, attrs, UVERBS_ATTR_QUERY_PORT_PORT_NUM);
	if (!ret)
		ret = query(attrs, port_num, &response);
	return ret ?: uverbs_copy_to_struct_or_zero(attrs, UVERBS_ATTR_QUERY_PORT_RESP, &response,
						    sizeof(response));
}

#define EXTENDED_RESPONSE UVERBS_ATTR_STRUCT(struct ib_uverbs_query_port_resp_ex, active_speed_ex)

DECLARE_UVERBS_NAMED_METHOD(UVERBS_METHOD_QUERY_PORT,
			    UVERBS_ATTR_CONST_IN(UVERBS_ATTR_QUERY_PORT_PORT_NUM, u8, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(UVERBS_ATTR_QUERY_PORT_RESP, EXTENDED_RESPONSE,
						UA_MANDATORY));

DECLARE_UVERBS_GLOBAL_METHODS(UVERBS_OBJECT_DEVICE, &UVERBS_METHOD(UVERBS_METHOD_QUERY_PORT));

const struct uapi_definition uverbs_def_query_port[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(UVERBS_OBJECT_DEVICE),
	DECLARE_UVERBS_WRITE(IB_USER_VERBS_CMD_QUERY_PORT, write_query_port,
			     UVERBS_REQUEST_RESPONSE(struct ib_uverbs_query_port,
						     struct ib_uverbs_query_port_resp)),
	UAPI_DEF_METHOD_NEEDS_FN(query_port),
	{}
};
