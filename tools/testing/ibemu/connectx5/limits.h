/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * How much of everything there is. Logarithms are of base 2.
 */
#ifndef IBEMU_CX5_LIMITS_H
#define IBEMU_CX5_LIMITS_H

#define CX5_LOG_MAX_QP 12
#define CX5_LOG_MAX_QP_SZ 15
#define CX5_LOG_MAX_SRQ 10
#define CX5_LOG_MAX_SRQ_SZ 12
#define CX5_LOG_MAX_CQ 12
#define CX5_LOG_MAX_CQ_SZ 15
#define CX5_LOG_MAX_EQ 5
#define CX5_LOG_MAX_EQ_SZ 22
#define CX5_LOG_MAX_MKEY 16
#define CX5_LOG_MAX_KLM_LIST_SIZE 16
#define CX5_LOG_MAX_MCG 8
#define CX5_LOG_MAX_PD 10
#define CX5_LOG_MAX_XRCD 8
#define CX5_LOG_MAX_TRANSPORT_DOMAIN 8
#define CX5_LOG_MAX_UCTX 10
#define CX5_LOG_MAX_UMEM 12

#define CX5_LOG_MAX_RD_ATOMIC 4

#define CX5_MAX_WQE_SQ 1024 /* bytes */
#define CX5_MAX_WQE_RQ 512

#define CX5_DC_CONNECTIONS 1024 /* to all targets together */

#define CX5_FIRST_QPN 0x40
#define CX5_FIRST_MKEY 0x10 /* index 1 means "end of a scatter list" */
#define CX5_NULL_MKEY 0x200 /* behind other keys: pages that aren't there */

/*
 * Doorbell pages fill the BAR, but the first ones, which lie under the initialization segment and
 * the MSI-X table.
 */
#define CX5_LOG_UAR_SPACE_MB 5
#define CX5_FIRST_UAR 0x100
#define CX5_UARS 1024

#define CX5_BOOT_PAGES 16 /* that the firmware asks for */
#define CX5_INIT_PAGES 32
#define CX5_MAX_UMEM_PAGES (1u << 22) /* of all user memory together */
#define CX5_MAX_PAGES 65536 /* that it takes at most */

#endif
