/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Layouts of the contexts and registers that a driver and the device exchange: data only.
 *
 * F(layout, field, bit offset, width in bits), as the device documents count: bit 0 is the most
 * significant bit of byte 0. What no row names is reserved.
 */
#ifndef IBEMU_CX5_LAYOUT_H
#define IBEMU_CX5_LAYOUT_H

/* Event queue context. 64 bytes. */
#define CX5_EQC(F) \
	F(eqc, status, 0, 4) \
	F(eqc, ec, 13, 1) \
	F(eqc, oi, 14, 1) \
	F(eqc, st, 20, 4) \
	F(eqc, page_offset, 84, 6) \
	F(eqc, log_eq_size, 99, 5) \
	F(eqc, uar_page, 104, 24) \
	F(eqc, intr, 180, 12) \
	F(eqc, log_page_size, 195, 5) \
	F(eqc, consumer_counter, 328, 24) \
	F(eqc, producer_counter, 360, 24)

/* Completion queue context. 64 bytes. */
#define CX5_CQC(F) \
	F(cqc, status, 0, 4) \
	F(cqc, dbr_umem_valid, 6, 1) \
	F(cqc, apu_cq, 7, 1) \
	F(cqc, cqe_sz, 8, 3) \
	F(cqc, cc, 11, 1) \
	F(cqc, scqe_break_moderation_en, 13, 1) \
	F(cqc, oi, 14, 1) \
	F(cqc, cq_period_mode, 15, 2) \
	F(cqc, cqe_comp_en, 17, 1) \
	F(cqc, mini_cqe_res_format, 18, 2) \
	F(cqc, st, 20, 4) \
	F(cqc, cqe_compression_layout, 30, 2) \
	F(cqc, dbr_umem_id, 32, 32) \
	F(cqc, page_offset, 84, 6) \
	F(cqc, log_cq_size, 99, 5) \
	F(cqc, uar_page, 104, 24) \
	F(cqc, cq_period, 132, 12) \
	F(cqc, cq_max_count, 144, 16) \
	F(cqc, c_eqn_or_apu_element, 160, 32) \
	F(cqc, log_page_size, 195, 5) \
	F(cqc, last_notified_index, 264, 24) \
	F(cqc, last_solicit_index, 296, 24) \
	F(cqc, consumer_counter, 328, 24) \
	F(cqc, producer_counter, 360, 24) \
	F(cqc, dbr_addr, 448, 64)

