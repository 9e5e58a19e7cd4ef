/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Queue pairs: what the files of this folder ask of each other.
 */
#ifndef RDMA_MLX5_QP_H
#define RDMA_MLX5_QP_H

#include "../mlx5.h"

/* transition.c */

/**
 * struct mlx5_ib_transition - how a device changes a queue pair's state
 * @opcode: the command
 * @opt_params: MLX5_QP_OPTPAR_*: which fields of the context it is to look at, beyond those that it
 *	always does
 */
struct mlx5_ib_transition {
	u16 opcode;
	u32 opt_params;
};

int mlx5_ib_qp_transition(enum ib_qp_type type, enum ib_qp_state from, enum ib_qp_state to,
			  int attr_mask, struct mlx5_ib_transition *transition);

/* dc_rules.c */
bool mlx5_ib_dci_modify_ok(enum ib_qp_state from, enum ib_qp_state to, int attr_mask);
bool mlx5_ib_dct_modify_ok(enum ib_qp_state from, enum ib_qp_state to, int attr_mask);
bool mlx5_ib_dct_query_ok(enum ib_qp_state state, int attr_mask);

/* size.c */

/**
 * struct mlx5_ib_qp_limits - what a device can do
 * @max_wr: entries of a receive queue, WQEBBs of a send queue
 * @max_send_wqe: bytes
 * @max_recv_wqe: bytes
 */
struct mlx5_ib_qp_limits {
	u32 max_wr;
	u32 max_send_wqe;
	u32 max_recv_wqe;
};

/**
 * struct mlx5_ib_queue_size - a send or receive queue
 * @count: entries (of a send queue WQEBBs), a power of 2 or 0
 * @shift: log2 of an entry's bytes
 * @max_wr: requests
 * @max_sge: entries of a request's list
 */
struct mlx5_ib_queue_size {
	u32 count;
	u32 shift;
	u32 max_wr;
	u32 max_sge;
};

bool mlx5_ib_qp_has_rq(enum ib_qp_type type, bool srq, const struct ib_qp_cap *cap);
int mlx5_ib_kernel_rq_size(const struct mlx5_ib_qp_limits *limits, const struct ib_qp_cap *cap,
			   struct mlx5_ib_queue_size *rq);
int mlx5_ib_kernel_sq_size(const struct mlx5_ib_qp_limits *limits, enum ib_qp_type type,
			   const struct ib_qp_cap *cap, struct mlx5_ib_queue_size *sq,
			   u32 *max_inline);
int mlx5_ib_user_rq_size(const struct mlx5_ib_qp_limits *limits, const struct ib_qp_cap *cap,
			 u32 count, u32 shift, bool signature, struct mlx5_ib_queue_size *rq);
int mlx5_ib_user_sq_size(const struct mlx5_ib_qp_limits *limits, u32 count,
			 struct mlx5_ib_queue_size *sq);
int mlx5_ib_qp_buf_size(const struct mlx5_ib_queue_size *rq, const struct mlx5_ib_queue_size *sq,
			size_t *size);

static inline struct mlx5_ib_qp_limits mlx5_ib_qp_limits_of(struct mlx5_ib_dev *dev)
{
	return (struct mlx5_ib_qp_limits) {
		.max_wr = 1U << MLX5_CAP_GEN(dev->mdev, log_max_qp_sz),
		.max_send_wqe = MLX5_CAP_GEN(dev->mdev, max_wqe_sz_sq),
		.max_recv_wqe = MLX5_CAP_GEN(dev->mdev, max_wqe_sz_rq),
	};
}

/* qp_cmd.c, dct_cmd.c: one function a command; all of them may sleep */
int mlx5_ib_cmd_create_qp(struct mlx5_core_dev *mdev, u32 *in, int inlen, u32 *qpn, u32 *ece);
int mlx5_ib_cmd_modify_qp(struct mlx5_core_dev *mdev, u16 uid, u32 qpn,
			  const struct mlx5_ib_transition *transition, const void *qpc, u32 *ece);
int mlx5_ib_cmd_query_qp(struct mlx5_core_dev *mdev, u32 qpn, u32 *out);
int mlx5_ib_cmd_destroy_qp(struct mlx5_core_dev *mdev, u16 uid, u32 qpn);
int mlx5_ib_cmd_create_dct(struct mlx5_core_dev *mdev, u32 *in, u32 *dctn, u32 *ece);
int mlx5_ib_cmd_drain_dct(struct mlx5_core_dev *mdev, u16 uid, u32 dctn);
int mlx5_ib_cmd_query_dct(struct mlx5_core_dev *mdev, u32 dctn, u32 *out);
int mlx5_ib_cmd_destroy_dct(struct mlx5_core_dev *mdev, u16 uid, u32 dctn);

