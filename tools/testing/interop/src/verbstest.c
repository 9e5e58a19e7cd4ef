// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: verbstest [--ioctl] CASE...
 *
 * Runs the named cases, each in a process of its own, and says how each ended. Without a name, it
 * lists them. Commands are written; with --ioctl, they are wrapped in ioctls. PORT_A in the
 * environment names a port of the device ("null0/1").
 */
#include <string.h>

#include "cases.h"
#include "uverbs.h"

static const struct test_case *const tables[] = {
	command_cases, frame_cases, method_cases, event_cases, trust_cases, number_cases,
	refusal_cases, byte_cases, race_cases, removal_cases,
};

int main(int argc, char **argv)
{
	argv++;
	if (argc > 1 && !strcmp(*argv, "--ioctl")) {
		road = BY_IOCTL;
		argv++;
	}
	return run_cases(tables, sizeof(tables) / sizeof(tables[0]), argv);
}
