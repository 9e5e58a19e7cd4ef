// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: sa-notices DEVICE PORT
 *
 * Subscribes at the subnet administration to all notices (IBTA volume 1, 13.4.11, 15.2.5.3), then
 * prints a line for each Report that comes, and answers it with ReportResp. SIGTERM cancels the
 * subscription and ends it.
 *
 *	subscribed
 *	notice 128 from 2: lid 2
 *	notice 65 from 1: gid fe80::2:c903:0:11
 *	unsubscribed
 *
 * A Report that comes a second time means that the first answer was lost: that's a failure.
 */
#include <arpa/inet.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "check.h"
#include "mad.h"

enum {
	SA_CLASS_VERSION = 2,
	METHOD_REPORT = 0x06,
	ATTR_NOTICE = 0x0002,
	ATTR_INFORM_INFO = 0x0003,
	ANSWER_WITHIN_MS = 5000,
	LOOK_AROUND_MS = 200,
	TIDS_REMEMBERED = 256,
	LID_ALL = 0xffff, TYPE_ALL = 0xffff, TRAP_ALL = 0xffff, PRODUCER_ALL = 0xffffff,
	TRAP_GID_FIRST = 64, TRAP_GID_LAST = 67, TRAP_LINK_STATE = 128,
};

/* 13.4.8.3 */
struct inform_info {
	uint8_t gid[16];
	uint16_t lid_range_begin;
	uint16_t lid_range_end;
	uint16_t reserved;
	uint8_t is_generic;
	uint8_t subscribe;
	uint16_t type;
	uint16_t trap_number;
	uint32_t qpn_resp_time;	/* 24 and (last) 5 bits */
	uint32_t producer_type;	/* 24 bits */
} __attribute__((packed));

/* 13.4.8.2 */
struct notice {
	uint32_t type_producer;	/* generic 1, type 7, producer type 24 bits */
	uint16_t trap_number;
	uint16_t issuer_lid;
	uint16_t toggle_count;
	union {
		uint8_t bytes[54];
		uint16_t lid;	/* traps 128 to 131 (14.2.5.1) */
		struct {
			uint8_t reserved[6];
			uint8_t gid[16];	/* traps 64 to 67 (15.2.5.1) */
		} __attribute__((packed)) path;
	} details;
	uint8_t issuer_gid[16];
} __attribute__((packed));

/* Every MAD of the class (15.2.1.1). */
struct sa_mad {
	struct mad_hdr hdr;
	uint8_t rmpp[12];
	uint64_t sm_key;
	uint16_t attr_offset;
	uint16_t reserved;
	uint64_t component_mask;
	union {
		uint8_t bytes[200];
		struct inform_info inform_info;
		struct notice notice;
	} data;
} __attribute__((packed));

_Static_assert(sizeof(struct inform_info) == 36, "InformInfo");
_Static_assert(sizeof(struct notice) == 80, "Notice");
_Static_assert(sizeof(struct sa_mad) == MAD_SIZE, "SA MAD");

struct client {
	int handle, agent;	/* libibumad's */
	int sm_lid, sm_sl;
	struct ib_user_mad *umad;
	uint64_t tids[TIDS_REMEMBERED];
	unsigned int reports;
};

static volatile sig_atomic_t stopping;

static void stop(int signal)
{
	(void)signal;
	stopping = true;
}

static struct sa_mad *client_mad(struct client *client)
{
	return umad_get_mad(client->umad);
}

static void open_client(struct client *client, char *device, int port_num)
{
	long methods[16 / sizeof(long)] = { 1l << METHOD_REPORT };
	umad_port_t port;

	CHECK_OK(umad_get_port(device, port_num, &port));
	client->sm_lid = port.sm_lid;
	client->sm_sl = port.sm_sl;
	umad_release_port(&port);
	client->handle = CHECK_OK(umad_open_port(device, port_num));
	client->agent = CHECK_OK(umad_register(client->handle, CLASS_SUBN_ADM, SA_CLASS_VERSION, 0,
					       methods));
	client->umad = umad_alloc(1, umad_size() + MAD_SIZE);
	CHECK(client->umad, "umad_alloc");
}

