// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases.h"
#include "check.h"
#include "umad.h"

enum {
	TRANSFER = 64 * 1024,			/* bytes of data, without any header */
	VENDOR_SEGMENT = MAD_SIZE - MAD_VENDOR_HDR_LEN,	/* 216 */
	VENDOR_SEGMENTS = (TRANSFER + VENDOR_SEGMENT - 1) / VENDOR_SEGMENT,	/* 304 */
};

/* Of the data behind a class's header, the whole transfer in one packet. */
static void fill_transfer(struct packet *packet, size_t class_hdr_len)
{
	unsigned char *data = (unsigned char *)packet_mad(packet) + class_hdr_len;

	packet_mad(packet)->rmpp.version = RMPP_VERSION;
	packet_mad(packet)->rmpp.type = RMPP_TYPE_DATA;
	packet_mad(packet)->rmpp.resp_time_flags = RMPP_RESP_TIME_NONE | RMPP_FLAG_ACTIVE;
	packet->mad_len = class_hdr_len + TRANSFER;
	for (size_t i = 0; i < TRANSFER; i++)
		data[i] = pattern(i);
}

static void check_transfer(struct packet *packet, size_t class_hdr_len)
{
	const unsigned char *data = (unsigned char *)packet_mad(packet) + class_hdr_len;

	CHECK_EQ(packet->hdr.status, 0);
	CHECK_EQ(packet->mad_len, class_hdr_len + TRANSFER);
	CHECK_EQ(packet->hdr.length, packet->hdr_len + packet->mad_len);
	for (size_t i = 0; i < TRANSFER; i++)
		CHECK(data[i] == pattern(i), "byte %zu is 0x%02x, expected 0x%02x", i, data[i],
		      pattern(i));
}

/* A client on A that lets the kernel do RMPP, and a server on B that does too. */
struct pair {
	struct port a, b;
	int client, server;
};

static struct pair open_pair(void)
{
	struct agent_spec client = client_spec, server = server_spec;
	struct pair pair = { .a = port_a(), .b = port_b() };

	client.rmpp_version = RMPP_VERSION;
	server.rmpp_version = RMPP_VERSION;
	pair.client = port_open(&pair.a, 0);
	pair.server = port_open(&pair.b, 0);
	CHECK_EQ(agent_register2(pair.client, &client), 0);
	CHECK_EQ(agent_register2(pair.server, &server), 0);
	return pair;
}

/* 64 KiB by one write, read whole on the other side. */
static void kernel_rmpp(void)
{
	static struct packet sent, got;
	struct pair pair = open_pair();

	packet_init(&sent, 0, &pair.a, &pair.b, METHOD_SEND, 0x70);
	fill_transfer(&sent, MAD_VENDOR_HDR_LEN);
	packet_send(pair.client, &sent);
	packet_receive(pair.server, &got, UMAD_HDR);
	check_transfer(&got, MAD_VENDOR_HDR_LEN);
	CHECK_EQ(packet_mad(&got)->hdr.method, METHOD_SEND);
	CHECK_BYTES(packet_mad(&got)->oui, packet_mad(&sent)->oui, 3);
	check_nothing_queued(pair.client);
}

/* A transfer that no segment's size divides: the last byte is the last byte. */
static void kernel_rmpp_odd(void)
{
	static const size_t lengths[] = {
		1, VENDOR_SEGMENT, VENDOR_SEGMENT + 1, 5 * VENDOR_SEGMENT - 1,
	};
	static struct packet sent, got;
	struct pair pair = open_pair();

	for (unsigned int i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		packet_init(&sent, 0, &pair.a, &pair.b, METHOD_SEND, 0x80 + i);
		fill_transfer(&sent, MAD_VENDOR_HDR_LEN);
		sent.mad_len = MAD_VENDOR_HDR_LEN + lengths[i];
		packet_send(pair.client, &sent);
		packet_receive(pair.server, &got, UMAD_HDR);
		CHECK_EQ(got.mad_len, sent.mad_len);
		CHECK_EQ(got.hdr.length, UMAD_HDR + sent.mad_len);
		CHECK_BYTES(packet_mad(&got)->data, packet_mad(&sent)->data, lengths[i]);
	}
}

