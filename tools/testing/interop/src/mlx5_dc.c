// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Dynamically Connected queue pairs by the reserved types 3 and 4; or, where these aren't to be
 * had, by IB_QPT_DRIVER and the flag that goes with it.
 */
#include <string.h>

#include "cases.h"
#include "check.h"
#include "mlx5.h"

#define QPT_DCI QPT_RESERVED(3)
#define QPT_DCT QPT_RESERVED(4)

#define ACCESS_KEY 0x1122334455667789
#define EXTENDED_AV 0x80000000
#define CQ_UPDATE 8 /* in fm_ce_se: completes */

bool by_driver_type;

#define DCI_INIT (IBV_QP_PKEY_INDEX | IBV_QP_PORT)
#define DCI_RTR IBV_QP_PATH_MTU
#define DCI_RTS (IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC | \
		 IBV_QP_SQ_PSN)
#define DCT_INIT (IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT)
#define DCT_RTR (IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU)

/**
 * struct raw_qp - an initiator or a target
 * @handle: of ib_uverbs
 * @qpn: of a target, when it's ready to receive
 * @ring: an initiator's send queue, then its doorbell records
 * @next: WQEBBs used
 */
struct raw_qp {
	uint32_t handle;
	uint32_t qpn;
	uint8_t *ring;
	uint16_t next;
};

static void prepare_dc(struct creation *c, uint32_t type)
{
	prepare_creation(c, by_driver_type ? QPT_DRIVER : type);
	if (by_driver_type)
		c->ucmd.flags |= type == QPT_DCI ? MLX5_QP_FLAG_TYPE_DCI : MLX5_QP_FLAG_TYPE_DCT;
}

static void prepare_initiator(struct creation *c, struct raw_qp *qp)
{
	prepare_dc(c, QPT_DCI);
	*qp = (struct raw_qp){ .ring = give_send_queue(c) };
}

static void prepare_target(struct creation *c)
{
	prepare_dc(c, QPT_DCT);
	attr_id(&c->method, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, world.srq->handle);
	c->ucmd.access_key = ACCESS_KEY;
}

static struct raw_qp new_initiator(void)
{
	struct creation c;
	struct raw_qp qp;

	prepare_initiator(&c, &qp);
	CHECK_OK(create(&c));
	CHECK(c.qpn > 1, "an initiator's number is %u", c.qpn);
	qp.handle = c.handle->data;
	qp.qpn = c.qpn;
	CHECK_OK(step(qp.handle, STATE_INIT, DCI_INIT));
	CHECK_OK(step(qp.handle, STATE_RTR, DCI_RTR));
	CHECK_OK(step(qp.handle, STATE_RTS, DCI_RTS));
	return qp;
}

static struct raw_qp new_target(void)
{
	struct ib_uverbs_ex_modify_qp in = modify_values();
	struct mlx5_ib_modify_qp_resp resp = {};
	struct creation c;

	prepare_target(&c);
	CHECK_OK(create(&c));
	CHECK_EQ(c.qpn, 0);
	CHECK_OK(step(c.handle->data, STATE_INIT, DCT_INIT));
	CHECK_OK(modify(c.handle->data, STATE_RTR, DCT_RTR, &in, &resp));
	CHECK(resp.dctn > 1, "a target's number is %u", resp.dctn);
	return (struct raw_qp){ .handle = c.handle->data, .qpn = resp.dctn };
}

/* --- traffic */

struct write_request {
	struct mlx5_wqe_ctrl_seg ctrl;
	struct mlx5_wqe_datagram_seg address;
	struct mlx5_wqe_raddr_seg remote;
	struct mlx5_wqe_data_seg data;
};

/* Eight bytes from the first word of the memory to the one at @to, by way of @dctn. */
static void post_write(struct raw_qp *qp, uint32_t dctn, uint64_t key, unsigned int to)
{
	struct write_request *wqe = (void *)(qp->ring + qp->next % SEND_BBS * BB);
	__be32 *record = (void *)(qp->ring + SEND_BBS * BB);

	memset(wqe, 0, sizeof(*wqe));
	mlx5dv_set_ctrl_seg(&wqe->ctrl, qp->next, MLX5_OPCODE_RDMA_WRITE, 0, qp->qpn, CQ_UPDATE,
			    sizeof(*wqe) / 16, 0, 0);
	wqe->address.av.key.dc_key = htobe64(key);
	wqe->address.av.dqp_dct = htobe32(dctn | EXTENDED_AV);
	wqe->address.av.rlid = htobe16(world.lid);
	wqe->remote.raddr = htobe64((uintptr_t)&world.memory[to]);
	wqe->remote.rkey = htobe32(world.mr->rkey);
	mlx5dv_set_data_seg(&wqe->data, sizeof(uint64_t), world.mr->lkey, (uintptr_t)world.memory);
	qp->next += 2;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	record[MLX5_SND_DBR] = htobe32(qp->next);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	*(volatile uint64_t *)world.uar->reg_addr = *(uint64_t *)&wqe->ctrl;
}

