// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

enum { ATTEMPT_MS = 300 };

/* A client on port A, a server on port B, both with the new header. */
struct pair {
	struct port a, b;
	int client, server;
};

static struct pair open_pair(void)
{
	struct pair pair = { .a = port_a(), .b = port_b() };

	pair.client = port_open(&pair.a, 0);
	pair.server = port_open(&pair.b, 0);
	CHECK_EQ(agent_register2(pair.client, &client_spec), 0);
	CHECK_EQ(agent_register2(pair.server, &server_spec), 0);
	return pair;
}

static uint32_t tid_high(struct packet *packet)
{
	return be64toh(packet_mad(packet)->hdr.tid) >> 32;
}

/* What a received header says about where its MAD came from: enough to answer it. */
static void check_source(const struct packet *packet, const struct port *from,
			 const struct port *to)
{
	const struct ib_user_mad_hdr *hdr = &packet->hdr;

	CHECK_EQ(hdr->status, 0);
	CHECK_EQ(hdr->length, packet->hdr_len + packet->mad_len);
	CHECK_EQ(ntohl(hdr->qpn), GSI_QPN);
	CHECK_EQ(hdr->path_bits, 0);
	CHECK_EQ(hdr->grh_present, from->roce);
	if (from->roce) {
		CHECK_BYTES(hdr->gid, from->gid, 16);
		CHECK_EQ(hdr->gid_index, to->gid_index);
	} else {
		CHECK_EQ(ntohs(hdr->lid), from->lid);
	}
	if (packet->hdr_len == UMAD_HDR)
		CHECK_EQ(hdr->pkey_index, 0);
}

/* The same MAD but for the TID's upper half, which is the kernel's. */
static void check_same_mad(struct packet *got, struct packet *sent)
{
	struct mad copy = *packet_mad(sent);

	CHECK_EQ(got->mad_len, MAD_SIZE);
	CHECK_EQ(be64toh(packet_mad(got)->hdr.tid) & 0xffffffff,
		 be64toh(copy.hdr.tid) & 0xffffffff);
	copy.hdr.tid = packet_mad(got)->hdr.tid;
	CHECK_BYTES(packet_mad(got), &copy, sizeof(copy));
	CHECK_BYTES(packet_mad(got)->data, packet_mad(sent)->data, MAD_SIZE - sizeof(copy));
}

/* A request and its response, by agent ids other than 0 on both sides. */
static void echo(void)
{
	struct pair pair = open_pair();
	struct packet request, response, got;
	uint32_t high;

	CHECK_EQ(agent_register2(pair.client, &client_spec), 1);
	CHECK_EQ(agent_register2(pair.client, &client_spec), 2);

	packet_init(&request, 1, &pair.a, &pair.b, METHOD_GET, 0x8badf00d);
	packet_mad(&request)->hdr.tid |= htobe64(0xdeadbeefull << 32);
	request.hdr.timeout_ms = 20000;
	packet_send(pair.client, &request);

	packet_receive(pair.server, &got, UMAD_HDR);
	CHECK_EQ(got.hdr.id, 0);
	check_source(&got, &pair.a, &pair.b);
	check_same_mad(&got, &request);
	high = tid_high(&got);
	CHECK(high && high < 1 << 24, "the kernel's half of the TID is 0x%x", high);

	packet_respond(&response, &got, 0);
	packet_send(pair.server, &response);
	packet_receive(pair.client, &got, UMAD_HDR);
	CHECK_EQ(got.hdr.id, 1);
	check_source(&got, &pair.b, &pair.a);
	check_same_mad(&got, &response);
	CHECK_EQ(tid_high(&got), high);

	/* That was all: the sender of an answered request hears nothing more. */
	CHECK_OK(agent_unregister(pair.client, 1));
	check_nothing_queued(pair.client);
	check_nothing_queued(pair.server);
}

/*
 * A file that never asked for the P_Key index has the header of 56 bytes, whatever it calls later.
 */
static void old_header(void)
{
	struct pair pair = { .a = port_a(), .b = port_b() };
	struct packet request, response, got;

	pair.client = port_open(&pair.a, O_NONBLOCK);
	pair.server = port_open(&pair.b, 0);
	CHECK_FAILS(read(pair.client, got.bytes, UMAD_HDR_OLD - 1), EINVAL);
	CHECK_FAILS(read(pair.client, got.bytes, UMAD_HDR_OLD), EAGAIN);
	CHECK_EQ(agent_register(pair.client, &client_spec), 0);
	CHECK_EQ(agent_register2(pair.client, &client_spec), 1);
	CHECK_EQ(agent_register(pair.server, &server_spec), 0);

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SET, 0x01020304);
	request.hdr_len = UMAD_HDR_OLD;
	memmove(packet_mad(&request), request.bytes + UMAD_HDR, MAD_SIZE);
	request.hdr.timeout_ms = 20000;
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR_OLD);
	check_source(&got, &pair.a, &pair.b);
	check_same_mad(&got, &request);
	packet_respond(&response, &got, 0);
	packet_send(pair.server, &response);
	packet_receive(pair.client, &got, UMAD_HDR_OLD);
	check_source(&got, &pair.b, &pair.a);
	check_same_mad(&got, &response);
}