/* Queue pair context; the two address paths in it are CX5_ADS. 232 bytes. */
#define CX5_QPC(F) \
	F(qpc, state, 0, 4) \
	F(qpc, lag_tx_port_affinity, 4, 4) \
	F(qpc, st, 8, 8) \
	F(qpc, isolate_vl_tc, 18, 1) \
	F(qpc, pm_state, 19, 2) \
	F(qpc, req_e2e_credit_mode, 22, 2) \
	F(qpc, offload_type, 24, 4) \
	F(qpc, end_padding_mode, 28, 2) \
	F(qpc, wq_signature, 32, 1) \
	F(qpc, block_lb_mc, 33, 1) \
	F(qpc, atomic_like_write_en, 34, 1) \
	F(qpc, latency_sensitive, 35, 1) \
	F(qpc, drain_sigerr, 37, 1) \
	F(qpc, pd, 40, 24) \
	F(qpc, mtu, 64, 3) \
	F(qpc, log_msg_max, 67, 5) \
	F(qpc, log_rq_size, 73, 4) \
	F(qpc, log_rq_stride, 77, 3) \
	F(qpc, no_sq, 80, 1) \
	F(qpc, log_sq_size, 81, 4) \
	F(qpc, retry_mode, 86, 2) \
	F(qpc, ts_format, 88, 2) \
	F(qpc, rlky, 91, 1) \
	F(qpc, ulp_stateless_offload_mode, 92, 4) \
	F(qpc, counter_set_id, 96, 8) \
	F(qpc, uar_page, 104, 24) \
	F(qpc, send_dbr_mode, 128, 2) \
	F(qpc, user_index, 136, 24) \
	F(qpc, log_page_size, 163, 5) \
	F(qpc, remote_qpn, 168, 24) \
	F(qpc, log_ack_req_freq, 896, 4) \
	F(qpc, log_sra_max, 904, 3) \
	F(qpc, retry_count, 909, 3) \
	F(qpc, rnr_retry, 912, 3) \
	F(qpc, fre, 916, 1) \
	F(qpc, cur_rnr_retry, 917, 3) \
	F(qpc, cur_retry_count, 920, 3) \
	F(qpc, next_send_psn, 968, 24) \
	F(qpc, log_num_dci_stream_channels, 995, 5) \
	F(qpc, cqn_snd, 1000, 24) \
	F(qpc, log_num_dci_errored_streams, 1027, 5) \
	F(qpc, deth_sqpn, 1032, 24) \
	F(qpc, last_acked_psn, 1096, 24) \
	F(qpc, ssn, 1128, 24) \
	F(qpc, log_rra_max, 1160, 3) \
	F(qpc, atomic_mode, 1164, 4) \
	F(qpc, rre, 1168, 1) \
	F(qpc, rwe, 1169, 1) \
	F(qpc, rae, 1170, 1) \
	F(qpc, page_offset, 1172, 6) \
	F(qpc, cd_slave_receive, 1181, 1) \
	F(qpc, cd_slave_send, 1182, 1) \
	F(qpc, cd_master, 1183, 1) \
	F(qpc, min_rnr_nak, 1187, 5) \
	F(qpc, next_rcv_psn, 1192, 24) \
	F(qpc, xrcd, 1224, 24) \
	F(qpc, cqn_rcv, 1256, 24) \
	F(qpc, dbr_addr, 1280, 64) \
	F(qpc, q_key, 1344, 32) \
	F(qpc, rq_type, 1381, 3) \
	F(qpc, srqn_rmpn_xrqn, 1384, 24) \
	F(qpc, rmsn, 1416, 24) \
	F(qpc, hw_sq_wqebb_counter, 1440, 16) \
	F(qpc, sw_sq_wqebb_counter, 1456, 16) \
	F(qpc, hw_rq_counter, 1472, 32) \
	F(qpc, sw_rq_counter, 1504, 32) \
	F(qpc, cgs, 1583, 1) \
	F(qpc, cs_req, 1584, 8) \
	F(qpc, cs_res, 1592, 8) \
	F(qpc, dc_access_key, 1600, 64) \
	F(qpc, dbr_umem_valid, 1667, 1) \
	F(qpc, dbr_umem_id, 1824, 32)

/* Context of a DC target. 64 bytes. */
#define CX5_DCTC(F) \
	F(dctc, state, 4, 4) \
	F(dctc, user_index, 40, 24) \
	F(dctc, cqn, 72, 24) \
	F(dctc, counter_set_id, 96, 8) \
	F(dctc, atomic_mode, 104, 4) \
	F(dctc, rre, 108, 1) \
	F(dctc, rwe, 109, 1) \
	F(dctc, rae, 110, 1) \
	F(dctc, atomic_like_write_en, 111, 1) \
	F(dctc, latency_sensitive, 112, 1) \
	F(dctc, rlky, 113, 1) \
	F(dctc, free_ar, 114, 1) \
	F(dctc, cs_res, 136, 8) \
	F(dctc, min_rnr_nak, 147, 5) \
	F(dctc, srqn_xrqn, 168, 24) \
	F(dctc, pd, 200, 24) \
	F(dctc, tclass, 224, 8) \
	F(dctc, flow_label, 236, 20) \
	F(dctc, dc_access_key, 256, 64) \
	F(dctc, mtu, 325, 3) \
	F(dctc, port, 328, 8) \
	F(dctc, pkey_index, 336, 16) \
	F(dctc, my_addr_index, 360, 8) \
	F(dctc, hop_limit, 376, 8) \
	F(dctc, dc_access_key_violation_count, 384, 32) \
	F(dctc, dei_cfi, 436, 1) \
	F(dctc, eth_prio, 437, 3) \
	F(dctc, ecn, 440, 2) \
	F(dctc, dscp, 442, 6) \
	F(dctc, ece, 480, 32)

