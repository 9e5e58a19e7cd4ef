/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the outputs of commands consist of: fields of their own, and contexts at some byte. The rest
 * is reserved.
 */
#ifndef IBEMU_CX5_OUTPUT_H
#define IBEMU_CX5_OUTPUT_H

#include <stdint.h>

#include "connectx5/field.h"

#define CX5_OUTPUT_PARTS 6
#define CX5_OUTPUT_MAX 528 /* bytes */

struct cx5_output {
	uint32_t len; /* bytes of the fixed part; what follows is a list without reserved bits */
	struct {
		const struct cx5_layout *layout;
		uint32_t at; /* byte */
	} parts[CX5_OUTPUT_PARTS];
};

extern const struct cx5_layout cx5_hca_cap, cx5_odp_cap;

extern const struct cx5_output cx5_out_plain, cx5_out_number, cx5_out_number_ece, cx5_out_ece,
	cx5_out_uid, cx5_out_eq_number, cx5_out_query_hca_cap,
	cx5_out_query_hca_cap_2, cx5_out_query_atomic_cap, cx5_out_query_odp_cap,
	cx5_out_query_event_cap,
	cx5_out_query_adapter, cx5_out_query_pages,
	cx5_out_manage_pages, cx5_out_query_issi, cx5_out_query_mkey, cx5_out_query_lag,
	cx5_out_special_contexts,
	cx5_out_query_eq, cx5_out_query_cq, cx5_out_query_qp, cx5_out_query_dct,
	cx5_out_query_srq,
	cx5_out_query_rmp, cx5_out_mad, cx5_out_vport_context, cx5_out_register;

#endif
