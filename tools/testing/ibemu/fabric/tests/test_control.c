// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* ibemuctl's commands for the fabric: links, filters on virtual time, counters, captures. */
#include <unistd.h>

#include "fabric/tests/lab.h"

/* Runs one command, its words separated by '|'; the answer stays valid until the next one. */
static int run(struct lab *lab, const char *command, const char **answer)
{
	static char out_text[8192];
	char *words[32], *copy = strdup(command), *rest = copy;
	FILE *out;
	int count = 0, ret;

	while (rest && count < 32)
		words[count++] = strsep(&rest, "|");
	memset(out_text, 0, sizeof(out_text));
	out = fmemopen(out_text, sizeof(out_text) - 1, "w");
	ret = fabric_control(lab->fabric, count, words, out);
	fclose(out);
	free(copy);
	*answer = out_text;
	return ret;
}

static void ok(struct lab *lab, const char *command, const char *want)
{
	const char *answer;
	int ret = run(lab, command, &answer);

	if (ret)
		fail_msg("%s: %s", command, answer);
	if (want)
		assert_string_equal(answer, want);
}

static void bad(struct lab *lab, const char *command, const char *want)
{
	const char *answer;

	assert_int_equal(run(lab, command, &answer), -EINVAL);
	assert_string_equal(answer, want);
}

static void test_not_mine(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	const char *answer;

	(void)state;
	assert_int_equal(run(lab, "unplug|hca0", &answer), -ENOENT);
	assert_int_equal(fabric_control(lab->fabric, 0, NULL, stdout), -ENOENT);
	lab_destroy(lab);
}

static void test_link(void **state)
{
	struct lab *lab = lab_two_switches();
	const struct port_attr *attr = fabric_port_attr(lab->port[1]);

	(void)state;
	ok(lab, "link|down|0x0002c90300001020:1", "");
	assert_int_equal(attr->state, PORT_DOWN);
	assert_int_equal(attr->phys_state, PHYS_POLLING);
	assert_int_equal(lab_port(lab, SWITCH2, 4)->attr.state, PORT_DOWN);
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(attr->state, PORT_DOWN);
	ok(lab, "link|down|hca1:1", ""); /* still */
	ok(lab, "link|up|S-0002c90200000020:4", "");
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(attr->state, PORT_INIT);
	assert_int_equal(attr->lid, 2); /* what the SM gave stays */
	assert_int_equal(lab->owner[1].event_count, 2);

	bad(lab, "link", "usage: link down|up NODE:PORT\n");
	bad(lab, "link|sideways|hca1:1", "usage: link down|up NODE:PORT\n");
	bad(lab, "link|down", "NODE:PORT is missing\n");
	bad(lab, "link|down|hca1", "'hca1' lacks a port: NODE:PORT\n");
	bad(lab, "link|down|hca9:1", "no node 'hca9:1'\n");
	bad(lab, "link|down|hca1:2", "no port 2 of this node\n");
	bad(lab, "link|down|hca1:0", "no port 0 of this node\n");
	bad(lab, "link|down|switch1:8", "no cable at this port\n");
	bad(lab, "link|down|hca1:1|now", "unexpected word 'now'\n");
	lab_destroy(lab);
}

/* A cable that is pulled while the link trains. */
static void test_link_down_during_training(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);

	(void)state;
	ok(lab, "link|down|hca0:1", "");
	ok(lab, "link|up|hca0:1", "");
	ok(lab, "link|down|hca0:1", "");
	sched_advance(lab->sched, NSEC_PER_SEC);
	assert_int_equal(fabric_port_attr(lab->port[0])->state, PORT_DOWN);
	lab_destroy(lab);
}

static void send_data(struct lab *lab, unsigned int count)
{
	while (count--)
		lab_send(lab, 0, lab_packet(2, 1, 0x99, 64));
}

