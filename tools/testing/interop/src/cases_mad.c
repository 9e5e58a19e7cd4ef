// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* What the MAD layer below ib_umad once stumbled over. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

/* --- the driver refuses --- */

static void request_to(struct packet *packet, const struct port *a, const struct port *b,
		       uint32_t tid, uint32_t retries)
{
	packet_init(packet, 0, a, b, METHOD_GET, tid);
	packet->hdr.timeout_ms = 200;
	packet->hdr.retries = retries;
}

/* A MAD isn't sent: the writer is told, and nothing else comes of it; the next one is fine. */
static void first_refused(int error)
{
	struct port a = port_a(), b = port_b();
	struct packet packet;
	int client = port_open(&a, 0);

	CHECK_EQ(agent_register2(client, &client_spec), 0);
	request_to(&packet, &a, &b, 0xa0, 0);
	CHECK_FAILS(packet_write(client, &packet), error);
	usleep(400000);
	check_nothing_queued(client);
	packet_send(client, &packet);
	packet_receive(client, &packet, UMAD_HDR);
	CHECK_EQ(packet.hdr.status, ETIMEDOUT);
	check_nothing_queued(client);
}

static void post_refused(void)
{
	first_refused(ENOSPC);
}

static void post_unmappable(void)
{
	first_refused(ENOMEM);
}

/* It takes a MAD but not its second try: that's as good as lost, the send ends as usual, once. */
static void retry_refused(void)
{
	struct port a = port_a(), b = port_b();
	struct packet packet;
	int client = port_open(&a, 0);

	CHECK_EQ(agent_register2(client, &client_spec), 0);
	request_to(&packet, &a, &b, 0xa1, 3);
	packet_send(client, &packet);
	packet_receive(client, &packet, UMAD_HDR);
	CHECK_EQ(packet.hdr.status, ETIMEDOUT);
	CHECK_EQ(be64toh(packet_mad(&packet)->hdr.tid) & 0xffffffff, 0xa1);
	usleep(400000);
	check_nothing_queued(client);
}

/* --- very many at once --- */

enum { STORM = 100000, SAMPLE = 1000, NOBODYS_LID = 0xb000 };

