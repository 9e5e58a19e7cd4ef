// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What ibemuctl may ask of the device.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "connectx5/device.h"

static void print(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, "%-24s %" PRIu64 "\n", name, value);
}

static uint32_t count_dcts(const struct hca *hca)
{
	uint32_t num, count = 0;
	struct hca_qp *qp;

	idtab_for_each(&hca->qps, num, qp)
		count += qp->type == HCA_QP_DCT;
	return count;
}

static void print_objects(const struct connectx5 *dev, FILE *out)
{
	const struct hca *hca = &dev->hca;
	uint32_t dcts = count_dcts(hca);

	print(out, "uctxs", dev->uctxs.used);
	print(out, "eqs", dev->eqs.used);
	print(out, "cqs", hca->cqs.used);
	print(out, "qps", hca->qps.used - dcts + !!hca->special[0] + !!hca->special[1]);
	print(out, "dcts", dcts);
	print(out, "srqs", hca->srqs.used);
	print(out, "mkeys", hca->mkeys.used);
	print(out, "multicast_groups", hca->group_count);
	print(out, "pds", dev->resources[CX5_PD].used);
	print(out, "xrcds", dev->resources[CX5_XRCD].used);
	print(out, "transport_domains", dev->resources[CX5_TRANSPORT_DOMAIN].used);
	print(out, "uars", dev->resources[CX5_UAR].used);
	print(out, "umems", dev->umems.used);
	print(out, "pages", dev->page_count);
}

static void print_chip(const struct cx5_counters *counters, FILE *out)
{
	print(out, "commands", counters->commands);
	print(out, "failed_commands", counters->failed_commands);
	print(out, "unknown_commands", counters->unknown_commands);
	print(out, "injected_failures", counters->injected_failures);
	print(out, "delivery_errors", counters->delivery_errors);
	print(out, "events", counters->events);
	print(out, "dropped_events", counters->dropped_events);
	print(out, "interrupts", counters->interrupts);
	print(out, "doorbells", counters->doorbells);
	print(out, "blue_flame_writes", counters->blue_flame_writes);
	print(out, "page_faults", counters->page_faults);
	print(out, "user_buffers", counters->user_buffers);
	print(out, "stray_writes", counters->stray_writes);
}

static void print_traffic(const struct hca_counters *counters, FILE *out)
{
	static const char *const names[] = {
		[HCA_TRAFFIC_RC] = "rc", [HCA_TRAFFIC_UC] = "uc",
		[HCA_TRAFFIC_UD] = "ud", [HCA_TRAFFIC_XRC] = "xrc",
		[HCA_TRAFFIC_DC] = "dc", [HCA_TRAFFIC_MANAGEMENT] = "management",
		[HCA_TRAFFIC_OTHER] = "other",
	};

	for (int i = 0; i < HCA_TRAFFIC_KINDS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "received_%s", names[i]);
		print(out, name, counters->traffic[i].packets);
		snprintf(name, sizeof(name), "received_%s_bytes", names[i]);
		print(out, name, counters->traffic[i].bytes);
	}
}

static void print_engine(const struct hca_counters *counters, FILE *out)
{
	print(out, "sent", counters->sent);
	print(out, "received", counters->received);
	print_traffic(counters, out);
	print(out, "multicast_copies", counters->multicast_copies);
	print(out, "dropped_malformed", counters->dropped_malformed);
	print(out, "dropped_no_qp", counters->dropped_no_qp);
	print(out, "dropped_state", counters->dropped_state);
	print(out, "dropped_pkey", counters->dropped_pkey);
	print(out, "dropped_qkey", counters->dropped_qkey);
	print(out, "dropped_no_wqe", counters->dropped_no_wqe);
	print(out, "dropped_dc", counters->dropped_dc);
	print(out, "completions", counters->completions);
	print(out, "error_completions", counters->error_completions);
	print(out, "cq_overruns", counters->cq_overruns);
}

/* A number up to max, decimal or 0x...; false: it isn't one. */
static bool parse_number(const char *word, unsigned long max, unsigned long *value)
{
	char *end;

	errno = 0;
	*value = strtoul(word, &end, 0);
	return word[0] >= '0' && word[0] <= '9' && !*end && !errno && *value <= max;
}

