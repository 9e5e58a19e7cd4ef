// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Reads a topology, in the format that ibnetdiscover prints:
 *
 *	vendid=0x2c9
 *	switchguid=0x2c90200000010(2c90200000010)
 *	Switch	24 "S-0002c90200000010"		# "desc" base port 0 lid 6 lmc 0
 *	[1]	"H-0002c90200000020"[1](2c90200000021)		# "desc" lid 4 4xQDR
 *
 * Of a comment only the description and the rate count; LIDs are for the SM to give. Attributes
 * belong to the next node line, port lines to the last one. Each link stands at both of its ends;
 * that they agree is checked after the last line, when all nodes are known.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "fabric/model.h"

#define VENDOR_DEFAULT 0x2c9

/* What a port line says; resolved when the file has been read. */
struct claim {
	struct fabric_port *port;
	unsigned int line;
	enum node_type peer_type;
	uint64_t peer_guid;
	unsigned int peer_num;
	uint64_t port_guid, peer_port_guid; /* 0: not said */
	struct link_rate rate;
	bool has_rate;
};

struct parser {
	struct fabric *fabric;
	const char *name;
	unsigned int line;
	const char *at; /* the rest of the line */
	char *error;
	size_t error_len;
	struct fabric_node *node; /* of the port lines */
	struct claim *claims;
	size_t claim_count, claim_room;

	/* Attributes for the next node. */
	struct {
		uint32_t vendor_id, device_id;
		uint64_t system_image_guid, node_guid, port_guid;
		const char *model;
		unsigned int seen;
	} next;
};

static const char *const models[] = { "connectx3", "connectx5" };
static const uint16_t model_device_ids[] = { 0x1003, 0x1017 };

