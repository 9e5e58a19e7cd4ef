// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Events of completion queues. The second endpoint receives, and its events are looked at.
 */
#include <time.h>

#include "cases.h"
#include "check.h"
#include "endpoint.h"

struct pair {
	struct endpoint a, b;
	unsigned int events; /* of b, to be acknowledged */
};

static struct pair set_up(void)
{
	static const struct endpoint_options options = {};
	struct pair pair = {
		.a = endpoint_create("PORT_A", &options), .b = endpoint_create("PORT_B", &options),
	};

	endpoint_connect(&pair.a, &pair.b);
	for (int i = 0; i < 32; i++)
		endpoint_receive(&pair.b, 64);
	return pair;
}

static void tear_down(struct pair *pair)
{
	ibv_ack_cq_events(pair->b.cq, pair->events);
	endpoint_destroy(&pair->a);
	endpoint_destroy(&pair->b);
}

static void arm(struct pair *pair, int solicited_only)
{
	CHECK_EQ(ibv_req_notify_cq(pair->b.cq, solicited_only), 0);
}

static void send(struct pair *pair, unsigned int flags)
{
	endpoint_send(&pair->a, 8, flags);
	endpoint_expect(&pair->a, IBV_WC_SEND);
}

static void take_event(struct pair *pair)
{
	struct ibv_cq *cq;
	void *context;

	fd_becomes_readable(pair->b.channel->fd, "a completion event");
	CHECK_EQ(ibv_get_cq_event(pair->b.channel, &cq, &context), 0);
	CHECK(cq == pair->b.cq, "the event is of another queue");
	pair->events++;
}

/* A message comes, and makes no event. */
static void comes_silently(struct pair *pair, unsigned int flags, const char *what)
{
	send(pair, flags);
	endpoint_expect(&pair->b, IBV_WC_RECV);
	fd_stays_silent(pair->b.channel->fd, what);
}

static void armed_once(void)
{
	struct pair pair = set_up();

	comes_silently(&pair, 0, "an event of a queue that was never armed");
	for (int i = 0; i < 3; i++) {
		arm(&pair, 0);
		fd_stays_silent(pair.b.channel->fd, "an event before anything completes");
		send(&pair, 0);
		take_event(&pair);
		endpoint_expect(&pair.b, IBV_WC_RECV);
		comes_silently(&pair, 0, "a second event");
	}
	tear_down(&pair);
}

/* What has completed since software last looked makes an event as soon as it's asked for. */
static void armed_late(void)
{
	struct pair pair = set_up();

	send(&pair, 0);
	fd_stays_silent(pair.b.channel->fd, "an event before the queue is armed");
	arm(&pair, 0);
	take_event(&pair);
	endpoint_expect(&pair.b, IBV_WC_RECV);
	tear_down(&pair);
}

static void solicited(void)
{
	struct pair pair = set_up();

	arm(&pair, 1);
	comes_silently(&pair, 0, "an event that nobody solicited");
	send(&pair, IBV_SEND_SOLICITED);
	take_event(&pair);
	endpoint_expect(&pair.b, IBV_WC_RECV);
	comes_silently(&pair, IBV_SEND_SOLICITED, "a second event");
	tear_down(&pair);
}

/* Errors are events to those, too, who wait for solicited ones alone. */
static void solicited_error(void)
{
	struct pair pair = set_up();

	arm(&pair, 1);
	endpoint_to_error(&pair.b);
	take_event(&pair);
	CHECK_EQ(endpoint_poll(&pair.b).status, IBV_WC_WR_FLUSH_ERR);
	tear_down(&pair);
}

#define PERIOD_US 4095 /* the longest that mlx5 has */
#define NEVER 65535
#define MESSAGES 200

static int64_t now_us(void)
{
	struct timespec now;

	CHECK_OK(clock_gettime(CLOCK_MONOTONIC, &now));
	return now.tv_sec * 1000000ll + now.tv_nsec / 1000;
}

static void moderate(struct pair *pair, uint16_t count, uint16_t period_us)
{
	struct ibv_modify_cq_attr attr = {
		.attr_mask = IBV_CQ_ATTR_MODERATE,
		.moderate = { .cq_count = count, .cq_period = period_us },
	};

	CHECK_EQ(ibv_modify_cq(pair->b.cq, &attr), 0);
}

/*
 * Each message is told, though there are never as many as the count at a time, but no two events
 * are closer together than the period, however fast messages come. (A machine so busy that they
 * come more slowly than that passes without moderation, too.)
 */
static void moderated(void)
{
	struct pair pair = set_up();
	int64_t begin = now_us(), end;

	moderate(&pair, NEVER, PERIOD_US);
	for (int i = 0; i < MESSAGES; i++) {
		arm(&pair, 0);
		send(&pair, 0);
		take_event(&pair);
		endpoint_expect(&pair.b, IBV_WC_RECV);
		endpoint_receive(&pair.b, 64);
	}
	end = now_us();
	CHECK(end - begin >= (MESSAGES - 1) * PERIOD_US, "%d events within %lld us", MESSAGES,
	      (long long)(end - begin));
	tear_down(&pair);
}

const struct test_case completion_cases[] = {
	{ "armed-once", armed_once },
	{ "armed-late", armed_late },
	{ "solicited", solicited },
	{ "solicited-error", solicited_error },
	{ "moderated", moderated },
	{}
};