/* Both ways to the new header: ENABLE_PKEY, and REGISTER_AGENT2 as the first registration. */
static void new_header(void)
{
	struct pair pair = { .a = port_a(), .b = port_b() };
	struct packet request, got;

	pair.client = port_open(&pair.a, O_NONBLOCK);
	pair.server = port_open(&pair.b, 0);
	CHECK_OK(ioctl(pair.client, IB_USER_MAD_ENABLE_PKEY));
	CHECK_FAILS(read(pair.client, got.bytes, UMAD_HDR - 1), EINVAL);
	CHECK_EQ(agent_register(pair.client, &client_spec), 0);
	CHECK_EQ(agent_register2(pair.server, &server_spec), 0);
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 7);
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	check_source(&got, &pair.a, &pair.b);
	check_same_mad(&got, &request);
}

/* Methods of every word of the mask reach the agent that registered them, by either ioctl. */
static void method_mask(void)
{
	static const uint8_t methods[] = { 0x03, 0x1f, 0x20, 0x3f, 0x40, 0x5f, 0x60, 0x7f };
	struct port a = port_a(), b = port_b();
	struct agent_spec spec = server_spec;
	struct packet request, got;
	int client = port_open(&a, 0), server = port_open(&b, 0);

	CHECK_EQ(agent_register2(client, &client_spec), 0);
	CHECK_OK(ioctl(server, IB_USER_MAD_ENABLE_PKEY));
	for (unsigned int i = 0; i < sizeof(methods); i++) {
		memset(spec.methods, 0, sizeof(spec.methods));
		spec.methods[methods[i] / 64] = METHOD_BIT(methods[i] % 64);
		CHECK_EQ(i % 4 < 2 ? agent_register(server, &spec) : agent_register2(server, &spec),
			 i);
	}
	for (unsigned int i = 0; i < sizeof(methods); i++) {
		packet_init(&request, 0, &a, &b, methods[i], i);
		packet_send(client, &request);
		packet_receive(server, &got, UMAD_HDR);
		CHECK_EQ(got.hdr.id, i);
		CHECK_EQ(packet_mad(&got)->hdr.method, methods[i]);
	}
}

/* A request that nobody answers comes back: header and TID, and ETIMEDOUT. */
static void check_timed_out(struct pair *pair, struct packet *request, struct packet *got)
{
	packet_receive(pair->client, got, UMAD_HDR);
	CHECK_EQ(got->mad_len, MAD_HDR_LEN);
	CHECK_EQ(got->hdr.status, ETIMEDOUT);
	CHECK_EQ(got->hdr.id, request->hdr.id);
	CHECK_BYTES(got->hdr.gid, request->hdr.gid, 16);
	CHECK_EQ(got->hdr.lid, request->hdr.lid);
	CHECK_EQ(be64toh(packet_mad(got)->hdr.tid) & 0xffffffff,
		 be64toh(packet_mad(request)->hdr.tid) & 0xffffffff);
	CHECK_EQ(packet_mad(got)->hdr.method, packet_mad(request)->hdr.method);
	CHECK_EQ(packet_mad(got)->hdr.mgmt_class, CLASS_VENDOR_0X30);
}

static void timeout(void)
{
	struct pair pair = open_pair();
	struct packet request, response, late, got;
	uint32_t high;

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 0x51);
	request.hdr.timeout_ms = ATTEMPT_MS;
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	high = tid_high(&got);
	check_timed_out(&pair, &request, &got);
	CHECK_EQ(tid_high(&got), high);

	/* It's over: the TID is free again, and a late response is nobody's. */
	packet_send(pair.client, &request);
	packet_receive(pair.server, &late, UMAD_HDR);
	check_timed_out(&pair, &request, &got);
	packet_respond(&response, &late, 0);
	packet_send(pair.server, &response);
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_GET, 0x5a);
	request.hdr.timeout_ms = 30000;
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	packet_respond(&response, &got, 0);
	packet_send(pair.server, &response);
	packet_receive(pair.client, &got, UMAD_HDR);
	check_same_mad(&got, &response);
}