static bool fail_at(struct parser *p, unsigned int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Always false, so that a parsing function can return it. */
static bool fail_at(struct parser *p, unsigned int line, const char *format, ...)
{
	va_list args;
	int len = snprintf(p->error, p->error_len, "%s:%u: ", p->name, line);

	if (len >= 0 && (size_t)len < p->error_len) {
		va_start(args, format);
		vsnprintf(p->error + len, p->error_len - (size_t)len, format, args);
		va_end(args);
	}
	return false;
}

#define fail(p, ...) fail_at(p, (p)->line, __VA_ARGS__)

static void skip_blanks(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

static bool accept(struct parser *p, char c)
{
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

/* Nothing but blanks and a comment may follow. */
static bool at_end(struct parser *p)
{
	skip_blanks(p);
	return !*p->at || *p->at == '#';
}

/* Hexadecimal, with or without 0x, of at most 16 digits. */
static bool parse_hex(struct parser *p, uint64_t *value)
{
	unsigned int digits = 0;

	if (p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X'))
		p->at += 2;
	*value = 0;
	for (; isxdigit((unsigned char)*p->at); p->at++) {
		char c = (char)tolower((unsigned char)*p->at);

		*value = *value << 4 |
			 (uint64_t)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);
		if (++digits > 16)
			return false;
	}
	return digits;
}

static bool parse_decimal(struct parser *p, unsigned int max, unsigned int *value)
{
	if (!isdigit((unsigned char)*p->at))
		return false;
	for (*value = 0; isdigit((unsigned char)*p->at); p->at++) {
		*value = *value * 10 + (unsigned int)(*p->at - '0');
		if (*value > max)
			return false;
	}
	return true;
}

/* (8f10403961355), if there is one. */
static bool parse_port_guid(struct parser *p, uint64_t *guid)
{
	if (!accept(p, '('))
		return true;
	return parse_hex(p, guid) && accept(p, ')');
}

static bool type_of_letter(char letter, enum node_type *type)
{
	switch (letter) {
	case 'S':
		*type = NODE_SWITCH;
		return true;
	case 'H':
		*type = NODE_CA;
		return true;
	case 'R':
		*type = NODE_ROUTER;
		return true;
	default:
		return false;
	}
}

/* "S-0002c90200000010" */
static bool parse_node_id(struct parser *p, enum node_type *type, uint64_t *guid)
{
	if (!accept(p, '"') || !type_of_letter(*p->at, type))
		return false;
	p->at++;
	return accept(p, '-') && parse_hex(p, guid) && accept(p, '"');
}

enum attribute {
	SEEN_VENDID = 1,
	SEEN_DEVID = 2,
	SEEN_SYSIMGGUID = 4,
	SEEN_GUID = 8,
	SEEN_EXPOSE = 16
};

static bool parse_attribute_number(struct parser *p, const char *key, uint64_t max, uint64_t *value)
{
	if (!parse_hex(p, value) || *value > max)
		return fail(p, "%s: bad number", key);
	return true;
}

static bool parse_model(struct parser *p)
{
	size_t len = strcspn(p->at, " \t#");

	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		if (strlen(models[i]) == len && !memcmp(models[i], p->at, len)) {
			p->next.model = models[i];
			p->at += len;
			return true;
		}
	}
	return fail(p, "expose: unknown model '%.*s'", (int)len, p->at);
}

static bool parse_guids(struct parser *p, const char *key)
{
	if (!parse_attribute_number(p, key, UINT64_MAX, &p->next.node_guid))
		return false;
	if (!parse_port_guid(p, &p->next.port_guid))
		return fail(p, "%s: bad port GUID", key);
	return true;
}

static bool parse_attribute_value(struct parser *p, const char *key, enum attribute *which)
{
	uint64_t value = 0;

	if (!strcmp(key, "vendid")) {
		*which = SEEN_VENDID;
		if (!parse_attribute_number(p, key, 0xffffff, &value))
			return false;
		p->next.vendor_id = (uint32_t)value;
	} else if (!strcmp(key, "devid")) {
		*which = SEEN_DEVID;
		if (!parse_attribute_number(p, key, 0xffff, &value))
			return false;
		p->next.device_id = (uint32_t)value;
	} else if (!strcmp(key, "sysimgguid")) {
		*which = SEEN_SYSIMGGUID;
		return parse_attribute_number(p, key, UINT64_MAX, &p->next.system_image_guid);
	} else if (!strcmp(key, "switchguid") || !strcmp(key, "caguid") || !strcmp(key, "rtguid")) {
		*which = SEEN_GUID;
		return parse_guids(p, key);
	} else if (!strcmp(key, "expose")) {
		*which = SEEN_EXPOSE;
		return parse_model(p);
	} else {
		return fail(p, "unknown attribute '%s'", key);
	}
	return true;
}

static bool parse_attribute(struct parser *p, const char *equals)
{
	enum attribute which = 0;
	char key[16];
	size_t len = (size_t)(equals - p->at);

	if (len >= sizeof(key))
		return fail(p, "unknown attribute '%.*s'", (int)len, p->at);
	memcpy(key, p->at, len);
	key[len] = '\0';
	p->at = equals + 1;
	if (!parse_attribute_value(p, key, &which))
		return false;
	if (!at_end(p))
		return fail(p, "garbage after %s: '%s'", key, p->at);
	if (p->next.seen & which)
		return fail(p, "%s is given twice for one node", key);
	p->next.seen |= which;
	return true;
}

/* The first quoted string of a comment; a description may contain quotes, so up to the last one. */
static void parse_desc(struct parser *p, struct fabric_node *node)
{
	const char *comment = strchr(p->at, '#');
	const char *first = comment ? strchr(comment, '"') : NULL,
		   *last = comment ? strrchr(comment, '"') : NULL;
	size_t len;

	if (!first || last == first)
		return;
	len = (size_t)(last - first) - 1;
	memcpy(node->desc, first + 1, len < 64 ? len : 64);
}

static bool parse_node_type(struct parser *p, enum node_type *type)
{
	static const struct {
		const char *word;
		enum node_type type;
	} words[] = {
		{ "Switch", NODE_SWITCH },
		{ "Ca", NODE_CA },
		{ "Hca", NODE_CA },
		{ "Rt", NODE_ROUTER },
	};
	size_t len = strcspn(p->at, " \t");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].word) == len && !memcmp(words[i].word, p->at, len)) {
			*type = words[i].type;
			p->at += len;
			return true;
		}
	}
	return fail(p, "unknown node type '%.*s'", (int)len, p->at);
}