/* Address path. 44 bytes. */
#define CX5_ADS(F) \
	F(ads, fl, 0, 1) \
	F(ads, free_ar, 1, 1) \
	F(ads, pkey_index, 16, 16) \
	F(ads, plane_index, 32, 8) \
	F(ads, grh, 40, 1) \
	F(ads, mlid, 41, 7) \
	F(ads, rlid, 48, 16) \
	F(ads, ack_timeout, 64, 5) \
	F(ads, src_addr_index, 72, 8) \
	F(ads, stat_rate, 84, 4) \
	F(ads, hop_limit, 88, 8) \
	F(ads, tclass, 100, 8) \
	F(ads, flow_label, 108, 20) \
	F(ads, rgid_rip, 128, 128) \
	F(ads, f_dscp, 260, 1) \
	F(ads, f_ecn, 261, 1) \
	F(ads, f_eth_prio, 263, 1) \
	F(ads, ecn, 264, 2) \
	F(ads, dscp, 266, 6) \
	F(ads, udp_sport, 272, 16) \
	F(ads, dei_cfi, 288, 1) \
	F(ads, eth_prio, 289, 3) \
	F(ads, sl, 292, 4) \
	F(ads, vhca_port_num, 296, 8) \
	F(ads, rmac_47_32, 304, 16) \
	F(ads, rmac_31_0, 320, 32)

/* Memory key context. 64 bytes. */
#define CX5_MKC(F) \
	F(mkc, free, 1, 1) \
	F(mkc, access_mode_4_2, 3, 3) \
	F(mkc, relaxed_ordering_write, 13, 1) \
	F(mkc, small_fence_on_rdma_read_response, 15, 1) \
	F(mkc, umr_en, 16, 1) \
	F(mkc, a, 17, 1) \
	F(mkc, rw, 18, 1) \
	F(mkc, rr, 19, 1) \
	F(mkc, lw, 20, 1) \
	F(mkc, lr, 21, 1) \
	F(mkc, access_mode_1_0, 22, 2) \
	F(mkc, ma_translation_mode, 26, 2) \
	F(mkc, qpn, 32, 24) \
	F(mkc, mkey_7_0, 56, 8) \
	F(mkc, length64, 96, 1) \
	F(mkc, bsf_en, 97, 1) \
	F(mkc, sync_umr, 98, 1) \
	F(mkc, expected_sigerr_count, 101, 1) \
	F(mkc, en_rinval, 103, 1) \
	F(mkc, pd, 104, 24) \
	F(mkc, start_addr, 128, 64) \
	F(mkc, len, 192, 64) \
	F(mkc, bsf_octword_size, 256, 32) \
	F(mkc, crossing_target_vhca_id, 384, 16) \
	F(mkc, translations_octword_size, 416, 32) \
	F(mkc, relaxed_ordering_read, 473, 1) \
	F(mkc, log_page_size, 474, 6)

/* Work queue, in the contexts of receive memory pools. 192 bytes. */
#define CX5_WQ(F) \
	F(wq, wq_type, 0, 4) \
	F(wq, wq_signature, 4, 1) \
	F(wq, end_padding_mode, 5, 2) \
	F(wq, cd_slave, 7, 1) \
	F(wq, hds_skip_first_sge, 32, 1) \
	F(wq, log2_hds_buf_size, 33, 3) \
	F(wq, page_offset, 43, 5) \
	F(wq, lwm, 48, 16) \
	F(wq, pd, 72, 24) \
	F(wq, uar_page, 104, 24) \
	F(wq, dbr_addr, 128, 64) \
	F(wq, hw_counter, 192, 32) \
	F(wq, sw_counter, 224, 32) \
	F(wq, log_wq_stride, 268, 4) \
	F(wq, log_wq_pg_sz, 275, 5) \
	F(wq, log_wq_sz, 283, 5) \
	F(wq, dbr_umem_valid, 288, 1) \
	F(wq, wq_umem_valid, 289, 1) \
	F(wq, log_hairpin_num_packets, 291, 5) \
	F(wq, log_hairpin_data_sz, 299, 5) \
	F(wq, log_wqe_num_of_strides, 308, 4) \
	F(wq, two_byte_shift_en, 312, 1) \
	F(wq, log_wqe_stride_size, 317, 3) \
	F(wq, dbr_umem_id, 320, 32) \
	F(wq, wq_umem_id, 352, 32) \
	F(wq, wq_umem_offset, 384, 64) \
	F(wq, headers_mkey, 448, 32) \
	F(wq, shampo_enable, 480, 1) \
	F(wq, log_reservation_size, 485, 3) \
	F(wq, log_max_num_of_packets_per_reservation, 493, 3) \
	F(wq, log_headers_entry_size, 502, 2) \
	F(wq, log_headers_buffer_entry_num, 508, 4)