static void test_filter_drop_with_count(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	ok(lab, "filter|add|from|switch2:4|to|hca1|data|opcode|0x64|vl|0|drop|count|2",
	   "filter 1\n");
	send_data(lab, 3);
	assert_int_equal(lab->owner[1].count, 1);
	assert_int_equal(lab->fabric->stats[STAT_FILTERED], 2);
	ok(lab, "filter|list",
	   "1: from 0x0002c90200000020:4 to 0x0002c90300001020 vl 0 opcode 0x64 data drop count 0 "
	   "(matched 3, struck 2)\n");
	/* SMPs, the other direction, another VL or opcode: not its */
	ok(lab, "filter|del|1", "");
	ok(lab, "filter|list", "");
	ok(lab, "filter|add|from|hca1|drop", "filter 2\n");
	ok(lab, "filter|add|smp|drop", "filter 3\n");
	ok(lab, "filter|add|vl|1|drop", "filter 4\n");
	ok(lab, "filter|add|opcode|4|drop", "filter 5\n");
	ok(lab, "filter|add|mgmt-class|4|drop", "filter 6\n");
	lab_forget(lab);
	send_data(lab, 1);
	assert_int_equal(lab->owner[1].count, 1);
	lab_send(lab, 0, lab_smp(2, 1, 0x01, 0x11, 0));
	assert_int_equal(lab->owner[0].count, 0);
	ok(lab, "filter|del|all", "");
	assert_null(lab->fabric->filters);
	lab_destroy(lab);
}

static void test_filter_by_management_class(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *packet;

	(void)state;
	ok(lab, "filter|add|mgmt-class|0x81|drop", "filter 1\n");
	lab_send(lab, 0, lab_dr_smp((uint8_t[]){ 1 }, 1, 0x01, 0x11, 0));
	assert_int_equal(lab->owner[0].count, 0);
	lab_send(lab, 0, lab_smp(4, 1, 0x01, 0x11, 0));
	assert_int_equal(lab->owner[0].count, 1);
	packet = lab_packet(2, 1, 0x99, 256); /* a user's datagram that looks like a MAD */
	lab_mad(packet)[1] = 0x81;
	lab_send(lab, 0, packet);
	assert_int_equal(lab->owner[1].count, 1);
	lab_destroy(lab);
}

static void test_filter_corrupt(void **state)
{
	struct lab *lab = lab_two_switches();
	struct fabric_port *hit = lab_port(lab, SWITCH1, 1);

	(void)state;
	ok(lab, "filter|add|from|hca0|corrupt|count|1", "filter 1\n");
	send_data(lab, 2);
	assert_int_equal(lab->owner[1].count, 1);
	assert_int_equal(hit->counters.errors[ERR_RCV], 1);
	assert_int_equal(hit->counters.traffic[TRAFFIC_RCV_PKTS], 1);
	assert_int_equal(lab->fabric->stats[STAT_CORRUPT], 1);
	lab_destroy(lab);
}

static void test_filter_duplicate(void **state)
{
	struct lab *lab = lab_two_switches();

	(void)state;
	ok(lab, "filter|add|from|hca0|duplicate", "filter 1\n");
	send_data(lab, 1);
	assert_int_equal(lab->owner[1].count, 2);
	assert_memory_equal(lab->owner[1].received[0]->data, lab->owner[1].received[1]->data, 92);
	lab_destroy(lab);
}

/* The second filter delays less: what passes it overtakes. */
static void test_filter_delay(void **state)
{
	struct lab *lab = lab_two_switches();
	struct packet *first = lab_packet(2, 1, 0x99, 64), *second = lab_packet(2, 1, 0x99, 64);

	(void)state;
	ok(lab, "filter|add|from|hca0|delay|1000|count|1", "filter 1\n");
	ok(lab, "filter|add|from|hca0|delay|400", "filter 2\n");
	lab_send(lab, 0, first);
	lab_send(lab, 0, second);
	assert_int_equal(lab->owner[1].count, 0);
	sched_advance(lab->sched, 399 * NSEC_PER_USEC);
	assert_int_equal(lab->owner[1].count, 0);
	sched_advance(lab->sched, 1 * NSEC_PER_USEC);
	assert_int_equal(lab->owner[1].count, 1);
	assert_ptr_equal(lab->owner[1].received[0], second);
	sched_advance(lab->sched, 600 * NSEC_PER_USEC);
	assert_int_equal(lab->owner[1].count, 2);
	send_data(lab, 1); /* left behind by the end of the test */
	lab_destroy(lab);
}