static void set_identity(struct parser *p, struct fabric_node *node, uint64_t guid)
{
	node->guid = guid;
	node->system_image_guid = p->next.system_image_guid ? p->next.system_image_guid : guid;
	node->vendor_id = p->next.vendor_id ? p->next.vendor_id : VENDOR_DEFAULT;
	node->device_id = p->next.device_id;
	node->model = p->next.model;
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
		if (node->model == models[i] && !node->device_id)
			node->device_id = model_device_ids[i];
	}
	if (node->type == NODE_SWITCH)
		node->ports[0].attr.guids[0] = p->next.port_guid ? p->next.port_guid : guid;
}

static bool check_identity(struct parser *p, enum node_type type, enum node_type id_type,
			   uint64_t guid)
{
	if (id_type != type)
		return fail(p, "the node's id is of another type");
	if (!guid)
		return fail(p, "a node GUID of 0");
	if ((p->next.seen & SEEN_GUID) && p->next.node_guid != guid)
		return fail(p, "the node's id and its GUID, 0x%llx, differ",
			    (unsigned long long)p->next.node_guid);
	if (p->next.model && type != NODE_CA)
		return fail(p, "only a Ca can be exposed");
	return true;
}

static bool parse_node(struct parser *p)
{
	enum node_type type = NODE_CA, id_type = NODE_CA;
	unsigned int ports;
	uint64_t guid;
	int err;

	if (!parse_node_type(p, &type))
		return false;
	skip_blanks(p);
	if (!parse_decimal(p, SWITCH_PORTS_MAX, &ports) || !ports)
		return fail(p, "bad number of ports (1 to %d)", SWITCH_PORTS_MAX);
	skip_blanks(p);
	if (!parse_node_id(p, &id_type, &guid))
		return fail(p, "bad node id");
	if (!at_end(p))
		return fail(p, "garbage after the node id: '%s'", p->at);
	if (!check_identity(p, type, id_type, guid))
		return false;
	p->node = node_create(p->fabric, type, ports);
	if (!p->node)
		return fail(p, "out of memory");
	set_identity(p, p->node, guid);
	parse_desc(p, p->node);
	err = fabric_add_node(p->fabric, p->node);
	if (err) {
		node_destroy(p->node);
		p->node = NULL;
		if (err == -EEXIST)
			return fail(p, "duplicate GUID 0x%016llx", (unsigned long long)guid);
		return fail(p, "out of memory");
	}
	memset(&p->next, 0, sizeof(p->next));
	return true;
}

