// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Asynchronous events of queue pairs, shared receive queues and completion queues. The second
 * endpoint is the one to which something happens.
 */
#include "cases.h"
#include "check.h"
#include "endpoint.h"

#define REMOTE (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

struct pair {
	struct endpoint a, b;
};

static struct pair set_up(const struct endpoint_options *options)
{
	static const struct endpoint_options plain = {};
	struct pair pair = {
		.a = endpoint_create("PORT_A", &plain), .b = endpoint_create("PORT_B", options),
	};

	return pair;
}

static void tear_down(struct pair *pair)
{
	endpoint_destroy(&pair->a);
	endpoint_destroy(&pair->b);
}

static struct ibv_async_event get_event(struct endpoint *endpoint, const char *what)
{
	struct ibv_async_event event;

	fd_becomes_readable(endpoint->context->async_fd, what);
	CHECK_EQ(ibv_get_async_event(endpoint->context, &event), 0);
	ibv_ack_async_event(&event);
	return event;
}

static void expect_event(struct endpoint *endpoint, enum ibv_event_type type)
{
	CHECK_EQ(get_event(endpoint, ibv_event_type_str(type)).event_type, type);
}

/* Of the queue pair itself. */
static void expect_qp_event(struct endpoint *endpoint, enum ibv_event_type type)
{
	struct ibv_async_event event = get_event(endpoint, ibv_event_type_str(type));

	CHECK_EQ(event.event_type, type);
	CHECK(event.element.qp == endpoint->qp, "the event is of another queue pair");
}

static void no_event(struct endpoint *endpoint)
{
	fd_stays_silent(endpoint->context->async_fd, "an asynchronous event");
}

static enum ibv_qp_state state_of(struct endpoint *endpoint)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	CHECK_EQ(ibv_query_qp(endpoint->qp, &attr, IBV_QP_STATE, &init), 0);
	return attr.qp_state;
}

static void send(struct pair *pair)
{
	endpoint_send(&pair->a, 8, 0);
	endpoint_expect(&pair->a, IBV_WC_SEND);
}

/* The first message comes before this side has moved on: once told, not again. */
static void communication_established(void)
{
	struct pair pair = set_up(&(struct endpoint_options){});

	endpoint_to_rtr(&pair.a, &pair.b);
	endpoint_to_rtr(&pair.b, &pair.a);
	endpoint_to_rts(&pair.a);
	for (int i = 0; i < 2; i++)
		endpoint_receive(&pair.b, 8);
	no_event(&pair.b);
	send(&pair);
	expect_qp_event(&pair.b, IBV_EVENT_COMM_EST);
	send(&pair);
	endpoint_to_rts(&pair.b);
	no_event(&pair.b);
	tear_down(&pair);
}

static void limit(struct endpoint *endpoint, uint32_t limit)
{
	struct ibv_srq_attr attr = { .srq_limit = limit };

	CHECK_EQ(ibv_modify_srq(endpoint->srq, &attr, IBV_SRQ_LIMIT), 0);
}

/* Fewer than the limit are left: told once for each time that the limit is set. */
static void srq_limit(void)
{
	struct pair pair = set_up(&(struct endpoint_options){ .srq = true });
	struct ibv_async_event event;

	endpoint_connect(&pair.a, &pair.b);
	for (int i = 0; i < 8; i++)
		endpoint_receive(&pair.b, 8);
	limit(&pair.b, 4);
	for (int i = 0; i < 4; i++)
		send(&pair);
	no_event(&pair.b);
	send(&pair);
	event = get_event(&pair.b, "limit reached");
	CHECK_EQ(event.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
	CHECK(event.element.srq == pair.b.srq, "the event is of another queue");
	send(&pair);
	no_event(&pair.b);
	limit(&pair.b, 1);
	send(&pair);
	no_event(&pair.b);
	send(&pair);
	expect_event(&pair.b, IBV_EVENT_SRQ_LIMIT_REACHED);
	tear_down(&pair);
}

/* Only then may what a queue pair has taken from a shared receive queue be thought back. */
static void last_wqe(void)
{
	struct pair pair = set_up(&(struct endpoint_options){ .srq = true });

	endpoint_connect(&pair.a, &pair.b);
	no_event(&pair.b);
	endpoint_to_error(&pair.b);
	expect_qp_event(&pair.b, IBV_EVENT_QP_LAST_WQE_REACHED);
	no_event(&pair.b);
	tear_down(&pair);
}

/* Both sides end in error: this one by a completion, the other one, which has none, by an event. */
static void fails(struct pair *pair, enum ibv_wr_opcode opcode, uint32_t rkey,
		  enum ibv_wc_status status, enum ibv_event_type type)
{
	endpoint_rdma(&pair->a, opcode, (uintptr_t)pair->b.buffer, rkey);
	CHECK_EQ(endpoint_poll(&pair->a).status, status);
	expect_qp_event(&pair->b, type);
	CHECK_EQ(state_of(&pair->a), IBV_QPS_ERR);
	CHECK_EQ(state_of(&pair->b), IBV_QPS_ERR);
	no_event(&pair->b);
	no_event(&pair->a);
}

static void access_error(void)
{
	struct pair pair = set_up(&(struct endpoint_options){ .access = REMOTE });

	endpoint_connect(&pair.a, &pair.b);
	fails(&pair, IBV_WR_RDMA_WRITE, pair.b.mr->rkey ^ 1, IBV_WC_REM_ACCESS_ERR,
	      IBV_EVENT_QP_ACCESS_ERR);
	tear_down(&pair);
}

static void request_error(void)
{
	struct pair pair = set_up(&(struct endpoint_options){ .access = IBV_ACCESS_REMOTE_WRITE });

	endpoint_connect(&pair.a, &pair.b);
	fails(&pair, IBV_WR_RDMA_READ, pair.b.mr->rkey, IBV_WC_REM_INV_REQ_ERR,
	      IBV_EVENT_QP_REQ_ERR);
	tear_down(&pair);
}

/* More completions than there is room for: the queue is lost, and the queue pair with it. */
static void cq_error(void)
{
	struct pair pair = set_up(&(struct endpoint_options){ .cqe = 3 });
	struct ibv_async_event event;

	endpoint_connect(&pair.a, &pair.b);
	for (int i = 0; i < 16; i++)
		endpoint_receive(&pair.b, 8);
	for (int i = 0; i < 16; i++)
		endpoint_send(&pair.a, 8, 0);
	event = get_event(&pair.b, "CQ error");
	CHECK_EQ(event.event_type, IBV_EVENT_CQ_ERR);
	CHECK(event.element.cq == pair.b.cq, "the event is of another queue");
	expect_qp_event(&pair.b, IBV_EVENT_QP_FATAL);
	CHECK_EQ(state_of(&pair.b), IBV_QPS_ERR);
	tear_down(&pair);
}

const struct test_case async_cases[] = {
	{ "communication-established", communication_established },
	{ "srq-limit", srq_limit },
	{ "last-wqe", last_wqe },
	{ "access-error", access_error },
	{ "request-error", request_error },
	{ "cq-error", cq_error },
	{}
};
