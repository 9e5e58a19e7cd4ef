// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Datagrams of QP0 and QP1 at once: the MAD layer has one completion queue for both, so each
 * completion has to find the queue pair that it's of. InfiniBand only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

enum {
	SMI_QPN = 0,
	ATTR_NODE_INFO = 0x11,
	NODE_GUID_AT = 64 + 12, /* in a datagram; of an SMP the data begins at byte 64 */
	REQUESTS = 400,
	WINDOW = 16,
	TIMEOUT_MS = 60000,
};

static const struct agent_spec smi_spec = { .qpn = SMI_QPN };

static uint64_t node_guid(const struct port *port)
{
	unsigned int words[4];
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/node_guid", port->ibdev);
	file = fopen(path, "r");
	CHECK(file, "no %s", path);
	CHECK_EQ(fscanf(file, "%x:%x:%x:%x", &words[0], &words[1], &words[2], &words[3]), 4);
	fclose(file);
	return (uint64_t)words[0] << 48 | (uint64_t)words[1] << 32 | words[2] << 16 | words[3];
}

/* Which node is it? By LID, to QP0. */
static void make_smp(struct packet *packet, const struct port *a, const struct port *b,
		     uint32_t tid)
{
	struct mad *mad;

	packet_init(packet, 0, a, b, METHOD_GET, tid);
	mad = packet_mad(packet);
	packet->hdr.qpn = htobe32(SMI_QPN);
	packet->hdr.qkey = 0;
	memset(mad, 0, MAD_SIZE);
	mad->hdr.base_version = 1;
	mad->hdr.mgmt_class = CLASS_SUBN_LID_ROUTED;
	mad->hdr.class_version = 1;
	mad->hdr.method = METHOD_GET;
	mad->hdr.tid = htobe64(tid);
	mad->hdr.attr_id = htobe16(ATTR_NODE_INFO);
}

/**
 * struct stream - requests of one kind, WINDOW of them under way at any time
 * @spec: the agent that sends them
 * @make: one with a transaction ID
 * @check: an answer to one
 */
struct stream {
	const struct agent_spec *spec;
	void (*make)(struct packet *packet, const struct port *a, const struct port *b,
		     uint32_t tid);
	void (*check)(struct packet *answer, const struct port *b, uint32_t tid);
};

static void check_smp(struct packet *answer, const struct port *b, uint32_t tid)
{
	struct mad *mad = packet_mad(answer);
	uint64_t guid;

	(void)tid;
	CHECK_EQ(be32toh(answer->hdr.qpn), SMI_QPN);
	CHECK_EQ(mad->hdr.mgmt_class, CLASS_SUBN_LID_ROUTED);
	memcpy(&guid, (char *)mad + NODE_GUID_AT, sizeof(guid));
	CHECK_EQ(be64toh(guid), node_guid(b));
}

static void make_gmp(struct packet *packet, const struct port *a, const struct port *b,
		     uint32_t tid)
{
	packet_init(packet, 0, a, b, METHOD_GET, tid);
}

static void check_gmp(struct packet *answer, const struct port *b, uint32_t tid)
{
	struct mad *mad = packet_mad(answer);

	(void)b;
	CHECK_EQ(be32toh(answer->hdr.qpn), GSI_QPN);
	CHECK_EQ(mad->hdr.mgmt_class, CLASS_VENDOR_0X30);
	for (size_t i = 0; i < MAD_SIZE - MAD_VENDOR_HDR_LEN; i++)
		CHECK_EQ(mad->data[i], (unsigned char)~pattern(i + tid));
}

static const struct stream streams[] = {
	{ &smi_spec, make_smp, check_smp },
	{ &client_spec, make_gmp, check_gmp },
};

/* All are answered, each once. */
static void run_stream(const struct stream *stream, const struct port *a, const struct port *b)
{
	static struct packet packet;
	bool answered[REQUESTS] = {};
	int fd = port_open(a, 0), sent = 0;

	CHECK_EQ(agent_register2(fd, stream->spec), 0);
	for (int got = 0; got < REQUESTS; got++) {
		uint32_t tid;

		for (; sent < REQUESTS && sent < got + WINDOW; sent++) {
			stream->make(&packet, a, b, sent);
			packet.hdr.timeout_ms = TIMEOUT_MS;
			CHECK(packet_write(fd, &packet) > 0, "class %#x, request %d to LID %u: %s",
			      packet_mad(&packet)->hdr.mgmt_class, sent, b->lid,
			      strerrorname_np(errno));
		}
		packet_receive(fd, &packet, UMAD_HDR);
		CHECK_EQ(packet.hdr.status, 0);
		tid = be64toh(packet_mad(&packet)->hdr.tid);
		CHECK(tid < REQUESTS && !answered[tid], "an answer to request %u", tid);
		answered[tid] = true;
		stream->check(&packet, b, tid);
	}
}

/* Answers every Get, until it's killed. */
static void serve(const struct port *b, int ready)
{
	static struct packet request, response;
	int fd = port_open(b, 0);

	CHECK_EQ(agent_register2(fd, &server_spec), 0);
	CHECK_EQ(write(ready, "", 1), 1);
	for (;;) {
		CHECK_OK(read(fd, request.bytes, sizeof(request.bytes)));
		request.hdr_len = UMAD_HDR;
		request.mad_len = MAD_SIZE;
		packet_respond(&response, &request, 0);
		packet_send(fd, &response);
	}
}

static void start_server(const struct port *b)
{
	int ready[2];
	char byte;

	CHECK_OK(pipe(ready));
	if (!CHECK_OK(fork()))
		serve(b, ready[1]);
	CHECK_EQ(read(ready[0], &byte, 1), 1);
}

/* Both ways, since answers load QP1 of the other port. */
static void mixed(void)
{
	struct port a = port_a(), b = port_b();
	int status;

	start_server(&b);
	start_server(&a);
	for (int i = 0; i < 4; i++) {
		if (CHECK_OK(fork()))
			continue;
		run_stream(&streams[i % 2], i < 2 ? &a : &b, i < 2 ? &b : &a);
		exit(0);
	}
	for (int i = 0; i < 4; i++) {
		CHECK_OK(wait(&status));
		CHECK_EQ(status, 0);
	}
}

const struct test_case mixed_cases[] = {
	{ "mixed", mixed },
	{}
};
