// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* Commands of ibemuctl that concern the fabric. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "fabric/control.h"
#include "fabric/model.h"

const char *words_peek(const struct words *words)
{
	return words->left ? words->at[0] : NULL;
}

const char *words_next(struct words *words)
{
	if (!words->left)
		return NULL;
	words->left--;
	return *words->at++;
}

bool control_fail(struct words *words, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(words->out, format, args);
	va_end(args);
	fputc('\n', words->out);
	return false;
}

bool words_number(struct words *words, const char *what, int max, int *value)
{
	const char *word = words_next(words);
	unsigned long number;
	char *end;

	if (!word)
		return control_fail(words, "%s: a number is missing", what);
	errno = 0;
	number = strtoul(word, &end, !strncmp(word, "0x", 2) ? 16 : 10);
	if (!isdigit((unsigned char)*word) || *end || errno || number > (unsigned long)max)
		return control_fail(words, "%s: bad number '%s' (0 to %d)", what, word, max);
	*value = (int)number;
	return true;
}

bool words_end(struct words *words)
{
	return !words->left || control_fail(words, "unexpected word '%s'", words->at[0]);
}

static struct fabric_node *find_by_guid(struct fabric *fabric, const char *text, size_t len)
{
	char copy[24], *end;
	struct fabric_node *node;

	if (len >= 2 && strchr("SHR", text[0]) && text[1] == '-') {
		text += 2;
		len -= 2;
	}
	if (!len || len >= sizeof(copy) || !isxdigit((unsigned char)text[0]))
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	node = fabric_find(fabric, strtoull(copy, &end, 16));
	return *end ? NULL : node;
}

static struct fabric_node *find_by_desc(struct fabric *fabric, const char *text, size_t len)
{
	struct fabric_node *node = fabric->nodes;

	while (node && (strlen((const char *)node->desc) != len || memcmp(node->desc, text, len)))
		node = node->next;
	return node;
}

static struct fabric_node *find_node(struct fabric *fabric, const char *text, size_t len)
{
	struct fabric_node *node = find_by_guid(fabric, text, len);

	return node ? node : find_by_desc(fabric, text, len);
}

struct fabric_node *control_find_node(struct fabric *fabric, const char *name, int *port_num,
				      FILE *out)
{
	const char *colon = strrchr(name, ':');
	struct fabric_node *node;
	unsigned long num;
	char *end;

	*port_num = -1;
	node = find_node(fabric, name, strlen(name)); /* a description may have a colon */
	if (!node && colon && isdigit((unsigned char)colon[1])) {
		num = strtoul(colon + 1, &end, 10);
		node = *end ? NULL : find_node(fabric, name, (size_t)(colon - name));
		if (node && (num > node->num_ports || !fabric_node_port(node, (unsigned int)num))) {
			fprintf(out, "no port %s of this node\n", colon + 1);
			return NULL;
		}
		*port_num = (int)num;
	}
	if (!node)
		fprintf(out, "no node '%s'\n", name);
	return node;
}

static struct fabric_port *next_port(struct fabric *fabric, struct words *words)
{
	const char *name = words_next(words);
	struct fabric_node *node;
	int num;

	if (!name) {
		control_fail(words, "NODE:PORT is missing");
		return NULL;
	}
	node = control_find_node(fabric, name, &num, words->out);
	if (!node)
		return NULL;
	if (num < 0) {
		control_fail(words, "'%s' lacks a port: NODE:PORT", name);
		return NULL;
	}
	return fabric_node_port(node, (unsigned int)num);
}

static int control_link(struct fabric *fabric, struct words *words)
{
	const char *verb = words_next(words);
	struct fabric_port *port;
	bool down = verb && !strcmp(verb, "down");

	if (!verb || (!down && strcmp(verb, "up"))) {
		control_fail(words, "usage: link down|up NODE:PORT");
		return -EINVAL;
	}
	port = next_port(fabric, words);
	if (!port || !words_end(words))
		return -EINVAL;
	if (!port->peer) {
		control_fail(words, "no cable at this port");
		return -EINVAL;
	}
	port->cut = down;
	port->peer->cut = down;
	link_update(port);
	return 0;
}