static void traffic(void)
{
	struct raw_qp target, initiator, other;

	make_world();
	target = new_target();
	initiator = new_initiator();
	other = new_target();
	for (unsigned int i = 1; i <= 20; i++) {
		world.memory[0] = 0xfeed0000 + i;
		world.memory[i] = 0;
		post_write(&initiator, i % 2 ? target.qpn : other.qpn, ACCESS_KEY, i);
		CHECK_EQ(completion(), MLX5_CQE_REQ);
		CHECK_EQ(world.memory[i], world.memory[0]);
	}
	world.memory[30] = 1;
	post_write(&initiator, target.qpn, ACCESS_KEY ^ 1, 30);
	CHECK_EQ(completion(), MLX5_CQE_REQ_ERR);
	CHECK_EQ(world.memory[30], 1);
	CHECK_OK(destroy(target.handle));
	CHECK_OK(destroy(initiator.handle));
	CHECK_OK(destroy(other.handle));
}

/* --- what is refused */

static void types(void)
{
	struct raw_qp qp;
	struct creation c;

	make_world();
	for (int n = 1; n <= 10; n++) {
		if (QPT_RESERVED(n) == QPT_DCI || QPT_RESERVED(n) == QPT_DCT)
			continue;
		prepare_creation(&c, QPT_RESERVED(n));
		CHECK_FAILS(create(&c), EINVAL);
	}
	prepare_initiator(&c, &qp);
	c.ucmd.flags |= MLX5_QP_FLAG_TYPE_DCT;
	CHECK_FAILS(create(&c), EINVAL);
	prepare_target(&c);
	c.ucmd.flags |= MLX5_QP_FLAG_TYPE_DCI;
	CHECK_FAILS(create(&c), EINVAL);
	prepare_creation(&c, QPT_DCT); /* no shared receive queue */
	CHECK_FAILS(create(&c), EINVAL);
	prepare_initiator(&c, &qp);
	c.cap.max_recv_wr = 1;
	CHECK_FAILS(create(&c), EINVAL);
	prepare_initiator(&c, &qp);
	c.ucmd.flags |= MLX5_QP_FLAG_TYPE_DCI; /* says the same twice */
	CHECK_OK(create(&c));
	CHECK_OK(destroy(c.handle->data));
}

static void initiator_rules(void)
{
	struct raw_qp qp;
	struct creation c;
	uint32_t handle;

	make_world();
	prepare_initiator(&c, &qp);
	CHECK_OK(create(&c));
	handle = c.handle->data;
	CHECK_FAILS(step(handle, STATE_RTR, DCI_RTR), EINVAL);
	CHECK_FAILS(step(handle, STATE_INIT, IBV_QP_PORT), EINVAL);
	CHECK_FAILS(step(handle, STATE_INIT, DCI_INIT | IBV_QP_QKEY), EINVAL);
	CHECK_FAILS(step(handle, STATE_INIT, DCI_INIT | IBV_QP_ACCESS_FLAGS), EINVAL);
	CHECK_OK(step(handle, STATE_INIT, DCI_INIT));
	CHECK_FAILS(step(handle, STATE_RTR, DCI_RTR | IBV_QP_DEST_QPN), EINVAL);
	CHECK_FAILS(step(handle, STATE_RTS, DCI_RTS), EINVAL);
	CHECK_OK(step(handle, STATE_RTR, DCI_RTR | IBV_QP_AV));
	CHECK_FAILS(step(handle, STATE_RTS, DCI_RTS & ~IBV_QP_SQ_PSN), EINVAL);
	CHECK_OK(step(handle, STATE_RTS, DCI_RTS));
	CHECK_OK(step(handle, STATE_RESET, 0));
	CHECK_OK(step(handle, STATE_INIT, DCI_INIT));
	CHECK_OK(destroy(handle));
}

static void target_rules(void)
{
	struct ib_uverbs_ex_modify_qp in = { };
	struct mlx5_ib_modify_qp_resp resp;
	struct creation c;
	uint32_t handle;

	make_world();
	prepare_target(&c);
	CHECK_OK(create(&c));
	handle = c.handle->data;
	CHECK_FAILS(step(handle, STATE_RTR, DCT_RTR), EINVAL);
	CHECK_FAILS(step(handle, STATE_INIT, DCT_INIT & ~IBV_QP_PORT), EINVAL);
	CHECK_FAILS(step(handle, STATE_INIT, DCT_INIT | IBV_QP_QKEY), EINVAL);
	in = modify_values();
	in.base.port_num = 2;
	CHECK_FAILS(modify(handle, STATE_INIT, DCT_INIT, &in, &resp), EINVAL);
	CHECK_OK(step(handle, STATE_INIT, DCT_INIT));
	CHECK_FAILS(step(handle, STATE_RTS, DCI_RTS), EINVAL);
	CHECK_FAILS(step(handle, STATE_RTR, DCT_RTR & ~IBV_QP_AV), EINVAL);
	in = modify_values();
	in.base.path_mtu = 9;
	if (!by_driver_type) /* stock takes it */
		CHECK_FAILS(modify(handle, STATE_RTR, DCT_RTR, &in, &resp), EINVAL);
	CHECK_OK(step(handle, STATE_RTR, DCT_RTR));
	CHECK_FAILS(step(handle, STATE_RTR, DCT_RTR), EINVAL);
	CHECK_FAILS(step(handle, STATE_RESET, 0), EINVAL);
	CHECK_OK(destroy(handle));
	/* One that was never made in the device goes as well. */
	prepare_target(&c);
	CHECK_OK(create(&c));
	CHECK_OK(step(c.handle->data, STATE_INIT, DCT_INIT));
	CHECK_OK(destroy(c.handle->data));
}

const struct test_case mlx5_dc_cases[] = {
	{ "dc-traffic", traffic },
	{ "dc-types", types },
	{ "dc-initiator-rules", initiator_rules },
	{ "dc-target-rules", target_rules },
	{}
};
