// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The topology parser: what ibnetdiscover prints, and what it says of broken files. */
#include "fabric/tests/lab.h"

/* As ibnetdiscover prints it, old LIDs, GUIDs of ports and all. */
static const char real_dump[] =
	"#\n# Topology file: generated on Mon Nov 30 00:00:00 2026\n#\n# Initiated from node 0008f10403961354 port 0008f10403961355\n\n"
	"vendid=0x8f1\ndevid=0x5a06\nsysimgguid=0x5442ba00003000\nswitchguid=0x5442ba00003080(5442ba00003080)\n"
	"Switch\t24 \"S-005442ba00003080\"\t\t# \"ISR9024 Voltaire #1\" base port 0 lid 6 lmc 0\n"
	"[22]\t\"H-0008f10403961354\"[1](8f10403961355) \t\t# \"MT23108 \"InfiniHost\"\" lid 4 4xSDR\n"
	"[10]\t\"R-0008f10400410015\"[1] \t\t# \"router\" lid 3 12xDDR\n\n"
	"vendid=0x8f1\r\ndevid=0x5a44\r\nsysimgguid=0x8f10403961357\r\ncaguid=0x8f10403961354\r\n"
	"Ca\t2 \"H-0008f10403961354\"\t\t# \"MT23108 \"InfiniHost\"\"\r\n"
	"[1](8f10403961355) \t\"S-005442ba00003080\"[22]\t\t# lid 4 lmc 1 \"ISR9024 Voltaire #1\" lid 6 4xSDR\r\n\n"
	"rtguid=0x8f10400410015\nRt 4 \"R-0008f10400410015\" # \"router\"\n"
	"[1] \"S-005442ba00003080\"[10] # \"ISR\" lid 6 12xDDR";

static void test_a_real_dump(void **state)
{
	struct lab *lab = lab_create(real_dump);
	struct fabric_node *sw = fabric_find(lab->fabric, 0x5442ba00003080),
			   *ca = fabric_find(lab->fabric, 0x8f10403961354);
	struct fabric_node *router = fabric_find(lab->fabric, 0x8f10400410015);

	(void)state;
	assert_int_equal(lab->fabric->node_count, 3);
	assert_int_equal(sw->type, NODE_SWITCH);
	assert_int_equal(sw->num_ports, 24);
	assert_int_equal(sw->vendor_id, 0x8f1);
	assert_int_equal(sw->device_id, 0x5a06);
	assert_true(sw->system_image_guid == 0x5442ba00003000);
	assert_string_equal(fabric_node_desc(sw), "ISR9024 Voltaire #1");
	assert_string_equal(fabric_node_desc(ca), "MT23108 \"InfiniHost\"");
	assert_int_equal(router->type, NODE_ROUTER);
	assert_int_equal(router->vendor_id, 0x2c9);
	assert_ptr_equal(sw->ports[22].peer, &ca->ports[1]);
	assert_ptr_equal(ca->ports[1].peer, &sw->ports[22]);
	assert_null(ca->ports[2].peer);
	assert_true(ca->ports[1].attr.guids[0] == 0x8f10403961355);
	assert_true(ca->ports[2].attr.guids[0] == 0x8f10403961356); /* derived */
	assert_int_equal(ca->ports[1].attr.lid, 0);
	assert_int_equal(ca->ports[1].attr.state, PORT_INIT);
	assert_int_equal(ca->ports[2].attr.state, PORT_DOWN);
	assert_int_equal(ca->ports[1].attr.link_width, 2);
	assert_int_equal(ca->ports[1].attr.link_speed, 1);
	assert_int_equal(router->ports[1].attr.link_width, 8);
	assert_int_equal(router->ports[1].attr.link_speed, 2);
	assert_null(fabric_exposed(lab->fabric, 0));
	lab_destroy(lab);
}

