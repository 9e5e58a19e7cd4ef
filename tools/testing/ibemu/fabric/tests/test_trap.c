// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Traps: their bytes (IBTA vol. 1, 14.2.5.1), who gets them, how often, and what ends them. The SM
 * is hca0, LID 1.
 */
#include "fabric/tests/lab.h"

#define DATA 64

/* The trap that the SM has got last. */
static uint8_t *last_trap(struct lab *lab, unsigned int count)
{
	struct packet *packet;
	uint8_t *mad;

	assert_int_equal(lab->owner[0].count, count);
	packet = lab->owner[0].received[count - 1];
	mad = lab_mad(packet);
	assert_int_equal(packet->vl, 15);
	assert_int_equal(get_be16(packet->data + 2), 1);
	assert_int_equal(get_be24(packet->data + 13), 0);
	assert_memory_equal(mad, ((uint8_t[]){ 1, 0x01, 1, 0x05, 0, 0 }), 6);
	assert_int_equal(get_be16(mad + 16), 0x0002);
	return mad;
}

static void repress(struct lab *lab, uint16_t dlid, const uint8_t *trap)
{
	struct packet *packet = lab_smp(dlid, 1, 0x07, 0x02, 0);

	memcpy(lab_mad(packet) + 8, trap + 8, 8);
	memcpy(lab_mad(packet) + DATA, trap + DATA, 64);
	lab_send(lab, 0, packet);
}

static void cut(struct lab *lab, uint64_t guid, unsigned int num, bool down)
{
	struct fabric_port *port = lab_port(lab, guid, num);

	port->cut = port->peer->cut = down;
	link_update(port);
	sched_run(lab->sched);
}

static void test_link_state(void **state)
{
	static const uint8_t want[12] = { 0x81, 0, 0, 2, 0, 128, 0, 5, 0, 0, 0, 5 };
	struct lab *lab = lab_two_switches();

	(void)state;
	cut(lab, PLAIN, 1, true);
	assert_memory_equal(last_trap(lab, 1) + DATA, want, 12);
	assert_int_equal(get_be16(lab->owner[0].received[0]->data + 6), 5);
	assert_true(fabric_find(lab->fabric, SWITCH2)->tables->port_state_change);
	repress(lab, 5, lab_mad(lab->owner[0].received[0]));
	sched_advance(lab->sched, 60 * NSEC_PER_SEC);
	assert_int_equal(lab->owner[0].count,
			 1); /* TrapRepress isn't answered, the trap not repeated */
	cut(lab, PLAIN, 1, false);
	sched_advance(lab->sched, 10 * NSEC_PER_MSEC);
	assert_memory_equal(last_trap(lab, 2) + DATA, want, 12); /* Down to Init */
	lab_destroy(lab);
}

/* Every second until the SM says so, ten times at most. */
static void test_repetition(void **state)
{
	struct lab *lab = lab_two_switches();
	uint8_t other[256];

	(void)state;
	cut(lab, PLAIN, 1, true);
	sched_advance(lab->sched, 2500 * NSEC_PER_MSEC);
	assert_int_equal(lab->owner[0].count, 3);
	assert_memory_equal(lab_mad(lab->owner[0].received[2]) + 8,
			    lab_mad(lab->owner[0].received[0]) + 8, 8); /* one TID */
	memcpy(other, lab_mad(lab->owner[0].received[0]), 256);
	other[15] ^= 1;
	repress(lab, 5, other); /* of another trap */
	sched_advance(lab->sched, 3600 * NSEC_PER_SEC);
	assert_int_equal(lab->owner[0].count, 10);
	lab_destroy(lab);
}

/* A link that flaps doesn't flood: the second trap waits. */
static void test_spacing(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	for (int i = 0; i < 20; i++) {
		cut(lab, PLAIN, 1, true);
		cut(lab, PLAIN, 1, false);
		sched_advance(lab->sched, 2 * NSEC_PER_MSEC);
	}
	assert_int_equal(lab->owner[0].count, 1);
	sched_advance(lab->sched, 60 * NSEC_PER_MSEC);
	assert_int_equal(lab->owner[0].count, 2);
	lab_destroy(lab);
}

