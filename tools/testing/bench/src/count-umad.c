// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Management datagrams through umad, in windows for the plugin: a request and its response, and the
 * same with many other requests outstanding at the same agent.
 *
 * usage: count-umad       (PORT_A and PORT_B of the environment)
 */
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"
#include "umad.h"

enum {
	REPETITIONS = 100,
	FOREVER_MS = 3600 * 1000, /* nothing times out while it's measured */
	NOBODYS_LID = 0xb000,
};

static struct port a, b;
static int client, server;
static struct packet request, got, response;
static uint32_t next_tid = 1;

static void open_agents(void)
{
	client = port_open(&a, 0);
	server = port_open(&b, 0);
	CHECK_EQ(agent_register2(client, &client_spec), 0);
	CHECK_EQ(agent_register2(server, &server_spec), 0);
}

static void next_request(const struct port *to)
{
	packet_init(&request, 0, &a, to, METHOD_GET, next_tid++);
	request.hdr.timeout_ms = FOREVER_MS;
}

/* Without poll(): a system call less in the window. */
static void receive(int fd)
{
	got.hdr_len = UMAD_HDR;
	got.mad_len = CHECK_OK(read(fd, got.bytes, UMAD_HDR + MAD_SIZE)) - UMAD_HDR;
	CHECK_EQ(got.hdr.status, 0);
}

static void round_trip(void)
{
	next_request(&b);
	packet_send(client, &request);
	receive(server);
	packet_respond(&response, &got, 0);
	packet_send(server, &response);
	receive(client);
}

static void count_round_trips(void)
{
	for (int i = 0; i < REPETITIONS; i++) {
		mark_begin();
		round_trip();
		mark_end("umad_round_trip");
	}
}

/*
 * Among outstanding requests, that of the round trip included: the write of one, and what the
 * response takes.
 */
static void count_among(unsigned int outstanding)
{
	char write_name[40], match_name[40];

	snprintf(write_name, sizeof(write_name), "umad_write_%u_outstanding", outstanding);
	snprintf(match_name, sizeof(match_name), "umad_match_%u_outstanding", outstanding);
	for (int i = 0; i < REPETITIONS; i++) {
		next_request(&b);
		mark_begin();
		packet_send(client, &request);
		mark_end(write_name);
		receive(server);
		packet_respond(&response, &got, 0);
		mark_begin();
		packet_send(server, &response);
		receive(client);
		mark_end(match_name);
	}
}

/* Requests that nobody answers. */
static void leave_outstanding(unsigned int requests)
{
	struct port nobody = b;

	nobody.lid = NOBODYS_LID;
	for (unsigned int i = 0; i < requests; i++) {
		next_request(&nobody);
		packet_send(client, &request);
	}
	round_trip(); /* all of them have been sent: there's one queue */
}

int main(void)
{
	static const unsigned int steps[] = { 1, 100, 10000 };
	unsigned int outstanding = 1;

	a = port_a();
	b = port_b();
	open_agents();
	round_trip();
	count_round_trips();
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		leave_outstanding(steps[i] - outstanding);
		outstanding = steps[i];
		count_among(outstanding);
	}
	return 0;
}
