// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The subnet management agent: every attribute, every refusal, the M_Key. Offsets are IBTA vol. 1,
 * 14.2.5's.
 */
#include "fabric/tests/lab.h"

#define DATA 64

static void test_refusals(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *port = lab->port[0];
	uint8_t mad[256];

	(void)state;
	lab_fill_mad(mad, 0x01, 0x01, 0x11, 0);
	mad[0] = 2;
	assert_int_equal(lab_local(port, mad), 0x04); /* base version */
	lab_fill_mad(mad, 0x01, 0x01, 0x11, 0);
	mad[2] = 9;
	assert_int_equal(lab_local(port, mad), 0x04); /* class version */
	lab_fill_mad(mad, 0x01, 0x03, 0x11, 0);
	assert_int_equal(lab_local(port, mad), 0x08); /* method */
	assert_int_equal(lab_get(port, 0x99, 0, mad), 0x0c);
	assert_int_equal(lab_get(port, 0x20, 0, mad), 0x0c); /* SMInfo isn't the agent's */
	assert_int_equal(lab_get(port, 0x12, 0, mad), 0x0c); /* SwitchInfo of a CA */
	assert_int_equal(lab_get(port, 0x19, 0, mad), 0x0c);
	assert_int_equal(lab_set(port, 0x10, 0, mad), 0x0c); /* read-only */
	assert_int_equal(lab_set(port, 0x11, 0, mad), 0x0c);
	assert_int_equal(lab_set(port, 0xff90, 0, mad), 0x0c);
	/* no answer: to a response, to a class without an agent */
	lab_fill_mad(mad, 0x01, 0x81, 0x11, 0);
	assert_int_equal(lab_local(port, mad), -1);
	lab_fill_mad(mad, 0x32, 0x01, 0x11, 0);
	assert_int_equal(lab_local(port, mad), -1);
	lab_destroy(lab);
}

/* As the local host asks it: the answer has no direction bit, whatever the path says. */
static void test_local_directed(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	uint8_t mad[256];

	(void)state;
	lab_fill_mad(mad, 0x81, 0x01, 0x11, 0);
	mad[7] = 5;
	assert_int_equal(lab_local(lab->port[1], mad), 0);
	assert_int_equal(mad[1], 0x81);
	assert_int_equal(mad[7], 5);
	assert_true(get_be64(mad + DATA + 12) == HCA1);
	lab_destroy(lab);
}

static void test_node_info(void **state)
{
	struct lab *lab = lab_create(
		"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x77\nexpose=connectx5\nCa 2 \"H-0000000000001000\" # \"two ports\"\n"
		"[1](1001) \"H-0000000000002000\"[2]\n[2](100f) \"H-0000000000002000\"[1]\n"
		"Ca 2 \"H-0000000000002000\"\n[1] \"H-0000000000001000\"[2]\n[2] \"H-0000000000001000\"[1]\n");
	static const uint8_t want[40] = {
		1, 1, 1, 2, 0, 0, 0,	0,    0, 0,  0,	   0x77, 0, 0, 0, 0, 0, 0, 0x10, 0,
		0, 0, 0, 0, 0, 0, 0x10, 0x0f, 0, 32, 0x10, 0x17, 0, 0, 0, 0, 2, 0, 2,	 0xc9,
	};
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(lab_port(lab, 0x1000, 2), 0x11, 0, mad), 0);
	assert_memory_equal(mad + DATA, want, 40);
	assert_int_equal(lab_get(lab_port(lab, 0x1000, 1), 0x10, 0, mad), 0);
	assert_string_equal((char *)mad + DATA, "two ports");
	lab_destroy(lab);
}

static void test_guid_info(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(lab->port[0], 0x14, 0, mad), 0);
	assert_true(get_be64(mad + DATA) == HCA0 + 1);
	assert_true(get_be64(mad + DATA + 8) == 0);
	put_be64(mad + DATA, 0x666);
	put_be64(mad + DATA + 56, 0x777);
	assert_int_equal(lab_set(lab->port[0], 0x14, 0, mad), 0);
	assert_true(get_be64(mad + DATA) == HCA0 + 1); /* read-only */
	assert_true(get_be64(mad + DATA + 56) == 0x777);
	assert_true(fabric_port_attr(lab->port[0])->guids[7] == 0x777);
	assert_int_equal(lab_get(lab->port[0], 0x14, 1, mad), 0x1c); /* a block beyond GUIDCap */
	assert_int_equal(lab_set(lab_port(lab, SWITCH1, 0), 0x14, 0, mad), 0x1c);
	sched_run(lab->sched);
	assert_int_equal(lab->owner[0].event_count, 1);
	assert_int_equal(lab->owner[0].events[0], PORT_EV_GUID_CHANGE);
	lab_destroy(lab);
}

