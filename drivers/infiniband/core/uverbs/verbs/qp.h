/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* Queue pairs: what the two ways to ask for one share. */
#ifndef RDMA_UVERBS_QP_H
#define RDMA_UVERBS_QP_H

#include "verbs.h"

/**
 * struct uverbs_qp_params - what a QP shall be
 * @init: as the driver gets it
 * @pd: of any but an XRC target
 * @uxrcd: of an XRC target; the domain itself is in @init
 * @user_handle: what the process calls it
 *
 * Whoever fills it in holds all these objects for reading until the QP has been created.
 */
struct uverbs_qp_params {
	struct ib_qp_init_attr init;
	struct ib_pd *pd;
	struct ib_uxrcd_object *uxrcd;
	u64 user_handle;
};

int uverbs_qp_check_type(struct uverbs_attr_bundle *attrs, enum ib_qp_type type);
int uverbs_qp_set_source(struct ib_qp_init_attr *init, u32 source_qpn);
int uverbs_qp_create(struct uverbs_attr_bundle *attrs, struct ib_uqp_object *uqp,
		     struct uverbs_qp_params *params, struct uverbs_async_file *async_file);

/* With a table of receive queues, a QP need not send either. */
static inline bool uverbs_qp_sends(const struct ib_qp_init_attr *init)
{
	return !init->rwq_ind_tbl || init->cap.max_send_wr;
}

static inline bool uverbs_qp_has_recv_cq(const struct ib_qp_init_attr *init)
{
	return !init->rwq_ind_tbl && init->qp_type != IB_QPT_XRC_INI;
}

#endif