static long now_ms(void)
{
	struct timespec now;

	CHECK_OK(clock_gettime(CLOCK_MONOTONIC, &now));
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Requests to nobody, which time out at the same moment; those that are written later, at once. */
static void send_storm(int client, const struct port *a, uint32_t requests, long deadline)
{
	static struct packet packet;
	struct port nobody = *a;

	nobody.lid = NOBODYS_LID;
	packet_init(&packet, 0, a, &nobody, METHOD_GET, 0);
	for (uint32_t tid = 0; tid < requests; tid++) {
		long left = deadline - now_ms();

		packet_mad(&packet)->hdr.tid = htobe64(tid);
		packet.hdr.timeout_ms = left > 1 ? left : 1;
		packet_send(client, &packet);
	}
}

/* How long the sample takes; closing its file ends it. */
static long time_sample(const struct port *a)
{
	int client = port_open(a, 0);
	long start = now_ms();

	CHECK_EQ(agent_register2(client, &client_spec), 0);
	send_storm(client, a, SAMPLE, start + 3600 * 1000);
	close(client);
	return now_ms() - start;
}

static void timeouts_together(void)
{
	static unsigned char seen[STORM];
	static struct packet got;
	struct port a = port_a();
	int client = port_open(&a, 0);
	long start, sent, deadline, sample = time_sample(&a);

	CHECK_EQ(agent_register2(client, &client_spec), 0);
	start = now_ms();
	deadline = start + 1000 + sample * (STORM / SAMPLE) * 3 / 2;
	send_storm(client, &a, STORM, deadline);
	sent = now_ms();
	printf("sent in %ld ms, %ld ms before they time out\n", sent - start, deadline - sent);
	if (sent < deadline) /* by far, if there was more to do for the machine before */
		poll(NULL, 0, deadline - sent);
	for (int i = 0; i < STORM; i++) {
		uint32_t tid;

		packet_receive(client, &got, UMAD_HDR);
		if (!i)
			printf("the first one came after %ld ms\n", now_ms() - start);
		CHECK_EQ(got.hdr.status, ETIMEDOUT);
		tid = be64toh(packet_mad(&got)->hdr.tid) & 0xffffffff;
		CHECK(tid < STORM && !seen[tid], "number %u has timed out before", tid);
		seen[tid] = 1;
	}
	printf("the last one after %ld ms\n", now_ms() - start);
	check_nothing_queued(client);
}

/* --- RMPP: we make the segments, the kernel puts them together --- */

enum {
	SEGMENT = MAD_SIZE - MAD_VENDOR_HDR_LEN,
	SEGMENTS = 300,
};

struct transfer {
	struct port a, b;
	int client, server;
};

static struct transfer open_transfer(void)
{
	struct transfer transfer = { .a = port_a(), .b = port_b() };
	struct agent_spec client = client_spec, server = server_spec;

	client.rmpp_version = RMPP_VERSION;
	client.flags = IB_USER_MAD_USER_RMPP;
	client.mgmt_class = server.mgmt_class;
	client.class_version = server.class_version;
	client.oui = server.oui;
	server.rmpp_version = RMPP_VERSION;
	transfer.client = port_open(&transfer.a, 0);
	transfer.server = port_open(&transfer.b, 0);
	CHECK_EQ(agent_register2(transfer.client, &client), 0);
	CHECK_EQ(agent_register2(transfer.server, &server), 0);
	return transfer;
}

static void send_segment(const struct transfer *transfer, uint32_t tid, uint32_t number)
{
	static struct packet packet;
	struct mad *mad;

	packet_init(&packet, 0, &transfer->a, &transfer->b, METHOD_SEND, tid);
	mad = packet_mad(&packet);
	mad->rmpp.version = RMPP_VERSION;
	mad->rmpp.type = RMPP_TYPE_DATA;
	mad->rmpp.resp_time_flags = RMPP_RESP_TIME_NONE | RMPP_FLAG_ACTIVE;
	if (number == 1)
		mad->rmpp.resp_time_flags |= RMPP_FLAG_FIRST;
	if (number == SEGMENTS)
		mad->rmpp.resp_time_flags |= RMPP_FLAG_LAST;
	mad->rmpp.segment = htonl(number);
	mad->rmpp.paylen_newwin = htonl(RMPP_SEGMENT_DATA);
	for (size_t i = 0; i < SEGMENT; i++)
		mad->data[i] = pattern((number - 1) * SEGMENT + i);
	packet_send(transfer->client, &packet);
}

/* Waits for the ACK of all segments up to this one; says up to which more may be sent. */
static uint32_t wait_for_ack(const struct transfer *transfer, uint32_t number)
{
	static struct packet packet;
	struct mad *mad;

	packet_receive(transfer->client, &packet, UMAD_HDR);
	mad = packet_mad(&packet);
	CHECK_EQ(packet.hdr.status, 0);
	CHECK_EQ(mad->rmpp.type, RMPP_TYPE_ACK);
	CHECK_EQ(mad->rmpp.status, 0);
	CHECK_EQ(mad->hdr.method, METHOD_SEND | METHOD_RESP);
	CHECK_EQ(ntohl(mad->rmpp.segment), number);
	return ntohl(mad->rmpp.paylen_newwin);
}

static void check_message(const struct transfer *transfer)
{
	static struct packet packet;

	packet_receive(transfer->server, &packet, UMAD_HDR);
	CHECK_EQ(packet.mad_len, MAD_VENDOR_HDR_LEN + SEGMENTS * SEGMENT);
	for (size_t i = 0; i < SEGMENTS * SEGMENT; i++)
		CHECK(packet_mad(&packet)->data[i] == pattern(i), "byte %zu is 0x%02x", i,
		      packet_mad(&packet)->data[i]);
	check_nothing_queued(transfer->server);
}

/* Nobody has asked for them, and each window's segments come in descending order. */
static void rmpp_descending(void)
{
	struct transfer transfer = open_transfer();
	uint32_t done = 1, limit;

	send_segment(&transfer, 0x90, 1);
	limit = wait_for_ack(&transfer, 1);
	while (done < SEGMENTS) {
		uint32_t last = limit < SEGMENTS ? limit : SEGMENTS;

		CHECK(last > done, "the window ends at %u, %u is there already", limit, done);
		for (uint32_t number = last; number > done; number--)
			send_segment(&transfer, 0x90, number);
		limit = wait_for_ack(&transfer, last);
		done = last;
	}
	check_message(&transfer);

	/* It's remembered: who lacks the last ACK gets one more, the client no second message. */
	send_segment(&transfer, 0x90, SEGMENTS);
	wait_for_ack(&transfer, SEGMENTS);
	check_nothing_queued(transfer.server);
}

/* What isn't wanted: ahead of the window, without a beginning, twice. The message is whole. */
static void rmpp_unwanted(void)
{
	struct transfer transfer = open_transfer();
	uint32_t number = 1, limit;

	send_segment(&transfer, 0x91, 7);
	send_segment(&transfer, 0x92, 1);
	limit = wait_for_ack(&transfer, 1);
	send_segment(&transfer, 0x92, limit + 1);
	while (number < SEGMENTS) {
		number++;
		send_segment(&transfer, 0x92, number);
		if (number < limit && number < SEGMENTS)
			send_segment(&transfer, 0x92, number);
		else
			limit = wait_for_ack(&transfer, number);
	}
	check_message(&transfer);
	check_nothing_queued(transfer.client);
}

/* Segments arrive while their agent goes and comes. */
static void rmpp_unregister(void)
{
	enum { ROUNDS = 150 };
	struct transfer transfer = open_transfer();
	struct agent_spec spec = server_spec;
	uint32_t tid = 0;
	pid_t child;
	int status;

	spec.rmpp_version = RMPP_VERSION;
	child = CHECK_OK(fork());
	if (!child)
		for (;; tid++)
			for (uint32_t number = 1; number <= 20; number++)
				send_segment(&transfer, tid, number);
	for (int i = 0; i < ROUNDS; i++) {
		CHECK_OK(agent_unregister(transfer.server, 0));
		usleep(i % 5 * 1000);
		CHECK_EQ(agent_register2(transfer.server, &spec), 0);
		usleep(i % 7 * 1000);
	}
	CHECK_OK(kill(child, SIGKILL));
	CHECK_OK(waitpid(child, &status, 0));
	CHECK(WIFSIGNALED(status), "the sender has ended by itself");
}

/* --- what arrives while the port opens --- */

enum { REPLUGS = 10, ARRIVALS = 200, MAX_ARRIVALS = 1 << 24 };

/* What the sender, a process of its own, has done so far. */
struct arrivals {
	_Atomic uint32_t next;			/* of those with a smaller number is known: */
	unsigned char taken[MAX_ARRIVALS];	/* a queue pair took it */
};

/* MADs without pause, whether or not anybody can take them. */
static void arrive_for_ever(struct arrivals *arrivals, const struct port *a)
{
	static struct packet packet;
	struct mad *mad;
	char path[200];
	int wire;

	packet_init(&packet, 0, a, a, METHOD_SEND, 0);
	mad = packet_mad(&packet);
	snprintf(path, sizeof(path), "/sys/kernel/debug/nullhca/%s/port%u/mad", a->ibdev,
		 a->port_num);
	wire = CHECK_OK(open(path, O_WRONLY));
	for (uint32_t tid = 0; tid < MAX_ARRIVALS; tid++) {
		mad->hdr.tid = htobe64(tid);
		arrivals->taken[tid] = write(wire, mad, MAD_SIZE) == MAD_SIZE;
		arrivals->next = tid + 1;
	}
}

/* Returns the number of what is received after number @last: nothing from @first on is missing. */
static int64_t receive_arrival(int server, const struct arrivals *arrivals, int64_t first,
			       int64_t last)
{
	static struct packet packet;
	int64_t tid;

	packet_receive(server, &packet, UMAD_HDR);
	tid = be64toh(packet_mad(&packet)->hdr.tid);
	CHECK(tid > last, "number %lld comes after %lld", (long long)tid, (long long)last);
	for (int64_t i = last < first ? first : last + 1; i < tid; i++)
		CHECK(!arrivals->taken[i], "number %lld was taken, and is lost", (long long)i);
	return tid;
}

/* Once an agent has registered, all that the port takes is received, once, and in its order. */
static void arrivals(void)
{
	struct arrivals *arrivals = mmap(NULL, sizeof(*arrivals), PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct port a = port_a();

	CHECK(arrivals != MAP_FAILED, "no memory");
	if (!CHECK_OK(fork())) {
		arrive_for_ever(arrivals, &a);
		_exit(0);
	}
	for (int i = 0; i < REPLUGS; i++) {
		int64_t first, last = -1;
		int server;

		CHECK_EQ(system(getenv("UNPLUG")), 0);
		CHECK_EQ(system(getenv("REPLUG")), 0);
		a = port_a();
		server = port_open(&a, 0);
		CHECK_EQ(agent_register2(server, &server_spec), 0);
		/* One is under way, and may have been handled already. */
		first = arrivals->next + 1;
		while (last < first + ARRIVALS)
			last = receive_arrival(server, arrivals, first, last);
		close(server);
	}
	CHECK(arrivals->next < MAX_ARRIVALS, "the sender has come to its end");
	printf("%u sent\n", arrivals->next);
}

const struct test_case mad_cases[] = {
	{ "post-refused", post_refused },
	{ "post-unmappable", post_unmappable },
	{ "retry-refused", retry_refused },
	{ "timeouts-together", timeouts_together },
	{ "rmpp-descending", rmpp_descending },
	{ "rmpp-unwanted", rmpp_unwanted },
	{ "rmpp-unregister", rmpp_unregister },
	{ "arrivals", arrivals },
	{}
};
