// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "connectx5/output.h"

#define FIELD_ROW(layout, field, at, width) { #layout "." #field, at, width },
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LAYOUT(name, fields_of) \
	static const struct cx5_field name##_fields[] = { fields_of(FIELD_ROW) }; \
	static const struct cx5_layout name = { name##_fields, COUNT(name##_fields) }

LAYOUT(eqc, CX5_EQC);
LAYOUT(cqc, CX5_CQC);
LAYOUT(qpc, CX5_QPC);
LAYOUT(dctc, CX5_DCTC);
LAYOUT(ads, CX5_ADS);
LAYOUT(mkc, CX5_MKC);
LAYOUT(wq, CX5_WQ);
LAYOUT(rmpc, CX5_RMPC);
LAYOUT(srqc, CX5_SRQC);
LAYOUT(vport_context, CX5_VPORT_CONTEXT);

static const struct cx5_field hca_cap_fields[] = { CX5_HCA_CAP(FIELD_ROW) };
LAYOUT(atomic_cap, CX5_ATOMIC_CAP);
LAYOUT(event_cap, CX5_EVENT_CAP);
LAYOUT(hca_cap_2, CX5_HCA_CAP_2);
const struct cx5_layout cx5_hca_cap = { hca_cap_fields, COUNT(hca_cap_fields) };
static const struct cx5_field odp_cap_fields[] = { CX5_ODP_CAP(FIELD_ROW) };
const struct cx5_layout cx5_odp_cap = { odp_cap_fields, COUNT(odp_cap_fields) };

/* The fields of single outputs. */
#define OUT_HEADER(F) F(out, status, 0, 8) F(out, syndrome, 32, 32)
#define OUT_NUMBER(F) F(out, number, 72, 24)
#define OUT_UID(F) F(out, uid, 80, 16)
#define OUT_ECE(F) F(out, ece, 96, 32)
#define OUT_EQ_NUMBER(F) F(out, eq_number, 88, 8)
#define OUT_EVENT_BITMASK(F) F(out, event_bitmask, 704, 64)
#define OUT_PAGES(F) \
	F(out, embedded_cpu_function, 64, 1) F(out, function_id, 80, 16) \
	F(out, num_pages, 96, 32)
#define OUT_ENTRIES(F) F(out, output_num_entries, 64, 32)
#define OUT_ISSI(F) F(out, current_issi, 80, 16) F(out, supported_issi_dw0, 864, 32)
#define OUT_ADAPTER(F) \
	F(out, ieee_vendor_id, 328, 24) F(out, vsd_vendor_id, 368, 16) F(out, vsd, 384, 1664) \
	F(out, vsd_contd_psid, 2048, 128)
#define OUT_LAG(F) \
	F(out, fdb_selection_mode, 64, 1) F(out, port_select_mode, 85, 3) \
	F(out, lag_state, 93, 3) F(out, active_port, 108, 4) \
	F(out, tx_remap_affinity_2, 116, 4) F(out, tx_remap_affinity_1, 124, 4)
#define OUT_SPECIAL(F) \
	F(out, dump_fill_mkey, 64, 32) F(out, resd_lkey, 96, 32) F(out, null_mkey, 128, 32) \
	F(out, terminate_scatter_list_mkey, 160, 32) F(out, repeated_mkey, 192, 32)
#define OUT_OPT_PARAM(F) F(out, opt_param_mask, 128, 32) F(out, ece, 160, 32)
#define OUT_TRANSLATIONS(F) F(out, translations, 2176, 256)

LAYOUT(header, OUT_HEADER);
LAYOUT(number, OUT_NUMBER);
LAYOUT(uid, OUT_UID);
LAYOUT(ece, OUT_ECE);
LAYOUT(eq_number, OUT_EQ_NUMBER);
LAYOUT(event_bitmask, OUT_EVENT_BITMASK);
LAYOUT(pages, OUT_PAGES);
LAYOUT(entries, OUT_ENTRIES);
LAYOUT(issi, OUT_ISSI);
LAYOUT(adapter, OUT_ADAPTER);
LAYOUT(lag, OUT_LAG);
LAYOUT(special, OUT_SPECIAL);
LAYOUT(opt_param, OUT_OPT_PARAM);
LAYOUT(translations, OUT_TRANSLATIONS);

#define OUTPUT(name, bytes, ...) \
	const struct cx5_output cx5_out_##name = { bytes, { { &header, 0 }, __VA_ARGS__ } }

OUTPUT(plain, 16, { 0 });
OUTPUT(number, 16, { &number, 0 });
OUTPUT(number_ece, 16, { &number, 0 }, { &ece, 0 });
OUTPUT(ece, 16, { &ece, 0 });
OUTPUT(uid, 16, { &uid, 0 });
OUTPUT(eq_number, 16, { &eq_number, 0 });
OUTPUT(query_hca_cap, 272, { &cx5_hca_cap, 16 });
OUTPUT(query_atomic_cap, 272, { &atomic_cap, 16 });
OUTPUT(query_odp_cap, 272, { &cx5_odp_cap, 16 });
OUTPUT(query_hca_cap_2, 272, { &hca_cap_2, 16 });
OUTPUT(query_event_cap, 272, { &event_cap, 16 });
OUTPUT(query_adapter, 272, { &adapter, 0 });
OUTPUT(query_pages, 16, { &pages, 0 });
OUTPUT(manage_pages, 16, { &entries, 0 });
OUTPUT(query_issi, 112, { &issi, 0 });
OUTPUT(query_mkey, 304, { &mkc, 16 }, { &translations, 0 });
OUTPUT(query_lag, 16, { &lag, 0 });
OUTPUT(special_contexts, 32, { &special, 0 });
OUTPUT(query_eq, 272, { &eqc, 16 }, { &event_bitmask, 0 });
OUTPUT(query_cq, 272, { &cqc, 16 });
OUTPUT(query_qp, 272, { &opt_param, 0 }, { &qpc, 24 }, { &ads, 48 }, { &ads, 92 });
OUTPUT(query_dct, 128, { &dctc, 16 });
OUTPUT(query_srq, 272, { &srqc, 16 });
OUTPUT(query_rmp, 272, { &rmpc, 32 }, { &wq, 80 });
OUTPUT(mad, 16, { 0 });
OUTPUT(vport_context, 528, { &vport_context, 16 });
OUTPUT(register, 16, { 0 });