/*
 * A transfer that doesn't fit: EINVAL below a segment; ENOSPC above, with the first segment and the
 * length told.
 */
static void read_room(void)
{
	static struct packet sent, got;
	struct pair pair = open_pair();
	struct pollfd poll_fd = { .fd = pair.server, .events = POLLIN };

	packet_init(&sent, 0, &pair.a, &pair.b, METHOD_SEND, 0x71);
	fill_transfer(&sent, MAD_VENDOR_HDR_LEN);
	packet_send(pair.client, &sent);
	CHECK_EQ(poll(&poll_fd, 1, 60000), 1);
	CHECK_FAILS(read(pair.server, got.bytes, UMAD_HDR), EINVAL);
	CHECK_FAILS(read(pair.server, got.bytes, UMAD_HDR + MAD_SIZE - 1), EINVAL);

	for (size_t room = UMAD_HDR + MAD_SIZE; room < UMAD_HDR + sent.mad_len;
	     room = room * 16 - 1) {
		memset(got.bytes, 0, UMAD_HDR + MAD_SIZE);
		got.hdr_len = UMAD_HDR;
		CHECK_FAILS(read(pair.server, got.bytes, room), ENOSPC);
		CHECK_EQ(got.hdr.length, UMAD_HDR + MAD_VENDOR_HDR_LEN + TRANSFER);
		CHECK_BYTES(packet_mad(&got)->data, packet_mad(&sent)->data, VENDOR_SEGMENT);
	}
	CHECK_FAILS(read(pair.server, got.bytes, UMAD_HDR + sent.mad_len - 1), ENOSPC);
	memset(&got, 0, sizeof(got));
	CHECK_EQ(read(pair.server, got.bytes, UMAD_HDR + sent.mad_len), UMAD_HDR + sent.mad_len);
	got.hdr_len = UMAD_HDR;
	got.mad_len = sent.mad_len;
	check_transfer(&got, MAD_VENDOR_HDR_LEN);
	check_nothing_queued(pair.server);
}

/* As saquery and opensm do it: a GetTable of the SA's class, and its large response. */
static void sa_table(void)
{
	static struct packet request, response, got;
	struct pair pair = { .a = port_a(), .b = port_b() };
	struct agent_spec client = client_spec;
	struct agent_spec server = {
		.qpn = GSI_QPN, .mgmt_class = CLASS_SUBN_ADM, .class_version = 2,
		.rmpp_version = RMPP_VERSION, .methods = { METHOD_BIT(METHOD_GET_TABLE) },
	};

	client.rmpp_version = RMPP_VERSION;
	pair.client = port_open(&pair.a, 0);
	pair.server = port_open(&pair.b, 0);
	CHECK_EQ(agent_register2(pair.client, &client), 0);
	CHECK_EQ(agent_register2(pair.server, &server), 0);

	packet_init(&request, 0, &pair.a, &pair.b, METHOD_GET_TABLE, 0x72);
	packet_mad(&request)->hdr.mgmt_class = CLASS_SUBN_ADM;
	packet_mad(&request)->hdr.class_version = 2;
	request.hdr.timeout_ms = 100000;
	packet_send(pair.client, &request);
	packet_receive(pair.server, &got, UMAD_HDR);
	CHECK_EQ(got.mad_len, MAD_SIZE);

	packet_respond(&response, &got, 0);
	fill_transfer(&response, MAD_SA_HDR_LEN);
	packet_send(pair.server, &response);
	packet_receive(pair.client, &got, UMAD_HDR);
	check_transfer(&got, MAD_SA_HDR_LEN);
	CHECK_EQ(packet_mad(&got)->hdr.method, METHOD_GET_TABLE | METHOD_RESP);
	CHECK_EQ(packet_mad(&got)->hdr.tid, packet_mad(&response)->hdr.tid);
	CHECK_OK(agent_unregister(pair.client, 0));
	check_nothing_queued(pair.client);
}

