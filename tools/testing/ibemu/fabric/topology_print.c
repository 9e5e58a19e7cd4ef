// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Prints the fabric as a topology that fabric_load() reads back: all cables, with the rates that
 * they can do.
 */
#include <inttypes.h>

#include "fabric/model.h"

static const char *type_word(enum node_type type)
{
	return type == NODE_SWITCH ? "Switch" : type == NODE_CA ? "Ca" : "Rt";
}

static const char *guid_word(enum node_type type)
{
	return type == NODE_SWITCH ? "switchguid" : type == NODE_CA ? "caguid" : "rtguid";
}

static char type_letter(enum node_type type)
{
	return type == NODE_SWITCH ? 'S' : type == NODE_CA ? 'H' : 'R';
}

static void print_id(const struct fabric_node *node, FILE *out)
{
	fprintf(out, "\"%c-%016" PRIx64 "\"", type_letter(node->type), node->guid);
}

static void print_node(const struct fabric_node *node, FILE *out)
{
	const struct port_attr *port0 = &node->ports[0].attr;

	fprintf(out, "\nvendid=0x%x\ndevid=0x%x\nsysimgguid=0x%" PRIx64 "\n%s=0x%" PRIx64,
		node->vendor_id, node->device_id, node->system_image_guid, guid_word(node->type),
		node->guid);
	if (node->type == NODE_SWITCH)
		fprintf(out, "(%" PRIx64 ")", port0->guids[0]);
	if (node->model)
		fprintf(out, "\nexpose=%s", node->model);
	fprintf(out, "\n%s\t%u ", type_word(node->type), node->num_ports);
	print_id(node, out);
	fprintf(out, "\t\t# \"%s\"", (const char *)node->desc);
	if (node->type == NODE_SWITCH)
		fprintf(out, " base port 0 lid %u lmc %u", port0->lid, port0->lmc);
	fputc('\n', out);
}

static void print_port_guid(const struct fabric_port *port, FILE *out)
{
	if (port->node->type != NODE_SWITCH)
		fprintf(out, "(%" PRIx64 ")", port->attr.guids[0]);
}

static void print_link(struct fabric_port *port, FILE *out)
{
	struct fabric_port *peer = port->peer;

	fprintf(out, "[%u]", port->num);
	print_port_guid(port, out);
	fputc('\t', out);
	print_id(peer->node, out);
	fprintf(out, "[%u]", peer->num);
	print_port_guid(peer, out);
	fprintf(out, "\t\t# ");
	if (port->node->type != NODE_SWITCH)
		fprintf(out, "lid %u lmc %u ", port->attr.lid, port->attr.lmc);
	fprintf(out, "\"%s\" lid %u ", (const char *)peer->node->desc,
		port_managed(peer)->attr.lid);
	rate_print(&port->rated, out);
	fputc('\n', out);
}

void topology_print(struct fabric *fabric, FILE *out)
{
	for (struct fabric_node *node = fabric->nodes; node; node = node->next) {
		print_node(node, out);
		for (unsigned int i = 1; i <= node->num_ports; i++) {
			if (node->ports[i].peer)
				print_link(&node->ports[i], out);
		}
	}
}