/* The same seed strikes the same packets; about as many as the rate says. */
static void test_filter_rate(void **state)
{
	uint64_t struck[2];

	(void)state;
	for (int round = 0; round < 2; round++) {
		struct lab *lab = lab_two_switches();

		fabric_seed(lab->fabric, 42);
		ok(lab, "filter|add|from|hca0|drop|rate|30", "filter 1\n");
		for (int i = 0; i < 1000; i++) {
			send_data(lab, 1);
			lab_forget(lab);
		}
		struck[round] = lab->fabric->stats[STAT_FILTERED];
		assert_true(struck[round] > 200 && struck[round] < 400);
		lab_destroy(lab);
	}
	assert_true(struck[0] == struck[1]);
}

static void test_bad_filters(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);

	(void)state;
	bad(lab, "filter", "usage: filter add ... | list | del N|all\n");
	bad(lab, "filter|add", "an action is missing: drop, corrupt, duplicate or delay USEC\n");
	bad(lab, "filter|add|smp",
	    "an action is missing: drop, corrupt, duplicate or delay USEC\n");
	bad(lab, "filter|add|explode", "unknown word 'explode'\n");
	bad(lab, "filter|add|from", "a node is missing\n");
	bad(lab, "filter|add|from|nobody|drop", "no node 'nobody'\n");
	bad(lab, "filter|add|vl|16|drop", "vl: bad number '16' (0 to 15)\n");
	bad(lab, "filter|add|vl", "vl: a number is missing\n");
	bad(lab, "filter|add|vl|-1|drop", "vl: bad number '-1' (0 to 15)\n");
	bad(lab, "filter|add|opcode|0x|drop", "opcode: bad number '0x' (0 to 255)\n");
	bad(lab, "filter|add|delay", "delay: a number is missing\n");
	bad(lab, "filter|add|drop|rate|101", "rate: bad number '101' (0 to 100)\n");
	bad(lab, "filter|add|drop|often", "unknown word 'often'\n");
	bad(lab, "filter|del|7", "no filter 7\n");
	bad(lab, "filter|del|all|now", "unexpected word 'now'\n");
	bad(lab, "filter|list|all", "unexpected word 'all'\n");
	assert_null(lab->fabric->filters);
	lab_destroy(lab);
}

static void test_counters(void **state)
{
	struct lab *lab = lab_two_switches();
	const char *answer;

	(void)state;
	ok(lab, "counters|hca0:1|set|SymbolErrorCounter|7", "");
	send_data(lab, 1);
	assert_int_equal(run(lab, "counters|hca0:1", &answer), 0);
	assert_non_null(strstr(answer, "SymbolErrorCounter 7\n"));
	assert_non_null(strstr(answer, "PortXmitData 24\n")); /* 28 + 64 + 4 bytes */
	ok(lab, "counters|hca0:1|clear", "");
	assert_int_equal(run(lab, "counters|hca0:1", &answer), 0);
	assert_non_null(strstr(answer, "SymbolErrorCounter 0\n"));
	assert_non_null(strstr(answer, "PortXmitData 0\n"));
	bad(lab, "counters|hca0:1|set|Nothing|7", "no error counter 'Nothing'\n");
	bad(lab, "counters|hca0:1|set", "the name of a counter is missing\n");
	bad(lab, "counters|hca0:1|add", "usage: counters NODE:PORT [set NAME VALUE | clear]\n");
	bad(lab, "counters|hca0", "'hca0' lacks a port: NODE:PORT\n");
	lab_destroy(lab);
}

static void test_ports_stats_topology(void **state)
{
	struct lab *lab = lab_create(BACK_TO_BACK);
	const char *answer;

	(void)state;
	ok(lab, "ports",
	   "0x0002c90300001010:1 Init LinkUp lid 0 4xQDR \"hca0\"\n0x0002c90300001020:1 Init "
	   "LinkUp lid 0 4xQDR \"hca1\"\n");
	ok(lab, "link|down|hca0:1", "");
	ok(lab, "ports", "0x0002c90300001010:1 Down Polling lid 0 4xQDR cut \"hca0\"\n"
			 "0x0002c90300001020:1 Down Polling lid 0 4xQDR cut \"hca1\"\n");
	send_data(lab, 1);
	assert_int_equal(run(lab, "stats", &answer), 0);
	assert_non_null(strstr(answer, "delivered: 0\n"));
	assert_non_null(strstr(answer, "dropped: port state, VL or length: 1\n"));
	assert_int_equal(run(lab, "topology", &answer), 0);
	assert_non_null(strstr(answer, "expose=connectx5\nCa\t1 \"H-0002c90300001010\""));
	bad(lab, "ports|all", "unexpected word 'all'\n");
	lab_destroy(lab);
}