static void test_exposed_in_order(void **state)
{
	struct lab *lab = lab_create(
		"expose=connectx3\nCa 2 \"H-0000000000000002\" # \"b\"\n"
		"Ca 1 \"H-0000000000000010\" # \"plain\"\n"
		"expose=connectx5\nHca 1 \"H-0000000000000001\" # \"a\"\n");

	(void)state;
	assert_string_equal(fabric_node_desc(fabric_exposed(lab->fabric, 0)), "b");
	assert_string_equal(fabric_node_model(fabric_exposed(lab->fabric, 0)), "connectx3");
	assert_int_equal(fabric_exposed(lab->fabric, 0)->device_id, 0x1003);
	assert_string_equal(fabric_node_model(fabric_exposed(lab->fabric, 1)), "connectx5");
	assert_true(fabric_node_guid(fabric_exposed(lab->fabric, 1)) == 1);
	assert_null(fabric_exposed(lab->fabric, 2));
	assert_null(fabric_node_port(fabric_exposed(lab->fabric, 0), 0));
	assert_non_null(fabric_node_port(fabric_exposed(lab->fabric, 0), 2));
	assert_null(fabric_node_port(fabric_exposed(lab->fabric, 0), 3));
	lab_destroy(lab);
}

static const struct { const char *text, *error;
} broken[] = {
	{ "Bridge 4 \"S-0000000000000001\"\n", "t:1: unknown node type 'Bridge'" },
	{ "\nSwitch\n", "t:2: bad number of ports (1 to 254)" },
	{ "Switch 0 \"S-0000000000000001\"\n", "t:1: bad number of ports (1 to 254)" },
	{ "Switch 255 \"S-0000000000000001\"\n", "t:1: bad number of ports (1 to 254)" },
	{ "Switch 99999999999999999999 \"S-0000000000000001\"\n",
	  "t:1: bad number of ports (1 to 254)" },
	{ "Switch 4\n", "t:1: bad node id" },
	{ "Switch 4 \"X-0000000000000001\"\n", "t:1: bad node id" },
	{ "Switch 4 \"S-00000000000000001\"\n", "t:1: bad node id" },
	{ "Switch 4 \"S-1\n", "t:1: bad node id" },
	{ "Switch 4 \"S-0\"\n", "t:1: a node GUID of 0" },
	{ "Switch 4 \"H-0000000000000001\"\n", "t:1: the node's id is of another type" },
	{ "Switch 4 \"S-1\" junk # \"x\"\n", "t:1: garbage after the node id: 'junk # \"x\"'" },
	{ "Switch 4 \"S-1\"\nSwitch 4 \"S-1\"\n", "t:2: duplicate GUID 0x0000000000000001" },
	{ "switchguid=0x2\nSwitch 4 \"S-1\"\n", "t:2: the node's id and its GUID, 0x2, differ" },
	{ "switchguid=0x2(xyz)\nSwitch 4 \"S-2\"\n", "t:1: switchguid: bad port GUID" },
	{ "vendid=0x1000000\n", "t:1: vendid: bad number" },
	{ "devid=0x10000\n", "t:1: devid: bad number" },
	{ "devid=\n", "t:1: devid: bad number" },
	{ "devid=12 34\n", "t:1: garbage after devid: '34'" },
	{ "caguid=0x12345678901234567\n", "t:1: caguid: bad number" },
	{ "color=7\n", "t:1: unknown attribute 'color'" },
	{ "averyveryverylongattribute=7\n", "t:1: unknown attribute 'averyveryverylongattribute'" },
	{ "vendid=1\nvendid=1\n", "t:2: vendid is given twice for one node" },
	{ "vendid=1\n\n# end\n", "t:3: attributes without a node after them" },
	{ "expose=connectx9\n", "t:1: expose: unknown model 'connectx9'" },
	{ "expose=connectx5\nSwitch 4 \"S-1\"\n", "t:2: only a Ca can be exposed" },
	{ "[1] \"S-1\"[1]\n", "t:1: a port line before the first node" },
	{ "Ca 1 \"H-1\"\n[x] \"S-1\"[1]\n", "t:2: bad port number" },
	{ "Ca 1 \"H-1\"\n[1 \"S-1\"[1]\n", "t:2: bad port number" },
	{ "Ca 1 \"H-1\"\n[2] \"S-2\"[1]\n", "t:2: port 2 of a node with 1 ports" },
	{ "Ca 1 \"H-1\"\n[0] \"S-2\"[1]\n", "t:2: port 0 of a node with 1 ports" },
	{ "Ca 1 \"H-1\"\n[1](zz) \"S-2\"[1]\n", "t:2: bad port GUID" },
	{ "Ca 1 \"H-1\"\n[1](12 \"S-2\"[1]\n", "t:2: bad port GUID" },
	{ "Ca 1 \"H-1\"\n[1] S-2[1]\n", "t:2: bad node id of the other end" },
	{ "Ca 1 \"H-1\"\n[1] \"S-2\"\n", "t:2: bad port number of the other end" },
	{ "Ca 1 \"H-1\"\n[1] \"S-2\"[1](q)\n", "t:2: bad port GUID of the other end" },
	{ "Ca 1 \"H-1\"\n[1] \"S-2\"[1] 4xQDR\n", "t:2: garbage after the link: '4xQDR'" },
	{ "Ca 1 \"H-1\"\n[1] \"S-2\"[1]\n", "t:2: link to an unknown node, 0x0000000000000002" },
	{ "Ca 1 \"H-1\"\n[1] \"S-2\"[1]\nCa 1 \"H-2\"\n[1] \"H-1\"[1]\n",
	  "t:2: link to an unknown node, 0x0000000000000002" },
	{ "Ca 1 \"H-1\"\n[1] \"H-2\"[2]\nCa 1 \"H-2\"\n[1] \"H-1\"[1]\n",
	  "t:2: link to port 2 of a node with 1 ports" },
	{ "Ca 1 \"H-1\"\n[1] \"H-2\"[0]\nCa 1 \"H-2\"\n[1] \"H-1\"[1]\n",
	  "t:2: link to port 0 of a node with 1 ports" },
	{ "Ca 1 \"H-1\"\n[1] \"H-1\"[1]\n", "t:2: a link from a port to itself" },
	{ "Ca 1 \"H-1\"\n[1] \"H-2\"[1]\n[1] \"H-2\"[1]\nCa 1 \"H-2\"\n[1] \"H-1\"[1]\n",
	  "t:3: port 1 is given twice" },
	{ "Ca 1 \"H-1\"\n[1] \"H-2\"[1]\nCa 1 \"H-2\"\n",
	  "t:2: the other end, port 1 of 0x0000000000000002, doesn't mention this link" },
	{ "Ca 1 \"H-1\"\n[1] \"H-2\"[1]\nCa 2 \"H-2\"\n[1] \"H-3\"[1]\nCa 1 \"H-3\"\n[1] "
	  "\"H-2\"[1]\n",
	  "t:2: the other end, port 1 of 0x0000000000000002, is linked to port 1 of "
	  "0x0000000000000003" },
	{ "Ca 1 \"H-1\"\n[1](aa) \"H-2\"[1]\nCa 1 \"H-2\"\n[1] \"H-1\"[1](bb)\n",
	  "t:4: port 1 of 0x0000000000000001 has two GUIDs, 0xaa and 0xbb" },
	{ "Ca 1 \"H-1\"\n[1](aa) \"H-2\"[1]\nCa 1 \"H-2\"\n[1](aa) \"H-1\"[1]\n",
	  "t:4: duplicate port GUID 0x00000000000000aa" },
	{ "hello\n", "t:1: unknown node type 'hello'" },
	{ "=\n", "t:1: unknown attribute ''" },
	{ "\"\n", "t:1: unknown node type '\"'" },
};

