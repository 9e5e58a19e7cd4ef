// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * usage: mlx5test [--driver] CASE...
 *
 * Runs the named cases, each in a process of its own; --driver: DC by IB_QPT_DRIVER, not by
 * reserved types. Without a name, the cases are listed. PORT_A in the environment names a port
 * ("mlx5_0/1").
 */
#include <string.h>

#include "cases.h"
#include "mlx5.h"

int main(int argc, char **argv)
{
	const struct test_case *const tables[] = { mlx5_dc_cases, mlx5_queue_cases,
						    mlx5_memory_cases, mlx5_life_cases,
						    mlx5_number_cases };

	argv++;
	if (argc > 1 && !strcmp(*argv, "--driver")) {
		by_driver_type = true;
		argv++;
	}
	return run_cases(tables, sizeof(tables) / sizeof(tables[0]), argv);
}