static size_t read_capture(const char *path, uint8_t *bytes, size_t room)
{
	FILE *file = fopen(path, "rb");
	size_t len;

	assert_non_null(file);
	len = fread(bytes, 1, room, file);
	fclose(file);
	return len;
}

static uint32_t native32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v;
}

/*
 * Once each, where it leaves its source: 24 bytes of file header, 16 of record and of ERF header
 * each, the packet and its 6 bytes of CRCs.
 */
static void test_capture(void **state)
{
	char path[] = "/tmp/ibemu-test-XXXXXX", command[64];
	struct lab *lab = lab_two_switches();
	uint8_t bytes[4096];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(command, sizeof(command), "capture|start|%s", path);
	ok(lab, command, "");
	sched_advance(lab->sched, 5);
	send_data(lab, 1);
	assert_int_equal(read_capture(path, bytes, sizeof(bytes)),
			 24 + 32 + 92 + 6); /* before it is stopped */
	assert_int_equal(native32(bytes), 0xa1b23c4d);
	assert_int_equal(native32(bytes + 20), 197);
	assert_int_equal(native32(bytes + 24), 1); /* the virtual clock starts at 1 s */
	assert_int_equal(native32(bytes + 28), 5);
	assert_int_equal(native32(bytes + 32), 16 + 98);
	assert_int_equal(native32(bytes + 36), 16 + 98);
	/*
	 * 5 ns are 5 * 2^32 / 10^9 = 21.47 of a second's 2^32 parts; type 21; lengths with and
	 * without this header
	 */
	assert_memory_equal(
		bytes + 40,
		((uint8_t[]){ 21, 0, 0, 0, 1, 0, 0, 0, 21, 4, 0, 16 + 98, 0, 0, 0, 98 }), 16);
	assert_memory_equal(bytes + 56, lab_only(lab, 1)->data, 92);
	assert_int_equal(bytes[56 + 92] | bytes[56 + 93] << 8,
			 packet_icrc(lab_only(lab, 1)) & 0xffff);
	/* question and answer; then nothing more */
	lab_send(lab, 0, lab_smp(3, 1, 0x01, 0x11, 0));
	ok(lab, "capture|stop", "");
	send_data(lab, 1);
	assert_int_equal(read_capture(path, bytes, sizeof(bytes)),
			 24 + 32 + 98 + 2 * (32 + 284 + 6));
	unlink(path);
	lab_destroy(lab);
}

/* With a port: both directions of its link, and no other. */
static void test_capture_of_a_port(void **state)
{
	char path[] = "/tmp/ibemu-test-XXXXXX", command[64];
	struct lab *lab = lab_two_switches();
	uint8_t bytes[4096];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(command, sizeof(command), "capture|start|%s|plain:1", path);
	ok(lab, command, "");
	send_data(lab, 1);
	lab_send(lab, 0, lab_smp(3, 1, 0x01, 0x11, 0));
	assert_int_equal(read_capture(path, bytes, sizeof(bytes)), 24 + 2 * (32 + 284 + 6));
	snprintf(command, sizeof(command), "capture|start|%s|switch2",
		 path); /* starts anew: all its ports */
	ok(lab, command, "");
	send_data(lab, 1);
	assert_int_equal(read_capture(path, bytes, sizeof(bytes)), 24 + 2 * (32 + 92 + 6));
	unlink(path);
	bad(lab, "capture|start|/nonexistent/x", "/nonexistent/x: No such file or directory\n");
	assert_non_null(lab->fabric->capture); /* the old one goes on */
	bad(lab, "capture|start", "the name of a file is missing\n");
	bad(lab, "capture|start|x|nobody", "no node 'nobody'\n");
	bad(lab, "capture", "usage: capture start FILE [NODE[:PORT]] | stop\n");
	lab_destroy(lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_not_mine),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_link_down_during_training),
		cmocka_unit_test(test_filter_drop_with_count),
		cmocka_unit_test(test_filter_by_management_class),
		cmocka_unit_test(test_filter_corrupt),
		cmocka_unit_test(test_filter_duplicate),
		cmocka_unit_test(test_filter_delay),
		cmocka_unit_test(test_filter_rate),
		cmocka_unit_test(test_bad_filters),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_ports_stats_topology),
		cmocka_unit_test(test_capture),
		cmocka_unit_test(test_capture_of_a_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
