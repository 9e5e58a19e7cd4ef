// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A guest that sends anything: packets into an active fabric, and MADs to the agents of its port.
 * The input is a row of records: a byte that says what to do, two bytes of length, the bytes.
 */
#include <stdlib.h>

#include "fabric/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char topology[] =
	"Switch 8 \"S-0000000000000010\" # \"switch1\"\n"
	"[1] \"H-0000000000000100\"[1]\n[2] \"S-0000000000000020\"[3]\n[3] \"S-0000000000000020\"[6]\n"
	"Switch 20 \"S-0000000000000020\" # \"switch2\"\n"
	"[3] \"S-0000000000000010\"[2]\n[4] \"H-0000000000000200\"[1]\n[5] \"H-0000000000000300\"[1]\n[6] \"S-0000000000000010\"[3]\n"
	"expose=connectx5\nCa 1 \"H-0000000000000100\" # \"hca0\"\n[1] \"S-0000000000000010\"[1]\n"
	"expose=connectx5\nCa 1 \"H-0000000000000200\" # \"hca1\"\n[1] \"S-0000000000000020\"[4]\n"
	"Ca 1 \"H-0000000000000300\" # \"plain\"\n[1] \"S-0000000000000020\"[5]\n";

struct guest {
	struct fabric_port *port;
	unsigned int answers;
};

/* What arrives goes back where it came from, some times: a guest that answers all too readily. */
static void receive(void *owner, struct packet *packet)
{
	struct guest *guest = owner;

	if (guest->answers++ < 100)
		fabric_port_send(guest->port, packet);
	else
		packet_free(packet);
}

static void event(void *owner, enum port_event event)
{
	(void)owner;
	(void)event;
}

static void send(struct fabric_port *port, bool smp, bool fix, const uint8_t *bytes, size_t len)
{
	struct packet *packet = packet_alloc();

	if (!packet)
		return;
	packet->len = (uint16_t)len;
	packet->vl = smp ? 15 : 0;
	memcpy(packet->data, bytes, len);
	/* Random bytes never get past the first look: half of the packets get a sound LRH. */
	if (fix && len >= LRH_LEN) {
		packet->len &= ~3u;
		packet->data[0] = 0;
		put_be16(packet->data + 4, packet->len / 4 + 1);
	}
	fabric_port_send(port, packet);
}

/* An SMP with sound headers around the given MAD. */
static void send_smp(struct fabric_port *port, const uint8_t *bytes, size_t len)
{
	uint8_t packet[LRH_LEN + BTH_LEN + DETH_LEN + MAD_LEN] = {
		0, LNH_BTH, 0xff, 0xff, 0, 72, 0xff, 0xff, OPCODE_UD_SEND_ONLY
	};

	if (len >= 2)
		memcpy(packet + 2, bytes, 2); /* the DLID */
	memcpy(packet + 28, bytes, len < MAD_LEN ? len : MAD_LEN);
	put_be32(packet + 28, 0x01000100u | (len > 2 && bytes[2] & 1 ? 0x00810000u : 0x00010000u) |
				      (len > 3 ? bytes[3] & 7u : 1u));
	send(port, true, false, packet, sizeof(packet));
}

static void ask(struct fabric_port *port, const uint8_t *bytes, size_t len)
{
	uint8_t mad[MAD_LEN] = { 0 };

	memcpy(mad, bytes, len < MAD_LEN ? len : MAD_LEN);
	fabric_port_mad(port, mad[255] & 1, mad, mad);
}

static void run(struct fabric *fabric, struct fabric_port *port, const uint8_t *data, size_t size)
{
	while (size >= 3) {
		size_t len = get_be16(data + 1) % (PACKET_MAX + 1);
		uint8_t what = data[0];

		data += 3;
		size -= 3;
		if (len > size)
			len = size;
		switch (what & 3) {
		case 0:
			send(port, what & 4, what & 8, data, len);
			break;
		case 1:
			send_smp(port, data, len);
			break;
		case 2:
			ask(port, data, len);
			break;
		case 3:
			sched_advance(fabric->sched, NSEC_PER_MSEC << (what >> 4));
			break;
		}
		sched_run(fabric->sched);
		data += len;
		size -= len;
	}
}

/*
 * LIDs 1 to 5; all links active; LFTs that lead around in part; multicast to all, without a loop:
 * storms are slow.
 */
static void set_up(struct fabric *fabric)
{
	static const uint64_t guids[] = { 0x100, 0x200, 0x300, 0x10, 0x20 };
	static const uint8_t lft1[] = { 0xff, 1, 2, 2, 0, 3, 2, 3 },
			     lft2[] = { 0xff, 3, 4, 5, 6, 0, 6, 3 };

	for (unsigned int i = 0; i < 5; i++) {
		struct fabric_node *node = fabric_find(fabric, guids[i]);
		struct fabric_port *port = &node->ports[node->type == NODE_SWITCH ? 0 : 1];

		port->attr.lid = (uint16_t)(i + 1);
		port->attr.sm_lid = 1;
		for (unsigned int p = 1; p <= node->num_ports; p++) {
			if (node->ports[p].attr.state == PORT_INIT)
				node->ports[p].attr.state = PORT_ACTIVE;
		}
		if (node->type != NODE_SWITCH)
			continue;
		memcpy(node->tables->lft, node->num_ports == 8 ? lft1 : lft2, 8);
		node->tables->linear_fdb_top = 7;
		node->tables->mft[0] = node->num_ports == 8 ? 0x06 : 0x38;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct port_ops ops = { receive, event };
	struct sched *sched = sched_create_virtual();
	struct fabric *fabric = fabric_create(sched);
	FILE *file = fmemopen((void *)topology, sizeof(topology) - 1, "r");
	struct guest guests[2] = { 0 };
	char error[100];

	if (fabric_load(fabric, file, "t", error, sizeof(error)))
		abort();
	fclose(file);
	for (unsigned int i = 0; i < 2; i++) {
		guests[i].port = fabric_node_port(fabric_exposed(fabric, i), 1);
		fabric_port_attach(guests[i].port, &ops, &guests[i]);
	}
	set_up(fabric);
	run(fabric, guests[0].port, data, size);
	fabric_destroy(fabric);
	sched_destroy(sched);
	packet_drain_pool();
	return 0;
}
