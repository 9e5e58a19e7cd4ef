// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Two owners make and destroy queues as fast as they can, on a device that gives a number out anew
 * as soon as it's free. So what one destroys is at once the other's, by number; and each must hear
 * of its own alone, and of that surely. Every other queue is destroyed with its event under way.
 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "cases.h"
#include "check.h"
#include "endpoint.h"

#define ROUNDS 150
#define DC_ROUNDS 40 /* half of which wait for an answer that may not come */
#define NUMBERS 16384
#define CQS 8192 /* completion queues are counted from here */
#define DC_KEY(owner) (0x1000 + (owner)->index)
#define IMMEDIATE(owner, round) ((uint32_t)(owner)->index << 16 | (round))

/**
 * struct owner - one of the two
 * @srq: where queue pairs and DC targets find receives
 * @inherited: numbers that were the other's before
 * @cq: of DC targets' receives
 * @sends: of @initiator
 */
struct owner {
	int index;
	struct ibv_context *context;
	uint16_t lid;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel;
	struct ibv_srq *srq;
	int inherited;
	struct ibv_cq *cq;
	struct ibv_cq *sends;
	struct ibv_qp *initiator;
	struct ibv_ah *ah;
};

/* Whose a number was last: an index + 1. */
static atomic_int last_owner[NUMBERS];

static void got_number(struct owner *owner, uint32_t number)
{
	int last;

	CHECK(number && number < NUMBERS, "a queue has the number %u", number);
	last = atomic_exchange(&last_owner[number], owner->index + 1);
	owner->inherited += last && last != owner->index + 1;
}

static void is_silent(int fd, const char *what)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	CHECK_EQ(poll(&poll_fd, 1, 0), 0);
	CHECK(!poll_fd.revents, "it comes, and shouldn't: %s", what);
}

static void expect_event(struct owner *owner, enum ibv_event_type type, const void *element)
{
	struct ibv_async_event event;

	fd_becomes_readable(owner->context->async_fd, ibv_event_type_str(type));
	CHECK_EQ(ibv_get_async_event(owner->context, &event), 0);
	CHECK_EQ(event.event_type, type);
	CHECK(event.element.srq == element, "the event is another queue's");
	ibv_ack_async_event(&event);
}

static struct ibv_srq *new_srq(struct owner *owner)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 15, .max_sge = 1 } };
	struct ibv_srq *srq = ibv_create_srq(owner->pd, &attr);

	CHECK(srq, "a shared receive queue: %s", strerrorname_np(errno));
	return srq;
}

static struct ibv_cq *new_cq(struct owner *owner, struct ibv_comp_channel *channel)
{
	struct ibv_cq *cq = ibv_create_cq(owner->context, 63, NULL, channel, 0);

	CHECK(cq, "a completion queue: %s", strerrorname_np(errno));
	return cq;
}

static void modify(struct owner *owner, struct ibv_qp *qp, enum ibv_qp_state state, int mask)
{
	struct ibv_qp_attr attr = {
		.qp_state = state, .port_num = 1, .path_mtu = IBV_MTU_1024, .min_rnr_timer = 1,
		.timeout = 14, .retry_cnt = 3, .rnr_retry = 3, .max_rd_atomic = 1,
		.ah_attr = { .dlid = owner->lid, .port_num = 1 },
	};

	CHECK_EQ(ibv_modify_qp(qp, &attr, mask | IBV_QP_STATE), 0);
}

#define INIT (IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT)

static struct ibv_qp *new_rc(struct owner *owner, struct ibv_cq *cq, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC, .send_cq = cq, .recv_cq = cq, .srq = srq,
		.cap = { .max_send_wr = 1, .max_send_sge = 1, .max_recv_wr = 1, .max_recv_sge = 1 },
	};
	struct ibv_qp *qp = ibv_create_qp(owner->pd, &attr);

	CHECK(qp, "a queue pair: %s", strerrorname_np(errno));
	got_number(owner, qp->qp_num);
	modify(owner, qp, IBV_QPS_INIT, INIT);
	return qp;
}

static struct owner new_owner(int index)
{
	struct owner owner = { .index = index, .context = endpoint_device("PORT_A") };
	struct ibv_port_attr port;

	CHECK_EQ(ibv_query_port(owner.context, 1, &port), 0);
	owner.lid = port.lid;
	owner.pd = ibv_alloc_pd(owner.context);
	owner.channel = ibv_create_comp_channel(owner.context);
	CHECK(owner.pd && owner.channel, "a protection domain and a channel");
	owner.srq = new_srq(&owner);
	owner.cq = new_cq(&owner, NULL);
	owner.sends = new_cq(&owner, NULL);
	return owner;
}

