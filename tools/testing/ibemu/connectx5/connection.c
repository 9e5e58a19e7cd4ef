// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a queue pair's context says, and what the engine knows: two views of the same connection.
 */
#include "connectx5/device.h"
#include "connectx5/field.h"

#define RGID_AT 16 /* in an address path */

/* Path migration states of a context. */
enum { PM_ARMED = 0, PM_REARM = 1, PM_MIGRATED = 3 };

static enum hca_migration migration_of(const uint8_t *qpc)
{
	switch (GET(qpc, pm_state, qpc)) {
	case PM_ARMED:
		return HCA_ARMED;
	case PM_REARM:
		return HCA_REARM;
	default:
		return HCA_MIGRATED;
	}
}

static uint32_t pm_state_of(enum hca_migration migration)
{
	static const uint8_t states[] = {
		[HCA_MIGRATED] = PM_MIGRATED,
		[HCA_REARM] = PM_REARM,
		[HCA_ARMED] = PM_ARMED,
	};

	return states[migration];
}

static struct hca_av decode_path(const uint8_t *ads)
{
	struct hca_av av = {
		.dlid = (uint16_t)GET(ads, rlid, ads),
		.sl = (uint8_t)GET(ads, sl, ads),
		.path_bits = (uint8_t)GET(ads, mlid, ads),
		.grh = GET(ads, grh, ads),
		.sgid_index = (uint8_t)GET(ads, src_addr_index, ads),
		.traffic_class = (uint8_t)GET(ads, tclass, ads),
		.hop_limit = (uint8_t)GET(ads, hop_limit, ads),
		.flow_label = GET(ads, flow_label, ads),
	};

	memcpy(av.dgid, ads + RGID_AT, sizeof(av.dgid));
	return av;
}

static uint8_t remote_access(const uint8_t *qpc)
{
	return (uint8_t)((GET(qpc, rre, qpc) ? HCA_REMOTE_READ : 0) |
			 (GET(qpc, rwe, qpc) ? HCA_REMOTE_WRITE : 0) |
			 (GET(qpc, rae, qpc) ? HCA_REMOTE_ATOMIC : 0));
}

void cx5_connection_apply(struct cx5_qp *qp)
{
	const uint8_t *qpc = qp->context;
	const uint8_t *primary = qpc + CX5_PRIMARY_PATH, *secondary = qpc + CX5_SECONDARY_PATH;

	qp->hca.pkey_index = (uint16_t)GET(ads, pkey_index, primary);
	qp->hca.qkey = GET(qpc, q_key, qpc);
	qp->hca.conn = (struct hca_connection){
		.dest_qpn = GET(qpc, remote_qpn, qpc),
		.sq_psn = GET(qpc, next_send_psn, qpc),
		.rq_psn = GET(qpc, next_rcv_psn, qpc),
		.path_mtu = (uint8_t)GET(qpc, mtu, qpc),
		.timeout = (uint8_t)GET(ads, ack_timeout, primary),
		.retry_count = (uint8_t)GET(qpc, retry_count, qpc),
		.rnr_retry = (uint8_t)GET(qpc, rnr_retry, qpc),
		.min_rnr_timer = (uint8_t)GET(qpc, min_rnr_nak, qpc),
		.max_rd_atomic = (uint8_t)(1u << GET(qpc, log_sra_max, qpc)),
		.max_dest_rd_atomic = (uint8_t)(1u << GET(qpc, log_rra_max, qpc)),
		.remote_access = remote_access(qpc),
		.path = decode_path(primary),
		.alternate = decode_path(secondary),
		.alternate_pkey_index = (uint16_t)GET(ads, pkey_index, secondary),
		.migration = migration_of(qpc),
	};
}

/* Only the engine's migration from one path to the other changes what the driver has set. */
void cx5_connection_refresh(struct cx5_qp *qp)
{
	uint8_t *qpc = qp->context;

	if (qp->hca.conn.migration == HCA_MIGRATED && migration_of(qpc) != HCA_MIGRATED)
		memcpy(qpc + CX5_PRIMARY_PATH, qpc + CX5_SECONDARY_PATH, CX5_PATH_LEN);
	PUT(qpc, pm_state, qpc, pm_state_of(qp->hca.conn.migration));
}
