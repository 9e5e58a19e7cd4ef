// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

/*
 * What write() must refuse: each case ends with a send that works, to show that nothing was broken
 * by it.
 */

struct client {
	struct port a, b;
	int fd, server;
	struct packet packet;
};

static void open_client(struct client *client)
{
	client->a = port_a();
	client->b = port_b();
	client->fd = port_open(&client->a, 0);
	client->server = port_open(&client->b, 0);
	CHECK_EQ(agent_register2(client->server, &server_spec), 0);
	packet_init(&client->packet, 0, &client->a, &client->b, METHOD_SEND, 0x60);
}

/* The packet in the form for a file without P_Key index. */
static void use_old_header(struct packet *packet)
{
	memmove(packet->bytes + UMAD_HDR_OLD, packet->bytes + UMAD_HDR, MAD_SIZE);
	packet->hdr_len = UMAD_HDR_OLD;
}

static void check_still_sends(struct client *client)
{
	struct packet got;

	packet_send(client->fd, &client->packet);
	packet_receive(client->server, &got, UMAD_HDR);
	CHECK_BYTES(packet_mad(&got)->data, packet_mad(&client->packet)->data,
		    MAD_SIZE - MAD_VENDOR_HDR_LEN);
	check_nothing_queued(client->server);
}

/* Every length below what the headers take is EINVAL: user header, RMPP header, the class's own. */
static void check_short(struct client *client)
{
	const struct packet *packet = &client->packet;

	for (size_t len = 0; len < packet->hdr_len + MAD_VENDOR_HDR_LEN; len++)
		CHECK_FAILS(write(client->fd, packet->bytes, len), EINVAL);
	check_still_sends(client);
}

static void short_new_header(void)
{
	struct client client;

	open_client(&client);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	check_short(&client);
}

static void short_old_header(void)
{
	struct client client;

	open_client(&client);
	CHECK_EQ(agent_register(client.fd, &client_spec), 0);
	use_old_header(&client.packet);
	check_short(&client);
}

/* The shortest that goes out is all headers and no data: the rest of the MAD is zero. */
static void headers_only(void)
{
	static const unsigned char zero[MAD_SIZE];
	struct client client;
	struct packet got;

	open_client(&client);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	client.packet.mad_len = MAD_VENDOR_HDR_LEN;
	packet_send(client.fd, &client.packet);
	packet_receive(client.server, &got, UMAD_HDR);
	CHECK_EQ(got.mad_len, MAD_SIZE);
	CHECK_BYTES(packet_mad(&got)->data, zero, MAD_SIZE - MAD_VENDOR_HDR_LEN);
}