static void run_both(void *(*run)(void *owner))
{
	struct owner owners[] = { new_owner(0), new_owner(1) };
	pthread_t other;

	CHECK_EQ(pthread_create(&other, NULL, run, &owners[1]), 0);
	run(&owners[0]);
	CHECK_EQ(pthread_join(other, NULL), 0);
	CHECK(owners[0].inherited && owners[1].inherited, "numbers went from hand to hand %d, %d times",
	      owners[0].inherited, owners[1].inherited);
}

/* --- shared receive queues: one that has less than its limit tells so when it's armed */

static uint32_t number_of_srq(struct ibv_srq *srq)
{
	struct mlx5dv_srq dv = { .comp_mask = MLX5DV_SRQ_MASK_SRQN };
	struct mlx5dv_obj obj = { .srq = { .in = srq, .out = &dv } };

	CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ), 0);
	return dv.srqn;
}

static void *make_srqs(void *arg)
{
	struct ibv_srq_attr limit = { .srq_limit = 1 };
	struct owner *owner = arg;

	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_srq *srq = new_srq(owner);

		got_number(owner, number_of_srq(srq));
		is_silent(owner->context->async_fd, "an event of a queue that isn't armed");
		CHECK_EQ(ibv_modify_srq(srq, &limit, IBV_SRQ_LIMIT), 0);
		if (i % 2)
			expect_event(owner, IBV_EVENT_SRQ_LIMIT_REACHED, srq);
		CHECK_EQ(ibv_destroy_srq(srq), 0);
	}
	return NULL;
}

static void srq_numbers(void)
{
	run_both(make_srqs);
}

/* --- queue pairs: one with a shared receive queue tells when it will take no more from that */

static void *make_qps(void *arg)
{
	struct owner *owner = arg;

	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_qp *qp = new_rc(owner, owner->cq, owner->srq);

		is_silent(owner->context->async_fd, "an event of a queue pair that's in INIT");
		modify(owner, qp, IBV_QPS_ERR, 0);
		if (i % 2)
			expect_event(owner, IBV_EVENT_QP_LAST_WQE_REACHED, qp);
		CHECK_EQ(ibv_destroy_qp(qp), 0);
	}
	return NULL;
}

static void qp_numbers(void)
{
	run_both(make_qps);
}

/* --- completion queues: a receive is flushed */

static uint32_t number_of_cq(struct ibv_cq *cq)
{
	struct mlx5dv_cq dv = {};
	struct mlx5dv_obj obj = { .cq = { .in = cq, .out = &dv } };

	CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), 0);
	return dv.cqn;
}

static void expect_completion(struct owner *owner, struct ibv_cq *cq, uint32_t qpn, uint64_t wr_id)
{
	struct ibv_cq *told;
	struct ibv_wc wc;
	void *context;

	fd_becomes_readable(owner->channel->fd, "the event of a completion");
	CHECK_EQ(ibv_get_cq_event(owner->channel, &told, &context), 0);
	CHECK(told == cq, "the completion is another queue's");
	ibv_ack_cq_events(cq, 1);
	CHECK_EQ(ibv_poll_cq(cq, 1, &wc), 1);
	CHECK_EQ(wc.status, IBV_WC_WR_FLUSH_ERR);
	CHECK_EQ(wc.qp_num, qpn);
	CHECK_EQ(wc.wr_id, wr_id);
	CHECK_EQ(ibv_poll_cq(cq, 1, &wc), 0);
}

static void *make_cqs(void *arg)
{
	struct owner *owner = arg;
	struct ibv_recv_wr *bad;

	for (int i = 0; i < ROUNDS; i++) {
		struct ibv_cq *cq = new_cq(owner, owner->channel);
		struct ibv_qp *qp = new_rc(owner, cq, NULL);
		struct ibv_recv_wr wr = { .wr_id = IMMEDIATE(owner, i) };

		got_number(owner, CQS + number_of_cq(cq));
		CHECK_EQ(ibv_req_notify_cq(cq, 0), 0);
		CHECK_EQ(ibv_post_recv(qp, &wr, &bad), 0);
		is_silent(owner->channel->fd, "the event of a queue without completions");
		modify(owner, qp, IBV_QPS_ERR, 0);
		if (i % 2)
			expect_completion(owner, cq, qp->qp_num, wr.wr_id);
		CHECK_EQ(ibv_destroy_qp(qp), 0);
		CHECK_EQ(ibv_destroy_cq(cq), 0);
	}
	return NULL;
}

static void cq_numbers(void)
{
	run_both(make_cqs);
}

/* --- DC targets, each with the key of its owner, who sends to it */

