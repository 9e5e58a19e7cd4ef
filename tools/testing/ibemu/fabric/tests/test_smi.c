// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Directed and LID-routed SMPs on their way. */
#include "fabric/tests/lab.h"

static void test_one_hop_between_hcas(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct packet *answer;
	uint8_t *mad;

	(void)state;
	lab_send(lab, 0, lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0));
	answer = lab_only(lab, 0);
	mad = lab_mad(answer);
	assert_int_equal(answer->vl, 15);
	assert_int_equal(answer->len, 8 + 12 + 8 + 256);
	assert_int_equal(answer->data[0], 0xf0);
	assert_int_equal(get_be16(answer->data + 2), 0xffff);
	assert_int_equal(get_be16(answer->data + 6), 0xffff);
	assert_int_equal(get_be24(answer->data + 13), 0);
	assert_int_equal(get_be24(answer->data + 25), 0);
	assert_int_equal(mad[3], 0x81);
	assert_int_equal(get_be16(mad + 4), 0x8000); /* direction, status 0 */
	assert_int_equal(mad[6], 1);                 /* HopPointer */
	assert_int_equal(mad[7], 1);
	assert_int_equal(mad[193], 1); /* ReturnPath[1] */
	assert_true(get_be64(mad + 8) == 0x1122334455667788);
	assert_true(get_be64(mad + 64 + 12) == HCA1);
	assert_int_equal(lab->owner[1].count, 0);
	lab_destroy(lab);
}

static void test_three_hops_through_switches(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	uint8_t *mad;

	(void)state;
	lab_send(lab, 0, lab_dr_smp((uint8_t[]){ 1, 2, 5 }, 3, 0x01, 0x11, 0));
	mad = lab_mad(lab_only(lab, 0));
	assert_true(get_be64(mad + 64 + 12) == PLAIN);
	assert_memory_equal(mad + 193, ((uint8_t[]){ 1, 3, 1 }), 3);
	assert_int_equal(mad[6], 1);
	assert_int_equal(get_be16(mad + 4), 0x8000);
	lab_destroy(lab);
}

/* A switch is asked through any of its ports, and tells which one. */
static void test_switch_tells_the_port(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	uint8_t *mad;

	(void)state;
	lab_send(lab, 0, lab_dr_smp((uint8_t[]){ 1, 2 }, 2, 0x01, 0x11, 0));
	mad = lab_mad(lab_only(lab, 0));
	assert_true(get_be64(mad + 64 + 12) == SWITCH2);
	assert_int_equal(mad[64 + 2], 2);
	assert_int_equal(mad[64 + 36], 3); /* LocalPortNum */
	lab_destroy(lab);
}

static uint64_t dropped_path(struct lab *lab, struct packet *packet)
{
	uint64_t before = lab->fabric->stats[STAT_BAD_PATH];

	lab_send(lab, 0, packet);
	assert_int_equal(lab->owner[0].count, 0);
	return lab->fabric->stats[STAT_BAD_PATH] - before;
}

static void test_bad_paths_are_dropped(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	struct packet *packet;

	(void)state;
	/* a port that the switch doesn't have; its port 0; an HCA as a relay */
	assert_int_equal(dropped_path(lab, lab_dr_smp((uint8_t[]){ 1, 9 }, 2, 0x01, 0x11, 0)), 1);
	assert_int_equal(dropped_path(lab, lab_dr_smp((uint8_t[]){ 1, 0 }, 2, 0x01, 0x11, 0)), 1);
	assert_int_equal(dropped_path(lab, lab_dr_smp((uint8_t[]){ 1, 2, 5, 1 }, 4, 0x01, 0x11, 0)),
			 1);
	/* HopPointer 0, or beyond the end; more hops than a path has room for */
	packet = lab_dr_smp((uint8_t[]){ 1, 2 }, 2, 0x01, 0x11, 0);
	lab_mad(packet)[6] = 0;
	assert_int_equal(dropped_path(lab, packet), 1);
	packet = lab_dr_smp((uint8_t[]){ 1, 2 }, 2, 0x01, 0x11, 0);
	lab_mad(packet)[6] = 4;
	assert_int_equal(dropped_path(lab, packet), 1);
	packet = lab_dr_smp((uint8_t[]){ 1, 2 }, 2, 0x01, 0x11, 0);
	lab_mad(packet)[6] = lab_mad(packet)[7] = 64;
	assert_int_equal(dropped_path(lab, packet), 1);
	/* a port without a cable: not a bad path, but a port that is down */
	assert_int_equal(dropped_path(lab, lab_dr_smp((uint8_t[]){ 1, 7 }, 2, 0x01, 0x11, 0)), 0);
	assert_int_equal(lab->fabric->stats[STAT_NOT_ACTIVE], 1);
	assert_int_equal(lab_port(lab, SWITCH1, 7)->counters.errors[ERR_XMIT_DISCARDS], 1);
	lab_destroy(lab);
}

/* There and back over one cable 63 times: hca0, then switch1 and switch2 in turn. */
static void test_longest_path(void **state)
{
	struct lab *lab = lab_create(TWO_SWITCHES);
	uint8_t path[63], *mad;

	(void)state;
	path[0] = 1;
	for (int i = 1; i < 63; i++)
		path[i] = i % 2 ? 2 : 3;
	lab_send(lab, 0, lab_dr_smp(path, 63, 0x01, 0x11, 0));
	mad = lab_mad(lab_only(lab, 0));
	assert_true(get_be64(mad + 64 + 12) == SWITCH1);
	assert_int_equal(mad[6], 1);
	lab_destroy(lab);
}

