/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What the tests of the fabric share: a fabric on virtual time, ports that keep what they receive,
 * and hand-made packets.
 */
#ifndef IBEMU_TESTS_LAB_H
#define IBEMU_TESTS_LAB_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fabric/model.h"

#define HCA0 0x0002c90300001010ull
#define HCA1 0x0002c90300001020ull
#define PLAIN 0x0002c90300001030ull
#define SWITCH1 0x0002c90200000010ull
#define SWITCH2 0x0002c90200000020ull

#define BACK_TO_BACK \
	"expose=connectx5\nCa 1 \"H-0002c90300001010\" # \"hca0\"\n[1] \"H-0002c90300001020\"[1]\n" \
	"expose=connectx5\nCa 1 \"H-0002c90300001020\" # \"hca1\"\n[1] \"H-0002c90300001010\"[1]\n"

/* hca0 - 1 switch1 2 - 3 switch2 4 - hca1; plain at switch2's port 5 */
#define TWO_SWITCHES \
	"Switch 8 \"S-0002c90200000010\" # \"switch1\"\n" \
	"[1] \"H-0002c90300001010\"[1]\n[2] \"S-0002c90200000020\"[3]\n" \
	"Switch 20 \"S-0002c90200000020\" # \"switch2\"\n" \
	"[3] \"S-0002c90200000010\"[2]\n[4] \"H-0002c90300001020\"[1]\n[5] \"H-0002c90300001030\"[1]\n" \
	"expose=connectx5\nCa 1 \"H-0002c90300001010\" # \"hca0\"\n[1] \"S-0002c90200000010\"[1]\n" \
	"expose=connectx5\nCa 1 \"H-0002c90300001020\" # \"hca1\"\n[1] \"S-0002c90200000020\"[4]\n" \
	"Ca 1 \"H-0002c90300001030\" # \"plain\"\n[1] \"S-0002c90200000020\"[5]\n"

struct lab_owner {
	struct packet *received[64]; /* in their order */
	unsigned int count;
	enum port_event events[64];
	unsigned int event_count;
};

struct lab {
	struct sched *sched;
	struct fabric *fabric;
	struct lab_owner owner[2];   /* of the exposed HCAs' first ports */
	struct fabric_port *port[2];
};

static inline void lab_receive(void *owner, struct packet *packet)
{
	struct lab_owner *o = owner;

	assert_true(o->count < 64);
	o->received[o->count++] = packet;
}

static inline void lab_event(void *owner, enum port_event event)
{
	struct lab_owner *o = owner;

	assert_true(o->event_count < 64);
	o->events[o->event_count++] = event;
}

static const struct port_ops lab_ops = { lab_receive, lab_event };

static inline int lab_load(struct fabric *fabric, const char *text, char *error, size_t error_len)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	int ret;

	assert_non_null(file);
	ret = fabric_load(fabric, file, "t", error, error_len);
	fclose(file);
	return ret;
}

static inline struct lab *lab_create(const char *topology)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	char error[200] = "";

	assert_non_null(lab);
	lab->sched = sched_create_virtual();
	lab->fabric = fabric_create(lab->sched);
	if (lab_load(lab->fabric, topology, error, sizeof(error)))
		fail_msg("%s", error);
	for (unsigned int i = 0; i < 2; i++) {
		struct fabric_node *node = fabric_exposed(lab->fabric, i);

		if (!node)
			continue;
		lab->port[i] = fabric_node_port(node, 1);
		fabric_port_attach(lab->port[i], &lab_ops, &lab->owner[i]);
	}
	return lab;
}

static inline void lab_forget(struct lab *lab)
{
	for (unsigned int i = 0; i < 2; i++) {
		while (lab->owner[i].count)
			packet_free(lab->owner[i].received[--lab->owner[i].count]);
		lab->owner[i].event_count = 0;
	}
}

static inline void lab_destroy(struct lab *lab)
{
	lab_forget(lab);
	fabric_destroy(lab->fabric);
	sched_destroy(lab->sched);
	packet_drain_pool();
	free(lab);
}

static inline struct fabric_port *lab_port(struct lab *lab, uint64_t guid, unsigned int num)
{
	struct fabric_node *node = fabric_find(lab->fabric, guid);

	assert_non_null(node);
	return fabric_node_port(node, num);
}

/* UD send-only, without GRH; the payload is zero. */
static inline struct packet *lab_packet(uint16_t dlid, uint16_t slid, uint32_t dest_qp,
					uint16_t payload_len)
{
	struct packet *packet = packet_alloc();
	uint8_t *d;

	assert_non_null(packet);
	d = packet->data;
	packet->len = LRH_LEN + BTH_LEN + DETH_LEN + payload_len;
	memset(d, 0, packet->len);
	d[1] = LNH_BTH;
	put_be16(d + 2, dlid);
	put_be16(d + 4, packet->len / 4 + 1);
	put_be16(d + 6, slid);
	d[8] = 0x64;
	put_be16(d + 10, 0xffff);
	put_be24(d + 13, dest_qp);
	put_be24(d + 25, dest_qp ? 0x123 : 0);
	put_be32(d + 20, 0x80010000);
	return packet;
}

static inline uint8_t *lab_mad(struct packet *packet) { return packet->data + 28; }

static inline void lab_fill_mad(uint8_t *mad, uint8_t mgmt_class, uint8_t method, uint16_t attr,
				uint32_t modifier)
{
	memset(mad, 0, 256);
	mad[0] = 1;
	mad[1] = mgmt_class;
	mad[2] = 1;
	mad[3] = method;
	put_be64(mad + 8, 0x1122334455667788);
	put_be16(mad + 16, attr);
	put_be32(mad + 20, modifier);
}