static struct ibv_qp *new_dc(struct owner *owner, enum mlx5dv_dc_type type)
{
	struct mlx5dv_qp_init_attr dv = {
		.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC, .dc_init_attr = { .dc_type = type },
	};
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_DRIVER, .send_cq = owner->sends, .recv_cq = owner->cq,
		.comp_mask = IBV_QP_INIT_ATTR_PD, .pd = owner->pd,
	};
	struct ibv_qp *qp;

	if (type == MLX5DV_DCTYPE_DCT) {
		dv.dc_init_attr.dct_access_key = DC_KEY(owner);
		attr.srq = owner->srq;
	} else {
		attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		attr.send_ops_flags = IBV_QP_EX_WITH_SEND_WITH_IMM;
		attr.cap = (struct ibv_qp_cap){ .max_send_wr = 4, .max_send_sge = 1 };
	}
	qp = mlx5dv_create_qp(owner->context, &attr, &dv);
	CHECK(qp, "an initiator or a target: %s", strerrorname_np(errno));
	return qp;
}

static struct ibv_qp *new_target(struct owner *owner)
{
	struct ibv_qp *target = new_dc(owner, MLX5DV_DCTYPE_DCT);

	modify(owner, target, IBV_QPS_INIT, INIT);
	modify(owner, target, IBV_QPS_RTR, IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU);
	got_number(owner, target->qp_num);
	return target;
}

static void start_initiator(struct owner *owner)
{
	modify(owner, owner->initiator, IBV_QPS_RESET, 0);
	modify(owner, owner->initiator, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT);
	modify(owner, owner->initiator, IBV_QPS_RTR, IBV_QP_PATH_MTU);
	modify(owner, owner->initiator, IBV_QPS_RTS,
	       IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
	       IBV_QP_MAX_QP_RD_ATOMIC);
}

static void make_initiator(struct owner *owner)
{
	struct ibv_ah_attr address = { .dlid = owner->lid, .port_num = 1 };

	owner->ah = ibv_create_ah(owner->pd, &address);
	CHECK(owner->ah, "an address");
	owner->initiator = new_dc(owner, MLX5DV_DCTYPE_DCI);
}

static void send_to(struct owner *owner, uint32_t dctn, uint32_t immediate)
{
	struct ibv_qp_ex *qp = ibv_qp_to_qp_ex(owner->initiator);

	ibv_wr_start(qp);
	qp->wr_id = immediate;
	qp->wr_flags = IBV_SEND_SIGNALED;
	ibv_wr_send_imm(qp, htobe32(immediate));
	mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(qp), owner->ah, dctn, DC_KEY(owner));
	ibv_wr_set_sge_list(qp, 0, NULL);
	CHECK_EQ(ibv_wr_complete(qp), 0);
}

/* The send has ended, well or not. */
static enum ibv_wc_status sent(struct owner *owner, uint32_t immediate)
{
	struct ibv_wc wc;
	int count;

	while (!(count = ibv_poll_cq(owner->sends, 1, &wc)))
		sched_yield();
	CHECK_EQ(count, 1);
	CHECK_EQ(wc.wr_id, immediate);
	return wc.status;
}

/* What has come in, if it has, is this. */
static int received(struct owner *owner, uint32_t immediate)
{
	struct ibv_wc wc;
	int count = ibv_poll_cq(owner->cq, 1, &wc);

	if (!count)
		return 0;
	CHECK_EQ(count, 1);
	CHECK_EQ(wc.status, IBV_WC_SUCCESS);
	CHECK_EQ(be32toh(wc.imm_data), immediate);
	return 1;
}

/* As many as there's room for: a target that goes may have taken one, and told nobody. */
static void post_receives(struct owner *owner)
{
	struct ibv_recv_wr wr = { .wr_id = 1 }, *bad;
	int error;

	while (!(error = ibv_post_srq_recv(owner->srq, &wr, &bad)))
		;
	CHECK_EQ(error, ENOMEM);
}

static void *make_targets(void *arg)
{
	struct owner *owner = arg;

	make_initiator(owner);
	start_initiator(owner);
	for (int i = 0; i < DC_ROUNDS; i++) {
		struct ibv_qp *target = new_target(owner);
		uint32_t immediate = IMMEDIATE(owner, i);

		post_receives(owner);
		send_to(owner, target->qp_num, immediate);
		if (i % 2) {
			CHECK_EQ(sent(owner, immediate), IBV_WC_SUCCESS);
			CHECK_EQ(received(owner, immediate), 1);
		}
		CHECK_EQ(ibv_destroy_qp(target), 0);
		if (!(i % 2) && sent(owner, immediate) != IBV_WC_SUCCESS)
			start_initiator(owner);
		received(owner, immediate);
		CHECK_EQ(received(owner, immediate), 0);
	}
	return NULL;
}

static void dct_numbers(void)
{
	run_both(make_targets);
}

const struct test_case mlx5_number_cases[] = {
	{ "srq-numbers", srq_numbers },
	{ "qp-numbers", qp_numbers },
	{ "cq-numbers", cq_numbers },
	{ "dct-numbers", dct_numbers },
	{}
};
