// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a process tells of its queues, and what it changes, that no library would.
 */
#include <fcntl.h>

#include "cases.h"
#include "check.h"
#include "mlx5.h"

#define RC_INIT (IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT)
#define RC_RTR (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | \
		IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define UC_RTR (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)

/* A receive queue as it is said to be, in a page of memory. */
static int create_with_receives(uint32_t max_wr, uint32_t count, uint32_t shift)
{
	struct creation c;

	prepare_creation(&c, QPT_RC);
	give_send_queue(&c);
	c.cap.max_recv_wr = max_wr;
	c.cap.max_recv_sge = 1;
	c.ucmd.rq_wqe_count = count;
	c.ucmd.rq_wqe_shift = shift;
	if (create(&c))
		return -1;
	return destroy(c.handle->data);
}

static void receive_queues(void)
{
	/* 36 and 68 are 4 to a processor that shifts by the lowest bits alone. */
	static const uint32_t shifts[] = {
		0, 1, 3, 12, 26, 28, 31, 32, 33, 36, 63, 64, 68, 255, 1U << 31
	};
	static const uint32_t counts[] = { 0, 3, 1U << 16, 1U << 20, 1U << 28, 1U << 31, ~0U };

	make_world();
	CHECK_OK(create_with_receives(8, 8, 4));
	for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++)
		CHECK_FAILS(create_with_receives(8, 8, shifts[i]), EINVAL);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		CHECK_FAILS(create_with_receives(8, counts[i], 4), EINVAL);
	CHECK_FAILS(create_with_receives(1U << 20, 8, 4), EINVAL);
}

static void send_queues(void)
{
	static const uint32_t counts[] = { 3, 1U << 20, 1U << 26, 1U << 31, ~0U };
	struct creation c;

	make_world();
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		prepare_creation(&c, QPT_RC);
		give_send_queue(&c);
		c.ucmd.sq_wqe_count = counts[i];
		CHECK_FAILS(create(&c), EINVAL);
	}
}

static uint32_t new_rc(uint32_t type)
{
	struct creation c;

	prepare_creation(&c, type);
	give_send_queue(&c);
	CHECK_OK(create(&c));
	CHECK_OK(step(c.handle->data, STATE_INIT, RC_INIT));
	return c.handle->data;
}

/* The device's limit holds at this transition, too. */
static void responder_resources(void)
{
	struct ib_uverbs_ex_modify_qp in;
	struct mlx5_ib_modify_qp_resp resp;
	struct ibv_device_attr attr;
	uint32_t rc, uc;

	make_world();
	CHECK_EQ(ibv_query_device(world.context, &attr), 0);
	rc = new_rc(QPT_RC);
	in = modify_values();
	in.base.max_dest_rd_atomic = attr.max_qp_rd_atom + 1;
	CHECK_FAILS(modify(rc, STATE_RTR, RC_RTR, &in, &resp), EINVAL);
	in.base.max_dest_rd_atomic = 255;
	CHECK_FAILS(modify(rc, STATE_RTR, RC_RTR, &in, &resp), EINVAL);
	CHECK_FAILS(step(rc, STATE_RTR, RC_RTR & ~IBV_QP_MAX_DEST_RD_ATOMIC), EINVAL);
	in.base.max_dest_rd_atomic = attr.max_qp_rd_atom;
	CHECK_OK(modify(rc, STATE_RTR, RC_RTR, &in, &resp));
	uc = new_rc(QPT_UC);
	CHECK_FAILS(step(uc, STATE_RTR, UC_RTR | IBV_QP_MAX_DEST_RD_ATOMIC), EINVAL);
	CHECK_OK(step(uc, STATE_RTR, UC_RTR));
	CHECK_OK(destroy(rc));
	CHECK_OK(destroy(uc));
}

/*
 * The driver hears nothing of a process when an XRC target is made: what it said is of no account.
 */
static void xrc_target_without_driver_part(void)
{
	struct ib_uverbs_qp_cap cap = {}, got;
	uint32_t qpn, xrcd;

	make_world();
	CHECK_OK(try_xrcd(world.context->cmd_fd, -1, O_CREAT, &xrcd));
	for (size_t len = 0; len <= 8; len += 8) {
		struct method method = method_of(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE);
		uint64_t driver = 0;

		attr_id(&method, UVERBS_ATTR_CREATE_QP_HANDLE, 0);
		attr_id(&method, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE, xrcd);
		attr_const(&method, UVERBS_ATTR_CREATE_QP_USER_HANDLE, 0);
		attr_const(&method, UVERBS_ATTR_CREATE_QP_TYPE, QPT_XRC_TGT);
		attr_in(&method, UVERBS_ATTR_CREATE_QP_CAP, &cap, sizeof(cap));
		attr_out(&method, UVERBS_ATTR_CREATE_QP_RESP_CAP, &got, sizeof(got));
		attr_out(&method, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &qpn, sizeof(qpn));
		if (len)
			attr_in(&method, UVERBS_ATTR_UHW_IN, &driver, len);
		CHECK_OK(method_call(world.context->cmd_fd, &method));
		CHECK(qpn > 1, "an XRC target's number is %u", qpn);
		CHECK_OK(destroy(method.attrs[0].data));
	}
	CHECK_OK(drop(world.context->cmd_fd, IB_USER_VERBS_CMD_CLOSE_XRCD, xrcd));
}

/* Nothing is ever received there. Whether that's refused or overlooked, it must be one of these. */
static void xrc_initiator_with_receive_cq(void)
{
	struct creation c;

	make_world();
	prepare_creation(&c, QPT_XRC_INI);
	give_send_queue(&c);
	if (create(&c))
		CHECK_EQ(errno, EINVAL);
	else
		CHECK_OK(destroy(c.handle->data));
}

const struct test_case mlx5_queue_cases[] = {
	{ "mlx5-receive-queues", receive_queues },
	{ "mlx5-send-queues", send_queues },
	{ "mlx5-responder-resources", responder_resources },
	{ "mlx5-xrc-target", xrc_target_without_driver_part },
	{ "mlx5-xrc-initiator", xrc_initiator_with_receive_cq },
	{}
};