static const char *const error_names[PORT_ERRORS] = {
	[ERR_SYMBOL] = "SymbolErrorCounter",
	[ERR_LINK_RECOVERY] = "LinkErrorRecoveryCounter",
	[ERR_LINK_DOWNED] = "LinkDownedCounter",
	[ERR_RCV] = "PortRcvErrors",
	[ERR_RCV_REMOTE_PHYSICAL] = "PortRcvRemotePhysicalErrors",
	[ERR_RCV_SWITCH_RELAY] = "PortRcvSwitchRelayErrors",
	[ERR_XMIT_DISCARDS] = "PortXmitDiscards",
	[ERR_XMIT_CONSTRAINT] = "PortXmitConstraintErrors",
	[ERR_RCV_CONSTRAINT] = "PortRcvConstraintErrors",
	[ERR_LOCAL_INTEGRITY] = "LocalLinkIntegrityErrors",
	[ERR_BUFFER_OVERRUN] = "ExcessiveBufferOverrunErrors",
	[ERR_VL15_DROPPED] = "VL15Dropped",
};

static const char *const traffic_names[PORT_TRAFFICS] = {
	[TRAFFIC_XMIT_DATA] = "PortXmitData",
	[TRAFFIC_RCV_DATA] = "PortRcvData",
	[TRAFFIC_XMIT_PKTS] = "PortXmitPkts",
	[TRAFFIC_RCV_PKTS] = "PortRcvPkts",
	[TRAFFIC_UNICAST_XMIT_PKTS] = "PortUnicastXmitPkts",
	[TRAFFIC_UNICAST_RCV_PKTS] = "PortUnicastRcvPkts",
	[TRAFFIC_MULTICAST_XMIT_PKTS] = "PortMulticastXmitPkts",
	[TRAFFIC_MULTICAST_RCV_PKTS] = "PortMulticastRcvPkts",
};

static void print_counters(const struct fabric_port *port, FILE *out)
{
	for (int i = 0; i < PORT_ERRORS; i++)
		fprintf(out, "%s %u\n", error_names[i], port->counters.errors[i]);
	for (int i = 0; i < PORT_TRAFFICS; i++)
		fprintf(out, "%s %llu\n", traffic_names[i],
			(unsigned long long)(port->counters.traffic[i] -
					     port->counters.base_extended[i]));
}

/* Traffic isn't set by hand: what is counted passed by. */
static int set_counter(struct fabric_port *port, struct words *words)
{
	const char *name = words_next(words);
	int value;

	if (!name) {
		control_fail(words, "the name of a counter is missing");
		return -EINVAL;
	}
	for (int i = 0; i < PORT_ERRORS; i++) {
		if (strcmp(error_names[i], name))
			continue;
		if (!words_number(words, name, INT32_MAX, &value) || !words_end(words))
			return -EINVAL;
		port->counters.errors[i] = (uint32_t)value;
		return 0;
	}
	control_fail(words, "no error counter '%s'", name);
	return -EINVAL;
}

static int control_counters(struct fabric *fabric, struct words *words)
{
	struct fabric_port *port = next_port(fabric, words);
	const char *verb = port ? words_next(words) : NULL;

	if (!port)
		return -EINVAL;
	if (!verb) {
		print_counters(port, words->out);
		return 0;
	}
	if (!strcmp(verb, "set"))
		return set_counter(port, words);
	if (strcmp(verb, "clear")) {
		control_fail(words, "usage: counters NODE:PORT [set NAME VALUE | clear]");
		return -EINVAL;
	}
	if (!words_end(words))
		return -EINVAL;
	memset(&port->counters, 0, sizeof(port->counters));
	return 0;
}