static bool parse_opcode(const char *word, unsigned long *opcode)
{
	const struct cx5_command_type *type = cx5_command_named(word);

	if (type)
		*opcode = type->opcode;
	return type || parse_number(word, 0xffff, opcode);
}

static int add_injection(struct connectx5 *dev, const char *which, struct cx5_injection *injection,
			 FILE *out)
{
	unsigned long opcode = CX5_ANY_COMMAND;

	if (strcmp(which, "any") && (!parse_opcode(which, &opcode) || !opcode)) {
		fprintf(out, "%s is no command\n", which);
		return -EINVAL;
	}
	injection->opcode = (uint16_t)opcode;
	if (!cx5_inject(dev, injection))
		return 0;
	fprintf(out, "%d failures are waiting already\n", CX5_INJECTIONS);
	return -EINVAL;
}

/* "nth N" or "every N". */
static int parse_counts(struct cx5_injection *injection, int argc, char **argv, FILE *out)
{
	unsigned long count;

	for (; argc; argc -= 2, argv += 2) {
		if (!parse_number(argv[1], 1000000, &count) || !count) {
			fprintf(out, "%s is no count (1 .. 1000000)\n", argv[1]);
			return -EINVAL;
		}
		if (!strcmp(argv[0], "nth"))
			injection->countdown = (unsigned int)count;
		else if (!strcmp(argv[0], "every"))
			injection->every = (unsigned int)count;
		else
			return -ENOENT;
	}
	return 0;
}

static int fail_command(struct connectx5 *dev, int argc, char **argv, FILE *out)
{
	struct cx5_injection injection = { .countdown = 1 };
	unsigned long status;
	int error = -ENOENT;

	if (argc >= 3 && argc % 2)
		error = parse_counts(&injection, argc - 3, argv + 3, out);
	if (error == -ENOENT)
		fprintf(out, "usage: fail-command NAME|OPCODE|any STATUS [nth N] [every N]\n");
	if (error)
		return -EINVAL;
	if (!parse_number(argv[2], 0xff, &status) || !status) {
		fprintf(out, "%s is no status (1 .. 0xff)\n", argv[2]);
		return -EINVAL;
	}
	injection.status = (uint8_t)status;
	return add_injection(dev, argv[1], &injection, out);
}

static void statistics(struct connectx5 *dev, FILE *out)
{
	print_objects(dev, out);
	print_chip(&dev->counters, out);
	print_engine(&dev->hca.counters, out);
}

static void objects(struct connectx5 *dev, FILE *out)
{
	print_objects(dev, out);
}

static void commands(struct connectx5 *dev, FILE *out)
{
	cx5_commands_print(dev, out);
}

static void fatal(struct connectx5 *dev, FILE *out)
{
	(void)out;
	cx5_fatal(dev);
}

/* Freed numbers go out again at once, or as late as possible. */
static int reuse_numbers(struct connectx5 *dev, int argc, char **argv, FILE *out)
{
	bool on = argc == 2 && !strcmp(argv[1], "on");

	if (!on && (argc != 2 || strcmp(argv[1], "off"))) {
		fprintf(out, "usage: reuse-numbers on|off\n");
		return -EINVAL;
	}
	dev->hca.qps.reuses = on;
	dev->hca.cqs.reuses = on;
	dev->hca.srqs.reuses = on;
	return 0;
}

/* What takes no argument. */
static const struct {
	const char *name;
	void (*run)(struct connectx5 *dev, FILE *out);
} plain[] = {
	{ "statistics", statistics },
	{ "objects", objects },
	{ "commands", commands },
	{ "failures", cx5_injections_end },
	{ "fatal", fatal },
};

static int run_plain(struct connectx5 *dev, int argc, char **argv, FILE *out)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (strcmp(argv[0], plain[i].name))
			continue;
		if (argc != 1) {
			fprintf(out, "%s takes no argument\n", argv[0]);
			return -EINVAL;
		}
		plain[i].run(dev, out);
		return 0;
	}
	return -ENOENT;
}

int connectx5_control(struct connectx5 *dev, int argc, char **argv, FILE *out)
{
	if (!argc)
		return -ENOENT;
	if (!strcmp(argv[0], "fail-command"))
		return fail_command(dev, argc, argv, out);
	if (!strcmp(argv[0], "reuse-numbers"))
		return reuse_numbers(dev, argc, argv, out);
	return run_plain(dev, argc, argv, out);
}
