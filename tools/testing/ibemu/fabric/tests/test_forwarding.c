// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Data packets through links and switches: LFT, MFT, lanes, states, lengths, P_Keys, loops. */
#include "fabric/tests/lab.h"

static uint64_t stat(struct lab *lab, enum fabric_stat which)
{
	return lab->fabric->stats[which];
}

static void test_unicast(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = lab_packet(2, 1, 0x99, 1000), *got;

	(void)state;
	packet->data[1] |= 9 << 4; /* SL 9: VL1 */
	packet->data[500] = 0xab;
	lab_send(lab, 0, packet);
	got = lab_only(lab, 1);
	assert_ptr_equal(got, packet); /* no copy on the way */
	assert_int_equal(got->vl, 1);
	assert_int_equal(got->data[0], 0x10);
	assert_int_equal(got->data[500], 0xab);
	assert_int_equal(lab->owner[0].count, 0);
	assert_int_equal(stat(lab, STAT_DELIVERED), 1);
	lab_destroy(lab);
}

static void test_own_lid_comes_back(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	lab_send(lab, 0, lab_packet(1, 1, 0x99, 64));
	assert_int_equal(lab->owner[0].count, 1);
	assert_int_equal(lab->port[0]->counters.traffic[TRAFFIC_XMIT_PKTS], 0);
	assert_int_equal(lab->port[0]->counters.traffic[TRAFFIC_RCV_PKTS], 0);
	lab_destroy(lab);
}

static void test_lmc(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	lab->port[1]->attr.lid = 0x20;
	lab->port[1]->attr.lmc = 2;
	for (uint16_t lid = 0x1f; lid <= 0x24; lid++) {
		lab_route(lab, SWITCH1, lid, 2);
		lab_route(lab, SWITCH2, lid, 4);
		lab_send(lab, 0, lab_packet(lid, 1, 0x99, 64));
	}
	assert_int_equal(lab->owner[1].count, 4);
	assert_int_equal(stat(lab, STAT_NO_ROUTE), 2);
	lab_destroy(lab);
}

/* No route is a drop, never a default. */
static void test_no_route(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *in = lab_port(lab, SWITCH1, 1);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(in, 0x12, 0, mad), 0);
	mad[64 + 8] = 2; /* not even with a DefaultPort */
	assert_int_equal(lab_set(in, 0x12, 0, mad), 0);
	lab_send(lab, 0, lab_packet(0x100, 1, 0x99, 64)); /* beyond LinearFDBTop */
	lab_route(lab, SWITCH1, 0x80, 0xff);
	lab_send(lab, 0, lab_packet(0x80, 1, 0x99, 64));
	lab_route(lab, SWITCH1, 0x80, 0); /* to a port 0 that isn't it */
	lab_send(lab, 0, lab_packet(0x80, 1, 0x99, 64));
	lab_route(lab, SWITCH1, 0x80, 9); /* more than it has */
	lab_send(lab, 0, lab_packet(0x80, 1, 0x99, 64));
	lab_route(lab, SWITCH1, 0x80, 1); /* back */
	lab_send(lab, 0, lab_packet(0x80, 1, 0x99, 64));
	lab_send(lab, 0, lab_packet(0, 1, 0x99, 64));
	lab_send(lab, 0, lab_packet(0xffff, 1, 0x99, 64));
	lab_send(lab, 0, lab_packet(0xc000, 1, 0x99, 64));
	assert_int_equal(in->counters.errors[ERR_RCV_SWITCH_RELAY], 8);
	assert_int_equal(stat(lab, STAT_NO_ROUTE), 8);
	assert_int_equal(lab->owner[0].count + lab->owner[1].count, 0);
	lab_destroy(lab);
}

static void set_mft(struct lab *lab, uint64_t guid, uint16_t mlid, unsigned int position,
		    uint16_t mask)
{
	struct switch_tables *tables = fabric_find(lab->fabric, guid)->tables;

	tables->mft[(mlid - 0xc000) * tables->mft_positions + position] = mask;
}