/* A timed-out send is read whole or not at all, and stays queued until then. */
static void timeout_read_short(void)
{
	struct pair pair = open_pair();
	struct pollfd poll_fd = { .fd = pair.client, .events = POLLIN };
	struct packet request, got;

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 0x52);
	request.hdr.timeout_ms = ATTEMPT_MS;
	packet_send(pair.client, &request);
	CHECK_EQ(poll(&poll_fd, 1, 30000), 1);
	CHECK_FAILS(read(pair.client, got.bytes, UMAD_HDR + MAD_HDR_LEN - 1), EINVAL);
	check_timed_out(&pair, &request, &got);
}

/* As many copies as retries and one reach the server; then the client is told. */
static void retries(void)
{
	struct pair pair = open_pair();
	struct packet request, got;

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 0x53);
	request.hdr.timeout_ms = ATTEMPT_MS;
	request.hdr.retries = 3;
	packet_send(pair.client, &request);
	check_timed_out(&pair, &request, &got);
	for (int copy = 0; copy < 4; copy++) {
		packet_receive(pair.server, &got, UMAD_HDR);
		check_same_mad(&got, &request);
	}
	CHECK_OK(agent_unregister(pair.server, 0));
	check_nothing_queued(pair.server);
}

/* An answer to the second attempt ends the request. */
static void retry_answered(void)
{
	struct pair pair = open_pair();
	struct packet request, response, got;

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_GET, 0x54);
	request.hdr.timeout_ms = 2000;
	request.hdr.retries = 20;
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	packet_receive(pair.server, &got, UMAD_HDR);
	packet_respond(&response, &got, 0);
	packet_send(pair.server, &response);
	packet_receive(pair.client, &got, UMAD_HDR);
	check_same_mad(&got, &response);
	CHECK_EQ(got.hdr.status, 0);
	CHECK_OK(agent_unregister(pair.client, 0));
	check_nothing_queued(pair.client);
}

/* One MAD for each of 32 requests in flight, answered in the opposite order. */
static void many_in_flight(void)
{
	enum { COUNT = 32 };
	static struct packet requests[COUNT], got[COUNT], response;
	struct pair pair = open_pair();

	for (int i = 0; i < COUNT; i++) {
		packet_init(&requests[i], 0, &pair.a, &pair.b, METHOD_GET, 0x1000 + i);
		requests[i].hdr.timeout_ms = 30000;
		packet_send(pair.client, &requests[i]);
	}
	for (int i = 0; i < COUNT; i++) {
		packet_receive(pair.server, &got[i], UMAD_HDR);
		check_same_mad(&got[i], &requests[i]);
	}
	for (int i = COUNT - 1; i >= 0; i--) {
		struct packet answer;

		packet_respond(&response, &got[i], 0);
		packet_send(pair.server, &response);
		packet_receive(pair.client, &answer, UMAD_HDR);
		check_same_mad(&answer, &response);
	}
}

/* An agent that was unregistered gets nothing more; its requests end without a word. */
static void unregister_outstanding(void)
{
	struct pair pair = open_pair();
	struct packet request, response, got;

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_GET, 0x55);
	request.hdr.timeout_ms = 60000;
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	CHECK_OK(agent_unregister(pair.client, 0));
	packet_respond(&response, &got, 0);
	packet_send(pair.server, &response);

	/* Another agent under the same id isn't mistaken for it: what it hears is its own. */
	CHECK_EQ(agent_register2(pair.client, &client_spec), 0);
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_GET, 0x55);
	request.hdr.timeout_ms = 30000;
	packet_send(pair.client, &request);
	CHECK(tid_high(&got) != 0, "the first agent's TID");
	packet_receive(pair.server, &got, UMAD_HDR);
	CHECK(tid_high(&got) != tid_high(&response), "two agents compose TIDs alike");
	packet_respond(&response, &got, 0);
	packet_send(pair.server, &response);
	packet_receive(pair.client, &got, UMAD_HDR);
	check_same_mad(&got, &response);
	CHECK_EQ(tid_high(&got), tid_high(&response));
}

static void nonblock_and_poll(void)
{
	struct pair pair = open_pair();
	struct pollfd poll_fd = {
		.fd = pair.server, .events = POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM,
	};
	struct packet request, got;

	CHECK_OK(fcntl(pair.server, F_SETFL, O_NONBLOCK));
	CHECK_FAILS(read(pair.server, got.bytes, sizeof(got.bytes)), EAGAIN);
	CHECK_EQ(poll(&poll_fd, 1, 0), 1);
	CHECK_EQ(poll_fd.revents, POLLOUT | POLLWRNORM);

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 0x56);
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	packet_send(pair.client, &request);
	poll_fd.events = POLLIN | POLLRDNORM;
	CHECK_EQ(poll(&poll_fd, 1, 30000), 1);
	CHECK_EQ(poll_fd.revents, POLLIN | POLLRDNORM);
	packet_receive(pair.server, &got, UMAD_HDR);
	CHECK_FAILS(read(pair.server, got.bytes, sizeof(got.bytes)), EAGAIN);
}