/* Longer than a MAD without being an RMPP transfer; counts near the limits of int and of size_t. */
static void too_long(void)
{
	const size_t huge = 0x7fffffff;
	struct client client;
	char *zeros;

	open_client(&client);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	for (size_t len = MAD_SIZE + 1; len < UMAD_MAX_MAD; len *= 2)
		CHECK_FAILS(write(client.fd, client.packet.bytes, UMAD_HDR + len), EINVAL);

	zeros = mmap(NULL, huge, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CHECK(zeros != MAP_FAILED, "mapping %zu bytes", huge);
	memcpy(zeros, client.packet.bytes, UMAD_HDR + MAD_SIZE);
	CHECK_FAILS(write(client.fd, zeros, huge), EINVAL);
	CHECK_FAILS(write(client.fd, zeros, huge - UMAD_HDR - MAD_VENDOR_HDR_LEN), EINVAL);
	/* Above INT_MAX the VFS cuts a count down to a multiple of the page size, or refuses it. */
	CHECK(write(client.fd, zeros, (size_t)huge + 1) < 0, "2 GiB were taken");
	CHECK(write(client.fd, zeros, (size_t)-1) < 0, "the largest count was taken");
	CHECK(write(client.fd, zeros, (size_t)-UMAD_HDR) < 0, "a count that wraps was taken");
	check_still_sends(&client);
}

static void agent_ids(void)
{
	struct client client;
	int other;

	open_client(&client);
	other = port_open(&client.a, 0);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	for (int id = 0; id < 3; id++)
		CHECK_EQ(agent_register2(other, &client_spec), id);

	client.packet.hdr.id = UMAD_MAX_AGENTS;
	CHECK_FAILS(packet_write(client.fd, &client.packet), EINVAL);
	client.packet.hdr.id = 0x80000000;
	CHECK_FAILS(packet_write(client.fd, &client.packet), EINVAL);
	client.packet.hdr.id = ~0u;
	CHECK_FAILS(packet_write(client.fd, &client.packet), EINVAL);
	/* Never registered here; id 2 is another file's. */
	client.packet.hdr.id = UMAD_MAX_AGENTS - 1;
	CHECK_FAILS(packet_write(client.fd, &client.packet), EIO);
	client.packet.hdr.id = 2;
	CHECK_FAILS(packet_write(client.fd, &client.packet), EIO);

	CHECK_EQ(agent_register2(client.fd, &client_spec), 1);
	CHECK_OK(agent_unregister(client.fd, 1));
	client.packet.hdr.id = 1;
	CHECK_FAILS(packet_write(client.fd, &client.packet), EIO);
	client.packet.hdr.id = 0;
	check_still_sends(&client);
}

static void before_registering(void)
{
	struct client client;

	open_client(&client);
	use_old_header(&client.packet);
	CHECK_FAILS(packet_write(client.fd, &client.packet), EIO);
	CHECK_EQ(agent_register(client.fd, &client_spec), 0);
	check_still_sends(&client);
}

static void bad_memory(void)
{
	struct client client;
	long page = sysconf(_SC_PAGESIZE);
	unsigned char *memory, *end;

	open_client(&client);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(memory != MAP_FAILED, "mapping two pages");
	CHECK_OK(munmap(memory + page, page));
	end = memory + page;
	/* The fault lies in the user header, in the MAD's header, in its data. */
	for (size_t there = 15; there < UMAD_HDR + MAD_SIZE; there += 15) {
		memcpy(end - there, client.packet.bytes, there);
		CHECK_FAILS(write(client.fd, end - there, UMAD_HDR + MAD_SIZE), EFAULT);
	}
	CHECK_FAILS(write(client.fd, NULL, UMAD_HDR + MAD_SIZE), EFAULT);
	check_still_sends(&client);
}

/* A source GID that the port doesn't have. */
static void gid_index(void)
{
	struct client client;

	open_client(&client);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	client.packet.hdr.grh_present = 1;
	client.packet.hdr.gid_index = 0xff;
	CHECK(packet_write(client.fd, &client.packet) < 0, "sent with a GID that isn't");
	/* No entry in the table, or one that's empty. */
	CHECK(errno == EINVAL || errno == ENODATA, "write: %s", strerrorname_np(errno));
	packet_init(&client.packet, 0, &client.a, &client.b, METHOD_SEND, 0x61);
	check_still_sends(&client);
}

/* RoCE has no way to a peer without a GRH. */
static void no_grh(void)
{
	struct client client;

	open_client(&client);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	client.packet.hdr.grh_present = 0;
	CHECK_FAILS(packet_write(client.fd, &client.packet), EINVAL);
	client.packet.hdr.grh_present = 1;
	check_still_sends(&client);
}

/* A second request with the TID of one that's outstanding in this class is refused. */
static void duplicate_tid(void)
{
	struct client client;
	struct packet request, got;

	open_client(&client);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 0);
	CHECK_EQ(agent_register2(client.fd, &client_spec), 1);
	packet_init(&request, 0, &client.a, &client.b, METHOD_SEND, 0x62);
	request.hdr.timeout_ms = 60000;
	packet_send(client.fd, &request);
	packet_receive(client.server, &got, UMAD_HDR);
	CHECK_FAILS(packet_write(client.fd, &request), EINVAL);
	/* The kernel sets the upper half: it doesn't make a difference. */
	packet_mad(&request)->hdr.tid = htobe64(0x1122334400000062);
	CHECK_FAILS(packet_write(client.fd, &request), EINVAL);
	/* Neither does the method, nor whom it's sent to. */
	packet_mad(&request)->hdr.method = METHOD_GET;
	CHECK_FAILS(packet_write(client.fd, &request), EINVAL);

	/* Another agent, another class, another TID, a response: each is another transaction. */
	packet_init(&request, 1, &client.a, &client.b, METHOD_SEND, 0x62);
	packet_send(client.fd, &request);
	packet_receive(client.server, &got, UMAD_HDR);
	packet_init(&request, 0, &client.a, &client.b, METHOD_SEND, 0x62);
	packet_mad(&request)->hdr.mgmt_class = 0x31;
	packet_send(client.fd, &request);
	packet_init(&request, 0, &client.a, &client.b, METHOD_SEND | METHOD_RESP, 0x62);
	packet_send(client.fd, &request);
	packet_init(&request, 0, &client.a, &client.b, METHOD_SEND, 0x63);
	packet_send(client.fd, &request);
	packet_receive(client.server, &got, UMAD_HDR);
	CHECK_EQ(be64toh(packet_mad(&got)->hdr.tid) & 0xffffffff, 0x63);
}

const struct test_case bad_write_cases[] = {
	{ "short-new-header", short_new_header },
	{ "short-old-header", short_old_header },
	{ "headers-only", headers_only },
	{ "too-long", too_long },
	{ "agent-ids", agent_ids },
	{ "before-registering", before_registering },
	{ "bad-memory", bad_memory },
	{ "gid-index", gid_index },
	{ "no-grh", no_grh },
	{ "duplicate-tid", duplicate_tid },
	{}
};