/* Receive memory pool context, in front of its work queue. 240 bytes. */
#define CX5_RMPC(F) \
	F(rmpc, state, 8, 4) \
	F(rmpc, basic_cyclic_rcv_wqe, 32, 1)

/* Shared receive queue context: the common one and the one for XRC. 64 bytes. */
#define CX5_SRQC(F) \
	F(srqc, state, 0, 4) \
	F(srqc, log_srq_size, 4, 4) \
	F(srqc, wq_signature, 32, 1) \
	F(srqc, cont_srq, 33, 1) \
	F(srqc, rlky, 35, 1) \
	F(srqc, basic_cyclic_rcv_wqe, 36, 1) \
	F(srqc, log_rq_stride, 37, 3) \
	F(srqc, xrcd, 40, 24) \
	F(srqc, page_offset, 64, 6) \
	F(srqc, dbr_umem_valid, 71, 1) \
	F(srqc, cqn, 72, 24) \
	F(srqc, dbr_umem_id, 96, 32) \
	F(srqc, user_index_equal_xrc_srqn, 128, 1) \
	F(srqc, log_page_size, 130, 6) \
	F(srqc, user_index, 136, 24) \
	F(srqc, pd, 200, 24) \
	F(srqc, lwm, 224, 16) \
	F(srqc, wqe_cnt, 240, 16) \
	F(srqc, dbr_addr, 320, 64)

/* User memory, in front of its list of pages. 32 bytes. */
#define CX5_UMEM(F) \
	F(umem, ats, 128, 1) \
	F(umem, log_page_size, 155, 5) \
	F(umem, page_offset, 160, 32) \
	F(umem, num_of_mtt, 192, 64)

/* Virtual port context. 512 bytes. */
#define CX5_VPORT_CONTEXT(F) \
	F(vport_context, field_select, 0, 32) \
	F(vport_context, sm_virt_aware, 256, 1) \
	F(vport_context, has_smi, 257, 1) \
	F(vport_context, has_raw, 258, 1) \
	F(vport_context, grh_required, 259, 1) \
	F(vport_context, num_port_plane, 264, 8) \
	F(vport_context, port_physical_state, 272, 4) \
	F(vport_context, vport_state_policy, 276, 4) \
	F(vport_context, port_state, 280, 4) \
	F(vport_context, vport_state, 284, 4) \
	F(vport_context, system_image_guid, 320, 64) \
	F(vport_context, port_guid, 384, 64) \
	F(vport_context, node_guid, 448, 64) \
	F(vport_context, cap_mask1, 512, 32) \
	F(vport_context, cap_mask1_field_select, 544, 32) \
	F(vport_context, cap_mask2, 576, 32) \
	F(vport_context, cap_mask2_field_select, 608, 32) \
	F(vport_context, lid, 768, 16) \
	F(vport_context, init_type_reply, 788, 4) \
	F(vport_context, lmc, 792, 3) \
	F(vport_context, subnet_timeout, 795, 5) \
	F(vport_context, sm_lid, 800, 16) \
	F(vport_context, sm_sl, 816, 4) \
	F(vport_context, qkey_violation_counter, 832, 16) \
	F(vport_context, pkey_violation_counter, 848, 16)

/* Initialization segment: the words that the device or the driver changes. */
#define CX5_ISEG_FW_REV 0x0
#define CX5_ISEG_CMDIF_REV 0x4
#define CX5_ISEG_CMDQ_ADDR_HIGH 0x10
#define CX5_ISEG_CMDQ_ADDR_LOW 0x14
#define CX5_ISEG_CMD_DOORBELL 0x18
#define CX5_ISEG_HEALTH_FW_VER 0x230
#define CX5_ISEG_HEALTH_SEVERITY 0x238
#define CX5_ISEG_HEALTH_SYNDROME 0x23c
#define CX5_ISEG_TIMER_HIGH 0x1000
#define CX5_ISEG_TIMER_LOW 0x1004
#define CX5_ISEG_HEALTH_COUNTER 0x1010

#endif
