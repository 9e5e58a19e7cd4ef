/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_MLX5_LIFE_H
#define INTEROP_MLX5_LIFE_H

#include <infiniband/mlx5dv.h>

/*
 * All that a process can make of the firmware's objects, one step after the other, and in the
 * opposite order away again. Any step may be refused; then it's tried again.
 */

#define PAGE 4096

/* The firmware's refusal: "resource busy", which the kernel calls EBUSY. */
#define LIFE_STATUS 6

/* What has been made. */
extern struct life {
	struct ibv_context *context;
	uint16_t lid;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_srq *srq, *xrc_srq;
	struct ibv_xrcd *xrcd;
	struct ibv_mr *mr, *paged_mr, *all_memory;
	struct ibv_mw *mw;
	struct mlx5dv_mkey *mkey;
	struct ibv_qp *rc, *ud, *xrc_initiator, *xrc_target, *dc_initiator, *dc_target;
	uint8_t *memory; /* LIFE_PAGES */
	struct mlx5dv_devx_uar *uar;
	struct mlx5dv_devx_umem *umem;
	struct mlx5dv_devx_obj *own_cq, *own_rmp, *own_qp, *own_dct;
	uint32_t own_cqn, own_rmpn, own_qpn;
} life;

#define LIFE_PAGES 8

/**
 * struct step - of a life
 * @name: what it's called
 * @make: returns 0 or an errno, and then has left nothing behind
 * @unmake: the same; NULL: nothing to do
 * @refusal: the errno if the firmware refuses to make it; ANY_ERRNO: the library has its own
 */
struct step {
	const char *name;
	int (*make)(void);
	int (*unmake)(void);
	int refusal;
};

#define ANY_ERRNO (-1)

/* Each table ends with an empty entry. */
extern const struct step first_steps[]; /* that have the driver make what it needs for itself */
extern const struct step verbs_steps[];
extern const struct step devx_steps[];

#endif
