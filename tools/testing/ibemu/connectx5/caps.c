// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Capabilities. Only what the emulator does is claimed; what stays 0 keeps whole parts of a driver
 * quiet. With ib_virt 0, GUIDs, LIDs and P_Keys come from one place, the port's own agent, through
 * MAD_IFC.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"
#include "connectx5/limits.h"
#include "connectx5/output.h"

#define TYPE_GENERAL 0
#define CURRENT 1
#define CAPABILITY_AT 16

#define CAP(field, value) PUT(hca_cap, field, c, value)

static void general_caps(uint8_t *c)
{
	CAP(num_ports, 1);
	CAP(log_max_qp, CX5_LOG_MAX_QP);
	CAP(log_max_qp_sz, CX5_LOG_MAX_QP_SZ);
	CAP(log_max_srq, CX5_LOG_MAX_SRQ);
	CAP(log_max_srq_sz, CX5_LOG_MAX_SRQ_SZ);
	CAP(log_max_cq, CX5_LOG_MAX_CQ);
	CAP(log_max_cq_sz, CX5_LOG_MAX_CQ_SZ);
	CAP(log_max_eq, CX5_LOG_MAX_EQ);
	CAP(log_max_eq_sz, CX5_LOG_MAX_EQ_SZ);
	CAP(log_max_mkey, CX5_LOG_MAX_MKEY);
	CAP(log_max_mcg, CX5_LOG_MAX_MCG);
	CAP(log_max_pd, CX5_LOG_MAX_PD);
	CAP(log_max_xrcd, CX5_LOG_MAX_XRCD);
	CAP(log_max_transport_domain, CX5_LOG_MAX_TRANSPORT_DOMAIN);
	CAP(max_qp_mcg, HCA_MCG_QPS);
	CAP(log_max_mrw_sz, 64);
	CAP(log_max_msg, 30);
	CAP(local_ca_ack_delay, 16);
	CAP(max_wqe_sz_sq, CX5_MAX_WQE_SQ);
	CAP(max_wqe_sz_rq, CX5_MAX_WQE_RQ);
	CAP(uar_sz, CX5_LOG_UAR_SPACE_MB);
	CAP(log_pg_sz, 12);
	CAP(log_bf_reg_size, 9);
	CAP(cqe_version, 1);
	CAP(device_frequency_khz, 1000000);
	CAP(ud, 1);
	CAP(xrc, 1); /* domains and shared receive queues; stock drivers don't start without */
	CAP(qkv, 1);
	CAP(pkv, 1);
	CAP(cq_resize, 1);
	CAP(cq_oi, 1);
	CAP(block_lb_mc, 1);
	CAP(set_deth_sqpn, 1);
	CAP(page_request_disable, 1);
	CAP(umr_modify_entity_size_disabled, 1);
}

void cx5_caps_init(struct connectx5 *dev)
{
	memset(dev->max_caps, 0, sizeof(dev->max_caps));
	general_caps(dev->max_caps);
	memcpy(dev->caps, dev->max_caps, sizeof(dev->caps));
}

/* Only the general type: what it claims announces no other. */
enum cx5_status cx5_query_hca_cap(struct connectx5 *dev, struct cx5_command *cmd)
{
	if (cmd->op_mod >> 1 != TYPE_GENERAL)
		return CX5_BAD_PARAM;
	memcpy(cmd->out + CAPABILITY_AT, cmd->op_mod & CURRENT ? dev->caps : dev->max_caps,
	       sizeof(dev->caps));
	return CX5_OK;
}

/* A driver may set any field up to its maximum; it hands back reserved bits as it found them. */
enum cx5_status cx5_set_hca_cap(struct connectx5 *dev, struct cx5_command *cmd)
{
	const uint8_t *wanted = cmd->in + CAPABILITY_AT;

	if (cmd->op_mod >> 1 != TYPE_GENERAL || dev->state != CX5_ENABLED)
		return CX5_BAD_PARAM;
	for (unsigned int i = 0; i < cx5_hca_cap.count; i++)
		if (cx5_field_get(&cx5_hca_cap.fields[i], wanted) >
		    cx5_field_get(&cx5_hca_cap.fields[i], dev->max_caps))
			return CX5_BAD_PARAM;
	for (unsigned int i = 0; i < cx5_hca_cap.count; i++)
		cx5_field_copy(&cx5_hca_cap.fields[i], dev->caps, wanted);
	return CX5_OK;
}