static void test_multicast(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *plain = lab_port(lab, PLAIN, 1);

	(void)state;
	set_mft(lab, SWITCH1, 0xc003, 0, 1 << 1 | 1 << 2);
	set_mft(lab, SWITCH2, 0xc003, 0, 1 << 3 | 1 << 4 | 1 << 5 | 1 << 0);
	lab_send(lab, 0, lab_packet(0xc003, 1, 0xffffff, 256));
	assert_int_equal(lab->owner[1].count, 1);
	assert_int_equal(lab->owner[0].count, 0); /* not back to where it came from */
	assert_int_equal(plain->counters.traffic[TRAFFIC_MULTICAST_RCV_PKTS], 1);
	assert_int_equal(plain->counters.traffic[TRAFFIC_UNICAST_RCV_PKTS], 0);
	assert_int_equal(lab->port[0]->counters.traffic[TRAFFIC_MULTICAST_XMIT_PKTS], 1);
	lab_forget(lab);
	lab_send(lab, 1, lab_packet(0xc003, 2, 0xffffff, 256));
	assert_int_equal(lab->owner[0].count, 1);
	assert_int_equal(lab->owner[1].count, 0);
	/* the last one of the table, and one past it */
	set_mft(lab, SWITCH2, 0xcfff, 0, 1 << 3);
	lab_forget(lab);
	lab_send(lab, 1, lab_packet(0xcfff, 2, 0xffffff, 256));
	lab_send(lab, 1, lab_packet(0xd000, 2, 0xffffff, 256));
	assert_int_equal(lab_port(lab, SWITCH2, 4)->counters.errors[ERR_RCV_SWITCH_RELAY], 1);
	assert_int_equal(lab_port(lab, SWITCH1, 2)->counters.errors[ERR_RCV_SWITCH_RELAY], 1);
	lab_destroy(lab);
}

/* A ring of three switches and multicast to all ports: it multiplies, and ends. */
static void test_multicast_storm_ends(void **state)
{
	struct lab *lab = lab_create(
		"Switch 4 \"S-0000000000000001\"\n[1] \"H-0002c90300001010\"[1]\n[2] \"S-0000000000000002\"[1]\n[3] \"S-0000000000000003\"[1]\n"
		"[4] \"S-0000000000000002\"[3]\n"
		"Switch 4 \"S-0000000000000002\"\n[1] \"S-0000000000000001\"[2]\n[2] \"S-0000000000000003\"[2]\n[3] \"S-0000000000000001\"[4]\n"
		"Switch 4 \"S-0000000000000003\"\n[1] \"S-0000000000000001\"[3]\n[2] \"S-0000000000000002\"[2]\n"
		"expose=connectx5\nCa 1 \"H-0002c90300001010\"\n[1] \"S-0000000000000001\"[1]\n");

	(void)state;
	lab_activate_all(lab);
	for (uint64_t guid = 1; guid <= 3; guid++)
		set_mft(lab, guid, 0xc000, 0, 0xfffe & ~(guid == 1 ? 2 : 0));
	lab_send(lab, 0, lab_packet(0xc000, 1, 0xffffff, 4));
	assert_true(stat(lab, STAT_LOOPED) > 0);
	assert_int_equal(lab->fabric->queue.len, 0);
	lab_destroy(lab);
}

static void test_unicast_loop_ends(void **state)
{
	struct lab *lab = lab_create(
		"Switch 4 \"S-0000000000000001\"\n[1] \"H-0002c90300001010\"[1]\n[2] \"S-0000000000000002\"[1]\n[3] \"S-0000000000000002\"[2]\n"
		"Switch 4 \"S-0000000000000002\"\n[1] \"S-0000000000000001\"[2]\n[2] \"S-0000000000000001\"[3]\n"
		"expose=connectx5\nCa 1 \"H-0002c90300001010\"\n[1] \"S-0000000000000001\"[1]\n");

	(void)state;
	lab_activate_all(lab);
	lab_route(lab, 1, 7, 2);
	lab_route(lab, 2, 7, 2);
	lab_send(lab, 0, lab_packet(7, 1, 0x99, 64));
	assert_int_equal(stat(lab, STAT_LOOPED), 1);
	assert_int_equal(lab_port(lab, 1, 2)->counters.traffic[TRAFFIC_XMIT_PKTS], 64);
	lab_destroy(lab);
}

