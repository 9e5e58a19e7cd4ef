/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The capabilities (QUERY_HCA_CAP) that a driver may look at: of the general ones (type 0) every
 * field, and those of on-demand paging (type 2), atomics (type 3), events (type 0x14) and the
 * second page of general ones (type 0x20).
 *
 * F(layout, field, bit offset, width in bits), as the device documents count: bit 0 is the most
 * significant bit of byte 0. What no row names is reserved.
 */
#ifndef IBEMU_CX5_CAP_LAYOUT_H
#define IBEMU_CX5_CAP_LAYOUT_H

/* Atomic capabilities. 256 bytes. */
#define CX5_ATOMIC_CAP(F) \
	F(atomic_cap, atomic_req_8B_endianness_mode, 64, 2) \
	F(atomic_cap, supported_atomic_req_8B_endianness_mode_1, 70, 1) \
	F(atomic_cap, atomic_operations, 144, 16) \
	F(atomic_cap, atomic_size_qp, 176, 16) \
	F(atomic_cap, atomic_size_dc, 208, 16)

/*
 * On-demand paging: for each transport, what may meet pages that aren't there. 256 bytes; of the
 * three schemes that have a place there, this is the first one, by transport.
 */
#define CX5_ODP_SERVICE(F, transport, at) \
	F(odp_cap, transport##_send, (at), 1) F(odp_cap, transport##_receive, (at) + 1, 1) \
	F(odp_cap, transport##_write, (at) + 2, 1) F(odp_cap, transport##_read, (at) + 3, 1) \
	F(odp_cap, transport##_atomic, (at) + 4, 1) \
	F(odp_cap, transport##_srq_receive, (at) + 5, 1)
#define CX5_ODP_CAP(F) \
	CX5_ODP_SERVICE(F, rc, 128) CX5_ODP_SERVICE(F, uc, 160) CX5_ODP_SERVICE(F, ud, 192) \
	CX5_ODP_SERVICE(F, xrc, 224) CX5_ODP_SERVICE(F, dc, 256) \
	F(odp_cap, mem_page_fault, 1536, 1)

/* Events that user contexts may ask for: of their own objects, and of the port. 64 bytes. */
#define CX5_EVENT_CAP(F) \
	F(event_cap, affiliated, 0, 64) F(event_cap, affiliated_64, 64, 64) \
	F(event_cap, affiliated_128, 128, 64) F(event_cap, affiliated_192, 192, 64) \
	F(event_cap, unaffiliated, 256, 64) F(event_cap, unaffiliated_64, 320, 64) \
	F(event_cap, unaffiliated_128, 384, 64) F(event_cap, unaffiliated_192, 448, 64)

/*
 * The second page of general capabilities (type 0x20), every field that a driver may look at. 256
 * bytes.
 */
#define CX5_HCA_CAP_2(F) \
	F(hca_cap_2, migratable, 128, 1) \
	F(hca_cap_2, query_vuid, 146, 1) \
	F(hca_cap_2, umr_log_entity_size_5, 152, 1) \
	F(hca_cap_2, max_reformat_insert_size, 160, 8) \
	F(hca_cap_2, max_reformat_insert_offset, 168, 8) \
	F(hca_cap_2, max_reformat_remove_size, 176, 8) \
	F(hca_cap_2, max_reformat_remove_offset, 184, 8) \
	F(hca_cap_2, migration_multi_load, 200, 1) \
	F(hca_cap_2, migration_tracking_state, 201, 1) \
	F(hca_cap_2, multiplane_qp_ud, 202, 1) \
	F(hca_cap_2, migration_in_chunks, 208, 1) \
	F(hca_cap_2, sf_eq_usage, 210, 1) \
	F(hca_cap_2, multiplane, 216, 1) \
	F(hca_cap_2, cross_vhca_object_to_object_supported, 224, 32) \
	F(hca_cap_2, allowed_object_for_other_vhca_access, 256, 64) \
	F(hca_cap_2, flow_table_type_2_type, 416, 8) \
	F(hca_cap_2, format_select_dw_8_6_ext, 426, 1) \
	F(hca_cap_2, log_min_mkey_entity_size, 427, 5) \
	F(hca_cap_2, sw_vhca_id_valid, 545, 1) \
	F(hca_cap_2, sw_vhca_id, 546, 14) \
	F(hca_cap_2, ts_cqe_metadata_size2wqe_counter, 587, 5) \
	F(hca_cap_2, format_select_dw_gtpu_dw_0, 640, 8) \
	F(hca_cap_2, format_select_dw_gtpu_dw_1, 648, 8) \
	F(hca_cap_2, format_select_dw_gtpu_dw_2, 656, 8) \
	F(hca_cap_2, format_select_dw_gtpu_first_ext_dw_0, 664, 8) \
	F(hca_cap_2, generate_wqe_type, 672, 32) \
	F(hca_cap_2, send_dbr_mode_no_dbr_ext, 737, 1) \
	F(hca_cap_2, log_max_send_dbr_less_qp_sq, 739, 5) \
	F(hca_cap_2, min_mkey_log_entity_size_fixed_buffer, 907, 5) \
	F(hca_cap_2, ec_vf_vport_base, 912, 16) \
	F(hca_cap_2, max_mkey_log_entity_size_mtt, 938, 6) \
	F(hca_cap_2, max_rqt_vhca_id, 944, 16) \
	F(hca_cap_2, pcc_ifa2, 1008, 1) \
	F(hca_cap_2, min_mkey_log_entity_size_fixed_buffer_valid, 1025, 1) \
	F(hca_cap_2, return_reg_id, 1040, 16) \
	F(hca_cap_2, flow_table_hash_type, 1084, 4) \
	F(hca_cap_2, max_num_eqs_24b, 1096, 24)

/* General capabilities. 256 bytes. */
#define CX5_HCA_CAP(F) \
	F(hca_cap, page_request_disable, 6, 1) \
	F(hca_cap, shared_object_to_user_object_allowed, 16, 1) \
	F(hca_cap, vhca_resource_manager, 31, 1) \
	F(hca_cap, hca_cap_2, 32, 1) \
	F(hca_cap, create_lag_when_not_master_up, 33, 1) \
	F(hca_cap, dtor, 34, 1) \
	F(hca_cap, event_on_vhca_state_teardown_request, 35, 1) \
	F(hca_cap, event_on_vhca_state_in_use, 36, 1) \
	F(hca_cap, event_on_vhca_state_active, 37, 1) \
	F(hca_cap, event_on_vhca_state_allocated, 38, 1) \
	F(hca_cap, event_on_vhca_state_invalid, 39, 1) \
	F(hca_cap, vhca_id, 48, 16) \
	F(hca_cap, log_max_srq_sz, 128, 8) \
	F(hca_cap, log_max_qp_sz, 136, 8) \
	F(hca_cap, event_cap, 144, 1) \
	F(hca_cap, isolate_vl_tc_new, 147, 1) \
	F(hca_cap, prio_tag_required, 152, 1) \
	F(hca_cap, log_max_qp, 155, 5) \
	F(hca_cap, ece_support, 163, 1) \
	F(hca_cap, reg_c_preserve, 169, 1) \
	F(hca_cap, log_max_srq, 171, 5) \
	F(hca_cap, uplink_follow, 177, 1) \
	F(hca_cap, ts_cqe_to_dest_cqn, 178, 1) \
	F(hca_cap, go_back_n, 185, 1) \
	F(hca_cap, max_sgl_for_optimized_performance, 192, 8) \
	F(hca_cap, log_max_cq_sz, 200, 8) \
	F(hca_cap, relaxed_ordering_write_umr, 208, 1) \
	F(hca_cap, relaxed_ordering_read_umr, 209, 1) \
	F(hca_cap, virtio_net_device_emulation_manager, 217, 1) \
	F(hca_cap, virtio_blk_device_emulation_manager, 218, 1) \
	F(hca_cap, log_max_cq, 219, 5) \
	F(hca_cap, log_max_eq_sz, 224, 8) \
	F(hca_cap, relaxed_ordering_write, 232, 1) \
	F(hca_cap, relaxed_ordering_read_pci_enabled, 233, 1) \
	F(hca_cap, log_max_mkey, 234, 6) \
	F(hca_cap, terminate_scatter_list_mkey, 246, 1) \
	F(hca_cap, repeated_mkey, 247, 1) \
	F(hca_cap, dump_fill_mkey, 248, 1) \
	F(hca_cap, fast_teardown, 251, 1) \
	F(hca_cap, log_max_eq, 252, 4) \
	F(hca_cap, max_indirection, 256, 8) \
	F(hca_cap, fixed_buffer_size, 264, 1) \
	F(hca_cap, log_max_mrw_sz, 265, 7) \
	F(hca_cap, force_teardown, 272, 1) \
	F(hca_cap, log_max_bsf_list_size, 274, 6) \
	F(hca_cap, umr_extended_translation_offset, 280, 1) \
	F(hca_cap, null_mkey, 281, 1) \
	F(hca_cap, log_max_klm_list_size, 282, 6) \
	F(hca_cap, qpc_extension, 290, 1) \
	F(hca_cap, log_max_ra_req_dc, 298, 6) \
	F(hca_cap, eth_wqe_too_small, 306, 1) \
	F(hca_cap, vnic_env_cq_overrun, 313, 1) \
	F(hca_cap, log_max_ra_res_dc, 314, 6) \
	F(hca_cap, release_all_pages, 325, 1) \
	F(hca_cap, must_not_use, 326, 1) \
	F(hca_cap, roce_accl, 329, 1) \
	F(hca_cap, log_max_ra_req_qp, 330, 6) \
	F(hca_cap, log_max_ra_res_qp, 346, 6) \
	F(hca_cap, end_pad, 352, 1) \
	F(hca_cap, cc_query_allowed, 353, 1) \
	F(hca_cap, cc_modify_allowed, 354, 1) \
	F(hca_cap, start_pad, 355, 1) \
	F(hca_cap, cache_line_128byte, 356, 1) \
	F(hca_cap, rts2rts_qp_counters_set_id, 361, 1) \
	F(hca_cap, vnic_env_int_rq_oob, 364, 1) \
	F(hca_cap, sbcam_reg, 365, 1) \
	F(hca_cap, qcam_reg, 367, 1) \
	F(hca_cap, gid_table_size, 368, 16) \
	F(hca_cap, out_of_seq_cnt, 384, 1) \
	F(hca_cap, vport_counters, 385, 1) \
	F(hca_cap, retransmission_q_counters, 386, 1) \
	F(hca_cap, debug, 387, 1) \
	F(hca_cap, modify_rq_counter_set_id, 388, 1) \
	F(hca_cap, rq_delay_drop, 389, 1) \
	F(hca_cap, max_qp_cnt, 390, 10) \
	F(hca_cap, pkey_table_size, 400, 16) \
	F(hca_cap, vport_group_manager, 416, 1) \
	F(hca_cap, vhca_group_manager, 417, 1) \
	F(hca_cap, ib_virt, 418, 1) \
	F(hca_cap, eth_virt, 419, 1) \
	F(hca_cap, vnic_env_queue_counters, 420, 1) \
	F(hca_cap, ets, 421, 1) \
	F(hca_cap, nic_flow_table, 422, 1) \
	F(hca_cap, eswitch_manager, 423, 1) \
	F(hca_cap, device_memory, 424, 1) \
	F(hca_cap, mcam_reg, 425, 1) \
	F(hca_cap, pcam_reg, 426, 1) \
	F(hca_cap, local_ca_ack_delay, 427, 5) \
	F(hca_cap, port_module_event, 432, 1) \
	F(hca_cap, enhanced_error_q_counters, 433, 1) \
	F(hca_cap, ports_check, 434, 1) \
	F(hca_cap, disable_link_up, 436, 1) \
	F(hca_cap, beacon_led, 437, 1) \
	F(hca_cap, port_type, 438, 2) \
	F(hca_cap, num_ports, 440, 8) \
	F(hca_cap, pps, 449, 1) \
	F(hca_cap, pps_modify, 450, 1) \
	F(hca_cap, log_max_msg, 451, 5) \
	F(hca_cap, max_tc, 460, 4) \
	F(hca_cap, temp_warn_event, 464, 1) \
	F(hca_cap, dcbx, 465, 1) \
	F(hca_cap, general_notification_event, 466, 1) \
	F(hca_cap, fpga, 469, 1) \
	F(hca_cap, rol_s, 470, 1) \
	F(hca_cap, rol_g, 471, 1) \
	F(hca_cap, wol_s, 473, 1) \
	F(hca_cap, wol_g, 474, 1) \
	F(hca_cap, wol_a, 475, 1) \
	F(hca_cap, wol_b, 476, 1) \
	F(hca_cap, wol_m, 477, 1) \
	F(hca_cap, wol_u, 478, 1) \
	F(hca_cap, wol_p, 479, 1) \
	F(hca_cap, stat_rate_support, 480, 16) \
	F(hca_cap, pci_sync_for_fw_update_event, 497, 1) \
	F(hca_cap, init2_lag_tx_port_affinity, 504, 1) \
	F(hca_cap, wqe_based_flow_table_update_cap, 507, 1) \
	F(hca_cap, cqe_version, 508, 4) \
	F(hca_cap, compact_address_vector, 512, 1) \
	F(hca_cap, striding_rq, 513, 1) \
	F(hca_cap, ipoib_enhanced_offloads, 515, 1) \
	F(hca_cap, ipoib_basic_offloads, 516, 1) \
	F(hca_cap, repeated_block_disabled, 518, 1) \
	F(hca_cap, umr_modify_entity_size_disabled, 519, 1) \
	F(hca_cap, umr_modify_atomic_disabled, 520, 1) \
	F(hca_cap, umr_indirect_mkey_disabled, 521, 1) \
	F(hca_cap, umr_fence, 522, 2) \
	F(hca_cap, dc_req_scat_data_cqe, 524, 1) \
	F(hca_cap, drain_sigerr, 527, 1) \
	F(hca_cap, cmdif_checksum, 528, 2) \
	F(hca_cap, sigerr_cqe, 530, 1) \
	F(hca_cap, wq_signature, 532, 1) \
	F(hca_cap, sctr_data_cqe, 533, 1) \
	F(hca_cap, sho, 535, 1) \
	F(hca_cap, tph, 536, 1) \
	F(hca_cap, rf, 537, 1) \
	F(hca_cap, dct, 538, 1) \
	F(hca_cap, qos, 539, 1) \
	F(hca_cap, eth_net_offloads, 540, 1) \
	F(hca_cap, roce, 541, 1) \
	F(hca_cap, atomic, 542, 1) \
	F(hca_cap, cq_oi, 544, 1) \
	F(hca_cap, cq_resize, 545, 1) \
	F(hca_cap, cq_moderation, 546, 1) \
	F(hca_cap, cq_period_mode_modify, 547, 1) \
	F(hca_cap, cq_eq_remap, 550, 1) \
	F(hca_cap, pg, 551, 1) \
	F(hca_cap, block_lb_mc, 552, 1) \
	F(hca_cap, scqe_break_moderation, 554, 1) \
	F(hca_cap, cq_period_start_from_cqe, 555, 1) \
	F(hca_cap, cd, 556, 1) \
	F(hca_cap, apm, 558, 1) \
	F(hca_cap, vector_calc, 559, 1) \
	F(hca_cap, umr_ptr_rlky, 560, 1) \
	F(hca_cap, imaicl, 561, 1) \
	F(hca_cap, qp_packet_based, 562, 1) \
	F(hca_cap, qkv, 566, 1) \
	F(hca_cap, pkv, 567, 1) \
	F(hca_cap, set_deth_sqpn, 568, 1) \
	F(hca_cap, xrc, 572, 1) \
	F(hca_cap, ud, 573, 1) \
	F(hca_cap, uc, 574, 1) \
	F(hca_cap, rc, 575, 1) \
	F(hca_cap, uar_4k, 576, 1) \
	F(hca_cap, fl_rc_qp_when_roce_disabled, 584, 1) \
	F(hca_cap, regexp_params, 585, 1) \
	F(hca_cap, uar_sz, 586, 6) \
	F(hca_cap, port_selection_cap, 592, 1) \
	F(hca_cap, umem_uid_0, 594, 1) \
	F(hca_cap, log_pg_sz, 600, 8) \
	F(hca_cap, bf, 608, 1) \
	F(hca_cap, driver_version, 609, 1) \
	F(hca_cap, pad_tx_eth_packet, 610, 1) \
	F(hca_cap, mkey_by_name, 614, 1) \
	F(hca_cap, log_bf_reg_size, 619, 5) \
	F(hca_cap, qp_error_syndrome, 627, 1) \
	F(hca_cap, lag_dct, 630, 2) \
	F(hca_cap, lag_tx_port_affinity, 632, 1) \
	F(hca_cap, lag_native_fdb_selection, 633, 1) \
	F(hca_cap, lag_master, 635, 1) \
	F(hca_cap, num_lag_ports, 636, 4) \
	F(hca_cap, max_wqe_sz_sq, 656, 16) \
	F(hca_cap, shampo, 683, 1) \
	F(hca_cap, max_wqe_sz_rq, 688, 16) \
	F(hca_cap, max_flow_counter_31_16, 704, 16) \
	F(hca_cap, max_wqe_sz_sq_dc, 720, 16) \
	F(hca_cap, max_qp_mcg, 743, 25) \
	F(hca_cap, flow_counter_bulk_alloc, 784, 8) \
	F(hca_cap, log_max_mcg, 792, 8) \
	F(hca_cap, log_max_transport_domain, 803, 5) \
	F(hca_cap, relaxed_ordering_read, 810, 1) \
	F(hca_cap, log_max_pd, 811, 5) \
	F(hca_cap, pcie_reset_using_hotreset_method, 821, 1) \
	F(hca_cap, pci_sync_for_fw_update_with_driver_unload, 822, 1) \
	F(hca_cap, vnic_env_cnt_steering_fail, 823, 1) \
	F(hca_cap, vport_counter_local_loopback, 824, 1) \
	F(hca_cap, q_counter_aggregation, 825, 1) \
	F(hca_cap, q_counter_other_vport, 826, 1) \
	F(hca_cap, log_max_xrcd, 827, 5) \
	F(hca_cap, nic_receive_steering_discard, 832, 1) \
	F(hca_cap, receive_discard_vport_down, 833, 1) \
	F(hca_cap, transmit_discard_vport_down, 834, 1) \
	F(hca_cap, eq_overrun_count, 835, 1) \
	F(hca_cap, invalid_command_count, 837, 1) \
	F(hca_cap, quota_exceeded_count, 838, 1) \
	F(hca_cap, log_max_flow_counter_bulk, 840, 8) \
	F(hca_cap, max_flow_counter_15_0, 848, 16) \
	F(hca_cap, log_max_rq, 867, 5) \
	F(hca_cap, log_max_sq, 875, 5) \
	F(hca_cap, log_max_tir, 883, 5) \
	F(hca_cap, log_max_tis, 891, 5) \
	F(hca_cap, basic_cyclic_rcv_wqe, 896, 1) \
	F(hca_cap, log_max_rmp, 899, 5) \
	F(hca_cap, log_max_rqt, 907, 5) \
	F(hca_cap, log_max_rqt_size, 915, 5) \
	F(hca_cap, log_max_tis_per_sq, 923, 5) \
	F(hca_cap, ext_stride_num_range, 928, 1) \
	F(hca_cap, roce_rw_supported, 929, 1) \
	F(hca_cap, log_max_current_uc_list_wr_supported, 930, 1) \
	F(hca_cap, log_max_stride_sz_rq, 931, 5) \
	F(hca_cap, log_min_stride_sz_rq, 939, 5) \
	F(hca_cap, log_max_stride_sz_sq, 947, 5) \
	F(hca_cap, log_min_stride_sz_sq, 955, 5) \
	F(hca_cap, hairpin, 960, 1) \
	F(hca_cap, log_max_hairpin_queues, 963, 5) \
	F(hca_cap, log_max_hairpin_wq_data_sz, 971, 5) \
	F(hca_cap, log_max_hairpin_num_packets, 979, 5) \
	F(hca_cap, log_max_wq_sz, 987, 5) \
	F(hca_cap, nic_vport_change_event, 992, 1) \
	F(hca_cap, disable_local_lb_uc, 993, 1) \
	F(hca_cap, disable_local_lb_mc, 994, 1) \
	F(hca_cap, log_min_hairpin_wq_data_sz, 995, 5) \
	F(hca_cap, silent_mode, 1001, 1) \
	F(hca_cap, vhca_state, 1002, 1) \
	F(hca_cap, log_max_vlan_list, 1003, 5) \
	F(hca_cap, log_max_current_mc_list, 1011, 5) \
	F(hca_cap, log_max_current_uc_list, 1019, 5) \
	F(hca_cap, general_obj_types, 1024, 64) \
	F(hca_cap, sq_ts_format, 1088, 2) \
	F(hca_cap, rq_ts_format, 1090, 2) \
	F(hca_cap, steering_format_version, 1092, 4) \
	F(hca_cap, create_qp_start_hint, 1096, 24) \
	F(hca_cap, ats, 1121, 1) \
	F(hca_cap, cross_vhca_rqt, 1122, 1) \
	F(hca_cap, log_max_uctx, 1123, 5) \
	F(hca_cap, crypto, 1129, 1) \
	F(hca_cap, ipsec_offload, 1130, 1) \
	F(hca_cap, log_max_umem, 1131, 5) \
	F(hca_cap, max_num_eqs, 1136, 16) \
	F(hca_cap, tls_tx, 1153, 1) \
	F(hca_cap, tls_rx, 1154, 1) \
	F(hca_cap, log_max_l2_table, 1155, 5) \
	F(hca_cap, log_uar_page_sz, 1168, 16) \
	F(hca_cap, device_frequency_mhz, 1216, 32) \
	F(hca_cap, device_frequency_khz, 1248, 32) \
	F(hca_cap, num_of_uars_per_page, 1312, 32) \
	F(hca_cap, flex_parser_protocols, 1344, 32) \
	F(hca_cap, max_geneve_tlv_options, 1376, 8) \
	F(hca_cap, max_geneve_tlv_option_data_len, 1387, 5) \
	F(hca_cap, adv_virtualization, 1401, 1) \
	F(hca_cap, log_max_dci_stream_channels, 1419, 5) \
	F(hca_cap, log_max_dci_errored_streams, 1427, 5) \
	F(hca_cap, enhanced_cqe_compression, 1456, 1) \
	F(hca_cap, crossing_vhca_mkey, 1458, 1) \
	F(hca_cap, log_max_dek, 1459, 5) \
	F(hca_cap, mini_cqe_resp_stride_index, 1468, 1) \
	F(hca_cap, cqe_128_always, 1469, 1) \
	F(hca_cap, cqe_compression_128, 1470, 1) \
	F(hca_cap, cqe_compression, 1471, 1) \
	F(hca_cap, cqe_compression_timeout, 1472, 16) \
	F(hca_cap, cqe_compression_max_num, 1488, 16) \
	F(hca_cap, flex_parser_id_gtpu_dw_0, 1512, 4) \
	F(hca_cap, tag_matching, 1520, 1) \
	F(hca_cap, rndv_offload_rc, 1521, 1) \
	F(hca_cap, rndv_offload_dc, 1522, 1) \
	F(hca_cap, log_tag_matching_list_sz, 1523, 5) \
	F(hca_cap, log_max_xrq, 1531, 5) \
	F(hca_cap, affiliate_nic_vport_criteria, 1536, 8) \
	F(hca_cap, native_port_num, 1544, 8) \
	F(hca_cap, num_vhca_ports, 1552, 8) \
	F(hca_cap, flex_parser_id_gtpu_teid, 1560, 4) \
	F(hca_cap, sw_owner_id, 1566, 1) \
	F(hca_cap, max_num_of_monitor_counters, 1568, 16) \
	F(hca_cap, num_ppcnt_monitor_counters, 1584, 16) \
	F(hca_cap, max_num_sf, 1600, 16) \
	F(hca_cap, num_q_monitor_counters, 1616, 16) \
	F(hca_cap, sf, 1664, 1) \
	F(hca_cap, sf_set_partition, 1665, 1) \
	F(hca_cap, log_max_sf, 1667, 5) \
	F(hca_cap, apu, 1672, 1) \
	F(hca_cap, migration, 1677, 1) \
	F(hca_cap, log_min_sf_size, 1680, 8) \
	F(hca_cap, max_num_sf_partitions, 1688, 8) \
	F(hca_cap, uctx_cap, 1696, 32) \
	F(hca_cap, flex_parser_id_geneve_tlv_option_0, 1732, 4) \
	F(hca_cap, flex_parser_id_icmp_dw1, 1736, 4) \
	F(hca_cap, flex_parser_id_icmp_dw0, 1740, 4) \
	F(hca_cap, flex_parser_id_icmpv6_dw1, 1744, 4) \
	F(hca_cap, flex_parser_id_icmpv6_dw0, 1748, 4) \
	F(hca_cap, flex_parser_id_outer_first_mpls_over_gre, 1752, 4) \
	F(hca_cap, flex_parser_id_outer_first_mpls_over_udp_label, 1756, 4) \
	F(hca_cap, max_num_match_definer, 1760, 16) \
	F(hca_cap, sf_base_id, 1776, 16) \
	F(hca_cap, flex_parser_id_gtpu_dw_2, 1792, 4) \
	F(hca_cap, flex_parser_id_gtpu_first_ext_dw_0, 1796, 4) \
	F(hca_cap, num_total_dynamic_vf_msix, 1800, 24) \
	F(hca_cap, dynamic_msix_table_size, 1844, 12) \
	F(hca_cap, min_dynamic_vf_msix_table_size, 1868, 4) \
	F(hca_cap, data_direct, 1874, 1) \
	F(hca_cap, max_dynamic_vf_msix_table_size, 1876, 12) \
	F(hca_cap, log_max_num_header_modify_argument, 1891, 5) \
	F(hca_cap, log_header_modify_argument_granularity_offset, 1896, 4) \
	F(hca_cap, log_header_modify_argument_granularity, 1900, 4) \
	F(hca_cap, log_header_modify_argument_max_alloc, 1907, 5) \
	F(hca_cap, vhca_tunnel_commands, 1920, 64) \
	F(hca_cap, match_definer_format_supported, 1984, 64)

#endif
