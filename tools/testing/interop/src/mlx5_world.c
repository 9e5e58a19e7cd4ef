// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "endpoint.h"
#include "mlx5.h"

struct world world;

void make_world(void)
{
	struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = 4, .max_sge = 1 } };
	struct mlx5dv_obj obj = { .cq = { .out = &world.queue } };
	struct ibv_port_attr port;

	world.context = endpoint_device("PORT_A");
	world.pd = ibv_alloc_pd(world.context);
	world.cq = ibv_create_cq(world.context, 16, NULL, NULL, 0);
	world.srq = ibv_create_srq(world.pd, &srq_attr);
	world.memory = aligned_alloc(4096, 4096);
	world.mr = ibv_reg_mr(world.pd, world.memory, 4096,
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	world.uar = mlx5dv_devx_alloc_uar(world.context, MLX5DV_UAR_ALLOC_TYPE_NC);
	CHECK(world.pd && world.cq && world.srq && world.mr && world.uar, "an object can't be made");
	obj.cq.in = world.cq;
	CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), 0);
	CHECK_EQ(ibv_query_port(world.context, 1, &port), 0);
	CHECK_EQ(port.state, IBV_PORT_ACTIVE);
	world.lid = port.lid;
}

/* --- creation */

void prepare_creation(struct creation *c, uint32_t type)
{
	static uint32_t uidx = 0xabc000;

	*c = (struct creation){
		.method = method_of(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE),
		.ucmd = { .flags = MLX5_QP_FLAG_UAR_PAGE_INDEX, .bfreg_index = world.uar->page_id,
			  .uidx = uidx++ },
	};
	c->handle = attr_id(&c->method, UVERBS_ATTR_CREATE_QP_HANDLE, 0);
	attr_id(&c->method, UVERBS_ATTR_CREATE_QP_PD_HANDLE, world.pd->handle);
	attr_id(&c->method, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, world.cq->handle);
	attr_id(&c->method, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, world.cq->handle);
	attr_const(&c->method, UVERBS_ATTR_CREATE_QP_USER_HANDLE, 0);
	attr_const(&c->method, UVERBS_ATTR_CREATE_QP_TYPE, type);
	attr_in(&c->method, UVERBS_ATTR_CREATE_QP_CAP, &c->cap, sizeof(c->cap));
	attr_out(&c->method, UVERBS_ATTR_CREATE_QP_RESP_CAP, &c->got, sizeof(c->got));
	attr_out(&c->method, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &c->qpn, sizeof(c->qpn));
	attr_in(&c->method, UVERBS_ATTR_UHW_IN, &c->ucmd, sizeof(c->ucmd));
	attr_out(&c->method, UVERBS_ATTR_UHW_OUT, &c->resp, sizeof(c->resp));
}

uint8_t *give_send_queue(struct creation *c)
{
	uint8_t *ring = aligned_alloc(4096, 4096);

	memset(ring, 0, 4096);
	c->cap = (struct ib_uverbs_qp_cap){ .max_send_wr = 4, .max_send_sge = 1 };
	c->ucmd.buf_addr = (uintptr_t)ring;
	c->ucmd.db_addr = (uintptr_t)ring + SEND_BBS * BB;
	c->ucmd.sq_wqe_count = SEND_BBS;
	return ring;
}

int create(struct creation *c)
{
	return method_call(world.context->cmd_fd, &c->method);
}

int destroy(uint32_t handle)
{
	struct ib_uverbs_destroy_qp in = { .qp_handle = handle };
	struct ib_uverbs_destroy_qp_resp out;

	return command_ioctl(world.context->cmd_fd, &(struct command){
		.number = IB_USER_VERBS_CMD_DESTROY_QP, .in = &in, .in_len = sizeof(in),
		.out = &out, .out_len = sizeof(out) });
}

/* --- modification */

int modify(uint32_t handle, uint8_t state, int mask, struct ib_uverbs_ex_modify_qp *in,
	   struct mlx5_ib_modify_qp_resp *resp)
{
	struct mlx5_ib_modify_qp ucmd = {};

	in->base.qp_handle = handle;
	in->base.qp_state = state;
	in->base.attr_mask = mask | IBV_QP_STATE;
	return command_ioctl(world.context->cmd_fd, &(struct command){
		.number = EXTENDED(IB_USER_VERBS_EX_CMD_MODIFY_QP), .in = in, .in_len = sizeof(*in),
		.driver_in = &ucmd, .driver_in_len = sizeof(ucmd),
		.driver_out = resp, .driver_out_len = sizeof(*resp) });
}

struct ib_uverbs_ex_modify_qp modify_values(void)
{
	return (struct ib_uverbs_ex_modify_qp){ .base = {
		.path_mtu = IBV_MTU_1024, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
		.timeout = 14, .retry_cnt = 3, .rnr_retry = 3, .max_rd_atomic = 1,
		.min_rnr_timer = 12, .dest = { .dlid = world.lid, .port_num = 1 },
	} };
}

int step(uint32_t handle, uint8_t state, int mask)
{
	struct ib_uverbs_ex_modify_qp in = modify_values();
	struct mlx5_ib_modify_qp_resp resp;

	return modify(handle, state, mask, &in, &resp);
}

/* --- completions */

/* The opcode of the next completion, within 20 seconds. */
int completion(void)
{
	uint32_t at = world.polled & (world.queue.cqe_cnt - 1);
	volatile struct mlx5_cqe64 *cqe = (void *)((char *)world.queue.buf +
						   (size_t)at * world.queue.cqe_size);
	int owner = !!(world.polled & world.queue.cqe_cnt);

	for (int i = 0; i < 20000; i++) {
		if (cqe->op_own >> 4 != MLX5_CQE_INVALID && (cqe->op_own & 1) == owner) {
			world.polled++;
			return cqe->op_own >> 4;
		}
		usleep(1000);
	}
	return -1;
}
