// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: libumad-echo
 *
 * A request, its response, and a request that times out, as programs do it: through libibumad.
 * PORT_A and PORT_B in the environment name two ports that reach each other ("rxe_a/1").
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "check.h"
#include "mad.h"
#include "port.h"

enum { CLASS_VERSION = 1, WAIT_MS = 30000 };

static uint8_t oui[3] = { 0x0a, 0x1b, 0x2c };

struct side {
	struct port port;
	int handle;		/* libibumad's */
	int agent;
	void *umad;
};

static struct side open_side(struct port port, uint8_t method)
{
	struct side side = { .port = port };
	uint32_t methods[4] = { 1u << method };
	umad_port_t attributes;

	CHECK_OK(umad_get_port(side.port.ibdev, port.port_num, &attributes));
	CHECK_EQ(attributes.portnum, port.port_num);
	CHECK(!strcmp(attributes.link_layer, port.roce ? "Ethernet" : "InfiniBand"),
	      "link layer of %s is %s", port.ibdev, attributes.link_layer);
	CHECK_EQ(attributes.base_lid, port.lid);
	umad_release_port(&attributes);

	side.handle = CHECK_OK(umad_open_port(side.port.ibdev, port.port_num));
	side.agent = CHECK_OK(umad_register_oui(side.handle, CLASS_VENDOR_0X30, 0, oui,
						(void *)methods));
	side.umad = umad_alloc(1, umad_size() + MAD_SIZE);
	CHECK(side.umad, "umad_alloc");
	return side;
}

static void address(struct side *from, const struct port *to)
{
	struct ib_user_mad *umad = from->umad;
	ib_mad_addr_t grh = { .hop_limit = 64 };

	CHECK_OK(umad_set_addr(umad, to->lid, GSI_QPN, 0, GSI_QKEY));
	memcpy(grh.gid, to->gid, sizeof(grh.gid));
	CHECK_OK(umad_set_grh(umad, to->roce ? &grh : NULL));
	umad->addr.gid_index = from->port.gid_index;
}

static void fill_request(struct side *from, const struct port *to, uint8_t method, uint64_t tid)
{
	struct mad *mad = umad_get_mad(from->umad);

	memset(from->umad, 0, umad_size() + MAD_SIZE);
	address(from, to);
	mad->hdr.base_version = 1;
	mad->hdr.mgmt_class = CLASS_VENDOR_0X30;
	mad->hdr.class_version = CLASS_VERSION;
	mad->hdr.method = method;
	mad->hdr.tid = htobe64(tid);
	memcpy(mad->oui, oui, sizeof(oui));
	strcpy((char *)mad->data, "through libibumad");
}

/* The agent that the MAD came for; its status in *status. */
static int receive(struct side *side, int *status)
{
	int length = MAD_SIZE;
	int agent = CHECK_OK(umad_recv(side->handle, side->umad, &length, WAIT_MS));

	*status = umad_status(side->umad);
	CHECK_EQ(length, *status ? MAD_HDR_LEN : MAD_SIZE);
	return agent;
}

static void echo(struct side *client, struct side *server)
{
	struct mad *mad;
	int status;

	fill_request(client, &server->port, METHOD_GET, 0x1234567);
	CHECK_OK(umad_send(client->handle, client->agent, client->umad, MAD_SIZE, WAIT_MS, 0));
	CHECK_OK(umad_poll(server->handle, WAIT_MS));
	CHECK_EQ(receive(server, &status), server->agent);
	CHECK_EQ(status, 0);
	mad = umad_get_mad(server->umad);
	CHECK_EQ(be64toh(mad->hdr.tid) & 0xffffffff, 0x1234567);
	CHECK(!strcmp((char *)mad->data, "through libibumad"), "the data changed on its way");

	mad->hdr.method |= METHOD_RESP;
	strcpy((char *)mad->data, "and back");
	address(server, &client->port);
	CHECK_OK(umad_send(server->handle, server->agent, server->umad, MAD_SIZE, 0, 0));
	CHECK_EQ(receive(client, &status), client->agent);
	CHECK_EQ(status, 0);
	mad = umad_get_mad(client->umad);
	CHECK_EQ(mad->hdr.method, METHOD_GET | METHOD_RESP);
	CHECK(!strcmp((char *)mad->data, "and back"), "the data changed on its way back");
}

static void timeout(struct side *client, struct side *server)
{
	struct mad *mad;
	int status;

	fill_request(client, &server->port, METHOD_SEND, 0x7654321);
	CHECK_OK(umad_send(client->handle, client->agent, client->umad, MAD_SIZE, 200, 1));
	CHECK_EQ(receive(client, &status), client->agent);
	CHECK_EQ(status, ETIMEDOUT);
	mad = umad_get_mad(client->umad);
	CHECK_EQ(be64toh(mad->hdr.tid) & 0xffffffff, 0x7654321);
	CHECK_EQ(umad_poll(client->handle, 0), -ETIMEDOUT);
}

static void close_side(struct side *side)
{
	CHECK_OK(umad_unregister(side->handle, side->agent));
	CHECK_OK(umad_close_port(side->handle));
	umad_free(side->umad);
}

int main(void)
{
	struct side client, server;

	CHECK_OK(umad_init());
	client = open_side(port_a(), METHOD_SET);
	server = open_side(port_b(), METHOD_GET);
	echo(&client, &server);
	timeout(&client, &server);
	close_side(&client);
	close_side(&server);
	CHECK_OK(umad_done());
	return 0;
}
