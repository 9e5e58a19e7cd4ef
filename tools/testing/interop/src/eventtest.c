// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: eventtest CASE...
 *
 * Completion events and asynchronous events, as a program on libibverbs sees them: that they come,
 * just once, and not before their time. Runs the named cases, each in a process of its own; without
 * a name, it lists them. PORT_A and PORT_B in the environment name two active InfiniBand ports that
 * reach each other ("mlx5_0/1").
 */
#include "cases.h"

static const struct test_case *const tables[] = {
	completion_cases, async_cases, devx_cases, unplugged_cases,
};

int main(int argc, char **argv)
{
	(void)argc;
	return run_cases(tables, sizeof(tables) / sizeof(tables[0]), argv + 1);
}