static inline struct packet *lab_smp(uint16_t dlid, uint16_t slid, uint8_t method, uint16_t attr,
				     uint32_t modifier)
{
	struct packet *packet = lab_packet(dlid, slid, 0, 256);

	packet->vl = 15;
	lab_fill_mad(lab_mad(packet), 0x01, method, attr, modifier);
	return packet;
}

/*
 * A directed-route SMP over these ports (the first: the sender's own), as a host sends it:
 * HopPointer is 1 already.
 */
static inline struct packet *lab_dr_smp(const uint8_t *path, uint8_t hops, uint8_t method,
					uint16_t attr, uint32_t modifier)
{
	struct packet *packet = lab_smp(0xffff, 0xffff, method, attr, modifier);
	uint8_t *mad = lab_mad(packet);

	mad[1] = 0x81;
	mad[6] = 1;
	mad[7] = hops;
	put_be16(mad + 32, 0xffff);
	put_be16(mad + 34, 0xffff);
	memcpy(mad + 129, path, hops);
	return packet;
}

static inline void lab_send(struct lab *lab, unsigned int from, struct packet *packet)
{
	fabric_port_send(lab->port[from], packet);
	sched_run(lab->sched);
}

/* The one packet that a port has received. */
static inline struct packet *lab_only(struct lab *lab, unsigned int at)
{
	assert_int_equal(lab->owner[at].count, 1);
	return lab->owner[at].received[0];
}

/* By the way of the local host: the MAD's status, with the answer in mad; -1 when there is none. */
static inline int lab_local(struct fabric_port *port, uint8_t *mad)
{
	if (!fabric_port_mad(port, 0, mad, mad))
		return -1;
	assert_int_equal(mad[3], 0x81);
	return get_be16(mad + 4);
}

static inline int lab_get(struct fabric_port *port, uint16_t attr, uint32_t modifier, uint8_t *mad)
{
	lab_fill_mad(mad, 0x01, 0x01, attr, modifier);
	return lab_local(port, mad);
}

/* Set with the data that stand at mad + 64. */
static inline int lab_set(struct fabric_port *port, uint16_t attr, uint32_t modifier, uint8_t *mad)
{
	uint8_t data[64];

	memcpy(data, mad + 64, 64);
	lab_fill_mad(mad, 0x01, 0x02, attr, modifier);
	memcpy(mad + 64, data, 64);
	return lab_local(port, mad);
}

/* Set(PortInfo) of what Get shows but for its state: 0, no change. */
static inline void lab_port_info(struct fabric_port *port, unsigned int num, uint8_t *mad)
{
	assert_int_equal(lab_get(port, 0x15, num, mad), 0);
	mad[64 + 32] &= 0xf0;
	mad[64 + 33] &= 0x0f;
}

/* What an SM does to a CA port or a switch's port 0, and to all links of a node. */
static inline void lab_assign_lid(struct fabric_port *port, uint16_t lid, uint16_t sm_lid)
{
	uint8_t mad[256];

	lab_port_info(port, port->num, mad);
	put_be16(mad + 64 + 16, lid);
	put_be16(mad + 64 + 18, sm_lid);
	assert_int_equal(lab_set(port, 0x15, port->num, mad), 0);
}

static inline void lab_activate(struct fabric_port *port)
{
	uint8_t mad[256];

	for (uint8_t state = 3; state <= 4; state++) {
		lab_port_info(port, port->num, mad);
		mad[64 + 32] |= state;
		assert_int_equal(lab_set(port, 0x15, port->num, mad), 0);
	}
}

static inline void lab_activate_all(struct lab *lab)
{
	for (struct fabric_node *node = lab->fabric->nodes; node; node = node->next) {
		for (unsigned int i = 1; i <= node->num_ports; i++) {
			if (node->ports[i].attr.state == PORT_INIT)
				lab_activate(&node->ports[i]);
		}
	}
	sched_run(lab->sched);
}

static inline void lab_route(struct lab *lab, uint64_t guid, uint16_t lid, uint8_t out)
{
	struct switch_tables *tables = fabric_find(lab->fabric, guid)->tables;

	tables->lft[lid] = out;
	if (tables->linear_fdb_top < lid)
		tables->linear_fdb_top = lid;
}

/*
 * TWO_SWITCHES as an SM leaves it: LIDs 1 (hca0), 2 (hca1), 3 (plain), 4 and 5 (switches), SM at
 * LID 1, all links active, LFTs set.
 */
static inline struct lab *lab_two_switches(void)
{
	static const uint8_t out1[] = { 0xff, 1, 2, 2, 0, 2 }, out2[] = { 0xff, 3, 4, 5, 3, 0 };
	struct lab *lab = lab_create(TWO_SWITCHES);

	lab_assign_lid(lab_port(lab, HCA0, 1), 1, 1);
	lab_assign_lid(lab_port(lab, HCA1, 1), 2, 1);
	lab_assign_lid(lab_port(lab, PLAIN, 1), 3, 1);
	lab_assign_lid(lab_port(lab, SWITCH1, 0), 4, 1);
	lab_assign_lid(lab_port(lab, SWITCH2, 0), 5, 1);
	for (uint16_t lid = 1; lid < 6; lid++) {
		lab_route(lab, SWITCH1, lid, out1[lid]);
		lab_route(lab, SWITCH2, lid, out2[lid]);
	}
	lab_activate_all(lab);
	lab_forget(lab);
	return lab;
}

#endif