static void ask_for_notices(struct client *client, bool subscribe)
{
	struct sa_mad *mad = client_mad(client);

	memset(client->umad, 0, umad_size() + MAD_SIZE);
	CHECK_OK(umad_set_addr(client->umad, client->sm_lid, GSI_QPN, client->sm_sl, GSI_QKEY));
	mad->hdr.base_version = 1;
	mad->hdr.mgmt_class = CLASS_SUBN_ADM;
	mad->hdr.class_version = SA_CLASS_VERSION;
	mad->hdr.method = METHOD_SET;
	mad->hdr.tid = htobe64(subscribe ? 1 : 2);
	mad->hdr.attr_id = htobe16(ATTR_INFORM_INFO);
	mad->data.inform_info = (struct inform_info){
		.lid_range_begin = htobe16(LID_ALL),
		.is_generic = true,
		.subscribe = subscribe,
		.type = htobe16(TYPE_ALL),
		.trap_number = htobe16(TRAP_ALL),
		.qpn_resp_time = htobe32(GSI_QPN << 8 | 18),	/* 4.096 us << 18: about a second */
		.producer_type = htobe32(PRODUCER_ALL),
	};
	CHECK_OK(umad_send(client->handle, client->agent, client->umad, MAD_SIZE,
			   ANSWER_WITHIN_MS, 2));
}

static void print_notice(const struct notice *notice)
{
	unsigned int trap = be16toh(notice->trap_number);
	char gid[INET6_ADDRSTRLEN];

	printf("notice %u from %u", trap, be16toh(notice->issuer_lid));
	if (trap >= TRAP_GID_FIRST && trap <= TRAP_GID_LAST)
		printf(": gid %s", inet_ntop(AF_INET6, notice->details.path.gid, gid, sizeof(gid)));
	else if (trap == TRAP_LINK_STATE)
		printf(": lid %u", be16toh(notice->details.lid));
	putchar('\n');
}

/* Each Report has a transaction ID of its own; a repetition has the first one's. */
static void check_new(struct client *client, uint64_t tid)
{
	for (unsigned int i = 0; i < client->reports && i < TIDS_REMEMBERED; i++)
		CHECK(client->tids[i] != tid, "Report %#llx came again after its ReportResp",
		      (unsigned long long)be64toh(tid));
	client->tids[client->reports++ % TIDS_REMEMBERED] = tid;
}

/* The answer is the Report itself with the response bit, to where it came from. */
static void answer_report(struct client *client)
{
	client_mad(client)->hdr.method |= METHOD_RESP;
	client->umad->addr.qkey = htonl(GSI_QKEY);
	CHECK_OK(umad_send(client->handle, client->agent, client->umad, MAD_SIZE, 0, 0));
}

/* The next MAD, if one comes soon. */
static bool receive(struct client *client)
{
	int length = MAD_SIZE;

	if (umad_poll(client->handle, LOOK_AROUND_MS))
		return false;
	CHECK_EQ(umad_recv(client->handle, client->umad, &length, 0), client->agent);
	CHECK_EQ(umad_status(client->umad), 0);
	CHECK_EQ(length, MAD_SIZE);
	return true;
}

/* Serves Reports; true when the answer to our own request has come. */
static bool serve(struct client *client)
{
	struct sa_mad *mad = client_mad(client);

	if (!receive(client))
		return false;
	if (mad->hdr.method == METHOD_REPORT) {
		CHECK_EQ(be16toh(mad->hdr.attr_id), ATTR_NOTICE);
		check_new(client, mad->hdr.tid);
		print_notice(&mad->data.notice);
		answer_report(client);
		return false;
	}
	CHECK_EQ(mad->hdr.method, METHOD_GET | METHOD_RESP);
	CHECK_EQ(be16toh(mad->hdr.attr_id), ATTR_INFORM_INFO);
	CHECK_EQ(be16toh(mad->hdr.status), 0);
	return true;
}

int main(int argc, char **argv)
{
	static struct client client;

	if (argc != 3) {
		fprintf(stderr, "usage: sa-notices DEVICE PORT\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGTERM, stop);
	CHECK_OK(umad_init());
	open_client(&client, argv[1], atoi(argv[2]));

	ask_for_notices(&client, true);
	while (!serve(&client))
		continue;
	puts("subscribed");
	while (!stopping)
		CHECK(!serve(&client), "a response to no request");
	ask_for_notices(&client, false);
	while (!serve(&client))
		continue;
	puts("unsubscribed");

	CHECK_OK(umad_unregister(client.handle, client.agent));
	CHECK_OK(umad_close_port(client.handle));
	umad_free(client.umad);
	return 0;
}
