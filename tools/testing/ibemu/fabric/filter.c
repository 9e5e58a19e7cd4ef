// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Filters: what ibemuctl has put in the way of packets. Each looks at the packets that enter a
 * link; the first that matches and strikes decides. Which ones a rate strikes follows from the seed
 * alone.
 */
#include <errno.h>
#include <stdlib.h>

#include "fabric/control.h"
#include "fabric/model.h"

enum action { ACTION_DROP, ACTION_CORRUPT, ACTION_DUPLICATE, ACTION_DELAY };
static const char *const action_words[] = { "drop", "corrupt", "duplicate", "delay" };

struct end {
	const struct fabric_node *node; /* NULL: any */
	int port_num;                   /* -1: any */
};

struct filter {
	struct filter *next;
	unsigned int id;
	struct end from, to;
	int vl, opcode, mgmt_class;   /* -1: any */
	bool smp_only, data_only;
	enum action action;
	int delay_us;
	int rate;                     /* percent */
	int count;                    /* strikes left; -1: no limit */
	uint64_t matched, struck;
};

static bool end_matches(const struct end *end, const struct fabric_port *port)
{
	return !end->node ||
	       (end->node == port->node && (end->port_num < 0 || end->port_num == port->num));
}

static bool class_matches(int mgmt_class, struct packet *packet)
{
	const uint8_t *mad = packet_mad(packet);

	return mad && bth_dest_qp(packet) <= 1 && mad[MAD_MGMT_CLASS] == mgmt_class;
}

static bool matches(const struct filter *filter, const struct fabric_port *from,
		    struct packet *packet)
{
	bool smp = packet->vl == VL_SMP;

	return end_matches(&filter->from, from) && end_matches(&filter->to, from->peer) &&
	       (filter->vl < 0 || filter->vl == packet->vl) && !(filter->smp_only && !smp) &&
	       !(filter->data_only && smp) &&
	       (filter->opcode < 0 || filter->opcode == packet->data[bth_at(packet)]) &&
	       (filter->mgmt_class < 0 || class_matches(filter->mgmt_class, packet));
}

/* Marsaglia's xorshift64 */
static int random_percent(struct fabric *fabric)
{
	fabric->random ^= fabric->random << 13;
	fabric->random ^= fabric->random >> 7;
	fabric->random ^= fabric->random << 17;
	return (int)((fabric->random >> 16) % 100);
}

static bool strikes(struct filter *filter, struct fabric *fabric)
{
	filter->matched++;
	if (!filter->count || (filter->rate < 100 && random_percent(fabric) >= filter->rate))
		return false;
	if (filter->count > 0)
		filter->count--;
	filter->struck++;
	return true;
}

static void delay(struct fabric *fabric, struct packet *packet, int delay_us)
{
	packet->due_ns = sched_now_ns(fabric->sched) + (uint64_t)delay_us * NSEC_PER_USEC;
	queue_insert(&fabric->delayed, packet);
	timer_arm(fabric->sched, &fabric->delay, fabric->delayed.head->due_ns);
}

static void duplicate(struct fabric *fabric, const struct packet *packet)
{
	struct packet *clone = packet_clone(packet);

	if (clone)
		link_deliver(fabric, clone);
}

static bool strike(const struct filter *filter, struct fabric *fabric, struct packet *packet)
{
	switch (filter->action) {
	case ACTION_DROP:
		fabric_drop(fabric, packet, STAT_FILTERED);
		return false;
	case ACTION_CORRUPT:
		packet->corrupt = true; /* its next receiver drops it, so any bit will do */
		return true;
	case ACTION_DUPLICATE:
		duplicate(fabric, packet);
		return true;
	case ACTION_DELAY:
		delay(fabric, packet, filter->delay_us);
		return false;
	}
	return true;
}

bool filter_apply(struct fabric_port *from, struct packet *packet)
{
	struct fabric *fabric = port_fabric(from);

	for (struct filter *filter = fabric->filters; filter; filter = filter->next) {
		if (matches(filter, from, packet) && strikes(filter, fabric))
			return strike(filter, fabric, packet);
	}
	return true;
}

void filter_clear(struct fabric *fabric)
{
	while (fabric->filters) {
		struct filter *filter = fabric->filters;

		fabric->filters = filter->next;
		free(filter);
	}
}

static bool parse_end(struct fabric *fabric, struct words *words, struct end *end)
{
	const char *name = words_next(words);

	if (!name)
		return control_fail(words, "a node is missing");
	end->node = control_find_node(fabric, name, &end->port_num, words->out);
	return end->node;
}

static bool parse_condition(struct fabric *fabric, struct words *words, const char *word,
			    struct filter *filter)
{
	if (!strcmp(word, "from"))
		return parse_end(fabric, words, &filter->from);
	if (!strcmp(word, "to"))
		return parse_end(fabric, words, &filter->to);
	if (!strcmp(word, "vl"))
		return words_number(words, "vl", 15, &filter->vl);
	if (!strcmp(word, "opcode"))
		return words_number(words, "opcode", 255, &filter->opcode);
	if (!strcmp(word, "mgmt-class"))
		return words_number(words, "mgmt-class", 255, &filter->mgmt_class);
	if (!strcmp(word, "smp"))
		return filter->smp_only = true;
	if (!strcmp(word, "data"))
		return filter->data_only = true;
	return control_fail(words, "unknown word '%s'", word);
}

