/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Members of rdma_cm's struct rdma_id_private, which has the public struct rdma_cm_id at its start.
 * Locks and a completion lie in between, which are larger in debug kernels.
 */
#ifndef RDMA_CORE_RDMA_ID_H
#define RDMA_CORE_RDMA_ID_H

#include <linux/completion.h>
#include <linux/mutex.h>
#include <rdma/rdma_cm.h>

#include "../stock_contract.h"

#define RDMA_ID_STATE (sizeof(struct rdma_cm_id) + 100)
#define RDMA_ID_QP_NUM (RDMA_ID_STATE + 4 + ALIGN(sizeof(spinlock_t), 8) + \
			2 * sizeof(struct mutex) + sizeof(struct completion) + 48)
#define RDMA_ID_RES (RDMA_ID_QP_NUM + 24)

static_assert(!STOCK_LAYOUT || RDMA_ID_STATE == STOCK_RDMA_ID_STATE);
static_assert(!STOCK_LAYOUT || RDMA_ID_QP_NUM == STOCK_RDMA_ID_QP_NUM);
static_assert(!STOCK_LAYOUT || RDMA_ID_RES == STOCK_RDMA_ID_RES);

#endif
