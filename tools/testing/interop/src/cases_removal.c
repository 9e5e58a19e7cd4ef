// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The device of port A goes while a program has all of it in use: queues, doorbells that are
 * mapped, somebody who waits for a completion. UNPLUG and REPLUG say how.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "endpoint.h"

static void run_command(const char *variable)
{
	const char *command = getenv(variable);

	CHECK(command, "%s isn't set", variable);
	CHECK(system(command) == 0, "%s: '%s' failed", variable, command);
}

/* Waits for a completion; the errno with which that ends. */
static void *wait_for_completion(void *channel)
{
	struct ibv_cq *cq;
	void *context;
	long error = ibv_get_cq_event(channel, &cq, &context) ? errno : 0;

	return (void *)error;
}

/* Nobody hears the doorbell any more, and ringing it does no harm. */
static void ring_in_vain(struct endpoint *endpoint)
{
	struct ibv_wc wc;

	endpoint_receive(endpoint, 8);
	endpoint_send(endpoint, 8, 0);
	CHECK_EQ(ibv_poll_cq(endpoint->cq, 1, &wc), 0);
	CHECK_EQ(ibv_req_notify_cq(endpoint->cq, 0), 0);
}

static void check_removed(struct endpoint *endpoint)
{
	struct ibv_async_event event;
	struct ibv_qp_init_attr init;
	struct ibv_port_attr port;
	struct ibv_qp_attr attr;

	fd_becomes_readable(endpoint->context->async_fd, "the last word of the device");
	CHECK_EQ(ibv_get_async_event(endpoint->context, &event), 0);
	CHECK_EQ(event.event_type, IBV_EVENT_DEVICE_FATAL);
	ibv_ack_async_event(&event);
	fd_stays_silent(endpoint->context->async_fd, "an event after the last one");
	CHECK_EQ(ibv_query_port(endpoint->context, 1, &port), EIO);
	CHECK_EQ(ibv_query_qp(endpoint->qp, &attr, IBV_QP_STATE, &init), EIO);
	CHECK(!ibv_alloc_pd(endpoint->context) && errno == EIO, "a PD of no device: %s",
	      strerrorname_np(errno));
}

static void removed_under_use(void)
{
	static const struct endpoint_options options = {};
	struct endpoint endpoint = endpoint_create("PORT_A", &options), fresh;
	pthread_t waiter;
	void *error;

	endpoint_to_rtr(&endpoint, &endpoint);
	endpoint_to_rts(&endpoint);
	endpoint_receive(&endpoint, 8);
	endpoint_send(&endpoint, 8, 0);
	endpoint_poll(&endpoint);
	endpoint_poll(&endpoint);
	CHECK_EQ(pthread_create(&waiter, NULL, wait_for_completion, endpoint.channel), 0);
	usleep(300000);
	run_command("UNPLUG");
	CHECK_EQ(pthread_join(waiter, &error), 0);
	CHECK_EQ((long)error, EIO);
	check_removed(&endpoint);
	ring_in_vain(&endpoint);

	/* The same for the old file later on; what was made can be destroyed. A new one works. */
	run_command("REPLUG");
	CHECK_EQ(ibv_query_port(endpoint.context, 1, &(struct ibv_port_attr){}), EIO);
	ring_in_vain(&endpoint);
	endpoint_destroy(&endpoint);
	fresh = endpoint_create("PORT_A", &options);
	endpoint_destroy(&fresh);
}

const struct test_case unplugged_cases[] = {
	{ "removed-under-use", removed_under_use },
	{}
};