/* Returns whether the word is an action; its argument is another matter. */
static bool find_action(const char *word, enum action *action)
{
	for (unsigned int i = 0; i < sizeof(action_words) / sizeof(action_words[0]); i++) {
		if (!strcmp(word, action_words[i])) {
			*action = (enum action)i;
			return true;
		}
	}
	return false;
}

static bool parse_limit(struct words *words, const char *word, struct filter *filter)
{
	if (!strcmp(word, "rate"))
		return words_number(words, "rate", 100, &filter->rate);
	if (!strcmp(word, "count"))
		return words_number(words, "count", 1000000000, &filter->count);
	return control_fail(words, "unknown word '%s'", word);
}

/* Conditions, the action, limits. */
static bool parse_filter(struct fabric *fabric, struct words *words, struct filter *filter)
{
	const char *word;

	while ((word = words_next(words)) && !find_action(word, &filter->action)) {
		if (!parse_condition(fabric, words, word, filter))
			return false;
	}
	if (!word)
		return control_fail(words,
				    "an action is missing: drop, corrupt, duplicate or delay USEC");
	if (filter->action == ACTION_DELAY &&
	    !words_number(words, "delay", 1000000000, &filter->delay_us))
		return false;
	while ((word = words_next(words))) {
		if (!parse_limit(words, word, filter))
			return false;
	}
	return true;
}

static int filter_add(struct fabric *fabric, struct words *words)
{
	struct filter *filter = calloc(1, sizeof(*filter)), **last;

	if (!filter) {
		control_fail(words, "out of memory");
		return -EINVAL;
	}
	filter->vl = filter->opcode = filter->mgmt_class = filter->count = -1;
	filter->rate = 100;
	if (!parse_filter(fabric, words, filter)) {
		free(filter);
		return -EINVAL;
	}
	filter->id = ++fabric->last_filter;
	for (last = &fabric->filters; *last; last = &(*last)->next)
		;
	*last = filter;
	fprintf(words->out, "filter %u\n", filter->id);
	return 0;
}

static void print_end(const char *word, const struct end *end, FILE *out)
{
	if (!end->node)
		return;
	fprintf(out, " %s 0x%016llx", word, (unsigned long long)end->node->guid);
	if (end->port_num >= 0)
		fprintf(out, ":%d", end->port_num);
}

static void print_filter(const struct filter *filter, FILE *out)
{
	fprintf(out, "%u:", filter->id);
	print_end("from", &filter->from, out);
	print_end("to", &filter->to, out);
	if (filter->vl >= 0)
		fprintf(out, " vl %d", filter->vl);
	if (filter->opcode >= 0)
		fprintf(out, " opcode 0x%02x", (unsigned int)filter->opcode);
	if (filter->mgmt_class >= 0)
		fprintf(out, " mgmt-class 0x%02x", (unsigned int)filter->mgmt_class);
	fprintf(out, "%s%s %s", filter->smp_only ? " smp" : "", filter->data_only ? " data" : "",
		action_words[filter->action]);
	if (filter->action == ACTION_DELAY)
		fprintf(out, " %d", filter->delay_us);
	if (filter->rate < 100)
		fprintf(out, " rate %d", filter->rate);
	if (filter->count >= 0)
		fprintf(out, " count %d", filter->count);
	fprintf(out, " (matched %llu, struck %llu)\n", (unsigned long long)filter->matched,
		(unsigned long long)filter->struck);
}

static int filter_list(struct fabric *fabric, struct words *words)
{
	if (!words_end(words))
		return -EINVAL;
	for (const struct filter *filter = fabric->filters; filter; filter = filter->next)
		print_filter(filter, words->out);
	return 0;
}

static int filter_del(struct fabric *fabric, struct words *words)
{
	const char *word = words_peek(words);
	int id;

	if (word && !strcmp(word, "all")) {
		words_next(words);
		if (!words_end(words))
			return -EINVAL;
		filter_clear(fabric);
		return 0;
	}
	if (!words_number(words, "filter", INT32_MAX, &id) || !words_end(words))
		return -EINVAL;
	for (struct filter **at = &fabric->filters; *at; at = &(*at)->next) {
		if ((*at)->id == (unsigned int)id) {
			struct filter *filter = *at;

			*at = filter->next;
			free(filter);
			return 0;
		}
	}
	control_fail(words, "no filter %d", id);
	return -EINVAL;
}

int filter_control(struct fabric *fabric, struct words *words)
{
	const char *word = words_next(words);

	if (word && !strcmp(word, "add"))
		return filter_add(fabric, words);
	if (word && !strcmp(word, "list"))
		return filter_list(fabric, words);
	if (word && !strcmp(word, "del"))
		return filter_del(fabric, words);
	control_fail(words, "usage: filter add ... | list | del N|all");
	return -EINVAL;
}
