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
#define TYPE_ODP 2
#define TYPE_ATOMIC 3
#define TYPE_EVENT 0x14
#define TYPE_GENERAL_2 0x20
#define TYPE_LAST 0x25 /* that drivers know of */
#define CURRENT 1
#define CAPABILITY_AT 16

#define ATOMIC_COMPARE_SWAP 1
#define ATOMIC_FETCH_ADD 2
#define ATOMIC_LEN 8
#define HOST_ENDIAN 1 /* mode */

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
	CAP(bf, 1);
	CAP(log_bf_reg_size, 9);
	CAP(cqe_version, 1);
	CAP(device_frequency_khz, 1000000);
	CAP(rc, 1);
	CAP(uc, 1);
	CAP(ud, 1);
	CAP(xrc, 1);
	CAP(apm, 1);
	CAP(dct, 1);
	CAP(max_wqe_sz_sq_dc, CX5_MAX_WQE_SQ);
	CAP(log_max_ra_req_dc, CX5_LOG_MAX_RD_ATOMIC);
	CAP(log_max_ra_res_dc, CX5_LOG_MAX_RD_ATOMIC);
	CAP(atomic, 1);
	CAP(imaicl, 1); /* memory windows */
	CAP(max_indirection, 4);
	CAP(log_max_klm_list_size, CX5_LOG_MAX_KLM_LIST_SIZE);
	CAP(log_max_ra_req_qp, CX5_LOG_MAX_RD_ATOMIC);
	CAP(log_max_ra_res_qp, CX5_LOG_MAX_RD_ATOMIC);
	CAP(qkv, 1);
	CAP(pkv, 1);
	CAP(cq_resize, 1);
	CAP(cq_oi, 1);
	CAP(cq_moderation, 1);
	CAP(block_lb_mc, 1);
	CAP(set_deth_sqpn, 1);
	CAP(page_request_disable, 1);
	CAP(umr_extended_translation_offset, 1);
	CAP(pg, 1);
	CAP(log_max_uctx, CX5_LOG_MAX_UCTX);
	CAP(log_max_umem, CX5_LOG_MAX_UMEM);
	CAP(umem_uid_0, 1);
	CAP(event_cap, 1);
	CAP(hca_cap_2, 1);
	CAP(null_mkey, 1);
	CAP(fixed_buffer_size, 1);
}

/*
 * What is told to try again, or can stand still: all of reliable connections, and sends elsewhere.
 */
static void odp_caps(uint8_t *c)
{
	PUT(odp_cap, rc_send, c, 1);
	PUT(odp_cap, rc_receive, c, 1);
	PUT(odp_cap, rc_write, c, 1);
	PUT(odp_cap, rc_read, c, 1);
	PUT(odp_cap, rc_atomic, c, 1);
	PUT(odp_cap, rc_srq_receive, c, 1);
	PUT(odp_cap, ud_send, c, 1);
	PUT(odp_cap, xrc_send, c, 1);
	PUT(odp_cap, xrc_write, c, 1);
	PUT(odp_cap, xrc_read, c, 1);
	PUT(odp_cap, xrc_atomic, c, 1);
	PUT(odp_cap, xrc_srq_receive, c, 1);
}

void cx5_caps_init(struct connectx5 *dev)
{
	memset(dev->max_caps, 0, sizeof(dev->max_caps));
	general_caps(dev->max_caps);
	memcpy(dev->caps, dev->max_caps, sizeof(dev->caps));
	memset(dev->odp_caps, 0, sizeof(dev->odp_caps));
	odp_caps(dev->odp_caps);
	dev->host_endian_atomics = false;
}

static void atomic_caps(uint8_t *c, bool host_endian)
{
	PUT(atomic_cap, atomic_req_8B_endianness_mode, c, host_endian ? HOST_ENDIAN : 0);
	PUT(atomic_cap, supported_atomic_req_8B_endianness_mode_1, c, 1);
	PUT(atomic_cap, atomic_operations, c, ATOMIC_COMPARE_SWAP | ATOMIC_FETCH_ADD);
	PUT(atomic_cap, atomic_size_qp, c, ATOMIC_LEN);
	PUT(atomic_cap, atomic_size_dc, c, ATOMIC_LEN);
}

#define EVENT(type) (1ull << CX5_EV_##type)