static void test_broken_files(void **state)
{
	struct sched *sched = sched_create_virtual();
	struct fabric *fabric = fabric_create(sched);
	char error[200];

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		strcpy(error, "no error");
		assert_int_equal(lab_load(fabric, broken[i].text, error, sizeof(error)), -1);
		assert_string_equal(error, broken[i].error);
		assert_null(fabric->nodes);
		assert_int_equal(fabric->node_count, 0);
	}
	/* the fabric is as good as new */
	assert_int_equal(lab_load(fabric, BACK_TO_BACK, error, sizeof(error)), 0);
	assert_int_equal(lab_load(fabric, BACK_TO_BACK, error, sizeof(error)), -1);
	assert_string_equal(error, "t:0: a topology is loaded already");
	assert_int_equal(fabric->node_count, 2);
	fabric_destroy(fabric);
	sched_destroy(sched);
}

static void test_zero_byte(void **state)
{
	struct sched *sched = sched_create_virtual();
	struct fabric *fabric = fabric_create(sched);
	FILE *file = fmemopen((char[]){ "# a\n#\0b\n" }, 8, "r");
	char error[20];

	(void)state;
	assert_int_equal(fabric_load(fabric, file, "name", error, sizeof(error)), -1);
	assert_string_equal(error, "name:2: a zero byte");
	fclose(file);
	file = fmemopen("Bridge\n", 7, "r"); /* a message longer than its place */
	assert_int_equal(fabric_load(fabric, file, "name", error, 10), -1);
	assert_string_equal(error, "name:1: u");
	fclose(file);
	fabric_destroy(fabric);
	sched_destroy(sched);
}