static void test_pkey_table(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *port0 = lab_port(lab, SWITCH1, 0);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(lab->port[0], 0x16, 0, mad), 0);
	assert_int_equal(get_be32(mad + DATA), 0xffff0000);
	put_be16(mad + DATA + 62, 0x8001);
	assert_int_equal(lab_set(lab->port[0], 0x16, 0, mad), 0);
	assert_int_equal(fabric_port_attr(lab->port[0])->pkeys[31], 0x8001);
	assert_int_equal(lab_set(lab->port[0], 0x16, 0, mad), 0); /* the same again: no event */
	sched_run(lab->sched);
	assert_int_equal(lab->owner[0].event_count, 1);
	assert_int_equal(lab->owner[0].events[0], PORT_EV_PKEY_CHANGE);
	assert_int_equal(lab_get(lab->port[0], 0x16, 1, mad), 0x1c);

	/* a switch has one a port, the number in the upper half of the modifier */
	put_be16(mad + DATA + 62, 0x8001);
	assert_int_equal(lab_set(port0, 0x16, 8 << 16, mad), 0);
	assert_int_equal(lab_port(lab, SWITCH1, 8)->attr.pkeys[31], 0x8001);
	assert_int_equal(lab_port(lab, SWITCH1, 7)->attr.pkeys[31], 0);
	assert_int_equal(lab_get(port0, 0x16, 9 << 16, mad), 0x1c);
	lab_destroy(lab);
}

static void test_sl_to_vl(void **state)
{
	static const uint8_t modulo[8] = { 0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67 };
	static const uint8_t other[8] = { 0x01, 0xf0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02 };
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *port0 = lab_port(lab, SWITCH1, 0);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(lab->port[0], 0x17, 0, mad), 0);
	assert_memory_equal(mad + DATA, modulo, 8);
	memcpy(mad + DATA, other, 8);
	assert_int_equal(lab_set(lab->port[0], 0x17, 0, mad), 0);
	assert_int_equal(fabric_port_attr(lab->port[0])->sl2vl[1], 1);
	assert_int_equal(fabric_port_attr(lab->port[0])->sl2vl[2], 15);
	assert_int_equal(fabric_port_attr(lab->port[0])->sl2vl[15], 2);

	/* of a switch: ingress port 1 (bits 8-15), egress port 2 */
	memcpy(mad + DATA, other, 8);
	assert_int_equal(lab_set(port0, 0x17, 0x102, mad), 0);
	assert_int_equal(lab_get(port0, 0x17, 0x102, mad), 0);
	assert_memory_equal(mad + DATA, other, 8);
	assert_int_equal(lab_get(port0, 0x17, 0x201, mad), 0);
	assert_memory_equal(mad + DATA, modulo, 8);
	assert_int_equal(lab_get(port0, 0x17, 0x109, mad), 0x1c);
	assert_int_equal(lab_get(port0, 0x17, 0x901, mad), 0x1c);
	assert_int_equal(lab_get(port0, 0x17, 0x10102, mad), 0x1c);
	lab_destroy(lab);
}

static void test_vl_arbitration(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *port0 = lab_port(lab, SWITCH1, 0);
	uint8_t mad[256];

	(void)state;
	memset(mad + DATA, 0, 64);
	mad[DATA] = 0xf3; /* the reserved half is dropped */
	mad[DATA + 1] = 200;
	assert_int_equal(lab_set(lab->port[0], 0x18, 1 << 16, mad), 0);
	assert_int_equal(lab_get(lab->port[0], 0x18, 1 << 16, mad), 0);
	assert_int_equal(get_be16(mad + DATA), 0x03c8);
	assert_int_equal(lab_get(lab->port[0], 0x18, 3 << 16, mad), 0);
	assert_int_equal(get_be16(mad + DATA), 0);
	assert_int_equal(lab_get(lab->port[0], 0x18, 0, mad), 0x1c);
	assert_int_equal(lab_get(lab->port[0], 0x18, 2 << 16, mad), 0x1c);
	assert_int_equal(lab_set(port0, 0x18, 3 << 16 | 8, mad), 0);
	assert_int_equal(lab_get(port0, 0x18, 3 << 16 | 9, mad), 0x1c);
	lab_destroy(lab);
}