static void test_lid_routed(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *answer;

	(void)state;
	lab_send(lab, 0, lab_smp(3, 1, 0x01, 0x11, 0));
	answer = lab_only(lab, 0);
	assert_int_equal(get_be16(answer->data + 2), 1);
	assert_int_equal(get_be16(answer->data + 6), 3);
	assert_int_equal(get_be16(lab_mad(answer) + 4), 0);
	assert_true(get_be64(lab_mad(answer) + 64 + 12) == PLAIN);
	lab_forget(lab);

	/* the switches themselves, the near one and the far one; the answer leaves by the LFT */
	lab_send(lab, 0, lab_smp(4, 1, 0x01, 0x11, 0));
	assert_true(get_be64(lab_mad(lab_only(lab, 0)) + 64 + 12) == SWITCH1);
	lab_forget(lab);
	lab_send(lab, 0, lab_smp(5, 1, 0x01, 0x11, 0));
	assert_true(get_be64(lab_mad(lab_only(lab, 0)) + 64 + 12) == SWITCH2);
	lab_forget(lab);

	/* oneself */
	lab_send(lab, 0, lab_smp(1, 1, 0x01, 0x11, 0));
	assert_true(get_be64(lab_mad(lab_only(lab, 0)) + 64 + 12) == HCA0);
	lab_destroy(lab);
}

/* 14.2.2: LID-routed to switch2 (LID 5), one directed hop to plain, and back the same way. */
static void test_lid_then_directed(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = lab_dr_smp((uint8_t[]){ 5 }, 1, 0x01, 0x11, 0), *answer;
	uint8_t *mad = lab_mad(packet);

	(void)state;
	mad[6] = 0; /* the path begins at switch2 */
	put_be16(mad + 32, 1);
	put_be16(packet->data + 2, 5);
	put_be16(packet->data + 6, 1);
	lab_send(lab, 0, packet);
	answer = lab_only(lab, 0);
	mad = lab_mad(answer);
	assert_true(get_be64(mad + 64 + 12) == PLAIN);
	assert_int_equal(mad[6], 0);
	assert_int_equal(get_be16(mad + 4), 0x8000);
	assert_int_equal(get_be16(answer->data + 2), 1);
	assert_int_equal(get_be16(answer->data + 6), 5);
	lab_destroy(lab);
}

/*
 * 14.2.2: one directed hop to switch1, then LID-routed to hca1 (LID 2); the answer retraces both.
 */
static void test_directed_then_lid(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0);
	uint8_t *mad = lab_mad(packet);

	(void)state;
	put_be16(mad + 34, 2);
	lab_send(lab, 0, packet);
	mad = lab_mad(lab_only(lab, 0));
	assert_true(get_be64(mad + 64 + 12) == HCA1);
	assert_int_equal(get_be16(mad + 4), 0x8000);
	assert_int_equal(mad[6], 1);
	assert_int_equal(get_be16(lab->owner[0].received[0]->data + 2), 0xffff);
	lab_destroy(lab);
}

/* SMInfo, traps and responses are for the host; without one they are dropped. */
static void test_what_goes_to_the_host(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	lab_send(lab, 0, lab_smp(2, 1, 0x01, 0x20, 0));
	lab_send(lab, 0, lab_smp(2, 1, 0x02, 0x20, 0));
	lab_send(lab, 0, lab_smp(2, 1, 0x05, 0x02, 0));
	lab_send(lab, 0, lab_smp(2, 1, 0x81, 0x11, 0));
	assert_int_equal(lab->owner[1].count, 4);
	assert_int_equal(lab->owner[0].count, 0);
	assert_int_equal(lab_mad(lab->owner[1].received[2])[3], 0x05);
	lab_send(lab, 0, lab_smp(3, 1, 0x01, 0x20, 0));
	assert_int_equal(lab->fabric->stats[STAT_NO_OWNER], 1);
	fabric_port_detach(lab->port[1]);
	lab_send(lab, 0, lab_smp(2, 1, 0x01, 0x20, 0));
	assert_int_equal(lab->fabric->stats[STAT_NO_OWNER], 2);
	/* but its agent still answers */
	lab_send(lab, 0, lab_smp(2, 1, 0x01, 0x11, 0));
	assert_int_equal(lab->owner[0].count, 1);
	lab_destroy(lab);
}

static void test_malformed(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct packet *packet;

	(void)state;
	packet = lab_packet(0xffff, 0xffff, 0, 252); /* not a MAD */
	packet->vl = 15;
	lab_send(lab, 0, packet);
	packet = lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0);
	put_be24(packet->data + 13, 1); /* not QP0 */
	lab_send(lab, 0, packet);
	packet = lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0);
	put_be16(packet->data + 4, 7); /* PktLen */
	lab_send(lab, 0, packet);
	packet = lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0);
	packet->data[1] = LNH_IPV6;
	lab_send(lab, 0, packet);
	assert_int_equal(lab->fabric->stats[STAT_MALFORMED], 4);
	packet = lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0);
	lab_mad(packet)[1] = 0x03; /* a class that QP0 doesn't have */
	lab_send(lab, 0, packet);
	assert_int_equal(lab->fabric->stats[STAT_BAD_PATH], 1);
	assert_int_equal(lab->owner[0].count + lab->owner[1].count, 0);
	lab_destroy(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_hop_between_hcas),
		cmocka_unit_test(test_three_hops_through_switches),
		cmocka_unit_test(test_switch_tells_the_port),
		cmocka_unit_test(test_bad_paths_are_dropped),
		cmocka_unit_test(test_longest_path),
		cmocka_unit_test(test_lid_routed),
		cmocka_unit_test(test_lid_then_directed),
		cmocka_unit_test(test_directed_then_lid),
		cmocka_unit_test(test_what_goes_to_the_host),
		cmocka_unit_test(test_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