/* A transfer to nobody ends with ETIMEDOUT, like any other send. */
static void kernel_rmpp_timeout(void)
{
	static struct packet sent, got;
	struct pair pair = open_pair();

	CHECK_OK(agent_unregister(pair.server, 0));
	packet_init(&sent, 0, &pair.a, &pair.b, METHOD_SEND, 0x73);
	fill_transfer(&sent, MAD_VENDOR_HDR_LEN);
	sent.hdr.timeout_ms = 300;
	packet_send(pair.client, &sent);
	packet_receive(pair.client, &got, UMAD_HDR);
	CHECK_EQ(got.hdr.status, ETIMEDOUT);
	CHECK_EQ(got.mad_len, MAD_HDR_LEN);
	CHECK_EQ(be64toh(packet_mad(&got)->hdr.tid) & 0xffffffff, 0x73);
}

/* Segments cut short: less than the class's header behind a header that says RMPP. */
static void short_rmpp_header(void)
{
	static struct packet sent, got;
	struct pair pair = open_pair();

	packet_init(&sent, 0, &pair.a, &pair.b, METHOD_SEND, 0x74);
	fill_transfer(&sent, MAD_VENDOR_HDR_LEN);
	for (size_t len = 0; len < UMAD_HDR + MAD_VENDOR_HDR_LEN; len++)
		CHECK_FAILS(write(pair.client, sent.bytes, len), EINVAL);
	packet_send(pair.client, &sent);
	packet_receive(pair.server, &got, UMAD_HDR);
	check_transfer(&got, MAD_VENDOR_HDR_LEN);
}

/* --- RMPP by the user: each segment and each ACK passes as it is --- */

static void fill_segment(struct packet *packet, unsigned int segment)
{
	struct mad *mad = packet_mad(packet);
	size_t done = (size_t)(segment - 1) * VENDOR_SEGMENT;
	size_t left = TRANSFER - done < VENDOR_SEGMENT ? TRANSFER - done : VENDOR_SEGMENT;
	uint32_t payload = RMPP_SEGMENT_DATA;

	mad->rmpp.version = RMPP_VERSION;
	mad->rmpp.type = RMPP_TYPE_DATA;
	mad->rmpp.resp_time_flags = RMPP_RESP_TIME_NONE | RMPP_FLAG_ACTIVE;
	if (segment == 1) {
		mad->rmpp.resp_time_flags |= RMPP_FLAG_FIRST;
		payload = TRANSFER + VENDOR_SEGMENTS * (RMPP_SEGMENT_DATA - VENDOR_SEGMENT);
	}
	if (segment == VENDOR_SEGMENTS) {
		mad->rmpp.resp_time_flags |= RMPP_FLAG_LAST;
		payload = RMPP_SEGMENT_DATA - VENDOR_SEGMENT + left;
	}
	mad->rmpp.segment = htonl(segment);
	mad->rmpp.paylen_newwin = htonl(payload);
	memset(mad->data, 0, VENDOR_SEGMENT);
	for (size_t i = 0; i < left; i++)
		mad->data[i] = pattern(done + i);
}

static void acknowledge(int fd, struct packet *segment, unsigned int new_window_last)
{
	static struct packet ack;
	struct mad *mad;

	packet_respond(&ack, segment, 0);
	mad = packet_mad(&ack);
	mad->rmpp.type = RMPP_TYPE_ACK;
	mad->rmpp.resp_time_flags = RMPP_RESP_TIME_NONE | RMPP_FLAG_ACTIVE;
	mad->rmpp.paylen_newwin = htonl(new_window_last);
	packet_send(fd, &ack);
}