/*
 * Data goes out of Active ports only; the neighbour in Armed takes it, and is Active from then on.
 */
static void test_port_states(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct fabric_port *a = lab->port[0], *b = lab->port[1];

	(void)state;
	lab_assign_lid(a, 1, 1);
	lab_assign_lid(b, 2, 1);
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 64));
	lab_send(lab, 0, lab_packet(1, 1, 0x99, 64)); /* not even to itself */
	assert_int_equal(a->counters.errors[ERR_XMIT_DISCARDS], 2);
	port_set_state(a, PORT_ARMED);
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 64));
	assert_int_equal(a->counters.errors[ERR_XMIT_DISCARDS], 3);
	port_set_state(a, PORT_ACTIVE);
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 64)); /* b is in Init */
	assert_int_equal(lab->owner[1].count, 0);
	assert_int_equal(stat(lab, STAT_NOT_ACTIVE), 4);
	port_set_state(b, PORT_ARMED);
	lab->owner[1].event_count = 0;
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 64));
	assert_int_equal(lab->owner[1].count, 1);
	assert_int_equal(b->attr.state, PORT_ACTIVE);
	assert_int_equal(lab->owner[1].event_count, 1);
	assert_int_equal(lab->owner[1].events[0], PORT_EV_ACTIVE);
	/* an SMP needs Init only, and doesn't get out of a port that is down */
	port_set_state(a, PORT_INIT);
	lab_send(lab, 0, lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0));
	assert_int_equal(lab->owner[0].count, 1);
	port_set_state(a, PORT_DOWN);
	lab_send(lab, 0, lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0));
	assert_int_equal(lab->owner[0].count, 1);
	assert_int_equal(a->counters.errors[ERR_XMIT_DISCARDS], 4);
	lab_destroy(lab);
}

static void test_lanes(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet;

	(void)state;
	/* at the source: SL 3 has no lane, SL 7 one that isn't operational */
	lab->port[0]->attr.sl2vl[3] = 15;
	lab->port[0]->operational_vls = 2; /* VL0-1 */
	packet = lab_packet(2, 1, 0x99, 64);
	packet->data[1] |= 3 << 4;
	lab_send(lab, 0, packet);
	packet = lab_packet(2, 1, 0x99, 64);
	packet->data[1] |= 7 << 4;
	lab_send(lab, 0, packet);
	assert_int_equal(lab->port[0]->counters.errors[ERR_XMIT_DISCARDS], 2);
	/* in the switch, by ingress and egress port: SL 1 from port 1 to port 2 */
	switch_sl2vl(fabric_find(lab->fabric, SWITCH1), 1, 2)[0] = 0x0f;
	packet = lab_packet(2, 1, 0x99, 64);
	packet->data[1] |= 1 << 4;
	lab_send(lab, 0, packet);
	assert_int_equal(lab_port(lab, SWITCH1, 1)->counters.errors[ERR_RCV_SWITCH_RELAY], 1);
	switch_sl2vl(fabric_find(lab->fabric, SWITCH1), 1, 2)[0] = 0x06;
	packet = lab_packet(2, 1, 0x99, 64);
	packet->data[1] |= 1 << 4;
	switch_sl2vl(fabric_find(lab->fabric, SWITCH2), 3, 4)[0] = 0x05;
	lab_send(lab, 0, packet);
	assert_int_equal(lab_only(lab, 1)->vl, 5);
	assert_int_equal(packet->data[0], 0x50);
	lab_destroy(lab);
}