static void test_capability_change(void **state)
{
	static const uint8_t want[14] = { 0x84, 0, 0, 1, 0, 144, 0, 2, 0, 0, 0, 0, 0, 2 };
	struct lab *lab = lab_two_switches();
	uint8_t *mad;

	(void)state;
	fabric_port_change_capabilities(lab->port[1], 1 << 1, 0);
	sched_run(lab->sched);
	mad = last_trap(lab, 1);
	assert_memory_equal(mad + DATA, want, 14);
	assert_int_equal(mad[DATA + 15], 0);
	assert_int_equal(get_be32(mad + DATA + 16), 0x0641086c | 2);
	assert_int_equal(get_be16(mad + DATA + 20), 0);
	fabric_port_change_capabilities(lab->port[1], 1 << 1, 0); /* no change */
	sched_run(lab->sched);
	assert_int_equal(lab->owner[0].count, 1);
	lab_destroy(lab);
}

static void test_node_description_change(void **state)
{
	static const uint8_t name[64] = "renamed";
	struct lab *lab = lab_two_switches();
	struct fabric_node *node = fabric_exposed(lab->fabric, 1);
	uint8_t *mad;

	(void)state;
	fabric_node_set_desc(node, name);
	sched_run(lab->sched);
	mad = last_trap(lab, 1);
	assert_int_equal(get_be16(mad + DATA + 4), 144);
	assert_int_equal(mad[DATA + 15], 1);
	assert_int_equal(get_be16(mad + DATA + 20), 1);
	assert_string_equal(fabric_node_desc(node), "renamed");
	fabric_node_set_desc(node, name);
	sched_run(lab->sched);
	assert_int_equal(lab->owner[0].count, 1);
	lab_destroy(lab);
}

static void test_bad_m_key(void **state)
{
	static const uint8_t want[22] = {
		0x82, 0, 0, 1, 0x01, 0x00, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0x02, 0, 0x00, 0x14, 0, 0,
	};
	struct lab *lab = lab_two_switches();
	struct packet *packet;
	uint8_t *mad;

	(void)state;
	lab_port(lab, PLAIN, 1)->m_key = 1;
	packet = lab_smp(3, 1, 0x02, 0x14, 0x77);
	put_be64(lab_mad(packet) + 24, 0xdead);
	lab_send(lab, 0, packet);
	mad = last_trap(lab, 1);
	assert_memory_equal(mad + DATA, want, sizeof(want));
	assert_int_equal(get_be32(mad + DATA + 20), 0x77);
	assert_true(get_be64(mad + DATA + 24) == 0xdead);
	assert_int_equal(mad[DATA + 33], 0);
	lab_destroy(lab);
}

static void test_bad_m_key_directed(void **state)
{
	struct lab *lab = lab_two_switches();
	uint8_t *mad;

	(void)state;
	lab_port(lab, PLAIN, 1)->m_key = 1;
	lab_send(lab, 0, lab_dr_smp((uint8_t[]){ 1, 2, 5 }, 3, 0x02, 0x14, 0));
	mad = last_trap(lab, 1);
	assert_int_equal(get_be16(mad + DATA + 14), 0xffff);
	assert_int_equal(mad[DATA + 33], 0x83); /* directed, 3 hops */
	assert_memory_equal(mad + DATA + 34, ((uint8_t[]){ 1, 3, 1, 0 }), 4);
	lab_destroy(lab);
}