static void user_rmpp(void)
{
	enum { WINDOW = 8 };
	static struct packet sent, got, ack;
	static unsigned char all[VENDOR_SEGMENTS * VENDOR_SEGMENT];
	struct pair pair = { .a = port_a(), .b = port_b() };
	struct agent_spec spec = server_spec;

	spec.rmpp_version = RMPP_VERSION;
	spec.flags = IB_USER_MAD_USER_RMPP;
	pair.server = port_open(&pair.b, 0);
	CHECK_EQ(agent_register2(pair.server, &spec), 0);
	memset(spec.methods, 0, sizeof(spec.methods));
	pair.client = port_open(&pair.a, 0);
	CHECK_EQ(agent_register2(pair.client, &spec), 0);

	packet_init(&sent, 0, &pair.a, &pair.b, METHOD_SEND, 0x75);
	for (unsigned int first = 1; first <= VENDOR_SEGMENTS; first += WINDOW) {
		unsigned int last = first + WINDOW - 1;

		if (last > VENDOR_SEGMENTS)
			last = VENDOR_SEGMENTS;
		for (unsigned int segment = first; segment <= last; segment++) {
			fill_segment(&sent, segment);
			packet_send(pair.client, &sent);
		}
		for (unsigned int segment = first; segment <= last; segment++) {
			fill_segment(&sent, segment);
			packet_receive(pair.server, &got, UMAD_HDR);
			CHECK_EQ(got.mad_len, MAD_SIZE);
			CHECK_BYTES(&packet_mad(&got)->rmpp, &packet_mad(&sent)->rmpp,
				    MAD_SIZE - MAD_HDR_LEN);
			memcpy(all + (segment - 1) * VENDOR_SEGMENT, packet_mad(&got)->data,
			       VENDOR_SEGMENT);
		}
		acknowledge(pair.server, &got, last + WINDOW);
		packet_receive(pair.client, &ack, UMAD_HDR);
		CHECK_EQ(packet_mad(&ack)->rmpp.type, RMPP_TYPE_ACK);
		CHECK_EQ(ntohl(packet_mad(&ack)->rmpp.segment), last);
		CHECK_EQ(ntohl(packet_mad(&ack)->rmpp.paylen_newwin), last + WINDOW);
	}
	for (size_t i = 0; i < TRANSFER; i++)
		CHECK(all[i] == pattern(i), "byte %zu is 0x%02x, expected 0x%02x", i, all[i],
		      pattern(i));
	check_nothing_queued(pair.client);
	check_nothing_queued(pair.server);
}

/* A user that does RMPP writes single segments only, and may use a TID again for each. */
static void user_rmpp_too_long(void)
{
	static struct packet sent, got;
	struct pair pair = { .a = port_a(), .b = port_b() };
	struct agent_spec spec = server_spec;

	spec.rmpp_version = RMPP_VERSION;
	spec.flags = IB_USER_MAD_USER_RMPP;
	pair.client = port_open(&pair.a, 0);
	pair.server = port_open(&pair.b, 0);
	CHECK_EQ(agent_register2(pair.client, &spec), 0);
	CHECK_EQ(agent_register2(pair.server, &spec), 0);
	packet_init(&sent, 0, &pair.a, &pair.b, METHOD_SEND, 0x76);
	fill_transfer(&sent, MAD_VENDOR_HDR_LEN);
	CHECK_FAILS(packet_write(pair.client, &sent), EINVAL);
	sent.mad_len = MAD_SIZE + 1;
	CHECK_FAILS(packet_write(pair.client, &sent), EINVAL);

	sent.hdr.timeout_ms = 60000;
	for (unsigned int segment = 1; segment <= 2; segment++) {
		sent.mad_len = MAD_SIZE;
		fill_segment(&sent, segment);
		packet_send(pair.client, &sent);
		packet_receive(pair.server, &got, UMAD_HDR);
		CHECK_EQ(ntohl(packet_mad(&got)->rmpp.segment), segment);
	}
}

const struct test_case rmpp_cases[] = {
	{ "kernel-rmpp", kernel_rmpp },
	{ "kernel-rmpp-odd", kernel_rmpp_odd },
	{ "kernel-rmpp-timeout", kernel_rmpp_timeout },
	{ "short-rmpp-header", short_rmpp_header },
	{ "read-room", read_room },
	{ "sa-table", sa_table },
	{ "user-rmpp", user_rmpp },
	{ "user-rmpp-too-long", user_rmpp_too_long },
	{}
};