static void test_switch_info(void **state)
{
	static const uint8_t want[20] = { 0xc0, 0, 0, 0, 0x10, 0,  0,	 0, 0, 0,
					  0,	0, 0, 0, 0,    32, 0xc0, 0, 0, 0 };
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *port0 = lab_port(lab, SWITCH1, 0);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(port0, 0x12, 0, mad), 0);
	assert_memory_equal(mad + DATA, want, 20);
	put_be16(mad + DATA + 6, 0xbfff);
	mad[DATA + 8] = 1;
	mad[DATA + 9] = 2;
	mad[DATA + 10] = 3;
	mad[DATA + 11] = 18 << 3;
	assert_int_equal(lab_set(port0, 0x12, 0, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 6), 0xbfff);
	assert_memory_equal(mad + DATA + 8, ((uint8_t[]){ 1, 2, 3, 18 << 3 }), 4);
	put_be16(mad + DATA + 6, 0xc000); /* no unicast LID */
	assert_int_equal(lab_set(port0, 0x12, 0, mad), 0x1c);
	lab_destroy(lab);
}

/* Set by the link; cleared by writing one, not by writing zero. */
static void test_port_state_change(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *port0 = lab_port(lab, SWITCH1, 0);
	uint8_t mad[256];

	(void)state;
	lab_port_info(lab->port[0], 0, mad);
	mad[DATA + 32] |= 1;
	assert_int_equal(lab_set(lab->port[0], 0x15, 0, mad), 0);
	assert_int_equal(lab_get(port0, 0x12, 0, mad), 0);
	assert_int_equal(mad[DATA + 11], 4);
	mad[DATA + 11] = 0;
	assert_int_equal(lab_set(port0, 0x12, 0, mad), 0);
	assert_int_equal(mad[DATA + 11], 4);
	assert_int_equal(lab_set(port0, 0x12, 0, mad), 0);
	assert_int_equal(mad[DATA + 11], 0);
	lab_destroy(lab);
}

static void test_forwarding_tables(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct fabric_port *port0 = lab_port(lab, SWITCH2, 0); /* 20 ports: two positions */
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(port0, 0x19, 767, mad), 0);
	assert_int_equal(mad[DATA + 63], 0xff);
	mad[DATA + 63] = 4;
	assert_int_equal(lab_set(port0, 0x19, 767, mad), 0);
	assert_int_equal(port0->node->tables->lft[0xbfff], 4);
	assert_int_equal(lab_get(port0, 0x19, 768, mad), 0x1c);
	assert_int_equal(lab_set(port0, 0x19, 768, mad), 0x1c);

	memset(mad + DATA, 0, 64);
	put_be16(mad + DATA + 2, 0x0012);
	assert_int_equal(lab_set(port0, 0x1b, 127u | 1u << 28, mad), 0);
	assert_int_equal(port0->node->tables->mft[(127 * 32 + 1) * 2 + 1], 0x0012);
	assert_int_equal(lab_get(port0, 0x1b, 127u, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 2), 0);
	assert_int_equal(lab_get(port0, 0x1b, 128u, mad), 0x1c);
	assert_int_equal(lab_get(port0, 0x1b, 2u << 28, mad), 0x1c);
	assert_int_equal(lab_get(port0, 0x1b, 1u << 9, mad), 0x1c);
	lab_destroy(lab);
}

static void test_m_key_levels(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *port = lab->port[1];
	uint8_t mad[256];

	(void)state;
	for (uint8_t level = 0; level < 4; level++) {
		port->m_key = 0x1234;
		port->m_key_protect = level;
		port->m_key_violations = 0;

		/* with the key: all of it */
		lab_fill_mad(mad, 0x01, 0x01, 0x15, 0);
		put_be64(mad + 24, 0x1234);
		assert_int_equal(lab_local(port, mad), 0);
		assert_true(get_be64(mad + DATA) == 0x1234);
		assert_int_equal(mad[DATA + 34] >> 6, level);
		assert_int_equal(port->m_key_violations, 0);

		/* without: reads at levels 0 and 1, the key itself at 0 */
		assert_int_equal(lab_get(port, 0x15, 0, mad), level < 2 ? 0 : -1);
		if (level < 2)
			assert_true(get_be64(mad + DATA) == (level ? 0 : 0x1234));
		assert_int_equal(port->m_key_violations, level < 2 ? 0 : 1);
		assert_int_equal(lab_set(port, 0x14, 0, mad), -1);
		assert_int_equal(port->m_key_violations, level < 2 ? 1 : 2);

		/* the host may be told to look away */
		lab_fill_mad(mad, 0x01, 0x01, 0x15, 0);
		assert_true(fabric_port_mad(port, MAD_IGNORE_MKEY, mad, mad));
		assert_true(get_be64(mad + DATA) == 0x1234);
	}
	lab_destroy(lab);
}

