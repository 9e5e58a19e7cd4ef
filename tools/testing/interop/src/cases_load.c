// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

enum {
	QUEUE_LIMIT = 200000,	/* packets that may wait for a reader */
	TOO_MANY = 500,		/* sent beyond it */
	SYNC_EVERY = 256,
};

/*
 * A client dies with sends outstanding, MADs unread and a reader asleep; all that it held is free
 * again.
 */
static void killed(void)
{
	struct port a = port_a(), b = port_b();
	int ready[2], status;
	char byte;
	pid_t child;

	CHECK_OK(pipe(ready));
	child = CHECK_OK(fork());
	if (!child) {
		int client = port_open(&a, 0), server = port_open(&b, 0);
		struct packet request;

		CHECK_EQ(agent_register2(client, &client_spec), 0);
		CHECK_EQ(agent_register2(server, &server_spec), 0);
		for (int i = 0; i < 300; i++) {
			packet_init(&request, 0, &a, &b, METHOD_SEND, i);
			request.hdr.timeout_ms = 600000;
			packet_send(client, &request);
		}
		CHECK_EQ(write(ready[1], "", 1), 1);
		pause();
	}
	CHECK_EQ(read(ready[0], &byte, 1), 1);
	CHECK_OK(kill(child, SIGKILL));
	CHECK_OK(waitpid(child, &status, 0));
	CHECK(WIFSIGNALED(status), "the client ended by itself");

	int server = port_open(&b, 0), client = port_open(&a, 0);
	struct packet request, got;

	CHECK_EQ(agent_register2(server, &server_spec), 0);
	CHECK_EQ(agent_register2(client, &client_spec), 0);
	packet_init(&request, 0, &a, &b, METHOD_SEND, 0xfe);
	packet_send(client, &request);
	do
		packet_receive(server, &got, UMAD_HDR);
	while ((be64toh(packet_mad(&got)->hdr.tid) & 0xffffffff) != 0xfe);
}

/* Answers every Get, until it's killed. */
static void serve(const struct port *b)
{
	static struct packet request, response;
	int fd = port_open(b, 0);

	CHECK_EQ(agent_register2(fd, &server_spec), 0);
	for (;;) {
		ssize_t got = CHECK_OK(read(fd, request.bytes, sizeof(request.bytes)));

		request.hdr_len = UMAD_HDR;
		request.mad_len = got - UMAD_HDR;
		packet_respond(&response, &request, 0);
		packet_send(fd, &response);
	}
}

/* Clients come and go while answers to them are on their way. */
static void churn(void)
{
	enum { CLIENTS = 3, ROUNDS = 60 };
	struct port a = port_a(), b = port_b();
	pid_t server, clients[CLIENTS];
	int status;

	server = CHECK_OK(fork());
	if (!server)
		serve(&b);
	for (int i = 0; i < CLIENTS; i++) {
		clients[i] = CHECK_OK(fork());
		if (clients[i])
			continue;
		for (int round = 0; round < ROUNDS; round++) {
			static struct packet packet;
			int fd = port_open(&a, 0);

			CHECK_EQ(agent_register2(fd, &client_spec), 0);
			for (int tid = 0; tid < 5; tid++) {
				packet_init(&packet, 0, &a, &b, METHOD_GET, tid);
				packet.hdr.timeout_ms = 60000;
				packet_send(fd, &packet);
			}
			usleep(round % 7 * 1000);
			if (round % 2)
				CHECK_OK(agent_unregister(fd, 0));
			close(fd);
		}
		_exit(0);
	}
	for (int i = 0; i < CLIENTS; i++) {
		CHECK_OK(waitpid(clients[i], &status, 0));
		CHECK_EQ(status, 0);
	}
	CHECK_OK(kill(server, SIGKILL));
	CHECK_OK(waitpid(server, &status, 0));
}

static long long dropped(const struct port *port)
{
	char path[400];
	long long count;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/%s/recv_dropped",
		 strrchr(port->node, '/') + 1);
	file = fopen(path, "r");
	CHECK(file, "no %s", path);
	CHECK(fscanf(file, "%lld", &count) == 1, "%s holds no number", path);
	fclose(file);
	return count;
}

/* An answered request: all that was sent before it has arrived by then. */
static void sync_through(int client, int server, const struct port *a, const struct port *b,
			 uint32_t tid)
{
	static struct packet packet, got;

	packet_init(&packet, 0, a, b, METHOD_GET, tid);
	packet_mad(&packet)->hdr.mgmt_class = 0x31;
	packet.hdr.timeout_ms = 60000;
	packet_send(client, &packet);
	packet_receive(server, &got, UMAD_HDR);
	packet_respond(&packet, &got, 0);
	packet_send(server, &packet);
	packet_receive(client, &got, UMAD_HDR);
}

/*
 * A reader stalls while MADs come in. Others on its port don't suffer; then it finds what its queue
 * has kept, in order, and behind that its own timed-out send, which isn't dropped however full the
 * queue was.
 */
static void stall(uint32_t sent, uint32_t kept)
{
	struct port a = port_a(), b = port_b();
	struct agent_spec spec = server_spec;
	struct packet packet;
	int client = port_open(&a, 0), stalled = port_open(&b, 0), other = port_open(&b, 0);

	CHECK_EQ(agent_register2(client, &client_spec), 0);
	CHECK_EQ(agent_register2(stalled, &server_spec), 0);
	CHECK_EQ(agent_register2(stalled, &client_spec), 1);
	spec.mgmt_class = 0x31;
	CHECK_EQ(agent_register2(other, &spec), 0);

	for (uint32_t i = 0; i < sent; i++) {
		packet_init(&packet, 0, &a, &b, METHOD_SEND, i);
		packet_send(client, &packet);
		if (i % SYNC_EVERY == 0)
			sync_through(client, other, &a, &b, i);
	}
	sync_through(client, other, &a, &b, ~0u);

	packet_init(&packet, 1, &b, &a, METHOD_SEND, 0xf100d);
	packet.hdr.timeout_ms = 1;
	packet_send(stalled, &packet);
	for (uint32_t i = 0; i < kept; i++) {
		packet_receive(stalled, &packet, UMAD_HDR);
		CHECK_EQ(be64toh(packet_mad(&packet)->hdr.tid) & 0xffffffff, i);
	}
	packet_receive(stalled, &packet, UMAD_HDR);
	CHECK_EQ(packet.hdr.status, ETIMEDOUT);
	CHECK_EQ(be64toh(packet_mad(&packet)->hdr.tid) & 0xffffffff, 0xf100d);
	check_nothing_queued(stalled);
}

static void stalled_reader(void)
{
	stall(2000, 2000);
}

/* The queue takes 200,000 packets and not one more, and what's beyond is counted. */
static void flood(void)
{
	struct port b = port_b();
	long long before = dropped(&b);

	stall(QUEUE_LIMIT + TOO_MANY, QUEUE_LIMIT);
	CHECK_EQ(dropped(&b) - before, TOO_MANY);
}

const struct test_case load_cases[] = {
	{ "killed", killed },
	{ "churn", churn },
	{ "stalled-reader", stalled_reader },
	{ "flood", flood },
	{}
};
