/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stddef.h>

/* Memory for regions, which has been written to, and lies physically as told in any boot. */

enum {
	PAGE = 4096,
	MIB = 1 << 20,
};

/* In one huge page: physically one piece. At least 1 MiB. */
char *huge_memory(void);

/* In small pages of which no two follow each other. */
char *scattered_memory(size_t length);

#endif
