/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef INTEROP_MLX5_H
#define INTEROP_MLX5_H

#include <infiniband/mlx5dv.h>
#include <stdbool.h>

/* The same structures by another name: libmlx5 has its own. */
#include <rdma/mlx5-abi.h>

#include "uverbs.h"

/*
 * Queue pairs of a ConnectX by raw ioctls, in ways in which libmlx5 never asks for them. Everything
 * around them (context, PD, CQ, SRQ, memory, doorbell page) is libmlx5's.
 */

/* enum ib_qp_type of the kernel: the reserved types begin here. */
#define QPT_RESERVED(n) (0x1000 + (n) - 1)
#define QPT_DRIVER 0xff

#define BB 64
#define SEND_BBS 16

enum { STATE_RESET, STATE_INIT, STATE_RTR, STATE_RTS };

/**
 * struct world - what queue pairs need
 * @queue: the CQ as the device sees it
 * @polled: completions so far
 * @memory: a page that can be written from outside, by @mr
 */
extern struct world {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct mlx5dv_cq queue;
	uint32_t polled;
	struct ibv_srq *srq;
	struct ibv_mr *mr;
	struct mlx5dv_devx_uar *uar;
	uint16_t lid;
	uint64_t *memory;
} world;

/* Makes it. PORT_A in the environment names the port ("mlx5_0/1"), which has to be Active. */
void make_world(void);

/**
 * struct creation - of a queue pair, being put together
 * @handle: its handle, afterwards
 * @qpn: its number, afterwards
 * @got: capabilities, afterwards
 * @ucmd: for the driver
 * @resp: from the driver
 */
struct creation {
	struct method method;
	struct ib_uverbs_attr *handle;
	struct ib_uverbs_qp_cap cap;
	struct ib_uverbs_qp_cap got;
	uint32_t qpn;
	struct mlx5_ib_create_qp ucmd;
	struct mlx5_ib_create_qp_resp resp;
};

/* Of that type, without queues: send and receive CQ, doorbell page and an index of its own. */
void prepare_creation(struct creation *c, uint32_t type);
/* Gives it a send queue of SEND_BBS, and behind it doorbell records; returns their memory. */
uint8_t *give_send_queue(struct creation *c);
int create(struct creation *c);
int destroy(uint32_t handle);

/* Sensible values for a port that is connected to itself. */
struct ib_uverbs_ex_modify_qp modify_values(void);
int modify(uint32_t handle, uint8_t state, int mask, struct ib_uverbs_ex_modify_qp *in,
	   struct mlx5_ib_modify_qp_resp *resp);
/* The same with those values, for whoever doesn't look at the response. */
int step(uint32_t handle, uint8_t state, int mask);

/* The opcode of the next completion, within 20 seconds; -1: none came. */
int completion(void);

/* mlx5_dc.c: DC by IB_QPT_DRIVER and a flag. */
extern bool by_driver_type;

#endif