static void test_bad_keys_at_the_engine(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = lab_packet(2, 7, 0x99, 64);
	uint8_t *mad;

	(void)state;
	packet->data[1] |= 4 << 4;
	fabric_port_trap_key(lab->port[1], false, 0x8123, packet);
	sched_run(lab->sched);
	mad = last_trap(lab, 1);
	assert_int_equal(get_be16(mad + DATA + 4), 257);
	assert_int_equal(get_be16(mad + DATA + 12), 7);
	assert_int_equal(get_be16(mad + DATA + 14), 2);
	assert_int_equal(get_be32(mad + DATA + 16), 0x8123);
	assert_int_equal(get_be32(mad + DATA + 20), 0x40000123);
	assert_int_equal(get_be32(mad + DATA + 24), 0x99);
	fabric_port_trap_key(lab->port[1], true, 0x11223344, packet);
	sched_run(lab->sched);
	mad = last_trap(lab, 2);
	assert_int_equal(get_be16(mad + DATA + 4), 258);
	assert_int_equal(get_be32(mad + DATA + 16), 0x11223344);
	/* not a datagram: no source QP is known, even where a DETH would be cut off */
	packet->data[8] = 0x04;
	packet->len = 20;
	sched_advance(lab->sched, 200 * NSEC_PER_MSEC);
	fabric_port_trap_key(lab->port[1], false, 1, packet);
	sched_run(lab->sched);
	assert_int_equal(get_be32(last_trap(lab, 3) + DATA + 20), 0x40000000);
	packet_free(packet);
	lab_destroy(lab);
}

static void test_bad_pkey_at_a_switch(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = lab_packet(2, 1, 0x99, 64);
	uint8_t *mad;

	(void)state;
	lab_port(lab, SWITCH1, 1)->enforce_inbound = true;
	put_be16(packet->data + 10, 0x8123);
	lab_send(lab, 0, packet);
	mad = last_trap(lab, 1);
	assert_memory_equal(
		mad + DATA,
		((uint8_t[]){ 0x82, 0, 0, 2, 1, 3, 0, 4, 0, 0, 0, 0x3f, 0, 1, 0, 2, 0x81, 0x23 }),
		18);
	assert_int_equal(get_be32(mad + DATA + 18), 0x123);
	assert_int_equal(get_be32(mad + DATA + 22), 0x99);
	assert_int_equal(get_be16(mad + DATA + 58), 4);
	assert_int_equal(mad[DATA + 60], 1);
	lab_destroy(lab);
}

/* Without an SM, or with an M_Key that a TrapRepress lacks. */
static void test_nobody_to_tell(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *port0 = lab_port(lab, SWITCH2, 0);

	(void)state;
	port0->attr.sm_lid = 0;
	cut(lab, PLAIN, 1, true);
	sched_advance(lab->sched, 10 * NSEC_PER_SEC);
	assert_int_equal(lab->owner[0].count, 0);
	assert_null(port0->traps);
	port0->attr.sm_lid = 1;
	cut(lab, PLAIN, 1, false);
	sched_advance(lab->sched, 10 * NSEC_PER_MSEC);
	assert_int_equal(lab->owner[0].count, 1);
	port0->m_key = 1;
	repress(lab, 5, lab_mad(lab->owner[0].received[0]));
	assert_int_equal(port0->m_key_violations, 1);
	lab_destroy(lab);
}

static void test_notice(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *port0 = lab_port(lab, SWITCH2, 0);
	uint8_t mad[256];

	(void)state;
	assert_int_equal(lab_get(port0, 0x02, 0, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 8), 0);
	cut(lab, PLAIN, 1, true);
	assert_int_equal(lab_get(port0, 0x02, 0, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 4), 128);
	assert_int_equal(get_be16(mad + DATA + 8), 1);
	put_be16(mad + DATA + 8, 0x8001); /* another toggle */
	assert_int_equal(lab_set(port0, 0x02, 0, mad), 0x1c);
	put_be16(mad + DATA + 8, 0x0001);
	assert_int_equal(lab_set(port0, 0x02, 0, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 8), 0x8000);
	sched_advance(lab->sched, 10 * NSEC_PER_SEC);
	assert_int_equal(lab->owner[0].count, 1); /* taken off: not repeated */
	lab_destroy(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_link_state),
		cmocka_unit_test(test_repetition),
		cmocka_unit_test(test_spacing),
		cmocka_unit_test(test_capability_change),
		cmocka_unit_test(test_node_description_change),
		cmocka_unit_test(test_bad_m_key),
		cmocka_unit_test(test_bad_m_key_directed),
		cmocka_unit_test(test_bad_keys_at_the_engine),
		cmocka_unit_test(test_bad_pkey_at_a_switch),
		cmocka_unit_test(test_nobody_to_tell),
		cmocka_unit_test(test_notice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