static void test_m_key_over_the_wire(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *plain = lab_port(lab, PLAIN, 1);
	struct packet *packet;

	(void)state;
	plain->m_key = 5;
	plain->m_key_protect = 2;
	plain->attr.sm_lid = 0; /* no trap */
	lab_send(lab, 0, lab_smp(3, 1, 0x01, 0x11, 0));
	assert_int_equal(lab->owner[0].count, 0);
	assert_int_equal(plain->m_key_violations, 1);
	packet = lab_smp(3, 1, 0x01, 0x11, 0);
	put_be64(lab_mad(packet) + 24, 5);
	lab_send(lab, 0, packet);
	assert_int_equal(lab->owner[0].count, 1);
	lab_destroy(lab);
}

static void violate(struct fabric_port *port)
{
	uint8_t mad[256] = { 0 };

	assert_int_equal(lab_set(port, 0x14, 0, mad), -1);
}

/*
 * The lease runs from the first violation; the right key stops it, its end takes the protection
 * off.
 */
static void test_m_key_lease(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct fabric_port *port = lab->port[0];
	uint8_t mad[256];

	(void)state;
	lab_port_info(port, 0, mad);
	put_be64(mad + DATA, 9);
	put_be16(mad + DATA + 26, 15);
	mad[DATA + 34] = 3 << 6;
	assert_int_equal(lab_set(port, 0x15, 0, mad), 0);

	violate(port);
	sched_advance(lab->sched, 14 * NSEC_PER_SEC);
	lab_fill_mad(mad, 0x01, 0x01, 0x11, 0);
	put_be64(mad + 24, 9);
	assert_int_equal(lab_local(port, mad), 0);
	sched_advance(lab->sched, 14 * NSEC_PER_SEC);
	assert_int_equal(port->m_key_protect, 3);

	violate(port);
	sched_advance(lab->sched, 14 * NSEC_PER_SEC);
	violate(port); /* doesn't start it anew */
	assert_int_equal(port->m_key_protect, 3);
	sched_advance(lab->sched, 1 * NSEC_PER_SEC);
	assert_int_equal(port->m_key_protect, 0);
	assert_int_equal(lab_get(port, 0x15, 0, mad), 0);
	assert_true(get_be64(mad + DATA) == 9);
	assert_int_equal(get_be16(mad + DATA + 44), 3);
	lab_destroy(lab);
}

/* A switch's M_Key is at port 0, and holds through all of its ports. */
static void test_m_key_of_a_switch(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	uint8_t mad[256];

	(void)state;
	lab_port(lab, SWITCH1, 0)->m_key = 7;
	lab_port(lab, SWITCH1, 0)->m_key_protect = 1;
	assert_int_equal(lab_set(lab_port(lab, SWITCH1, 3), 0x12, 0, mad), -1);
	assert_int_equal(lab_get(lab_port(lab, SWITCH1, 3), 0x15, 0, mad), 0);
	assert_true(get_be64(mad + DATA) == 0);
	assert_int_equal(get_be16(mad + DATA + 44), 1);
	lab_destroy(lab);
}

static void test_extended_port_info(void **state)
{
	static const uint8_t zero[64];
	struct lab *lab = lab_create(BACK_TO_BACK);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(lab->port[0], 0xff90, 1, mad), 0);
	assert_memory_equal(mad + DATA, zero, 64);
	assert_int_equal(lab_get(lab->port[0], 0xff90, 2, mad), 0x1c);
	lab_destroy(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_local_directed),
		cmocka_unit_test(test_node_info),
		cmocka_unit_test(test_guid_info),
		cmocka_unit_test(test_pkey_table),
		cmocka_unit_test(test_sl_to_vl),
		cmocka_unit_test(test_vl_arbitration),
		cmocka_unit_test(test_switch_info),
		cmocka_unit_test(test_port_state_change),
		cmocka_unit_test(test_forwarding_tables),
		cmocka_unit_test(test_m_key_levels),
		cmocka_unit_test(test_m_key_over_the_wire),
		cmocka_unit_test(test_m_key_lease),
		cmocka_unit_test(test_m_key_of_a_switch),
		cmocka_unit_test(test_extended_port_info),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
