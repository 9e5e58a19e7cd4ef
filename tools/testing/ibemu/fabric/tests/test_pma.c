// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The performance management agent: counters that count, over the wire and for the local host. */
#include "fabric/tests/lab.h"

#define DATA 64

static struct packet *perf(uint16_t dlid, uint8_t method, uint16_t attr)
{
	struct packet *packet = lab_packet(dlid, 1, 1, 256);

	lab_fill_mad(lab_mad(packet), 0x04, method, attr, 0);
	return packet;
}

static int local_perf(struct fabric_port *port, uint8_t method, uint16_t attr, uint8_t port_select,
		      uint8_t *mad)
{
	uint8_t data[192];

	memcpy(data, mad + DATA, 192);
	lab_fill_mad(mad, 0x04, method, attr, 0);
	if (method == 0x02)
		memcpy(mad + DATA, data, 192);
	mad[DATA + 1] = port_select;
	return lab_local(port, mad);
}

static void test_class_port_info(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *answer;

	(void)state;
	lab_send(lab, 0, perf(3, 0x01, 0x01));
	answer = lab_only(lab, 0);
	assert_int_equal(get_be16(answer->data + 2), 1);
	assert_int_equal(get_be16(answer->data + 6), 3);
	assert_int_equal(get_be24(answer->data + 13), 0x123); /* the asking QP */
	assert_int_equal(get_be32(answer->data + 20), 0x80010000);
	assert_int_equal(get_be24(answer->data + 25), 1);
	assert_int_equal(lab_mad(answer)[3], 0x81);
	assert_int_equal(get_be16(lab_mad(answer) + 4), 0);
	assert_memory_equal(lab_mad(answer) + DATA, ((uint8_t[]){ 1, 1, 0x02, 0, 0, 0, 0, 16 }), 8);
	lab_destroy(lab);
}

/* 28 bytes of headers, 100 of payload and the ICRC: 33 words a packet */
static void test_traffic(void **state)
{
	struct lab *lab = lab_two_switches();
	uint8_t mad[256] = { 0 };

	(void)state;
	memset(lab_port(lab, SWITCH2, 4)->counters.traffic, 0, sizeof(uint64_t) * PORT_TRAFFICS);
	for (int i = 0; i < 3; i++)
		lab_send(lab, 0, lab_packet(2, 1, 0x99, 100));
	lab_send(lab, 1, lab_packet(1, 2, 0x99, 100));
	assert_int_equal(local_perf(lab->port[1], 0x01, 0x12, 1, mad), 0);
	assert_int_equal(get_be32(mad + DATA + 24), 33);
	assert_int_equal(get_be32(mad + DATA + 28), 99);
	assert_int_equal(get_be32(mad + DATA + 32), 1);
	assert_int_equal(get_be32(mad + DATA + 36), 3);
	assert_int_equal(local_perf(lab->port[1], 0x01, 0x1d, 1, mad), 0);
	assert_true(get_be64(mad + DATA + 8) == 33);
	assert_true(get_be64(mad + DATA + 16) == 99);
	assert_true(get_be64(mad + DATA + 40) == 1); /* unicast */
	assert_true(get_be64(mad + DATA + 48) == 3);
	assert_true(get_be64(mad + DATA + 64) == 0);
	lab_destroy(lab);
}

/* Of a switch any port, over the wire. */
static void test_ports_of_a_switch(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = perf(5, 0x01, 0x12);
	uint8_t *mad = lab_mad(packet);

	(void)state;
	lab_port(lab, SWITCH2, 20)->counters.errors[ERR_SYMBOL] = 0x1234;
	mad[DATA + 1] = 20;
	lab_send(lab, 0, packet);
	mad = lab_mad(lab_only(lab, 0));
	assert_int_equal(get_be16(mad + 4), 0);
	assert_int_equal(mad[DATA + 1], 20);
	assert_int_equal(get_be16(mad + DATA + 4), 0x1234);
	lab_forget(lab);
	packet = perf(5, 0x01, 0x12); /* port 0 */
	lab_send(lab, 0, packet);
	assert_int_equal(get_be16(lab_mad(lab_only(lab, 0)) + 4), 0);
	lab_forget(lab);
	packet = perf(5, 0x01, 0x12);
	lab_mad(packet)[DATA + 1] = 21;
	lab_send(lab, 0, packet);
	assert_int_equal(get_be16(lab_mad(lab_only(lab, 0)) + 4), 0x1c);
	lab_destroy(lab);
}

static void test_error_fields(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct port_counters *counters = &lab->port[0]->counters;
	uint8_t mad[256] = { 0 };
	static const uint8_t want[24] = {
		0,    1,    0,	  0,	0x00, 0x01, 0x02, 0x03, 0x00, 0x04, 0x00, 0x05,
		0x00, 0x06, 0x00, 0x07, 0x08, 0x09, 0x00, 0xab, 0x00, 0x00, 0x00, 0x0c,
	};

	(void)state;
	for (unsigned int i = 0; i < PORT_ERRORS; i++)
		counters->errors[i] = i + 1;
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x12, 1, mad), 0);
	assert_memory_equal(mad + DATA, want, 24);
	lab_destroy(lab);
}