/* A sender can't smuggle data into VL15 by way of the mapping, nor get the LRH's VL past it. */
static void test_vl15_is_not_for_data(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = lab_packet(2, 1, 0x99, 64);

	(void)state;
	packet->data[0] = 0xf0;
	lab_send(lab, 0, packet);
	assert_int_equal(lab_only(lab, 1)->data[0], 0x00);
	lab_destroy(lab);
}

/* NeighborMTU and 124 bytes of headers */
static void test_length(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	lab_port(lab, SWITCH2, 4)->attr.neighbor_mtu = 1;
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 256 + 124 - 28));
	assert_int_equal(lab->owner[1].count, 1);
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 256 + 124 - 28 + 4));
	assert_int_equal(lab->owner[1].count, 1);
	assert_int_equal(lab_port(lab, SWITCH2, 4)->counters.errors[ERR_XMIT_DISCARDS], 1);
	lab_destroy(lab);
}

static void test_pkey_enforcement(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *in = lab_port(lab, SWITCH1, 1), *out = lab_port(lab, SWITCH2, 4);
	struct packet *packet;

	(void)state;
	in->enforce_inbound = true;
	in->attr.pkeys[0] = 0x0005; /* limited member of 5 */
	packet = lab_packet(2, 1, 0x99, 64);
	put_be16(packet->data + 10, 0x8005);
	lab_send(lab, 0, packet);
	assert_int_equal(lab->owner[1].count, 1);
	packet = lab_packet(2, 1, 0x99, 64);
	put_be16(packet->data + 10, 0x0005); /* two limited members */
	lab_send(lab, 0, packet);
	assert_int_equal(lab->owner[1].count, 1);
	assert_int_equal(in->counters.errors[ERR_RCV_CONSTRAINT], 1);
	out->enforce_outbound = true;
	out->attr.pkeys[0] = 0x8006;
	packet = lab_packet(2, 1, 0x99, 64);
	put_be16(packet->data + 10, 0x8005);
	lab_send(lab, 0, packet);
	assert_int_equal(lab->owner[1].count, 1);
	assert_int_equal(out->counters.errors[ERR_XMIT_CONSTRAINT], 1);
	assert_int_equal(stat(lab, STAT_REFUSED), 2);
	lab_destroy(lab);
}

static void test_nobody_there(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	fabric_port_detach(lab->port[1]);
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 64));
	lab_send(lab, 0, lab_packet(3, 1, 0x99, 64)); /* a node without QPs */
	assert_int_equal(stat(lab, STAT_NO_OWNER), 2);
	lab_port(lab, PLAIN, 1)->attr.lid = 9; /* the LFT leads to the wrong port */
	lab_send(lab, 0, lab_packet(3, 1, 0x99, 64));
	assert_int_equal(stat(lab, STAT_NO_ROUTE), 1);
	lab_destroy(lab);
}

static void echo(void *owner, struct packet *packet)
{
	struct lab *lab = owner;

	lrh_set_lids(packet, 1, 2);
	fabric_port_send(lab->port[1], packet);
	assert_int_equal(lab->owner[0].count, 0); /* never from inside the call */
}

static void test_sending_from_receive(void **state)
{
	static const struct port_ops ops = { echo, lab_event };
	struct lab *lab = lab_two_switches();

	(void)state;
	fabric_port_attach(lab->port[1], &ops, lab);
	lab_send(lab, 0, lab_packet(2, 1, 0x99, 64));
	assert_int_equal(lab->owner[0].count, 1);
	lab_destroy(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unicast),
		cmocka_unit_test(test_own_lid_comes_back),
		cmocka_unit_test(test_lmc),
		cmocka_unit_test(test_no_route),
		cmocka_unit_test(test_multicast),
		cmocka_unit_test(test_multicast_storm_ends),
		cmocka_unit_test(test_unicast_loop_ends),
		cmocka_unit_test(test_port_states),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_vl15_is_not_for_data),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_pkey_enforcement),
		cmocka_unit_test(test_nobody_there),
		cmocka_unit_test(test_sending_from_receive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