/* The rate is the last word of a comment: "lid 4 4xQDR". */
static void parse_rate(struct parser *p, struct claim *claim)
{
	const char *end = p->at + strlen(p->at), *word;
	char text[16];

	while (end > p->at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	for (word = end; word > p->at && word[-1] != ' ' && word[-1] != '\t'; word--)
		;
	if (*p->at != '#' || (size_t)(end - word) >= sizeof(text))
		return;
	memcpy(text, word, (size_t)(end - word));
	text[end - word] = '\0';
	claim->has_rate = rate_parse(text, &claim->rate);
}

static struct claim *add_claim(struct parser *p)
{
	if (p->claim_count == p->claim_room) {
		size_t room = p->claim_room ? p->claim_room * 2 : 64;
		struct claim *claims = realloc(p->claims, room * sizeof(claims[0]));

		if (!claims)
			return NULL;
		p->claims = claims;
		p->claim_room = room;
	}
	memset(&p->claims[p->claim_count], 0, sizeof(p->claims[0]));
	return &p->claims[p->claim_count++];
}

/* [1](2c90200000021)	"S-0002c90200000010"[3](...) */
static bool parse_port(struct parser *p)
{
	struct claim claim = { .line = p->line }, *stored;
	unsigned int num;

	if (!p->node)
		return fail(p, "a port line before the first node");
	p->at++;
	if (!parse_decimal(p, UINT16_MAX, &num) || !accept(p, ']'))
		return fail(p, "bad port number");
	if (!num || num > p->node->num_ports)
		return fail(p, "port %u of a node with %u ports", num, p->node->num_ports);
	claim.port = &p->node->ports[num];
	if (!parse_port_guid(p, &claim.port_guid))
		return fail(p, "bad port GUID");
	skip_blanks(p);
	if (!parse_node_id(p, &claim.peer_type, &claim.peer_guid))
		return fail(p, "bad node id of the other end");
	if (!accept(p, '[') || !parse_decimal(p, UINT16_MAX, &claim.peer_num) || !accept(p, ']'))
		return fail(p, "bad port number of the other end");
	if (!parse_port_guid(p, &claim.peer_port_guid))
		return fail(p, "bad port GUID of the other end");
	if (!at_end(p))
		return fail(p, "garbage after the link: '%s'", p->at);
	parse_rate(p, &claim);
	stored = add_claim(p);
	if (!stored)
		return fail(p, "out of memory");
	*stored = claim;
	return true;
}

static bool parse_line(struct parser *p, const char *text)
{
	const char *equals = strpbrk(text, "=#\"");

	p->at = text;
	if (at_end(p))
		return true;
	if (*p->at == '[')
		return parse_port(p);
	if (equals && *equals == '=')
		return parse_attribute(p, equals);
	return parse_node(p);
}

static bool parse_lines(struct parser *p, FILE *file)
{
	char *text = NULL;
	size_t room = 0;
	ssize_t len;
	bool ok = true;

	while (ok && (errno = 0, len = getline(&text, &room, file)) >= 0) {
		p->line++;
		if (memchr(text, '\0', (size_t)len)) {
			ok = fail(p, "a zero byte");
			break;
		}
		text[strcspn(text, "\r\n")] = '\0';
		ok = parse_line(p, text);
	}
	free(text);
	if (ok && ferror(file))
		return fail(p, "can't be read: %s", strerror(errno));
	if (ok && p->next.seen)
		return fail(p, "attributes without a node after them");
	return ok;
}

/*
 * Both ends of a link, in the order of the file: the first one to come sets the peer, the second
 * finds itself there.
 */
static bool connect_claim(struct parser *p, const struct claim *claim)
{
	struct fabric_node *peer_node = fabric_find(p->fabric, claim->peer_guid);
	struct fabric_port *port = claim->port, *peer;

	if (!peer_node || peer_node->type != claim->peer_type)
		return fail_at(p, claim->line, "link to an unknown node, 0x%016llx",
			       (unsigned long long)claim->peer_guid);
	if (!claim->peer_num || claim->peer_num > peer_node->num_ports)
		return fail_at(p, claim->line, "link to port %u of a node with %u ports",
			       claim->peer_num, peer_node->num_ports);
	peer = &peer_node->ports[claim->peer_num];
	if (peer == port)
		return fail_at(p, claim->line, "a link from a port to itself");
	if (port->peer)
		return fail_at(p, claim->line, "port %u is given twice", port->num);
	port->peer = peer;
	return true;
}

static bool check_mutual(struct parser *p, const struct claim *claim)
{
	const struct fabric_port *peer = claim->port->peer;

	if (!peer->peer)
		return fail_at(p, claim->line,
			       "the other end, port %u of 0x%016llx, doesn't mention this link",
			       peer->num, (unsigned long long)peer->node->guid);
	if (peer->peer != claim->port)
		return fail_at(
			p, claim->line,
			"the other end, port %u of 0x%016llx, is linked to port %u of 0x%016llx",
			peer->num, (unsigned long long)peer->node->guid, peer->peer->num,
			(unsigned long long)peer->peer->node->guid);
	return true;
}

/* A switch's ports share the GUID of its port 0, whatever a dump prints there. */
static bool claim_guid(struct parser *p, const struct claim *claim, struct fabric_port *port,
		       uint64_t guid)
{
	uint64_t *known = &port->attr.guids[0];

	if (!guid || port->node->type == NODE_SWITCH)
		return true;
	if (*known && *known != guid)
		return fail_at(p, claim->line,
			       "port %u of 0x%016llx has two GUIDs, 0x%llx and 0x%llx", port->num,
			       (unsigned long long)port->node->guid, (unsigned long long)*known,
			       (unsigned long long)guid);
	*known = guid;
	return true;
}

static void claim_rate(const struct claim *claim)
{
	struct fabric_port *port = claim->port;

	if (!claim->has_rate)
		return;
	port->rated = claim->rate;
	port->enabled = rate_supported(&port->rated);
	if (claim->rate.speed_ext)
		port_managed(port)->attr.capability_mask |= CAP_EXTENDED_SPEEDS;
}

static bool connect_all(struct parser *p)
{
	for (size_t i = 0; i < p->claim_count; i++) {
		if (!connect_claim(p, &p->claims[i]))
			return false;
	}
	for (size_t i = 0; i < p->claim_count; i++) {
		const struct claim *claim = &p->claims[i];

		if (!check_mutual(p, claim) ||
		    !claim_guid(p, claim, claim->port, claim->port_guid) ||
		    !claim_guid(p, claim, claim->port->peer, claim->peer_port_guid))
			return false;
		claim_rate(claim);
	}
	return true;
}

static int compare_guids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Ports without a GUID get the node's plus their number. All that have one, sorted: for finding
 * twins.
 */
static size_t collect_guids(struct fabric *fabric, uint64_t *guids)
{
	size_t count = 0;

	for (struct fabric_node *node = fabric->nodes; node; node = node->next) {
		if (node->type == NODE_SWITCH) {
			guids[count++] = node->ports[0].attr.guids[0];
			continue;
		}
		for (unsigned int i = 1; i <= node->num_ports; i++) {
			uint64_t *guid = &node->ports[i].attr.guids[0];

			if (!*guid)
				*guid = node->guid + i;
			guids[count++] = *guid;
		}
	}
	qsort(guids, count, sizeof(guids[0]), compare_guids);
	return count;
}

static bool complete_guids(struct parser *p)
{
	size_t room = 0, count;
	uint64_t *guids;
	bool ok = true;

	for (struct fabric_node *node = p->fabric->nodes; node; node = node->next)
		room += node->num_ports;
	guids = malloc((room ? room : 1) * sizeof(guids[0]));
	if (!guids)
		return fail(p, "out of memory");
	count = collect_guids(p->fabric, guids);
	for (size_t i = 1; ok && i < count; i++) {
		if (guids[i] == guids[i - 1])
			ok = fail(p, "duplicate port GUID 0x%016llx", (unsigned long long)guids[i]);
	}
	free(guids);
	return ok;
}

static void power_on(struct fabric *fabric)
{
	for (struct fabric_node *node = fabric->nodes; node; node = node->next) {
		for (unsigned int i = 1; i <= node->num_ports; i++)
			link_power_on(&node->ports[i]);
	}
}

int fabric_load(struct fabric *fabric, FILE *file, const char *name, char *error, size_t error_len)
{
	struct parser p = {
		.fabric = fabric, .name = name, .error = error, .error_len = error_len
	};
	bool ok;

	if (fabric->nodes) {
		fail(&p, "a topology is loaded already");
		return -1;
	}
	ok = parse_lines(&p, file) && connect_all(&p) && complete_guids(&p);
	free(p.claims);
	if (!ok) {
		fabric_clear(fabric);
		return -1;
	}
	power_on(fabric);
	return 0;
}