static void test_counters_stop_at_their_end(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct port_counters *counters = &lab->port[0]->counters;
	uint8_t mad[256] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < PORT_ERRORS; i++)
		counters->errors[i] = 0xffffffff;
	port_error(lab->port[0], ERR_RCV);
	for (unsigned int i = 0; i < PORT_TRAFFICS; i++)
		counters->traffic[i] = 0x1234567890;
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x12, 1, mad), 0);
	assert_int_equal(mad[DATA + 6], 0xff);
	assert_int_equal(get_be16(mad + DATA + 8), 0xffff);
	assert_int_equal(mad[DATA + 19], 0xff);
	assert_int_equal(get_be32(mad + DATA + 24), 0xffffffff);
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x1d, 1, mad), 0);
	assert_true(get_be64(mad + DATA + 8) == 0x1234567890);
	lab_destroy(lab);
}

static void test_selective_clear(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	struct port_counters *counters = &lab->port[0]->counters;
	uint8_t mad[256] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < PORT_ERRORS; i++)
		counters->errors[i] = 5;
	for (unsigned int i = 0; i < PORT_TRAFFICS; i++)
		counters->traffic[i] = 100;
	put_be16(mad + DATA + 2,
		 1 << 0 | 1 << 11 | 1 << 12); /* symbol errors, VL15Dropped, PortXmitData */
	put_be32(mad + DATA + 24, 7);                       /* the value to set */
	assert_int_equal(local_perf(lab->port[0], 0x02, 0x12, 1, mad), 0);
	assert_int_equal(get_be16(mad + DATA + 4), 0);
	assert_int_equal(mad[DATA + 6], 5);
	assert_int_equal(get_be16(mad + DATA + 22), 0);
	assert_int_equal(get_be32(mad + DATA + 24), 7);
	assert_int_equal(get_be32(mad + DATA + 28), 100);
	/* the 64-bit counters are others */
	memset(mad, 0, sizeof(mad));
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x1d, 1, mad), 0);
	assert_true(get_be64(mad + DATA + 8) == 100);
	memset(mad + DATA, 0, 192);
	put_be16(mad + DATA + 2, 1 << 3);
	assert_int_equal(local_perf(lab->port[0], 0x02, 0x1d, 1, mad), 0);
	assert_true(get_be64(mad + DATA + 32) == 0);
	assert_true(get_be64(mad + DATA + 8) == 100);
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x12, 1, mad), 0);
	assert_int_equal(get_be32(mad + DATA + 36), 100);
	lab_destroy(lab);
}

static void test_refusals(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	uint8_t mad[256] = { 0 };

	(void)state;
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x12, 2, mad), 0x1c);
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x12, 0, mad), 0x1c);
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x12, 255, mad), 0x1c);
	assert_int_equal(local_perf(lab->port[0], 0x01, 0x10, 1, mad), 0x0c);
	assert_int_equal(local_perf(lab->port[0], 0x02, 0x01, 1, mad), 0x0c);
	assert_int_equal(local_perf(lab->port[0], 0x05, 0x12, 1, mad), 0x08);
	assert_int_equal(local_perf(lab->port[0], 0x81, 0x12, 1, mad), -1);
	lab_destroy(lab);
}

static void add_grh(struct packet *packet)
{
	uint8_t *d = packet->data;

	memmove(d + 48, d + 8, packet->len - 8);
	memset(d + 8, 0, 40);
	d[8] = 0x60;
	d[14] = 0x1b;
	d[15] = 5; /* hop limit */
	memset(d + 16, 0xaa, 16);
	memset(d + 32, 0xbb, 16);
	d[1] |= 1;
	packet->len += 40;
	put_be16(d + 4, packet->len / 4 + 1);
}

static void test_with_grh(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet = perf(3, 0x01, 0x01), *answer;

	(void)state;
	add_grh(packet);
	lab_send(lab, 0, packet);
	answer = lab_only(lab, 0);
	assert_int_equal(answer->data[1] & 3, 3);
	for (int i = 0; i < 16; i++) {
		assert_int_equal(answer->data[16 + i], 0xbb);
		assert_int_equal(answer->data[32 + i], 0xaa);
	}
	assert_int_equal(answer->data[48 + 28 - 8 + 3], 0x81);
	lab_destroy(lab);
}

/* Wrong Q_Key, wrong P_Key, a class without an agent, another QP: counted, not answered. */
static void test_gsi_checks(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *plain = lab_port(lab, PLAIN, 1);
	struct packet *packet;

	(void)state;
	packet = perf(3, 0x01, 0x01);
	put_be32(packet->data + 20, 0x11111111);
	lab_send(lab, 0, packet);
	packet = perf(3, 0x01, 0x01);
	put_be16(packet->data + 10, 0x8001);
	lab_send(lab, 0, packet);
	assert_int_equal(plain->attr.qkey_violations, 1);
	assert_int_equal(plain->attr.pkey_violations, 1);
	packet = perf(3, 0x01, 0x01);
	lab_mad(packet)[1] = 0x03;
	lab_send(lab, 0, packet);
	packet = perf(3, 0x01, 0x01);
	put_be24(packet->data + 13, 2);
	lab_send(lab, 0, packet);
	assert_int_equal(lab->fabric->stats[STAT_NO_OWNER], 2);
	for (unsigned int i = 0; i < lab->owner[0].count; i++)
		assert_int_not_equal(lab_mad(lab->owner[0].received[i])[1], 0x04);
	lab_destroy(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_class_port_info),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_ports_of_a_switch),
		cmocka_unit_test(test_error_fields),
		cmocka_unit_test(test_counters_stop_at_their_end),
		cmocka_unit_test(test_selective_clear),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_with_grh),
		cmocka_unit_test(test_gsi_checks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
