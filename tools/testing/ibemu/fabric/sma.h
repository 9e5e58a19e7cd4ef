/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * The attributes of subnet management (IBTA vol. 1, 14.2.5), a getter and, if it can be set, a
 * setter each. Both return a MAD status. A getter fills 64 bytes that were zero; a setter changes
 * nothing unless it returns STATUS_OK.
 */
#ifndef IBEMU_SMA_H
#define IBEMU_SMA_H

#include "fabric/model.h"

struct sma_request {
	struct fabric_port *port;    /* where the SMP arrived */
	struct fabric_port *managed; /* with the node's M_Key, LID and SM: port 0 of a switch */
	uint16_t slid; /* who asks */
	uint32_t modifier;
	bool show_m_key;
};

/* sma_node.c */
uint16_t sma_get_node_description(const struct sma_request *request, uint8_t *data);
uint16_t sma_get_node_info(const struct sma_request *request, uint8_t *data);
uint16_t sma_get_guid_info(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_guid_info(const struct sma_request *request, const uint8_t *data);
uint16_t sma_get_notice(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_notice(const struct sma_request *request, const uint8_t *data);

/* sma_port_info.c */
uint16_t sma_get_port_info(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_port_info(const struct sma_request *request, const uint8_t *data);
uint16_t sma_get_extended_port_info(const struct sma_request *request, uint8_t *data);

/* sma_port_tables.c */
uint16_t sma_get_pkey_table(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_pkey_table(const struct sma_request *request, const uint8_t *data);
uint16_t sma_get_sl_to_vl(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_sl_to_vl(const struct sma_request *request, const uint8_t *data);
uint16_t sma_get_vl_arbitration(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_vl_arbitration(const struct sma_request *request, const uint8_t *data);

/* sma_switch.c */
uint16_t sma_get_switch_info(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_switch_info(const struct sma_request *request, const uint8_t *data);
uint16_t sma_get_linear_fdb(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_linear_fdb(const struct sma_request *request, const uint8_t *data);
uint16_t sma_get_multicast_fdb(const struct sma_request *request, uint8_t *data);
uint16_t sma_set_multicast_fdb(const struct sma_request *request, const uint8_t *data);

#endif
