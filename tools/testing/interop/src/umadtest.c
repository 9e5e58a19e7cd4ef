// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: umadtest CASE...
 *
 * Runs the named cases, each in a process of its own, and says how each ended. Without a name, it
 * lists them. PORT_A and PORT_B in the environment name two ports that reach each other
 * ("rxe_a/1").
 */
#include "cases.h"

static const struct test_case *const tables[] = {
	agent_cases, send_cases, bad_write_cases, rmpp_cases, unplug_cases, load_cases, mixed_cases,
	mad_cases,
};

int main(int argc, char **argv)
{
	(void)argc;
	return run_cases(tables, sizeof(tables) / sizeof(tables[0]), argv + 1);
}