static char *print(struct fabric *fabric)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	topology_print(fabric, out);
	fclose(out);
	return text;
}

static void check_round_trip(const char *text)
{
	struct lab *lab = lab_create(text), *again;
	char *first = print(lab->fabric), *second;

	again = lab_create(first);
	second = print(again->fabric);
	assert_string_equal(first, second);
	free(first);
	free(second);
	lab_destroy(again);
	lab_destroy(lab);
}

static void test_round_trip(void **state)
{
	struct lab *lab = lab_create("devid=0x1\nexpose=connectx5\nCa 1 \"H-a\" # \"one\"\n[1] "
				     "\"H-b\"[2] # \"two\" lid 0 4xHDR\n"
				     "vendid=0x2\nsysimgguid=0x3\nCa 2 \"H-b\" # \"two\"\n[2](77) "
				     "\"H-a\"[1] # \"one\" lid 0 1xEDR\n");
	char *text = print(lab->fabric);
	const char *expected =
		"\nvendid=0x2c9\ndevid=0x1\nsysimgguid=0xa\ncaguid=0xa\nexpose=connectx5\nCa\t1 \"H-000000000000000a\"\t\t# \"one\"\n"
		"[1](b)\t\"H-000000000000000b\"[2](77)\t\t# lid 0 lmc 0 \"two\" lid 0 4xHDR\n"
		"\nvendid=0x2\ndevid=0x0\nsysimgguid=0x3\ncaguid=0xb\nCa\t2 \"H-000000000000000b\"\t\t# \"two\"\n"
		"[2](77)\t\"H-000000000000000a\"[1](b)\t\t# lid 0 lmc 0 \"one\" lid 0 1xEDR\n";

	(void)state;
	assert_string_equal(text, expected);
	free(text);
	lab_destroy(lab);
	check_round_trip(real_dump);
	check_round_trip(TWO_SWITCHES);
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (!file || !fread(text, 1, (1 << 20) - 1, file))
		fail_msg("%s can't be read", path);
	fclose(file);
	return text;
}

/*
 * The examples: how many nodes and exposed HCAs they have, and that all links are up. Run from
 * tools/testing/ibemu.
 */
static void test_examples(void **state)
{
	static const struct { const char *path; size_t nodes, exposed;
	} examples[] = {
		{ "topologies/back-to-back.topo", 2, 2 },
		{ "topologies/one-switch.topo", 4, 2 },
		{ "topologies/fat-tree.topo", 44, 2 },
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char *text = read_file(examples[i].path);
		struct lab *lab = lab_create(text);

		assert_int_equal(lab->fabric->node_count, examples[i].nodes);
		assert_non_null(fabric_exposed(lab->fabric, (unsigned int)examples[i].exposed - 1));
		assert_null(fabric_exposed(lab->fabric, (unsigned int)examples[i].exposed));
		for (struct fabric_node *node = lab->fabric->nodes; node; node = node->next) {
			for (unsigned int p = 1; p <= node->num_ports; p++)
				assert_int_equal(node->ports[p].attr.state,
						 node->ports[p].peer ? PORT_INIT : PORT_DOWN);
		}
		lab_destroy(lab);
		check_round_trip(text);
		free(text);
	}
}

/* Thousands of nodes: the hash grows with them. */
static void test_a_large_file(void **state)
{
	struct lab *lab;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	for (unsigned int i = 1; i <= 5000; i++)
		fprintf(out, "Ca 1 \"H-%016x\"\n[1] \"H-%016x\"[1]\n", i << 8,
			(i % 2 ? i + 1 : i - 1) << 8);
	fclose(out);
	lab = lab_create(text);
	assert_int_equal(lab->fabric->node_count, 5000);
	assert_true(lab->fabric->hash_size >= 4096);
	assert_ptr_equal(lab_port(lab, 5000 << 8, 1)->peer, lab_port(lab, 4999 << 8, 1));
	lab_destroy(lab);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_real_dump),
		cmocka_unit_test(test_exposed_in_order),
		cmocka_unit_test(test_broken_files),
		cmocka_unit_test(test_zero_byte),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_a_large_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