/* A read with too little room, or into bad memory, costs nothing. */
static void read_refused(void)
{
	struct pair pair = open_pair();
	struct pollfd poll_fd = { .fd = pair.server, .events = POLLIN };
	struct packet request, got;

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 0x57);
	packet_send(pair.client, &request);
	CHECK_EQ(poll(&poll_fd, 1, 30000), 1);
	CHECK_FAILS(read(pair.server, got.bytes, 0), EINVAL);
	CHECK_FAILS(read(pair.server, got.bytes, UMAD_HDR - 1), EINVAL);
	CHECK_FAILS(read(pair.server, got.bytes, UMAD_HDR), EINVAL);
	CHECK_FAILS(read(pair.server, got.bytes, UMAD_HDR + MAD_SIZE - 1), EINVAL);
	CHECK_FAILS(read(pair.server, NULL, UMAD_HDR + MAD_SIZE), EFAULT);
	packet_receive(pair.server, &got, UMAD_HDR);
	check_same_mad(&got, &request);
	check_nothing_queued(pair.server);
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* A reader that waits is interrupted by a signal, and woken by a MAD. */
static void blocked_reader(void)
{
	struct pair pair = open_pair();
	struct sigaction action = { .sa_handler = on_alarm };	/* without SA_RESTART */
	struct packet request, got;
	int status;
	pid_t reader;

	CHECK_OK(sigaction(SIGALRM, &action, NULL));
	CHECK_OK(setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 200000 }, { 0, 200000 } }, NULL));
	CHECK_FAILS(read(pair.server, got.bytes, sizeof(got.bytes)), EINTR);
	CHECK_OK(setitimer(ITIMER_REAL, &(struct itimerval){}, NULL));

	reader = CHECK_OK(fork());
	if (!reader) {
		CHECK_EQ(read(pair.server, got.bytes, sizeof(got.bytes)), UMAD_HDR + MAD_SIZE);
		_exit(0);
	}
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 0x58);
	packet_send(pair.client, &request);
	CHECK_OK(waitpid(reader, &status, 0));
	CHECK_EQ(status, 0);
}

/* A Get that no agent takes is answered by the MAD layer: unsupported method or attribute. */
static void nobody_there(void)
{
	struct pair pair = open_pair();
	struct packet request, got;

	CHECK_OK(agent_unregister(pair.server, 0));
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_GET, 0x59);
	request.hdr.timeout_ms = 30000;
	packet_send(pair.client, &request);
	packet_receive(pair.client, &got, UMAD_HDR);
	CHECK_EQ(packet_mad(&got)->hdr.method, METHOD_GET | METHOD_RESP);
	CHECK_EQ(be16toh(packet_mad(&got)->hdr.status), 0x000c);
	check_source(&got, &pair.b, &pair.a);
}

/* A MAD of another OUI, class or version isn't the server's. */
static void not_ours(void)
{
	struct pair pair = open_pair();
	struct packet request, got;

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 1);
	packet_mad(&request)->oui[0] ^= 1;
	packet_send(pair.client, &request);
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 2);
	packet_mad(&request)->hdr.mgmt_class = 0x31;
	packet_send(pair.client, &request);
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 3);
	packet_mad(&request)->hdr.class_version = 2;
	packet_send(pair.client, &request);
	packet_init(&request, 0, &pair.a, &pair.b, 0x05, 4);
	packet_send(pair.client, &request);
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 5);
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	check_same_mad(&got, &request);
	check_nothing_queued(pair.server);
}

/* Source GIDs other than the first, and those in an IPv4 header. */
static void ipv4_gids(void)
{
	struct pair pair = open_pair();
	struct packet request, got;

	port_use_ipv4(&pair.a);
	port_use_ipv4(&pair.b);
	CHECK(pair.a.gid_index > 0, "GID 0 is an IPv4 address");
	packet_init(&request, 0, &pair.a, &pair.b, METHOD_SEND, 0x5b);
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	check_source(&got, &pair.a, &pair.b);
	check_same_mad(&got, &request);
}

const struct test_case send_cases[] = {
	{ "echo", echo },
	{ "old-header", old_header },
	{ "new-header", new_header },
	{ "method-mask", method_mask },
	{ "timeout", timeout },
	{ "timeout-read-short", timeout_read_short },
	{ "retries", retries },
	{ "retry-answered", retry_answered },
	{ "many-in-flight", many_in_flight },
	{ "unregister-outstanding", unregister_outstanding },
	{ "nonblock-and-poll", nonblock_and_poll },
	{ "read-refused", read_refused },
	{ "blocked-reader", blocked_reader },
	{ "nobody-there", nobody_there },
	{ "not-ours", not_ours },
	{ "ipv4-gids", ipv4_gids },
	{}
};
