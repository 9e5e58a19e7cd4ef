// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* The fabric as a whole: its nodes, and how its users find them. */
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "fabric/model.h"

#define HASH_SIZE_MIN 64

struct fabric *fabric_create(struct sched *sched)
{
	struct fabric *fabric = calloc(1, sizeof(*fabric));

	if (!fabric)
		return NULL;
	fabric->hash = calloc(HASH_SIZE_MIN, sizeof(fabric->hash[0]));
	if (!fabric->hash) {
		free(fabric);
		return NULL;
	}
	fabric->hash_size = HASH_SIZE_MIN;
	fabric->sched = sched;
	fabric->nodes_tail = &fabric->nodes;
	fabric_seed(fabric, 1);
	link_init(fabric);
	task_init(&fabric->deliver_events, fabric_deliver_events, fabric);
	return fabric;
}

void fabric_destroy(struct fabric *fabric)
{
	if (!fabric)
		return;
	capture_stop(fabric);
	filter_clear(fabric);
	fabric_clear(fabric);
	timer_cancel(fabric->sched, &fabric->delay);
	task_cancel(fabric->sched, &fabric->deliver);
	task_cancel(fabric->sched, &fabric->deliver_events);
	free(fabric->hash);
	free(fabric);
}

/* Packets and pending events point at ports: they go first. */
void fabric_clear(struct fabric *fabric)
{
	queue_clear(&fabric->queue);
	queue_clear(&fabric->delayed);
	fabric->events = NULL;
	while (fabric->nodes) {
		struct fabric_node *node = fabric->nodes;

		fabric->nodes = node->next;
		node_destroy(node);
	}
	fabric->nodes_tail = &fabric->nodes;
	fabric->node_count = 0;
	memset(fabric->hash, 0, fabric->hash_size * sizeof(fabric->hash[0]));
}

void fabric_seed(struct fabric *fabric, uint64_t seed)
{
	fabric->random = seed ? seed : 1; /* 0 is the one state that xorshift can't leave */
}

void fabric_drop(struct fabric *fabric, struct packet *packet, enum fabric_stat why)
{
	fabric->stats[why]++;
	packet_free(packet);
}

static size_t hash_slot(const struct fabric *fabric, uint64_t guid)
{
	return (size_t)((guid * 0x9e3779b97f4a7c15ull) >> 32) & (fabric->hash_size - 1);
}

static void hash_insert(struct fabric *fabric, struct fabric_node *node)
{
	size_t slot = hash_slot(fabric, node->guid);

	node->next_hash = fabric->hash[slot];
	fabric->hash[slot] = node;
}

static bool hash_grow(struct fabric *fabric)
{
	size_t size = fabric->hash_size * 2;
	struct fabric_node **hash = calloc(size, sizeof(hash[0]));

	if (!hash)
		return false;
	free(fabric->hash);
	fabric->hash = hash;
	fabric->hash_size = size;
	for (struct fabric_node *node = fabric->nodes; node; node = node->next)
		hash_insert(fabric, node);
	return true;
}

struct fabric_node *fabric_find(struct fabric *fabric, uint64_t guid)
{
	struct fabric_node *node = fabric->hash[hash_slot(fabric, guid)];

	while (node && node->guid != guid)
		node = node->next_hash;
	return node;
}

int fabric_add_node(struct fabric *fabric, struct fabric_node *node)
{
	if (fabric_find(fabric, node->guid))
		return -EEXIST;
	if (fabric->node_count == fabric->hash_size && !hash_grow(fabric))
		return -ENOMEM;
	hash_insert(fabric, node);
	*fabric->nodes_tail = node;
	fabric->nodes_tail = &node->next;
	fabric->node_count++;
	return 0;
}

struct fabric_node *node_create(struct fabric *fabric, enum node_type type, unsigned int num_ports)
{
	struct fabric_node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->fabric = fabric;
	node->type = type;
	node->num_ports = num_ports;
	if (type == NODE_SWITCH) {
		node->tables = switch_tables_create(num_ports);
		if (!node->tables)
			goto fail;
	}
	node->ports = calloc(num_ports + 1, sizeof(node->ports[0]));
	if (!node->ports)
		goto fail;
	for (unsigned int i = 0; i <= num_ports; i++)
		port_init(&node->ports[i], node, i);
	return node;

fail:
	switch_tables_destroy(node->tables);
	free(node);
	return NULL;
}

void node_destroy(struct fabric_node *node)
{
	for (unsigned int i = 0; i <= node->num_ports; i++) {
		timer_cancel(node->fabric->sched, &node->ports[i].train);
		timer_cancel(node->fabric->sched, &node->ports[i].m_key_lease);
		trap_free(&node->ports[i]);
	}
	switch_tables_destroy(node->tables);
	free(node->ports);
	free(node);
}

struct fabric_node *fabric_exposed(struct fabric *fabric, unsigned int index)
{
	struct fabric_node *node;

	for (node = fabric->nodes; node; node = node->next) {
		if (node->model && !index--)
			break;
	}
	return node;
}

const char *fabric_node_model(const struct fabric_node *node)
{
	return node->model;
}

const char *fabric_node_desc(const struct fabric_node *node)
{
	return (const char *)node->desc;
}

uint64_t fabric_node_guid(const struct fabric_node *node)
{
	return node->guid;
}

void fabric_node_set_desc(struct fabric_node *node, const uint8_t desc[64])
{
	if (!memcmp(node->desc, desc, 64))
		return;
	memcpy(node->desc, desc, 64);
	for (unsigned int i = 1; i <= node->num_ports; i++)
		trap_local_changes(&node->ports[i], CHANGE_NODE_DESCRIPTION);
}

struct fabric_port *fabric_node_port(struct fabric_node *node, unsigned int port_num)
{
	if (port_num > node->num_ports || (!port_num && node->type != NODE_SWITCH))
		return NULL;
	return &node->ports[port_num];
}