static int start_capture(struct fabric *fabric, struct words *words)
{
	const char *path = words_next(words), *name = words_next(words);
	struct fabric_node *node = NULL;
	int num = -1, err;

	if (!path) {
		control_fail(words, "the name of a file is missing");
		return -EINVAL;
	}
	if (name) {
		node = control_find_node(fabric, name, &num, words->out);
		if (!node || !words_end(words))
			return -EINVAL;
	}
	err = capture_start(fabric, path, node, num < 0 ? 0 : (unsigned int)num);
	if (err) {
		control_fail(words, "%s: %s", path, strerror(-err));
		return -EINVAL;
	}
	return 0;
}

static int control_capture(struct fabric *fabric, struct words *words)
{
	const char *verb = words_next(words);

	if (verb && !strcmp(verb, "start"))
		return start_capture(fabric, words);
	if (!verb || strcmp(verb, "stop")) {
		control_fail(words, "usage: capture start FILE [NODE[:PORT]] | stop");
		return -EINVAL;
	}
	if (!words_end(words))
		return -EINVAL;
	capture_stop(fabric);
	return 0;
}

static int control_topology(struct fabric *fabric, struct words *words)
{
	if (!words_end(words))
		return -EINVAL;
	topology_print(fabric, words->out);
	return 0;
}

static void print_port(const struct fabric_port *port, FILE *out)
{
	static const char *const states[] = { "?", "Down", "Init", "Armed", "Active" };
	static const char *const phys_states[] = {
		"?", "Sleep", "Polling", "Disabled", "?", "LinkUp",
	};
	struct link_rate rate = { port->attr.link_width, port->attr.link_speed,
				  port->attr.link_speed_ext };

	fprintf(out, "0x%016llx:%u %s %s lid %u ", (unsigned long long)port->node->guid, port->num,
		states[port->attr.state], phys_states[port->attr.phys_state], port->attr.lid);
	rate_print(&rate, out);
	fprintf(out, "%s \"%s\"\n", port->cut ? " cut" : "", (const char *)port->node->desc);
}

/* Ports without a cable aren't worth a line. */
static int control_ports(struct fabric *fabric, struct words *words)
{
	if (!words_end(words))
		return -EINVAL;
	for (const struct fabric_node *node = fabric->nodes; node; node = node->next) {
		if (node->type == NODE_SWITCH)
			print_port(&node->ports[0], words->out);
		for (unsigned int i = 1; i <= node->num_ports; i++) {
			if (node->ports[i].peer)
				print_port(&node->ports[i], words->out);
		}
	}
	return 0;
}

static int control_stats(struct fabric *fabric, struct words *words)
{
	static const char *const names[FABRIC_STATS] = {
		[STAT_DELIVERED] = "delivered",
		[STAT_NO_ROUTE] = "dropped: no route",
		[STAT_LOOPED] = "dropped: looped",
		[STAT_BAD_PATH] = "dropped: bad directed route",
		[STAT_MALFORMED] = "dropped: malformed",
		[STAT_NOT_ACTIVE] = "dropped: port state, VL or length",
		[STAT_NO_OWNER] = "dropped: nobody there",
		[STAT_CORRUPT] = "dropped: corrupt",
		[STAT_FILTERED] = "dropped: by a filter",
		[STAT_OVERFLOW] = "dropped: too many in flight",
		[STAT_REFUSED] = "dropped: P_Key or Q_Key",
	};

	if (!words_end(words))
		return -EINVAL;
	for (int i = 0; i < FABRIC_STATS; i++)
		fprintf(words->out, "%s: %llu\n", names[i], (unsigned long long)fabric->stats[i]);
	return 0;
}

int fabric_control(struct fabric *fabric, int argc, char **argv, FILE *out)
{
	static const struct {
		const char *name;
		int (*run)(struct fabric *fabric, struct words *words);
	} commands[] = {
		{ "link", control_link },
		{ "filter", filter_control },
		{ "counters", control_counters },
		{ "capture", control_capture },
		{ "topology", control_topology },
		{ "ports", control_ports },
		{ "stats", control_stats },
	};
	struct words words = { argc, argv, out };
	const char *name = words_next(&words);

	for (size_t i = 0; name && i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!strcmp(commands[i].name, name))
			return commands[i].run(fabric, &words);
	}
	return -ENOENT;
}