static void event_caps(uint8_t *c)
{
	PUT64(event_cap, affiliated, c,
	      EVENT(PATH_MIGRATED) | EVENT(COMM_EST) | EVENT(SQ_DRAINED) | EVENT(CQ_ERROR) |
		      EVENT(WQ_CATASTROPHIC) | EVENT(PATH_MIGRATION_FAILED) |
		      EVENT(WQ_INVALID_REQUEST) | EVENT(WQ_ACCESS) | EVENT(SRQ_CATASTROPHIC) |
		      EVENT(SRQ_LAST_WQE) | EVENT(SRQ_LIMIT) | EVENT(DCT_DRAINED));
	PUT64(event_cap, unaffiliated, c, EVENT(PORT_CHANGE));
}

static void general_2_caps(uint8_t *c)
{
	PUT(hca_cap_2, send_dbr_mode_no_dbr_ext, c, 1);
	PUT(hca_cap_2, log_max_send_dbr_less_qp_sq, c, CX5_LOG_MAX_QP);
}

/* Of types that the general one doesn't announce, there is nothing. */
enum cx5_status cx5_query_hca_cap(struct connectx5 *dev, struct cx5_command *cmd)
{
	bool current = cmd->op_mod & CURRENT;
	uint8_t *c = cmd->out + CAPABILITY_AT;

	switch (cmd->op_mod >> 1) {
	case TYPE_GENERAL:
		memcpy(c, current ? dev->caps : dev->max_caps, sizeof(dev->caps));
		return CX5_OK;
	case TYPE_ODP:
		cmd->output = &cx5_out_query_odp_cap;
		if (current)
			memcpy(c, dev->odp_caps, sizeof(dev->odp_caps));
		else
			odp_caps(c);
		return CX5_OK;
	case TYPE_ATOMIC:
		cmd->output = &cx5_out_query_atomic_cap;
		atomic_caps(c, !current || dev->host_endian_atomics);
		return CX5_OK;
	case TYPE_EVENT:
		cmd->output = &cx5_out_query_event_cap;
		event_caps(c);
		return CX5_OK;
	case TYPE_GENERAL_2:
		cmd->output = &cx5_out_query_hca_cap_2;
		general_2_caps(c);
		return CX5_OK;
	default:
		return cmd->op_mod >> 1 <= TYPE_LAST ? CX5_OK : CX5_BAD_PARAM;
	}
}

/* Of atomics, only the byte order of their operands in memory can be chosen. */
static enum cx5_status set_atomic_caps(struct connectx5 *dev, const uint8_t *wanted)
{
	uint32_t mode = GET(atomic_cap, atomic_req_8B_endianness_mode, wanted);

	if (mode > HOST_ENDIAN)
		return CX5_BAD_PARAM;
	dev->host_endian_atomics = mode == HOST_ENDIAN;
	return CX5_OK;
}

/* A driver may set any field up to its maximum; it hands back reserved bits as it found them. */
static enum cx5_status set_fields(const struct cx5_layout *layout, const uint8_t *wanted,
				  const uint8_t *max, uint8_t *current)
{
	for (unsigned int i = 0; i < layout->count; i++)
		if (cx5_field_get(&layout->fields[i], wanted) >
		    cx5_field_get(&layout->fields[i], max))
			return CX5_BAD_PARAM;
	for (unsigned int i = 0; i < layout->count; i++)
		cx5_field_copy(&layout->fields[i], current, wanted);
	return CX5_OK;
}

static enum cx5_status set_odp_caps(struct connectx5 *dev, const uint8_t *wanted)
{
	uint8_t max[sizeof(dev->odp_caps)] = { 0 };

	odp_caps(max);
	return set_fields(&cx5_odp_cap, wanted, max, dev->odp_caps);
}

enum cx5_status cx5_set_hca_cap(struct connectx5 *dev, struct cx5_command *cmd)
{
	const uint8_t *wanted = cmd->in + CAPABILITY_AT;

	if (dev->state != CX5_ENABLED)
		return CX5_BAD_PARAM;
	switch (cmd->op_mod >> 1) {
	case TYPE_GENERAL:
		return set_fields(&cx5_hca_cap, wanted, dev->max_caps, dev->caps);
	case TYPE_ODP:
		return set_odp_caps(dev, wanted);
	case TYPE_ATOMIC:
		return set_atomic_caps(dev, wanted);
	default:
		return CX5_BAD_PARAM;
	}
}