/* path.c */
int mlx5_ib_set_path(struct mlx5_ib_dev *dev, const struct rdma_ah_attr *ah, u32 port_num,
		     void *path);
void mlx5_ib_get_path(const void *path, struct rdma_ah_attr *ah);
int mlx5_ib_atomic_mode(struct mlx5_ib_dev *dev, bool dct);

/* create.c, user.c, kernel.c, context.c */

/**
 * struct mlx5_ib_qp_params - a creation under way
 * @attr: what was asked for; its capabilities are brought up to date
 * @udata: NULL for the kernel
 * @ucmd: the driver's part of a process's request
 * @uidx: the process's number of it, or MLX5_IB_NO_UIDX
 * @resp: the driver's part of the response
 */
struct mlx5_ib_qp_params {
	struct ib_qp_init_attr *attr;
	struct ib_udata *udata;
	struct mlx5_ib_create_qp ucmd;
	u32 uidx;
	struct mlx5_ib_create_qp_resp resp;
};

int mlx5_ib_user_queues(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, u32 **in,
			int *inlen);
void mlx5_ib_user_queues_free(struct mlx5_ib_qp *qp, struct ib_udata *udata);
int mlx5_ib_kernel_queues(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, u32 **in,
			  int *inlen);
void mlx5_ib_kernel_queues_free(struct mlx5_ib_qp *qp);
int mlx5_ib_qp_fill_context(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params, void *qpc);
int mlx5_ib_service_type(enum ib_qp_type type);

/* dct_device.c */
void mlx5_ib_dct_drained(struct mlx5_ib_dev *dev, u32 dctn); /* atomic */

/* dct.c */
int mlx5_ib_dct_create(struct mlx5_ib_qp *qp, struct mlx5_ib_qp_params *params);
int mlx5_ib_dct_modify(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask,
		       const struct mlx5_ib_modify_qp *ucmd, struct ib_udata *udata);
int mlx5_ib_dct_query(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask,
		      struct ib_qp_init_attr *init_attr);
int mlx5_ib_dct_destroy(struct mlx5_ib_qp *qp);

/* gsi.c */
int mlx5_ib_gsi_create(struct mlx5_ib_qp *qp, struct ib_qp_init_attr *attr);
int mlx5_ib_gsi_destroy(struct mlx5_ib_qp *qp);
int mlx5_ib_gsi_modify(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask);
int mlx5_ib_gsi_query(struct mlx5_ib_qp *qp, struct ib_qp_attr *attr, int attr_mask,
		      struct ib_qp_init_attr *init_attr);
int mlx5_ib_gsi_post_mark(struct mlx5_ib_qp *qp, u64 wr_id);

/* create.c, modify.c, query.c, destroy.c, drain.c */
int mlx5_ib_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *attr, struct ib_udata *udata);
int mlx5_ib_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int attr_mask,
		      struct ib_udata *udata);
int mlx5_ib_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int attr_mask,
		     struct ib_qp_init_attr *init_attr);
int mlx5_ib_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata);
void mlx5_ib_qp_abandon(struct mlx5_ib_qp *qp, struct ib_udata *udata);
void mlx5_ib_qp_cqs(struct mlx5_ib_qp *qp, struct mlx5_ib_cq **send_cq,
		    struct mlx5_ib_cq **recv_cq);
void mlx5_ib_lock_cqs(struct mlx5_ib_cq *send_cq, struct mlx5_ib_cq *recv_cq);
void mlx5_ib_unlock_cqs(struct mlx5_ib_cq *send_cq, struct mlx5_ib_cq *recv_cq);
void mlx5_ib_drain_sq(struct ib_qp *ibqp);
void mlx5_ib_drain_rq(struct ib_qp *ibqp);

static inline bool mlx5_ib_is_special(enum ib_qp_type type)
{
	return type == IB_QPT_SMI || type == MLX5_IB_QPT_HW_GSI;
}

/* It's the kernel that posts and polls; an XRC target has nothing of the kind. */
static inline bool mlx5_ib_qp_has_kernel_queues(const struct mlx5_ib_qp *qp)
{
	return !qp->ibqp.uobject && qp->type != IB_QPT_XRC_TGT;
}

#endif
